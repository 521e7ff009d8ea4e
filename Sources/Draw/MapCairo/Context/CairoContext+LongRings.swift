internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// Painting of areas with very many vertices.
///
/// Cairo would need time proportional to the square of their number: it sorts the edges of each row one by one, and
/// clips by computing every crossing of rings.
extension CairoContext {
  /// The number of vertices above which an area is not passed to Cairo as one path.
  ///
  /// - Source: design decision; clipping with a ring of so many random vertices takes a fifth of a second.
  static var longRings: Int { 2048 }

  /// Fills the pixels whose centres are inside a row's parts, without anti-aliasing; clears the path.
  ///
  /// - Cost: one pass over the vertices for each pixel row.
  func fillCentres(_ geometry: CoordinateBuffer, row: Int, box: PathSides, window: BandWindow) {
    let (x, y) = (geometry.x.span, geometry.y.span)
    let top = max(box.top.rounded(.down), window.origin)
    let bottom = min(box.bottom.rounded(.up), window.bottom)
    var crossings: [Double] = []
    for line in stride(from: top + 0.5, to: bottom, by: 1) {
      crossings.removeAll(keepingCapacity: true)
      for part in geometry.parts(ofRow: row) {
        let vertices = geometry.vertices(ofPart: part)
        guard var last = vertices.last else { continue }
        for vertex in vertices {
          if (y[last] <= line) != (y[vertex] <= line) {
            let share = (line - y[last]) / (y[vertex] - y[last])
            crossings.append(x[last] + (x[vertex] - x[last]) * share)
          }
          last = vertex
        }
      }
      crossings.sort()
      newPath()
      // Touching runs are merged.
      var (start, end) = (0.0, 0.0)
      for pair in Swift.stride(from: 1, to: crossings.count, by: 2) {
        let first = max((crossings[pair - 1] - 0.5).rounded(.up), 0)
        let last = min((crossings[pair] - 0.5).rounded(.up), window.width)
        guard first < last else { continue }
        if first > end {
          if start < end { rectangle(x: start, y: line - 0.5, width: end - start, height: 1) }
          start = first
        }
        end = last
      }
      if start < end { rectangle(x: start, y: line - 0.5, width: end - start, height: 1) }
      fill()
    }
    newPath()
  }
}

/// Hatching of areas with very many vertices.
extension PathRaster {
  /// Hatches the inside of a row's parts: Cairo draws the lines, the coverage raster the inside.
  mutating func paint(
    _ hatch: Hatch, _ geometry: CoordinateBuffer, row: Int, box: PathSides, window: BandWindow,
    on context: borrowing CairoContext
  ) throws(CairoError) {
    let lines = try CairoSurface(width: sheet.width, height: sheet.height, format: .alpha8)
    try lines.draw { pen in
      pen.prepare(for: window)
      pen.setColor(red: 0, green: 0, blue: 0)
      pen.strokeLines(of: hatch, box)
    }
    var shown = Array(repeating: UInt8(0), count: lines.width * lines.height)
    try unsafe lines.withCoverage { coverage in
      cover(geometry, row: row, origin: window.origin) { row, columns, part in
        for column in columns {
          let line = unsafe Float(coverage.bytes[row * coverage.stride + column])
          shown[row * lines.width + column] = UInt8(clamping: Double(line * part + 0.5))
        }
      }
      for row in 0..<lines.height {
        for column in 0..<lines.width {
          unsafe coverage.bytes[row * coverage.stride + column] = shown[row * lines.width + column]
        }
      }
    }
    context.setColor(hatch.color)
    context.mask(lines, y: window.origin)
  }
}
