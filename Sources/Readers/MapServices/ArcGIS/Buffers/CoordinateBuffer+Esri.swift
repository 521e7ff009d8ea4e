import MapGeometry
import MapJSON

extension CoordinateBuffer {
  /// The services' name of this kind of geometry, without its prefix `esriGeometry`.
  var esriType: String {
    switch kind {
    case .point: "Point"
    case .multipoint: "Multipoint"
    case .polyline: "Polyline"
    case .polygon: "Polygon"
    }
  }

  /// The geometry of the first row in Esri JSON: outer rings clockwise, holes counterclockwise.
  var esriGeometry: JSONValue {
    guard kind == .polygon else {
      return geometry(ofRow: 0, spatialReference: nil).map { EsriGeometryJSON.json($0) } ?? .null
    }
    let rings = polygons(ofRow: 0).flatMap { polygon in
      polygon.enumerated().map { place, part in
        let ring = vertices(ofPart: part).map { Point(x: x[$0], y: y[$0]) }
        let isClockwise = doubleArea(ofPart: part) < 0
        return isClockwise == (place == 0) ? ring : ring.reversed()
      }
    }
    return EsriGeometryJSON.json(Polygon(parts: rings))
  }
}
