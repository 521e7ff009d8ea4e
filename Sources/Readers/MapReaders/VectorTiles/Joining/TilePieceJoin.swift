package import MapGeometry

/// The lines and areas of neighbouring tiles, joined at the sides of the tiles for drawings without seams.
///
/// Pieces are cut at the sides of their tile, and those outside, in its buffer, are left out. Pieces of a kind of geometry
/// with equal values are one feature if they have an id in common, or if they have none and meet at a side of two tiles.
/// Points are left out.
package struct TilePieceJoin {
  /// The features, each with the geometry of all its pieces.
  package struct Features {
    /// For each feature its first piece: the number of the tile in the order of adding, and the row.
    package let pieces: [(tile: Int, row: Int)]
    /// The areas and lines, each with a row for each feature, in units from the corner of a tile.
    package let geometries: [CoordinateBuffer]
  }

  /// A piece in its tile.
  private struct Piece {
    let tile: Int
    let row: Int
    /// Its place in ``kinds``.
    let kind: Int
    let values: Int
    let id: UInt64?
    let shapes: [[TileVertex]]
  }

  /// The properties that all pieces of a feature with an id share.
  private struct Key: Hashable {
    let id: UInt64
    let kind: Int
    let values: Int
  }

  private static let kinds = [GeometryKind.polygon, .polyline]

  private let extent: Int
  private var tileCount = 0
  private var pieces: [Piece] = []

  /// Creates a join of no tiles.
  ///
  /// - Parameter extent: the units along a side of a tile.
  package init(extent: Int) { self.extent = max(1, extent) }

  /// Adds the layer of a tile.
  ///
  /// - Parameters:
  ///   - geometries: the geometries in units of the tile, each buffer with all rows.
  ///   - own: the units along a side of this tile.
  ///   - ids: the ids of the rows; nil for none.
  ///   - values: for each row a number; rows with equal numbers have equal values.
  package mutating func append(
    _ geometries: [CoordinateBuffer], extent own: Double, ids: [UInt64?], values: [Int], column: Int, row: Int
  ) {
    let square = TileSquare(column: column, row: row, extent: extent)
    for index in ids.indices {
      guard let piece = TilePiece(geometries, extent: own, row: index, in: square),
        let kind = Self.kinds.firstIndex(of: piece.kind)
      else { continue }
      pieces.append(
        Piece(
          tile: tileCount, row: index, kind: kind, values: values[index], id: ids[index],
          shapes: piece.shapes))
    }
    tileCount += 1
  }

  /// Returns the joined features, in an order in which each follows those that it follows in a tile.
  ///
  /// - Parameters:
  ///   - column: the column of the tile from whose corner positions are counted.
  ///   - row: its row.
  package func features(fromColumn column: Int, row: Int) -> Features {
    let groups = groups()
    let order = order(groups)
    // The row of each feature, by the number of its first piece.
    var places = [Int](repeating: 0, count: pieces.count)
    for (place, first) in order.enumerated() { places[first] = place }
    var parts = Self.kinds.map { TileParts($0) }
    for (number, piece) in pieces.enumerated() {
      for shape in piece.shapes {
        parts[piece.kind].append(shape, row: places[groups[number]], tile: piece.tile)
      }
    }
    let side = Double(extent)
    let (left, top) = (Double(column) * side, Double(row) * side)
    return Features(
      pieces: order.map { (pieces[$0].tile, pieces[$0].row) },
      geometries: parts.compactMap { part in
        guard var buffer = part.buffer(rowCount: order.count, side: side) else { return nil }
        buffer.moveVertices { x, y in
          for index in x.indices { (x[index], y[index]) = (x[index] - left, y[index] - top) }
        }
        return buffer
      })
  }

  // MARK: Features

  /// Returns for each piece the first piece of its feature.
  private func groups() -> [Int] {
    var sets = JoinedSets(count: pieces.count)
    var known: [Key: Int] = [:]
    var meetings = TileMeetings(side: Double(extent))
    for (number, piece) in pieces.enumerated() {
      if let id = piece.id {
        let key = Key(id: id, kind: piece.kind, values: piece.values)
        if let first = known[key] { sets.join(first, number) } else { known[key] = number }
        continue
      }
      meetings.append(
        piece.shapes, kind: Self.kinds[piece.kind], values: piece.values, piece: number, tile: piece.tile)
    }
    for (first, second) in meetings.joined().pairs { sets.join(first, second) }
    return pieces.indices.map { sets.first(of: $0) }
  }

  /// Returns the first pieces of the features: each after those that are before it in a tile, if no tiles differ.
  private func order(_ groups: [Int]) -> [Int] {
    // The features before a feature, one for each tile.
    var before = [[Int]](repeating: [], count: pieces.count)
    for number in pieces.indices.dropFirst() where pieces[number].tile == pieces[number - 1].tile {
      before[groups[number]].append(groups[number - 1])
    }
    var (order, isVisited) = ([Int](), pieces.map { _ in false })
    for start in pieces.indices where groups[start] == start && !isVisited[start] {
      isVisited[start] = true
      var path = [(feature: start, next: 0)]
      while let (feature, next) = path.last {
        guard next < before[feature].count else {
          order.append(feature)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = before[feature][next]
        if !isVisited[other] {
          isVisited[other] = true
          path.append((other, 0))
        }
      }
    }
    return order
  }
}
