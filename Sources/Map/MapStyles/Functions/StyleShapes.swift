package import MapJSON

/// A place in longitude and latitude, or in units of a tile.
package typealias StylePoint = SIMD2<Double>

/// The points, lines and polygons of GeoJSON.
package struct StyleShapes: Hashable, Sendable {
  /// A point, a line or a polygon.
  package enum Shape: Hashable, Sendable {
    case point(StylePoint)
    case line([StylePoint])
    case polygon([[StylePoint]])
  }

  /// The shapes, in the order of the document.
  package private(set) var shapes: [Shape] = []

  /// Reads a geometry, a feature or a collection of features; nil when it is none of them.
  package init?(geoJSON json: JSONValue) {
    switch json["type"]?.string {
    case "FeatureCollection":
      guard let features = json["features"]?.array else { return nil }
      for feature in features { guard add(feature["geometry"] ?? .null) else { return nil } }
    case "Feature": guard add(json["geometry"] ?? .null) else { return nil }
    default: guard add(json) else { return nil }
    }
  }

  private mutating func add(_ json: JSONValue) -> Bool {
    guard let coordinates = json["coordinates"] else { return false }
    switch json["type"]?.string {
    case "Point": return add([Self.point(coordinates).map(Shape.point)])
    case "MultiPoint": return add(coordinates.array?.map { Self.point($0).map(Shape.point) })
    case "LineString": return add([Self.line(coordinates).map(Shape.line)])
    case "MultiLineString": return add(coordinates.array?.map { Self.line($0).map(Shape.line) })
    case "Polygon": return add([Self.rings(coordinates).map(Shape.polygon)])
    case "MultiPolygon": return add(coordinates.array?.map { Self.rings($0).map(Shape.polygon) })
    default: return false
    }
  }

  private mutating func add(_ found: [Shape?]?) -> Bool {
    guard let found else { return false }
    let complete = found.compactMap(\.self)
    shapes += complete
    return complete.count == found.count
  }

  private static func point(_ json: JSONValue) -> StylePoint? {
    guard let numbers = json.array, numbers.count >= 2, let x = numbers[0].double, let y = numbers[1].double,
      x.isFinite, y.isFinite
    else { return nil }
    return StylePoint(x, y)
  }

  private static func line(_ json: JSONValue) -> [StylePoint]? {
    guard let elements = json.array else { return nil }
    let points = elements.compactMap(point)
    return points.count == elements.count && !points.isEmpty ? points : nil
  }

  private static func rings(_ json: JSONValue) -> [[StylePoint]]? {
    guard let elements = json.array else { return nil }
    let rings = elements.compactMap(line)
    return rings.count == elements.count && !rings.isEmpty ? rings : nil
  }

  /// The polygons.
  var polygons: [[[StylePoint]]] {
    shapes.compactMap { if case .polygon(let rings) = $0 { rings } else { nil } }
  }
}

/// Polygons that features may be within.
struct StylePolygons: Hashable, Sendable {
  /// The rings of each polygon, in longitude and latitude.
  let polygons: [[[StylePoint]]]

  /// Reads GeoJSON; nil when it has no polygon.
  init?(geoJSON json: JSONValue) {
    var json = json
    if json["type"]?.string == "FeatureCollection" {
      // Other geometries of a collection do not matter.
      let features = json["features"]?.array?.filter { feature in
        feature["geometry"]?["type"]?.string?.hasSuffix("Polygon") == true
      }
      json = ["type": "FeatureCollection", "features": .array(features ?? [])]
    }
    guard let shapes = StyleShapes(geoJSON: json) else { return nil }
    polygons = shapes.polygons
    guard !polygons.isEmpty else { return nil }
  }
}
