extension CoordinateBuffer {
  /// The size in units, along both axes, up to which a part counts as small, and the mean width up to which it counts as
  /// thin.
  ///
  /// - Source: design decision; squares of 4 units are small in any direction.
  private static let (smallSize, thinWidth) = (6.0, 1.0)
  /// The numbers of vertices up to which a small part, and a part less than twice as wide as a thin one, is not rounded: it
  /// has few to omit.
  private static let (fewOfSmall, fewOfThin) = (64, 16)
  /// The number of finer grid steps for one of small parts.
  private static let finerSteps = 8.0

  /// Adds a row of another buffer of the same kind with vertices snapped to a grid, omitting repeated vertices.
  ///
  /// The snapped position depends only on the vertex itself, so that neighbours keep their shared border. A vertex
  /// moves by at most half a grid step in x and in y. Small parts have a finer grid, which moves a vertex by at most 1/256
  /// of their size. Thin parts, small ones with few vertices, and parts that would become a single point stay unchanged.
  ///
  /// - Parameter steps: the number of grid steps per unit, a power of two.
  package mutating func appendRow(_ row: Int, of source: CoordinateBuffer, thinnedTo steps: Double) {
    for part in source.parts(ofRow: row) {
      let range = source.vertices(ofPart: part)
      let (x, y) = (source.x.span.extracting(range), source.y.span.extracting(range))
      let size = Self.size(x, y)
      let isSmall = size <= Self.smallSize
      if isSmall, range.count <= Self.fewOfSmall {
        appendVertices(range, of: source)
      } else {
        let start = vertexCount
        appendThinned(x, y, to: isSmall ? Self.finer(steps, for: size) : steps)
        let width = isSmall ? .infinity : meanWidth(start..<vertexCount)
        if vertexCount == start + 1 || width < (range.count <= Self.fewOfThin ? 2 : 1) * Self.thinWidth {
          removeVertices(from: start)
          appendVertices(range, of: source)
        }
      }
      endPart()
    }
    endRow()
  }

  /// Returns the greater of the width and height of some vertices.
  private static func size(_ x: Span<Double>, _ y: Span<Double>) -> Double {
    var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    for index in x.indices {
      let own = SIMD2(x[index], y[index])
      low.replace(with: own, where: own .< low)
      high.replace(with: own, where: own .> high)
    }
    return (high - low).max()
  }

  /// Returns a number of grid steps per unit, a power of two: at least 128 steps cross a small part.
  private static func finer(_ steps: Double, for size: Double) -> Double {
    var finer = finerSteps * steps
    // The limit keeps positions far inside the range that can be rounded.
    while finer * size < finerSteps * steps, finer < 0x1p27 { finer *= 2 }
    return finer
  }

  /// Returns the mean width of a part: twice its area, divided by the length of its outline along both axes.
  private func meanWidth(_ range: Range<Int>) -> Double {
    let (x, y) = (x.span.extracting(range), y.span.extracting(range))
    var (area, length) = (0.0, 0.0)
    for index in 1..<max(1, x.count) {
      area += x[index - 1] * y[index] - x[index] * y[index - 1]
      length += abs(x[index] - x[index - 1]) + abs(y[index] - y[index - 1])
    }
    return length > 0 ? abs(area) / length : 0
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
