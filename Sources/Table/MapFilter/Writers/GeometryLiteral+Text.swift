import MapGeometry
import MapJSON

extension GeometryLiteral {
  /// The geometry in CQL2 text: well-known text, or BBOX.
  package var wellKnownText: String {
    switch self {
    case .point(let place): "POINT(\(Self.text(place)))"
    case .multipoint(let places): "MULTIPOINT" + Self.list(places.map { "(\(Self.text($0)))" })
    case .line(let places): "LINESTRING" + Self.text(places)
    case .multiline(let lines): "MULTILINESTRING" + Self.list(lines.map(Self.text))
    case .polygon(let rings): "POLYGON" + Self.list(rings.map(Self.text))
    case .multipolygon(let polygons):
      "MULTIPOLYGON" + Self.list(polygons.map { Self.list($0.map(Self.text)) })
    case .collection(let members): "GEOMETRYCOLLECTION" + Self.list(members.map(\.wellKnownText))
    case .box(let west, let south, let east, let north):
      "BBOX" + Self.list([west, south, east, north].map(Self.text))
    }
  }

  private static func list(_ parts: [String]) -> String { "(" + parts.joined(separator: ", ") + ")" }
  private static func text(_ places: [Point]) -> String { list(places.map { text($0) }) }
  private static func text(_ place: Point) -> String { "\(text(place.x)) \(text(place.y))" }
  private static func text(_ number: Double) -> String { JSONNumber(number)?.text ?? "0" }

  /// The geometry in CQL2 JSON: GeoJSON, or `bbox`.
  var json: JSONValue {
    switch self {
    case .point(let place): Self.json("Point", Self.json(place))
    case .multipoint(let places): Self.json("MultiPoint", Self.json(places))
    case .line(let places): Self.json("LineString", Self.json(places))
    case .multiline(let lines): Self.json("MultiLineString", .array(lines.map(Self.json)))
    case .polygon(let rings): Self.json("Polygon", .array(rings.map(Self.json)))
    case .multipolygon(let polygons):
      Self.json("MultiPolygon", .array(polygons.map { .array($0.map(Self.json)) }))
    case .collection(let members):
      ["type": "GeometryCollection", "geometries": .array(members.map(\.json))]
    case .box(let west, let south, let east, let north):
      ["bbox": .array([west, south, east, north].map { .number($0) })]
    }
  }

  private static func json(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    ["type": .string(type), "coordinates": coordinates]
  }
  private static func json(_ places: [Point]) -> JSONValue { .array(places.map { json($0) }) }
  private static func json(_ place: Point) -> JSONValue { [.number(place.x), .number(place.y)] }
}
