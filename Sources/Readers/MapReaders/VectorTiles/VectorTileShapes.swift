import MapGeometry

/// The geometries of one type in a layer, in flat arrays, while the layer is read.
struct VectorTileShapes {
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  /// For every part the index after its last vertex; unused for points.
  private(set) var partEnds: [Int] = []
  /// For every feature the index after its last part; for points, after its last vertex.
  private(set) var ends: [Int] = []
  /// The row of every feature among those of all types.
  private(set) var rows: [Int] = []
  /// The index of the first vertex of the current part.
  private(set) var partStart = 0

  /// The number of vertices in the current part.
  var openVertices: Int { x.count - partStart }

  /// Adds vertices relative to the position of the commands; nil if the bytes end too early.
  ///
  /// - Returns: whether a vertex repeats the one before it.
  @inline(__always)
  mutating func append(
    _ count: Int, _ commands: inout VectorTileCommands, _ bytes: Span<UInt8>
  ) -> Bool? {
    var (isCut, repeats) = (false, false)
    x.append(addingCapacity: count) { east in
      y.append(addingCapacity: count) { north in
        for _ in 0..<count {
          guard let dx = commands.number(bytes), let dy = commands.number(bytes) else {
            isCut = true
            return
          }
          repeats = repeats || dx | dy == 0
          commands.move(dx, dy)
          east.append(Double(commands.x))
          north.append(Double(commands.y))
        }
      }
    }
    return isCut ? nil : repeats
  }

  /// Removes all features, and keeps the memory for the next layer.
  mutating func removeAll() {
    guard !x.isEmpty else { return }
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    partEnds.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    partStart = 0
  }

  /// Ends the current part.
  mutating func endPart() {
    partStart = x.count
    partEnds.append(partStart)
  }

  /// Removes the vertices of the current part.
  mutating func removePart() {
    x.removeLast(openVertices)
    y.removeLast(y.count - partStart)
  }

  /// Whether the current part ends where it starts.
  var isPartClosed: Bool { x[partStart] == x[x.count - 1] && y[partStart] == y[y.count - 1] }

  /// Adds the first vertex of the current part to its end.
  mutating func closePart() {
    x.append(x[partStart])
    y.append(y[partStart])
  }

  /// Twice the area of the current part, which must be closed: positive for an exterior ring.
  ///
  /// - Source: the surveyor's formula in tile coordinates, relative to the first vertex.
  /// - Error: none for coordinates below 2^25, else rounding.
  var doubleArea: Double {
    let (x, y) = (x.span, y.span)
    let (x0, y0) = (x[partStart], y[partStart])
    var (area, ax, ay) = (0.0, 0.0, 0.0)
    for index in partStart..<x.count {
      let (bx, by) = (x[index] - x0, y[index] - y0)
      area += ax * by - bx * ay
      (ax, ay) = (bx, by)
    }
    return area
  }

  /// Ends a feature; returns false, and adds no row, if it has no part.
  mutating func endRow(_ row: Int) -> Bool {
    guard partEnds.count > ends.last ?? 0 else { return false }
    ends.append(partEnds.count)
    rows.append(row)
    return true
  }

  /// Ends a feature of points.
  mutating func endPoints(_ row: Int) {
    partStart = x.count
    ends.append(partStart)
    rows.append(row)
  }

  /// Returns the lines or polygons as a buffer of all rows of the layer; nil for none.
  func buffer(_ kind: GeometryKind, rowCount: Int) -> CoordinateBuffer? {
    guard !rows.isEmpty else { return nil }
    return CoordinateBuffer(
      kind: kind, x: x.copied(), y: y.copied(), partEnds: partEnds.copied(),
      rowEnds: Self.spread(ends, rows, rowCount))
  }

  /// Returns the points as a buffer of all rows of the layer; nil for none.
  func pointBuffer(rowCount: Int) -> CoordinateBuffer? {
    guard !rows.isEmpty else { return nil }
    if x.count > rows.count {
      let parts = Array(1...rows.count)
      return CoordinateBuffer(
        kind: .multipoint, x: x.copied(), y: y.copied(), partEnds: ends.copied(),
        rowEnds: Self.spread(parts, rows, rowCount))
    }
    if rows.count == rowCount { return CoordinateBuffer(pointsAtX: x.copied(), y: y.copied()) }
    var (allX, allY) = (
      [Double](repeating: .nan, count: rowCount), [Double](repeating: .nan, count: rowCount)
    )
    for (index, row) in rows.enumerated() { (allX[row], allY[row]) = (x[index], y[index]) }
    return CoordinateBuffer(pointsAtX: allX, y: allY)
  }

  /// Returns the ends of all rows; rows of other types are empty.
  private static func spread(_ ends: [Int], _ rows: [Int], _ rowCount: Int) -> [Int] {
    guard rows.count < rowCount else { return ends.copied() }
    var all: [Int] = []
    all.reserveCapacity(rowCount)
    for (index, row) in rows.enumerated() {
      let last = all.last ?? 0
      while all.count < row { all.append(last) }
      all.append(ends[index])
    }
    let last = all.last ?? 0
    while all.count < rowCount { all.append(last) }
    return all
  }
}

extension Array {
  /// Returns a copy in memory of its own, exactly as large, so that the array can be filled again.
  func copied() -> [Element] {
    var copy: [Element] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
