import Glibc
import MapSystem

/// An elliptic or circular arc as line segments, with a vertex at most every degree.
///
/// - Error: the distance from the arc is at most 3.9e-5 of the greater radius, 1/8 pixel for a radius of 3,280 pixels.
struct CircularArc {
  /// The greatest step between two vertices, in degrees.
  static let step = 1.0

  private let center: (x: Double, y: Double)
  /// The half axes, and the direction of the first.
  private let radii: (Double, Double)
  private let direction: Double
  /// The parameter of the start, and the signed distance to the end, in radians.
  private let start: Double
  private let sweep: Double

  /// Returns the vertices after the start of the arc through three points, with the second and the third exactly.
  ///
  /// Equal ends are a full circle, whose centre lies between the first two points. Points on a line are a line.
  /// - Source: ISO 13249-3, 4.1.3, ST_CircularString; PostGIS and GDAL read a circle in the same way.
  static func vertices(
    from a: (x: Double, y: Double), through b: (x: Double, y: Double), to c: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    let center: (x: Double, y: Double)
    var isLeft = true
    if a == c {
      guard a != b else { return [c] }
      center = ((a.x + b.x) / 2, (a.y + b.y) / 2)
    } else {
      // Distances from the first point keep the digits of large coordinates.
      let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y)
      let double = 2 * (bx * cy - by * cx)
      let (bb, cc) = (bx * bx + by * by, cx * cx + cy * cy)
      center = (a.x + (cy * bb - by * cc) / double, a.y + (bx * cc - cx * bb) / double)
      isLeft = double > 0
      guard double != 0, center.x.isFinite, center.y.isFinite else { return [b, c] }
    }
    let radius = hypot(a.x - center.x, a.y - center.y)
    func angle(_ p: (x: Double, y: Double)) -> Double { atan2(p.y - center.y, p.x - center.x) }
    var found: [(x: Double, y: Double)] = []
    for (from, to) in [(a, b), (b, c)] {
      let arc = CircularArc(
        center: center, radii: (radius, radius), direction: 0, start: angle(from),
        sweep: Self.sweep(from: angle(from), to: angle(to), isLeft: isLeft))
      found += arc.inner + [to]
    }
    return found
  }

  /// Returns the vertices after the start of an arc around a centre, with the end exactly; equal ends are a full turn.
  ///
  /// - Parameters:
  ///   - ratio: the second half axis divided by the first.
  ///   - direction: the direction of the first half axis, in radians, counter-clockwise from east.
  /// - Source: ArcGIS REST API, geometry objects, elliptic arcs.
  static func vertices(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), center: (x: Double, y: Double),
    halfAxis: Double?, ratio: Double, direction: Double, isClockwise: Bool
  ) -> [(x: Double, y: Double)] {
    let first = halfAxis ?? hypot(a.x - center.x, a.y - center.y)
    guard first > 0, ratio > 0, first.isFinite, (first * ratio).isFinite, direction.isFinite else {
      return [b]
    }
    func parameter(_ p: (x: Double, y: Double)) -> Double {
      let (x, y) = (p.x - center.x, p.y - center.y)
      return atan2(
        (y * cos(direction) - x * sin(direction)) / ratio, x * cos(direction) + y * sin(direction))
    }
    let start = parameter(a)
    let sweep =
      a == b
      ? (isClockwise ? -2 : 2) * Double.pi
      : Self.sweep(from: start, to: parameter(b), isLeft: !isClockwise)
    let arc = CircularArc(
      center: center, radii: (first, first * ratio), direction: direction, start: start, sweep: sweep)
    return arc.inner + [b]
  }

  /// Returns the vertices after the start of a cubic Bézier curve, with the end exactly.
  static func vertices(
    ofCurveFrom a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ c: (x: Double, y: Double),
    to d: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    let count = 90
    return (1..<count).map { index in
      let t = Double(index) / Double(count)
      let s = 1 - t
      let (w0, w1, w2, w3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      return (w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y)
    } + [d]
  }

  private static func sweep(from start: Double, to end: Double, isLeft: Bool) -> Double {
    let turn = 2 * Double.pi
    var left = (end - start).truncatingRemainder(dividingBy: turn)
    if left < 0 { left += turn }
    return isLeft ? left : left - turn
  }

  /// The vertices between the ends.
  private var inner: [(x: Double, y: Double)] {
    let count = max(1, (abs(sweep) * 180 / Double.pi / Self.step - 1e-9).rounded(.up))
    guard count > 1, count <= 360 else { return [] }
    let (cosine, sine) = (cos(direction), sin(direction))
    return (1..<Int(clamping: count)).map { index in
      let angle = start + sweep * Double(index) / count
      let (x, y) = (radii.0 * cos(angle), radii.1 * sin(angle))
      return (center.x + x * cosine - y * sine, center.y + x * sine + y * cosine)
    }
  }
}
