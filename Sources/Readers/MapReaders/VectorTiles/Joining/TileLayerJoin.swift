import MapFeatures
import MapGeometry

/// A layer of all tiles of a zoom level, joined from the layers of the tiles.
///
/// Pieces outside their tile, in its buffer, are left out, and others are clipped to it. Those with an id, a kind of
/// geometry and values in common are one feature: polygons are joined along the sides of the tiles, lines at their ends,
/// points that are on a side are kept once. Features without ids stay in pieces.
///
/// - Source: Mapbox Vector Tile specification 2.1; a zoom level of the same is one table in MapLibre's
///   `querySourceFeatures` too, which leaves the pieces to its callers.
package struct TileLayerJoin: Sendable {
  /// The numbers of what was joined.
  package struct Counts: Hashable, Sendable {
    /// The pieces of all tiles, as they are in the tiles.
    package var pieces = 0
    /// The pieces that are in the buffer of their tile only.
    package var outside = 0
    /// The pieces without an id that a side of their tile cuts.
    package var cutWithoutID = 0
    /// The features that share their id with one of another kind of geometry or other values.
    package var sharedIDs = 0
    /// The features.
    package var features = 0
  }

  /// The name of the layer.
  package let name: String
  /// The numbers so far.
  package private(set) var counts = Counts()
  private let zoom: Int
  private let limits: VectorTileLimits
  /// The extent of the first tile, in whose units the positions of all are.
  private var extent: Int?
  private var tileCount = 0
  private var fields: [String] = []
  private var fieldIndexes: [ExactText: Int32] = [:]
  private var values: [VectorTileValue] = []
  private var valueIndexes: [ExactValue: Int32] = [:]
  private var rows: [FeatureKey: Int] = [:]
  private var idUses: [UInt64: Int] = [:]
  private var ids: [UInt64] = []
  private var rowsWithoutID: [Int] = []
  private var tags = VectorTileTags()
  private var parts: [TileParts] = [.init(.polygon), .init(.polyline), .init(.multipoint)]
  private var pointsOnSides: Set<PointKey> = []

  /// The properties that the pieces of one feature have in common.
  private struct FeatureKey: Hashable {
    let id: UInt64
    let kind: Int
    let pairs: [VectorTileTags.Pair]
  }

  /// A point without id on the side of a tile; the number distinguishes equal ones in a tile.
  private struct PointKey: Hashable {
    let vertex: TileVertex
    let pairs: [VectorTileTags.Pair]
    let number: Int
  }

  /// Creates a join of no tiles.
  ///
  /// - Parameter limits: the limits on all tiles together.
  package init(name: String, zoom: Int, limits: VectorTileLimits = .ofLevel) {
    (self.name, self.zoom, self.limits) = (name, zoom, limits)
  }

  /// Adds the layer of a tile.
  ///
  /// - Throws: ``VectorTileError`` for more features, vertices or values than the limits.
  package mutating func append(_ layer: VectorTileLayer, column: Int, row: Int) throws(VectorTileError) {
    let extent = extent ?? layer.extent
    self.extent = extent
    let fieldCodes = layer.fields.map { code($0) }
    var valueCodes = [Int32](repeating: -1, count: layer.values.count)
    var numbers: [PointKey: Int] = [:]
    let square = TileSquare(column: column, row: row, extent: extent)
    let scale = Double(extent) / Double(layer.extent)
    for piece in 0..<layer.rowCount {
      counts.pieces += 1
      let kind = parts.firstIndex { $0.kind == layer.kinds[piece].ofMany } ?? 0
      guard let buffer = layer.geometries.first(where: { $0.kind.ofMany == parts[kind].kind }) else {
        continue
      }
      let shapes = Self.shapes(layer, piece, buffer, square, scale)
      guard !shapes.isEmpty else {
        counts.outside += 1
        continue
      }
      var pairs: [VectorTileTags.Pair] = []
      for pair in layer.tags.pairs(ofRow: piece) {
        let value = Int(pair.value)
        if valueCodes[value] < 0 { valueCodes[value] = try code(layer.values[value]) }
        pairs.append(VectorTileTags.Pair(field: fieldCodes[Int(pair.field)], value: valueCodes[value]))
      }
      pairs.sort { $0.field < $1.field }
      let id = layer.id(ofRow: piece)
      if id == nil, parts[kind].kind == .multipoint, shapes.count == 1, square.isOnSide(shapes[0][0]) {
        let first = PointKey(vertex: shapes[0][0], pairs: pairs, number: 0)
        let number = numbers[first, default: 0]
        numbers[first] = number + 1
        guard pointsOnSides.insert(PointKey(vertex: first.vertex, pairs: pairs, number: number)).inserted
        else {
          counts.outside += 1
          continue
        }
      }
      let feature = try self.row(id, kind, pairs)
      if id == nil, parts[kind].kind != .multipoint,
        shapes.contains(where: { $0.contains(where: square.isOnSide) })
      {
        counts.cutWithoutID += 1
      }
      for shape in shapes { parts[kind].append(shape, row: feature, tile: tileCount) }
      guard parts.reduce(0, { $0 + $1.vertexCount }) <= limits.vertices else {
        throw VectorTileError("layer \"\(name)\" has more than \(limits.vertices) vertices, the limit")
      }
    }
    tileCount += 1
  }

  /// Returns the joined layer, in units of its tiles from the corner of the world.
  package consuming func layer() -> VectorTileLayer {
    let rowCount = ids.count
    let side = Double(extent ?? 4096)
    let buffers = parts.compactMap { $0.buffer(rowCount: rowCount, side: side) }
    var kinds = [GeometryKind](repeating: .point, count: rowCount)
    for buffer in buffers {
      for row in 0..<rowCount where !buffer.isEmpty(row: row) {
        kinds[row] =
          buffer.kind == .multipoint && buffer.vertices(ofRow: row).count == 1 ? .point : buffer.kind
      }
    }
    return VectorTileLayer(
      name: name, version: 2, extent: (extent ?? 4096) << zoom, fields: fields, values: values, tags: tags,
      ids: ids, rowsWithID: rowsWithID, kinds: kinds, geometries: buffers)
  }

  private var rowsWithID: RowSet? {
    guard !rowsWithoutID.isEmpty else { return nil }
    var rows = RowSet(rowCount: ids.count, all: true)
    for row in rowsWithoutID { rows.remove(row) }
    return rows
  }

  // MARK: Features

  /// Returns the row of a piece: that of its feature, or a new one.
  private mutating func row(
    _ id: UInt64?, _ kind: Int, _ pairs: [VectorTileTags.Pair]
  ) throws(VectorTileError) -> Int {
    if let id {
      let key = FeatureKey(id: id, kind: kind, pairs: pairs)
      if let row = rows[key] { return row }
      rows[key] = ids.count
      idUses[id, default: 0] += 1
      if idUses[id] == 2 { counts.sharedIDs += 1 }
      if idUses[id] ?? 0 > 1 { counts.sharedIDs += 1 }
    } else {
      rowsWithoutID.append(ids.count)
    }
    guard ids.count < limits.features, tags.pairs.count + pairs.count <= limits.cells else {
      throw VectorTileError("layer \"\(name)\" has more than \(limits.features) features, the limit")
    }
    ids.append(id ?? 0)
    tags.append(pairs)
    counts.features += 1
    return ids.count - 1
  }

  private mutating func code(_ field: String) -> Int32 {
    let exact = ExactText(field)
    if let code = fieldIndexes[exact] { return code }
    let code = Int32(truncatingIfNeeded: fields.count)
    fields.append(field)
    fieldIndexes[exact] = code
    return code
  }

  private mutating func code(_ value: VectorTileValue) throws(VectorTileError) -> Int32 {
    let exact = ExactValue(value)
    if let code = valueIndexes[exact] { return code }
    guard values.count < limits.values else {
      throw VectorTileError("layer \"\(name)\" has more than \(limits.values) different values, the limit")
    }
    let code = Int32(truncatingIfNeeded: values.count)
    values.append(value)
    valueIndexes[exact] = code
    return code
  }

  // MARK: Geometries

  /// Returns the parts of a piece in its tile, with positions in the world.
  private static func shapes(
    _ layer: VectorTileLayer, _ row: Int, _ buffer: CoordinateBuffer, _ square: TileSquare, _ scale: Double
  ) -> [[TileVertex]] {
    func vertex(_ index: Int) -> TileVertex {
      TileVertex(x: buffer.x[index] * scale + square.xMin, y: buffer.y[index] * scale + square.yMin)
    }
    switch buffer.kind {
    case .point: return [vertex(row)].filter(square.contains).map { [$0] }
    case .multipoint:
      return buffer.vertices(ofRow: row).map(vertex).filter(square.contains).map { [$0] }
    case .polyline:
      return buffer.parts(ofRow: row).flatMap { part in
        square.clipped(line: buffer.vertices(ofPart: part).map(vertex))
      }
    case .polygon:
      // The first ring is an exterior ring, and has a positive area in version 2.
      let isReversed = buffer.parts(ofRow: row).first.map { buffer.doubleArea(ofPart: $0) < 0 } ?? false
      return buffer.parts(ofRow: row).compactMap { part in
        let ring = square.clipped(ring: buffer.vertices(ofPart: part).map(vertex))
        return ring.isEmpty ? nil : isReversed ? ring.reversed() : ring
      }
    }
  }
}

extension GeometryKind {
  /// The kind that also holds several points.
  fileprivate var ofMany: GeometryKind { self == .point ? .multipoint : self }
}

/// A value as a key that distinguishes all bytes of texts.
private struct ExactValue: Hashable {
  private let value: VectorTileValue
  private let text: ExactText?

  init(_ value: VectorTileValue) {
    if case .text(let text) = value {
      (self.value, self.text) = (.boolean(true), ExactText(text))
    } else {
      (self.value, text) = (value, nil)
    }
  }
}

extension VectorTileLimits {
  /// The limits on all tiles of a zoom level.
  ///
  /// - Source: design decision: about 2 GiB of memory.
  package static let ofLevel: VectorTileLimits = {
    var limits = VectorTileLimits()
    (limits.bytes, limits.features, limits.vertices, limits.cells) = (4 << 30, 1 << 24, 1 << 26, 1 << 27)
    return limits
  }()
}
