import Glibc

/// The `-wal` file beside a SQLite file, which contains the newest changes.
///
/// - Source: SQLite, "Database File Format", 4.1 to 4.3.
struct WriteAheadLog {
  /// The warning about changes that SQLite ignores; nil when there are none.
  let warning: String?
  /// Whether the log has a head and nothing else.
  let isEmpty: Bool

  /// Reads the log of a file; nil when it is missing or empty.
  ///
  /// - Throws: ``LibraryError`` for a log that is unreadable or invalid.
  init?(_ path: String) throws(LibraryError) {
    guard DataFile.isNotEmpty(path + "-wal") else { return nil }
    let log = try DataFile(DataFile.folder(path), DataFile.name(path) + "-wal")
    let head = try log.bytes(at: 0, count: 32)
    isEmpty = log.size == 32
    // The last bit is the byte order of the checksums.
    guard head.big(at: 0) | 1 == 0x377F_0683 else {
      throw LibraryError(
        "\(log.name): is not a write-ahead log of SQLite, which would contain the file's newest changes")
    }
    let (page, salts) = (head.big(at: 8), head[16..<24])
    guard page >= 512, page <= 65536, page & (page - 1) == 0 else {
      throw LibraryError("\(log.name): its page size \(page) is not valid in SQLite")
    }
    // Frames of an older generation have other salts. They are leftovers without valid content.
    var (offset, isCommitted) = (32, true)
    while offset + 24 <= log.size {
      let frame = try log.bytes(at: offset, count: 24)
      guard frame[8..<16] == salts else { break }
      offset += 24 + page
      // This number is the size of the file after a commit, and 0 within a transaction.
      isCommitted = frame.big(at: 4) != 0 && offset <= log.size
    }
    let isCut = offset > log.size || !isCommitted
    warning =
      isCut
      ? "\(log.name): ends within a transaction: it is truncated or still being written, so its rows are missing"
      : nil
  }
}

extension [UInt8] {
  /// Returns a number of four bytes, most significant first.
  fileprivate func big(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}
