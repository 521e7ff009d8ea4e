import MapGeometry

/// The ends of pieces without ids at the sides of tiles, and the pieces that meet there.
///
/// Two pieces of a kind of geometry with equal values, of two tiles, meet if their runs along a side are the same, or if
/// their lines end at the same position. They are then parts of one feature.
struct TileMeetings: Sendable {
  /// The pieces that meet and those that do not.
  struct Joined {
    /// The numbers of two pieces each.
    var pairs: [(Int, Int)] = []
    /// The pieces with an end that meets no other.
    var open: Set<Int> = []
  }

  /// A side of a tile where pieces may meet.
  private struct Border: Hashable {
    let side: TileSide
    let kind: GeometryKind
    let values: Int
  }

  /// A run of an area along a side of its tile, or the end of a line there.
  private struct Meeting {
    let start: Double
    let end: Double
    let piece: Int
    let tile: Int
  }

  /// The greatest distance between the ends of two pieces that meet, in units; tiles round.
  private static let tolerance = 1.0
  /// The maximum number of pieces that are compared with a piece at one position, which bounds the time.
  ///
  /// - Source: design decision; few pieces with equal values end at one position of a side.
  private static let mostCandidates = 4096

  /// The length of the side of a tile; sides are at its multiples.
  private let side: Double
  private var meetings: [Border: [Meeting]] = [:]

  /// Creates an empty list.
  init(side: Double) { self.side = side }

  /// Adds the ends of a piece.
  ///
  /// - Parameter values: a number that pieces with equal values have in common.
  mutating func append(
    _ shapes: [[TileVertex]], kind: GeometryKind, values: Int, piece: Int, tile: Int
  ) {
    let found =
      kind == .polygon ? Self.runs(shapes, side: side) : shapes.flatMap { Self.ends($0, side: side) }
    for (side, start, end) in found {
      meetings[Border(side: side, kind: kind, values: values), default: []].append(
        Meeting(start: start, end: end, piece: piece, tile: tile))
    }
  }

  /// Returns the pieces that meet, each with one of another tile.
  func joined() -> Joined {
    var joined = Joined()
    for meetings in meetings.values { Self.join(meetings, &joined) }
    return joined
  }

  private static func join(_ meetings: [Meeting], _ joined: inout Joined) {
    let sorted = meetings.sorted { ($0.start, $0.end, $0.piece) < ($1.start, $1.end, $1.piece) }
    var isUsed = sorted.map { _ in false }
    for (index, first) in sorted.enumerated() where !isUsed[index] {
      for next in (index + 1)..<min(index + 1 + mostCandidates, sorted.count) where !isUsed[next] {
        let second = sorted[next]
        if second.start - first.start > tolerance { break }
        guard abs(second.end - first.end) <= tolerance, first.tile != second.tile else { continue }
        joined.pairs.append((first.piece, second.piece))
        (isUsed[index], isUsed[next]) = (true, true)
        break
      }
      if !isUsed[index] { joined.open.insert(first.piece) }
    }
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
}
