/// Collects geometries of one kind into a ``CoordinateBuffer`` and holds them to its rules.
///
/// What all readers share: rows before the first geometry are kept open, points turn into multipoints when the first
/// multipoint comes, rings are closed, and lines and rings that are none are refused. A reader begins a row, adds
/// vertices, ends parts, and ends the row.
public struct CoordinateBuilder: Sendable {
  /// The rows so far; of no meaning until ``kind`` is known.
  private var buffer = CoordinateBuffer(kind: .point)
  /// What the rows are; nil until the first one that says so.
  public private(set) var kind: GeometryKind?
  /// Rows added before the kind was known, all empty.
  private var leadingRows = 0
  /// Rows to make room for once the kind is known, of one vertex each.
  private let room: Int
  /// Where the part under way starts.
  private var partStart = 0
  /// Rings that were not closed as given.
  public private(set) var closedRings = 0

  /// A builder without rows.
  public init() { self.init(reserving: 0) }

  /// A builder without rows, with room for some of one vertex each.
  package init(reserving rows: Int) { room = rows }

  /// Number of rows.
  public var rowCount: Int { kind == nil ? leadingRows : buffer.rowCount }

  /// The geometries; nil when no row said what it is.
  public var result: CoordinateBuffer? { kind == nil ? nil : buffer }

  /// Adds a row without geometry.
  public mutating func appendEmptyRow() {
    if kind == nil { leadingRows += 1 } else { buffer.appendEmptyRow() }
  }

  /// Adds all rows of another builder; false, and nothing is added, when they are of another kind.
  public mutating func append(_ other: CoordinateBuilder) -> Bool {
    guard let otherKind = other.kind else {
      for _ in 0..<other.leadingRows { appendEmptyRow() }
      return true
    }
    if kind == nil { begin(otherKind) }
    guard kind == otherKind else { return false }
    buffer.append(other.buffer)
    closedRings += other.closedRings
    partStart = buffer.vertexCount
    return true
  }

  /// Begins a row of a kind.
  ///
  /// - Throws: ``GeometryFault/mixedKinds(table:row:)``; a mix of points and multipoints is none.
  public mutating func beginRow(_ rowKind: GeometryKind) throws(GeometryFault) {
    if kind == nil {
      begin(rowKind)
    } else if kind == .point, rowKind == .multipoint {
      turnIntoMultipoints()
    } else if let kind, kind != rowKind, !(kind == .multipoint && rowKind == .point) {
      throw .mixedKinds(table: kind, row: rowKind)
    }
    partStart = buffer.vertexCount
  }

  private mutating func begin(_ kind: GeometryKind) {
    self.kind = kind
    buffer = CoordinateBuffer(kind: kind, emptyRows: leadingRows)
    if room > 0 { buffer.reserve(rows: room, vertices: room) }
  }

  /// Adds a vertex to the row begun.
  public mutating func addVertex(x: Double, y: Double) throws(GeometryFault) {
    guard x.isFinite, y.isFinite else { throw .notFinite }
    buffer.appendVertex(x: x, y: y)
  }

  /// Ends a line or a ring; one without vertices is dropped.
  ///
  /// - Throws: ``GeometryFault`` for a line of one vertex and for a ring of fewer than three different ones.
  public mutating func endPart() throws(GeometryFault) {
    // Well-known text has parentheses around a point too, but a buffer of points has no parts.
    if kind == .point { return }
    let count = buffer.vertexCount - partStart
    if count > 0, kind == .polyline, count < 2 { throw .lineTooShort(vertices: count) }
    if count > 0, kind == .polygon { try closeRing() }
    buffer.endPart()
    partStart = buffer.vertexCount
  }

  /// Ends a line or a ring, or takes it out when it is none; false when it was taken out.
  ///
  /// For files that other programs took, where one such part is no reason to refuse the rest.
  public mutating func endPartIfSound() -> Bool {
    let start = partStart
    do {
      try endPart()
      return true
    } catch {
      buffer.removeVertices(from: start)
      return false
    }
  }

  /// Ends the row; one without vertices has no geometry.
  public mutating func endRow() {
    if kind == .point {
      if buffer.vertexCount == partStart { buffer.appendEmptyRow() }
    } else {
      buffer.endPart()
      buffer.endRow()
    }
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

  /// Number of different places in the part under way, counted no further than `limit`.
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
public enum GeometryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A row of another kind than those before it.
  case mixedKinds(table: GeometryKind, row: GeometryKind)
  /// A line of fewer than two vertices.
  case lineTooShort(vertices: Int)
  /// A ring of fewer than three different vertices.
  case ringTooShort(vertices: Int)
  /// A coordinate that is infinite or no number.
  case notFinite

  /// The fault, lower case, without a full stop.
  public var description: String {
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
