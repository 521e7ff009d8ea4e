internal import MapGeometry
internal import MapSystem

/// Filling of areas by the even-odd rule, and of letters by the non-zero rule.
///
/// Coverage is exact in rows where the winding number of every pixel is at most 1, as it is for valid areas. Rows
/// where rings overlap by more than a fraction of a pixel are computed with sample lines.
extension PathRaster {
  /// The rule that decides which points are inside rings.
  enum FillRule {
    case evenOdd
    /// Shapes may overlap in the given image rows, by less than the winding numbers of whole pixels show.
    case nonZero(sharedRows: [Range<Int>])
  }

  /// Fills the inside of a row's parts; `origin` is the image row of the first pixel row.
  mutating func fill(
    _ geometry: borrowing CoordinateBuffer, row: Int, rule: FillRule = .evenOdd, ink: CoverageInk,
    origin: Double, over pixels: PixelRows
  ) {
    cover(geometry, row: row, rule: rule, origin: origin) { row, columns, part in
      unsafe ink.lay(part, over: pixels, row: row, columns: columns)
    }
  }

  /// Fills the inside of a row's parts as one of the areas of a batch.
  mutating func fillArea(
    _ geometry: borrowing CoordinateBuffer, row: Int, ink: CoverageInk, origin: Double, over pixels: PixelRows
  ) {
    prepare(geometry, row: row, rule: .evenOdd, origin: origin)
    area.takeAll { row, columns, winding in areas.add(row - 1, columns, min(abs(winding), 1)) }
    unsafe areas.lay(ink, inside: region, top: top, over: pixels)
    areas.endArea()
  }

  /// Excludes the inside of a row's parts from the areas whose neighbours paint beside them.
  mutating func closeArea(_ geometry: borrowing CoordinateBuffer, row: Int, origin: Double) {
    prepare(geometry, row: row, rule: .evenOdd, origin: origin)
    area.takeAll { row, columns, winding in areas.add(row - 1, columns, min(abs(winding), 1)) }
    areas.close()
  }

  /// Calls `body` with runs of pixels of the band and their coverage by the inside of a row's parts.
  @inline(__always)
  mutating func cover(
    _ geometry: borrowing CoordinateBuffer, row: Int, rule: FillRule = .evenOdd, origin: Double,
    _ body: (_ row: Int, _ columns: Range<Int>, _ part: Float) -> Void
  ) {
    prepare(geometry, row: row, rule: rule, origin: origin)
    let height = area.height - 2
    if let region { area.clip(to: region, top: top - 1) }
    area.takeAll { row, columns, winding in
      guard row > 0, row <= height else { return }
      body(row - 1, columns, min(abs(winding), 1))
    }
  }

  /// Adds the edges of a row's parts to the sheet for insides.
  @inline(__always)
  private mutating func prepare(
    _ geometry: borrowing CoordinateBuffer, row: Int, rule: FillRule, origin: Double
  ) {
    // One extra row on either side shows whether rings cross at the border.
    let origin = origin - 1
    gather(geometry, row: row, origin: origin)
    switch rule {
    case .evenOdd:
      for crossed in area.takeCrossedRows() { gather(crossed, geometry, row: row, origin: origin) }
    case .nonZero(let sharedRows):
      let first = Int(clamping: origin)
      let shared = sharedRows.map { ($0.lowerBound - first)..<($0.upperBound - first) }
      for crossed in area.takeCrossedRows(and: shared) {
        gatherWindings(crossed, geometry, row: row, origin: origin)
      }
    }
  }

  @inline(never)
  private mutating func gather(_ geometry: borrowing CoordinateBuffer, row: Int, origin: Double) {
    Self.forEachEdge(geometry, row: row, origin: origin) { a, b in
      if a.y != b.y { area.addEdge(a, b) { _, _ in } }
    }
  }

  /// Computes a pixel row with sample lines.
  private mutating func gather(
    _ pixelRow: Int, _ geometry: borrowing CoordinateBuffer, row: Int, origin: Double
  ) {
    let first = Double(pixelRow)
    for line in 0..<Self.lines { crossings[line].removeAll(keepingCapacity: true) }
    Self.forEachEdge(geometry, row: row, origin: origin) { a, b in
      let (top, bottom) = a.y < b.y ? (a, b) : (b, a)
      guard bottom.y > first, top.y < first + 1 else { return }
      let slope = (bottom.x - top.x) / (bottom.y - top.y)
      for line in 0..<Self.lines {
        let y = first + (Double(line) + 0.5) / Double(Self.lines)
        if top.y <= y, y < bottom.y { crossings[line].append(top.x + (y - top.y) * slope) }
      }
    }
    var count = 0
    for line in 0..<Self.lines { count += crossings[line].count }
    work.crossings += count
    work.bytes = max(work.bytes, 8 * count)
    if count > Self.lines * max(Self.crowdedLine, 4 * area.width) { return gatherCrowded(pixelRow) }
    for line in 0..<Self.lines {
      crossings[line].sort()
      // Rings are closed, so that every line is crossed an even number of times.
      for pair in stride(from: 1, to: crossings[line].count, by: 2) {
        area.addStripe(
          pixelRow, from: crossings[line][pair - 1], to: crossings[line][pair], height: 1 / Double(Self.lines)
        )
      }
    }
  }

  /// The number of crossings of a sample line above which they are not sorted; the limit is at least four per pixel.
  ///
  /// - Source: design decision; sorting takes several times as long above it.
  private static var crowdedLine: Int { 1024 }
  /// The number of steps per pixel to which crossings are rounded on crowded lines.
  private static var stepsPerPixel: Int { 256 }

  /// Processes a pixel row with too many crossings to sort.
  ///
  /// Bits that toggle between outside and inside give the same result in any order.
  private mutating func gatherCrowded(_ pixelRow: Int) {
    let (width, words) = (area.width, Self.stepsPerPixel / 64)
    if toggles.count != width * words {
      toggles = Array(repeating: 0, count: width * words)
      inside = Array(repeating: 0, count: width)
    }
    let limit = Double(width)
    for line in 0..<Self.lines {
      for x in crossings[line] where x < limit {
        let step = Int(clamping: max(x, 0) * Double(Self.stepsPerPixel))
        toggles[step >> 6] ^= 1 << UInt64(step & 63)
      }
      var isInside = false
      for column in 0..<width {
        for index in column * words..<(column + 1) * words {
          let changes = toggles[index]
          toggles[index] = 0
          // Each bit becomes the parity of the bits up to it.
          var bits = changes
          for shift in [1, 2, 4, 8, 16, 32] as [UInt64] { bits ^= bits << shift }
          inside[column] += isInside ? 64 - bits.nonzeroBitCount : bits.nonzeroBitCount
          if !changes.nonzeroBitCount.isMultiple(of: 2) { isInside.toggle() }
        }
      }
    }
    let whole = Double(Self.lines * Self.stepsPerPixel)
    for column in 0..<width where inside[column] > 0 {
      area.addStripe(
        pixelRow, from: Double(column), to: Double(column + 1), height: Double(inside[column]) / whole)
      inside[column] = 0
    }
  }

  /// Calls `edge` with each edge of a row's parts in pixels of the band; each part is closed.
  @inline(__always)
  static func forEachEdge(
    _ geometry: borrowing CoordinateBuffer, row: Int, origin: Double, _ edge: (Place, Place) -> Void
  ) {
    let (x, y) = (geometry.x.span, geometry.y.span)
    for part in geometry.parts(ofRow: row) {
      let vertices = geometry.vertices(ofPart: part)
      guard let end = vertices.last else { continue }
      var last = Place(x[end], y[end] - origin)
      for vertex in vertices {
        let place = Place(x[vertex], y[vertex] - origin)
        edge(last, place)
        last = place
      }
    }
  }
}
