import Glibc

/// A SQLite file as pages; a table is a tree of pages whose leaves contain the rows in the order of their numbers.
///
/// Any deviation from the format gives nil, so that SQLite itself can decide. Changes in a `-wal` file are not read.
/// Callers hold a transaction, or check before and after whether the file changed.
///
/// - Source: SQLite, "Database File Format", 1.3 to 1.6.
struct SQLitePages: Sendable {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The number of bytes of a page that are used for content.
  let usableSize: Int
  private let pageCount: Int
  private let file: OpenFile

  /// Opens a file with UTF-8 text; nil when it is not a SQLite file or has another form.
  init?(_ path: String) {
    guard let file = OpenFile(path), let head = file.bytes(0..<100) else { return nil }
    self.file = file
    guard head.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    // A page size of 1 means 65536.
    let size = Int(head[16]) << 8 | Int(head[17])
    pageSize = size == 1 ? 65536 : size
    usableSize = pageSize - Int(head[20])
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return nil }
    // The oldest writers leave the encoding undefined in files without any text.
    // In WAL mode, the counter of changes does not count every change.
    guard head[18] == 1, head[19] == 1, head[56...59].elementsEqual([0, 0, 0, 1]) else { return nil }
    pageCount = file.size / pageSize
  }

  /// Returns whether a file starts with the header of SQLite.
  static func isSQLite(_ path: String) -> Bool {
    OpenFile(path)?.bytes(0..<16).map { $0 == Array("SQLite format 3\0".utf8) } ?? false
  }

  /// The size of the file in bytes.
  var fileSize: Int { file.size }

  /// The device and number of the file, its size, and the time of its last change, when it was opened.
  var identity: [Int] { file.identity }

  /// Returns whether a path leads to the file that was opened, and it has its size and time of change.
  func isCurrent(_ path: String) -> Bool { OpenFile(path)?.identity == file.identity }

  /// The counter that every change of the file increments.
  var changeCounter: [UInt8]? { file.bytes(24..<28) }

  // MARK: Trees

  /// Returns the leaf pages of the table with a given root page, in order.
  func leaves(root: Int) -> [Int]? {
    var level = [root]
    var seen = 1
    // SQLite itself limits the depth to 20.
    for _ in 0..<20 {
      guard let first = level.first, let kind = content(first)?.first else { return nil }
      if kind == Self.leafKind { return level }
      var below: [Int] = []
      for page in level {
        guard let children = children(of: page) else { return nil }
        below += children.map(\.page)
        seen += children.count
        // More pages than the file has mean that pages refer back to others.
        guard seen <= pageCount else { return nil }
      }
      level = below
    }
    return nil
  }

  /// A leaf page, and the range of the wanted row numbers that it may contain.
  typealias Leaf = (page: Int, wanted: Range<Int>)

  /// Returns the leaf pages that may contain rows of some numbers, in order; the numbers must increase.
  func leaves(root: Int, of numbers: [Int64]) -> [Leaf]? {
    var level: [Leaf] = numbers.isEmpty ? [] : [(root, numbers.indices)]
    for _ in 0..<20 {
      guard let first = level.first else { return [] }
      guard let kind = content(first.page)?.first else { return nil }
      if kind == Self.leafKind { return level }
      var below: [Leaf] = []
      for (page, wanted) in level {
        guard let children = children(of: page) else { return nil }
        var start = wanted.lowerBound
        for child in children where start < wanted.upperBound && numbers[start] <= child.last {
          var end = start
          while end < wanted.upperBound, numbers[end] <= child.last { end += 1 }
          below.append((child.page, start..<end))
          start = end
        }
      }
      level = below
    }
    return nil
  }

  /// Returns the greatest number of a row; nil for an empty table.
  func lastNumber(root: Int) -> Int64? {
    guard let leaves = leaves(root: root, of: [.max]) else { return nil }
    var (reader, last) = (SQLiteRowReader(self, leaves: leaves.map(\.page)[...]), Int64?.none)
    let isRead = reader.forEachRow { number, _, _ in
      last = number
      return true
    }
    return isRead ? last : nil
  }

  /// Returns whether a table has rows of all of some numbers, which must increase.
  func hasRows(_ numbers: [Int64], root: Int) -> Bool {
    guard let leaves = leaves(root: root, of: numbers) else { return false }
    var reader = SQLiteRowReader(self, leaves: leaves[...], of: numbers)
    return reader.forEachRow { _, _, _ in true }
  }

  static let leafKind: UInt8 = 13
  private static let innerKind: UInt8 = 5

  /// Returns the pages below a page, with the greatest number of a row that each may contain.
  private func children(of page: Int) -> [(page: Int, last: Int64)]? {
    guard let bytes = content(page), bytes[0] == Self.innerKind else { return nil }
    let span = bytes.span
    let count = span.number(at: 3, size: 2)
    guard 12 + 2 * count <= span.count else { return nil }
    var children: [(page: Int, last: Int64)] = []
    for index in 0..<count {
      var cell = span.number(at: 12 + 2 * index, size: 2)
      guard cell <= span.count - 4 else { return nil }
      let child = span.number(at: cell, size: 4)
      cell += 4
      guard let last = span.varint(at: &cell, upTo: span.count) else { return nil }
      children.append((child, last))
    }
    return children + [(span.number(at: 8, size: 4), .max)]
  }

  /// Returns a page's bytes; nil for the first page, which contains the file header and the schema.
  private func content(_ page: Int) -> [UInt8]? { bytes(ofPages: page..<page + 1) }

  /// Returns the bytes of consecutive pages.
  func bytes(ofPages pages: Range<Int>) -> [UInt8]? {
    guard pages.lowerBound > 1, pages.upperBound <= pageCount + 1 else { return nil }
    return file.bytes((pages.lowerBound - 1) * pageSize..<(pages.upperBound - 1) * pageSize)
  }
}

/// A file that is read at any offset, and closed when the object is released.
private final class OpenFile: Sendable {
  private let descriptor: Int32
  /// The number of bytes when the file was opened.
  let size: Int
  /// The device, the number, the size and the time of the last change.
  let identity: [Int]

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      (size, identity) = (0, [])
      return nil
    }
    size = Int(status.st_size)
    identity = [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), size,
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }

  deinit { close(descriptor) }

  /// Returns the bytes of a range; nil beyond the end and when reading fails.
  func bytes(_ range: Range<Int>) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, range.count - count, range.lowerBound + count)
        if read < 0, errno == EINTR { continue }
        if read <= 0 { return }
        count += read
      }
    }
    return bytes.count == range.count ? bytes : nil
  }
}

extension Span<UInt8> {
  /// Returns a number of `size` bytes, most significant first; the range must be valid.
  func number(at place: Int, size: Int) -> Int {
    var number = 0
    for index in place..<place + size { number = number << 8 | Int(self[index]) }
    return number
  }
}
