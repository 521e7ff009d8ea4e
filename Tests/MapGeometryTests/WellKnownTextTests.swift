import MapGeometry
import Testing

@Suite struct WellKnownTextTests {
  private static func points(_ places: (Double, Double)...) -> [Point] {
    places.map { Point(x: $0.0, y: $0.1) }
  }

  /// Source: the examples of OGC 06-103r4, table 6, and the spellings of PostGIS.
  @Test(
    "Well-known text is read in the spellings of the standard and PostGIS",
    arguments: [
      ("Point (10 10)", GeometryForm.point(Point(x: 10, y: 10))),
      ("POINT(1e1 -.5)", .point(Point(x: 10, y: -0.5))), ("pointz (10 10 5)", .point(Point(x: 10, y: 10))),
      ("Point ZM (10 10 5 40)", .point(Point(x: 10, y: 10))),
      ("Point M(10 10 40)", .point(Point(x: 10, y: 10))),
      ("POINT (10 10 5)", .point(Point(x: 10, y: 10))),
      (
        "LineString ( 10 10, 20 20, 30 40)", .polyline(Polyline(points: points((10, 10), (20, 20), (30, 40))))
      ),
      (
        "Polygon ((10 10, 10 20, 20 20, 20 15, 10 10))",
        .polygon(Polygon(points: points((10, 10), (10, 20), (20, 20), (20, 15), (10, 10))))
      ),
      ("MultiPoint ((10 10), (20 20))", .multipoint(Multipoint(points: points((10, 10), (20, 20))))),
      ("MULTIPOINT (10 10, 20 20, EMPTY)", .multipoint(Multipoint(points: points((10, 10), (20, 20))))),
      (
        "MultiLineString ((10 10, 20 20), EMPTY, (15 15, 30 15))",
        .polyline(Polyline(parts: [points((10, 10), (20, 20)), points((15, 15), (30, 15))]))
      ),
      (
        "MultiPolygon (((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1)),((20 20,30 20,30 30,20 20)))",
        .polygon(
          Polygon(parts: [
            points((0, 0), (9, 0), (9, 9), (0, 0)), points((1, 1), (2, 1), (2, 2), (1, 1)),
            points((20, 20), (30, 20), (30, 30), (20, 20)),
          ]))
      ),
      ("SRID=900913; POINT (1 2)", .point(Point(x: 1, y: 2, spatialReference: .webMercator))),
    ])
  func reads(text: String, form: GeometryForm) throws {
    #expect(try WellKnownText.geometry(text)?.form == form)
  }

  @Test(
    "Empty well-known text is read as no geometry",
    arguments: [
      "POINT EMPTY", "multipolygon z empty", "LINESTRING EMPTY", " POLYGON EMPTY ", "MULTIPOINT(EMPTY)",
    ])
  func readsEmpty(text: String) throws { #expect(try WellKnownText.geometry(text) == nil) }

  @Test("Points in a coordinate buffer have no parts")
  func pointsHaveNoParts() throws {
    let bytes = Array("POINT (1 2)".utf8)
    var builder = CoordinateBuilder()
    for _ in 0..<3 { _ = try WellKnownText.appendRow(bytes, 0..<bytes.count, to: &builder) }
    let buffer = try #require(builder.result)
    #expect(buffer.x == [1, 1, 1])
    #expect(buffer.partEnds.isEmpty)
    #expect(buffer.rowEnds.isEmpty)
  }

  @Test(
    "Invalid well-known text is refused with the offset of the fault",
    arguments: [
      ("", 0), ("CIRCLE (1 2)", 0), ("POINT", 5), ("POINT (1)", 8), ("POINT (1 2", 10), ("POINT (1 2))", 11),
      ("POINT (1 2, 3 4)", 11), ("POINT Z (1 2)", 12), ("POINT (1 x)", 9), ("POINT (1 1e999)", 7),
      ("LINESTRING (1 2)", 11), ("POLYGON (0 0, 1 1)", 9), ("POLYGON ((0 0, 1 1, 0 0))", 9),
      ("SRID=x;POINT (1 2)", 5),
      ("GEOMETRYCOLLECTION (POINT (1 2)", 31), ("POINT (1 2) POINT (1 2)", 12), ("POINT (1,2)", 8),
    ])
  func refuses(text: String, offset: Int) {
    let error = #expect(throws: WellKnownTextError.self) { try WellKnownText.geometry(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
  }
}
