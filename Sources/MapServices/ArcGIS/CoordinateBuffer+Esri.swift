import MapGeometry
import MapJSON

extension CoordinateBuffer {
  /// What services call a geometry of this kind, behind `esriGeometry`.
  var esriType: String {
    switch kind {
    case .point: "Point"
    case .multipoint: "Multipoint"
    case .polyline: "Polyline"
    case .polygon: "Polygon"
    }
  }

  /// The first row as services write it: outer rings clockwise, holes the other way.
  var esriObject: JSONObject {
    func vertex(_ index: Int) -> JSONValue { [.number(x[index]), .number(y[index])] }
    switch kind {
    case .point: return ["x": .number(x[0]), "y": .number(y[0])]
    case .multipoint: return ["points": .array(vertices(ofRow: 0).map(vertex))]
    case .polyline: return ["paths": .array(parts(ofRow: 0).map { .array(vertices(ofPart: $0).map(vertex)) })]
    case .polygon:
      var rings: [JSONValue] = []
      for polygon in polygons(ofRow: 0) {
        for (place, part) in polygon.enumerated() {
          let ring = vertices(ofPart: part).map(vertex)
          let isClockwise = doubleArea(ofPart: part) < 0
          rings.append(.array(isClockwise == (place == 0) ? ring : ring.reversed()))
        }
      }
      return ["rings": .array(rings)]
    }
  }
}
