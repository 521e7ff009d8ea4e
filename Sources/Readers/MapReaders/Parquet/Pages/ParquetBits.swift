import MapJSON

extension Span<UInt8> {
  /// Returns up to 64 bits from a bit on, the lowest first; bits beyond the bytes are 0.
  @inline(__always)
  func bits(at bit: Int, count width: Int) -> UInt64 {
    let (place, shift) = (bit >> 3, UInt64(bit & 7))
    var word = wordOrLess(at: place) >> shift
    // A number of more than 57 bits may reach into a ninth byte.
    if width + Int(shift) > 64, place + 8 < count { word |= UInt64(self[place + 8]) << (64 - shift) }
    return width == 64 ? word : word & ((1 << UInt64(width)) - 1)
  }

  @inline(__always)
  private func wordOrLess(at place: Int) -> UInt64 {
    if place <= count - ByteWord.size { return ByteWord(self, at: place).bits }
    var word: UInt64 = 0
    var index = place
    while index < count {
      word |= UInt64(self[index]) << UInt64(8 * (index - place))
      index += 1
    }
    return word
  }
}

/// Reads numbers in runs: repeated, or packed in as many bits as the greatest needs.
///
/// - Source: parquet-format 2.11, `Encodings.md`, RLE/bit-packing hybrid.
enum ParquetRuns {
  /// Appends `count` numbers to a list.
  ///
  /// - Throws: ``ArrowError`` for bytes that end before.
  static func read<Number: FixedWidthInteger>(
    _ bytes: Span<UInt8>, width: Int, count: Int, into list: inout [Number]
  ) throws(ArrowError) {
    guard width <= 32 else { throw ArrowError("has numbers of \(width) bits in runs") }
    var (left, place) = (count, 0)
    while left > 0 {
      let head = try unsigned(bytes, &place)
      if head & 1 == 0 {
        let run = min(left, Int(clamping: head >> 1))
        let size = (width + 7) / 8
        guard run > 0, size <= bytes.count - place else { throw ParquetFault.short }
        let value = bytes.bits(at: 8 * place, count: width)
        place += size
        list.append(contentsOf: repeatElement(Number(truncatingIfNeeded: value), count: run))
        left -= run
      } else {
        let groups = Int(clamping: head >> 1)
        // The last group may be filled with zeros, and a writer may leave out bytes that only hold these.
        let run = min(left, groups > Int.max / 8 ? .max : groups * 8)
        guard run > 0, (run * width + 7) / 8 <= bytes.count - place else { throw ParquetFault.short }
        unpack(bytes, at: place, width: width, count: run, into: &list)
        place = groups > bytes.count ? bytes.count : min(bytes.count, place + groups * width)
        left -= run
      }
    }
  }

  /// Appends packed numbers of up to 32 bits.
  @inline(__always)
  private static func unpack<Number: FixedWidthInteger>(
    _ bytes: Span<UInt8>, at place: Int, width: Int, count: Int, into list: inout [Number]
  ) {
    let start = list.count
    list.append(contentsOf: repeatElement(0, count: count))
    guard width > 0 else { return }
    var target = list.mutableSpan
    // The numbers whose words lie within the bytes need no further test.
    let whole = min(count, max(0, 8 * (bytes.count - ByteWord.size + 1 - place) + width - 1) / width)
    let mask: UInt64 = 1 << UInt64(width) - 1
    var bit = 8 * place
    for index in 0..<whole {
      let word = ByteWord(bytes, at: bit >> 3).bits
      target[start + index] = Number(truncatingIfNeeded: word >> UInt64(bit & 7) & mask)
      bit += width
    }
    for index in whole..<count {
      target[start + index] = Number(truncatingIfNeeded: bytes.bits(at: bit, count: width))
      bit += width
    }
  }

  /// Whether the bytes start with one run of a number below 256 that is long enough.
  static func isOneRun(_ bytes: Span<UInt8>, of number: Int, count: Int) -> Bool {
    var place = 0
    guard let head = try? unsigned(bytes, &place), head & 1 == 0, place < bytes.count else { return false }
    return Int(clamping: head >> 1) >= count && Int(bytes[place]) == number
  }

  /// Reads an unsigned number of 7 bits a byte.
  static func unsigned(_ bytes: Span<UInt8>, _ place: inout Int) throws(ArrowError) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      guard place < bytes.count else { throw ParquetFault.short }
      let next = bytes[place]
      guard shift < 63 || next < 2 else { throw ArrowError("has a number beyond 64 bits") }
      place += 1
      value |= UInt64(next & 127) << shift
      if next < 128 { return value }
      shift += 7
    }
  }
}

/// Reads integers by their differences.
///
/// - Source: parquet-format 2.11, `Encodings.md`, delta binary packed.
enum ParquetDeltas {
  /// Returns at most `limit` numbers, and the offset after them.
  static func read(
    _ bytes: Span<UInt8>, at start: Int, limit: Int
  ) throws(ArrowError) -> (values: [Int64], end: Int) {
    var place = start
    let block = try ParquetRuns.unsigned(bytes, &place)
    let minis = try ParquetRuns.unsigned(bytes, &place)
    let total = try ParquetRuns.unsigned(bytes, &place)
    let first = try zigzag(bytes, &place)
    guard minis > 0, minis <= 4096, block <= 1 << 24, block % minis == 0, block / minis % 8 == 0, block > 0
    else { throw ArrowError("has blocks of differences of an impossible size") }
    guard total <= UInt64(limit) else { throw ParquetFault.tooMany }
    let (count, size) = (Int(total), Int(block / minis))
    guard count > 0 else { return ([], place) }
    var values: [Int64] = []
    values.reserveCapacity(count)
    var last = first
    values.append(last)
    while values.count < count {
      let least = try zigzag(bytes, &place)
      let widths = place
      guard Int(minis) <= bytes.count - place else { throw ParquetFault.short }
      place += Int(minis)
      for mini in 0..<Int(minis) {
        // Blocks after the last value have no bytes.
        guard values.count < count else { break }
        let width = Int(bytes[widths + mini])
        guard width <= 64 else { throw ArrowError("has differences of \(width) bits") }
        let run = min(size, count - values.count)
        guard (run * width + 7) / 8 <= bytes.count - place else { throw ParquetFault.short }
        var bit = 8 * place
        for _ in 0..<run {
          last = last &+ least &+ Int64(bitPattern: bytes.bits(at: bit, count: width))
          values.append(last)
          bit += width
        }
        place = min(bytes.count, place + size * width / 8)
      }
    }
    return (values, place)
  }

  private static func zigzag(_ bytes: Span<UInt8>, _ place: inout Int) throws(ArrowError) -> Int64 {
    let value = try ParquetRuns.unsigned(bytes, &place)
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// The errors of pages.
enum ParquetFault {
  static let short = ArrowError("a page ends before its last value")
  static let otherRows = ArrowError("its pages have another number of rows than their index states")
  static let tooMany = ArrowError("a page has more values than it states")
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
  /// The bytes of the numbers, the lowest first.
  ///
  /// Unsafe code copies the memory of the array, which takes a quarter of the time of single bytes.
  var littleEndian: [UInt8] {
    let numbers = Element(littleEndian: 1) == 1 ? self : map(\.littleEndian)
    return unsafe numbers.withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
