/// The id picture: for every pixel the layer and row that own it, the last painted one.
///
/// A pixel is owned by the item whose shape holds its centre; there is no anti-aliasing.
///
/// - Cost: 6 bytes a pixel.
public struct IDImage: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// For every pixel, row by row, the index of the layer; -1 where nothing was painted.
  public private(set) var layer: [Int16]
  /// For every pixel, row by row, the row in that layer's table; -1 where nothing was painted.
  public private(set) var row: [Int32]

  /// What owns a pixel.
  public struct Owner: Hashable, Sendable {
    /// The layer's index.
    public let layer: Int
    /// The row in the layer's table.
    public let row: Int

    /// An owner.
    public init(layer: Int, row: Int) { (self.layer, self.row) = (layer, row) }
  }

  /// A picture that nothing owns.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range or the memory is not to be had.
  public init(width: Int, height: Int) throws(BitmapError) {
    let count = try Bitmap.byteCount(width: width, height: height) / 4
    guard canAllocate(bytes: count * 6) else { throw .memory(bytes: count * 6) }
    (self.width, self.height) = (width, height)
    layer = [Int16](repeating: -1, count: count)
    row = [Int32](repeating: -1, count: count)
  }

  /// What owns the pixel; nil where nothing was painted.
  ///
  /// The place must be inside.
  public subscript(x: Int, y: Int) -> Owner? {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the picture")
    let at = y * width + x
    return layer[at] < 0 ? nil : Owner(layer: Int(layer[at]), row: Int(row[at]))
  }

  /// The rows of a layer that own at least one pixel, ascending, each once.
  ///
  /// O(pixels + rows log rows).
  public func rows(ofLayer index: Int) -> [Int] {
    var rows: Set<Int32> = []
    var last: Int32?
    // Neighbours mostly have one owner: asking the set once a run is several times quicker.
    for at in layer.indices where Int(layer[at]) == index && row[at] != last {
      last = row[at]
      rows.insert(row[at])
    }
    return rows.map(Int.init).sorted()
  }

  /// Lays item numbers over whole rows, from row `top` on.
  ///
  /// The low 24 bits of `source` are 0 for nothing, else 1 more than an index into `rows`; numbers beyond its end
  /// change nothing.
  package mutating func overlay(
    from top: Int, items source: Span<UInt32>, layer index: Int16, rows: Span<Int32>
  ) {
    precondition(top >= 0 && source.count <= layer.count - top * width, "rows below the picture")
    let start = top * width
    for at in 0..<source.count {
      let number = Int(source[at] & 0xFF_FFFF)
      if number == 0 || number > rows.count { continue }
      layer[start + at] = index
      row[start + at] = rows[number - 1]
    }
  }
}
