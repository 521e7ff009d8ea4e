import MapGeometry
import MapJSON
import Testing

/// Curves of well-known text and of Esri JSON as lines.
@Suite struct CurveTests {
  private static func buffer(_ text: String) throws -> CoordinateBuffer {
    let bytes = Array(text.utf8)
    var builder = CoordinateBuilder()
    let remarks = try WellKnownText.appendRow(bytes, 0..<bytes.count, to: &builder)
    #expect(remarks.isCurved == (text.uppercased().contains("CIRCULAR") && !text.hasSuffix("EMPTY")))
    return try #require(builder.result)
  }

  /// Source: GDAL 3.6.2, `ST_CurveToLine` with a step of one degree gives the same number of vertices for the arcs whose
  /// halves are whole degrees; the bounds are those of the circles.
  @Test(
    "Curves in well-known text become lines and polygons with a vertex every degree",
    arguments: [
      ("CIRCULARSTRING (0 0, 1 1, 2 0)", GeometryKind.polyline, 181, [0, 0, 2, 1]),
      ("CircularString Z (0 0 5, 1 1 5, 2 0 5)", .polyline, 181, [0, 0, 2, 1]),
      ("CIRCULARSTRING (0 0, 1 -1, 2 0)", .polyline, 181, [0, -1, 2, 0]),
      ("CIRCULARSTRING (0 0, 2 0, 0 0)", .polyline, 361, [0, -1, 2, 1]),
      ("CIRCULARSTRING (0 0, 1 1, 2 2)", .polyline, 3, [0, 0, 2, 2]),
      ("CIRCULARSTRING (0 0, 1 1, 2 0, 3 -1, 4 0)", .polyline, 361, [0, -1, 4, 1]),
      ("COMPOUNDCURVE (CIRCULARSTRING (0 0, 1 1, 2 0), (2 0, 4 0))", .polyline, 182, [0, 0, 4, 1]),
      ("CURVEPOLYGON (CIRCULARSTRING (0 0, 2 2, 0 0))", .polygon, 361, [-0.4142, -0.4142, 2.4142, 2.4142]),
      ("CURVEPOLYGON ((0 0, 9 0, 9 9, 0 0), EMPTY)", .polygon, 4, [0, 0, 9, 9]),
      (
        "CURVEPOLYGON (COMPOUNDCURVE (CIRCULARSTRING (0 0, 1 1, 2 0), LINESTRING (2 0, 0 0)))", .polygon, 182,
        [0, 0, 2, 1]
      ),
      ("MULTICURVE ((0 0, 5 5), CIRCULARSTRING (4 0, 5 1, 6 0))", .polyline, 183, [0, 0, 6, 5]),
      (
        "MULTISURFACE (CURVEPOLYGON (CIRCULARSTRING (0 0, 2 0, 0 0)), ((9 9, 10 9, 10 10, 9 9)))", .polygon,
        365, [0, -1, 10, 10]
      ),
    ])
  func text(_ text: String, _ kind: GeometryKind, _ count: Int, _ bounds: [Double]) throws {
    let buffer = try Self.buffer(text)
    #expect(buffer.kind == kind)
    #expect(buffer.vertexCount == count)
    let (x, y) = (buffer.x, buffer.y)
    let found = [x.min() ?? .nan, y.min() ?? .nan, x.max() ?? .nan, y.max() ?? .nan]
    for (one, other) in zip(found, bounds) { #expect(abs(one - other) < 1e-3, "\(found)") }
  }

  @Test("Every vertex of an arc lies on its circle, and the three given points are kept exactly")
  func onCircle() throws {
    let buffer = try Self.buffer("CIRCULARSTRING (500003 5600004, 500000 5600005, 499995 5600000)")
    #expect(buffer.vertexCount > 90)
    for index in 0..<buffer.vertexCount {
      let (dx, dy) = (buffer.x[index] - 500_000, buffer.y[index] - 5_600_000)
      #expect(abs((dx * dx + dy * dy).squareRoot() - 5) < 1e-6)
    }
    #expect(zip(buffer.x, buffer.y).contains { $0 == 500_000 && $1 == 5_600_005 })
  }

  @Test(
    "Wrong curves in well-known text are refused",
    arguments: [
      "CIRCULARSTRING (0 0, 1 1)", "CIRCULARSTRING (0 0, 1 1, 2 0, 3 0)", "CIRCULARSTRING (0 0)",
      "CURVEPOLYGON (POINT (1 1))", "MULTISURFACE (LINESTRING (0 0, 1 1))", "COMPOUNDCURVE ((0 0, 1 1)",
      "MULTICURVE (CURVEPOLYGON ((0 0, 9 0, 9 9, 0 0)))", "CURVEPOLYGON (CIRCULARSTRING (0 0, 0 0, 0 0))",
    ])
  func wrong(_ text: String) {
    #expect(throws: WellKnownTextError.self) { try WellKnownText.geometry(text) }
  }

  @Test(
    "Curves of Esri JSON become lines: arcs, Bézier curves and elliptic arcs",
    arguments: [
      (#"{"c":[[2,0],[1,1]]}"#, 181, [0.0, 0, 2, 1]), (#"{"b":[[2,0],[0,1],[2,1]]}"#, 91, [0, 0, 2, 0.75]),
      (#"{"a":[[2,0],[1,0],0,1]}"#, 181, [0, 0, 2, 1]), (#"{"a":[[2,0],[1,0],0,0]}"#, 181, [0, -1, 2, 0]),
      (#"{"a":[[0,0],[1,0],0,0]}"#, 361, [0, -1, 2, 1]),
      (#"{"a":[[2,0],[1,0],0,1,0,1,0.5]}"#, 181, [0, 0, 2, 0.5]),
    ])
  func esri(_ curve: String, _ count: Int, _ bounds: [Double]) throws {
    let node = JSONNode(try JSONValue(parsing: Array(#"{"curvePaths":[[[0,0],\#(curve)]]}"#.utf8)))
    var builder = CoordinateBuilder()
    let remarks = try EsriGeometryJSON.appendRow(node, kind: .polyline, to: &builder)
    #expect(remarks.isCurved)
    let buffer = try #require(builder.result)
    #expect(buffer.vertexCount == count)
    let found = [
      buffer.x.min() ?? .nan, buffer.y.min() ?? .nan, buffer.x.max() ?? .nan, buffer.y.max() ?? .nan,
    ]
    for (one, other) in zip(found, bounds) { #expect(abs(one - other) < 1e-3, "\(found)") }
  }

  @Test(
    "Wrong curves of Esri JSON are refused", arguments: ["{}", #"{"c":[[2,0]]}"#, #"{"a":[[2,0],[1,0]]}"#])
  func wrongEsri(_ curve: String) throws {
    let node = JSONNode(try JSONValue(parsing: Array(#"{"curvePaths":[[[0,0],\#(curve)]]}"#.utf8)))
    var builder = CoordinateBuilder()
    #expect(throws: JSONDecodingError.self) {
      _ = try EsriGeometryJSON.appendRow(node, kind: .polyline, to: &builder)
    }
  }
}
