/// An image prepared for drawing on whole pixels: scaled, rotated and premultiplied.
///
/// - Source: design decision. The filter is a triangle whose half-width is one result pixel, but at least one source
///   pixel. So small results show no moiré, large ones show no steps, and an image at its own size is unchanged.
package struct PictureStamp: Sendable {
  /// The number of pixels in a row.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The pixels row by row: premultiplied alpha, red, green and blue from the highest byte down.
  package let pixels: [UInt32]

  /// Scales an image to a size in pixels and rotates it clockwise about its centre, which becomes the stamp's centre.
  ///
  /// The size need not be whole; a side that ends inside a pixel covers that pixel in part.
  ///
  /// - Parameters:
  ///   - turn: cosine and sine of the rotation angle.
  ///   - opacity: the factor for alpha, 0 to 1.
  /// - Cost: about twice the pixels of image and stamp together; temporarily 16 bytes per pixel of the stamp.
  package init(
    _ picture: Bitmap, width: Double, height: Double, turn: (cosine: Double, sine: Double) = (1, 0),
    opacity: Double = 1
  ) {
    let (cosine, sine) = turn
    let (width, height) = (Self.bounded(width), Self.bounded(height))
    // A rounding error must not make a stamp one pixel larger.
    func whole(_ length: Double) -> Int { max(1, Int(exactly: (length - 1e-9).rounded(.up)) ?? 1) }
    let upright = cosine == 1 && sine == 0
    self.width = whole(upright ? width : abs(width * cosine) + abs(height * sine))
    self.height = whole(upright ? height : abs(width * sine) + abs(height * cosine))
    if upright {
      pixels = picture.scaled(
        PictureAxis(picture.width, onto: self.width, covering: width),
        PictureAxis(picture.height, onto: self.height, covering: height)
      ).map { Self.pixel($0, opacity) }
    } else {
      let (columns, rows) = (
        max(1, Int(exactly: width.rounded()) ?? 1), max(1, Int(exactly: height.rounded()) ?? 1)
      )
      let scaled = picture.scaled(
        PictureAxis(picture.width, onto: columns, covering: Double(columns)),
        PictureAxis(picture.height, onto: rows, covering: Double(rows)))
      let grid = PictureGrid(colors: scaled, columns: columns, rows: rows, width: width, height: height)
      pixels = grid.turned(cosine: cosine, sine: sine, width: self.width, height: self.height) {
        Self.pixel($0, opacity)
      }
    }
  }

  /// Converts a colour to a pixel value.
  private static func pixel(_ color: SIMD4<Float>, _ opacity: Double) -> UInt32 {
    func channel(_ value: Float) -> UInt32 { UInt32(exactly: value) ?? 0 }
    let value = (color * Float(opacity) + 0.5).clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
      .rounded(.down)
    return channel(value.w) << 24 | channel(value.x) << 16 | channel(value.y) << 8 | channel(value.z)
  }

  /// Limits a side to the lengths that a stamp can have: shorter ones are invisible, longer ones exceed every image.
  private static func bounded(_ length: Double) -> Double {
    // This comparison is false for NaN.
    length > 0x1p-10 ? min(length, Double(Bitmap.maximumSide)) : 0x1p-10
  }
}

/// The image pixels that contribute to each pixel of a stamp, along one axis.
private struct PictureAxis {
  /// For each stamp pixel, the first image pixel and the weights from there on; their sum is the covered part.
  let shares: [(first: Int, weights: [Float])]

  /// Maps `count` image pixels to a length in the middle of `whole` stamp pixels.
  init(_ count: Int, onto whole: Int, covering length: Double) {
    let start = (Double(whole) - length) / 2
    let ratio = Double(count) / length
    let reach = max(ratio, 1)
    shares = (0..<whole).map { place in
      let (low, high) = (max(Double(place), start), min(Double(place + 1), start + length))
      let middle = ((low + high) / 2 - start) * ratio
      let first = min(max(Int(exactly: (middle - reach - 0.5).rounded(.up)) ?? 0, 0), count - 1)
      let last = min(max(Int(exactly: (middle + reach - 0.5).rounded(.down)) ?? 0, first), count - 1)
      var weights = (first...last).map { max(0, 1 - abs(Double($0) + 0.5 - middle) / reach) }
      let sum = weights.reduce(0, +)
      if sum == 0 { weights[0] = 1 }
      let share = max(high - low, 0) / (sum == 0 ? 1 : sum)
      return (first, weights.map { Float($0 * share) })
    }
  }
}

extension Bitmap {
  /// Returns premultiplied red, green, blue and alpha, scaled along both axes.
  fileprivate func scaled(_ across: PictureAxis, _ down: PictureAxis) -> [SIMD4<Float>] {
    var result: [SIMD4<Float>] = []
    result.reserveCapacity(across.shares.count * down.shares.count)
    var line = [SIMD4<Float>](repeating: .zero, count: width)
    let bytes = pixels.span
    for (top, rowWeights) in down.shares {
      for column in 0..<width { line[column] = .zero }
      for (row, weight) in rowWeights.enumerated() {
        var at = (top + row) * width * 4
        for column in 0..<width {
          let alpha = Float(bytes[at + 3])
          let color = SIMD4(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), 255)
          line[column] += color * (alpha / 255 * weight)
          at += 4
        }
      }
      for (left, weights) in across.shares {
        var color = SIMD4<Float>.zero
        for (column, weight) in weights.enumerated() { color += line[left + column] * weight }
        result.append(color)
      }
    }
    return result
  }
}

/// A grid of colours that is stretched to a size.
private struct PictureGrid {
  let colors: [SIMD4<Float>]
  let columns: Int
  let rows: Int
  let width: Double
  let height: Double

  /// Returns the grid rotated clockwise about the centre of a stamp.
  ///
  /// Converts each colour at once, because colours take four times the memory of pixels.
  func turned(
    cosine: Double, sine: Double, width: Int, height: Int, _ pixel: (SIMD4<Float>) -> UInt32
  ) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (
          Double(column) + 0.5 - Double(width) / 2, Double(row) + 0.5 - Double(height) / 2
        )
        result.append(
          pixel(color(x: x * cosine + y * sine + self.width / 2, y: y * cosine - x * sine + self.height / 2)))
      }
    }
    return result
  }

  /// Returns the colour at a point of the stretched grid; beyond its sides the colour fades out over one pixel.
  private func color(x: Double, y: Double) -> SIMD4<Float> {
    func covered(_ place: Double, _ length: Double) -> Double {
      max(0, min(1, 0.5 + min(place, length - place), length))
    }
    let coverage = covered(x, width) * covered(y, height)
    guard coverage > 0 else { return .zero }
    let across = min(max(x / width * Double(columns) - 0.5, 0), Double(columns - 1))
    let down = min(max(y / height * Double(rows) - 0.5, 0), Double(rows - 1))
    let (column, row) = (Int(exactly: across.rounded(.down)) ?? 0, Int(exactly: down.rounded(.down)) ?? 0)
    let (next, below) = (min(column + 1, columns - 1), min(row + 1, rows - 1))
    let (right, lower) = (Float(across - Double(column)), Float(down - Double(row)))
    let top = colors[row * columns + column] * (1 - right) + colors[row * columns + next] * right
    let bottom = colors[below * columns + column] * (1 - right) + colors[below * columns + next] * right
    return (top * (1 - lower) + bottom * lower) * Float(coverage)
  }
}
