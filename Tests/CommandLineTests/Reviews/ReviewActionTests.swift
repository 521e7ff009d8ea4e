import Foundation
import MapTestSupport
import Testing

/// The scripts of the actions `verify` and `accept`, step by step as a runner of GitHub runs them, with a stand-in for `gh`.
@Suite(.enabled(if: ReviewedRepository.hasPrograms)) struct ReviewActionTests {
  /// Answers from files, and notes its calls.
  private static let gh = """
    #!/bin/bash
    printf '%s\\n' "$*" >>"$FAKE/calls"
    case "$1 $2" in
      "api repos/o/r/collaborators/"*) file=permission ;;
      "api repos/o/r/pulls/"*) file=pull ;;
      "api repos/o/r/actions/workflows/maps.yml/runs?"*) file=runs ;;
      "api repos/o/r/issues/7/comments") exit ;;
      "run download") cp -r "$FAKE/artifact" "${@: -1}"; exit ;;
      *) echo "gh: unknown: $*" >&2; exit 1 ;;
    esac
    if [ "$3" = --jq ]; then jq -r "$4" "$FAKE/$file"; else cat "$FAKE/$file"; fi
    """

  let repository: ReviewedRepository

  init() async throws {
    repository = try await ReviewedRepository()
    try await Self.answer(for: repository)
  }

  /// Prepares the answers of `gh`.
  private static func answer(for repository: ReviewedRepository) async throws {
    try await repository.add(program: "gh", gh)
    let folder = repository.folder
    try folder.write(#"{"permission": "write"}"#, to: "fake/permission")
    try folder.write(
      #"{"state": "open", "head": {"sha": "\#(repository.head)", "ref": "topic", "repo": {"full_name": "o/r"}}}"#,
      to: "fake/pull")
    try folder.write(
      """
      {"workflow_runs": [
        {"id": 41, "updated_at": "2026-01-01T10:02:00Z", "head_repository": {"full_name": "x/r"}},
        {"id": 42, "updated_at": "2026-01-01T10:00:00Z", "head_repository": {"full_name": "o/r"}}]}
      """, to: "fake/runs")
  }

  private func accept(_ request: String, time: String = "2026-01-01T10:05:00Z", actor: String = "ann")
    async throws -> Tool.Run
  {
    try await Self.accept(request, time: time, actor: actor, in: repository)
  }

  /// Runs the steps of the action `accept`, the second one only if the first one says so.
  private static func accept(
    _ request: String, time: String = "2026-01-01T10:05:00Z", actor: String = "ann",
    in repository: ReviewedRepository
  ) async throws -> Tool.Run {
    let script = """
      set -e
      rm -f out; touch out
      GITHUB_OUTPUT=$PWD/out '\(ReviewedRepository.actions.path)/accept/accept' check
      causes=$(sed -n 's/^causes=//p' out)
      [ -n "$causes" ] || exit 0
      CAUSES=$causes HEAD_SHA=$(sed -n 's/^sha=//p' out) HEAD_REF=$(sed -n 's/^ref=//p' out) \\
        RUN=$(sed -n 's/^run=//p' out) '\(ReviewedRepository.actions.path)/accept/accept' commit
      """
    return try await repository.bash(
      script,
      [
        "GH_TOKEN": "secret", "REPOSITORY": "o/r", "ACTOR": actor, "NUMBER": "7", "REQUEST": request,
        "TIME": time, "WORKFLOW": "maps.yml", "ARTIFACT": "snapshot-report", "CASES": "Snapshots",
        "FAKE": repository.folder.path("fake"), "REMOTE": repository.folder.path("remote.git"),
        "LFS_URL": "file://\(repository.folder.path("remote.git"))",
      ])
  }

  @Test("The step of verify sets outputs, summary and annotations, and fails nothing before the upload")
  func verifies() async throws {
    let run = try await repository.verify()
    #expect(run.code == 0, "\(run)")
    let output = try String(contentsOfFile: repository.folder.path("output"), encoding: .utf8)
    #expect(output == "code=1\nreport=snapshot-report\n")
    let summary = try String(contentsOfFile: repository.folder.path("step"), encoding: .utf8)
    #expect(summary.contains("| 1 | **a** › fill color: `#c80000` → `#f00000` | 1 | 1 |"), "\(summary)")
    #expect(run.out.contains("::error file=Snapshots/a/case.json,line=1,"), "\(run)")
    // Outside of GitHub, the exit code is that of the tool.
    let plain = try await repository.bash(
      "cd work && SINCE=HEAD '\(ReviewedRepository.actions.path)/verify/verify'",
      ["GITHUB_OUTPUT": "", "GITHUB_ACTIONS": "", "GITHUB_BASE_REF": ""])
    #expect(plain.code == 0, "\(plain)")
    #expect(plain.out.contains("unchanged\ta"))
  }

  @Test("An archive of the tool is installed, whichever way it is compressed", arguments: ["gz", "xz"])
  func installs(kind: String) async throws {
    try repository.folder.write("#!/bin/sh\necho mapstate 9", to: "mapstate-9/bin/mapstate")
    try repository.folder.write("#!/bin/sh\nexec \"$@\"", to: "bin/sudo")
    let run = try await repository.bash(
      """
      set -e
      chmod +x mapstate-9/bin/mapstate bin/sudo
      tar -caf tool.tar.\(kind) mapstate-9
      PACKAGE=tool.tar.\(kind) INSTALL_PREFIX="$PWD/prefix" '\(ReviewedRepository.actions.path)/verify/install'
      """)
    #expect(run.code == 0 && run.out == "mapstate 9\n", "\(run)")
  }

  @Test("The chosen reference images are committed to the branch, and nothing else")
  func accepts() async throws {
    try await repository.report()
    let run = try await accept("/accept 1\nthanks")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("accepted\ta\n"), "\(run)")
    let shown = try await repository.bash(
      "git --git-dir remote.git log -1 --format='%an %s' topic; git --git-dir remote.git diff --name-only topic~ topic"
    )
    let lines = shown.out.split(separator: "\n").map { String($0) }
    #expect(lines.first == "github-actions[bot] Accept reference images", "\(shown)")
    // The owners of pixels are the same.
    #expect(lines.dropFirst() == ["Snapshots/a/reference.json", "Snapshots/a/reference.png"], "\(shown)")
    #expect(
      try await repository.bash("git --git-dir remote.git rev-parse topic~").out == repository.head + "\n")
    let calls = try repository.calls()
    #expect(calls.contains("run download 42 "), "\(calls)")
    #expect(calls.contains("issues/7/comments -f body=Accepted by ann as commit"), "\(calls)")
    // The accident still fails.
    let verified = try await repository.bash(
      "cd work && git pull -q origin topic && mapstate snapshot verify")
    #expect(verified.out.hasPrefix("same\ta\ndiffers\tb\t"), "\(verified)")
  }

  @Test(
    "Texts that are no request are ignored before anything is asked",
    arguments: [
      "accept 1", "/accept", "/accept $(touch x)", "/accept 1; touch x", "/accept all 1", "/accept -1",
      "please\n/accept 1",
      "/accept `touch x`", "/acceptall", "/accept 1\u{2028}2",
    ])
  func noRequests(text: String) async throws {
    let run = try await accept(text)
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("no request"), "\(run)")
    #expect(try repository.calls() == "")
    #expect(!FileManager.default.fileExists(atPath: repository.folder.path("x")))
    #expect(try await repository.tip() == repository.head)
  }

  @Test("People who may only read are refused, without an answer")
  func readers() async throws {
    try await repository.report()
    for permission in ["read", "none", "triage", "null", ""] {
      try repository.folder.write(#"{"permission": "\#(permission)"}"#, to: "fake/permission")
      let run = try await accept("/accept all")
      #expect(run.code == 1, "\(run)")
      #expect(run.err.contains("ann may not write to o/r"), "\(run)")
    }
    let calls = try repository.calls()
    #expect(!calls.contains("comments"), "\(calls)")
    #expect(try await repository.tip() == repository.head)
  }

  @Test("Forks, closed requests, unseen reports and names with other characters are refused")
  func refusals() async throws {
    try await repository.report()
    let pull = try String(contentsOfFile: repository.folder.path("fake/pull"), encoding: .utf8)
    for (text, message) in [
      (pull.replacing("\"o/r\"", with: "\"x/r\""), "the branch is in a fork"),
      (pull.replacing("open", with: "closed"), "the pull request is closed"),
    ] {
      try repository.folder.write(text, to: "fake/pull")
      let run = try await accept("/accept all")
      #expect(run.code == 1)
      #expect(run.err.contains(message), "\(run)")
    }
    try repository.folder.write(pull, to: "fake/pull")
    let early = try await accept("/accept all", time: "2026-01-01T09:59:59Z")
    #expect(early.err.contains("is newer than the request"), "\(early)")
    #expect(try await accept("/accept all", actor: "a/../b").code == 1)
    for runs in [
      "", #"{"id": 42, "updated_at": "2026-01-01T10:00:00Z", "head_repository": {"full_name": "x/r"}}"#,
    ] {
      try repository.folder.write(#"{"workflow_runs": [\#(runs)]}"#, to: "fake/runs")
      #expect(try await accept("/accept all").err.contains("has no finished run of maps.yml"))
    }
    #expect(try await repository.tip() == repository.head)
  }

  @Test("An error of the tool is quoted in the comment and escaped in the log")
  func quotedErrors() async throws {
    try await repository.report()
    let path = "fake/artifact/report.json"
    let text = try String(contentsOfFile: repository.folder.path(path), encoding: .utf8)
    let long = String(repeating: " x", count: 2000)
    try repository.folder.write(
      text.replacing(#""root": "Snapshots""#, with: #""root": "@all 7%0A\#(long)""#), to: path)
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("reports the cases in @all 7%250A"), "\(run)")
    let calls = try repository.calls()
    let comment = try #require(calls.components(separatedBy: "body=Not accepted:\n\n    ").last)
    #expect(comment.contains("@all 7%0A"), "\(calls)")
    #expect(comment.count <= 2001, "\(comment.count)")
  }

  @Test("A branch that has moved meanwhile is not changed")
  func movedBranch() async throws {
    try await repository.report()
    let moved = try await repository.bash(
      "cd work && git commit -q --allow-empty -m third && git push -q origin topic && git rev-parse HEAD")
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("the branch has changed meanwhile"), "\(run)")
    #expect(try await repository.tip() + "\n" == moved.out)
  }

  @Test("An image that leads out of the folder of cases is no reason to write there")
  func links() async throws {
    try await repository.report()
    let made = try await repository.bash(
      """
      cd work && git rm -q --cached -r Snapshots/a && mv Snapshots/a ../elsewhere && ln -s ../../elsewhere Snapshots/a
      git add -A && git commit -qm link && git push -q origin topic && git rev-parse HEAD
      """)
    let other = made.out.trimmingCharacters(in: .whitespacesAndNewlines)
    try repository.folder.write(
      #"{"state": "open", "head": {"sha": "\#(other)", "ref": "topic", "repo": {"full_name": "o/r"}}}"#,
      to: "fake/pull")
    let run = try await accept("/accept 1")
    #expect(run.code == 1, "\(run)")
    #expect(try await repository.tip() == other)
  }

  @Test(
    "Images of a repository with Git LFS become its objects, and settings of the branch lead nowhere",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git-lfs")))
  func largeFiles() async throws {
    let repository = try await ReviewedRepository(
      preparing: """
        git lfs install --local >/dev/null
        git config lfs.url "file://$PWD/../remote.git"
        git config lfs.pushurl "file://$PWD/../remote.git"
        git config lfs.locksverify false
        git lfs track 'reference*.png' >/dev/null
        printf '[lfs]\n\turl = http://127.0.0.1:9/other\n\tpushurl = http://127.0.0.1:9/other\n' >.lfsconfig
        """)
    try await Self.answer(for: repository)
    try await repository.report()
    let run = try await Self.accept("/accept 1", in: repository)
    #expect(run.code == 0, "\(run)")
    let shown = try await repository.bash(
      "git --git-dir remote.git show topic:Snapshots/a/reference.png; git --git-dir remote.git show topic:Snapshots/a/reference.json | head -c 1"
    )
    #expect(shown.out.hasPrefix("version https://git-lfs.github.com/spec/v1\noid sha256:"), "\(shown)")
    #expect(shown.out.hasSuffix("{"), "\(shown)")
    let verified = try await repository.bash(
      "cd work && git pull -q origin topic && mapstate snapshot verify")
    #expect(verified.out.hasPrefix("same\ta\ndiffers\tb\t"), "\(verified)")
  }
}
