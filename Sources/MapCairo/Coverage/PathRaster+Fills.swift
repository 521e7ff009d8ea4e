internal import MapGeometry

/// Insides of areas, by the even-odd rule.
///
/// What an area covers is exact in rows where it winds about every pixel once at most, as areas do that are valid. Rows
/// where rings lie over each other, as far as they do so by more than a part of a pixel, are told by level lines.
extension PathRaster {
  /// Lays the inside of a row's parts over pixels, of which the first row is the picture's row `origin`.
  mutating func fill(
    _ geometry: borrowing CoordinateBuffer, row: Int, ink: CoverageInk, origin: Double, over pixels: PixelRows
  ) {
    // A row more on either side, which tells whether rings cross at the border.
    let (origin, height) = (origin - 1, area.height - 2)
    gather(geometry, row: row, origin: origin)
    for crossed in area.takeCrossedRows() { gather(crossed, geometry, row: row, origin: origin) }
    area.takeAll { row, columns, winding in
      guard row > 0, row <= height else { return }
      unsafe ink.lay(min(abs(winding), 1), over: pixels, row: row - 1, columns: columns)
    }
  }

  @inline(never)
  private mutating func gather(_ geometry: borrowing CoordinateBuffer, row: Int, origin: Double) {
    Self.forEachEdge(geometry, row: row, origin: origin) { a, b in
      if a.y != b.y { area.addEdge(a, b) { _, _ in } }
    }
  }

  /// Gathers a row of pixels by level lines.
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

  /// Hands out the edges of a row's parts, each part closed, in pixels of the band.
  @inline(__always)
  private static func forEachEdge(
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
