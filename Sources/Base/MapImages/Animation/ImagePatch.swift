package import MapSystem

/// The part of an image that differs from the image before it in an animation.
package struct ImagePatch: Sendable {
  /// The column of the left side, which is even, as WebP wants it.
  package let x: Int
  /// The row of the top side, which is even.
  package let y: Int
  /// The pixels of the part.
  package let pixels: Bitmap
  /// Whether transparent pixels stay as they were; otherwise all pixels of the part are replaced.
  package let isBlended: Bool

  /// Creates the part of a first image: the whole image.
  package init(_ image: Bitmap) {
    (x, y, pixels, isBlended) = (0, 0, image, false)
  }

  /// Creates the smallest part with all changes; without any, one pixel that stays.
  ///
  /// Pixels that stay become transparent if all changed pixels are opaque, because equal pixels take fewest bytes.
  /// - Throws: `MapStateError` if the images differ in size, or memory runs out.
  package init(from old: Bitmap, to new: Bitmap) throws(MapStateError) {
    guard old.width == new.width, old.height == new.height else {
      throw MapStateError(
        .input,
        "the images of an animation have one size, and \(new.width)x\(new.height) follows "
          + "\(old.width)x\(old.height)")
    }
    let (columns, rows) = Self.changes(from: old, to: new)
    let (before, after) = (old.pixels.span, new.pixels.span)
    let stride = new.width * 4
    func isSame(_ at: Int) -> Bool {
      before[at] == after[at] && before[at + 1] == after[at + 1] && before[at + 2] == after[at + 2]
        && before[at + 3] == after[at + 3]
    }
    var isBlended = true
    for row in rows where isBlended {
      for at in Swift.stride(
        from: row * stride + columns.lowerBound * 4, to: row * stride + columns.upperBound * 4, by: 4)
      where after[at + 3] != 255 && !isSame(at) {
        isBlended = false
        break
      }
    }
    var part = [UInt8](repeating: 0, count: columns.count * rows.count * 4)
    var target = 0
    for row in rows {
      for at in Swift.stride(
        from: row * stride + columns.lowerBound * 4, to: row * stride + columns.upperBound * 4, by: 4)
      {
        if !isBlended || !isSame(at) {
          for channel in 0..<4 { part[target + channel] = after[at + channel] }
        }
        target += 4
      }
    }
    (x, y, self.isBlended) = (columns.lowerBound, rows.lowerBound, isBlended)
    pixels = try Bitmap(width: columns.count, height: rows.count, pixels: part)
  }

  /// Returns the columns and rows with all changes, from even numbers on; the first pixel without any.
  private static func changes(from old: Bitmap, to new: Bitmap) -> (columns: Range<Int>, rows: Range<Int>) {
    let (before, after) = (old.pixels.span, new.pixels.span)
    let stride = new.width * 4
    var (left, right, top, bottom) = (stride, 0, new.height, 0)
    for row in 0..<new.height {
      let end = (row + 1) * stride
      var first = row * stride
      while first < end, before[first] == after[first] { first += 1 }
      guard first < end else { continue }
      var last = end - 1
      while before[last] == after[last] { last -= 1 }
      (left, right) = (min(left, first - row * stride), max(right, last - row * stride))
      (top, bottom) = (min(top, row), row + 1)
    }
    guard bottom > 0 else { return (0..<1, 0..<1) }
    return (left / 8 * 2..<right / 4 + 1, top / 2 * 2..<bottom)
  }
}
