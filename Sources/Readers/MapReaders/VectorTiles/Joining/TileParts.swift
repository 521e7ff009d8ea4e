import MapGeometry

/// The parts of features of one kind of geometry, in the order of their tiles.
struct TileParts: Sendable {
  let kind: GeometryKind
  private var x: [Double] = []
  private var y: [Double] = []
  private var partEnds: [Int] = []
  /// The row of each part.
  private var rows: [Int32] = []
  /// The number of each part's tile.
  private var tiles: [Int32] = []

  init(_ kind: GeometryKind) { self.kind = kind }

  /// The number of vertices of all parts.
  var vertexCount: Int { x.count }

  /// Adds a part.
  mutating func append(_ vertices: [TileVertex], row: Int, tile: Int) {
    for vertex in vertices {
      x.append(vertex.x)
      y.append(vertex.y)
    }
    partEnds.append(x.count)
    rows.append(Int32(truncatingIfNeeded: row))
    tiles.append(Int32(truncatingIfNeeded: tile))
  }

  /// Gives each row its number in a list.
  mutating func renumber(_ numbers: [Int32]) {
    for index in rows.indices { rows[index] = numbers[Int(rows[index])] }
  }

  /// Returns the joined geometries of all rows; nil for none.
  ///
  /// - Parameter side: the length of the side of a tile.
  func buffer(rowCount: Int, side: Double) -> CoordinateBuffer? {
    guard !rows.isEmpty else { return nil }
    // The parts of each row, in order.
    var ends = [Int](repeating: 0, count: rowCount + 1)
    for row in rows { ends[Int(row) + 1] += 1 }
    for row in 0..<rowCount { ends[row + 1] += ends[row] }
    var (next, order) = (ends, [Int](repeating: 0, count: rows.count))
    for part in rows.indices {
      order[next[Int(rows[part])]] = part
      next[Int(rows[part])] += 1
    }
    let isOfSinglePoints = kind == .multipoint && (0..<rowCount).allSatisfy { ends[$0 + 1] - ends[$0] <= 1 }
    var buffer = CoordinateBuffer(kind: isOfSinglePoints ? .point : kind)
    for row in 0..<rowCount {
      let parts = order[ends[row]..<ends[row + 1]]
      guard !parts.isEmpty else {
        buffer.appendEmptyRow()
        continue
      }
      switch kind {
      case .point, .multipoint: appendPoints(parts, to: &buffer)
      case .polyline: append(joined(lines: parts, side), to: &buffer)
      case .polygon: append(joined(rings: parts, side), to: &buffer)
      }
    }
    return buffer
  }

  private func vertices(of part: Int) -> [TileVertex] {
    ((part == 0 ? 0 : partEnds[part - 1])..<partEnds[part]).map { TileVertex(x: x[$0], y: y[$0]) }
  }

  private func appendPoints(_ parts: ArraySlice<Int>, to buffer: inout CoordinateBuffer) {
    let points = parts.map { vertices(of: $0)[0] }
    if buffer.kind == .point, let point = points.first {
      return buffer.appendPoint(x: point.x, y: point.y)
    }
    // Two tiles have the points on their common side.
    var known: Set<TileVertex> = []
    for point in points where known.insert(point).inserted { buffer.appendVertex(x: point.x, y: point.y) }
    buffer.endPart()
    buffer.endRow()
  }

  private func append(_ shapes: [[TileVertex]], to buffer: inout CoordinateBuffer) {
    for shape in shapes {
      for vertex in shape { buffer.appendVertex(x: vertex.x, y: vertex.y) }
      buffer.endPart()
    }
    buffer.endRow()
  }

  private func joined(lines parts: ArraySlice<Int>, _ side: Double) -> [[TileVertex]] {
    var join = LineJoin(side: side)
    for part in parts { join.append(vertices(of: part), tile: Int(tiles[part])) }
    return join.lines()
  }

  private func joined(rings parts: ArraySlice<Int>, _ side: Double) -> [[TileVertex]] {
    var join = RingJoin(side: side)
    for part in parts { join.append(vertices(of: part)) }
    return join.rings()
  }
}
