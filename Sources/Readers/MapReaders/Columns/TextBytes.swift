package import MapSystem

/// The bytes of a text, in memory or in a file, which are read by their ranges.
///
/// The text of a file is never in memory as a whole, unless a caller asks for all of it.
package struct TextBytes: Sendable {
  /// The number of bytes.
  package let count: Int
  private let read: @Sendable (Range<Int>) throws -> [UInt8]

  /// Creates the bytes of a text in memory.
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    read = { $0 == bytes.indices ? bytes : Array(bytes[$0]) }
  }

  /// Creates the bytes of a file.
  package init(_ file: RandomAccessFile) {
    count = file.size
    read = { range throws(FileError) in try file.bytes(range) }
  }

  /// Returns the bytes of a range, which must be inside the text.
  ///
  /// - Throws: `FileError`.
  package func bytes(_ range: Range<Int>) throws -> [UInt8] { try read(range) }

  /// Returns all bytes.
  ///
  /// - Throws: `FileError`.
  package func all() throws -> [UInt8] { try read(0..<count) }

  /// Returns the number of a byte's line, from 1.
  ///
  /// - Cost: reads all bytes before it.
  func line(of offset: Int) throws -> Int {
    try (0..<min(offset, count)).pieces(of: 1 << 20).reduce(1) { line, piece in
      try read(piece).reduce(line) { $0 + ($1 == 0x0A ? 1 : 0) }
    }
  }
}
