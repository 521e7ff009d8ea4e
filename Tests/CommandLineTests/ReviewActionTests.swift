import Foundation
import Testing

/// Whether the programs exist that the scripts of the actions run.
private let hasActionPrograms = ["git", "jq", "bash"].allSatisfy {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
}

/// The scripts of the actions `verify` and `accept`, step by step as a runner runs them, with a stand-in for `gh`.
@Suite(.enabled(if: hasActionPrograms)) struct ReviewActionTests {
  private static let actions = Tool.project.appendingPathComponent(".github/actions")

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

  let folder: ScratchFolder
  private let head: String

  /// A repository whose branch `topic` changes one class on purpose and one by accident, and its report.
  init() async throws {
    folder = try ScratchFolder()
    try folder.write(Self.gh, to: "bin/gh")
    for (file, text) in [
      ("permission", #"{"permission": "write"}"#), ("calls", ""),
    ] { try folder.write(text, to: "fake/\(file)") }
    let script = """
      set -euo pipefail
      chmod +x bin/gh
      git init -q --bare remote.git
      git init -q -b main work
      cd work
      git config user.name T; git config user.email t@example.org
      mkdir -p Snapshots/a Snapshots/b
      for name in a b; do
        printf '{"map": {"operationalLayers": [{"id": "p", "title": "%s", "featureCollection": {"layers": [{"layerDefinition": {"geometryType": "esriGeometryPoint", "drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": [200, 0, 0, 255], "size": 9}}}}, "featureSet": {"features": [{"attributes": {"n": 1}, "geometry": {"x": 0, "y": 0}}]}}]}}]}, "size": [40, 30], "viewpoint": {"center": {"x": 0, "y": 0}, "scale": 3779.52}}' $name >Snapshots/$name/case.json
      done
      mapstate snapshot record --all
      git add . && git commit -qm first
      git push -q ../remote.git main
      git checkout -qb topic
      sed -i 's/200, 0, 0/240, 0, 0/' Snapshots/a/case.json
      sed -i 's/200, 0, 0/200, 9, 0/' Snapshots/b/case.json
      git commit -qam second
      git push -q ../remote.git topic
      git remote add origin ../remote.git
      """
    let run = try await Self.bash(script, in: folder)
    try #require(run.code == 0, "\(run)")
    let commit = try await Self.bash("git -C work rev-parse HEAD", in: folder)
    head = commit.out.trimmingCharacters(in: .whitespacesAndNewlines)
    try folder.write(
      #"{"state": "open", "head": {"sha": "\#(head)", "ref": "topic", "repo": {"full_name": "o/r"}}}"#,
      to: "fake/pull")
    try folder.write(
      """
      {"workflow_runs": [
        {"id": 41, "updated_at": "2026-01-01T10:02:00Z", "head_repository": {"full_name": "x/r"}},
        {"id": 42, "updated_at": "2026-01-01T10:00:00Z", "head_repository": {"full_name": "o/r"}}]}
      """, to: "fake/runs")
  }

  private static func bash(
    _ script: String, in folder: ScratchFolder, _ environment: [String: String] = [:]
  ) async throws -> Tool.Run {
    let path =
      "\(folder.path("bin")):\(Tool.builtFolder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    return try await Tool.run(
      ["-c", script], folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"),
      environment: ["PATH": path, "HOME": folder.path("home")].merging(environment) { $1 })
  }

  /// Runs the script of the action `verify` on the branch as a runner does.
  private func verify() async throws -> Tool.Run {
    try await Self.bash(
      "mkdir -p home && cd work && '\(Self.actions.path)/verify/verify'", in: folder,
      [
        "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": "main", "GITHUB_OUTPUT": folder.path("output"),
        "GITHUB_STEP_SUMMARY": folder.path("step"), "GITHUB_WORKSPACE": folder.path("work"),
      ])
  }

  /// Runs the steps of the action `accept`, the second one only if the first one says so.
  private func accept(_ request: String, time: String = "2026-01-01T10:05:00Z", actor: String = "ann")
    async throws
    -> Tool.Run
  {
    let script = """
      set -e
      rm -f out; touch out
      GITHUB_OUTPUT=$PWD/out '\(Self.actions.path)/accept/accept' check
      causes=$(sed -n 's/^causes=//p' out)
      [ -n "$causes" ] || exit 0
      CAUSES=$causes HEAD_SHA=$(sed -n 's/^sha=//p' out) HEAD_REF=$(sed -n 's/^ref=//p' out) \\
        RUN=$(sed -n 's/^run=//p' out) '\(Self.actions.path)/accept/accept' commit
      """
    return try await Self.bash(
      script, in: folder,
      [
        "GH_TOKEN": "secret", "REPOSITORY": "o/r", "ACTOR": actor, "NUMBER": "7", "REQUEST": request,
        "TIME": time,
        "WORKFLOW": "maps.yml", "ARTIFACT": "snapshot-report", "CASES": "Snapshots",
        "FAKE": folder.path("fake"),
        "REMOTE": folder.path("remote.git"),
      ])
  }

  /// Verifies, and makes the report the artifact.
  private func report() async throws {
    #expect(try await verify().code == 0)
    try FileManager.default.moveItem(
      at: folder.url("work/snapshot-report"), to: folder.url("fake/artifact"))
  }

  private func tip() async throws -> String {
    try await Self.bash("git --git-dir remote.git rev-parse topic", in: folder).out.trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  @Test("The step of verify sets outputs, summary and annotations, and fails nothing before the upload")
  func verifies() async throws {
    let run = try await verify()
    #expect(run.code == 0, "\(run)")
    let output = try String(contentsOfFile: folder.path("output"), encoding: .utf8)
    #expect(output == "code=1\nreport=snapshot-report\n")
    let summary = try String(contentsOfFile: folder.path("step"), encoding: .utf8)
    #expect(summary.contains("| 1 | **a** › fill color: `#c80000` → `#f00000` | 1 | 1 |"), "\(summary)")
    #expect(run.out.contains("::error file=Snapshots/a/case.json,line=1,"), "\(run)")
    // Outside of GitHub, the exit code is that of the tool.
    let plain = try await Self.bash(
      "cd work && SINCE=HEAD '\(Self.actions.path)/verify/verify'", in: folder,
      ["GITHUB_OUTPUT": "", "GITHUB_ACTIONS": "", "GITHUB_BASE_REF": ""])
    #expect(plain.code == 0, "\(plain)")
    #expect(plain.out.contains("unchanged\ta"))
  }

  @Test("An archive of the tool is installed, whichever way it is compressed", arguments: ["gz", "xz"])
  func installs(kind: String) async throws {
    try folder.write("#!/bin/sh\necho mapstate 9", to: "mapstate-9/bin/mapstate")
    try folder.write("#!/bin/sh\nexec \"$@\"", to: "bin/sudo")
    let run = try await Self.bash(
      """
      set -e
      chmod +x mapstate-9/bin/mapstate bin/sudo
      tar -caf tool.tar.\(kind) mapstate-9
      PACKAGE=tool.tar.\(kind) INSTALL_PREFIX="$PWD/prefix" '\(Self.actions.path)/verify/install'
      """, in: folder)
    #expect(run.code == 0 && run.out == "mapstate 9\n", "\(run)")
  }

  @Test("The chosen reference images are committed to the branch, and nothing else")
  func accepts() async throws {
    try await report()
    let run = try await accept("/accept 1\nthanks")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("accepted\ta\n"), "\(run)")
    let shown = try await Self.bash(
      "git --git-dir remote.git log -1 --format='%an %s' topic; git --git-dir remote.git diff --name-only topic~ topic",
      in: folder)
    let lines = shown.out.split(separator: "\n").map { String($0) }
    #expect(lines.first == "github-actions[bot] Accept reference images", "\(shown)")
    // The owners of pixels are the same.
    #expect(lines.dropFirst() == ["Snapshots/a/reference.json", "Snapshots/a/reference.png"], "\(shown)")
    #expect(try await Self.bash("git --git-dir remote.git rev-parse topic~", in: folder).out == head + "\n")
    let calls = try String(contentsOfFile: folder.path("fake/calls"), encoding: .utf8)
    #expect(calls.contains("run download 42 "), "\(calls)")
    #expect(calls.contains("issues/7/comments -f body=Accepted by ann as commit"), "\(calls)")
    // The accident still fails.
    let verified = try await Self.bash(
      "cd work && git pull -q origin topic && mapstate snapshot verify", in: folder)
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
    #expect(try String(contentsOfFile: folder.path("fake/calls"), encoding: .utf8) == "")
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    #expect(try await tip() == head)
  }

  @Test("People who may only read are refused, without an answer")
  func readers() async throws {
    try await report()
    for permission in ["read", "none", "triage", "null", ""] {
      try folder.write(#"{"permission": "\#(permission)"}"#, to: "fake/permission")
      let run = try await accept("/accept all")
      #expect(run.code == 1, "\(run)")
      #expect(run.err.contains("ann may not write to o/r"), "\(run)")
    }
    let calls = try String(contentsOfFile: folder.path("fake/calls"), encoding: .utf8)
    #expect(!calls.contains("comments"), "\(calls)")
    #expect(try await tip() == head)
  }

  @Test("Forks, closed requests, unseen reports and names with other characters are refused")
  func refusals() async throws {
    try await report()
    let pull = try String(contentsOfFile: folder.path("fake/pull"), encoding: .utf8)
    for (text, message) in [
      (pull.replacing("\"o/r\"", with: "\"x/r\""), "the branch is in a fork"),
      (pull.replacing("open", with: "closed"), "the pull request is closed"),
    ] {
      try folder.write(text, to: "fake/pull")
      let run = try await accept("/accept all")
      #expect(run.code == 1)
      #expect(run.err.contains(message), "\(run)")
    }
    try folder.write(pull, to: "fake/pull")
    let early = try await accept("/accept all", time: "2026-01-01T09:59:59Z")
    #expect(early.err.contains("is newer than the request"), "\(early)")
    #expect(try await accept("/accept all", actor: "a/../b").code == 1)
    for runs in [
      "", #"{"id": 42, "updated_at": "2026-01-01T10:00:00Z", "head_repository": {"full_name": "x/r"}}"#,
    ] {
      try folder.write(#"{"workflow_runs": [\#(runs)]}"#, to: "fake/runs")
      #expect(try await accept("/accept all").err.contains("has no finished run of maps.yml"))
    }
    #expect(try await tip() == head)
  }

  @Test("An error of the tool is quoted in the comment and escaped in the log")
  func quotedErrors() async throws {
    try await report()
    let path = "fake/artifact/report.json"
    let text = try String(contentsOfFile: folder.path(path), encoding: .utf8)
    let long = String(repeating: " x", count: 2000)
    try folder.write(
      text.replacing(#""root": "Snapshots""#, with: #""root": "@all 7%0A\#(long)""#), to: path)
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("reports the cases in @all 7%250A"), "\(run)")
    let calls = try String(contentsOfFile: folder.path("fake/calls"), encoding: .utf8)
    let comment = try #require(calls.components(separatedBy: "body=Not accepted:\n\n    ").last)
    #expect(comment.contains("@all 7%0A"), "\(calls)")
    #expect(comment.count <= 2001, "\(comment.count)")
  }

  @Test("A branch that has moved meanwhile is not changed")
  func movedBranch() async throws {
    try await report()
    let moved = try await Self.bash(
      "cd work && git commit -q --allow-empty -m third && git push -q origin topic && git rev-parse HEAD",
      in: folder)
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("the branch has changed meanwhile"), "\(run)")
    #expect(try await tip() + "\n" == moved.out)
  }

  @Test("An image that leads out of the folder of cases is no reason to write there")
  func links() async throws {
    try await report()
    let made = try await Self.bash(
      """
      cd work && git rm -q --cached -r Snapshots/a && mv Snapshots/a ../elsewhere && ln -s ../../elsewhere Snapshots/a
      git add -A && git commit -qm link && git push -q origin topic && git rev-parse HEAD
      """, in: folder)
    let other = made.out.trimmingCharacters(in: .whitespacesAndNewlines)
    try folder.write(
      #"{"state": "open", "head": {"sha": "\#(other)", "ref": "topic", "repo": {"full_name": "o/r"}}}"#,
      to: "fake/pull")
    let run = try await accept("/accept 1")
    #expect(run.code == 1, "\(run)")
    #expect(try await tip() == other)
  }
}
