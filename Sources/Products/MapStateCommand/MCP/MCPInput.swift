import Glibc

/// The lines of standard input, each of a limited length.
///
/// Unsafe code is limited to the system's own read.
struct MCPInput {
  enum Line {
    case bytes([UInt8])
    /// A line that is longer than the limit.
    case tooLong
  }

  /// The longest line in bytes.
  static let limit = 4 << 20
  private static let pieceSize = 1 << 16

  private var piece: [UInt8] = []
  private var place = 0

  /// Returns the next line without its end; nil at the end of the input.
  mutating func next() -> Line? {
    var (line, isTooLong): ([UInt8], Bool) = ([], false)
    while true {
      let end = piece[place...].firstIndex(of: UInt8(ascii: "\n"))
      let part = piece[place..<(end ?? piece.endIndex)]
      isTooLong = isTooLong || line.count + part.count > Self.limit
      if isTooLong { line = [] } else { line += part }
      place = end.map { $0 + 1 } ?? piece.endIndex
      guard end == nil else { return isTooLong ? .tooLong : .bytes(line) }
      guard fill() else { return isTooLong ? .tooLong : line.isEmpty ? nil : .bytes(line) }
    }
  }

  /// Reads the next bytes; false at the end of the input.
  private mutating func fill() -> Bool {
    piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, filled in
      var count: Int
      repeat {
        count = unsafe Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    place = 0
    return !piece.isEmpty
  }
}
