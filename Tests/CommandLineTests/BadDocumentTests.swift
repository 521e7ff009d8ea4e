import Foundation
import MapTestSupport
import Testing

/// Documents that refer to files outside their folder or contain invalid geometry.
@Suite("bad documents")
struct BadDocumentTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(SmallMap.square, to: "inner/data/square.geojson")
    try folder.write(SmallMap.places, to: "outer/places.geojson")
    try folder.write(SmallMap.places, to: "inner/data/places.geojson")
  }

  private func count(url: String, _ arguments: String...) async throws -> Tool.Run {
    let path = try folder.write(SmallMap.document(placesURL: url), to: "inner/map.json")
    return try await Tool.run(["count", path, "--layer", "Places"] + arguments)
  }

  @Test("A document reads files outside its folder only with --allow-path")
  func outsideItsFolder() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("inner/link.geojson"), withDestinationPath: folder.path("outer/places.geojson"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("inner/linked"), withDestinationPath: folder.path("outer"))
    // The folder's name only starts like that of the allowed folder.
    try folder.write(SmallMap.places, to: "inner-not/places.geojson")
    for url in [
      "../outer/places.geojson", folder.path("outer/places.geojson"), "link.geojson", "linked/places.geojson",
      "data/../../outer/places.geojson", "./../outer/places.geojson", "../inner-not/places.geojson",
      "../outer/nosuch.geojson",
      "/etc/passwd", "../../../../../../../../etc/passwd", "/nosuch/x.geojson",
    ] {
      let run = try await count(url: url)
      #expect(run.code == 2, "\(url): \(run)")
      #expect(run.out == "", "\(url): \(run)")
      #expect(run.errors.count == 1, "\(url): \(run)")
      #expect(run.err.contains(url), "\(run.err)")
      #expect(run.err.contains("--allow-path"), "\(run.err)")
    }
    for url in [
      "../outer/places.geojson", folder.path("outer/places.geojson"), "link.geojson", "linked/places.geojson",
    ] {
      let run = try await count(url: url, "--allow-path", folder.path("outer"))
      #expect(run.out == "4\n", "\(url): \(run)")
      let wrong = try await count(url: url, "--allow-path", folder.path("inner-not"))
      #expect(wrong.code == 2, "\(url): \(wrong)")
    }
    for url in [
      "data/places.geojson", "./data/places.geojson", "data/../data/places.geojson",
      "../inner/data/places.geojson",
    ] {
      #expect(try await count(url: url).out == "4\n", "\(url)")
    }
  }

  @Test(
    "A document with an invalid or unreachable address fails with one error",
    arguments: [
      ("http://127.0.0.1:1/FeatureServer/0", 3), ("https://127.0.0.1:1/FeatureServer/0", 3),
      ("HTTPS://127.0.0.1:1/FeatureServer/0", 3), ("ftp://example.com/x.geojson", 2),
      ("file:///etc/passwd", 2),
      ("mysql://localhost/x", 2), ("postgres://localhost/x", 3), ("nosuch.geojson", 2), ("data", 2), ("", 2),
      ("data/places.geojson#roads", 2),
      ("/vsicurl/http://example.com/x.geojson", 2), ("data/\\u0000places.geojson", 2), ("/dev/zero", 2),
      ("-", 2),
    ])
  func addresses(url: String, code: Int) async throws {
    let run = try await count(url: url)
    #expect(run.code == Int32(code), "\(run)")
    #expect(!run.isSignal, "\(run)")
    #expect(run.errors.count == 1, "\(run)")
    #expect(run.out == "", "\(run)")
    #expect(run.err.split(separator: "\n").count == 1)
  }

  @Test("A source with an unreachable address is one error")
  func unreachableSource() async throws {
    let source = try await Tool.run("count", "https://127.0.0.1:1/FeatureServer/0")
    #expect(source.code == 3)
    #expect(source.errors.count == 1)
  }

  @Test("An error about a layer's address names the layer's path in the document")
  func addressOfAnOtherKindIsNamedByItsPath() async throws {
    let run = try await count(url: "nosuch.geojson")
    #expect(run.err.contains("operationalLayers[1]"), "\(run.err)")
    #expect(run.err.contains("nosuch.geojson"), "\(run.err)")
  }

  @Test(
    "A feature without a geometry is counted, is in no extent and is not drawn",
    arguments: [
      ("null", "null", 2), ("none", "", 2), ("empty point", #"{"type":"Point","coordinates":[]}"#, 2),
      ("empty line", #"{"type":"LineString","coordinates":[]}"#, 2),
      ("empty polygon", #"{"type":"Polygon","coordinates":[]}"#, 2),
      ("empty ring", #"{"type":"Polygon","coordinates":[[]]}"#, 2),
    ])
  func geometryThatIsNone(name: String, geometry: String, expected: Int) async throws {
    let member = geometry.isEmpty ? "" : ",\"geometry\":\(geometry)"
    // A feature with a geometry is added, because a table without any geometry ignores extents.
    let other =
      name.hasSuffix("line")
      ? #""LineString","coordinates":[[0,0],[1,1]]"#
      : name.hasSuffix("point") || !name.hasPrefix("empty")
        ? #""Point","coordinates":[0,0]"# : #""Polygon","coordinates":[[[0,0],[1,0],[0,1],[0,0]]]"#
    let data = try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1}\(member)},
      {"type":"Feature","properties":{"n":2},"geometry":{"type":\(other)}}]}
      """, to: "one.geojson")
    let everywhere = try await Tool.run("count", data)
    #expect(everywhere.out == "\(expected)\n", "\(everywhere)")
    let inside = try await Tool.run("count", data, "--extent", "-180,-90,180,90,4326")
    #expect(inside.out == "1\n", "\(inside)")
    let render = try await Tool.run("render", data, "-o", folder.path("one.png"), "--size", "20x20")
    #expect(render.code == 0, "\(render)")
    #expect(!render.isSignal, "\(render)")
    #expect(try await Tool.run("inspect", data).code == 0)
  }

  @Test(
    "A CSV row with invalid coordinates is counted without a geometry or refused with its line",
    arguments: ["nan,0", "0,NaN", "inf,0", "-Infinity,1", "1e999,1", ",1", "1,", ",", "abc,1"])
  func placesThatAreNoNumbers(place: String) async throws {
    let data = try folder.write("name,longitude,latitude\na,1,1\nb,\(place)\nc,2,2\n", to: "rows.csv")
    let everywhere = try await Tool.run("count", data)
    let render = try await Tool.run("render", data, "-o", folder.path("rows.png"), "--size", "20x20")
    #expect(!everywhere.isSignal)
    #expect(!render.isSignal)
    #expect([0, 2].contains(everywhere.code))
    #expect(everywhere.code == render.code)
    #expect(everywhere.errors.count == (everywhere.code == 0 ? 0 : 1))
    if everywhere.code == 0 {
      #expect(everywhere.out == "3\n")
      let inside = try await Tool.run("count", data, "--extent", "-180,-90,180,90,4326")
      #expect(inside.out == "2\n", "\(inside)")
    } else {
      #expect(everywhere.err.contains("rows.csv"), "\(everywhere.err)")
      #expect(everywhere.err.contains("line 3"), "\(everywhere.err)")
    }
  }

  /// In a feature set, "NaN" means a missing coordinate.
  @Test(
    "A point with invalid coordinates in a feature set is counted without a geometry or refused",
    arguments: [
      #"{"x":"NaN","y":0}"#, #"{"x":null,"y":0}"#, "null", "{}", #"{"x":1}"#, #"{"x":"Infinity","y":0}"#, "7",
      "[]",
    ])
  func placesOfAFeatureSet(geometry: String) async throws {
    let document = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
      "layerDefinition":{"geometryType":"esriGeometryPoint","objectIdField":"OBJECTID","fields":[
      {"name":"OBJECTID","type":"esriFieldTypeOID"}]},
      "featureSet":{"geometryType":"esriGeometryPoint","features":[
      {"attributes":{"OBJECTID":1},"geometry":{"x":1,"y":1}},
      {"attributes":{"OBJECTID":2},"geometry":\(geometry)}]}}]}}]}
      """
    let path = try folder.write(document, to: "set.json")
    let everywhere = try await Tool.run("count", path, "--everywhere")
    #expect(!everywhere.isSignal, "\(everywhere)")
    #expect([0, 2].contains(everywhere.code), "\(everywhere)")
    if everywhere.code == 0 {
      #expect(everywhere.out == "2\n")
      #expect(try await Tool.run("count", path, "--extent", "-180,-90,180,90,4326").out == "1\n")
      #expect(try await Tool.run("render", path, "-o", folder.path("set.png")).code == 0)
    } else {
      #expect(everywhere.errors.count == 1, "\(everywhere.err)")
      #expect(everywhere.err.contains("set.json"), "\(everywhere.err)")
    }
  }

  @Test(
    "Degenerate and extreme geometries are rendered or refused and never crash the tool",
    arguments: [
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}"#,
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
      #"{"type":"Polygon","coordinates":[[[0,0]]]}"#, #"{"type":"LineString","coordinates":[[0,0]]}"#,
      #"{"type":"LineString","coordinates":[[0,0],[0,0]]}"#,
      #"{"type":"Point","coordinates":[1e308,-1e308]}"#,
      #"{"type":"LineString","coordinates":[[-1e308,-1e308],[1e308,1e308]]}"#,
      #"{"type":"Polygon","coordinates":[[[-1e308,-1e308],[1e308,-1e308],[0,1e308],[-1e308,-1e308]]]}"#,
      #"{"type":"Point","coordinates":[1e999,0]}"#, #"{"type":"Point","coordinates":[null,0]}"#,
      #"{"type":"Point","coordinates":[0,90]}"#, #"{"type":"Point","coordinates":[0,-1000]}"#,
      #"{"type":"Point","coordinates":[1e-320,5e-324]}"#, #"{"type":"Point","coordinates":[[0,0]]}"#,
      #"{"type":"LineString","coordinates":[[0,89.999999],[180,-90]]}"#,
      #"{"type":"Polygon","coordinates":[[[179,0],[-179,0],[-179,1],[179,1],[179,0]]]}"#,
      #"{"type":"Point","coordinates":[0,0,1,2,3,4]}"#, #"{"type":"MultiPoint","coordinates":[[0,0],[]]}"#,
    ])
  func extremeGeometry(geometry: String) async throws {
    let data = try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":\#(geometry)}]}"#,
      to: "one.geojson")
    let output = folder.path("one.png")
    for view in [
      [], ["--viewpoint", "0,0,0.001"], ["--viewpoint", "0,0,1e10"], ["--viewpoint", "0,0,1e6,33"],
    ] {
      let render = try await Tool.run(["render", data, "-o", output, "--size", "50x50"] + view)
      #expect([0, 2].contains(render.code), "\(view): \(render)")
      #expect(!render.isSignal, "\(view): \(render)")
      #expect(FileManager.default.fileExists(atPath: output) == (render.code == 0))
      #expect(render.errors.count == (render.code == 0 ? 0 : 1))
      try? FileManager.default.removeItem(atPath: output)
    }
    let funnel = try await Tool.run("count", data, "--funnel", "--fit", "0")
    #expect([0, 2, 64].contains(funnel.code), "\(funnel)")
    #expect(!funnel.isSignal, "\(funnel)")
    #expect(try folder.names() == ["inner", "one.geojson", "outer"])
  }

  @Test(
    "An invalid viewpoint is rendered or refused and never crashes the tool",
    arguments: [
      "\"scale\": 0, \"targetGeometry\": {\"x\": 0, \"y\": 0}",
      "\"scale\": -5, \"targetGeometry\": {\"x\": 0, \"y\": 0}",
      "\"scale\": 1e300, \"targetGeometry\": {\"x\": 0, \"y\": 0}",
      "\"scale\": 1000, \"targetGeometry\": {\"x\": 1e308, \"y\": 0}",
      "\"targetGeometry\": {\"xmin\": 5, \"ymin\": 5, \"xmax\": 1, \"ymax\": 1}",
      "\"targetGeometry\": {\"xmin\": \"NaN\", \"ymin\": 5, \"xmax\": 1, \"ymax\": 1}",
      "\"rotation\": 1e308, \"scale\": 1000, \"targetGeometry\": {\"x\": 0, \"y\": 0}",
      "\"scale\": 1000, \"targetGeometry\": {\"x\": 0, \"y\": 0, \"spatialReference\": {\"wkid\": 99999999999}}",
      "\"targetGeometry\": {}", "\"targetGeometry\": null", "\"targetGeometry\": 7",
    ])
  func impossibleViewpoints(viewpoint: String) async throws {
    let text =
      SmallMap.document().components(separatedBy: "\"initialState\"")[0]
      + "\"initialState\": {\"viewpoint\": {\(viewpoint)}}}"
    let path = try folder.write(text, to: "inner/map.json")
    let run = try await Tool.run("render", path, "-o", folder.path("x.png"))
    #expect([0, 2].contains(run.code), "\(run)")
    #expect(!run.isSignal, "\(run)")
    #expect(run.errors.count == (run.code == 0 ? 0 : 1), "\(run)")
    #expect(try folder.names().contains("x.png") == (run.code == 0))
  }
}
