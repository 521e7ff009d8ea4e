import MapFeatures
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

@Suite struct GeoJSONReaderErrorTests {
  static func geometries(_ geometries: String...) -> String {
    GeoJSONReaderTests.collection(geometries.map { ($0, "{}") })
  }

  /// Text, line, column, and a part of the reason.
  ///
  /// A geometry of ``geometries(_:)`` starts at column 30.
  @Test(
    "Invalid GeoJSON is refused with its line, column and reason",
    arguments: [
      ("", 1, 1, "no content"), ("  \n", 2, 1, "no content"), ("[]", 1, 1, "starts with an object"),
      ("{}", 1, 1, "without the member \"type\""), (#"{"type":"Topology"}"#, 1, 1, "Topology"),
      (#"{"type":"FeatureCollection"}"#, 1, 1, "without \"features\""),
      ("{\"type\":\"FeatureCollection\",\"features\":[\n{}]}", 2, 1, "a feature without"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Point\"}]}", 2, 9,
        "\"Point\" where a Feature"
      ),
      ("{\"type\":\"FeatureCollection\",\"features\":[]}\n{}", 2, 1, "more text"),
      ("{\"type\":\"FeatureCollection\",\"features\":[],\"features\":[]}", 1, 43, "twice"),
      ("{\"type\":\"Feature\",\"geometry\":null}{\"type\":\"Feature\"}", 1, 35, "more text"),
      (
        "{\"type\":\"Feature\",\"geometry\":null}\n{\"type\":\"FeatureCollection\",\"features\":[]}", 2, 1,
        "among single"
      ),
      ("{\"type\":\"Feature\",\"geometry\":null}\n{\"type\":\"Fea", 2, 13, "ends inside"),
      (geometries("null", #"{"type":"Point","coordinates":[1,2],}"#), 3, 66, "after \",\""),
      (geometries("null", #"{"type":"Point","coordinates":[1,02]}"#), 3, 63, "not a JSON number"),
      (geometries(#"{"type":"Point","coordinates":[1e999,2]}"#), 2, 60, "finite"),
      (geometries(#"{"type":"Point","coordinates":[1]}"#), 2, 60, "found one"),
      (geometries(#"{"type":"Point","coordinates":["1",2]}"#), 2, 61, "expected a number"),
      (geometries(#"{"type":"Point","coordinates":[NaN,2]}"#), 2, 61, "expected a number"),
      (geometries(#"{"type":"MultiPoint","coordinates":[[]]}"#), 2, 66, "found none"),
      (geometries(#"{"type":"LineString","coordinates":[[1,2]]}"#), 2, 65, "a polyline of one vertex"),
      (geometries(#"{"type":"LineString","coordinates":[[[1,2],[3,4]]]}"#), 2, 67, "expected a number"),
      (geometries(#"{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}"#), 2, 63, "a polygon of two vertices"),
      (
        geometries(#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0],[1,1],[0,0]]]}"#), 2, 63,
        "two vertices"
      ),
      (geometries(#"{"type":"Polygon","coordinates":[[0,0],[1,1]]}"#), 2, 64, "expected an array"),
      (geometries(#"{"type":"GeometryCollection"}"#), 2, 30, "without \"geometries\""),
      (
        geometries(#"{"type":"GeometryCollection","geometries":[{"type":"Point"}]}"#), 2, 73,
        "without \"coordinates\""
      ),
      (geometries(#"{"type":"Curve","coordinates":[]}"#), 2, 38, "Curve"),
      (geometries(#"{"coordinates":[1,2]}"#), 2, 30, "without \"type\""),
      (geometries(#"{"type":"Point"}"#), 2, 30, "without \"coordinates\""),
      (geometries(#"{"coordinates":[1,2],"coordinates":[1,2],"type":"Point"}"#), 2, 51, "twice"),
      (#"{"type":"Feature","geometry":null,"geometry":null,"properties":5}"#, 1, 64, "expected an object"),
      (
        #"{"type":"FeatureCollection","crs":{"properties":{"name":"EPSG:local"}},"features":[]}"#, 1, 35,
        "EPSG:local"
      ),
      (#"{"type":"FeatureCollection","crs":{"type":"link"},"features":[]}"#, 1, 35, "not supported"),
      (#"{"type":"Feature","properties":{"größe":"\ud800"}}"#, 1, 42, "surrogate"),
    ])
  func refuses(text: String, line: Int, column: Int, reason: String) {
    let error = #expect(throws: FeatureReadError.self) { try GeoJSONReaderTests.read(text) }
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.column == column, "\(error?.description ?? "")")
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  /// A small file with every kind of content.
  static let sample = Array(
    """
    \u{FEFF}{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:4326"}},"features":[
    {"type":"Feature","id":1,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1.5e0,0],[1,1],[0,0]]]},
     "properties":{"a":1,"b":"\\u00e9ü","c":[true,null],"d":-0.5,"e":"2024-01-01"}},
    {"geometry":{"coordinates":[[[[0,0,1],[9,0,1],[9,9,1]]]],"type":"MultiPolygon"},"type":"Feature","properties":null}
    ]}
    """.utf8)

  @Test("A GeoJSON file truncated at any byte is refused")
  func everyTruncationIsAnError() throws {
    #expect(try GeoJSONReader.read(Self.sample).rowCount == 2)
    for length in Self.sample.indices {
      #expect(throws: FeatureReadError.self) { try GeoJSONReader.read(Array(Self.sample[..<length])) }
    }
  }

  @Test("A truncated newline-delimited GeoJSON file is refused or read up to a whole line")
  func everyTruncationOfLinesIsAPrefixOrAnError() throws {
    let line = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":"x"}}"#
    let bytes = Array("\(line)\n\(line)\n".utf8)
    var readable: [Int] = []
    for length in bytes.indices {
      if let table = try? GeoJSONReader.read(Array(bytes[..<length])) {
        #expect(table.rowCount == (length > line.utf8.count + 1 ? 2 : 1))
        readable.append(length)
      }
    }
    let count = line.utf8.count
    #expect(readable == [count, count + 1, 2 * count + 1])
  }

  @Test("Damaged GeoJSON and CSV files never trap")
  func damagedBytesNeverTrap() {
    var random = SeededGenerator(seed: 11)
    let csv = Array(
      "id;wkt;n\n1;\"SRID=4326;POLYGON ((0 0,1 0,1 1,0 0))\";\"a\"\"b\"\n2;POINT EMPTY;02\n".utf8)
    let lonLat = Array("a,lon,lat\n1,2.5,-3\n,NaN,\n\"x\",1e3,.5\n".utf8)
    var read = 0
    for round in 0..<6000 {
      for (index, sample) in [Self.sample, csv, lonLat].enumerated() {
        var bytes = sample
        for _ in 0...(round % 4) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch round % 3 {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[place] = Array("{}[],:\"0-.eE \\n;()N".utf8).randomElement(using: &random) ?? 0
          default:
            let end = min(bytes.count, place + Int.random(in: 1..<20, using: &random))
            bytes.removeSubrange(place..<end)
          }
          if bytes.isEmpty { break }
        }
        let table = index == 0 ? try? GeoJSONReader.read(bytes) : try? CSVReader.read(bytes)
        guard let table else { continue }
        read += 1
        if let buffer = table.geometry { #expect(buffer.x.count == buffer.y.count) }
        for column in table.columns { for row in 0..<table.rowCount { _ = column.value(at: row) } }
      }
    }
    // Both outcomes occur.
    #expect(read > 1000)
    #expect(read < 17000)
  }

  @Test("A GeoJSON property nested deeper than 512 levels is refused")
  func deepNestingIsAnError() {
    let deep =
      #"{"type":"Feature","geometry":null,"properties":{"a":"# + String(repeating: "[", count: 100_000)
    let error = #expect(throws: FeatureReadError.self) { try GeoJSONReaderTests.read(deep) }
    #expect(error?.description.contains("512") == true)
  }
}
