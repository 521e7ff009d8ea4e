/// The kind of geometries, such as those of a table.
public enum GeometryKind: String, Hashable, Sendable {
  /// Points, one per row.
  case point
  /// Any number of points per row.
  case multipoint
  /// Lines: chains of vertices.
  case polyline
  /// Polygons: rings filled by the even-odd rule.
  case polygon

  /// Whether the rows are points, one or any number of them.
  package var isPoints: Bool { self == .point || self == .multipoint }
}

/// The geometries of a table in flat arrays: x and y, and for all kinds but points the ends of parts and rows.
///
/// The layout follows GeoArrow. A row of points is one vertex, NaN when it has no geometry. In the other kinds, row `r`
/// has parts `rowEnds[r-1] ..< rowEnds[r]`, and part `p` has vertices `partEnds[p-1] ..< partEnds[p]`. A row without
/// geometry has no part. Every other coordinate is finite. Rings repeat their first vertex at the end.
///
/// - Cost: 16 bytes per vertex, and 8 more per part and per row; points need only the 16.
package struct CoordinateBuffer: Hashable, Sendable {
  /// The kind of every row.
  package let kind: GeometryKind
  /// The x coordinate of every vertex, to the east.
  package private(set) var x: [Double] = []
  /// The y coordinate of every vertex, to the north.
  package private(set) var y: [Double] = []
  /// For every part the index after its last vertex; empty for points.
  package private(set) var partEnds: [Int] = []
  /// For every row the index after its last part; empty for points.
  package private(set) var rowEnds: [Int] = []

  /// Creates a buffer without rows.
  package init(kind: GeometryKind) { self.kind = kind }

  /// Creates a buffer of rows without geometry.
  package init(kind: GeometryKind, emptyRows: Int) {
    self.kind = kind
    for _ in 0..<emptyRows { appendEmptyRow() }
  }

  /// Creates a buffer of points from their coordinates, which share the memory of the arrays.
  package init(pointsAtX x: [Double], y: [Double]) {
    precondition(x.count == y.count, "coordinates in pairs")
    (kind, self.x, self.y) = (.point, x, y)
  }

  /// Creates a buffer of another kind than points from its flat arrays, which share the memory of the arguments.
  ///
  /// The caller must keep the rules of the buffer: finite coordinates, parts that are not empty, and closed rings.
  package init(kind: GeometryKind, x: [Double], y: [Double], partEnds: [Int], rowEnds: [Int]) {
    precondition(kind != .point && x.count == y.count, "coordinates in pairs")
    precondition(
      (partEnds.last ?? 0) == x.count && (rowEnds.last ?? 0) == partEnds.count, "complete parts and rows")
    (self.kind, self.x, self.y) = (kind, x, y)
    (self.partEnds, self.rowEnds) = (partEnds, rowEnds)
  }

  /// The number of rows, including those without geometry.
  package var rowCount: Int { kind == .point ? x.count : rowEnds.count }
  /// The number of vertices, including the NaN vertices of empty points.
  package var vertexCount: Int { x.count }

  /// Reserves memory for rows and vertices to be appended.
  package mutating func reserve(rows: Int, vertices: Int) {
    x.reserveCapacity(vertices)
    y.reserveCapacity(vertices)
    if kind != .point { rowEnds.reserveCapacity(rows) }
  }

  /// Adds a row of a point buffer.
  package mutating func appendPoint(x: Double, y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  /// Adds a row without geometry.
  package mutating func appendEmptyRow() {
    if kind == .point { appendPoint(x: .nan, y: .nan) } else { rowEnds.append(partEnds.count) }
  }

  /// Adds a vertex to the current part.
  package mutating func appendVertex(x: Double, y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  /// Adds a range of another buffer's vertices to the current part.
  package mutating func appendVertices(_ range: Range<Int>, of source: CoordinateBuffer) {
    x.append(contentsOf: source.x[range])
    y.append(contentsOf: source.y[range])
  }

  /// Ends the current part; a part without vertices is dropped.
  package mutating func endPart() {
    if x.count > (partEnds.last ?? 0) { partEnds.append(x.count) }
  }

  /// Ends the current row.
  package mutating func endRow() { rowEnds.append(partEnds.count) }

  /// Passes the coordinates of all vertices to a closure that may change them.
  package mutating func moveVertices(_ body: (inout MutableSpan<Double>, inout MutableSpan<Double>) -> Void) {
    func lend(_ x: inout [Double], _ y: inout [Double]) {
      var east = x.mutableSpan
      var north = y.mutableSpan
      body(&east, &north)
    }
    lend(&x, &y)
  }

  /// Adds a copy of a row of another buffer of the same kind, not points, whose vertices are written by a closure.
  ///
  /// The closure gets the coordinates of the row, and appends as many.
  package mutating func appendRow(
    _ row: Int, of other: CoordinateBuffer,
    _ write: (Span<Double>, Span<Double>, inout OutputSpan<Double>, inout OutputSpan<Double>) -> Void
  ) {
    precondition(kind == other.kind && kind != .point, "rows of one kind")
    let vertices = other.vertices(ofRow: row)
    let shift = x.count - vertices.lowerBound
    appendVertices(vertices.count) { east, north in
      write(other.x.span.extracting(vertices), other.y.span.extracting(vertices), &east, &north)
    }
    for part in other.parts(ofRow: row) { partEnds.append(other.partEnds[part] + shift) }
    endRow()
  }

  /// Adds vertices to the current part that a closure writes: at most `count`, as many x as y.
  mutating func appendVertices(
    _ count: Int, _ write: (inout OutputSpan<Double>, inout OutputSpan<Double>) -> Void
  ) {
    func lend(_ x: inout [Double], _ y: inout [Double]) {
      x.append(addingCapacity: count) { east in
        y.append(addingCapacity: count) { north in write(&east, &north) }
      }
    }
    lend(&x, &y)
  }

  /// Removes vertices of the current part.
  mutating func removeVertices(from start: Int) {
    x.removeLast(x.count - start)
    y.removeLast(y.count - start)
  }

  /// Replaces the parts of the current row by rings.
  mutating func replaceCurrentRow(by rings: [[PolygonUnion.Place]]) {
    let firstPart = rowEnds.last ?? 0
    removeVertices(from: firstPart == 0 ? 0 : partEnds[firstPart - 1])
    partEnds.removeLast(partEnds.count - firstPart)
    for ring in rings {
      for place in ring { appendVertex(x: place.x, y: place.y) }
      endPart()
    }
  }

  /// Removes all rows and keeps the memory.
  package mutating func removeAll() {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    partEnds.removeAll(keepingCapacity: true)
    rowEnds.removeAll(keepingCapacity: true)
  }

  /// Adds a copy of a row of another buffer of the same kind.
  package mutating func appendRow(_ row: Int, of other: CoordinateBuffer) {
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
  package mutating func append(_ other: CoordinateBuffer) {
    precondition(kind == other.kind, "rows of one kind")
    let (vertices, parts) = (x.count, partEnds.count)
    x += other.x
    y += other.y
    partEnds += other.partEnds.map { $0 + vertices }
    rowEnds += other.rowEnds.map { $0 + parts }
  }

  /// Returns the parts of a row; not valid for points.
  package func parts(ofRow row: Int) -> Range<Int> { (row == 0 ? 0 : rowEnds[row - 1])..<rowEnds[row] }

  /// Returns the vertices of a part; not valid for points.
  package func vertices(ofPart part: Int) -> Range<Int> {
    (part == 0 ? 0 : partEnds[part - 1])..<partEnds[part]
  }

  /// Returns the vertices of a row; for an empty point its NaN vertex.
  package func vertices(ofRow row: Int) -> Range<Int> {
    if kind == .point { return row..<row + 1 }
    let parts = parts(ofRow: row)
    let start = parts.lowerBound == 0 ? 0 : partEnds[parts.lowerBound - 1]
    return parts.isEmpty ? start..<start : start..<partEnds[parts.upperBound - 1]
  }

  /// Returns whether a row has no geometry.
  package func isEmpty(row: Int) -> Bool { kind == .point ? x[row].isNaN : parts(ofRow: row).isEmpty }

  /// Returns the envelope of a row, without a spatial reference; empty when the row has no geometry.
  ///
  /// - Cost: O(vertices of the row).
  package func envelope(ofRow row: Int) -> Envelope {
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
