import MapFeatures
import MapGeometry

/// A layer of all tiles of a zoom level, joined from the layers of the tiles.
///
/// 1. ``TilePiece`` clips a feature of a tile to the square of the tile, since tiles have a buffer around it.
/// 2. Pieces with an id, a kind of geometry and values in common become a row. So do pieces without an id, with a kind and
///    values in common, that meet at a side of two tiles; see ``TileMeetings``.
/// 3. ``TileParts`` joins the parts of each row: ``RingJoin`` polygons along the sides of the tiles, and ``LineJoin``
///    lines at their ends. Points on a side are kept once.
///
/// - Source: Mapbox Vector Tile specification 2.1. The join is a design decision: `querySourceFeatures` of MapLibre also
///   makes one table of a zoom level, but leaves the pieces to its callers.
package struct TileLayerJoin: Sendable {
  /// The numbers of what was joined.
  package struct Counts: Hashable, Sendable {
    /// The pieces of all tiles, as they are in the tiles.
    package var pieces = 0
    /// The pieces that are in the buffer of their tile only, and points on a side that another tile has too.
    package var outside = 0
    /// The pieces without an id that a side of their tile cuts, and that meet no piece of the next tile there.
    package var cutWithoutID = 0
    /// The polygons among ``cutWithoutID``.
    package var cutPolygonsWithoutID = 0
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
  private var values = JoinedValues()
  private var rows: [FeatureKey: Int] = [:]
  private var idUses: [UInt64: Int] = [:]
  private var ids: [UInt64] = []
  private var rowsWithoutID: [Int] = []
  private var tags = VectorTileTags()
  private var parts: [TileParts] = [.init(.polygon), .init(.polyline), .init(.multipoint)]
  private var pointsOnSides: Set<PointKey> = []
  /// The ends at sides of the rows without ids, and a number for each list of values that these have.
  private var meetings: TileMeetings?
  private var valueNumbers: [[VectorTileTags.Pair]: Int] = [:]
  /// The rows of polygons among those that a side cuts.
  private var cutPolygons: Set<Int> = []

  /// The properties that the pieces of one feature have in common.
  private struct FeatureKey: Hashable {
    let id: UInt64
    let kind: GeometryKind
    let pairs: [VectorTileTags.Pair]
  }

  /// A point without id on the side of a tile; the number distinguishes equal ones in a tile.
  private struct PointKey: Hashable {
    let vertex: TileVertex
    let pairs: [VectorTileTags.Pair]
    var number = 0
  }

  /// Creates a join of no tiles.
  ///
  /// - Parameter limits: the limits on all tiles together.
  package init(name: String, zoom: Int, limits: VectorTileLimits = .ofLevel) {
    (self.name, self.zoom, self.limits) = (name, zoom, limits)
  }

  /// The number of different fields and values so far.
  package var valueCount: Int { values.count }
  /// The number of vertices so far.
  package var vertexCount: Int { parts.reduce(0) { $0 + $1.vertexCount } }

  /// Adds the layer of a tile.
  ///
  /// - Throws: ``VectorTileError`` for more features, vertices or values than the limits.
  package mutating func append(_ layer: VectorTileLayer, column: Int, row: Int) throws(VectorTileError) {
    let square = TileSquare(column: column, row: row, extent: extent ?? layer.extent)
    extent = extent ?? layer.extent
    var codes = values.codes(of: layer)
    guard values.count <= limits.values else { throw exceeded(limits.values, "fields and values") }
    var points: [PointKey: Int] = [:]
    for row in 0..<layer.rowCount {
      counts.pieces += 1
      guard let piece = TilePiece(layer, row: row, in: square) else {
        counts.outside += 1
        continue
      }
      let pairs = values.pairs(ofRow: row, in: layer, &codes)
      guard values.count <= limits.values else { throw exceeded(limits.values, "fields and values") }
      let id = layer.id(ofRow: row)
      if id == nil {
        if let vertex = piece.pointOnSide(of: square),
          !insert(PointKey(vertex: vertex, pairs: pairs), &points)
        {
          counts.outside += 1
          continue
        }
      }
      let place = try self.row(id, piece.kind, pairs)
      if id == nil, piece.isCut(by: square) { noteEnds(of: piece, row: place, pairs) }
      try append(piece, toRow: place)
    }
    tileCount += 1
  }

  private func exceeded(_ limit: Int, _ noun: String) -> VectorTileError {
    VectorTileError("layer \"\(name)\" has more than \(limit) \(noun), the limit")
  }

  /// Adds a point on a side; returns false for one that another tile has.
  ///
  /// - Parameter points: the number of equal points in the tile so far.
  private mutating func insert(_ point: PointKey, _ points: inout [PointKey: Int]) -> Bool {
    var numbered = point
    numbered.number = points[point, default: 0]
    points[point] = numbered.number + 1
    return pointsOnSides.insert(numbered).inserted
  }

  private mutating func append(_ piece: TilePiece, toRow row: Int) throws(VectorTileError) {
    for index in parts.indices where parts[index].kind == piece.kind {
      for shape in piece.shapes { parts[index].append(shape, row: row, tile: tileCount) }
    }
    guard vertexCount <= limits.vertices else { throw exceeded(limits.vertices, "vertices") }
  }

  private mutating func noteEnds(of piece: TilePiece, row: Int, _ pairs: [VectorTileTags.Pair]) {
    let number = valueNumbers[pairs] ?? valueNumbers.count
    valueNumbers[pairs] = number
    if piece.kind == .polygon { cutPolygons.insert(row) }
    var noted = meetings ?? TileMeetings(side: Double(extent ?? 4096))
    meetings = nil
    noted.append(piece.shapes, kind: piece.kind, values: number, piece: row, tile: tileCount)
    meetings = noted
  }

  /// Joins the pieces without ids that meet at the sides of tiles, after the last tile.
  package mutating func joinMeetingPieces() {
    guard let joined = meetings?.joined() else { return }
    meetings = nil
    counts.cutWithoutID = joined.open.count
    counts.cutPolygonsWithoutID = joined.open.intersection(cutPolygons).count
    var sets = JoinedSets(count: ids.count)
    for (first, second) in joined.pairs { sets.join(first, second) }
    // The first row of each feature stays, and the others are counted from it.
    var (kept, numbers) = ([Int](), [Int32](repeating: 0, count: ids.count))
    for row in ids.indices {
      let first = sets.first(of: row)
      if first == row { kept.append(row) }
      numbers[row] = first == row ? Int32(truncatingIfNeeded: kept.count - 1) : numbers[first]
    }
    guard kept.count < ids.count else { return }
    counts.features = kept.count
    ids = kept.map { ids[$0] }
    rowsWithoutID = rowsWithoutID.filter { sets.first(of: $0) == $0 }.map { Int(numbers[$0]) }
    rows = rows.mapValues { Int(numbers[$0]) }
    var own = VectorTileTags()
    for row in kept { own.append(Array(tags.pairs(ofRow: row))) }
    tags = own
    for index in parts.indices { parts[index].renumber(numbers) }
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
      name: name, version: 2, extent: (extent ?? 4096) << zoom, fields: values.fields,
      values: values.values, tags: tags, ids: ids, rowsWithID: rowsWithID, kinds: kinds, geometries: buffers)
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
    _ id: UInt64?, _ kind: GeometryKind, _ pairs: [VectorTileTags.Pair]
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
    guard ids.count < limits.features else { throw exceeded(limits.features, "features") }
    guard tags.pairs.count + pairs.count <= limits.cells else { throw exceeded(limits.cells, "values") }
    ids.append(id ?? 0)
    tags.append(pairs)
    counts.features += 1
    return ids.count - 1
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
