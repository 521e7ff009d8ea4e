import MapJSON

/// The values of a column that are not null, one after the other.
struct ParquetValues: Sendable {
  /// The size of a value in bytes; nil for values of several lengths.
  ///
  /// A boolean takes one byte.
  let width: Int?
  private(set) var count = 0
  private(set) var bytes: [UInt8] = []
  /// The offset of each value in ``bytes``, and the end of the last; empty for values of one width.
  private(set) var offsets: [Int] = []
  /// The number of bytes that values may take beyond their encoded size.
  private var allowance: Int

  /// The number of bytes that values of several lengths may take beside their pages, and for each byte of a page.
  ///
  /// - Source: design decision; equal prefixes of sorted texts are stored once.
  private static let freeBytes = 64 << 20, bytesPerByte = 64

  init(_ leaf: ParquetLeaf) {
    width = leaf.type == .boolean ? 1 : leaf.type.width(typeLength: leaf.typeLength)
    allowance = Self.freeBytes
    if width == nil { offsets = [0] }
  }

  /// Creates values of one width.
  init(width: Int, count: Int, bytes: [UInt8]) {
    (self.width, self.count, self.bytes, allowance) = (width, count, bytes, 0)
  }

  /// Creates values of several lengths.
  init(bytes: [UInt8], offsets: [Int]) {
    (width, count, self.bytes, self.offsets, allowance) = (nil, offsets.count - 1, bytes, offsets, 0)
  }

  /// Returns the range of the bytes of a value of several lengths.
  @inline(__always)
  func range(_ index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  /// Reserves memory for all values of a column, which pages then add.
  mutating func reserve(count: Int, bytes size: Int) {
    bytes.reserveCapacity(width.map { min($0 * count, size) } ?? size)
    if width == nil { offsets.reserveCapacity(count + 1) }
  }

  // MARK: Encodings

  /// Adds values in an encoding other than that of dictionaries.
  ///
  /// - Source: parquet-format 2.11, `Encodings.md`.
  mutating func append(
    _ source: [UInt8], _ range: Range<Int>, encoding: Int, type: ParquetPhysicalType, count: Int
  ) throws(ArrowError) {
    // A page of nulls may have no bytes.
    guard count > 0 else { return }
    allowance += Self.bytesPerByte * range.count
    switch (encoding, type) {
    case (0, .boolean): try appendBits(source, range, count)
    case (0, _): try appendPlain(source, range, count)
    case (3, .boolean):
      guard range.count >= 4 else { throw ParquetFault.short }
      let size = source.span.int32(at: range.lowerBound)
      guard size >= 0, size <= range.count - 4 else { throw ParquetFault.short }
      let start = range.lowerBound + 4
      try ParquetRuns.read(
        source.span.extracting(start..<start + size), width: 1, count: count, into: &bytes)
      self.count += count
    case (5, .int32), (5, .int64):
      let values = try Self.deltas(source, range, count).values
      bytes +=
        type == .int32
        ? [Int32](count: count, filling: 0) { Int32(truncatingIfNeeded: values[$0]) }.littleEndian
        : values.littleEndian
      self.count += count
    case (6, .bytes): try appendLengths(source, range, count)
    case (7, .bytes), (7, .fixedBytes): try appendPrefixes(source, range, count)
    case (9, .float), (9, .double), (9, .int32), (9, .int64), (9, .fixedBytes):
      try appendSplit(source, range, count)
    default:
      throw ArrowError("has values in an encoding that is not read (\(encoding))")
    }
  }

  private mutating func appendBits(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) {
    guard (count + 7) / 8 <= range.count else { throw ParquetFault.short }
    let packed = source.span.extracting(range)
    let start = grow(by: count)
    var target = bytes.mutableSpan
    for index in 0..<count { target[start + index] = packed[index >> 3] >> UInt8(index & 7) & 1 }
    self.count += count
  }

  private mutating func appendPlain(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) {
    if let width {
      guard width == 0 || count <= range.count / width else { throw ParquetFault.short }
      bytes += source[range.lowerBound..<range.lowerBound + count * width]
      self.count += count
      return
    }
    var place = range.lowerBound
    for _ in 0..<count {
      guard range.upperBound - place >= 4 else { throw ParquetFault.short }
      let length = source.span.int32(at: place)
      place += 4
      guard length >= 0, length <= range.upperBound - place else { throw ParquetFault.short }
      bytes += source[place..<place + length]
      offsets.append(bytes.count)
      place += length
    }
    self.count += count
  }

  private static func deltas(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) -> (values: [Int64], end: Int) {
    let (values, end) = try ParquetDeltas.read(
      source.span.extracting(range), at: 0, limit: count)
    guard values.count == count else { throw ParquetFault.short }
    return (values, range.lowerBound + end)
  }

  private mutating func appendLengths(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) {
    let (lengths, start) = try Self.deltas(source, range, count)
    var place = start
    for length in lengths {
      guard length >= 0, length <= Int64(range.upperBound - place) else { throw ParquetFault.short }
      place += Int(length)
      offsets.append(bytes.count + place - start)
    }
    bytes += source[start..<place]
    self.count += count
  }

  private mutating func appendPrefixes(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) {
    let (prefixes, next) = try Self.deltas(source, range, count)
    let (suffixes, start) = try Self.deltas(source, next..<range.upperBound, count)
    var place = start
    var last = bytes.count..<bytes.count
    for (prefix, suffix) in zip(prefixes, suffixes) {
      guard prefix >= 0, prefix <= Int64(last.count), suffix >= 0, suffix <= Int64(range.upperBound - place)
      else { throw ParquetFault.short }
      allowance -= Int(prefix)
      guard allowance >= 0 else {
        throw ArrowError("its values share prefixes, and are longer than its bytes by far")
      }
      let from = bytes.count
      bytes += Array(bytes[last.lowerBound..<last.lowerBound + Int(prefix)])
      bytes += source[place..<place + Int(suffix)]
      place += Int(suffix)
      last = from..<bytes.count
      if let width {
        guard last.count == width else { throw ArrowError("has a value of another length than its field") }
      } else {
        offsets.append(bytes.count)
      }
    }
    self.count += count
  }

  private mutating func appendSplit(
    _ source: [UInt8], _ range: Range<Int>, _ count: Int
  ) throws(ArrowError) {
    guard let width, width > 0, count <= range.count / width else { throw ParquetFault.short }
    // The streams may be padded to the size of a page.
    let stride = range.count / width
    let start = grow(by: count * width)
    let streams = source.span.extracting(range)
    self.count += count
    if width == 4 || width == 8 {
      return bytes.fill(at: start, width: width, count: count) { index in
        var word: UInt64 = 0
        for byte in 0..<width { word |= UInt64(streams[byte * stride + index]) << UInt64(8 * byte) }
        return word
      }
    }
    var target = bytes.mutableSpan
    for byte in 0..<width {
      let stream = streams.extracting(byte * stride..<byte * stride + count)
      for index in 0..<count { target[start + index * width + byte] = stream[index] }
    }
  }

  // MARK: Dictionaries

  /// Adds the values of a dictionary at some indices.
  mutating func append(_ dictionary: ParquetValues, at indices: [Int32]) throws(ArrowError) {
    for index in indices where index < 0 || Int(index) >= dictionary.count {
      throw ArrowError("value \(index) of a dictionary of \(dictionary.count)")
    }
    count += indices.count
    guard let width else {
      for index in indices {
        let range = dictionary.range(Int(index))
        allowance -= range.count
        guard allowance >= 0 else {
          throw ArrowError("its values share bytes, and are longer than those by far")
        }
        bytes += dictionary.bytes[range]
        offsets.append(bytes.count)
      }
      return
    }
    let start = grow(by: indices.count * width)
    let source = dictionary.bytes.span
    let places = indices.span
    if width == 8 {
      return bytes.fill(at: start, width: 8, count: places.count) {
        ByteWord(source, at: 8 * Int(places[$0])).bits
      }
    }
    if width == 4 {
      return bytes.fill(at: start, width: 4, count: places.count) {
        UInt64(truncatingIfNeeded: source.int32(at: 4 * Int(places[$0])))
      }
    }
    var target = bytes.mutableSpan
    for (row, index) in indices.enumerated() {
      for byte in 0..<width { target[start + row * width + byte] = source[Int(index) * width + byte] }
    }
  }

  /// Returns the values of some ranges.
  func kept(_ ranges: [Range<Int>]) -> ParquetValues {
    if let width {
      return ParquetValues(
        width: width, count: ranges.reduce(0) { $0 + $1.count },
        bytes: ranges.flatMap { bytes[$0.lowerBound * width..<$0.upperBound * width] })
    }
    var (kept, ends) = ([UInt8](), [0])
    for range in ranges {
      let start = kept.count - offsets[range.lowerBound]
      kept += bytes[offsets[range.lowerBound]..<offsets[range.upperBound]]
      ends += offsets[range.lowerBound + 1...range.upperBound].lazy.map { $0 + start }
    }
    return ParquetValues(bytes: kept, offsets: ends)
  }

  /// Adds all values of others.
  mutating func append(_ others: ParquetValues) {
    count += others.count
    if width == nil { offsets += others.offsets.dropFirst().map { $0 + bytes.count } }
    bytes += others.bytes
  }

  /// Adds zeros to the bytes, and returns their start.
  private mutating func grow(by size: Int) -> Int {
    bytes.append(contentsOf: repeatElement(0, count: size))
    return bytes.count - size
  }
}

extension [UInt8] {
  /// Writes numbers of four or eight bytes from an offset on, the lowest byte first.
  ///
  /// Unsafe code writes a number at once, which takes a fourth of the time of single bytes; any bytes are valid, and every
  /// access is checked.
  @inline(__always)
  mutating func fill(at start: Int, width: Int, count: Int, with word: (Int) -> UInt64) {
    var span = mutableSpan
    var target = unsafe span.mutableBytes
    if width == 8 {
      for index in 0..<count {
        target.storeBytes(of: word(index).littleEndian, toByteOffset: start + 8 * index, as: UInt64.self)
      }
    } else {
      for index in 0..<count {
        target.storeBytes(
          of: UInt32(truncatingIfNeeded: word(index)).littleEndian, toByteOffset: start + 4 * index,
          as: UInt32.self)
      }
    }
  }
}
