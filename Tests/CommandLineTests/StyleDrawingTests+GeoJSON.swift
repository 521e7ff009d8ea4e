import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Sources of GeoJSON in styles, with clusters.
extension StyleDrawingTests {
  @Test("GeoJSON of a style is drawn from the style and from a file, with holes and typed values")
  func geoJSON() async throws {
    let tiles = try StyleTiles()
    let data = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"kind": "red", "n": 3}, "geometry": {"type": "Polygon", "coordinates":
          [[[-90, -60], [90, -60], [90, 60], [-90, 60], [-90, -60]],
           [[-30, -30], [30, -30], [30, 30], [-30, 30], [-30, -30]]]}},
        {"type": "Feature", "properties": {"kind": "red", "n": "3"}, "geometry": {"type": "Polygon", "coordinates":
          [[[100, -60], [170, -60], [170, 60], [100, 60], [100, -60]]]}}]}
      """
    try tiles.write("data.geojson", data)
    for source in [data, #""data.geojson""#] {
      let style = try tiles.write(
        "style.json",
        Self.style(source: #""type": "geojson", "data": \#(source)"#).replacingOccurrences(
          of: #"["==", ["get", "kind"], "red"]"#, with: #"["==", ["get", "n"], 3]"#
        ).replacingOccurrences(of: #", "source-layer": "areas""#, with: ""))
      let path = tiles.folder.path("a.png")
      let run = try await Tool.run("render", style, "-o", path, "--size", "512x512")
      #expect(run.code == 0 && run.err == "", "\(run)")
      let picture = try Bitmap(file: path)
      #expect(picture.color(150, 256) == Self.red)
      #expect(picture.color(256, 256) == Self.white)
      #expect(picture.color(450, 256) == Self.white)
    }
  }

  @Test("Points of a GeoJSON source are within a polygon at any zoom, and those beside it are not")
  func within() async throws {
    let tiles = try StyleTiles()
    let points = [(0.005, 0.005), (0.0001, 0.0099), (-0.0001, 0.005), (0.0101, 0.0101), (0, 0.005)].map {
      #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [\#($0.0), \#($0.1)]}}"#
    }
    for zoom in [10, 12, 14, 16] {
      let style = try tiles.write(
        "style.json",
        """
        {"version": 8, "center": [0.005, 0.005], "zoom": \(zoom), "sources": {"own": {"type": "geojson",
          "data": {"type": "FeatureCollection", "features": [\(points.joined(separator: ","))]}}},
         "layers": [{"id": "points", "type": "circle", "source": "own", "filter": ["within", {"type": "Polygon",
           "coordinates": [[[0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01], [0, 0]]]}]}]}
        """)
      let report = tiles.folder.path("report.json")
      let run = try await Tool.run(
        "render", style, "-o", tiles.folder.path("a.png"), "--report", report, "--size", "2000x2000")
      #expect(run.code == 0, "\(run)")
      let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
      // The last point is on the boundary, which is outside.
      #expect(
        json["tiles"]?.array?.first?["styleLayers"]?.array?.first?["features"]?.integer == 2, "\(zoom)")
    }
  }

  @Test("A feature without a value counts once in a warning, in whichever copies of the world it is")
  func failedValues() async throws {
    let tiles = try StyleTiles()
    let features = ["1", "\"a\"", "\"b\""].map {
      #"{"type": "Feature", "properties": {"n": \#($0)}, "geometry": {"type": "Point", "coordinates": [0, 0]}}"#
    }
    let style = try tiles.write(
      "style.json",
      """
      {"version": 8, "center": [0, 0], "zoom": 0, "sources": {"own": {"type": "geojson",
        "data": {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
       "layers": [{"id": "points", "type": "circle", "source": "own", "paint": {"circle-radius": ["number", ["get", "n"]]}}]}
      """)
    let run = try await Tool.run(
      "render", style, "-o", tiles.folder.path("a.png"), "--size", "1500x512")
    #expect(run.code == 0 && run.err.contains("; the default is used (2 features)"), "\(run)")
  }

  @Test("Points of a GeoJSON source are clustered up to a zoom, with sums of their values")
  func clusters() async throws {
    let tiles = try StyleTiles()
    let points = [(0, 2), (1, 3), (60, 5)].map { longitude, n in
      """
      {"type": "Feature", "properties": {"n": \(n)},
       "geometry": {"type": "Point", "coordinates": [\(longitude), 0]}}
      """
    }
    let style = try tiles.write(
      "style.json",
      """
      {"version": 8, "center": [30, 0], "zoom": 0, "sources": {"own": {"type": "geojson", "cluster": true,
        "clusterMaxZoom": 2, "clusterProperties": {"sum": ["+", ["get", "n"]]},
        "data": {"type": "FeatureCollection", "features": [\(points.joined(separator: ","))]}}},
       "layers": [{"id": "points", "type": "circle", "source": "own", "paint": {"circle-radius": 5}}]}
      """)
    for (zoom, count) in [("0", 2), ("2.9", 2), ("3", 3)] {
      let report = tiles.folder.path("report.json")
      let run = try await Tool.run(
        "render", style, "-o", tiles.folder.path("a.png"), "--report", report, "--zoom", zoom, "--size",
        "1200x512")
      #expect(run.code == 0, "\(run)")
      let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
      let layer = json["tiles"]?.array?.first?["styleLayers"]?.array?.first
      #expect(layer?["features"]?.integer == count, "\(zoom)")
    }
    let run = try await Tool.run(
      "explain", style, "--at", "214,256", "--size", "512x512", "--format", "json", folder: tiles.folder.root)
    let properties = try JSONValue(parsing: run.out)["layers"]?.array?.first?["feature"]?["properties"]
    #expect(properties?["point_count"]?.integer == 2 && properties?["sum"]?.integer == 5, "\(run)")
  }

  @Test("Points are clustered with any radius, also beside a point of another world")
  func clusterRadius() async throws {
    let tiles = try StyleTiles()
    for (radius, far, count) in [("1e-300", "60", 3), ("1e300", "60", 1), ("50", "20000", 1)] {
      let points = ["0", "0.1", far].map {
        """
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [\($0), 0]}}
        """
      }
      let style = try tiles.write(
        "style.json",
        """
        {"version": 8, "center": [30, 0], "zoom": 0, "sources": {"own": {"type": "geojson", "cluster": true,
          "clusterRadius": \(radius),
          "data": {"type": "FeatureCollection", "features": [\(points.joined(separator: ","))]}}},
         "layers": [{"id": "points", "type": "circle", "source": "own", "paint": {"circle-radius": 5}}]}
        """)
      let report = tiles.folder.path("report.json")
      let run = try await Tool.run(
        "render", style, "-o", tiles.folder.path("a.png"), "--report", report, "--size", "512x512")
      #expect(run.code == 0, "\(radius) \(run)")
      let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
      let layer = json["tiles"]?.array?.first?["styleLayers"]?.array?.first
      #expect(layer?["features"]?.integer == count, "\(radius) \(json)")
    }
  }

  @Test("GeoJSON with a fault is not drawn, and the warning names the feature")
  func faultyGeoJSON() async throws {
    let tiles = try StyleTiles()
    let whole = #"{"type": "Feature", "geometry": null}"#
    func feature(_ geometry: String) -> String {
      #"{"type": "Feature", "properties": {}, "geometry": \#(geometry)}"#
    }
    let many = (0..<4097).map {
      """
      {"type": "Feature", "properties": {"p\($0)": 1}, "geometry": {"type": "Point", "coordinates": [0, 0]}}
      """
    }
    for (features, reason) in [
      ("\(whole), 5", "feature 1 is no feature of GeoJSON"),
      (whole + "," + feature(#"{"type": "Bogus", "coordinates": [0, 0]}"#), "feature 1 has no geometry"),
      (
        whole + "," + feature(#"{"type": "LineString", "coordinates": [[0, 0], [1]]}"#),
        "feature 1 has a position that is not a longitude and a latitude"
      ),
      (
        whole + "," + feature(#"{"type": "Polygon", "coordinates": [5]}"#),
        "feature 1 has coordinates that are no list"
      ),
      (
        whole + "," + feature(#"{"type": "Point", "coordinates": [-2e6, 4e6]}"#),
        "feature 1 has a position that is not a longitude and a latitude"
      ),
      (many.joined(separator: ","), "has more than 4096 properties"),
    ] {
      let data = #"{"type": "FeatureCollection", "features": [\#(features)]}"#
      let style = try tiles.write(
        "style.json", Self.style(source: #""type": "geojson", "data": \#(data)"#))
      let run = try await Tool.run("render", style, "-o", tiles.folder.path("a.png"), "--size", "64x64")
      #expect(run.code == 0 && run.err.contains(reason), "\(reason): \(run)")
    }
    let remote = try tiles.write(
      "style.json", Self.style(source: #""type": "geojson", "data": "https://data.test/a.geojson""#))
    let run = try await Tool.run("render", remote, "-o", tiles.folder.path("a.png"), "--size", "64x64")
    #expect(run.err.contains("is fetched only with --online") && !run.err.contains("--tiles"), "\(run)")
  }
}
