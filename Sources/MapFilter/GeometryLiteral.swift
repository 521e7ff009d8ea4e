public import MapGeometry

/// A geometry written in a filter, in longitude and latitude of WGS 84; a height is not kept.
///
/// Longitudes go on past ±180 degrees to ±540, as data do that are not cut at the antimeridian.
///
/// - Source: OGC 21-065 (CQL2), 7.6: well-known text, GeoJSON and boxes.
public indirect enum GeometryLiteral: Hashable, Sendable {
  case point(Point)
  case multipoint([Point])
  case line([Point])
  case multiline([[Point]])
  /// Rings, the first around the others; the last place of each is its first.
  case polygon([[Point]])
  case multipolygon([[[Point]]])
  /// Two geometries or more, none of them a collection.
  case collection([GeometryLiteral])
  /// A box with its sides; west above east crosses the antimeridian.
  case box(west: Double, south: Double, east: Double, north: Double)

  /// What makes it no geometry, lower case, no full stop; nil when it is one.
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

  /// True when every longitude lies between -180 and 180 degrees.
  public var isWithinWorld: Bool {
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

  /// The first fault; a geometry without parts has one too.
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
    places.count < 2 ? "a line of fewer than two places" : fault(ofPlaces: places)
  }

  private static func fault(ofRing places: [Point]) -> String? {
    if places.count < 4 { return "a ring of fewer than four places" }
    return places.first == places.last ? fault(ofPlaces: places) : "a ring that is not closed"
  }
}
