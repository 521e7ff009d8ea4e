import Foundation
import MapTestSupport
import Testing

/// Input files are never overwritten, and only answers are written to standard output.
@Suite("outputs")
struct OutputTests {
  @Test("An output that would overwrite an input or another output is refused")
  func inputsAreKept() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(
      #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
      to: "data.json")
    let map = try folder.write(
      #"{"operationalLayers":[{"id":"a","url":"data.json"}],"version":"2.31"}"#, to: "map.json")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.png"), withDestinationPath: data)
    let before = try Data(contentsOf: URL(fileURLWithPath: data))
    let png = folder.path("x.png")
    for arguments in [
      ["render", data, "-o", png, "--save-document", data], ["render", data, "-o", png, "--report", data],
      ["render", data, "-o", folder.path("link.png")], ["render", map, "-o", folder.path("link.png")],
      ["render", map, "-o", png, "--report", map], ["query", data, "-o", data],
      ["query", map, "-o", folder.path("./data.json")],
    ] {
      let run = try await Tool.run(arguments)
      #expect(run.code == 2, "\(arguments) \(run.err)")
      #expect(run.err.contains("would be lost"), "\(arguments) \(run.err)")
    }
    let twice = try await Tool.run("render", data, "-o", png, "--report", png)
    #expect(twice.code == 2)
    #expect(twice.err.contains("two outputs"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: data)) == before)
    #expect(try folder.names() == ["data.json", "link.png", "map.json"])
    // An earlier output may be overwritten.
    for _ in 0..<2 { #expect(try await Tool.run("render", data, "-o", png).code == 0) }
  }

  @Test(
    "A render step with an unsuitable output is refused and writes no file",
    arguments: ["-", "/dev/stdout", "/dev/null", "x.bmp", "map.json"])
  func stepsWriteToPictureFiles(output: String) async throws {
    let folder = try ScratchFolder()
    _ = try folder.write(#"{"operationalLayers":[],"version":"2.31"}"#, to: "map.json")
    let steps = [#"{"step":"open","source":"map.json"}"#, #"{"step":"render","output":"\#(output)"}"#]
    let run = try await Tool.run("run", "-", input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 64, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 2, "\(run.err)")
    #expect(try folder.names() == ["map.json"])
  }

  @Test("A saved document warns when it needs --allow-path to be read again")
  func savedDocumentsThatNeedLeave() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write("lon,lat\n1,2\n", to: "data.csv")
    try FileManager.default.createDirectory(at: folder.url("other"), withIntermediateDirectories: true)
    let map = folder.path("other/map.json")
    let saved = try await Tool.run("render", data, "-o", folder.path("a.png"), "--save-document", map)
    #expect(saved.code == 0)
    #expect(saved.err.contains("--allow-path"))
    #expect(try await Tool.run("count", map).code == 2)
    #expect(try await Tool.run("count", map, "--allow-path", folder.root.path).out == "1\n")
    let piped = try await Tool.run(
      "render", "-", "-o", folder.path("b.png"), "--save-document", map,
      input: #"{"type":"Feature","properties":{},"geometry":null}"#)
    #expect(piped.code == 64, "\(piped.err)")
  }

  @Test("A filter is checked against the fields when it is set")
  func filtersAreCheckedWhenSet() async throws {
    for option in ["--definition", "--display-filter"] {
      let run = try await Tool.run("count", Tool.counties, "--layer", "Counties", option, "garbage ((")
      #expect(run.code == 2, "\(run.err)")
      #expect(run.err.contains("garbage ((\n"), "\(run.err)")
    }
    let folder = try ScratchFolder()
    _ = try folder.write("a,lon,lat\n1,1,2\n", to: "data.csv")
    let map = try folder.write(
      #"""
      {"operationalLayers":[{"id":"a","url":"data.csv","layerDefinition":{"displayFilterInfo":
       {"filterMode":"manual","activeFilterId":"f","filters":[{"id":"f","where":"b = 1"},{"id":"g","where":"a ="}]}}}]}
      """#, to: "map.json")
    let inspected = try await Tool.run("inspect", map, "--strict")
    #expect(inspected.code == 1, "\(inspected.out) \(inspected.err)")
    #expect(inspected.err.contains("2 warnings"), "\(inspected.out) \(inspected.err)")
    let step = #"{"step":"filter","layer":"0","definition":"b = 1"}"#
    let run = try await Tool.run(
      "run", "-", input: #"{"step":"open","source":"map.json"}"# + "\n" + step, folder: folder.root)
    #expect(run.code == 2, "\(run.err)")
    #expect(run.err.contains("unknown field 'b'"), "\(run.err)")
  }

  @Test("A misspelt command is an error that suggests the right one")
  func misspeltCommand() async throws {
    let run = try await Tool.run("cuont", "x.json")
    #expect(run.code == 64)
    #expect(run.err == "error: there is no command 'cuont'; did you mean 'count'?\n")
  }
}
