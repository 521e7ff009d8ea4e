import Glibc

/// The `-wal` file beside a SQLite file, which holds the newest changes.
///
/// - Source: SQLite, "Database File Format", 4.1 to 4.3.
struct WriteAheadLog {
  /// Changes that SQLite leaves out; nil where there are none.
  let warning: String?

  /// The log of a file; nil where there is none, or an empty one.
  ///
  /// - Throws: ``LibraryError`` for a log that cannot be read or is none.
  init?(_ path: String) throws(LibraryError) {
    guard DataFile.isNotEmpty(path + "-wal") else { return nil }
    let log = try DataFile(DataFile.folder(path), DataFile.name(path) + "-wal")
    let head = try log.bytes(at: 0, count: 32)
    // The last bit tells the order of the bytes that the checksums are made of.
    guard head.big(at: 0) | 1 == 0x377F_0683 else {
      throw LibraryError("\(log.name): is no write-ahead log of SQLite; the file's newest changes are in it")
    }
    let (page, salts) = (head.big(at: 8), head[16..<24])
    guard page >= 512, page <= 65536, page & (page - 1) == 0 else {
      throw LibraryError("\(log.name): its page size \(page) is none of SQLite's")
    }
    // Frames of an older generation have other salts: they are left over and hold nothing.
    var (offset, isCommitted) = (32, true)
    while offset + 24 <= log.size {
      let frame = try log.bytes(at: offset, count: 24)
      guard frame[8..<16] == salts else { break }
      offset += 24 + page
      // The size of the file after a commit; 0 within a transaction.
      isCommitted = frame.big(at: 4) != 0 && offset <= log.size
    }
    let isCut = offset > log.size || !isCommitted
    warning =
      isCut
      ? "\(log.name): ends within a transaction: it was cut, or is being written; its rows are missing" : nil
  }
}

extension [UInt8] {
  /// A number of four bytes, the most significant first.
  fileprivate func big(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}
