import MapSystem

/// An id image: for every pixel, the layer and row of the feature painted last.
///
/// A pixel belongs to the item whose shape contains its centre. There is no anti-aliasing.
///
/// - Cost: 6 bytes per pixel.
package struct IDImage: Hashable, Sendable {
  /// The number of pixels in a row.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The layer index of every pixel, row by row; -1 where nothing was painted.
  package private(set) var layer: [Int16]
  /// The row number of every pixel in that layer's table, row by row; -1 where nothing was painted.
  package private(set) var row: [Int32]

  /// The layer and row that own a pixel.
  package struct Owner: Hashable, Sendable {
    /// The index of the layer.
    package let layer: Int
    /// The row in the layer's table.
    package let row: Int

    /// Creates an owner.
    package init(layer: Int, row: Int) { (self.layer, self.row) = (layer, row) }
  }

  /// Creates an image whose pixels have no owner.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range or memory runs out.
  package init(width: Int, height: Int) throws(BitmapError) {
    let count = try Bitmap.byteCount(width: width, height: height) / 4
    guard canAllocate(bytes: count * 6) else { throw .memory(bytes: count * 6) }
    (self.width, self.height) = (width, height)
    layer = [Int16](repeating: -1, count: count)
    row = [Int32](repeating: -1, count: count)
  }

  /// The owner of a pixel, which must be inside the image; nil where nothing was painted.
  package subscript(x: Int, y: Int) -> Owner? {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the image")
    let at = y * width + x
    return layer[at] < 0 ? nil : Owner(layer: Int(layer[at]), row: Int(row[at]))
  }

  /// Returns the rows of a layer that own at least one pixel, ascending and without duplicates.
  ///
  /// - Cost: O(pixels + rows log rows).
  package func rows(ofLayer index: Int) -> [Int] {
    var rows: Set<Int32> = []
    var last: Int32?
    // Neighbours mostly have the same owner: one set lookup per run is several times faster.
    for at in layer.indices where Int(layer[at]) == index && row[at] != last {
      last = row[at]
      rows.insert(row[at])
    }
    return rows.map(Int.init).sorted()
  }

  /// Overlays item numbers on whole rows, from row `top` on.
  ///
  /// The low 24 bits of each `source` value are 0 for no item, else 1 more than an index into `rows`. Numbers beyond
  /// the end of `rows` change nothing.
  package mutating func overlay(
    from top: Int, items source: Span<UInt32>, layer index: Int16, rows: Span<Int32>
  ) {
    precondition(top >= 0 && source.count <= layer.count - top * width, "rows below the image")
    let start = top * width
    for at in 0..<source.count {
      let number = Int(source[at] & 0xFF_FFFF)
      if number == 0 || number > rows.count { continue }
      layer[start + at] = index
      row[start + at] = rows[number - 1]
    }
  }
}
