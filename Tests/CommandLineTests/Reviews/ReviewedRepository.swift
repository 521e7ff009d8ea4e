import Foundation
import MapTestSupport
import Testing

/// A repository whose branch `topic` changes one class on purpose and one by accident, and the scripts of the actions.
struct ReviewedRepository {
  static let actions = Tool.project.appendingPathComponent(".github/actions")
  /// Whether the programs exist that the scripts run.
  static let hasPrograms = ["git", "jq", "bash", "unzip", "zip"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  let folder: ScratchFolder
  /// The commit of the branch.
  let head: String

  /// Creates the repository `remote.git` and its clone `work`.
  ///
  /// - Parameter preparing: the steps in the clone before the first commit.
  init(preparing: String = "") async throws {
    folder = try ScratchFolder()
    try folder.write("", to: "fake/calls")
    let script = """
      set -euo pipefail
      git init -q --bare remote.git
      git init -q -b main work
      cd work
      git config user.name T; git config user.email t@example.org
      git remote add origin ../remote.git
      \(preparing)
      mkdir -p Snapshots/a Snapshots/b
      for name in a b; do
        printf '{"map": {"operationalLayers": [{"id": "p", "title": "%s", "featureCollection": {"layers": [{"layerDefinition": {"geometryType": "esriGeometryPoint", "drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": [200, 0, 0, 255], "size": 9}}}}, "featureSet": {"features": [{"attributes": {"n": 1}, "geometry": {"x": 0, "y": 0}}]}}]}}]}, "size": [40, 30], "viewpoint": {"center": {"x": 0, "y": 0}, "scale": 3779.52}}' $name >Snapshots/$name/case.json
      done
      mapstate snapshot record --all
      git add . && git commit -qm first
      git push -q origin main
      git checkout -qb topic
      sed -i 's/200, 0, 0/240, 0, 0/' Snapshots/a/case.json
      sed -i 's/200, 0, 0/200, 9, 0/' Snapshots/b/case.json
      git commit -qam second
      git push -q origin topic
      """
    let run = try await Self.bash(script, in: folder)
    try #require(run.code == 0, "\(run)")
    let commit = try await Self.bash("git -C work rev-parse HEAD", in: folder)
    head = commit.out.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func bash(_ script: String, _ environment: [String: String] = [:]) async throws -> Tool.Run {
    try await Self.bash(script, in: folder, environment)
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
  func verify() async throws -> Tool.Run {
    try await bash(
      "mkdir -p home && cd work && '\(Self.actions.path)/verify/verify'",
      [
        "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": "main", "GITHUB_OUTPUT": folder.path("output"),
        "GITHUB_STEP_SUMMARY": folder.path("step"), "GITHUB_WORKSPACE": folder.path("work"),
      ])
  }

  /// Adds a program that replaces another one for the scripts.
  func add(program name: String, _ text: String) async throws {
    try folder.write(text, to: "bin/\(name)")
    _ = try await bash("chmod +x bin/\(name)")
  }

  /// Verifies, and makes the report the artifact.
  func report() async throws {
    #expect(try await verify().code == 0)
    try FileManager.default.moveItem(
      at: folder.url("work/snapshot-report"), to: folder.url("fake/artifact"))
  }

  func tip() async throws -> String {
    try await bash("git --git-dir remote.git rev-parse topic").out.trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// The calls of the programs that replace others.
  func calls() throws -> String { try String(contentsOfFile: folder.path("fake/calls"), encoding: .utf8) }
}
