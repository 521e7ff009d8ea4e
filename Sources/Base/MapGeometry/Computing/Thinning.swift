extension CoordinateBuffer {
  /// Adds a row of another buffer of the same kind with vertices snapped to a grid, omitting repeated vertices.
  ///
  /// The snapped position depends only on the vertex itself, so that neighbours keep their shared border. A vertex
  /// moves by at most half a grid step in x and in y. A part that would become a single point stays unchanged.
  ///
  /// - Parameter steps: the number of grid steps per unit, a power of two.
  package mutating func appendRow(_ row: Int, of source: CoordinateBuffer, thinnedTo steps: Double) {
    for part in source.parts(ofRow: row) {
      let range = source.vertices(ofPart: part)
      let start = vertexCount
      appendThinned(source.x.span.extracting(range), source.y.span.extracting(range), to: steps)
      if vertexCount == start + 1, range.count > 1 {
        removeVertices(from: start)
        appendVertices(range, of: source)
      }
      endPart()
    }
    endRow()
  }

  private mutating func appendThinned(_ x: Span<Double>, _ y: Span<Double>, to steps: Double) {
    // The product with the step of a power of two is exact.
    let step = 1 / steps
    appendVertices(x.count) { east, north in
      var end = 0
      var last = SIMD2(repeating: Double.nan)
      for index in x.indices {
        let own = nearest(SIMD2(x[index], y[index]) * steps) * step
        east.append(own.x)
        north.append(own.y)
        // This avoids a branch: an omitted vertex is overwritten by the next one.
        (east[end], north[end]) = (own.x, own.y)
        end &+= own == last ? 0 : 1
        last = own
      }
      east.removeLast(x.count - end)
      north.removeLast(x.count - end)
    }
  }
}

/// Returns the nearest integers, halves away from 0, for numbers below 2^51.
///
/// They equal `rounded()` without the function call, since not every x86-64 processor has an instruction for it.
@inline(__always)
private func nearest(_ value: SIMD2<Double>) -> SIMD2<Double> {
  // Adding a number this large drops the fraction, with halves rounded to even.
  let large = 0x1.8p52
  let even = (value + large) - large
  let rest = value - even
  // A half was rounded towards 0 if what is left has the sign of the number.
  let isShort = (rest .== 0.5 .& value .> 0) .| (rest .== -0.5 .& value .< 0)
  return even + (2 * rest).replacing(with: 0, where: .!isShort)
}
