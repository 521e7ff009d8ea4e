/// What is wrong with a FlatGeobuf file, as long as a reader is at work.
enum FlatGeobufFault: Error {
  /// A file that is sound, as far as it was read, and holds what this reader leaves to others.
  case notCovered
  /// Lower case, no full stop.
  case content(String)

  /// A place that is named and lies beyond the bytes.
  static let outside = FlatGeobufFault.content("a part of it lies beyond its bytes")

  /// The same, with the number of the feature.
  func inFeature(_ number: Int) -> FlatGeobufFault {
    if case .content(let text) = self { .content("feature \(number): \(text)") } else { self }
  }
}

/// Numbers in little-endian order at places that are checked.
extension Span<UInt8> {
  @inline(__always)
  func byte(at place: Int) throws(FlatGeobufFault) -> UInt8 {
    guard place >= 0, place < count else { throw .outside }
    return self[place]
  }

  @inline(__always)
  func word16(at place: Int) throws(FlatGeobufFault) -> UInt16 {
    guard place >= 0, place <= count - 2 else { throw .outside }
    return UInt16(self[place]) | UInt16(self[place + 1]) << 8
  }

  // Cut out first, the bytes become one load.
  @inline(__always)
  func word32(at place: Int) throws(FlatGeobufFault) -> UInt32 {
    guard place >= 0, place <= count - 4 else { throw .outside }
    let word = extracting(place..<place + 4)
    return UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16 | UInt32(word[3]) << 24
  }

  @inline(__always)
  func word64(at place: Int) throws(FlatGeobufFault) -> UInt64 {
    guard place >= 0, place <= count - 8 else { throw .outside }
    let word = extracting(place..<place + 8)
    let low = UInt64(word[0]) | UInt64(word[1]) << 8 | UInt64(word[2]) << 16 | UInt64(word[3]) << 24
    return low | UInt64(word[4]) << 32 | UInt64(word[5]) << 40 | UInt64(word[6]) << 48 | UInt64(word[7]) << 56
  }

  func double(at place: Int) throws(FlatGeobufFault) -> Double {
    Double(bitPattern: try word64(at: place))
  }
}

/// A table of a flatbuffer by its place; every step into it is checked against the bytes.
///
/// - Source: FlatBuffers' internals: a table starts with the way back to its list of fields, which holds the list's size,
///   the table's, and for each field its distance from the table's start, 0 where it has none.
struct FlatTable {
  private let place: Int
  private let fields: Int
  private let fieldCount: Int

  /// The table at a place.
  init(_ bytes: Span<UInt8>, at place: Int) throws(FlatGeobufFault) {
    let back = Int(Int32(bitPattern: try bytes.word32(at: place)))
    let list = place - back
    let size = Int(try bytes.word16(at: list))
    guard size >= 4, list <= bytes.count - size else { throw .outside }
    (self.place, fields, fieldCount) = (place, list + 4, (size - 4) / 2)
  }

  /// The table that a buffer's first word names.
  init(rootOf bytes: Span<UInt8>) throws(FlatGeobufFault) {
    try self.init(bytes, at: Int(try bytes.word32(at: 0)))
  }

  /// Where a field's value stands; nil where it has the default.
  func field(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> Int? {
    guard index < fieldCount else { return nil }
    let distance = Int(try bytes.word16(at: fields + 2 * index))
    return distance == 0 ? nil : place + distance
  }

  /// A field of one byte; nil where it has the default.
  func byte(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt8? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.byte(at: place)
  }

  /// A field of two bytes.
  func word16(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt16? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word16(at: place)
  }

  /// A field of four bytes.
  func word32(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt32? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word32(at: place)
  }

  /// A field of eight bytes.
  func word64(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt64? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word64(at: place)
  }

  /// The table that a field names.
  func table(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatTable? {
    guard let target = try target(index, bytes) else { return nil }
    return try FlatTable(bytes, at: target)
  }

  /// The list that a field names, of elements of so many bytes, all of them within the bytes.
  func vector(_ index: Int, elementSize: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatVector? {
    guard let target = try target(index, bytes) else { return nil }
    let count = Int(try bytes.word32(at: target))
    guard count <= (bytes.count - target - 4) / elementSize else { throw .outside }
    return FlatVector(start: target + 4, count: count)
  }

  /// The text that a field names; bytes that are not UTF-8 are repaired.
  func text(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> String? {
    guard let list = try vector(index, elementSize: 1, bytes) else { return nil }
    var text: [UInt8] = []
    for place in list.start..<list.start + list.count { text.append(bytes[place]) }
    return String(decoding: text, as: UTF8.self)
  }

  private func target(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> Int? {
    guard let field = try field(index, bytes) else { return nil }
    return field + Int(try bytes.word32(at: field))
  }
}

/// A list of a flatbuffer: where its first element stands, and how many there are.
struct FlatVector {
  let start: Int
  let count: Int

  /// The table that an element of a list of tables names.
  func table(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatTable {
    let place = start + 4 * index
    return try FlatTable(bytes, at: place + Int(try bytes.word32(at: place)))
  }
}
