/// The two codes of a deflate block, and their encoding in the block header.
///
/// - Source: RFC 1951, 3.2.7.
struct DeflateCodes {
  /// The code of literals, the end of the block, and lengths.
  let literals: PrefixCode
  /// The code of distances.
  let distances: PrefixCode

  /// The order in which the lengths of the code-length code are written.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Creates codes from the number of occurrences of each symbol: literals and lengths first, then distances.
  init(counts: [UInt32]) {
    literals = PrefixCode(counts: counts.prefix(DeflateSymbols.literalCount), limit: 15)
    distances = PrefixCode(counts: counts.dropFirst(DeflateSymbols.literalCount), limit: 15)
  }

  /// Writes the lengths of both codes in the code-length code.
  func write(with buffer: inout BitBuffer, to output: inout MutableRawSpan) {
    let literalCount = max(257, 1 + (literals.lengths.lastIndex { $0 > 0 } ?? 0))
    let distanceCount = max(1, 1 + (distances.lengths.lastIndex { $0 > 0 } ?? 0))
    let runs = Self.runs(of: literals.lengths.prefix(literalCount) + distances.lengths.prefix(distanceCount))
    var counts = [UInt32](repeating: 0, count: Self.order.count)
    for run in runs { counts[run.symbol] += 1 }
    let code = PrefixCode(counts: counts, limit: 7)
    buffer.add(literalCount - 257, bits: 5)
    buffer.add(distanceCount - 1, bits: 5)
    buffer.add(Self.order.count - 4, bits: 4)
    for symbol in Self.order {
      buffer.add(code.lengths[symbol], bits: 3)
      buffer.write(to: &output)
    }
    for run in runs {
      buffer.add(code.entries[run.symbol])
      buffer.add(run.rest, bits: run.bits)
      buffer.write(to: &output)
    }
  }

  /// Splits lengths into single values and runs of zeros.
  ///
  /// A run of 3 to 10 zeros has a count of 3 bits, a run of 11 to 138 zeros one of 7 bits.
  private static func runs(of lengths: ArraySlice<UInt8>) -> [(symbol: Int, rest: Int, bits: Int)] {
    var runs: [(symbol: Int, rest: Int, bits: Int)] = []
    var rest = lengths
    while let length = rest.first {
      let zeros = rest.prefix(138).prefix { $0 == 0 }.count
      switch zeros {
      case 11...: runs.append((18, zeros - 11, 7))
      case 3...: runs.append((17, zeros - 3, 3))
      default: runs.append((Int(length), 0, 0))
      }
      rest = rest.dropFirst(zeros > 2 ? zeros : 1)
    }
    return runs
  }
}
