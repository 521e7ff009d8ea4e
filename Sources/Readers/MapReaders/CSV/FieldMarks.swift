import CDelimiters

/// The fields of delimited text, whose ends are found 64 bytes at once.
struct FieldMarks {
  private static let size = 64

  private let delimiter: UInt8
  /// The place of the first of the 64 bytes; before any are read, 64 bytes before the first place.
  private var groupStart: Int
  /// A bit for each of the bytes, the lowest for the first: whether it is the delimiter, a quotation mark or a line end.
  private var marks: UInt64 = 0

  /// Creates marks for a place and all after it.
  init(from place: Int, _ delimiter: UInt8) {
    self.delimiter = delimiter
    groupStart = place - Self.size
  }

  /// Returns the field that starts at a place, which is not before that of an earlier field.
  ///
  /// - Throws: The place of a wrong quotation mark.
  @inline(__always)
  mutating func field(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(ReadFault) -> CSVRecords.FieldPlace {
    if start < bytes.count, bytes[start] == 0x22 { return try quotedField(bytes, from: start + 1) }
    var end = next(bytes, from: start)
    // A quotation mark inside an unquoted field is a character.
    while end < bytes.count, bytes[end] == 0x22 { end = next(bytes, from: end + 1) }
    return CSVRecords.FieldPlace(range: start..<end)
  }

  /// Returns the field whose text starts after a quotation mark.
  private mutating func quotedField(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(ReadFault) -> CSVRecords.FieldPlace {
    var (place, hasDoubledQuotes) = (start, false)
    while true {
      let mark = next(bytes, from: place)
      guard mark < bytes.count else { throw ReadFault(CSVRecords.openQuotation, at: start - 1) }
      place = mark + 1
      guard bytes[mark] == 0x22 else { continue }
      if place < bytes.count, bytes[place] == 0x22 {
        (place, hasDoubledQuotes) = (place + 1, true)
        continue
      }
      guard
        place == bytes.count || bytes[place] == delimiter || bytes[place] == 0x0A || bytes[place] == 0x0D
      else { throw ReadFault(CSVRecords.textAfterQuotation, at: place) }
      return CSVRecords.FieldPlace(range: start..<mark, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
    }
  }

  /// Returns the first mark at a place or after it; the number of bytes without one.
  @inline(__always)
  private mutating func next(_ bytes: Span<UInt8>, from place: Int) -> Int {
    var rest = marks(from: place)
    while rest == 0 {
      guard groupStart + Self.size < bytes.count else { return bytes.count }
      groupStart += Self.size
      read(bytes)
      rest = marks(from: place)
    }
    return groupStart + rest.trailingZeroBitCount
  }

  /// Returns the marks at a place and after it.
  @inline(__always)
  private func marks(from place: Int) -> UInt64 {
    let skipped = place - groupStart
    if skipped <= 0 { return marks }
    return skipped < Self.size ? marks & (.max &<< UInt64(truncatingIfNeeded: skipped)) : 0
  }

  /// Reads the marks of the group; the last one may have fewer bytes, and 0 marks nothing.
  private mutating func read(_ bytes: Span<UInt8>) {
    if groupStart + Self.size <= bytes.count {
      marks = mark(bytes.extracting(groupStart..<groupStart + Self.size))
      return
    }
    var last = [UInt8](repeating: 0, count: Self.size)
    for place in groupStart..<bytes.count { last[place - groupStart] = bytes[place] }
    marks = mark(last.span)
  }

  /// Returns the marks of 64 bytes.
  @inline(__always)
  private func mark(_ bytes: Span<UInt8>) -> UInt64 {
    // The C function reads these 64 bytes and keeps nothing of them.
    unsafe bytes.withUnsafeBufferPointer { unsafe cdelimiters_marks($0.baseAddress, delimiter) }
  }
}
