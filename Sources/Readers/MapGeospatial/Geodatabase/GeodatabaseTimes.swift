/// The timestamps of a table of a File Geodatabase, read from its files.
///
/// GDAL 3.6 reads those before 1970 a second late, and drops fractions of a second in all.
///
/// - Source: the reverse-engineered specification of the format by E. Rouault ("FGDB-Spec"), version 3.
struct GeodatabaseTimes {
  /// The types of a field whose values this reader knows.
  private enum Kind: Equatable {
    /// Values of a fixed number of bytes.
    case fixed(Int)
    /// A length, then as many bytes.
    case counted
    case time
    /// The object id, which rows do not contain.
    case id
  }

  /// A value of a row.
  private struct Cell {
    /// The microseconds since 1970; nil for null.
    let microseconds: Int64?
  }

  private let rows: DataFile
  private let offsets: DataFile
  private let fields: [(name: String, kind: Kind, isNullable: Bool)]
  private let blockCount: Int
  private let offsetSize: Int
  /// Whether each block of 1024 rows is in the file, and the number of those before it; nil if all are.
  private let blocks: [(isPresent: Bool, before: Int)]?

  /// Reads the description of a table; nil for one that this reader does not know.
  init?(folder: String, table: Int) {
    do throws(LibraryError) {
      rows = try DataFile(folder, "\(GeodatabaseFiles.name(table)).gdbtable")
      offsets = try DataFile(folder, "\(GeodatabaseFiles.name(table)).gdbtablx")
      let head = try rows.bytes(at: 0, count: 40)
      let place = head.little(at: 32, size: 8)
      guard head.little(at: 0, size: 4) == 3, place < rows.size else { return nil }
      let size = try rows.bytes(at: place, count: 4).little(at: 0, size: 4)
      guard size <= 1 << 24 else { return nil }
      guard let fields = Self.fields(try rows.bytes(at: place + 4, count: size)) else { return nil }
      self.fields = fields
      let start = try offsets.bytes(at: 0, count: 16)
      (blockCount, offsetSize) = (start.little(at: 4, size: 4), start.little(at: 12, size: 4))
      guard start.little(at: 0, size: 4) == 3, (4...6).contains(offsetSize) else { return nil }
      let trailer = 16 + blockCount * 1024 * offsetSize
      let tail = try offsets.bytes(at: trailer, count: 16)
      guard tail.little(at: 0, size: 4) != 0 else {
        blocks = nil
        return
      }
      let total = tail.little(at: 4, size: 4)
      guard total <= 1 << 21 else { return nil }
      let bits = try offsets.bytes(at: trailer + 16, count: (total + 7) / 8)
      var (found, before) = ([(isPresent: Bool, before: Int)](), 0)
      for index in 0..<total {
        let isPresent = bits[index / 8] >> UInt8(index % 8) & 1 == 1
        found.append((isPresent, before))
        if isPresent { before += 1 }
      }
      blocks = found
    } catch { return nil }
  }

  /// Returns the microseconds since 1970 of a field for rows by their object ids, with nil for null; nil when the rows
  /// cannot be read.
  func microseconds(ofField name: String, rows ids: [Int64]) -> [Int64?]? {
    guard let index = fields.firstIndex(where: { $0.name == name && $0.kind == .time }) else { return nil }
    var found: [Int64?] = []
    var (offsets, rows) = (Window(offsets), Window(rows))
    for id in ids {
      guard let row = try? bytes(ofRow: id, &offsets, &rows), let value = value(index, in: row) else {
        return nil
      }
      found.append(value.microseconds)
    }
    return found
  }

  private func bytes(
    ofRow id: Int64, _ offsets: inout Window, _ rows: inout Window
  ) throws(LibraryError) -> ArraySlice<UInt8>? {
    guard id > 0, id <= 1 << 32 else { return nil }
    var (block, row) = (Int(id - 1) / 1024, Int(id - 1) % 1024)
    if let blocks {
      guard block < blocks.count, blocks[block].isPresent else { return nil }
      block = blocks[block].before
    }
    guard block < blockCount else { return nil }
    row += block * 1024
    let offset = Int(
      clamping: UInt64(bytes: try offsets.bytes(at: 16 + row * offsetSize, count: offsetSize)))
    guard offset >= 40 else { return nil }
    let size = Int(clamping: UInt64(bytes: try rows.bytes(at: offset, count: 4)))
    return try rows.bytes(at: offset + 4, count: size)
  }

  /// The part of a file that was read last, since rows mostly follow each other.
  private struct Window {
    private static let size = 1 << 18
    private let file: DataFile
    private var start = 0
    private var bytes: [UInt8] = []

    init(_ file: DataFile) { self.file = file }

    /// Returns the bytes at an offset.
    mutating func bytes(at offset: Int, count: Int) throws(LibraryError) -> ArraySlice<UInt8> {
      if offset < start || offset - start > bytes.count || count > bytes.count - (offset - start) {
        let rest = max(0, file.size - max(0, offset))
        bytes = try file.bytes(at: offset, count: max(count, min(Self.size, rest)))
        start = offset
      }
      return bytes[offset - start..<offset - start + count]
    }
  }

  /// Returns a timestamp of a row; nil for a row that ends too early or has an impossible timestamp.
  private func value(_ wanted: Int, in row: ArraySlice<UInt8>) -> Cell? {
    let (start, end) = (row.startIndex, row.endIndex)
    var place = start + (fields.count { $0.isNullable } + 7) / 8
    guard place <= end else { return nil }
    var bit = 0
    for (index, field) in fields.enumerated() {
      var isNull = false
      if field.isNullable {
        isNull = row[start + bit / 8] >> UInt8(bit % 8) & 1 == 1
        bit += 1
      }
      if isNull, index == wanted { return Cell(microseconds: nil) }
      guard !isNull else { continue }
      switch field.kind {
      case .id: break
      case .fixed(let size): place += size
      case .counted:
        guard let count = Self.number(row, &place), count <= end - place else { return nil }
        place += count
      case .time:
        guard end - place >= 8 else { return nil }
        if index == wanted {
          let days = Double(bitPattern: UInt64(bytes: row[place..<place + 8]))
          // 25,569 days lie between 1899-12-30 and 1970-01-01.
          let milliseconds = ((days - 25_569) * 86_400_000).rounded()
          guard abs(milliseconds) < 1e15, let whole = Int64(exactly: milliseconds) else { return nil }
          return Cell(microseconds: whole * 1000)
        }
        place += 8
      }
      guard place <= end else { return nil }
    }
    return nil
  }

  /// Reads a number of seven bits per byte, least significant first.
  private static func number(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int? {
    var (number, shift) = (0, 0)
    while place < bytes.endIndex, shift < 35 {
      number |= Int(bytes[place] & 0x7F) << shift
      place += 1
      if bytes[place - 1] < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  // MARK: Fields

  /// Returns the fields of a description, after its size; nil if it has a type of field that is not known.
  private static func fields(_ bytes: [UInt8]) -> [(name: String, kind: Kind, isNullable: Bool)]? {
    var place = 0
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= bytes.count - place else { return nil }
      defer { place += count }
      return bytes[place..<place + count]
    }
    func byte() -> UInt8? { take(1)?.first }
    func word() -> Int? { take(2).map { Int(UInt64(bytes: $0)) } }
    func text() -> String? {
      guard let count = byte(), let units = take(Int(count) * 2) else { return nil }
      let start = units.startIndex
      return String(
        decoding: (0..<Int(count)).map {
          UInt16(units[start + 2 * $0]) | UInt16(units[start + 2 * $0 + 1]) << 8
        }, as: UTF16.self)
    }
    guard take(4) != nil, let flags = take(4).map({ UInt64(bytes: $0) }), let count = word() else {
      return nil
    }
    var found: [(name: String, kind: Kind, isNullable: Bool)] = []
    for _ in 0..<count {
      guard let name = text(), text() != nil, let type = byte() else { return nil }
      var (kind, nullable) = (Kind.counted, UInt8(0))
      /// Reads the width, the flags and the default value of a plain field.
      func plain(width: Int) -> Bool {
        guard take(width) != nil, let flag = byte() else { return false }
        nullable = flag
        var length = 0
        if width == 4 {
          guard let number = number(bytes[...], &place) else { return false }
          length = number
        } else {
          guard let short = byte() else { return false }
          length = Int(short)
        }
        return flag & 4 == 0 || take(length) != nil
      }
      switch type {
      case 0, 1, 2, 3, 5:
        guard plain(width: 1) else { return nil }
        kind = type == 5 ? .time : .fixed([2, 4, 4, 8][Int(type)])
      case 4: guard plain(width: 4) else { return nil }
      case 6:
        guard take(2) != nil else { return nil }
        kind = .id
      case 7:
        guard take(1) != nil, let flag = byte(), let length = word(), take(length) != nil, let axes = byte()
        else { return nil }
        nullable = flag
        let more = (axes & 2 == 0 ? 0 : 1) + (axes & 4 == 0 ? 0 : 1)
        let extents = (flags >> 31 & 1 == 0 ? 0 : 1) + (flags >> 30 & 1 == 0 ? 0 : 1)
        // Origins and scales, tolerances, the extent, and the grids of an index.
        guard take(8 * (3 + 2 * more + 1 + more + 4 + 2 * extents) + 1) != nil,
          let grids = take(4).map({ Int(clamping: UInt64(bytes: $0)) }), grids <= 16, take(8 * grids) != nil
        else { return nil }
      case 8, 10, 11, 12:
        guard take(1) != nil, let flag = byte() else { return nil }
        nullable = flag
        if type == 10 || type == 11 { kind = .fixed(16) }
      default: return nil
      }
      found.append((name, kind, nullable & 1 == 1))
    }
    return found
  }
}

extension UInt64 {
  /// Creates a number from at most eight bytes, least significant first.
  fileprivate init(bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
