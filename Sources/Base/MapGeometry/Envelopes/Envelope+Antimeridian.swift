extension Envelope {
  /// Returns the same area as plain envelopes within the world of the spatial reference: none, one or two.
  ///
  /// The world is ±180° in WGS 84 and ±``WebMercator/halfWorld`` in Web Mercator. In any other spatial reference, and
  /// without one, the envelope is returned unchanged. See ``splitAtAntimeridian(world:)``.
  public func splitAtAntimeridian() -> [Envelope] {
    switch spatialReference {
    case .some(.wgs84): splitAtAntimeridian(world: -180...180)
    case .some(.webMercator): splitAtAntimeridian(world: -WebMercator.halfWorld...WebMercator.halfWorld)
    default: isEmpty ? [] : [self]
    }
  }

  /// Returns the same area as plain envelopes within the world's range of x: none, one or two, in order from west to
  /// east.
  ///
  /// The order is that of the unsplit area.
  ///
  /// An envelope with `xMin` greater than `xMax` crosses the antimeridian. Sides outside the world are shifted back by
  /// whole world widths. An envelope at least as wide as the world becomes the world. An envelope within the world is
  /// returned unchanged, also when it touches the antimeridian. Points on the opposite edge of the world are then not
  /// in it. An empty envelope gives none. Sides 2⁵³ world widths away give the whole world.
  ///
  /// - Error: a side within the world is kept bit for bit. A shifted side is rounded once, or twice when the shift
  ///   itself is not exactly a double. It is then rounded to a decimal as in `moved(x:by:)`.
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
    // The world copy of the west side, and both its neighbours, since the division was rounded.
    let first = ((xMin - low) / span).rounded(.down)
    // So far out that a world width is less than the last bit of the sides, their position in the world is unknown.
    guard first - 1 < first, first < first + 1 else { return [with(x: world)] }
    var pieces: [Envelope] = []
    for turns in [first - 1, first, first + 1] {
      let (left, right) = (max(xMin, low + turns * span), min(xMax, high + turns * span))
      // A piece of zero width between two world copies is already in the wider piece.
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
