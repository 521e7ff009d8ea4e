import MapSystem

/// Pixels of tiles put together: red, green, blue and alpha from 0 to 255, premultiplied.
struct TileMosaic {
  /// The tile pixels of the left and top sides.
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  var pixels: [SIMD4<Float>]

  init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
    pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Copies a square tile whose top left pixel is at a position; the part outside the mosaic is left out.
  mutating func copy(_ bytes: Span<UInt8>, side: Int, x: Int, y: Int) {
    let (width, left, top) = (width, left, top)
    let (firstColumn, lastColumn) = (max(x, left), min(x + side, left + width))
    let (firstRow, lastRow) = (max(y, top), min(y + side, top + height))
    guard firstColumn < lastColumn, firstRow < lastRow else { return }
    var target = pixels.mutableSpan
    for row in firstRow..<lastRow {
      var at = ((row - y) * side + firstColumn - x) * 4
      var place = (row - top) * width + firstColumn - left
      for _ in firstColumn..<lastColumn {
        let alpha = bytes[at + 3]
        var value = SIMD4(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), Float(alpha))
        if alpha < 255 {
          let part = Float(alpha) / 255
          value *= SIMD4(part, part, part, 1)
        }
        target[place] = value
        at += 4
        place += 1
      }
    }
  }
}

/// The weights of consecutive tile pixels for one image pixel along one axis.
///
/// The area of the image pixel is averaged where it covers more than one tile pixel. Otherwise the weights are those
/// of cubic convolution.
///
/// - Source: Keys, "Cubic Convolution Interpolation for Digital Image Processing", IEEE Transactions on Acoustics,
///   Speech and Signal Processing 29(6), 1981, with a = -1/2.
struct TileTaps {
  /// The tile pixel of the first weight.
  let first: Int
  let weights: [Float]

  /// Creates the weights at a position, in tile pixels, for an image pixel that is `step` tile pixels wide.
  init(at position: Double, step: Double) {
    guard step > 1 else {
      let start = (position - 0.5).rounded(.down)
      first = Int(clamping: start - 1)
      let (a, b, c, d) = Self.cubic(Float(position - 0.5 - start))
      weights = [a, b, c, d]
      return
    }
    let (low, high) = (position - step / 2, position + step / 2)
    let start = low.rounded(.down)
    first = Int(clamping: start)
    let count = max(1, Int(clamping: (high - start).rounded(.up)))
    weights = (0..<count).map { index in
      let pixel = start + Double(index)
      return Float((min(high, pixel + 1) - max(low, pixel)) / step)
    }
  }

  /// Returns the weights of four pixels around a position between the second and the third.
  @inline(__always) static func cubic(_ t: Float) -> (Float, Float, Float, Float) {
    let (t2, t3) = (t * t, t * t * t)
    return (
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2
    )
  }
}

extension TileMosaic {
  /// Returns the pixels of a rectangle whose columns and rows have weights of their own, which must be inside.
  func resampled(columns: [TileTaps], rows: [TileTaps]) -> [UInt32] {
    guard let first = rows.first?.first, let last = rows.last, !columns.isEmpty else { return [] }
    let count = last.first + last.weights.count - first
    let source = pixels.span
    // First along rows: one pixel for each column of the image and each row of tile pixels.
    var between = [SIMD4<Float>](repeating: .zero, count: columns.count * count)
    var target = between.mutableSpan
    for (column, taps) in columns.enumerated() {
      let weights = taps.weights.span
      for row in 0..<count {
        let start = (row + first - top) * width + taps.first - left
        var sum = SIMD4<Float>.zero
        for index in 0..<weights.count { sum += source[start + index] * weights[index] }
        target[row * columns.count + column] = sum
      }
    }
    let middle = between.span
    var result = [UInt32](repeating: 0, count: columns.count * rows.count)
    var output = result.mutableSpan
    var sums = [SIMD4<Float>](repeating: .zero, count: columns.count)
    for (row, taps) in rows.enumerated() {
      var line = sums.mutableSpan
      for (index, weight) in taps.weights.enumerated() {
        let start = (taps.first + index - first) * columns.count
        if index == 0 {
          for column in 0..<columns.count { line[column] = middle[start + column] * weight }
        } else {
          for column in 0..<columns.count { line[column] += middle[start + column] * weight }
        }
      }
      for column in 0..<columns.count { output[row * columns.count + column] = line[column].pixel }
    }
    return result
  }

  /// Returns the pixel at a position for an image pixel that is `stepX` by `stepY` tile pixels large.
  ///
  /// Pixels outside the mosaic are transparent.
  @inline(__always)
  func sample(_ source: Span<SIMD4<Float>>, x: Double, y: Double, stepX: Double, stepY: Double) -> UInt32 {
    let (x, y) = (x - Double(left), y - Double(top))
    guard stepX <= 1, stepY <= 1 else {
      return average(source, x: x, y: y, stepX: max(stepX, 1), stepY: max(stepY, 1))
    }
    let (startX, startY) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (column, row) = (Int(clamping: startX - 1), Int(clamping: startY - 1))
    guard column >= 0, row >= 0, column + 4 <= width, row + 4 <= height else { return 0 }
    let (a, b, c, d) = TileTaps.cubic(Float(x - 0.5 - startX))
    @inline(__always) func line(_ row: Int) -> SIMD4<Float> {
      let start = row * width + column
      return source[start] * a + source[start + 1] * b + source[start + 2] * c + source[start + 3] * d
    }
    let (e, f, g, h) = TileTaps.cubic(Float(y - 0.5 - startY))
    return (line(row) * e + line(row + 1) * f + line(row + 2) * g + line(row + 3) * h).pixel
  }

  /// Returns the colour of the nearest pixel; transparent outside the mosaic.
  func nearest(_ source: Span<SIMD4<Float>>, x: Double, y: Double) -> UInt32 {
    let (column, row) = (
      Int(clamping: (x - Double(left)).rounded(.down)), Int(clamping: (y - Double(top)).rounded(.down))
    )
    guard column >= 0, row >= 0, column < width, row < height else { return 0 }
    return source[row * width + column].pixel
  }

  private func average(
    _ source: Span<SIMD4<Float>>, x: Double, y: Double, stepX: Double, stepY: Double
  ) -> UInt32 {
    let (lowX, highX) = (max(x - stepX / 2, 0), min(x + stepX / 2, Double(width)))
    let (lowY, highY) = (max(y - stepY / 2, 0), min(y + stepY / 2, Double(height)))
    guard lowX < highX, lowY < highY else { return 0 }
    var sum = SIMD4<Float>.zero
    for row in Int(clamping: lowY)..<Int(clamping: highY.rounded(.up)) {
      let part = min(highY, Double(row + 1)) - max(lowY, Double(row))
      var line = SIMD4<Float>.zero
      for column in Int(clamping: lowX)..<Int(clamping: highX.rounded(.up)) {
        let share = Float(min(highX, Double(column + 1)) - max(lowX, Double(column)))
        line += source[row * width + column] * share
      }
      sum += line * Float(part)
    }
    return (sum * Float(1 / (stepX * stepY))).pixel
  }
}

extension SIMD4<Float> {
  /// The pixel, premultiplied: alpha, red, green and blue from the highest byte down.
  @inline(__always) fileprivate var pixel: UInt32 {
    let alpha = Swift.min(Swift.max(w, 0), 255)
    // Beside 2^23, a float has whole numbers only, in its lowest bits: this rounds without a conversion.
    let shifted = pointwiseMin(pointwiseMax(self, .zero), SIMD4(repeating: alpha)) + SIMD4(repeating: 0x1p23)
    return (shifted.w.bitPattern & 255) << 24 | (shifted.x.bitPattern & 255) << 16
      | (shifted.y.bitPattern & 255) << 8 | shifted.z.bitPattern & 255
  }
}
