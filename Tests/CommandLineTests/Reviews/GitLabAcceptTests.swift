import Foundation
import MapTestSupport
import Testing

/// The script that accepts images by a comment on a merge request of GitLab, with a stand-in for `curl`.
@Suite(.enabled(if: ReviewedRepository.hasPrograms)) struct GitLabAcceptTests {
  /// Answers from files, and notes its calls and the headers that it gets.
  private static let curl = """
    #!/bin/bash
    url=${@: -1} out=/dev/stdout body=
    printf '%s\\n' "$*" >>"$FAKE/calls"
    while [ $# -gt 0 ]; do
      case $1 in
        --output) out=$2; shift ;;
        --data-urlencode) body=$2; shift ;;
        --config) cat "$2" >>"$FAKE/headers"; shift ;;
      esac
      shift
    done
    case ${url#https://gitlab.example/api/v4/projects/5/} in
      merge_requests/7/notes/33) file=note ;;
      merge_requests/7/notes) exit ;;
      members/all/12) file=member ;;
      merge_requests/7) file=merge ;;
      merge_requests/7/pipelines) file=pipelines ;;
      "pipelines/42/jobs?per_page=100") file=jobs ;;
      jobs/420/artifacts) file=artifacts.zip ;;
    esac
    [ -f "$FAKE/$file" ] || { echo "curl: 404: $url" >&2; exit 22; }
    cat "$FAKE/$file" >"$out"
    """

  let repository: ReviewedRepository
  private var folder: ScratchFolder { repository.folder }

  init() async throws {
    repository = try await ReviewedRepository()
    try await repository.add(program: "curl", Self.curl)
    let head = repository.head
    for (name, text) in [
      ("event", #"{"object_kind": "note", "object_attributes": {"id": 33}, "merge_request": {"iid": 7}}"#),
      ("member", #"{"state": "active", "access_level": 30}"#),
      (
        "merge", #"{"state": "opened", "source_project_id": 5, "sha": "\#(head)", "source_branch": "topic"}"#
      ),
      (
        "pipelines",
        #"[{"id": 41, "sha": "\#(head)", "project_id": 9}, {"id": 42, "sha": "\#(head)", "project_id": 5}]"#
      ),
      (
        "jobs",
        #"[{"id": 419, "name": "other", "finished_at": "2026-01-01T10:00:00.000Z"}, {"id": 420, "name": "maps", "finished_at": "2026-01-01T10:00:00.500Z"}]"#
      ),
    ] { try folder.write(text, to: "fake/\(name)") }
  }

  /// Makes the report the artifact of the job.
  private func report() async throws {
    try await repository.report()
    let run = try await repository.bash(
      "cd fake && mv artifact snapshot-report && zip -qr artifacts.zip snapshot-report")
    #expect(run.code == 0, "\(run)")
  }

  /// Runs the script as the job of a trigger does.
  private func accept(_ text: String, time: String = "2026-01-01T11:05:00.000+01:00", isSystem: Bool = false)
    async throws -> Tool.Run
  {
    let body = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    try folder.write(
      #"{"body": "\#(body)", "system": \#(isSystem), "created_at": "\#(time)", "author": {"id": 12, "username": "ann"}}"#,
      to: "fake/note")
    return try await repository.bash(
      "'\(ReviewedRepository.actions.path)/accept/gitlab-accept'",
      [
        "ACCEPT_TOKEN": "secret", "CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "5",
        "CI_PROJECT_PATH": "o/r", "CI_SERVER_URL": "https://gitlab.example", "FAKE": folder.path("fake"),
        "TRIGGER_PAYLOAD": folder.path("fake/event"), "REMOTE": folder.path("remote.git"),
      ])
  }

  @Test("The chosen reference images are committed to the branch, and nothing else")
  func accepts() async throws {
    try await report()
    let run = try await accept("/accept 1\nthanks")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("accepted\ta\n"), "\(run)")
    let shown = try await repository.bash(
      "git --git-dir remote.git log -1 --format='%an %s: %b' topic; git --git-dir remote.git diff --name-only topic~ topic"
    )
    let lines = shown.out.split(separator: "\n").map { String($0) }
    #expect(lines.first == "MapState Accept reference images: Accepted by ann in !7: 1", "\(shown)")
    #expect(lines.dropFirst() == ["Snapshots/a/reference.json", "Snapshots/a/reference.png"], "\(shown)")
    let calls = try repository.calls()
    #expect(calls.contains("body=Accepted by ann as commit"), "\(calls)")
    // The token is sent, but no other program of the machine sees it.
    #expect(!calls.contains("secret"), "\(calls)")
    let headers = try String(contentsOfFile: folder.path("fake/headers"), encoding: .utf8)
    #expect(headers.hasPrefix("header = \"Authorization: Bearer secret\"\n"))
    let verified = try await repository.bash(
      "cd work && git pull -q origin topic && mapstate snapshot verify")
    #expect(verified.out.hasPrefix("same\ta\ndiffers\tb\t"), "\(verified)")
  }

  @Test(
    "Texts that are no request change nothing and get no answer",
    arguments: [
      "accept 1", "/accept", "/accept $(touch x)", "/accept 1; touch x", "please\n/accept 1", "/acceptall",
    ])
  func noRequests(text: String) async throws {
    let run = try await accept(text)
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("no request"), "\(run)")
    #expect(try repository.calls().split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    #expect(try await repository.tip() == repository.head)
  }

  @Test("Events of other kinds, and comments that GitLab writes itself, are no requests")
  func otherEvents() async throws {
    #expect(try await accept("/accept all", isSystem: true).out.contains("no request"))
    for event in [
      "{}", #"{"object_kind": "push", "object_attributes": {"id": 33}, "merge_request": {"iid": 7}}"#,
      #"{"object_kind": "note", "object_attributes": {"id": "33/../34"}, "merge_request": {"iid": 7}}"#,
      #"{"object_kind": "note", "object_attributes": {"id": 33}, "issue": {"iid": 7}}"#,
    ] {
      try folder.write(event, to: "fake/event")
      let run = try await accept("/accept all")
      #expect(run.code == 0 && run.out.contains("no request"), "\(run)")
    }
    #expect(try await repository.tip() == repository.head)
  }

  @Test("People who may only read are refused, without an answer")
  func readers() async throws {
    try await report()
    for member in [
      #"{"state": "active", "access_level": 20}"#, #"{"state": "blocked", "access_level": 50}"#, "{}", nil,
    ] {
      if let member {
        try folder.write(member, to: "fake/member")
      } else {
        try FileManager.default.removeItem(atPath: folder.path("fake/member"))
      }
      let run = try await accept("/accept all")
      #expect(run.code == 1, "\(run)")
      #expect(run.err.contains("ann may not write to o/r"), "\(run)")
    }
    #expect(try !repository.calls().contains("body="))
    #expect(try await repository.tip() == repository.head)
  }

  @Test(
    "Forks, closed requests, and reports that are missing or were not seen are refused with an answer",
    arguments: [
      ("merge", "\"source_project_id\": 5", "\"source_project_id\": 6", "the branch is in a fork"),
      ("merge", "opened", "merged", "the merge request is merged"),
      ("pipelines", "\"project_id\": 5", "\"project_id\": 6", "has no pipeline"),
      ("jobs", "\"maps\"", "\"map\"", "has no finished job maps"),
      ("jobs", "\"2026-01-01T10:00:00.500Z\"", "null", "has no finished job maps"),
      ("jobs", "10:00:00.500Z", "10:05:00.001Z", "is newer than the request"),
    ])
  func refusals(file: String, text: String, other: String, message: String) async throws {
    try await report()
    let path = "fake/\(file)"
    let known = try String(contentsOfFile: folder.path(path), encoding: .utf8)
    #expect(known.contains(text))
    try folder.write(known.replacing(text, with: other), to: path)
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains(message), "\(run)")
    #expect(try repository.calls().contains("body=Not accepted:"))
    #expect(try await repository.tip() == repository.head)
  }

  @Test("A branch that has moved meanwhile is not changed")
  func movedBranch() async throws {
    try await report()
    let moved = try await repository.bash(
      "cd work && git commit -q --allow-empty -m third && git push -q origin topic && git rev-parse HEAD")
    let run = try await accept("/accept all")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("the branch has changed meanwhile"), "\(run)")
    #expect(try await repository.tip() + "\n" == moved.out)
  }

  @Test("Artifacts with links, or with files outside of their folder, are refused")
  func artifacts() async throws {
    try await report()
    for script in [
      "cd fake && ln -s /etc/passwd snapshot-report/link && zip -qry artifacts.zip snapshot-report",
      "cd fake && rm snapshot-report/link && rm artifacts.zip && mkdir in && touch x && cd in && zip -q ../artifacts.zip ../x",
      "cd fake && rm artifacts.zip && zip -qr artifacts.zip x",
    ] {
      let made = try await repository.bash(script)
      #expect(made.code == 0, "\(made)")
      let run = try await accept("/accept all")
      #expect(run.code == 1, "\(script): \(run)")
      #expect(run.err.contains("error: the artifacts "), "\(run)")
    }
    #expect(try await repository.tip() == repository.head)
  }
}
