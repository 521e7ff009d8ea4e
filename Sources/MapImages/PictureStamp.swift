/// A picture made ready to be laid down on whole pixels: scaled, turned and premultiplied.
///
/// - Source: ours: a triangle as wide as a pixel of the result is in the picture, but a pixel of the picture at least. So
///   small results show no moiré, large ones no steps, and a picture at its own size is left as it is.
package struct PictureStamp: Sendable {
  /// Pixels in a row.
  package let width: Int
  /// Number of rows.
  package let height: Int
  /// Premultiplied alpha, red, green and blue from the highest byte down, row by row.
  package let pixels: [UInt32]

  /// A picture scaled to a size in pixels, which need not be whole, and turned clockwise about its middle, which is the
  /// stamp's; sides cover the part of a pixel that they do.
  ///
  /// - Parameters:
  ///   - turn: cosine and sine of the angle.
  ///   - opacity: what alpha is multiplied by, 0 to 1.
  /// - Cost: about twice the pixels of picture and stamp together; 16 bytes a pixel of the stamp meanwhile.
  package init(
    _ picture: Bitmap, width: Double, height: Double, turn: (cosine: Double, sine: Double) = (1, 0),
    opacity: Double = 1
  ) {
    let (cosine, sine) = turn
    let (width, height) = (Self.bounded(width), Self.bounded(height))
    // A rounding error must not make a stamp a pixel larger.
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

  /// The bytes of a colour.
  private static func pixel(_ color: SIMD4<Float>, _ opacity: Double) -> UInt32 {
    func channel(_ value: Float) -> UInt32 { UInt32(exactly: value) ?? 0 }
    let value = (color * Float(opacity) + 0.5).clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
      .rounded(.down)
    return channel(value.w) << 24 | channel(value.x) << 16 | channel(value.y) << 8 | channel(value.z)
  }

  /// A side in pixels that a stamp can have: a smaller one would not be seen, a larger one is beyond all pictures.
  private static func bounded(_ length: Double) -> Double {
    // NaN compares false.
    length > 0x1p-10 ? min(length, Double(Bitmap.maximumSide)) : 0x1p-10
  }
}

/// Which pixels of a picture make each pixel of a stamp along one axis.
private struct PictureAxis {
  /// The first pixel of the picture and the weights from there on, which are together what is covered.
  let shares: [(first: Int, weights: [Float])]

  /// `count` pixels of a picture onto so many, of which they cover a length in the middle.
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
  /// Premultiplied red, green, blue and alpha, scaled along both axes.
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

/// Colours in a grid that is stretched to a size.
private struct PictureGrid {
  let colors: [SIMD4<Float>]
  let columns: Int
  let rows: Int
  let width: Double
  let height: Double

  /// The grid rotated clockwise about the centre of a stamp, each colour converted at once, since colours take four
  /// times the memory of pixels.
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

  /// The colour at a place of the stretched grid; beyond its sides it fades out over a pixel.
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
