import MapFeatures
import MapFilter
import MapGeometry

/// A column of a Parquet file to be written: its description, and its values by rows.
struct ParquetOutput: Sendable {
  private enum Source: Sendable {
    case integers([Int64], size: Int)
    case reals([Double], size: Int)
    case booleans([Bool])
    case days([Int32])
    case texts(codes: [Int32], dictionary: [String])
    case geometry(FeatureColumns)
    /// A side of the box of each geometry: 0 for the least x, then the least y, the greatest x and the greatest y.
    case side(FeatureColumns, Int)
  }

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

  let name: String
  /// The name of the group that holds the column; nil for a field of the table.
  let group: String?
  private let type: ParquetPhysicalType
  /// The members of the schema element that give the values their meaning.
  private let meaning: [(Int, ThriftValue)]
  private let isNullable: Bool
  private let source: Source
  private let validity: RowSet?

  /// The size in bytes from which a page is full, and the greatest number of its rows.
  ///
  /// - Source: the defaults of Arrow's writer.
  private static let pageSize = 1 << 20, pageRows = 20_000

  /// Creates the output of a field.
  init(_ field: Field, _ column: Column, rows: [Int]) {
    (name, group, validity) = (field.name, nil, column.validity)
    isNullable = field.isNullable || column.validity != nil
    func fits(_ isFitting: (Int) -> Bool) -> Bool {
      rows.allSatisfy { !column.isValid($0) || isFitting($0) }
    }
    let microseconds = ThriftValue.structure([(2, .structure([]))])
    switch column.storage {
    case .integers, .shortIntegers:
      let values = column.integers ?? []
      if field.fieldType == .int16, fits({ Int16(exactly: values[$0]) != nil }) {
        (type, meaning) = (.int32, [(6, .int32(16)), (10, Self.integer(bits: 16))])
      } else if field.fieldType == .int32, fits({ Int32(exactly: values[$0]) != nil }) {
        (type, meaning) = (.int32, [])
      } else {
        (type, meaning) = (.int64, [])
      }
      source = .integers(values, size: type == .int32 ? 4 : 8)
    case .reals(let values):
      let isSingle = field.fieldType == .float32 && fits { Double(Float(values[$0])) == values[$0] }
      (type, meaning, source) = (isSingle ? .float : .double, [], .reals(values, size: isSingle ? 4 : 8))
    case .booleans(let values): (type, meaning, source) = (.boolean, [], .booleans(values))
    case .text(let codes, let dictionary):
      if field.fieldType == .timeOnly, let times = ArrowOutput.times(dictionary) {
        let values = codes.map { $0 < 0 ? 0 : times[Int($0)] }
        (type, source) = (.int64, .integers(values, size: 8))
        meaning = [
          (6, .int32(8)), (10, .structure([(7, .structure([(1, .boolean(false)), (2, microseconds)]))])),
        ]
      } else {
        (type, source) = (.bytes, .texts(codes: codes, dictionary: dictionary))
        meaning = [(6, .int32(0)), (10, .structure([(1, .structure([]))]))]
      }
    case .dates(let days):
      (type, source) = (.int32, .days(days))
      meaning = [(6, .int32(6)), (10, .structure([(6, .structure([]))]))]
    case .instants(let values):
      (type, source) = (.int64, .integers(values, size: 8))
      meaning = [
        (6, .int32(10)), (10, .structure([(8, .structure([(1, .boolean(true)), (2, microseconds)]))])),
      ]
    }
  }

  private static func integer(bits: Int8) -> ThriftValue {
    .structure([(10, .structure([(1, .byte(bits)), (2, .boolean(true))]))])
  }

  /// Creates the output of the geometries.
  init(geometryOf table: FeatureColumns, name: String) {
    (self.name, group, type, meaning, isNullable) = (name, nil, .bytes, [], true)
    (source, validity) = (.geometry(table), nil)
  }

  private init(side: Int, of table: FeatureColumns, group: String) {
    name = ["xmin", "ymin", "xmax", "ymax"][side]
    (self.group, type, meaning, isNullable) = (group, .double, [], true)
    (source, validity) = (.side(table, side), nil)
  }

  /// Returns the outputs of the boxes of the geometries, which are in a group.
  static func boxes(of table: FeatureColumns, name: String) -> [ParquetOutput] {
    (0..<4).map { ParquetOutput(side: $0, of: table, group: name) }
  }

  // MARK: Description

  /// The element of the schema; a column of a group is always present in it, and the group may be null.
  var element: ThriftValue {
    .structure(
      [
        (1, .int32(type.rawValue)), (3, .int32(isNullable && group == nil ? 1 : 0)), (4, .text(name)),
      ] + meaning)
  }

  /// Returns the description of a part of the column at an offset of the file.
  func description(of chunk: Chunk, at offset: Int) -> ThriftValue {
    var encodings = [0, 3]
    if chunk.dictionarySize != nil { encodings.append(8) }
    var members: [(Int, ThriftValue)] = [
      (1, .int32(type.rawValue)), (2, .list(encodings.map { .int32($0) })),
      (3, .list(([group].compactMap { $0 } + [name]).map { .text($0) })),
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

  private func isNull(_ row: Int) -> Bool {
    switch source {
    case .geometry(let table), .side(let table, _): table.buffer(ofRow: row) == nil
    default: validity.map { !$0.contains(row) } ?? false
    }
  }

  /// Returns the pages of some rows.
  func chunk(_ rows: ArraySlice<Int>) throws(ArrowError) -> Chunk {
    var chunk = Chunk()
    chunk.valueCount = rows.count
    var indices: [Int32: Int] = [:]
    if case .texts(let codes, let dictionary) = source {
      try addDictionary(codes, dictionary, rows, &indices, to: &chunk)
    }
    var bounds = Bounds()
    var start = rows.startIndex
    while start < rows.endIndex {
      var (values, levels, bits) = ([UInt8](), [UInt8](), [Int]())
      var end = start
      while end < rows.endIndex, end - start < Self.pageRows, values.count < Self.pageSize {
        let row = rows[end]
        end += 1
        if isNull(row) {
          levels.append(0)
          continue
        }
        levels.append(1)
        add(row, indices, &values, &bits, &bounds)
      }
      chunk.nullCount += levels.count { $0 == 0 }
      var body: [UInt8] = []
      if isNullable {
        let runs = Self.runs(levels)
        body += Self.number(runs.count) + runs
      }
      if chunk.dictionarySize != nil {
        let width = max(1, Int.bitWidth - max(0, indices.count - 1).leadingZeroBitCount)
        body.append(UInt8(width))
        body += Self.packed(bits, width: width)
      } else if type == .boolean {
        body += Self.bitBytes(bits, width: 1)
      } else {
        body += values
      }
      let content = ThriftValue.structure([
        (1, .int32(levels.count)), (2, .int32(chunk.dictionarySize == nil ? 0 : 8)), (3, .int32(3)),
        (4, .int32(3)),
      ])
      try Self.addPage(0, (5, content), body, to: &chunk)
      start = end
    }
    (chunk.least, chunk.greatest) = bounds.bytes(type)
    return chunk
  }

  /// Adds the value of a row to a page.
  private func add(
    _ row: Int, _ indices: [Int32: Int], _ values: inout [UInt8], _ bits: inout [Int], _ bounds: inout Bounds
  ) {
    switch source {
    case .integers(let numbers, let size):
      bounds.note(integer: numbers[row])
      Self.append(UInt64(bitPattern: numbers[row]), size, to: &values)
    case .reals(let numbers, let size):
      bounds.note(real: numbers[row])
      let bits = size == 4 ? UInt64(Float(numbers[row]).bitPattern) : numbers[row].bitPattern
      Self.append(bits, size, to: &values)
    case .booleans(let flags): bits.append(flags[row] ? 1 : 0)
    case .days(let days):
      bounds.note(integer: Int64(days[row]))
      Self.append(UInt64(bitPattern: Int64(days[row])), 4, to: &values)
    case .texts(let codes, let dictionary):
      if let index = indices[codes[row]] { return bits.append(index) }
      let text = Array(dictionary[Int(codes[row])].utf8)
      values += Self.number(text.count) + text
    case .geometry(let table):
      guard let buffer = table.buffer(ofRow: row) else { return }
      let bytes = WellKnownBinary.bytes(of: buffer, row: row)
      values += Self.number(bytes.count) + bytes
    case .side(let table, let side):
      guard let box = table.buffer(ofRow: row)?.envelope(ofRow: row) else { return }
      let value = [box.xMin, box.yMin, box.xMax, box.yMax][side]
      bounds.note(real: value)
      Self.append(value.bitPattern, 8, to: &values)
    }
  }

  /// Adds a dictionary of the texts of some rows, if it is shorter than the texts.
  private func addDictionary(
    _ codes: [Int32], _ dictionary: [String], _ rows: ArraySlice<Int>, _ indices: inout [Int32: Int],
    to chunk: inout Chunk
  ) throws(ArrowError) {
    var (found, texts) = ([Int32: Int](), [UInt8]())
    for row in rows where !isNull(row) && found[codes[row]] == nil {
      found[codes[row]] = found.count
      let text = Array(dictionary[Int(codes[row])].utf8)
      texts += Self.number(text.count) + text
      guard found.count <= max(1, rows.count / 2), texts.count < Self.pageSize else { return }
    }
    guard !found.isEmpty else { return }
    indices = found
    try Self.addPage(2, (7, .structure([(1, .int32(found.count)), (2, .int32(0))])), texts, to: &chunk)
    chunk.dictionarySize = chunk.bytes.count
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

  private static func number(_ count: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  private static func append(_ bits: UInt64, _ size: Int, to bytes: inout [UInt8]) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))) }
  }

  private static func append(unsigned number: Int, to bytes: inout [UInt8]) {
    var number = number
    while number >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: number) | 128)
      number >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: number))
  }

  /// Returns levels of one bit in runs of equal ones, or packed if these are shorter.
  private static func runs(_ levels: [UInt8]) -> [UInt8] {
    var (bytes, start) = ([UInt8](), 0)
    while start < levels.count {
      var end = start
      while end < levels.count, levels[end] == levels[start] { end += 1 }
      append(unsigned: (end - start) << 1, to: &bytes)
      bytes.append(levels[start])
      start = end
    }
    let packed = packed(levels.map { Int($0) }, width: 1)
    return packed.count < bytes.count ? packed : bytes
  }

  /// Returns numbers in one run of packed bits.
  private static func packed(_ numbers: [Int], width: Int) -> [UInt8] {
    guard !numbers.isEmpty else { return [] }
    let groups = (numbers.count + 7) / 8
    var bytes: [UInt8] = []
    append(unsigned: groups << 1 | 1, to: &bytes)
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

/// The smallest and the greatest value of a part of a column.
private struct Bounds {
  private var integers: (least: Int64, greatest: Int64)?
  private var reals: (least: Double, greatest: Double)?

  mutating func note(integer value: Int64) {
    guard let (least, greatest) = integers else { return integers = (value, value) }
    integers = (min(least, value), max(greatest, value))
  }

  mutating func note(real value: Double) {
    guard let (least, greatest) = reals else { return reals = (value, value) }
    reals = (min(least, value), max(greatest, value))
  }

  /// Returns both values as statistics hold them; nil without values.
  func bytes(_ type: ParquetPhysicalType) -> (least: [UInt8]?, greatest: [UInt8]?) {
    func bytes(_ bits: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    }
    if let (least, greatest) = integers {
      let size = type == .int32 ? 4 : 8
      return (bytes(UInt64(bitPattern: least), size), bytes(UInt64(bitPattern: greatest), size))
    }
    guard let (low, high) = reals else { return (nil, nil) }
    // Zeros of both signs are equal, and the bounds must hold both.
    let (least, greatest) = (low == 0 ? -0.0 : low, high == 0 ? 0.0 : high)
    if type == .float {
      return (bytes(UInt64(Float(least).bitPattern), 4), bytes(UInt64(Float(greatest).bitPattern), 4))
    }
    return (bytes(least.bitPattern, 8), bytes(greatest.bitPattern, 8))
  }
}
