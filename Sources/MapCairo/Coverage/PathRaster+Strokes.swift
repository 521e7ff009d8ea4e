internal import MapDrawing
internal import MapGeometry
internal import MapModel

/// Strokes: exact but where parts of a stroke meet or cross; there they are sampled, so that no place counts twice.
extension PathRaster {
  /// Lays the stroke of a row's parts over pixels, of which the first row is the picture's row `origin`.
  mutating func stroke(
    _ geometry: borrowing CoordinateBuffer, row: Int, isClosed: Bool, stroke: SolidStroke, origin: Double,
    over pixels: PixelRows
  ) {
    let (outline, ink) = (stroke.outline, stroke.ink)
    segments.read(
      geometry, row: row, isClosed: isClosed, halfWidth: outline.halfWidth, reach: stroke.reach, top: origin,
      height: Double(sheet.height))
    let isSimple = segments.isSimple
    if !isSimple, outline.halfWidth < 2, segments.isDense {
      return unsafe layDense(outline, ink, over: pixels)
    }
    edges.removeAll(keepingCapacity: true)
    for part in segments.parts { outline.appendEdges(of: part, segments, to: &edges) }
    if isSimple {
      gatherSimple()
      unsafe laySimple(ink, over: pixels)
    } else {
      gatherShared(outline)
      unsafe layShared(ink, over: pixels)
    }
  }

  /// A stroke that lies over itself nearly everywhere, by samples alone.
  @inline(never)
  private mutating func layDense(_ outline: StrokeOutline, _ ink: CoverageInk, over pixels: PixelRows) {
    shared.beginSharingAll()
    for part in segments.parts { outline.forEachPiece(of: part, segments) { shared.add($0) } }
    shared.takeAll { row, column, coverage in
      unsafe ink.lay(coverage, over: pixels, row: row, column: column)
    }
  }

  /// Gathers edges of which none lies over another part of the stroke.
  @inline(never)
  private mutating func gatherSimple() {
    for edge in edges { sheet.addEdge(edge.a, edge.b) { _, _ in } }
  }

  @inline(never)
  private mutating func laySimple(_ ink: CoverageInk, over pixels: PixelRows) {
    sheet.takeAll { row, columns, winding in
      unsafe ink.lay(min(abs(winding), 1), over: pixels, row: row, columns: columns)
    }
  }

  @inline(never)
  private mutating func gatherShared(_ outline: StrokeOutline) {
    shared.begin(segments: segments.segments.count + 1)
    for edge in edges {
      // No segment is apart from the last of all.
      let isInside = edge.segment == StrokeEdge.inside
      let segment = isInside ? segments.segments.count : edge.segment
      let apartFrom = isInside ? segment + 1 : segments.segments[segment].apartFrom
      sheet.addEdge(edge.a, edge.b) { row, columns in
        shared.touch(row, columns, by: segment, apartFrom: apartFrom)
      }
    }
    guard shared.isNeeded, shared.makeRoom() else { return }
    for part in segments.parts { outline.forEachPiece(of: part, segments) { shared.add($0) } }
  }

  @inline(never)
  private mutating func layShared(_ ink: CoverageInk, over pixels: PixelRows) {
    sheet.takeAll { row, columns, winding in
      for column in columns {
        let coverage = shared.coverage(row, column) ?? min(abs(winding), 1)
        unsafe ink.lay(coverage, over: pixels, row: row, column: column)
      }
    }
  }
}
