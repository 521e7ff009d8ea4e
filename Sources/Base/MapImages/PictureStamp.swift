/// An image prepared for drawing on whole pixels: scaled, rotated and premultiplied.
///
/// - Source: design decision. The filter is a triangle whose half-width is one result pixel, but at least one source
///   pixel. So small results show no moiré, large ones show no steps, and an image at its own size is unchanged.
package struct PictureStamp: Sendable {
  /// The columns of the stamp whose pixels are present.
  package let columns: Range<Int>
  /// The rows of the stamp whose pixels are present.
  package let rows: Range<Int>
  /// The number of columns whose pixels are present.
  package var width: Int { columns.count }
  /// The number of rows whose pixels are present.
  package var height: Int { rows.count }
  /// The pixels row by row: premultiplied alpha, red, green and blue from the highest byte down.
  package let pixels: [UInt32]

  /// Scales an image to a size in pixels and rotates it clockwise about its centre, which becomes the stamp's centre.
  ///
  /// The size need not be whole; a side that ends inside a pixel covers that pixel in part.
  ///
  /// - Parameters:
  ///   - turn: cosine and sine of the rotation angle.
  ///   - opacity: the factor for alpha, 0 to 1.
  ///   - part: the columns and rows to prepare, within the size of the stamp; all by default.
  /// - Cost: about twice the pixels of image and part together; temporarily 16 bytes per pixel of the part, or of the
  ///   smallest upright rectangle around a rotated part.
  package init(
    _ picture: Bitmap, width: Double, height: Double, turn: (cosine: Double, sine: Double) = (1, 0),
    opacity: Double = 1, part: (columns: Range<Int>, rows: Range<Int>)? = nil
  ) {
    let (cosine, sine) = turn
    let whole = Self.size(width: width, height: height, turn: turn)
    let (width, height) = (Self.bounded(width), Self.bounded(height))
    columns = part?.columns.clamped(to: 0..<whole.width) ?? 0..<whole.width
    rows = part?.rows.clamped(to: 0..<whole.height) ?? 0..<whole.height
    guard !columns.isEmpty, !rows.isEmpty else {
      pixels = []
      return
    }
    if cosine == 1, sine == 0 {
      pixels = picture.scaled(
        PictureAxis(picture.width, onto: whole.width, covering: width, part: columns),
        PictureAxis(picture.height, onto: whole.height, covering: height, part: rows)
      ).map { Self.pixel($0, opacity) }
    } else {
      let grid = PictureGrid(
        picture, width: width, height: height, turn: turn, stamp: whole, columns: columns, rows: rows)
      pixels = grid.turned { Self.pixel($0, opacity) }
    }
  }

  /// Returns the number of pixels in a row and the number of rows of a stamp.
  package static func size(
    width: Double, height: Double, turn: (cosine: Double, sine: Double)
  ) -> (width: Int, height: Int) {
    let (cosine, sine) = turn
    let (width, height) = (bounded(width), bounded(height))
    // A rounding error must not make a stamp one pixel larger.
    func whole(_ length: Double) -> Int { max(1, Int(exactly: (length - 1e-9).rounded(.up)) ?? 1) }
    if cosine == 1, sine == 0 { return (whole(width), whole(height)) }
    return (
      whole(abs(width * cosine) + abs(height * sine)), whole(abs(width * sine) + abs(height * cosine))
    )
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

  /// Maps `count` image pixels to a length in the middle of `whole` stamp pixels, for the pixels in `part`.
  init(_ count: Int, onto whole: Int, covering length: Double, part: Range<Int>) {
    let start = (Double(whole) - length) / 2
    let ratio = Double(count) / length
    let reach = max(ratio, 1)
    shares = part.map { place in
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

/// A grid of colours that is stretched to a size and rotated about the centre of a stamp.
private struct PictureGrid {
  private let colors: [SIMD4<Float>]
  /// The number of columns and rows of the whole grid.
  private let columns: Int
  private let rows: Int
  /// The columns and rows whose colours are present.
  private let across: Range<Int>
  private let down: Range<Int>
  private let width: Double
  private let height: Double
  private let turn: (cosine: Double, sine: Double)
  private let stamp: (width: Int, height: Int)
  /// The columns and rows of the stamp that are wanted.
  private let part: (columns: Range<Int>, rows: Range<Int>)

  init(
    _ picture: Bitmap, width: Double, height: Double, turn: (cosine: Double, sine: Double),
    stamp: (width: Int, height: Int), columns: Range<Int>, rows: Range<Int>
  ) {
    (self.width, self.height, self.turn, self.stamp, part) = (width, height, turn, stamp, (columns, rows))
    self.columns = max(1, Int(exactly: width.rounded()) ?? 1)
    self.rows = max(1, Int(exactly: height.rounded()) ?? 1)
    // The corners of the part span all points of the grid that it needs; each takes two neighbours.
    let corners = [
      (columns.lowerBound, rows.lowerBound), (columns.upperBound, rows.lowerBound),
      (columns.lowerBound, rows.upperBound), (columns.upperBound, rows.upperBound),
    ].map { Self.point(column: $0, row: $1, turn, stamp, width, height) }
    func needed(_ values: [Double], _ length: Double, _ count: Int) -> Range<Int> {
      let low = ((values.min() ?? 0) / length * Double(count)).rounded(.down) - 2
      let high = ((values.max() ?? 0) / length * Double(count)).rounded(.up) + 2
      let first = min(max(Int(exactly: low) ?? 0, 0), count - 1)
      return first..<max(first + 1, min(Int(exactly: high) ?? count, count))
    }
    across = needed(corners.map(\.x), width, self.columns)
    down = needed(corners.map(\.y), height, self.rows)
    colors = picture.scaled(
      PictureAxis(picture.width, onto: self.columns, covering: Double(self.columns), part: across),
      PictureAxis(picture.height, onto: self.rows, covering: Double(self.rows), part: down))
  }

  /// Returns the point of the stretched grid at the centre of a pixel of the stamp.
  private static func point(
    column: Int, row: Int, _ turn: (cosine: Double, sine: Double), _ stamp: (width: Int, height: Int),
    _ width: Double, _ height: Double
  ) -> (x: Double, y: Double) {
    let (x, y) = (
      Double(column) + 0.5 - Double(stamp.width) / 2, Double(row) + 0.5 - Double(stamp.height) / 2
    )
    return (x * turn.cosine + y * turn.sine + width / 2, y * turn.cosine - x * turn.sine + height / 2)
  }

  /// Returns the grid rotated clockwise.
  ///
  /// Converts each colour at once, because colours take four times the memory of pixels.
  func turned(_ pixel: (SIMD4<Float>) -> UInt32) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(part.columns.count * part.rows.count)
    for row in part.rows {
      for column in part.columns {
        let (x, y) = Self.point(column: column, row: row, turn, stamp, width, height)
        result.append(pixel(color(x: x, y: y)))
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
    let x = min(max(x / width * Double(columns) - 0.5, 0), Double(columns - 1))
    let y = min(max(y / height * Double(rows) - 0.5, 0), Double(rows - 1))
    let (column, row) = (Int(exactly: x.rounded(.down)) ?? 0, Int(exactly: y.rounded(.down)) ?? 0)
    let (next, below) = (min(column + 1, columns - 1), min(row + 1, rows - 1))
    func color(_ column: Int, _ row: Int) -> SIMD4<Float> {
      colors[(row - down.lowerBound) * across.count + column - across.lowerBound]
    }
    let (right, lower) = (Float(x - Double(column)), Float(y - Double(row)))
    let top = color(column, row) * (1 - right) + color(next, row) * right
    let bottom = color(column, below) * (1 - right) + color(next, below) * right
    return (top * (1 - lower) + bottom * lower) * Float(coverage)
  }
}
