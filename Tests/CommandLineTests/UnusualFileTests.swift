import Foundation
import MapTestSupport
import Testing

/// Pipes, sockets, devices and leftovers in place of files give an immediate error or are ignored; the tool
/// never waits.
@Suite("Unusual files")
struct UnusualFileTests {
  private let folder: ScratchFolder
  private let data: String

  init() throws {
    folder = try ScratchFolder()
    data = try folder.write(SmallMap.places, to: "places.geojson")
  }

  private func pipe(_ name: String) throws -> String {
    let path = folder.path(name)
    try #require(unsafe mkfifo(path, 0o600) == 0)
    return path
  }

  private func expectRefused(_ arguments: [String], _ path: String, environment: [String: String] = [:])
    async throws
  {
    let run = try await Tool.run(arguments, environment: environment)
    #expect(run.code == 2 || run.code == 3, "\(arguments) \(run)")
    #expect(run.errors.count == 1, "\(arguments) \(run)")
    #expect(run.err.contains("not a regular file"), "\(arguments) \(run)")
    #expect(run.err.contains(path), "\(arguments) \(run)")
  }

  @Test("A pipe is refused wherever a path is given") func pipes() async throws {
    let name = try pipe("pipe")
    let map = try folder.write(
      """
      {"operationalLayers":[{"id":"a","url":"places.geojson","layerDefinition":{"drawingInfo":{"renderer":
       {"type":"simple","symbol":{"type":"esriPMS","url":"pipe","width":10,"height":10}}}}}],"version":"2.31"}
      """, to: "map.json")
    for arguments in [
      ["count", name], ["inspect", name], ["run", name], ["render", data, "-o", name],
      ["render", data, "-o", folder.path("x.png"), "--report", name], ["query", data, "-o", name],
      ["count", data, "--geometry", name], ["count", data, "--extents", name],
      ["count", data, "--services", name], ["filter", "a = 1", "--check", name],
      ["count", "/dev/null"], ["render", data, "-o", "/dev/null"],
    ] { try await expectRefused(arguments, arguments.contains("/dev/null") ? "/dev/null" : "pipe") }
    try await expectRefused(
      ["count", "https://gis.invalid/FeatureServer/0"], "pipe", environment: ["MAPSTATE_SERVICES": name])
    let drawn = try await Tool.run("render", map, "-o", folder.path("y.png"))
    #expect(drawn.code == 0, "\(drawn)")
    #expect(drawn.err.contains("warning"), "\(drawn)")
    try folder.write(#"{"operationalLayers":[{"id":"a","url":"pipe"}]}"#, to: "other.json")
    let layer = try await Tool.run("count", folder.path("other.json"))
    #expect(layer.code == 2, "\(layer)")
    #expect(layer.errors.count == 1, "\(layer)")
  }

  @Test(
    "A pipe beside a file that a library reads is refused", arguments: ["dbf", "shx", "prj", "cpg", "qix"])
  func companions(ending: String) async throws {
    let source = Tool.project.appendingPathComponent("Tests/CommandLineTests/Surface")
    for part in ["shp", "shx", "dbf", "prj"] where part != ending {
      try FileManager.default.copyItem(
        at: source.appendingPathComponent("latin1.\(part)"), to: folder.url("latin1.\(part)"))
    }
    _ = try pipe("latin1.\(ending)")
    try await expectRefused(["count", folder.path("latin1.shp")], "latin1.\(ending)")
  }

  @Test(
    "A pipe in place of a snapshot file is refused",
    arguments: ["reference.png", "reference.json", "case.json"])
  func snapshots(name: String) async throws {
    let root = folder.path("Snapshots")
    try folder.write(#"{"document":"../../places.geojson"}"#, to: "Snapshots/one/case.json")
    #expect(try await Tool.run("snapshot", "record", root, "--all").code == 0)
    try FileManager.default.removeItem(at: folder.url("Snapshots/one/\(name)"))
    _ = try pipe("Snapshots/one/\(name)")
    for command in [["verify", root], ["record", root, "--all"]] {
      let run = try await Tool.run(["snapshot"] + command)
      #expect(run.code == 2, "\(run)")
      #expect((run.out + run.err).contains("is a pipe"), "\(run)")
    }
  }

  @Test("Temporary files left by an earlier run do not stop a new one")
  func leftovers() async throws {
    let output = folder.path("p.png")
    for number in 1...9 { try folder.write("junk", to: "p.png.\(number).tmp") }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("p.png.10.tmp"), withDestinationPath: data)
    let before = try folder.names()
    let run = try await Tool.run("render", data, "-o", output)
    #expect(run.code == 0, "\(run)")
    #expect(try folder.names() == (before + ["p.png"]).sorted())
    #expect(try String(contentsOf: folder.url("p.png.1.tmp"), encoding: .utf8) == "junk")
    // The output's name may be as long as the file system allows.
    let long = String(repeating: "n", count: 251) + ".png"
    #expect(try await Tool.run("render", data, "-o", folder.path(long)).code == 0)
  }

  @Test("A killed process leaves either the old file or the new one")
  func killed() async throws {
    let script = Tool.project.appendingPathComponent("Scripts/checks/kill-writes")
    let run = try await Tool.run(["6", Tool.url.path], program: script)
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("6 of 6 killed"), "\(run)")
  }
}
