import MapGeometry
import MapSystem

/// Selected rows of a table with their groups, read in blocks that stay in the cache.
///
/// Sums are exact, so that neither the blocks nor the order in which they are joined changes a digit.
struct GroupedRows: Sendable {
  /// The selected rows.
  let rows: RowSet
  /// The selected rows that have a value.
  let valid: RowSet
  let groups: GroupCodes

  /// The number of rows in a block: 128 KiB of values, and 64 KiB of groups.
  private static let blockSize = 1 << 14
  private static let blocksPerPiece = 16
  /// The number of groups above which the table is one piece, because each piece holds moments of all groups.
  private static let groupLimit = 1 << 12

  /// Returns the moments of each group, and the groups that have a row.
  ///
  /// - Parameter squares: Whether to sum squares too.
  func moments<Piece: PieceMoments>(
    of values: [Piece.Value], _: Piece.Type, squares: Bool
  ) -> GroupMoments<Piece.Value> {
    let isOnePiece = groups.count > Self.groupLimit
    let pieces = (0..<rows.rowCount).pieces(
      of: isOnePiece ? max(1, rows.rowCount) : Self.blockSize * Self.blocksPerPiece)
    let parts = concurrentMap(pieces.count) { index in
      let piece = pieces[index]
      var total = GroupMoments(Piece.none, count: groups.count)
      var moments = [Piece](repeating: Piece(), count: groups.count)
      var codes = [Int32](repeating: 0, count: min(Self.blockSize, piece.count))
      let window = Piece.window(of: values.span.extracting(piece))
      for block in piece.pieces(of: Self.blockSize) {
        groups.write(block, to: &codes)
        add(values, in: block, codes: codes, window, squares: squares, to: &moments, &total)
      }
      for group in moments.indices where moments[group].count > 0 {
        moments[group].add(to: &total.moments[group], in: window)
      }
      return total
    }
    guard var total = parts.first else { return GroupMoments(Piece.none, count: groups.count) }
    for part in parts.dropFirst() { total.add(part) }
    return total
  }

  private func add<Piece: PieceMoments>(
    _ values: [Piece.Value], in block: Range<Int>, codes: [Int32], _ window: Piece.Window, squares: Bool,
    to moments: inout [Piece], _ total: inout GroupMoments<Piece.Value>
  ) {
    let (values, codes) = (values.span, codes.span)
    var moments = moments.mutableSpan
    forEachRow(of: valid, in: block) { row in
      let group = Int(codes[row - block.lowerBound])
      if !moments[group].add(values[row], in: window, squares: squares) {
        Piece.addOutside(values[row], squares: squares, to: &total.moments[group])
      }
    }
    forEachRow(of: rows, except: valid, in: block) { total.hasNull[Int(codes[$0 - block.lowerBound])] = true }
  }

  @inline(__always)
  private func forEachRow(
    of set: RowSet, except others: RowSet? = nil, in block: Range<Int>, _ body: (Int) -> Void
  ) {
    let words = set.words.span
    for index in block.lowerBound / 64..<(block.upperBound + 63) / 64 {
      let word = if let others { words[index] & ~others.words[index] } else { words[index] }
      word.forEachBit { body(index * 64 + $0) }
    }
  }
}

/// The moments of all groups over a part of a table.
struct GroupMoments<Value: Comparable & Sendable>: Sendable {
  fileprivate(set) var moments: [Moments<Value>]
  /// Whether each group has a row without a value.
  fileprivate var hasNull: [Bool]

  fileprivate init(_ none: Moments<Value>, count: Int) {
    moments = Array(repeating: none, count: count)
    hasNull = Array(repeating: false, count: count)
  }

  /// Whether each group has a row, including rows without a value.
  var occurs: [Bool] { zip(moments, hasNull).map { $0.count > 0 || $1 } }

  fileprivate mutating func add(_ other: GroupMoments) {
    for group in moments.indices where other.moments[group].count > 0 {
      moments[group].add(other.moments[group])
    }
    for group in hasNull.indices where other.hasNull[group] { hasNull[group] = true }
  }
}

extension UInt64 {
  /// Calls `body` with the index of each set bit, the lowest first.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    var word = self
    while word != 0 {
      body(word.trailingZeroBitCount)
      word &= word &- 1
    }
  }
}
