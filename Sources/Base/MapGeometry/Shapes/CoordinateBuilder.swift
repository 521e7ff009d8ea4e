/// Collects geometries in a ``CoordinateBuffer`` of one kind, or one for each kind, and enforces its rules.
///
/// All readers share it. The kind stays open until the first geometry. Points become multipoints at the first
/// multipoint. Rings are closed, and invalid lines and rings are refused. A reader begins a row, adds vertices, ends
/// parts, and ends the row.
package struct CoordinateBuilder: Sendable {
  /// The rows so far, of the kind of the last row; not valid until ``kind`` is known.
  private var buffer = CoordinateBuffer(kind: .point)
  /// The kind of the last row that has one; nil until a first row has one.
  package private(set) var kind: GeometryKind?
  /// The buffers of the other kinds, with as many rows; a row is empty in all buffers but one.
  private var others: [CoordinateBuffer] = []
  /// Whether rows of several kinds are collected; otherwise they are refused.
  private let allowsSeveralKinds: Bool
  /// The number of empty rows added before the kind was known.
  private var leadingRows = 0
  /// The number of rows, of one vertex each, to reserve memory for once the kind is known.
  private let room: Int
  /// The index of the first vertex of the current part.
  private var partStart = 0
  /// The number of rings that were not closed in the input.
  package private(set) var closedRings = 0
  /// The index after the last part of each polygon of the current row.
  private var polygonEnds: [Int] = []
  /// The number of rows with polygons that overlap, which were joined.
  package private(set) var joinedRows = 0
  /// The number of rows with polygons that overlap, which could not be joined.
  package private(set) var overlappingRows = 0

  /// Creates a builder without rows.
  package init() { self.init(reserving: 0) }

  /// Creates a builder without rows that collects each kind of geometry in a buffer of its own.
  package init(allowsSeveralKinds: Bool, reserving rows: Int = 0) {
    (room, self.allowsSeveralKinds) = (rows, allowsSeveralKinds)
  }

  /// Creates a builder without rows that reserves memory for rows of one vertex each.
  package init(reserving rows: Int) { (room, allowsSeveralKinds) = (rows, false) }

  /// The number of rows.
  package var rowCount: Int { kind == nil ? leadingRows : buffer.rowCount }

  /// The geometries, of several kinds only the first; nil when no row has a kind.
  package var result: CoordinateBuffer? { others.isEmpty ? kind == nil ? nil : buffer : results.first }

  /// The geometries of each kind: polygons, lines, then points, as they are drawn above each other.
  package var results: [CoordinateBuffer] {
    guard kind != nil else { return [] }
    let order: [GeometryKind] = [.polygon, .polyline, .multipoint, .point]
    return ([buffer] + others).sorted {
      order.firstIndex(of: $0.kind) ?? 0 < order.firstIndex(of: $1.kind) ?? 0
    }
  }

  /// Adds a row without geometry.
  package mutating func appendEmptyRow() {
    if kind == nil { leadingRows += 1 } else { buffer.appendEmptyRow() }
    endOtherRows()
  }

  /// Adds the empty row of the other kinds.
  private mutating func endOtherRows() {
    for index in others.indices { others[index].appendEmptyRow() }
  }

  /// Adds all rows of another builder; returns false, and adds no rows, when they are of another kind.
  package mutating func append(_ other: CoordinateBuilder) -> Bool {
    guard let otherKind = other.kind else {
      for _ in 0..<other.leadingRows { appendEmptyRow() }
      return true
    }
    if kind == nil { begin(otherKind) }
    guard kind == otherKind, others.isEmpty, other.others.isEmpty else { return false }
    buffer.append(other.buffer)
    addCounts(of: other)
    partStart = buffer.vertexCount
    return true
  }

  /// Adds all rows of another builder, of any kinds.
  ///
  /// - Cost: for rows of several kinds, and of points among multipoints, a pass over their vertices.
  /// - Throws: ``GeometryFault/mixedKinds(table:row:)`` for a builder of one kind.
  package mutating func appendRows(of other: CoordinateBuilder) throws(GeometryFault) {
    guard !append(other) else { return }
    let buffers = other.results
    for row in 0..<other.rowCount {
      guard let source = buffers.first(where: { !$0.isEmpty(row: row) }) else {
        appendEmptyRow()
        continue
      }
      try beginRow(source.kind)
      if source.kind == .point {
        try addVertex(x: source.x[row], y: source.y[row])
      } else {
        for part in source.parts(ofRow: row) {
          for vertex in source.vertices(ofPart: part) {
            try addVertex(x: source.x[vertex], y: source.y[vertex])
          }
          try endPart()
        }
      }
      endRow()
    }
    addCounts(of: other)
  }

  /// Removes all rows; the kind of the rows, and what warnings count, stay.
  package mutating func forgetRows() {
    buffer = CoordinateBuffer(kind: buffer.kind)
    for index in others.indices { others[index] = CoordinateBuffer(kind: others[index].kind) }
    (leadingRows, partStart) = (0, 0)
  }

  private mutating func addCounts(of other: CoordinateBuilder) {
    closedRings += other.closedRings
    joinedRows += other.joinedRows
    overlappingRows += other.overlappingRows
  }

  /// Begins a row of a kind.
  ///
  /// - Throws: ``GeometryFault/mixedKinds(table:row:)``; points and multipoints may be mixed.
  package mutating func beginRow(_ rowKind: GeometryKind) throws(GeometryFault) {
    if kind == nil {
      begin(rowKind)
    } else if kind == .point, rowKind == .multipoint {
      turnIntoMultipoints()
    } else if let kind, kind != rowKind, !(kind == .multipoint && rowKind == .point) {
      guard allowsSeveralKinds else { throw .mixedKinds(table: kind, row: rowKind) }
      change(to: rowKind)
    }
    partStart = buffer.vertexCount
  }

  /// Continues with the buffer of another kind.
  private mutating func change(to kind: GeometryKind) {
    let index = others.firstIndex { $0.kind == kind || kind.isPoints && $0.kind.isPoints }
    if let index {
      swap(&buffer, &others[index])
    } else {
      others.append(buffer)
      buffer = CoordinateBuffer(kind: kind, emptyRows: buffer.rowCount)
    }
    self.kind = buffer.kind
    if buffer.kind == .point, kind == .multipoint { turnIntoMultipoints() }
  }

  private mutating func begin(_ kind: GeometryKind) {
    self.kind = kind
    buffer = CoordinateBuffer(kind: kind, emptyRows: leadingRows)
    if room > 0 { buffer.reserve(rows: room, vertices: room) }
  }

  /// Adds a row of one point; returns false, and adds none, before the first point, after other kinds, and if it is not finite.
  package mutating func appendPointAmongPoints(x: Double, y: Double) -> Bool {
    guard kind == .point, others.isEmpty, x.isFinite, y.isFinite else { return false }
    buffer.appendVertex(x: x, y: y)
    partStart = buffer.vertexCount
    return true
  }

  /// Adds a vertex to the current row.
  package mutating func addVertex(x: Double, y: Double) throws(GeometryFault) {
    guard x.isFinite, y.isFinite else { throw .notFinite }
    buffer.appendVertex(x: x, y: y)
  }

  /// Adds vertices to the current row that a closure writes, at most `count`, and returns their number.
  ///
  /// The closure must write as many x as y, all of them finite.
  package mutating func addVertices(
    _ count: Int, _ write: (inout OutputSpan<Double>, inout OutputSpan<Double>) -> Void
  ) -> Int {
    let before = buffer.vertexCount
    buffer.appendVertices(count, write)
    return buffer.vertexCount - before
  }

  /// Ends a line or a ring; a part without vertices is dropped.
  ///
  /// - Throws: ``GeometryFault`` for a line of one vertex and for a ring of fewer than three different vertices.
  package mutating func endPart() throws(GeometryFault) {
    // Well-known text puts parentheses around a point too, but a buffer of points has no parts.
    if kind == .point { return }
    let count = buffer.vertexCount - partStart
    if count > 0, kind == .polyline, count < 2 { throw .lineTooShort(vertices: count) }
    if count > 0, kind == .polygon { try closeRing() }
    buffer.endPart()
    partStart = buffer.vertexCount
  }

  /// Ends a line or a ring, or removes it when it is invalid; returns false when it was removed.
  ///
  /// It is for files that other programs accept, where one invalid part is no reason to refuse the rest.
  package mutating func endPartIfSound() -> Bool {
    let start = partStart
    do {
      try endPart()
      return true
    } catch {
      buffer.removeVertices(from: start)
      return false
    }
  }

  /// Ends a polygon of a row of several, whose interiors are joined where they overlap; does nothing in other rows.
  ///
  /// Without it, all rings of the row are filled by one even-odd rule, as Esri's formats do.
  package mutating func endPolygon() {
    if kind == .polygon { polygonEnds.append(buffer.partEnds.count) }
  }

  /// The warnings about polygons of one row that overlap.
  package var overlapWarnings: [String] {
    func warning(_ rows: Int, _ text: String) -> [String] {
      rows == 0
        ? []
        : ["\(rows == 1 ? "1 geometry" : "\(rows) geometries"): polygons of one feature overlap; \(text)"]
    }
    return warning(joinedRows, "they were read as their union")
      + warning(overlappingRows, "they could not be joined, and common areas of two are left out")
  }

  private mutating func joinPolygons() {
    var start = buffer.rowEnds.last ?? 0
    let polygons = polygonEnds.compactMap { end -> Range<Int>? in
      defer { start = end }
      return start < end ? start..<end : nil
    }
    guard polygons.count > 1 else { return }
    switch buffer.overlap(of: polygons) {
    case .none: break
    case .joined(let rings):
      buffer.replaceCurrentRow(by: rings)
      joinedRows += 1
    case .unknown: overlappingRows += 1
    }
  }

  /// Ends the row; a row without vertices has no geometry.
  package mutating func endRow() {
    if polygonEnds.count > 1 { joinPolygons() }
    polygonEnds.removeAll(keepingCapacity: true)
    if kind == .point {
      if buffer.vertexCount == partStart { buffer.appendEmptyRow() }
    } else {
      buffer.endPart()
      buffer.endRow()
    }
    endOtherRows()
    partStart = buffer.vertexCount
  }

  private mutating func closeRing() throws(GeometryFault) {
    let (x, y) = (buffer.x[partStart], buffer.y[partStart])
    let distinct = distinctVertices(upTo: 3)
    guard distinct == 3 else { throw .ringTooShort(vertices: distinct) }
    guard buffer.x[buffer.vertexCount - 1] != x || buffer.y[buffer.vertexCount - 1] != y else { return }
    buffer.appendVertex(x: x, y: y)
    closedRings += 1
  }

  /// Returns the number of different vertices in the current part, counted up to `limit`.
  private func distinctVertices(upTo limit: Int) -> Int {
    var found: [Int] = []
    for index in partStart..<buffer.vertexCount
    where !found.contains(where: { buffer.x[$0] == buffer.x[index] && buffer.y[$0] == buffer.y[index] }) {
      found.append(index)
      if found.count == limit { break }
    }
    return found.count
  }

  private mutating func turnIntoMultipoints() {
    var multipoints = CoordinateBuffer(kind: .multipoint)
    multipoints.reserve(rows: buffer.rowCount, vertices: buffer.vertexCount)
    for row in 0..<buffer.rowCount {
      if !buffer.isEmpty(row: row) { multipoints.appendVertex(x: buffer.x[row], y: buffer.y[row]) }
      multipoints.endPart()
      multipoints.endRow()
    }
    (buffer, kind) = (multipoints, .multipoint)
  }
}

/// A geometry that breaks the rules of a ``CoordinateBuffer``.
package enum GeometryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A row of another kind than the rows before it.
  case mixedKinds(table: GeometryKind, row: GeometryKind)
  /// A line of fewer than two vertices.
  case lineTooShort(vertices: Int)
  /// A ring of fewer than three different vertices.
  case ringTooShort(vertices: Int)
  /// A coordinate that is infinite or NaN.
  case notFinite

  /// The fault, lower case, without a full stop.
  package var description: String {
    switch self {
    case .mixedKinds(let table, let row):
      "a \(row.rawValue) among \(table.rawValue)s: a table holds one kind of geometry, so split the data by kind"
    case .lineTooShort(let vertices):
      "a polyline of \(vertices == 1 ? "one vertex" : "\(vertices) vertices"): a line needs two"
    case .ringTooShort(let vertices):
      "a polygon of \(vertices == 1 ? "one vertex" : "two vertices"): a ring needs three different ones"
    case .notFinite: "a coordinate must be a finite number"
    }
  }
}
