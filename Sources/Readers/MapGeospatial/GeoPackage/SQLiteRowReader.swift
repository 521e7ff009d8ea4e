import MapJSON

/// Reads the rows of some leaves of a table, or some of these rows, one after the other.
struct SQLiteRowReader {
  private let pages: SQLitePages
  private let leaves: ArraySlice<Int>
  /// The numbers of the rows to read, which must exist; nil for all rows.
  private var wanted: ArraySlice<Int64>?
  /// Consecutive pages that were read together, and the number of the first.
  private var window: [UInt8] = []
  private var first = 0
  private var last: Int64?

  /// Creates a reader of leaves from ``SQLitePages/leaves(root:)``.
  init(_ pages: SQLitePages, leaves: ArraySlice<Int>) { (self.pages, self.leaves) = (pages, leaves) }

  /// Creates a reader of rows by their numbers, from leaves of ``SQLitePages/leaves(root:of:)``.
  init(_ pages: SQLitePages, leaves: ArraySlice<SQLitePages.Leaf>, of numbers: [Int64]) {
    self.init(pages, leaves: leaves.map(\.page)[...])
    wanted = numbers[(leaves.first?.wanted.lowerBound ?? 0)..<(leaves.last?.wanted.upperBound ?? 0)]
  }

  /// A row's number, and the range of its record in some bytes.
  typealias Row = (number: Int64, record: Range<Int>)

  /// Calls `body` for each row with its number and its record's range in some bytes.
  ///
  /// - Returns: false when `body` returns false or the file has another form.
  mutating func forEachRow(_ body: (Int64, [UInt8], Range<Int>) -> Bool) -> Bool {
    forEachBlock { bytes, rows in rows.allSatisfy { body($0.number, bytes, $0.record) } }
  }

  /// Calls `body` with rows of a leaf and the bytes that hold them, in order; a row that continues on other pages comes alone.
  ///
  /// - Returns: false when `body` returns false or the file has another form; `body` gets the rows before that.
  mutating func forEachBlock(_ body: ([UInt8], [Row]) -> Bool) -> Bool {
    var rows: [Row] = []
    for index in leaves.indices {
      guard let start = place(of: index) else { return false }
      let isSound = readLeaf(at: start, into: &rows, body)
      guard rows.isEmpty || body(window, rows), isSound else { return false }
      rows.removeAll(keepingCapacity: true)
      if wanted?.isEmpty == true { return true }
    }
    return wanted?.isEmpty ?? true
  }

  /// Adds the rows of a leaf to those that `body` is still to get; returns false when it returns false or the leaf has another
  /// form.
  private mutating func readLeaf(
    at start: Int, into rows: inout [Row], _ body: ([UInt8], [Row]) -> Bool
  ) -> Bool {
    let page = start..<start + pages.usableSize
    guard window[start] == SQLitePages.leafKind else { return false }
    let count = window.span.number(at: start + 3, size: 2)
    guard 8 + 2 * count <= page.count else { return false }
    for cell in 0..<count {
      var place = start + window.span.number(at: start + 8 + 2 * cell, size: 2)
      guard let size = window.span.varint(at: &place, upTo: page.upperBound),
        let number = window.span.varint(at: &place, upTo: page.upperBound),
        0...Int64(pages.fileSize) ~= size
      else { return false }
      // Row numbers must increase; otherwise pages were mixed up.
      if let last, last >= number { return false }
      last = number
      if wanted != nil {
        guard let next = wanted?.first, next <= number else {
          if wanted?.isEmpty == true { return true }
          continue
        }
        // A row that was to come before this one is missing.
        guard next == number else { return false }
        wanted?.removeFirst()
      }
      let own = inlineSize(Int(size))
      guard own <= page.upperBound - place else { return false }
      if own == size {
        rows.append((number, place..<place + own))
        continue
      }
      guard rows.isEmpty || body(window, rows) else { return false }
      rows.removeAll(keepingCapacity: true)
      guard let record = record(Int(size), starting: place..<place + own, in: page),
        body(record, [(number, 0..<record.count)])
      else { return false }
    }
    return true
  }

  /// Returns the offset of a leaf in the window, after moving the window if necessary.
  private mutating func place(of index: Int) -> Int? {
    let page = leaves[index]
    if page >= first, (page - first + 1) * pages.pageSize <= window.count {
      return (page - first) * pages.pageSize
    }
    // The window covers leaves that are consecutive, or nearly so, up to about 256 KiB. Between rows that were chosen,
    // other pages are rarely needed.
    let gap = wanted == nil ? 8 : 2
    var end = page + 1
    for next in leaves[index...].dropFirst() {
      guard next >= end, next < end + gap, (next - page) * pages.pageSize < 1 << 18 else { break }
      end = next + 1
    }
    guard let bytes = pages.bytes(ofPages: page..<end) else { return nil }
    (window, first) = (bytes, page)
    return 0
  }

  /// Returns the number of a record's bytes that are stored in its leaf.
  ///
  /// - Source: "Database File Format", 1.6, of table leaves.
  private func inlineSize(_ size: Int) -> Int {
    let usable = pages.usableSize
    guard size > usable - 35 else { return size }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (size - least) % (usable - 4)
    return fitting <= usable - 35 ? fitting : least
  }

  /// Returns a record that continues in a chain of overflow pages.
  private func record(_ size: Int, starting own: Range<Int>, in page: Range<Int>) -> [UInt8]? {
    guard own.upperBound <= page.upperBound - 4 else { return nil }
    var next = window.span.number(at: own.upperBound, size: 4)
    var record = Array(window[own])
    let body = pages.usableSize - 4
    while record.count < size {
      // The pages of a chain are mostly consecutive.
      let count = min((size - record.count + body - 1) / body, 64)
      guard let chain = pages.bytes(ofPages: next..<next + count) ?? pages.bytes(ofPages: next..<next + 1)
      else {
        return nil
      }
      let start = next
      while record.count < size, next >= start, (next - start) * pages.pageSize < chain.count {
        let place = (next - start) * pages.pageSize
        next = chain.span.number(at: place, size: 4)
        record += chain[place + 4..<place + 4 + min(body, size - record.count)]
      }
    }
    return record
  }
}

/// The values of a record by their positions, in the order of the table's columns.
///
/// - Source: SQLite, "Database File Format", 2.1.
struct SQLiteRecord {
  /// A value as stored.
  struct Value {
    /// The serial type of SQLite.
    let type: Int64
    let range: Range<Int>

    /// The value of a column that the row does not have.
    static let null = Value(type: 0, range: 0..<0)
  }

  private var head: Int
  private let headEnd: Int
  private var body: Int
  private let end: Int

  /// Reads the record at a range of some bytes; nil when its header does not fit.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    head = range.lowerBound
    guard let size = bytes.varint(at: &head, upTo: range.upperBound), size >= 0, size <= range.count else {
      return nil
    }
    headEnd = range.lowerBound + Int(size)
    (body, end) = (headEnd, range.upperBound)
  }

  /// Whether all values have been read.
  var isAtEnd: Bool { head >= headEnd }

  /// Reads the next value; nil when it exceeds the record.
  mutating func next(_ bytes: Span<UInt8>) -> Value? {
    guard let type = bytes.varint(at: &head, upTo: headEnd), type >= 0 else { return nil }
    let size: Int
    switch type {
    case 0, 8, 9: size = 0
    case 1...4: size = Int(type)
    case 5: size = 6
    case 6, 7: size = 8
    // These types are reserved.
    case 10, 11: return nil
    default: size = Int((type - 12) / 2)
    }
    guard size <= end - body else { return nil }
    defer { body += size }
    return Value(type: type, range: body..<body + size)
  }
}

extension SQLiteRecord.Value {
  /// Returns whether the value is null; SQLite also reads NaN as null.
  func isNull(_ bytes: Span<UInt8>) -> Bool { type == 0 || type == 7 && real(bytes)?.isNaN == true }

  /// Returns an integer; nil for other values.
  func integer(_ bytes: Span<UInt8>) -> Int64? {
    switch type {
    case 1...6:
      // The first byte contains the sign.
      var number = Int64(Int8(bitPattern: bytes[range.lowerBound]))
      var place = range.lowerBound + 1
      while place < range.upperBound {
        number = number << 8 | Int64(bytes[place])
        place += 1
      }
      return number
    case 8: return 0
    case 9: return 1
    default: return nil
    }
  }

  /// Returns a number; nil for other values.
  func real(_ bytes: Span<UInt8>) -> Double? {
    guard type == 7 else { return integer(bytes).map { Double($0) } }
    return Double(bitPattern: ByteWord(bytes, at: range.lowerBound).bits.byteSwapped)
  }

  /// The range of a text; nil for other values.
  var text: Range<Int>? { type >= 13 && type & 1 == 1 ? range : nil }

  /// The range of a blob; nil for other values.
  var blob: Range<Int>? { type >= 12 && type & 1 == 0 ? range : nil }
}

extension Span<UInt8> {
  /// Reads a number of seven bits per byte, most significant first, with all eight bits of a ninth byte; advances
  /// `place`.
  @inline(__always)
  func varint(at place: inout Int, upTo end: Int) -> Int64? {
    // Most numbers have one byte.
    if place < end, self[place] < 0x80 {
      place += 1
      return Int64(self[place - 1])
    }
    return longVarint(at: &place, upTo: end)
  }

  private func longVarint(at place: inout Int, upTo end: Int) -> Int64? {
    var number: UInt64 = 0
    for step in 0..<9 {
      guard place < end else { return nil }
      let byte = self[place]
      place += 1
      if step == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: number) }
    }
    return nil
  }
}
