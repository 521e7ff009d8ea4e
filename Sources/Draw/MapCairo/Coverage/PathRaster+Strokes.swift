internal import MapDrawing
internal import MapGeometry
internal import MapModel

/// Strokes: exact, except where parts of a stroke meet or cross; there they are sampled, and every area counts
/// once. Those of small convex rings are exact everywhere.
extension PathRaster {
  /// Paints the stroke of a row's parts; `origin` is the image row of the first pixel row.
  ///
  /// - Parameter sides: the bounding sides of the row, if they are known.
  mutating func stroke(
    _ geometry: borrowing CoordinateBuffer, row: Int, isClosed: Bool, stroke: SolidStroke, origin: Double,
    sides: PathSides? = nil, over pixels: PixelRows
  ) {
    let (outline, ink) = (stroke.outline, stroke.ink)
    let parts = geometry.parts(ofRow: row)
    if geometry.vertices(ofRow: row).count > Self.longStroke {
      return unsafe layLong(geometry, parts, isClosed: isClosed, stroke: stroke, origin: origin, over: pixels)
    }
    read(
      geometry, parts, isClosed: isClosed, stroke: stroke, origin: origin,
      sides: parts.count == 1 ? sides : nil)
    defer { note() }
    let isSimple = segments.isSimple
    if !isSimple, !stroke.isHalo, segments.isSmallConvexRing {
      edges.removeAll(keepingCapacity: true)
      outline.appendEdges(ofConvex: segments.parts[0], segments, to: &edges)
      gatherSimple()
      return unsafe laySimple(ink, over: pixels)
    }
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

  /// The number of vertices above which a stroke is never processed as a whole.
  ///
  /// Its outline would need some 300 bytes for each.
  ///
  /// - Source: design decision; 40 MB.
  static let longStroke = 1 << 17
  /// The number of vertices of such a stroke that are read at once.
  private static let readAtOnce = 1 << 14
  /// The approximate bytes of samples of such a stroke that are used at once.
  private static let sampleBytes = 64 << 20

  private mutating func read(
    _ geometry: borrowing CoordinateBuffer, _ parts: Range<Int>, isClosed: Bool, stroke: SolidStroke,
    origin: Double, sides: PathSides? = nil
  ) {
    segments.read(
      geometry, parts: parts, isClosed: isClosed, halfWidth: stroke.outline.halfWidth, reach: stroke.reach,
      top: origin, height: Double(sheet.height), sides: sides, keepsSmall: !stroke.isHalo)
  }

  /// Records the memory that the current stroke takes.
  private mutating func note() { work.bytes = max(work.bytes, byteCount) }

  /// The bytes of memory for the vertices and samples of strokes.
  var byteCount: Int {
    segments.byteCount + edges.capacity * MemoryLayout<StrokeEdge>.stride + shared.byteCount
  }

  /// Paints a stroke with very many vertices by samples alone.
  ///
  /// Groups of parts and of rows are sampled one after another, so that memory depends on the longest part and the
  /// image. Reading stops once all pixels are covered.
  @inline(never)
  private mutating func layLong(
    _ geometry: borrowing CoordinateBuffer, _ parts: Range<Int>, isClosed: Bool, stroke: SolidStroke,
    origin: Double, over pixels: PixelRows
  ) {
    let height = sheet.height
    let rowsAtOnce = max(1, Self.sampleBytes / (sheet.width * 4 * (SharedPixels.rowsOfSamples + 1)))
    for top in stride(from: 0, to: height, by: rowsAtOnce) {
      shared.beginSharingAll(rows: top..<min(top + rowsAtOnce, height))
      var first = parts.lowerBound
      while first < parts.upperBound, !shared.isFull {
        var (end, vertices) = (first, 0)
        repeat {
          vertices += geometry.vertices(ofPart: end).count
          end += 1
        } while end < parts.upperBound && vertices < Self.readAtOnce
        read(geometry, first..<end, isClosed: isClosed, stroke: stroke, origin: origin)
        addPieces(stroke.outline)
        note()
        first = end
      }
      unsafe laySampled(stroke.ink, over: pixels)
    }
  }

  /// Paints a stroke that overlaps itself nearly everywhere, by samples alone.
  @inline(never)
  private mutating func layDense(_ outline: StrokeOutline, _ ink: CoverageInk, over pixels: PixelRows) {
    shared.beginSharingAll(rows: segments.rows)
    addPieces(outline)
    unsafe laySampled(ink, over: pixels)
  }

  /// Samples the pieces of all parts that were read, until everything is covered.
  private mutating func addPieces(_ outline: StrokeOutline) {
    var count = 0
    // References are counted once, and not for each part.
    let segments = segments
    for (index, part) in segments.parts.enumerated() {
      // Checked only now and then, because it takes a pass over the rows.
      if index % 256 == 255, shared.isFull { break }
      outline.forEachPiece(of: part, segments) {
        shared.add($0)
        count &+= 1
      }
    }
    work.pieces += count
  }

  private mutating func laySampled(_ ink: CoverageInk, over pixels: PixelRows) {
    guard let region else {
      return shared.takeAll { row, column, coverage in
        unsafe ink.lay(coverage, over: pixels, row: row, column: column)
        if joinsAreas { areas.lay(ink, coverage, row: row, columns: column..<column + 1) }
      }
    }
    shared.takeAll { row, column, coverage in
      guard region.contains(column: column, row: row + top) else { return }
      unsafe ink.lay(coverage, over: pixels, row: row, column: column)
      if joinsAreas { areas.lay(ink, coverage, row: row, columns: column..<column + 1) }
    }
  }

  /// Adds edges that overlap no other part of the stroke.
  @inline(never)
  private mutating func gatherSimple() {
    for edge in edges { sheet.addEdge(edge.a, edge.b) { _, _ in } }
  }

  @inline(never)
  private mutating func laySimple(_ ink: CoverageInk, over pixels: PixelRows) {
    if let region { sheet.clip(to: region, top: top) }
    sheet.takeAll { row, columns, winding in
      unsafe ink.lay(min(abs(winding), 1), over: pixels, row: row, columns: columns)
      if joinsAreas { areas.lay(ink, min(abs(winding), 1), row: row, columns: columns) }
    }
  }

  @inline(never)
  private mutating func gatherShared(_ outline: StrokeOutline) {
    // References are counted once, and not for each edge and part.
    let segments = segments
    shared.begin(segments: segments.segments.count + 1)
    for edge in edges {
      // No segment is apart from an edge inside the stroke.
      let isInside = edge.segment == StrokeEdge.inside
      let segment = isInside ? segments.segments.count : edge.segment
      let apartFrom = isInside ? segment + 1 : segments.segments[segment].apartFrom
      sheet.addEdge(edge.a, edge.b) { row, columns in
        shared.touch(row, columns, by: segment, apartFrom: apartFrom)
      }
    }
    guard shared.isNeeded, shared.makeRoom() else { return }
    var count = 0
    for part in segments.parts {
      outline.forEachPiece(of: part, segments) {
        shared.add($0)
        count &+= 1
      }
    }
    work.pieces += count
  }

  @inline(never)
  private mutating func layShared(_ ink: CoverageInk, over pixels: PixelRows) {
    guard let region else {
      return sheet.takeAll { row, columns, winding in
        func lay(_ coverage: Float, _ columns: Range<Int>) {
          unsafe ink.lay(coverage, over: pixels, row: row, columns: columns)
          if joinsAreas { areas.lay(ink, coverage, row: row, columns: columns) }
        }
        var start = columns.lowerBound
        while start < columns.upperBound {
          let column = shared.nextShared(row, start..<columns.upperBound)
          if start < column { lay(min(abs(winding), 1), start..<column) }
          if column < columns.upperBound {
            lay(shared.coverage(row, column) ?? min(abs(winding), 1), column..<column + 1)
          }
          start = column + 1
        }
      }
    }
    sheet.takeAll { row, columns, winding in
      for column in columns {
        // Also asked outside the region, because a fully covered pixel would stay marked.
        let coverage = shared.coverage(row, column) ?? min(abs(winding), 1)
        guard region.contains(column: column, row: row + top) else { continue }
        unsafe ink.lay(coverage, over: pixels, row: row, column: column)
        if joinsAreas { areas.lay(ink, coverage, row: row, columns: column..<column + 1) }
      }
    }
  }
}
