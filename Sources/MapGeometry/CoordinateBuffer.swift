/// What the rows of a ``CoordinateBuffer`` are.
public enum GeometryKind: String, Hashable, Sendable {
  /// One place a row.
  case point
  /// Any number of places a row.
  case multipoint
  /// Chains of vertices.
  case polyline
  /// Rings, inside by the even-odd rule.
  case polygon
}

/// The geometries of a table in flat arrays: x, y, and for all but points the ends of parts and of rows.
///
/// The order is GeoArrow's. A row of points is one vertex, NaN when it has no geometry. In the other kinds, row `r`
/// holds parts `rowEnds[r-1] ..< rowEnds[r]`, part `p` holds vertices `partEnds[p-1] ..< partEnds[p]`, and a row
/// without geometry holds no part. Every coordinate is finite. Rings repeat their first vertex at the end.
///
/// - Cost: 16 bytes a vertex, 8 more a part and a row; points only the 16.
public struct CoordinateBuffer: Hashable, Sendable {
  /// What each row is.
  public let kind: GeometryKind
  /// East of every vertex.
  public private(set) var x: [Double] = []
  /// North of every vertex.
  public private(set) var y: [Double] = []
  /// For every part the index after its last vertex; empty for points.
  public private(set) var partEnds: [Int] = []
  /// For every row the index after its last part; empty for points.
  public private(set) var rowEnds: [Int] = []

  /// A buffer without rows.
  public init(kind: GeometryKind) { self.kind = kind }

  /// A buffer of rows without geometry.
  package init(kind: GeometryKind, emptyRows: Int) {
    self.kind = kind
    for _ in 0..<emptyRows { appendEmptyRow() }
  }

  /// Number of rows, those without geometry included.
  public var rowCount: Int { kind == .point ? x.count : rowEnds.count }
  /// Number of vertices, the NaN places of empty points included.
  public var vertexCount: Int { x.count }

  /// Makes room for what will be appended.
  public mutating func reserve(rows: Int, vertices: Int) {
    x.reserveCapacity(vertices)
    y.reserveCapacity(vertices)
    if kind != .point { rowEnds.reserveCapacity(rows) }
  }

  /// Adds a row of a point buffer.
  public mutating func appendPoint(x: Double, y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  /// Adds a row without geometry.
  public mutating func appendEmptyRow() {
    if kind == .point { appendPoint(x: .nan, y: .nan) } else { rowEnds.append(partEnds.count) }
  }

  /// Adds a vertex to the part under way.
  public mutating func appendVertex(x: Double, y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  /// Adds a run of another buffer's vertices to the part under way.
  public mutating func appendVertices(_ range: Range<Int>, of source: CoordinateBuffer) {
    x.append(contentsOf: source.x[range])
    y.append(contentsOf: source.y[range])
  }

  /// Ends the part under way; one without vertices is dropped.
  public mutating func endPart() {
    if x.count > (partEnds.last ?? 0) { partEnds.append(x.count) }
  }

  /// Ends the row under way.
  public mutating func endRow() { rowEnds.append(partEnds.count) }

  /// Lends the coordinates of all vertices, to be changed.
  package mutating func moveVertices(_ body: (inout MutableSpan<Double>, inout MutableSpan<Double>) -> Void) {
    func lend(_ x: inout [Double], _ y: inout [Double]) {
      var east = x.mutableSpan
      var north = y.mutableSpan
      body(&east, &north)
    }
    lend(&x, &y)
  }

  /// Takes vertices of the part under way out again.
  mutating func removeVertices(from start: Int) {
    x.removeLast(x.count - start)
    y.removeLast(y.count - start)
  }

  /// Takes all rows out and keeps the room.
  public mutating func removeAll() {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    partEnds.removeAll(keepingCapacity: true)
    rowEnds.removeAll(keepingCapacity: true)
  }

  /// Adds a copy of a row of another buffer of the same kind.
  public mutating func appendRow(_ row: Int, of other: CoordinateBuffer) {
    precondition(kind == other.kind, "rows of one kind")
    let vertices = other.vertices(ofRow: row)
    let shift = x.count - vertices.lowerBound
    x.append(contentsOf: other.x[vertices])
    y.append(contentsOf: other.y[vertices])
    guard kind != .point else { return }
    for part in other.parts(ofRow: row) { partEnds.append(other.partEnds[part] + shift) }
    endRow()
  }

  /// Adds copies of all rows of another buffer of the same kind.
  public mutating func append(_ other: CoordinateBuffer) {
    precondition(kind == other.kind, "rows of one kind")
    let (vertices, parts) = (x.count, partEnds.count)
    x += other.x
    y += other.y
    partEnds += other.partEnds.map { $0 + vertices }
    rowEnds += other.rowEnds.map { $0 + parts }
  }

  /// The parts of a row; not for points.
  public func parts(ofRow row: Int) -> Range<Int> { (row == 0 ? 0 : rowEnds[row - 1])..<rowEnds[row] }

  /// The vertices of a part; not for points.
  public func vertices(ofPart part: Int) -> Range<Int> {
    (part == 0 ? 0 : partEnds[part - 1])..<partEnds[part]
  }

  /// The vertices of a row; for an empty point its one NaN vertex.
  public func vertices(ofRow row: Int) -> Range<Int> {
    if kind == .point { return row..<row + 1 }
    let parts = parts(ofRow: row)
    let start = parts.lowerBound == 0 ? 0 : partEnds[parts.lowerBound - 1]
    return parts.isEmpty ? start..<start : start..<partEnds[parts.upperBound - 1]
  }

  /// True when the row has no geometry.
  public func isEmpty(row: Int) -> Bool { kind == .point ? x[row].isNaN : parts(ofRow: row).isEmpty }

  /// The envelope of a row, without a reference; empty when the row has no geometry.
  ///
  /// O(vertices of the row).
  public func envelope(ofRow row: Int) -> Envelope {
    let range = vertices(ofRow: row)
    let (x, y) = (x.span, y.span)
    guard let first = range.first, !x[first].isNaN else { return .empty }
    var (x0, y0, x1, y1) = (x[first], y[first], x[first], y[first])
    for index in range.dropFirst() {
      x0 = min(x0, x[index])
      x1 = max(x1, x[index])
      y0 = min(y0, y[index])
      y1 = max(y1, y[index])
    }
    return Envelope(xMin: x0, yMin: y0, xMax: x1, yMax: y1)
  }
}
