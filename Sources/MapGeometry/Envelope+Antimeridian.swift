extension Envelope {
  /// The same ground as plain envelopes within the world of the reference: none, one or two.
  ///
  /// The world is ±180° in WGS 84 and ±``WebMercator/halfWorld`` in Web Mercator; in any other reference, and
  /// in none, the envelope comes back as it is. See ``splitAtAntimeridian(world:)``.
  public func splitAtAntimeridian() -> [Envelope] {
    switch spatialReference {
    case .some(.wgs84): splitAtAntimeridian(world: -180...180)
    case .some(.webMercator): splitAtAntimeridian(world: -WebMercator.halfWorld...WebMercator.halfWorld)
    default: isEmpty ? [] : [self]
    }
  }

  /// The same ground as plain envelopes within the world's range of x: none, one or two, the western first.
  ///
  /// `xMin` above `xMax` says that the envelope crosses the antimeridian. Sides past the world come back in
  /// by whole turns, and an envelope as wide as the world becomes the world. One within the world comes back
  /// as it is, also when it touches the antimeridian: then a place on the world's other edge is not in it. An
  /// empty one gives none.
  ///
  /// Error: a side that lies in the world stays bit for bit; one that is shifted is rounded once, or, where a
  /// whole number of turns is no double itself, twice, and to a decimal as ``moved(x:by:)`` does. Sides 2⁵³ turns away become the world.
  public func splitAtAntimeridian(world: ClosedRange<Double>) -> [Envelope] {
    guard !isEmpty else { return [] }
    let (low, high) = (world.lowerBound, world.upperBound)
    let span = high - low
    guard xMin <= xMax else {
      if world.contains(xMin) && world.contains(xMax) { return [with(x: xMin...high), with(x: low...xMax)] }
      let east = xMax + ((xMin - xMax) / span).rounded(.up) * span
      guard east >= xMin, east < .infinity else { return [with(x: world)] }
      return with(x: xMin...east).splitAtAntimeridian(world: world)
    }
    if xMin >= low && xMax <= high { return [self] }
    guard xMax - xMin < span else { return [with(x: world)] }
    // The turn of the west side, and both its neighbours because that was rounded.
    let first = ((xMin - low) / span).rounded(.down)
    // So far out that a turn is less than the last bit of the sides, they say nothing of where they are.
    guard first - 1 < first, first < first + 1 else { return [with(x: world)] }
    var pieces: [Envelope] = []
    for turns in [first - 1, first, first + 1] {
      let (left, right) = (max(xMin, low + turns * span), min(xMax, high + turns * span))
      // Between two turns lies one meridian, which the wider piece has already.
      guard left < right || (left == right && (turns == 0 || xMin == xMax)) else { continue }
      let west = left == xMin ? min(max(Self.moved(x: xMin, by: -turns * span), low), high) : low
      let east = right == xMax ? min(max(Self.moved(x: xMax, by: -turns * span), low), high) : high
      if west <= east { pieces.append(with(x: west...east)) }
    }
    return pieces.isEmpty ? [with(x: world)] : pieces
  }

  private func with(x: ClosedRange<Double>) -> Envelope {
    Envelope(
      xMin: x.lowerBound, yMin: yMin, xMax: x.upperBound, yMax: yMax, spatialReference: spatialReference)
  }
}
