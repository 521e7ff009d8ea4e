import MapJSON

/// Puts the columns of a row group together to arrays of its fields.
///
/// - Source: Dremel's repetition and definition levels, as in parquet-format 2.11, "Nested Encoding".
struct ParquetArrays {
  /// The columns that are read, by their indices.
  let columns: [Int: ParquetColumn]

  /// The entries of a column at which the values of a field begin; nil for all.
  private typealias Slots = [Int32]?

  /// Returns the values of a field, and the dictionary that they refer to.
  func array(_ node: ParquetNode, rowCount: Int) throws(ArrowError) -> (ArrowArray, ArrowDictionary?) {
    var slots: [Int: [Int32]] = [:]
    for index in node.leaves {
      let column = try column(index)
      guard column.leaf.repetition > 0 else {
        guard column.entryCount == rowCount else { throw Self.otherRows }
        continue
      }
      var starts: [Int32] = []
      for (entry, level) in column.repetitions.enumerated() where level == 0 {
        starts.append(Int32(truncatingIfNeeded: entry))
      }
      guard starts.count == rowCount, rowCount == 0 || starts.first == 0 else { throw Self.otherRows }
      slots[index] = starts
    }
    if case .leaf(let index) = node.content {
      let column = try column(index)
      if let indices = column.indices, let dictionary = column.dictionary {
        return try Self.dictionaryArray(column, indices, dictionary)
      }
    }
    return (try array(node, slots), nil)
  }

  private static let otherRows = ArrowError("has another number of values than its row group has rows")
  private static let otherLevels = ArrowError("its columns have different levels")

  private func column(_ index: Int) throws(ArrowError) -> ParquetColumn {
    guard let column = columns[index] else { throw ArrowError("a column is missing") }
    return column
  }

  private func array(_ node: ParquetNode, _ slots: [Int: [Int32]]) throws(ArrowError) -> ArrowArray {
    switch node.content {
    case .leaf(let index): return try Self.leaf(try column(index), slots[index])
    case .unread(let name): throw ArrowError("values of type \(name) are not read")
    case .structure(let children):
      let parts = try children.map { child throws(ArrowError) in try array(child, slots) }
      let count = parts.first?.count ?? 0
      guard parts.allSatisfy({ $0.count == count }) else { throw Self.otherLevels }
      return ArrowArray(
        type: .structure, count: count, validity: try validity(node, slots, count), buffers: [],
        children: parts)
    case .list(let element, let repetition, let definition),
      .map(let element, let repetition, let definition):
      var (inner, offsets) = ([Int: [Int32]](), [Int32]?.none)
      for index in node.leaves {
        let column = try column(index)
        let (starts, ends) = Self.elements(
          column, slots[index] ?? [], repetition: repetition, definition: definition)
        guard offsets == nil || offsets == ends else { throw Self.otherLevels }
        (inner[index], offsets) = (starts, ends)
      }
      guard let offsets else { throw ArrowError("a column is missing") }
      let isMap = if case .map = node.content { true } else { false }
      let bytes = offsets.littleEndian
      return ArrowArray(
        type: isMap ? .map : .list(.small), count: offsets.count - 1,
        validity: try validity(node, slots, offsets.count - 1),
        buffers: [ArrowBuffer(bytes: bytes, range: bytes.indices)], children: [try array(element, inner)])
    }
  }

  /// Returns the entries at which the elements of lists begin, and the offsets of the lists among them.
  private static func elements(
    _ column: ParquetColumn, _ lists: [Int32], repetition: Int, definition: Int
  ) -> (starts: [Int32], offsets: [Int32]) {
    var (starts, offsets) = ([Int32](), [Int32]())
    starts.reserveCapacity(column.entryCount)
    offsets.reserveCapacity(lists.count + 1)
    var next = 0
    for entry in 0..<column.entryCount {
      if next < lists.count, entry == Int(lists[next]) {
        offsets.append(Int32(truncatingIfNeeded: starts.count))
        next += 1
      }
      if Int(column.repetitions[entry]) <= repetition, Int(column.definitions[entry]) >= definition {
        starts.append(Int32(truncatingIfNeeded: entry))
      }
    }
    offsets.append(Int32(truncatingIfNeeded: starts.count))
    return (starts, offsets)
  }

  /// Returns a bit for each value of a group that is not null; nil without nulls.
  private func validity(
    _ node: ParquetNode, _ slots: [Int: [Int32]], _ count: Int
  ) throws(ArrowError) -> ArrowBuffer? {
    guard node.isNullable, let index = node.leaves.first else { return nil }
    let column = try column(index)
    guard column.leaf.definition > 0 else { return nil }
    let least = UInt8(node.definition)
    guard let slots = slots[index] else { return ArrowBuffer(bitsOf: column.definitions, from: least) }
    return ArrowBuffer(bitsOf: slots.map { column.definitions[Int($0)] }, from: least)
  }

  /// Returns the array of one number for all rows.
  static func constant(_ number: Int64, rowCount: Int) -> ArrowArray {
    ParquetValues(
      width: 8, count: rowCount, bytes: [Int64](repeating: number, count: rowCount).littleEndian
    ).array(.integer(bits: 64, isSigned: true), validity: nil)
  }

  /// Returns the array of one text for all rows, and its dictionary.
  static func constant(
    _ text: String, rowCount: Int
  ) throws(ArrowError) -> (ArrowArray, ArrowDictionary?) {
    let indices = ParquetValues(width: 4, count: rowCount, bytes: [UInt8](repeating: 0, count: 4 * rowCount))
      .array(.integer(bits: 32, isSigned: true), validity: nil)
    var dictionary = ArrowDictionary()
    let bytes = Array(text.utf8)
    try dictionary.append(
      ParquetValues(bytes: bytes, offsets: [0, bytes.count]).array(
        .bytes(.large, isText: true), validity: nil))
    return (indices, dictionary)
  }

  // MARK: Columns

  /// Returns the values of a column, with nulls.
  private static func leaf(_ column: ParquetColumn, _ slots: [Int32]?) throws(ArrowError) -> ArrowArray {
    let levels: [UInt8] =
      if let slots, column.leaf.definition > 0 { slots.map { column.definitions[Int($0)] } } else {
        column.definitions
      }
    let count = slots?.count ?? column.entryCount
    if column.leaf.valueType == .null {
      return ArrowArray(type: .null, count: count, validity: nil, buffers: [], children: [])
    }
    let full = UInt8(column.leaf.definition)
    let values = try column.values.converted(column.leaf).spread(levels, full: full, count: count)
    return values.array(column.leaf.valueType.stored, validity: ArrowBuffer(bitsOf: levels, from: full))
  }

  /// Returns the indices of a column with nulls, and the dictionary.
  private static func dictionaryArray(
    _ column: ParquetColumn, _ indices: [Int32], _ dictionary: ParquetValues
  ) throws(ArrowError) -> (ArrowArray, ArrowDictionary?) {
    let full = UInt8(column.leaf.definition)
    let values = try ParquetValues(width: 4, count: indices.count, bytes: indices.littleEndian)
      .spread(column.definitions, full: full, count: column.entryCount)
    let array = values.array(
      .integer(bits: 32, isSigned: true), validity: ArrowBuffer(bitsOf: column.definitions, from: full))
    var known = ArrowDictionary()
    for part in [dictionary, column.values] where part.count > 0 {
      try known.append(
        try part.converted(column.leaf).array(column.leaf.valueType.stored, validity: nil))
    }
    return (array, known)
  }
}

extension ArrowType {
  /// The type in which Parquet stores the values: small integers take four bytes.
  fileprivate var stored: ArrowType {
    if case .integer(let bits, _) = self, bits < 32 { return .integer(bits: 32, isSigned: true) }
    return self
  }
}

extension ArrowBuffer {
  /// Creates a buffer with a bit for each level, which is set from `least` on; nil if all bits would be set.
  fileprivate init?(bitsOf levels: [UInt8], from least: UInt8) {
    guard levels.contains(where: { $0 < least }) else { return nil }
    var bits = [UInt8](repeating: 0, count: (levels.count + 7) / 8)
    var target = bits.mutableSpan
    let source = levels.span
    for row in 0..<source.count { target[row >> 3] |= (source[row] >= least ? 1 : 0) << UInt8(row & 7) }
    self.init(bytes: bits, range: bits.indices)
  }
}

extension ParquetValues {
  /// Returns the values in rows, with zeros or empty texts for nulls.
  ///
  /// - Parameters:
  ///   - levels: the definition level of each row; empty if no row is null.
  ///   - full: the level of a value.
  fileprivate func spread(
    _ levels: [UInt8], full: UInt8, count rows: Int
  ) throws(ArrowError) -> ParquetValues {
    let defined = levels.isEmpty ? rows : levels.count { $0 == full }
    guard defined == count else { throw ArrowError("has another number of values than its levels") }
    guard defined < rows else { return self }
    var next = 0
    guard let width else {
      var spread: [Int] = []
      spread.reserveCapacity(rows + 1)
      spread.append(0)
      for level in levels {
        if level == full { next += 1 }
        spread.append(offsets[next])
      }
      return ParquetValues(bytes: bytes, offsets: spread)
    }
    var spread = [UInt8](repeating: 0, count: rows * width)
    let source = bytes.span
    if width == 4 || width == 8, defined > 0 {
      let levels = levels.span
      let last = source.count - width
      spread.fill(at: 0, width: width, count: rows) { row in
        // A null takes no value: without a branch, since which rows are null cannot be foreseen.
        let isPresent = levels[row] == full
        let place = min(next, last)
        let word =
          width == 8
          ? ByteWord(source, at: place).bits : UInt64(truncatingIfNeeded: source.int32(at: place))
        next += isPresent ? width : 0
        return isPresent ? word : 0
      }
      return ParquetValues(width: width, count: rows, bytes: spread)
    }
    var target = spread.mutableSpan
    for (row, level) in levels.enumerated() where level == full {
      for byte in 0..<width { target[row * width + byte] = source[next + byte] }
      next += width
    }
    return ParquetValues(width: width, count: rows, bytes: spread)
  }

  /// Returns an array of the values.
  fileprivate func array(_ type: ArrowType, validity: ArrowBuffer?) -> ArrowArray {
    var buffers: [ArrowBuffer]
    if type == .boolean {
      var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
      for (row, byte) in bytes.enumerated() where byte != 0 { bits[row >> 3] |= 1 << UInt8(row & 7) }
      buffers = [ArrowBuffer(bytes: bits, range: bits.indices)]
    } else {
      buffers = [ArrowBuffer(bytes: bytes, range: bytes.indices)]
    }
    if width == nil {
      let places = offsets.littleEndian
      buffers.insert(ArrowBuffer(bytes: places, range: places.indices), at: 0)
    }
    return ArrowArray(type: type, count: count, validity: validity, buffers: buffers, children: [])
  }

  // MARK: Types that Arrow stores in another way

  /// Returns the values as Arrow stores them.
  fileprivate func converted(_ leaf: ParquetLeaf) throws(ArrowError) -> ParquetValues {
    switch (leaf.type, leaf.valueType) {
    case (.bytes, .decimal), (.fixedBytes, .decimal):
      try decimals(size: leaf.valueType.width ?? 32)
    case (.fixedBytes, .bytes(_, isText: true)): uniqueIDs()
    default: self
    }
  }

  /// Returns decimals of several lengths in two's complement, the highest byte first, in one size, the lowest first.
  private func decimals(size: Int) throws(ArrowError) -> ParquetValues {
    var converted: [UInt8] = []
    converted.reserveCapacity(count * size)
    for index in 0..<count {
      let range = width.map { $0 * index..<$0 * (index + 1) } ?? self.range(index)
      let fill: UInt8 = range.first.map { bytes[$0] >> 7 == 1 } ?? false ? 0xFF : 0
      let extra = range.count - size
      guard extra <= 0 || bytes[range].prefix(extra).allSatisfy({ $0 == fill }) else {
        throw ArrowError("has a decimal of more than \(8 * size) bits")
      }
      let kept = bytes[range].suffix(size)
      converted += kept.reversed()
      converted += repeatElement(fill, count: size - kept.count)
    }
    return ParquetValues(width: size, count: count, bytes: converted)
  }

  /// Returns the texts of unique ids.
  private func uniqueIDs() -> ParquetValues {
    let digits = Array("0123456789abcdef".utf8)
    var (texts, ends) = ([UInt8](), [0])
    for index in 0..<count {
      for place in 0..<16 {
        if [4, 6, 8, 10].contains(place) { texts.append(UInt8(ascii: "-")) }
        let byte = bytes[16 * index + place]
        texts.append(digits[Int(byte >> 4)])
        texts.append(digits[Int(byte & 15)])
      }
      ends.append(texts.count)
    }
    return ParquetValues(bytes: texts, offsets: ends)
  }
}
