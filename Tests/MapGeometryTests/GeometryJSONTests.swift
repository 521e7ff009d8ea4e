import MapGeometry
import MapJSON
import Testing

/// Source: ArcGIS REST API, geometry objects.
@Suite struct GeometryJSONTests {
  private static func point(_ x: Double, _ y: Double) -> Point {
    Point(x: x, y: y, spatialReference: .webMercator)
  }

  @Test("Each kind is written as Esri does, and read back as it was")
  func kinds() throws {
    let points = [(0.0, 0.0), (0.5, 10.25), (10.0, 0.0), (0.0, 0.0)].map { Self.point($0.0, $0.1) }
    #expect(
      points[1].toJSON() == #"{"x":0.5,"y":10.25,"spatialReference":{"wkid":102100,"latestWkid":3857}}"#)
    #expect(Point(latitude: 1, longitude: 2).toJSON() == #"{"x":2,"y":1,"spatialReference":{"wkid":4326}}"#)
    #expect(Polyline(parts: []).toJSON() == #"{"paths":[]}"#)
    #expect(try Point.fromJSON(points[1].toJSON()) == points[1])
    let multipoint = Multipoint(points: points, spatialReference: .webMercator)
    #expect(try Multipoint.fromJSON(multipoint.toJSON()) == multipoint)
    let line = Polyline(parts: [points, points], spatialReference: .webMercator)
    #expect(try Polyline.fromJSON(line.toJSON()) == line)
    let polygon = Polygon(parts: [points], spatialReference: .webMercator)
    #expect(try Polygon.fromJSON(polygon.toJSON()) == polygon)
    let envelope = Envelope(
      xMin: -1.5, yMin: 2, xMax: 3, yMax: 4, spatialReference: SpatialReference(wkid: 25832))
    #expect(try Envelope.fromJSON(envelope.toJSON()) == envelope)
  }

  @Test func faults() throws {
    #expect(throws: JSONDecodingError.self) { try Polygon.fromJSON(#"{"x":1,"y":2}"#) }
    #expect(throws: JSONDecodingError.self) { try Point.fromJSON(#"{"x":"NaN","y":2}"#) }
    #expect(throws: JSONDecodingError.self) { try Point.fromJSON("{}") }
    #expect(throws: (any Error).self) { try Point.fromJSON("{") }
  }
}
