import MapFeatures
import MapFilter
import MapGeometry

/// A column of a Parquet file to be written: its description, and its values by rows.
struct ParquetOutput: Sendable {
  /// The part of a column in a row group.
  struct Chunk: Sendable {
    var bytes: [UInt8] = []
    var uncompressedSize = 0
    var valueCount = 0
    /// The number of bytes before the first page of values; nil without a dictionary.
    var dictionarySize: Int?
    var nullCount = 0
    var least: [UInt8]?
    var greatest: [UInt8]?
  }

  /// The name of the group that holds the column; nil for a field of the table.
  let group: String?
  private let column: WrittenColumn
  private let type: ParquetPhysicalType
  /// The members of the schema element that give the values their meaning.
  private let meaning: [(Int, ThriftValue)]

  /// The size in bytes from which a page is full, and the greatest number of its rows.
  ///
  /// - Source: the defaults of Arrow's writer.
  private static let pageSize = 1 << 20, pageRows = 20_000

  /// Creates the output of a column.
  init(_ column: WrittenColumn, group: String? = nil) {
    (self.column, self.group) = (column, group)
    let nothing = ThriftValue.structure([])
    func time(_ number: Int, isInUTC: Bool) -> ThriftValue {
      let microseconds = ThriftValue.structure([(2, nothing)])
      return .structure([(number, .structure([(1, .boolean(isInUTC)), (2, microseconds)]))])
    }
    switch column.values {
    case .integers(_, size: 2):
      let short = ThriftValue.structure([(1, .byte(16)), (2, .boolean(true))])
      (type, meaning) = (.int32, [(6, .int32(16)), (10, .structure([(10, short)]))])
    case .integers(_, size: 4): (type, meaning) = (.int32, [])
    case .integers: (type, meaning) = (.int64, [])
    case .reals(_, let size): (type, meaning) = (size == 4 ? .float : .double, [])
    case .booleans: (type, meaning) = (.boolean, [])
    case .days: (type, meaning) = (.int32, [(6, .int32(6)), (10, .structure([(6, nothing)]))])
    case .times: (type, meaning) = (.int64, [(6, .int32(8)), (10, time(7, isInUTC: false))])
    case .instants: (type, meaning) = (.int64, [(6, .int32(10)), (10, time(8, isInUTC: true))])
    case .texts: (type, meaning) = (.bytes, [(6, .int32(0)), (10, .structure([(1, nothing)]))])
    case .geometries: (type, meaning) = (.bytes, [])
    }
  }

  // MARK: Description

  /// The element of the schema; a column of a group is always present in it, and the group may be null.
  var element: ThriftValue {
    .structure(
      [
        (1, .int32(type.rawValue)), (3, .int32(column.isNullable && group == nil ? 1 : 0)),
        (4, .text(column.name)),
      ] + meaning)
  }

  /// Returns the description of a part of the column at an offset of the file.
  func description(of chunk: Chunk, at offset: Int) -> ThriftValue {
    var encodings = [0, 3]
    if chunk.dictionarySize != nil { encodings.append(8) }
    var members: [(Int, ThriftValue)] = [
      (1, .int32(type.rawValue)), (2, .list(encodings.map { .int32($0) })),
      (3, .list(([group].compactMap { $0 } + [column.name]).map { .text($0) })),
      (4, .int32(ParquetCodec.zstd.rawValue)), (5, .int64(chunk.valueCount)),
      (6, .int64(chunk.uncompressedSize)), (7, .int64(chunk.bytes.count)),
      (9, .int64(offset + (chunk.dictionarySize ?? 0))),
    ]
    if chunk.dictionarySize != nil { members.append((11, .int64(offset))) }
    var statistics: [(Int, ThriftValue)] = [(3, .int64(chunk.nullCount))]
    if let least = chunk.least, let greatest = chunk.greatest {
      statistics += [(5, .bytes(greatest)), (6, .bytes(least))]
    }
    members.append((12, .structure(statistics)))
    return .structure([(2, .int64(0)), (3, .structure(members))])
  }

  // MARK: Values

  /// Returns the pages of some rows.
  func chunk(_ rows: ArraySlice<Int>) throws(ArrowError) -> Chunk {
    var chunk = Chunk()
    chunk.valueCount = rows.count
    let indices = try addDictionary(rows, to: &chunk)
    var bounds = Bounds()
    var rest = rows
    while !rest.isEmpty {
      let (values, rowCount) = values(rest.prefix(Self.pageRows), indices, &bounds)
      let levels = rest.prefix(rowCount).map { column.isNull($0) ? UInt8(0) : 1 }
      rest = rest.dropFirst(rowCount)
      chunk.nullCount += levels.count { $0 == 0 }
      var body: [UInt8] = []
      if column.isNullable {
        let runs = Self.runs(levels)
        body.append(size: runs.count)
        body += runs
      }
      body += values
      let content = ThriftValue.structure([
        (1, .int32(rowCount)), (2, .int32(indices == nil ? 0 : 8)), (3, .int32(3)), (4, .int32(3)),
      ])
      try Self.addPage(0, (5, content), body, to: &chunk)
    }
    (chunk.least, chunk.greatest) = bounds.bytes(type)
    return chunk
  }

  /// Returns the values of the first of some rows, as a page stores them, and the number of these rows.
  private func values(
    _ rows: ArraySlice<Int>, _ indices: [Int32: Int]?, _ bounds: inout Bounds
  ) -> (bytes: [UInt8], rowCount: Int) {
    func present<Value>(_ values: [Value]) -> [Value] {
      rows.lazy.filter { !column.isNull($0) }.map { values[$0] }
    }
    switch column.values {
    case .integers(let numbers, _), .times(let numbers), .instants(let numbers):
      let found = present(numbers)
      bounds.note(found)
      return (
        type == .int64 ? found.littleEndian : found.map { Int32(clamping: $0) }.littleEndian, rows.count
      )
    case .days(let days):
      let found = present(days)
      bounds.note(found.map { Int64($0) })
      return (found.littleEndian, rows.count)
    case .reals(let numbers, let size):
      let found = present(numbers)
      bounds.note(found)
      return (
        size == 4 ? found.map { Float($0).bitPattern }.littleEndian : found.map(\.bitPattern).littleEndian,
        rows.count
      )
    case .booleans(let flags):
      return (Self.bitBytes(present(flags).map { $0 ? 1 : 0 }, width: 1), rows.count)
    case .texts(let codes, let dictionary):
      guard let indices else {
        return texts(rows) { dictionary[Int(codes[$0])].utf8 }
      }
      let width = max(1, Int.bitWidth - max(0, indices.count - 1).leadingZeroBitCount)
      return ([UInt8(width)] + Self.packed(present(codes).map { indices[$0] ?? 0 }, width: width), rows.count)
    case .geometries(let table):
      return texts(rows) { row in
        table.buffer(ofRow: row).map { WellKnownBinary.bytes(of: $0, row: row) } ?? []
      }
    }
  }

  /// Returns the values of the first of some rows with their sizes, until a page is full, and the number of these rows.
  private func texts(
    _ rows: ArraySlice<Int>, _ text: (Int) -> some Collection<UInt8>
  ) -> (bytes: [UInt8], rowCount: Int) {
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() where !column.isNull(row) {
      guard bytes.count < Self.pageSize else { return (bytes, index) }
      let text = text(row)
      bytes.append(size: text.count)
      bytes += text
    }
    return (bytes, rows.count)
  }

  /// Adds a dictionary of the texts of some rows, and returns the indices of its codes; nil if the texts are shorter.
  private func addDictionary(
    _ rows: ArraySlice<Int>, to chunk: inout Chunk
  ) throws(ArrowError) -> [Int32: Int]? {
    guard case .texts(let codes, let dictionary) = column.values else { return nil }
    var (found, texts) = ([Int32: Int](), [UInt8]())
    for row in rows where !column.isNull(row) && found[codes[row]] == nil {
      found[codes[row]] = found.count
      let text = dictionary[Int(codes[row])].utf8
      texts.append(size: text.count)
      texts += text
      guard found.count <= max(1, rows.count / 2), texts.count < Self.pageSize else { return nil }
    }
    guard !found.isEmpty else { return nil }
    try Self.addPage(2, (7, .structure([(1, .int32(found.count)), (2, .int32(0))])), texts, to: &chunk)
    chunk.dictionarySize = chunk.bytes.count
    return found
  }

  private static func addPage(
    _ kind: Int, _ content: (Int, ThriftValue), _ body: [UInt8], to chunk: inout Chunk
  ) throws(ArrowError) {
    let packed = try ParquetCodec.compressedWithZstandard(body)
    let header = ThriftWriter.bytes(
      of: .structure([
        (1, .int32(kind)), (2, .int32(body.count)), (3, .int32(packed.count)), content,
      ]))
    chunk.bytes += header + packed
    chunk.uncompressedSize += header.count + body.count
  }

  // MARK: Bytes

  /// Returns levels of one bit in runs of equal ones, or packed if these are shorter.
  private static func runs(_ levels: [UInt8]) -> [UInt8] {
    var (bytes, start) = ([UInt8](), 0)
    while start < levels.count {
      var end = start
      while end < levels.count, levels[end] == levels[start] { end += 1 }
      bytes.append(variable: UInt64(end - start) << 1)
      bytes.append(levels[start])
      start = end
    }
    guard bytes.count > levels.count / 8 else { return bytes }
    let packed = packed(levels.map { Int($0) }, width: 1)
    return packed.count < bytes.count ? packed : bytes
  }

  /// Returns numbers in one run of packed bits.
  private static func packed(_ numbers: [Int], width: Int) -> [UInt8] {
    guard !numbers.isEmpty else { return [] }
    let groups = (numbers.count + 7) / 8
    var bytes: [UInt8] = []
    bytes.append(variable: UInt64(groups) << 1 | 1)
    let content = bitBytes(numbers, width: width)
    return bytes + content + Array(repeating: 0, count: groups * width - content.count)
  }

  private static func bitBytes(_ numbers: [Int], width: Int) -> [UInt8] {
    var (bytes, word, count) = ([UInt8](), UInt64(0), 0)
    for number in numbers {
      word |= UInt64(number) << UInt64(count)
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
        count -= 8
      }
    }
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: word)) }
    return bytes
  }
}

extension [UInt8] {
  /// Adds a number of bytes as four bytes.
  fileprivate mutating func append(size: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: size >> shift)) }
  }
}

/// The smallest and the greatest value of a part of a column.
private struct Bounds {
  private var integers: (least: Int64, greatest: Int64)?
  private var reals: (least: Double, greatest: Double)?

  /// Takes in integers.
  mutating func note(_ values: [Int64]) {
    guard let least = values.min(), let greatest = values.max() else { return }
    integers = integers.map { (min($0.least, least), max($0.greatest, greatest)) } ?? (least, greatest)
  }

  /// Takes in numbers without NaN.
  mutating func note(_ values: [Double]) {
    guard let least = values.min(), let greatest = values.max() else { return }
    reals = reals.map { (min($0.least, least), max($0.greatest, greatest)) } ?? (least, greatest)
  }

  /// Returns both values as statistics hold them; nil without values.
  func bytes(_ type: ParquetPhysicalType) -> (least: [UInt8]?, greatest: [UInt8]?) {
    if let (least, greatest) = integers {
      if type == .int64 { return ([least].littleEndian, [greatest].littleEndian) }
      return ([Int32(clamping: least)].littleEndian, [Int32(clamping: greatest)].littleEndian)
    }
    guard let (low, high) = reals else { return (nil, nil) }
    // Zeros of both signs are equal, and the bounds must hold both.
    let (least, greatest) = (low == 0 ? -0.0 : low, high == 0 ? 0.0 : high)
    if type == .float {
      return ([Float(least).bitPattern].littleEndian, [Float(greatest).bitPattern].littleEndian)
    }
    return ([least.bitPattern].littleEndian, [greatest.bitPattern].littleEndian)
  }
}
