import MapGeometry

/// Some rows of a table with their groups, read block by block, each block's values while they are in the cache.
///
/// Blocks and the pieces that cores take depend on the number of rows and groups alone, and figures are put together in
/// the order of the table, so that the digits do not depend on how many cores there are.
struct GroupedRows: Sendable {
  /// The rows asked for.
  let rows: RowSet
  /// Those of them that have a value.
  let valid: RowSet
  let groups: GroupCodes

  /// Rows of a block: 128 KiB of values, and 64 KiB of groups beside them.
  private static let blockSize = 1 << 14
  private static let blocksPerPiece = 16
  /// With more groups than this the table is one block, since each block holds figures of all groups.
  private static let groupLimit = 1 << 12

  /// The figures of each group, and which groups have a row.
  func figures<Figures: Moments>(
    of values: [Figures.Value], _: Figures.Type, needsSpread: Bool
  ) -> (figures: [Figures], occurs: [Bool]) {
    let isOneBlock = groups.count > Self.groupLimit
    let blockSize = isOneBlock ? max(64, (rows.rowCount + 63) / 64 * 64) : Self.blockSize
    let pieces = (0..<rows.rowCount).pieces(of: isOneBlock ? blockSize : blockSize * Self.blocksPerPiece)
    let parts = concurrentMap(pieces.count) { piece in
      var total = GroupFigures<Figures>(count: groups.count)
      var codes = [Int32](repeating: 0, count: min(blockSize, pieces[piece].count))
      for block in pieces[piece].pieces(of: blockSize) {
        groups.write(block, to: &codes)
        total.add(figures(of: values, in: block, codes: codes, needsSpread: needsSpread))
      }
      return total
    }
    var total = GroupFigures<Figures>(count: groups.count)
    for part in parts { total.add(part) }
    return (total.figures, total.occurs)
  }

  private func figures<Figures: Moments>(
    of values: [Figures.Value], in block: Range<Int>, codes: [Int32], needsSpread: Bool
  ) -> GroupFigures<Figures> {
    var result = GroupFigures<Figures>(count: groups.count)
    let (values, codes) = (values.span, codes.span)
    var figures = result.figures.mutableSpan
    forEachRow(of: valid, in: block) { row in
      figures[Int(codes[row - block.lowerBound])].add(values[row])
    }
    if needsSpread {
      for group in 0..<figures.count { figures[group].beginSpread() }
      forEachRow(of: valid, in: block) { row in
        figures[Int(codes[row - block.lowerBound])].addToSpread(values[row])
      }
      for group in 0..<figures.count { figures[group].endSpread() }
    }
    var occurs = result.occurs.mutableSpan
    forEachRow(of: rows, except: valid, in: block) { occurs[Int(codes[$0 - block.lowerBound])] = true }
    return result
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

/// The figures of all groups over a part of a table.
private struct GroupFigures<Figures: Moments>: Sendable {
  var figures: [Figures]
  /// Groups with a row that has no value; those with values are told by their count.
  var occurs: [Bool]

  init(count: Int) {
    figures = Array(repeating: Figures(), count: count)
    occurs = Array(repeating: false, count: count)
  }

  mutating func add(_ other: GroupFigures) {
    for group in figures.indices where other.figures[group].count > 0 {
      figures[group].add(other.figures[group])
    }
    for group in occurs.indices where other.occurs[group] || other.figures[group].count > 0 {
      occurs[group] = true
    }
  }
}

extension UInt64 {
  /// Calls with the place of each bit that is set, the lowest first.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    var word = self
    while word != 0 {
      body(word.trailingZeroBitCount)
      word &= word &- 1
    }
  }
}
