import Glibc
import MapGeometry

/// Chains of points on the globe with their projections, followed up to jumps of the projection.
struct RimPath {
  /// A point in degrees and its projection, which is not finite if there is none.
  struct Place {
    let longitude: Double
    let latitude: Double
    let x: Double
    let y: Double

    var hasImage: Bool { x.isFinite && y.isFinite }
  }

  /// The projection of a chain.
  struct Trace {
    /// The sections between jumps, with points added where edges bend.
    var pieces: [[Place]] = [[]]
    /// Whether the chain was cut.
    var isCut = false
    /// Whether a part of the chain cannot be projected.
    var hasGap = false
  }

  /// The length in degrees above which an edge follows the curve of the projection, like one that crosses its rim.
  ///
  /// - Source: design decision; all other edges are straight on the map, as in other programs.
  static let longestEdge = 30.0

  private let target: SpatialReference
  private let operations: SpatialOperations
  private let metres: Double
  private let shape: ProjectionShape?

  /// Creates paths on a map in a spatial reference, with the shape of its projection.
  init(_ target: SpatialReference, _ shape: ProjectionShape?, _ operations: SpatialOperations) {
    (self.target, self.shape, self.operations) = (target, shape, operations)
    metres =
      switch operations.unit(of: target) {
      case .linear(let unit)?: unit.meters
      case .angular(let unit)?: unit.degrees * 111_320
      case nil: 1
      }
  }

  /// The distance in metres beyond which projections are ignored: without rounding they would be infinitely far away.
  ///
  /// - Source: design decision; five times as far as the sides of Web Mercator.
  private static let farthest = 1e8

  /// Creates a point with its projection.
  func place(_ longitude: Double, _ latitude: Double, _ x: Double, _ y: Double) -> Place {
    let isNear =
      max(abs(x), abs(y)) * metres < Self.farthest
      && shape?.isSingular(longitude: longitude, latitude: latitude) != true
    return Place(
      longitude: longitude, latitude: latitude, x: isNear ? x : .infinity, y: isNear ? y : .infinity)
  }

  /// Whether an edge is nearly straight after projection.
  func isPlain(_ a: Place, _ b: Place, longest: Double) -> Bool {
    let (east, north) = (abs(b.longitude - a.longitude), abs(b.latitude - a.latitude))
    guard east <= longest, north <= longest else { return false }
    let chord = hypot(b.x - a.x, b.y - a.y) * metres
    let ground = 111_320 * hypot(east * cos((a.latitude + b.latitude) * .pi / 360), north)
    // For most edges, the length decides without another projection.
    return chord <= 4 * ground + 1000 || middle(a, b).map { isStraight(a, $0, b) } ?? false
  }

  /// Whether the projected middle lies near the middle of the projected ends.
  private func isStraight(_ a: Place, _ middle: Place, _ b: Place) -> Bool {
    guard middle.hasImage else { return false }
    let bend = hypot(middle.x - (a.x / 2 + b.x / 2), middle.y - (a.y / 2 + b.y / 2))
    return bend <= 0.05 * hypot(b.x - a.x, b.y - a.y) || bend * metres <= 1000
  }

  private func middle(_ a: Place, _ b: Place) -> Place? {
    let (longitude, latitude) = (a.longitude / 2 + b.longitude / 2, a.latitude / 2 + b.latitude / 2)
    var (x, y) = ([longitude], [latitude])
    do { try operations.project(x: &x, y: &y, from: .wgs84, to: target) } catch { return nil }
    return place(longitude, latitude, x[0], y[0])
  }

  /// Projects a chain in degrees, with its edges split to at most `longest` degrees.
  ///
  /// - Throws: ``SpatialOperationError``.
  func places(
    _ chain: [(Double, Double)], longest: Double
  ) throws(SpatialOperationError) -> [Place] {
    var (longitude, latitude) = ([Double](), [Double]())
    for (index, place) in chain.enumerated() {
      if index > 0 {
        let last = chain[index - 1]
        let (dx, dy) = (place.0 - last.0, place.1 - last.1)
        let count = min((max(abs(dx), abs(dy)) / longest).rounded(.up), 10_000)
        for step in stride(from: 1, to: count, by: 1) {
          longitude.append(last.0 + dx * step / count)
          latitude.append(last.1 + dy * step / count)
        }
      }
      longitude.append(place.0)
      latitude.append(place.1)
    }
    var (x, y) = (longitude, latitude)
    try operations.project(x: &x, y: &y, from: .wgs84, to: target)
    return x.indices.map { place(longitude[$0], latitude[$0], x[$0], y[$0]) }
  }

  /// Returns the projection of a chain, with edges split to two degrees and cut at jumps.
  func trace(_ chain: [Place]) -> Trace {
    var trace = Trace()
    for (index, place) in chain.enumerated() {
      if index > 0 { follow(chain[index - 1], place, &trace) }
      guard place.hasImage else {
        (trace.isCut, trace.hasGap) = (true, true)
        continue
      }
      trace.pieces[trace.pieces.count - 1].append(place)
    }
    trace.pieces.removeAll { $0.isEmpty }
    return trace
  }

  /// Adds the points between two neighbours of a chain.
  private func follow(_ a: Place, _ b: Place, _ trace: inout Trace) {
    let size = max(abs(b.longitude - a.longitude), abs(b.latitude - a.latitude))
    guard size.isFinite else { return }
    if size > 2,
      let split = try? places([(a.longitude, a.latitude), (b.longitude, b.latitude)], longest: 2)
    {
      var last = a
      for place in split.dropFirst().dropLast() {
        followShort(last, place, &trace)
        if place.hasImage {
          trace.pieces[trace.pieces.count - 1].append(place)
        } else {
          (trace.isCut, trace.hasGap) = (true, true)
        }
        last = place
      }
      return followShort(last, b, &trace)
    }
    followShort(a, b, &trace)
  }

  private func followShort(_ a: Place, _ b: Place, _ trace: inout Trace) {
    switch (a.hasImage, b.hasImage) {
    case (false, false): break
    case (true, true):
      if isPlain(a, b, longest: .infinity) { return }
      var between: [Place] = []
      if bend(a, b, 14, &between) { return trace.pieces[trace.pieces.count - 1] += between }
      let (first, second) = leap(a, b)
      trace.isCut = true
      extend(a, first, &trace)
      trace.pieces.append([second])
      extend(second, b, &trace, hasEnd: false)
    case (true, false):
      extend(a, rim(a, b), &trace)
      trace.pieces.append([])
    case (false, true):
      let start = rim(b, a)
      trace.pieces.append([start])
      extend(start, b, &trace, hasEnd: false)
    }
  }

  /// Adds the points between two, and the second unless `hasEnd` is false.
  private func extend(_ a: Place, _ b: Place, _ trace: inout Trace, hasEnd: Bool = true) {
    var between: [Place] = []
    if bend(a, b, 8, &between) { trace.pieces[trace.pieces.count - 1] += between }
    if hasEnd { trace.pieces[trace.pieces.count - 1].append(b) }
  }

  /// Adds points between two until the edges are straight; returns false if they never are.
  private func bend(_ a: Place, _ b: Place, _ depth: Int, _ between: inout [Place]) -> Bool {
    guard let middle = middle(a, b), middle.hasImage else { return false }
    if isStraight(a, middle, b) { return true }
    guard depth > 0, bend(a, middle, depth - 1, &between) else { return false }
    between.append(middle)
    return bend(middle, b, depth - 1, &between)
  }

  /// Returns the last point before a jump between two points, and the first after it.
  private func leap(_ a: Place, _ b: Place) -> (Place, Place) {
    var (first, second) = (a, b)
    for _ in 0..<40 {
      guard let middle = middle(first, second) else { break }
      guard middle.hasImage else { return (rim(first, middle), rim(second, middle)) }
      let before = hypot(middle.x - first.x, middle.y - first.y)
      let after = hypot(second.x - middle.x, second.y - middle.y)
      if before > after { second = middle } else { first = middle }
    }
    return (first, second)
  }

  /// Returns the last point that can be shown on the way to one that cannot be projected.
  ///
  /// It stops short of positions near a pole that is projected to infinity.
  private func rim(_ a: Place, _ b: Place) -> Place {
    var (inside, outside) = (a, b)
    for _ in 0..<40 {
      guard let middle = middle(inside, outside) else { break }
      let isShown = shape?.shows(longitude: middle.longitude, latitude: middle.latitude) ?? true
      if middle.hasImage && isShown { inside = middle } else { outside = middle }
    }
    return inside
  }
}
