import MapReaders
import Testing

/// Features in GML, rewritten as GeoJSON.
@Suite struct GMLPageTests {
  private static func page(_ feature: String, _ attributes: String = "") throws -> GMLPage {
    let form = GMLPage.Form(
      values: ["code": .text, "n": .number, "is": .boolean, "day": .date], geometryName: nil
    ) {
      $0.map { $0.contains("north") ? true : $0.contains("east") ? false : nil } ?? false
    }
    return try GMLPage(
      Array(
        "<wfs:FeatureCollection xmlns:wfs='w' xmlns:gml='g' \(attributes)><wfs:member>\(feature)</wfs:member></wfs:FeatureCollection>"
          .utf8), form)
  }

  private static func geometry(_ gml: String) throws -> String {
    let text = String(decoding: try page("<a><geom>\(gml)</geom></a>").bytes, as: UTF8.self)
    return String(text.dropFirst(#"{"type":"Feature","properties":{},"geometry":"#.utf8.count).dropLast())
  }

  struct Shape: CustomTestStringConvertible, Sendable {
    let gml: String
    let json: String
    var testDescription: String { gml }

    init(_ gml: String, _ type: String, _ coordinates: String) {
      (self.gml, json) = (gml, #"{"type":"\#(type)","coordinates":\#(coordinates)}"#)
    }
  }

  private static let ring: String =
    "<gml:LinearRing><gml:posList>0 0 4 0 4 4 0 0</gml:posList></gml:LinearRing>"
  private static let hole: String =
    "<gml:LinearRing><gml:posList>2 1 3 1 3 2 2 1</gml:posList></gml:LinearRing>"
  private static let polygon: String =
    "<gml:Polygon><gml:exterior>\(ring)</gml:exterior><gml:interior>\(hole)</gml:interior></gml:Polygon>"
  private static let rings: String = "[[[0,0],[4,0],[4,4],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]"

  static let cases: [Shape] = [
    Shape("<gml:Point><gml:pos>1 2</gml:pos></gml:Point>", "Point", "[1,2]"),
    Shape("<gml:Point srsName='north'><gml:pos>1 2 9</gml:pos></gml:Point>", "Point", "[2,1]"),
    Shape("<gml:Point><gml:coordinates>1.50,+2e0</gml:coordinates></gml:Point>", "Point", "[1.5,2]"),
    Shape("<gml:Point><gml:coord><gml:X>1</gml:X><gml:Y>2</gml:Y></gml:coord></gml:Point>", "Point", "[1,2]"),
    Shape(
      "<gml:MultiPoint srsName='north'><gml:pointMember><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:pointMember>"
        + "<gml:pointMember><gml:Point srsName='east'><gml:pos>3 4</gml:pos></gml:Point></gml:pointMember></gml:MultiPoint>",
      "MultiPoint", "[[2,1],[3,4]]"),
    Shape(
      "<gml:LineString srsDimension='3'><gml:posList>1 2 9 3 4 9</gml:posList></gml:LineString>",
      "MultiLineString", "[[[1,2],[3,4]]]"),
    Shape(
      "<gml:LineString><gml:pos>1 2</gml:pos><gml:pos>3 4</gml:pos></gml:LineString>", "MultiLineString",
      "[[[1,2],[3,4]]]"),
    Shape(
      "<gml:MultiCurve><gml:curveMember><gml:Curve><gml:segments><gml:LineStringSegment><gml:posList>1 2 3 4</gml:posList>"
        + "</gml:LineStringSegment><gml:LineStringSegment><gml:posList>3 4 5 6</gml:posList></gml:LineStringSegment>"
        + "</gml:segments></gml:Curve></gml:curveMember><gml:curveMember><gml:OrientableCurve orientation='-'><gml:baseCurve>"
        + "<gml:LineString><gml:posList>7 8 9 10</gml:posList></gml:LineString></gml:baseCurve></gml:OrientableCurve>"
        + "</gml:curveMember></gml:MultiCurve>", "MultiLineString", "[[[1,2],[3,4],[5,6]],[[9,10],[7,8]]]"),
    Shape(polygon, "MultiPolygon", "[\(rings)]"),
    Shape(
      "<gml:MultiSurface><gml:surfaceMembers>\(polygon)\(polygon)</gml:surfaceMembers></gml:MultiSurface>",
      "MultiPolygon", "[\(rings),\(rings)]"),
    Shape(
      "<gml:Surface><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring><gml:curveMember><gml:LineString>"
        + "<gml:posList>0 0 4 0 4 4</gml:posList></gml:LineString></gml:curveMember><gml:curveMember><gml:LineString>"
        + "<gml:posList>4 4 0 0</gml:posList></gml:LineString></gml:curveMember></gml:Ring></gml:exterior>"
        + "</gml:PolygonPatch></gml:patches></gml:Surface>", "MultiPolygon", "[[[[0,0],[4,0],[4,4],[0,0]]]]"),
    Shape(
      "<gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates cs=' ' ts=';'>0 0;4 0;4 4;0 0</gml:coordinates>"
        + "</gml:LinearRing></gml:outerBoundaryIs></gml:Polygon>", "MultiPolygon",
      "[[[[0,0],[4,0],[4,4],[0,0]]]]"),
  ]

  @Test("Geometries become those of GeoJSON with east first", arguments: cases)
  func shapes(_ shape: Shape) throws { #expect(try Self.geometry(shape.gml) == shape.json) }

  @Test("Empty geometries are null, and mixed ones collections")
  func otherShapes() throws {
    #expect(try Self.geometry("<gml:MultiSurface/>") == "null")
    #expect(try Self.geometry("<gml:Polygon/>") == "null")
    #expect(
      try Self.geometry(
        "<gml:MultiGeometry><gml:geometryMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point><gml:LineString>"
          + "<gml:posList>1 2 3 4</gml:posList></gml:LineString></gml:geometryMembers></gml:MultiGeometry>")
        == #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},"#
        + #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]]]}]}"#)
  }

  @Test(
    "Geometries that cannot be read are errors",
    arguments: [
      ("<gml:Point><gml:pos>1 x</gml:pos></gml:Point>", "<pos>: a number, not \"x\""),
      ("<gml:Point srsName='other'><gml:pos>1 2</gml:pos></gml:Point>", "spatial reference \"other\""),
      ("<gml:LineString><gml:posList>1 2 3</gml:posList></gml:LineString>", "3 numbers are not positions"),
      (
        "<gml:Curve><gml:segments><gml:Arc><gml:posList>0 0 1 1 2 0</gml:posList></gml:Arc></gml:segments></gml:Curve>",
        "<Arc>: curves of this kind are not read"
      ),
      ("<gml:Solid/>", "<Solid>: geometries of this kind are not read"),
      ("<gml:Polygon><gml:interior>\(ring)</gml:interior></gml:Polygon>", "a polygon with no outer rings"),
    ])
  func faults(_ gml: String, _ text: String) {
    let error = #expect(throws: FeatureReadError.self) { try Self.geometry(gml) }
    #expect(error?.description.contains(text) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("Values have the declared kinds, or those of their text")
  func values() throws {
    let page = try Self.page(
      "<x:a xmlns:x='x' gml:id='a.1'><x:code>01 &amp; \"2\"</x:code><x:n> 07.50 </x:n><x:is>1</x:is><x:day>2026-01-02Z</x:day>"
        + "<x:other>12</x:other><x:zero>012</x:zero><x:list>a</x:list><x:list>b</x:list><x:void/><x:deep><x:b>c</x:b></x:deep></x:a>",
      "numberMatched='7' numberReturned='1'")
    #expect(
      String(decoding: page.bytes, as: UTF8.self)
        == #"{"type":"Feature","id":"a.1","properties":{"code":"01 & \"2\"","n":7.5,"is":true,"day":"2026-01-02","#
        + #""other":12,"zero":"012","list":"a, b","void":"","deep":"c"},"geometry":null}"#)
    #expect(page.features.map(\.id) == ["a.1"])
    #expect(page.numberMatched == 7)
    #expect(page.numberReturned == 1)
    let null = try Self.page(
      "<a xmlns:xsi='s'><code/><n/><is/><day xsi:nil='true'/></a>", "numberMatched='unknown'")
    #expect(
      String(decoding: null.bytes, as: UTF8.self)
        == #"{"type":"Feature","properties":{"code":"","n":null,"is":null,"day":null},"geometry":null}"#)
    #expect(null.numberMatched == nil)
  }
}
