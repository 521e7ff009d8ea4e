import MapImages

/// The image of a comparison: differing pixels in red, and those that differ within the tolerance in blue.
struct DifferencePicture {
  let picture: Bitmap
  /// The areas with differing pixels, those with most pixels first.
  let spots: [PixelRectangle]
  /// The number of pixels that differ within the tolerance.
  let slightPixels: Int

  private static let slight = PixelColor(red: 30, green: 90, blue: 230)
  /// The side of the cells whose neighbours belong to one area, in pixels.
  private static let cell = 16
  /// The largest number of cells of an area in each direction: 64 pixels, which fit on a screen at 800 %.
  private static let blockSide = 4
  private static let largestCount = 50

  /// Marks the differences of two images; nil if they have different sizes or do not differ at all.
  init?(_ expected: Bitmap, _ actual: Bitmap, _ difference: ImageDifference?) {
    let (width, height) = (actual.width, actual.height)
    guard expected.width == width, expected.height == height else { return nil }
    var picture = difference?.picture ?? Self.faded(actual)
    let (columns, rows) = ((width + Self.cell - 1) / Self.cell, (height + Self.cell - 1) / Self.cell)
    var (strong, slight) = (
      [Int](repeating: 0, count: columns * rows), [Int](repeating: 0, count: columns * rows)
    )
    var count = 0
    let (old, new) = (expected.pixels, actual.pixels)
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + x) * 4
        let cell = y / Self.cell * columns + x / Self.cell
        if difference?.differs(x: x, y: y) ?? false {
          strong[cell] += 1
        } else if old[at] != new[at] || old[at + 1] != new[at + 1] || old[at + 2] != new[at + 2]
          || old[at + 3] != new[at + 3]
        {
          picture[x, y] = Self.slight
          slight[cell] += 1
          count += 1
        }
      }
    }
    let cells = strong.contains { $0 > 0 } ? strong : slight
    guard cells.contains(where: { $0 > 0 }) else { return nil }
    (self.picture, slightPixels) = (picture, count)
    spots = Self.areas(of: cells, columns: columns, rows: rows, width: width, height: height)
  }

  /// Returns an image in light grey tones.
  private static func faded(_ image: Bitmap) -> Bitmap {
    var faded = image
    for y in 0..<image.height {
      for x in 0..<image.width {
        let color = image[x, y]
        let grey = UInt8((Int(color.red) * 2 + Int(color.green) * 5 + Int(color.blue)) / 8)
        let light = UInt8(230 + Int(grey) / 11)
        faded[x, y] = PixelColor(red: light, green: light, blue: light)
      }
    }
    return faded
  }

  /// Returns the boxes of groups of neighbouring cells that are not empty.
  ///
  /// Large groups are divided into blocks, so that a view of the middle of a box shows a difference.
  private static func areas(
    of cells: [Int], columns: Int, rows: Int, width: Int, height: Int
  ) -> [PixelRectangle] {
    var open = Set(cells.indices.filter { cells[$0] > 0 })
    var found: [(count: Int, box: PixelRectangle)] = []
    for start in open.sorted() where open.contains(start) {
      var (stack, group) = ([start], [start])
      open.remove(start)
      while let cell = stack.popLast() {
        let (x, y) = (cell % columns, cell / columns)
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (1, -1), (-1, 1)]
        where (0..<columns).contains(x + dx) && (0..<rows).contains(y + dy) {
          let next = (y + dy) * columns + x + dx
          guard open.remove(next) != nil else { continue }
          stack.append(next)
          group.append(next)
        }
      }
      for block in blocks(of: group, columns: columns) {
        let (xs, ys) = (block.map { $0 % columns }, block.map { $0 / columns })
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
          continue
        }
        let (x, y) = (left * Self.cell, top * Self.cell)
        let box = PixelRectangle(
          x: x, y: y, width: min(width, (right + 1) * Self.cell) - x,
          height: min(height, (bottom + 1) * Self.cell) - y)
        found.append((block.reduce(0) { $0 + cells[$1] }, box))
      }
    }
    let sorted = found.enumerated().sorted { (-$0.element.count, $0.offset) < (-$1.element.count, $1.offset) }
    return sorted.prefix(largestCount).map(\.element.box)
  }

  /// Returns the cells of a group in blocks of at most four by four cells, from the top left corner of the group.
  private static func blocks(of group: [Int], columns: Int) -> [[Int]] {
    let left = group.map { $0 % columns }.min() ?? 0
    let top = group.map { $0 / columns }.min() ?? 0
    let blocks = Dictionary(grouping: group) { cell in
      [(cell / columns - top) / blockSide, (cell % columns - left) / blockSide]
    }
    return blocks.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }
}
