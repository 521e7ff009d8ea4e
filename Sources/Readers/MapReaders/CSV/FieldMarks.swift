import CDelimiters

/// The places at which fields of delimited text may end, found 64 bytes at once.
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
  /// Nil for a field with a wrong quotation mark, and for one that ends in the last, incomplete group of 64 bytes.
  @inline(__always)
  mutating func field(_ bytes: Span<UInt8>, from start: Int) -> CSVRecords.FieldPlace? {
    guard start < bytes.count, bytes[start] == 0x22 else {
      var end = next(bytes, from: start)
      // A quotation mark inside an unquoted field is a character.
      while let place = end, bytes[place] == 0x22 { end = next(bytes, from: place + 1) }
      return end.map { CSVRecords.FieldPlace(range: start..<$0) }
    }
    return quotedField(bytes, from: start + 1)
  }

  private mutating func quotedField(_ bytes: Span<UInt8>, from start: Int) -> CSVRecords.FieldPlace? {
    var (place, hasDoubledQuotes) = (start, false)
    while let mark = next(bytes, from: place), mark + 1 < bytes.count {
      place = mark + 1
      guard bytes[mark] == 0x22 else { continue }
      let following = bytes[place]
      if following == 0x22 {
        (place, hasDoubledQuotes) = (place + 1, true)
        continue
      }
      guard following == delimiter || following == 0x0A || following == 0x0D else { return nil }
      return CSVRecords.FieldPlace(range: start..<mark, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
    }
    return nil
  }

  /// Returns the first mark at a place or after it; nil without one in complete groups of 64 bytes.
  @inline(__always)
  private mutating func next(_ bytes: Span<UInt8>, from place: Int) -> Int? {
    var rest =
      place - groupStart < Self.size ? marks & (.max &<< UInt64(truncatingIfNeeded: place - groupStart)) : 0
    while rest == 0 {
      guard groupStart + 2 * Self.size <= bytes.count else { return nil }
      groupStart += Self.size
      // The C function reads these 64 bytes and keeps nothing of them.
      rest = unsafe bytes.extracting(groupStart..<groupStart + Self.size).withUnsafeBufferPointer {
        unsafe cdelimiters_marks($0.baseAddress, delimiter)
      }
      marks = rest
      if place - groupStart >= Self.size {
        rest = 0
      } else if place > groupStart {
        rest &= .max &<< UInt64(truncatingIfNeeded: place - groupStart)
      }
    }
    return groupStart + rest.trailingZeroBitCount
  }
}
