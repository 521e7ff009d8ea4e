import MapGeometry

/// The geometries of a layer while it is read, by type, with the rules of their commands.
///
/// - Source: Mapbox Vector Tile specification 2.1, 4.3.
struct VectorTileGeometries {
  private var points = VectorTileShapes()
  private var lines = VectorTileShapes()
  private var polygons = VectorTileShapes()
  /// The number of vertices that may still be read.
  private(set) var vertexRoom: Int

  /// Creates geometries of no feature, with room for a number of vertices.
  init(vertexRoom: Int) { self.vertexRoom = vertexRoom }

  /// Removes all features, and keeps the memory for the next layer.
  mutating func removeAll() {
    points.removeAll()
    lines.removeAll()
    polygons.removeAll()
  }

  /// The types of geometry.
  enum Kind: UInt64 { case points = 1, lines, polygons }

  /// Departures from the specification that leave a geometry readable.
  struct Remarks: OptionSet {
    let rawValue: UInt8
    static let emptyParts = Remarks(rawValue: 1)
    static let repeatedVertices = Remarks(rawValue: 2)
    static let openRings = Remarks(rawValue: 4)
    static let noExteriorRing = Remarks(rawValue: 8)
    static let splitCommands = Remarks(rawValue: 16)
  }

  /// The numbers of the commands.
  private static var moveTo: UInt32 { 1 }
  private static var lineTo: UInt32 { 2 }
  private static var closePath: UInt32 { 7 }

  /// Adds the geometry of a row from its packed commands; nil for a geometry without any part, which adds no row.
  ///
  /// - Throws: ``VectorTileError`` for commands that cannot be read, and for more vertices than the limit.
  mutating func append(
    _ kind: Kind, row: Int, _ bytes: Span<UInt8>
  ) throws(VectorTileError) -> (kind: GeometryKind, remarks: Remarks)? {
    var remarks: Remarks = []
    switch kind {
    case .points:
      let count = try Self.readPoints(&points, &vertexRoom, bytes, &remarks)
      points.endPoints(row)
      return (count > 1 ? .multipoint : .point, remarks)
    case .lines:
      try Self.readLines(&lines, &vertexRoom, bytes, &remarks)
      return lines.endRow(row) ? (.polyline, remarks) : nil
    case .polygons:
      try Self.readPolygons(&polygons, &vertexRoom, bytes, &remarks)
      return polygons.endRow(row) ? (.polygon, remarks) : nil
    }
  }

  /// Returns a buffer for each type of geometry, each with all rows: polygons, lines, then points, as they are drawn
  /// above each other.
  func buffers(rowCount: Int) -> [CoordinateBuffer] {
    [
      polygons.buffer(.polygon, rowCount: rowCount), lines.buffer(.polyline, rowCount: rowCount),
      points.pointBuffer(rowCount: rowCount),
    ].compactMap { $0 }
  }

  // MARK: Types

  private static func readPoints(
    _ points: inout VectorTileShapes, _ room: inout Int, _ bytes: Span<UInt8>, _ remarks: inout Remarks
  ) throws(VectorTileError) -> Int {
    var commands = VectorTileCommands()
    let start = points.x.count
    while commands.offset < bytes.count {
      let (id, count) = try command(&commands, bytes)
      guard id == moveTo else { throw VectorTileError("\(name(id)) in a point") }
      if points.x.count > start { remarks.insert(.splitCommands) }
      _ = try vertices(count, moveTo, &points, &room, &commands, bytes)
    }
    return points.x.count - start
  }

  private static func readLines(
    _ lines: inout VectorTileShapes, _ room: inout Int, _ bytes: Span<UInt8>, _ remarks: inout Remarks
  ) throws(VectorTileError) {
    var commands = VectorTileCommands()
    func endLine(_ lines: inout VectorTileShapes, _ remarks: inout Remarks) {
      switch lines.openVertices {
      case 0: return
      case 1:
        lines.removePart()
        remarks.insert(.emptyParts)
      default: lines.endPart()
      }
    }
    while commands.offset < bytes.count {
      let (id, count) = try command(&commands, bytes)
      switch id {
      case moveTo:
        endLine(&lines, &remarks)
        try start(count, &lines, &room, &commands, bytes)
      case lineTo:
        if try extend(count, &lines, &room, &commands, bytes, &remarks) { remarks.insert(.repeatedVertices) }
      default: throw VectorTileError("\(name(id)) in a line")
      }
    }
    endLine(&lines, &remarks)
  }

  private static func readPolygons(
    _ rings: inout VectorTileShapes, _ room: inout Int, _ bytes: Span<UInt8>, _ remarks: inout Remarks
  ) throws(VectorTileError) {
    var commands = VectorTileCommands()
    var isFirst = true
    while commands.offset < bytes.count {
      let (id, count) = try command(&commands, bytes)
      switch id {
      case moveTo:
        if rings.openVertices > 0 {
          remarks.insert(.openRings)
          endRing(&rings, &isFirst, &remarks)
        }
        try start(count, &rings, &room, &commands, bytes)
      case lineTo:
        if try extend(count, &rings, &room, &commands, bytes, &remarks) { remarks.insert(.repeatedVertices) }
      default:
        guard count == 1 else { throw VectorTileError("ClosePath with the count \(count) instead of 1") }
        guard rings.openVertices > 0 else { throw VectorTileError("ClosePath without MoveTo before it") }
        endRing(&rings, &isFirst, &remarks)
      }
    }
    guard rings.openVertices > 0 else { return }
    remarks.insert(.openRings)
    endRing(&rings, &isFirst, &remarks)
  }

  /// Closes a ring; removes it if it has no area.
  private static func endRing(
    _ rings: inout VectorTileShapes, _ isFirst: inout Bool, _ remarks: inout Remarks
  ) {
    if !rings.isPartClosed {
      rings.closePart()
    } else if rings.openVertices > 1 {
      remarks.insert(.repeatedVertices)
    }
    let area = rings.doubleArea
    guard area != 0 else {
      rings.removePart()
      remarks.insert(.emptyParts)
      return
    }
    if isFirst, area < 0 { remarks.insert(.noExteriorRing) }
    isFirst = false
    rings.endPart()
  }

  // MARK: Commands

  private static func name(_ id: UInt32) -> String {
    [moveTo: "MoveTo", lineTo: "LineTo", closePath: "ClosePath"][id] ?? "command \(id)"
  }

  @inline(__always)
  private static func command(
    _ commands: inout VectorTileCommands, _ bytes: Span<UInt8>
  ) throws(VectorTileError) -> (id: UInt32, count: Int) {
    guard let number = commands.number(bytes) else {
      throw VectorTileError("its geometry ends within a number")
    }
    let id = number & 7
    guard id == moveTo || id == lineTo || id == closePath else {
      throw VectorTileError("its geometry has the unknown command \(id)")
    }
    return (id, Int(number >> 3))
  }

  /// Starts a line or ring.
  @inline(__always)
  private static func start(
    _ count: Int, _ shapes: inout VectorTileShapes, _ room: inout Int, _ commands: inout VectorTileCommands,
    _ bytes: Span<UInt8>
  ) throws(VectorTileError) {
    guard count == 1 else { throw VectorTileError("MoveTo with the count \(count) instead of 1") }
    _ = try vertices(1, moveTo, &shapes, &room, &commands, bytes)
  }

  /// Adds vertices to a line or ring; returns whether one repeats the vertex before it.
  @inline(__always)
  private static func extend(
    _ count: Int, _ shapes: inout VectorTileShapes, _ room: inout Int, _ commands: inout VectorTileCommands,
    _ bytes: Span<UInt8>, _ remarks: inout Remarks
  ) throws(VectorTileError) -> Bool {
    if shapes.openVertices != 1 {
      guard shapes.openVertices > 0 else { throw VectorTileError("LineTo without MoveTo before it") }
      remarks.insert(.splitCommands)
    }
    return try vertices(count, lineTo, &shapes, &room, &commands, bytes)
  }

  @inline(__always)
  private static func vertices(
    _ count: Int, _ id: UInt32, _ shapes: inout VectorTileShapes, _ room: inout Int,
    _ commands: inout VectorTileCommands, _ bytes: Span<UInt8>
  ) throws(VectorTileError) -> Bool {
    guard count > 0 else { throw VectorTileError("\(name(id)) with the count 0") }
    // A vertex takes at least two bytes, so a false count cannot reserve memory.
    guard count <= (bytes.count - commands.offset) / 2 else {
      throw VectorTileError("\(name(id)) with the count \(count), but fewer vertices follow")
    }
    guard count <= room else { throw VectorTileError("its vertices are more than the limit of a tile") }
    room -= count
    guard let repeats = shapes.append(count, &commands, bytes) else {
      throw VectorTileError("\(name(id)) with the count \(count), but fewer vertices follow")
    }
    return repeats
  }
}
