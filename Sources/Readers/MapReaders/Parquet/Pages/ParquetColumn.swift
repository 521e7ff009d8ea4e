/// The part of a column in a row group, in pages that are still encoded.
struct ParquetPages: Sendable {
  let leaf: ParquetLeaf
  let codec: ParquetCodec
  let bytes: [UInt8]
  let pages: [ParquetPage]
  /// The rows of the row group that the pages hold, in ascending ranges.
  let rows: [Range<Int>]
  /// Whether the values of a dictionary are referred to by their indices.
  let keepsDictionary: Bool

  /// The size of all pages in bytes after decompression, as they state it.
  var uncompressedSize: Int { pages.reduce(0) { $0 + $1.uncompressedSize } }
  /// The number of values and nulls, and that of values in dictionaries.
  var valueCount: Int { pages.reduce(0) { $0 + $1.valueCount } }
}

/// The values and the levels of a column in a row group.
struct ParquetColumn: Sendable {
  let leaf: ParquetLeaf
  /// For each value or null, its definition level; empty for a column without nulls.
  private(set) var definitions: [UInt8] = []
  /// For each value or null, its repetition level; empty for a column without lists.
  private(set) var repetitions: [UInt8] = []
  /// The number of values and nulls.
  private(set) var entryCount = 0
  /// The values that are not in a dictionary.
  private(set) var values: ParquetValues
  /// The index of each value in the dictionary, followed by ``values``; nil if the values are not in a dictionary.
  private(set) var indices: [Int32]?
  private(set) var dictionary: ParquetValues?

  /// Decodes all pages.
  init(_ source: ParquetPages) throws {
    leaf = source.leaf
    values = ParquetValues(leaf)
    let pages = source.pages.filter { $0.kind == .values }
    let count = pages.reduce(0) { $0 + $1.valueCount }
    if leaf.definition > 0 { definitions.reserveCapacity(count) }
    if leaf.repetition > 0 { repetitions.reserveCapacity(count) }
    let plain = pages.filter { !source.keepsDictionary || !$0.hasIndices }
    values.reserve(
      count: plain.reduce(0) { $0 + $1.valueCount },
      bytes: plain.reduce(0) { $0 + $1.uncompressedSize + ($1.hasIndices ? 8 * $1.valueCount : 0) })
    for page in source.pages {
      if page.kind == .dictionary {
        dictionary = try Self.dictionary(page, source)
        if source.keepsDictionary { indices = [] }
      } else {
        try append(page, source)
      }
    }
  }

  private static func dictionary(_ page: ParquetPage, _ source: ParquetPages) throws -> ParquetValues {
    // Plain, by its number or the one for dictionaries of old files.
    guard page.encoding == 0 || page.encoding == 2 else {
      throw ArrowError("has a dictionary in an encoding that is not read (\(page.encoding))")
    }
    guard source.leaf.type != .boolean else { throw ArrowError("has a dictionary of booleans") }
    let bytes = try source.codec.decompressed(source.bytes, page.body, size: page.uncompressedSize)
    var values = ParquetValues(source.leaf)
    try values.append(bytes, 0..<bytes.count, encoding: 0, type: source.leaf.type, count: page.valueCount)
    return values
  }

  private mutating func append(_ page: ParquetPage, _ source: ParquetPages) throws {
    var (bytes, place) = ([UInt8](), 0)
    var defined = page.valueCount
    if let sizes = page.levelSizes {
      let start = page.body.lowerBound
      let middle = start + sizes.repetition
      let end = middle + sizes.definition
      if leaf.repetition > 0 {
        try ParquetRuns.read(
          source.bytes.span.extracting(start..<middle), width: leaf.repetition.bitWidthOfLevel,
          count: page.valueCount, into: &repetitions)
      }
      if leaf.definition > 0 {
        try readDefinitions(source.bytes.span.extracting(middle..<end), page.valueCount, &defined)
      }
      let body = end..<page.body.upperBound
      // A page without values may have no bytes to decompress.
      if page.isCompressed, source.codec != .none, !body.isEmpty {
        bytes = try source.codec.decompressed(
          source.bytes, body, size: page.uncompressedSize - sizes.repetition - sizes.definition)
      } else {
        bytes = Array(source.bytes[body])
      }
    } else {
      bytes = try source.codec.decompressed(source.bytes, page.body, size: page.uncompressedSize)
      guard page.levelEncoding == 3 || leaf.definition + leaf.repetition == 0 else {
        throw ArrowError("has levels in an encoding that is not read (\(page.levelEncoding))")
      }
      if leaf.repetition > 0 {
        let range = try Self.levels(bytes, &place)
        try ParquetRuns.read(
          bytes.span.extracting(range), width: leaf.repetition.bitWidthOfLevel, count: page.valueCount,
          into: &repetitions)
      }
      if leaf.definition > 0 {
        let range = try Self.levels(bytes, &place)
        try readDefinitions(bytes.span.extracting(range), page.valueCount, &defined)
      }
    }
    entryCount += page.valueCount
    try appendValues(bytes, place..<bytes.count, page.encoding, count: defined)
  }

  /// Returns the range of levels after their size.
  private static func levels(_ bytes: [UInt8], _ place: inout Int) throws(ArrowError) -> Range<Int> {
    guard bytes.count - place >= 4 else { throw ParquetFault.short }
    let size = bytes.span.int32(at: place)
    guard size >= 0, size <= bytes.count - place - 4 else { throw ParquetFault.short }
    defer { place += 4 + size }
    return place + 4..<place + 4 + size
  }

  private mutating func readDefinitions(
    _ bytes: Span<UInt8>, _ count: Int, _ defined: inout Int
  ) throws(ArrowError) {
    if leaf.repetition == 0 {
      // Without nulls so far, the levels are left out.
      if definitions.isEmpty, ParquetRuns.isOneRun(bytes, of: leaf.definition, count: count) { return }
      while definitions.count < entryCount { definitions.append(UInt8(leaf.definition)) }
    }
    let start = definitions.count
    try ParquetRuns.read(bytes, width: leaf.definition.bitWidthOfLevel, count: count, into: &definitions)
    let full = UInt8(leaf.definition)
    defined = 0
    for level in definitions[start...] {
      guard level <= full else { throw ArrowError("has a definition level beyond its greatest") }
      if level == full { defined += 1 }
    }
  }

  /// Keeps the values of some rows, which the pages hold with others.
  ///
  /// - Throws: ``ArrowError`` for pages with another number of rows.
  mutating func keep(_ wanted: [Range<Int>], of held: [Range<Int>]) throws(ArrowError) {
    // The ranges of the wanted rows among those that are held.
    var (kept, before, next) = ([Range<Int>](), 0, 0)
    for range in held {
      while next < wanted.count, wanted[next].lowerBound < range.upperBound {
        let part = wanted[next].clamped(to: range)
        if !part.isEmpty {
          let start = before + part.lowerBound - range.lowerBound
          kept.append(start..<start + part.count)
        }
        guard wanted[next].upperBound <= range.upperBound else { break }
        next += 1
      }
      before += range.count
    }
    var (entries, present) = (kept, kept)
    let full = UInt8(leaf.definition)
    if !repetitions.isEmpty || !definitions.isEmpty {
      (entries, present) = ([], [])
      var (row, value, next) = (-1, 0, 0)
      for entry in 0..<entryCount {
        if repetitions.isEmpty || repetitions[entry] == 0 { row += 1 }
        let isPresent = definitions.isEmpty || definitions[entry] == full
        while next < kept.count, kept[next].upperBound <= row { next += 1 }
        if next < kept.count, kept[next].contains(row) {
          entries.extend(by: entry)
          if isPresent { present.extend(by: value) }
        }
        if isPresent { value += 1 }
      }
      guard row + 1 == before else { throw ParquetFault.otherRows }
    } else if entryCount != before {
      throw ParquetFault.otherRows
    }
    definitions = definitions.isEmpty ? [] : entries.flatMap { definitions[$0] }
    repetitions = repetitions.isEmpty ? [] : entries.flatMap { repetitions[$0] }
    entryCount = entries.reduce(0) { $0 + $1.count }
    guard (present.last?.upperBound ?? 0) <= indices?.count ?? values.count else {
      throw ParquetFault.otherRows
    }
    if let all = indices { indices = present.flatMap { all[$0] } } else { values = values.kept(present) }
  }

  private mutating func appendValues(
    _ bytes: [UInt8], _ range: Range<Int>, _ encoding: Int, count: Int
  ) throws(ArrowError) {
    guard ParquetPage.indexEncodings.contains(encoding) else {
      if indices != nil, let dictionary {
        let first = dictionary.count + values.count
        guard first + count <= Int(Int32.max) else {
          throw ArrowError("has a dictionary of more than 2^31 values")
        }
        indices?.append(contentsOf: (first..<first + count).lazy.map { Int32(truncatingIfNeeded: $0) })
      }
      return try values.append(bytes, range, encoding: encoding, type: leaf.type, count: count)
    }
    guard let dictionary else { throw ArrowError("has indices without a dictionary") }
    guard count > 0 else { return }
    guard let first = range.first else { throw ParquetFault.short }
    var found: [Int32] = []
    try ParquetRuns.read(
      bytes.span.extracting(first + 1..<range.upperBound), width: Int(bytes[first]), count: count,
      into: &found)
    guard indices != nil else { return try values.append(dictionary, at: found) }
    for index in found where index < 0 || Int(index) >= dictionary.count {
      throw ArrowError("value \(index) of a dictionary of \(dictionary.count)")
    }
    indices?.append(contentsOf: found)
  }
}

extension Int {
  /// The number of bits of the levels up to this one.
  fileprivate var bitWidthOfLevel: Int { Int.bitWidth - leadingZeroBitCount }
}

extension [Range<Int>] {
  /// Adds a number that is not below the others.
  fileprivate mutating func extend(by number: Int) {
    if let last, last.upperBound == number {
      self[count - 1] = last.lowerBound..<number + 1
    } else {
      append(number..<number + 1)
    }
  }
}
