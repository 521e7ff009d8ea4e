package import MapGeometry

/// A geometry in a filter, in longitude and latitude of WGS 84; Z values are dropped.
///
/// Longitudes may exceed ±180 degrees up to ±540, as in data that are not cut at the antimeridian.
///
/// - Source: OGC 21-065 (CQL2), 7.6: well-known text, GeoJSON and boxes.
package indirect enum GeometryLiteral: Hashable, Sendable {
  /// A point.
  case point(Point)
  /// Several points.
  case multipoint([Point])
  /// A line.
  case line([Point])
  /// Several lines.
  case multiline([[Point]])
  /// The rings of a polygon, the exterior ring first; the last point of each ring equals its first.
  case polygon([[Point]])
  /// The rings of several polygons.
  case multipolygon([[[Point]]])
  /// Two or more geometries other than collections.
  case collection([GeometryLiteral])
  /// A box by its sides, which belong to it; a box with west greater than east crosses the antimeridian.
  case box(west: Double, south: Double, east: Double, north: Double)

  /// The reason why the geometry is invalid, lower case, no full stop; nil when it is valid.
  var fault: String? {
    switch self {
    case .point(let place): Self.fault(ofPlaces: [place])
    case .multipoint(let places): Self.fault(ofPlaces: places)
    case .line(let places): Self.fault(ofLine: places)
    case .multiline(let lines): Self.first(lines, Self.fault(ofLine:))
    case .polygon(let rings): Self.first(rings, Self.fault(ofRing:))
    case .multipolygon(let polygons): Self.first(polygons) { Self.first($0, Self.fault(ofRing:)) }
    case .collection(let members):
      members.count < 2
        ? "a collection of fewer than two"
        : Self.first(members) { $0.isCollection ? "a collection in a collection" : $0.fault }
    case .box(let west, let south, let east, let north):
      if south > north {
        "a box with its south above its north"
      } else {
        Self.fault(ofPlaces: [Point(x: west, y: south), Point(x: east, y: north)])
      }
    }
  }

  /// Whether every longitude lies between -180 and 180 degrees.
  package var isWithinWorld: Bool {
    func holds(_ places: [Point]) -> Bool { places.allSatisfy { abs($0.x) <= 180 } }
    return switch self {
    case .point(let place): holds([place])
    case .multipoint(let places), .line(let places): holds(places)
    case .multiline(let lines), .polygon(let lines): lines.allSatisfy(holds)
    case .multipolygon(let polygons): polygons.allSatisfy { $0.allSatisfy(holds) }
    case .collection(let members): members.allSatisfy(\.isWithinWorld)
    case .box(let west, _, let east, _): abs(west) <= 180 && abs(east) <= 180
    }
  }

  private var isCollection: Bool { if case .collection = self { true } else { false } }

  /// Returns the first fault; a geometry without parts is also a fault.
  private static func first<Part>(_ parts: [Part], _ fault: (Part) -> String?) -> String? {
    parts.isEmpty ? "a geometry without parts" : parts.lazy.compactMap(fault).first
  }

  private static func fault(ofPlaces places: [Point]) -> String? {
    first(places) { place in
      if !(abs(place.x) <= 540) { return "the longitude \(place.x) is not between -540 and 540" }
      return abs(place.y) <= 90 ? nil : "the latitude \(place.y) is not between -90 and 90"
    }
  }

  private static func fault(ofLine places: [Point]) -> String? {
    places.count < 2 ? "a line of fewer than two points" : fault(ofPlaces: places)
  }

  private static func fault(ofRing places: [Point]) -> String? {
    if places.count < 4 { return "a ring of fewer than four points" }
    return places.first == places.last ? fault(ofPlaces: places) : "a ring that is not closed"
  }
}
