import Glibc
import MapGeometry

/// The shape of a projection: the lines along which it cuts the world, and the part of the world that it shows.
package struct ProjectionShape: Hashable, Sendable {
  /// The kinds of projections by the line along which the world is cut.
  package enum Kind: Hashable, Sendable {
    /// Cut along the meridian opposite the centre, as in cylindrical and conic projections; between two latitudes in
    /// degrees.
    case meridian(south: Double, north: Double)
    /// Cut along the meridian opposite the centre and along others from a pole to the equator, such as Goode's.
    ///
    /// The cuts are in degrees east of the centre, from west to east.
    case interrupted(north: [Double], south: [Double])
    /// Cut along the equator on the far side, such as a UTM zone.
    case transverse
    /// Limited to an angle in degrees around a centre, such as polar maps.
    case azimuthal(radius: Double)
  }

  /// The kind.
  package let kind: Kind
  /// The longitude of the centre, in degrees.
  package let longitude: Double
  /// The latitude of the centre, in degrees; 0 if it has no effect.
  package let latitude: Double

  /// Creates a shape around a centre in degrees.
  package init(_ kind: Kind, longitude: Double, latitude: Double) {
    (self.kind, self.longitude, self.latitude) = (kind, longitude, latitude)
  }

  /// The area that can be projected, as a polygon in degrees.
  ///
  /// Some centimetres along a cut are left out, so that each point lies clearly on one side.
  var area: ProjectedArea {
    let gap = 1e-7
    switch kind {
    case .meridian(let south, let north):
      let (west, east) = (longitude - 180 + gap, longitude + 180 - gap)
      return ProjectedArea(
        [Self.ring(west, south, east, north)], isOneTurn: true)
    case .interrupted(let north, let south):
      var ring: [(x: Double, y: Double)] = [(longitude - 180 + gap, -90)]
      for cut in south.map({ longitude + $0 }) {
        ring += [(cut - gap, -90), (cut - gap, 0), (cut + gap, 0), (cut + gap, -90)]
      }
      ring += [(longitude + 180 - gap, -90), (longitude + 180 - gap, 90)]
      for cut in north.reversed().map({ longitude + $0 }) {
        ring += [(cut + gap, 90), (cut + gap, 0), (cut - gap, 0), (cut - gap, 90)]
      }
      ring += [(longitude - 180 + gap, 90), ring[0]]
      return ProjectedArea([ring], isOneTurn: true)
    case .transverse:
      // The equator of the far side, and areas around both its ends that cannot be projected or lie far out.
      let slit: [(x: Double, y: Double)] = [
        (80, -12), (100, -12), (100, -gap), (260, -gap), (260, -12), (280, -12), (280, 12), (260, 12),
        (260, gap), (100, gap), (100, 12), (80, 12), (80, -12),
      ]
      let slits = [-360.0, 0].map { turn in slit.map { (x: $0.x + longitude + turn, y: $0.y) } }
      return ProjectedArea([outline] + slits, isOneTurn: false)
    case .azimuthal(let radius): return cap(radius)
    }
  }

  /// Several world widths around the centre, ending between the holes of either side.
  private var outline: [(x: Double, y: Double)] {
    Self.ring(longitude - 440, -90, longitude + 440, 90)
  }

  /// Whether a point in degrees can be projected to a position near enough to be shown.
  func shows(longitude x: Double, latitude y: Double) -> Bool {
    switch kind {
    case .meridian(let south, let north): return y >= south && y <= north
    case .interrupted: return true
    case .transverse: return !isSingular(longitude: x, latitude: y)
    case .azimuthal(let radius):
      let (a, b) = (y * .pi / 180, latitude * .pi / 180)
      return sin(a) * sin(b) + cos(a) * cos(b) * cos((x - longitude) * .pi / 180) >= cos(radius * .pi / 180)
    }
  }

  /// Whether a point lies near the ends of a transverse projection's equator, where PROJ's series are not valid.
  func isSingular(longitude x: Double, latitude y: Double) -> Bool {
    guard kind == .transverse, abs(y) < 12 else { return false }
    let east = abs(x - longitude - ((x - longitude) / 360).rounded() * 360)
    return abs(east - 90) < 10
  }

  /// The opposite point on the globe; nil for kinds other than azimuthal.
  var antipode: (longitude: Double, latitude: Double)? {
    guard case .azimuthal = kind else { return nil }
    return (longitude + 180, -latitude)
  }

  private func cap(_ radius: Double) -> ProjectedArea {
    let hasNorth = 90 - latitude < radius
    let hasSouth = 90 + latitude < radius
    if hasNorth && hasSouth {
      // Everything except a cap around the opposite point; the cap may extend over a pole.
      let holes = [-180.0, 180].map { Self.circle(longitude + $0, -latitude, 180 - radius) }
      return ProjectedArea([outline] + holes, isOneTurn: false)
    }
    guard hasNorth || hasSouth else {
      return ProjectedArea(
        [Self.circle(longitude, latitude, radius)], isOneTurn: true)
    }
    // Around a pole the rim has one latitude per longitude; the ring covers five world widths.
    let turn = Self.circle(longitude, latitude, radius).dropLast().sorted { $0.x < $1.x }
    var ring = (-2...2).flatMap { turns in turn.map { ($0.x + Double(turns) * 360, $0.y) } }
      .map { (x: $0.0, y: $0.1) }
    let pole = hasNorth ? 90.0 : -90
    ring += [(ring[ring.count - 1].x, pole), (ring[0].x, pole), ring[0]]
    return ProjectedArea([ring], isOneTurn: false)
  }

  /// Returns a circle on the globe, with one point per degree of azimuth; longitudes are continuous.
  private static func circle(
    _ longitude: Double, _ latitude: Double, _ radius: Double
  ) -> [(x: Double, y: Double)] {
    // At a pole itself, azimuths have no longitude.
    let (angle, north) = (radius * .pi / 180, max(-89.9999, min(89.9999, latitude)) * .pi / 180)
    var ring = (0..<360).map { step -> (x: Double, y: Double) in
      let azimuth = Double(step) * .pi / 180
      let sine = sin(north) * cos(angle) + cos(north) * sin(angle) * cos(azimuth)
      let y = asin(max(-1, min(1, sine)))
      let x = atan2(sin(azimuth) * sin(angle) * cos(north), cos(angle) - sin(north) * sine)
      return (longitude + x * 180 / .pi, y * 180 / .pi)
    }
    ring.append(ring[0])
    return ring
  }

  private static func ring(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> [(x: Double, y: Double)] {
    [(west, south), (east, south), (east, north), (west, north), (west, south)]
  }
}

/// The area of the globe that a projection shows, as a polygon in degrees.
struct ProjectedArea {
  /// The polygon as the only row of a buffer.
  let polygon: CoordinateBuffer
  /// Whether the polygon covers one world width, so that geometries beyond it are moved by world widths; otherwise it
  /// covers several.
  let isOneTurn: Bool

  init(_ rings: [[(x: Double, y: Double)]], isOneTurn: Bool) {
    var buffer = CoordinateBuffer(kind: .polygon)
    for ring in rings {
      for place in ring { buffer.appendVertex(x: place.x, y: place.y) }
      buffer.endPart()
    }
    buffer.endRow()
    (polygon, self.isOneTurn) = (buffer, isOneTurn)
  }

  /// Returns the distances in degrees that move each part of a geometry that can be projected into the polygon.
  func shifts(for extent: Envelope) -> [Double] {
    let area = polygon.envelope(ofRow: 0)
    guard isOneTurn else {
      // Near the middle: from there the polygon covers more than one world width on both sides.
      let middle = (area.xMin + area.xMax) / 2
      return [((middle - (extent.xMin + extent.xMax) / 2) / 360).rounded() * 360]
    }
    let first = ((area.xMin - extent.xMax) / 360).rounded(.up)
    let last = ((area.xMax - extent.xMin) / 360).rounded(.down)
    guard first <= last, last - first < 8 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * 360 }
  }
}
