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

  /// A place at a side of a tile where pieces without ids may meet.
  private struct Border: Hashable {
    let side: TileSide
    let kind: Int
    let values: Int
  }

  private static let kinds = [GeometryKind.polygon, .polyline]
  /// The greatest distance between the ends of two pieces that meet, in units; tiles round.
  private static let tolerance = 1.0
  /// The maximum number of pieces that are compared with a piece at one position, which bounds the time.
  ///
  /// - Source: design decision; few pieces with equal values end at one position of a side.
  private static let mostCandidates = 4096

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
    var meetings: [Border: [Meeting]] = [:]
    for (number, piece) in pieces.enumerated() {
      if let id = piece.id {
        let key = Key(id: id, kind: piece.kind, values: piece.values)
        if let first = known[key] { sets.join(first, number) } else { known[key] = number }
        continue
      }
      let side = Double(extent)
      let found =
        Self.kinds[piece.kind] == .polygon
        ? Self.runs(piece.shapes, side: side) : piece.shapes.flatMap { Self.ends($0, side: side) }
      for (side, start, end) in found {
        meetings[Border(side: side, kind: piece.kind, values: piece.values), default: []].append(
          Meeting(start: start, end: end, piece: number))
      }
    }
    for meetings in meetings.values {
      for (first, second) in pairs(meetings) { sets.join(first, second) }
    }
    return pieces.indices.map { sets.first(of: $0) }
  }

  /// A run of an area along a side of its tile, or the end of a line there.
  private struct Meeting {
    let start: Double
    let end: Double
    let piece: Int
  }

  /// Returns the pieces that meet, each with one of another tile.
  private func pairs(_ meetings: [Meeting]) -> [(Int, Int)] {
    let sorted = meetings.sorted { ($0.start, $0.end, $0.piece) < ($1.start, $1.end, $1.piece) }
    var (pairs, isUsed) = ([(Int, Int)](), sorted.map { _ in false })
    for (index, first) in sorted.enumerated() where !isUsed[index] {
      for next in (index + 1)..<min(index + 1 + Self.mostCandidates, sorted.count) where !isUsed[next] {
        let second = sorted[next]
        if second.start - first.start > Self.tolerance { break }
        guard abs(second.end - first.end) <= Self.tolerance,
          pieces[first.piece].tile != pieces[second.piece].tile
        else { continue }
        pairs.append((first.piece, second.piece))
        isUsed[next] = true
        break
      }
    }
    return pairs
  }

  /// Returns the runs of an area along the sides of tiles, without those there and back between its parts.
  private static func runs(
    _ rings: [[TileVertex]], side length: Double
  ) -> [(side: TileSide, start: Double, end: Double)] {
    var changes: [TileSide: [(position: Double, change: Int)]] = [:]
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) {
        guard let side = TileSide(start, end, length: length) else { continue }
        let (from, to) = (side.position(of: start), side.position(of: end))
        changes[side, default: []] += [(from, 1), (to, -1)]
      }
    }
    var runs: [(side: TileSide, start: Double, end: Double)] = []
    for (side, ends) in changes {
      var (direction, start) = (0, 0.0)
      let ends = ends.sorted { $0.position < $1.position }
      var index = 0
      while index < ends.count {
        let (position, before) = (ends[index].position, direction)
        while index < ends.count, ends[index].position == position {
          direction += ends[index].change
          index += 1
        }
        guard direction != before else { continue }
        if before != 0 { runs.append((side, start, position)) }
        start = position
      }
    }
    return runs
  }

  /// Returns the ends of a line at sides of tiles.
  private static func ends(
    _ line: [TileVertex], side length: Double
  ) -> [(side: TileSide, start: Double, end: Double)] {
    guard let first = line.first, let last = line.last else { return [] }
    return [first, last].compactMap { vertex in
      TileSide(of: vertex, length: length).map { ($0, $0.position(of: vertex), $0.position(of: vertex)) }
    }
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

/// Sets of numbers that are joined two by two.
///
/// - Source: Galler and Fischer, An improved equivalence algorithm (1964).
private struct JoinedSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// Returns the least number of the set with a number.
  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Joins the sets with two numbers.
  mutating func join(_ first: Int, _ second: Int) {
    let (first, second) = (self.first(of: first), self.first(of: second))
    parents[max(first, second)] = min(first, second)
  }
}
