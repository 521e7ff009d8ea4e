/// A distance field in samples that are close enough for thin strokes.
struct GlyphField {
  /// The number of samples in a row, and of rows.
  private(set) var width: Int
  private(set) var height: Int
  /// The distances; ``edge`` is the edge, and ``slope`` is a pixel.
  private(set) var values: [Double]
  /// The samples per pixel.
  let density: Int

  static let edge = 191.25
  static let slope = 32.0

  /// The largest field in pixels that has several samples per pixel.
  ///
  /// - Source: design decision; letters have up to 40 by 40 pixels.
  private static let refinedSize = 8192

  /// Reads the field of a glyph, with one more pixel on each side that is outside.
  init(_ glyph: GlyphFile.Glyph) {
    let columns = glyph.width + 2 * GlyphFile.Glyph.border
    (width, height) = (columns + 2, glyph.height + 2 * GlyphFile.Glyph.border + 2)
    values = Array(repeating: 0, count: width * height)
    for (index, value) in glyph.field.enumerated() {
      values[(index / columns + 1) * width + index % columns + 1] = Double(value)
    }
    density = width * height <= Self.refinedSize ? 4 : 1
    guard density > 1 else { return }
    refine()
    transpose()
    refine()
    transpose()
  }

  private mutating func transpose() {
    var turned: [Double] = []
    turned.reserveCapacity(values.count)
    for x in 0..<width {
      for y in 0..<height { turned.append(values[y * width + x]) }
    }
    (values, width, height) = (turned, height, width)
  }

  /// Adds samples between those of each row.
  ///
  /// Between two samples the distance continues from both sides. Where the sides meet above the straight line between
  /// the samples, there is the middle of a stroke; where they meet below it, there is the middle of a gap.
  private mutating func refine() {
    var refined: [Double] = []
    let newWidth = (width - 1) * density + 1
    refined.reserveCapacity(newWidth * height)
    for y in 0..<height {
      let row = values[y * width..<(y + 1) * width]
      func value(_ x: Int) -> Double { row[row.startIndex + min(max(x, 0), width - 1)] }
      for x in 0..<width - 1 {
        let (a, b) = (value(x), value(x + 1))
        let rise = min(max(a - value(x - 1), -Self.slope), Self.slope)
        let fall = min(max(b - value(x + 2), -Self.slope), Self.slope)
        for step in 0..<density {
          let share = Double(step) / Double(density)
          let straight = a + (b - a) * share
          let (left, right) = (a + rise * share, b + fall * (1 - share))
          if left > straight, right > straight {
            refined.append(min(left, right))
          } else if left < straight, right < straight {
            refined.append(max(left, right))
          } else {
            refined.append(straight)
          }
        }
      }
      refined.append(value(width - 1))
    }
    (values, width) = (refined, newWidth)
  }
}
