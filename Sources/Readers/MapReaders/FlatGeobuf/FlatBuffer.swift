import MapJSON

/// The internal error of the FlatGeobuf reader.
enum FlatGeobufFault: Error {
  /// A valid file, as far as it was read, with content that this reader leaves to GDAL.
  case notCovered
  /// An invalid file: the reason in lower case, without a full stop.
  case content(String)

  /// The error for an offset beyond the bytes.
  static let outside = FlatGeobufFault.content("a part of it lies beyond its bytes")

  /// Returns the error with the number of the feature.
  func inFeature(_ number: Int) -> FlatGeobufFault {
    if case .content(let text) = self { .content("feature \(number): \(text)") } else { self }
  }
}

/// Little-endian numbers at checked offsets.
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

  // With the extracted span, the bytes compile to a single load.
  @inline(__always)
  func word32(at place: Int) throws(FlatGeobufFault) -> UInt32 {
    guard place >= 0, place <= count - 4 else { throw .outside }
    let word = extracting(place..<place + 4)
    return UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16 | UInt32(word[3]) << 24
  }

  @inline(__always)
  func word64(at place: Int) throws(FlatGeobufFault) -> UInt64 {
    guard place >= 0, place <= count - 8 else { throw .outside }
    return ByteWord(self, at: place).bits
  }

  @inline(__always)
  func double(at place: Int) throws(FlatGeobufFault) -> Double {
    Double(bitPattern: try word64(at: place))
  }
}

/// A table of a FlatBuffer by its offset; every access is checked against the bytes.
///
/// - Source: FlatBuffers' internals. A table starts with the distance back to its list of fields. The list holds its
///   own size, the table's size, and for each field the distance from the table's start, 0 for the default.
struct FlatTable {
  private let place: Int
  private let fields: Int
  private let fieldCount: Int

  /// Reads the table at an offset.
  init(_ bytes: Span<UInt8>, at place: Int) throws(FlatGeobufFault) {
    let back = Int(Int32(bitPattern: try bytes.word32(at: place)))
    let list = place - back
    let size = Int(try bytes.word16(at: list))
    guard size >= 4, list <= bytes.count - size else { throw .outside }
    (self.place, fields, fieldCount) = (place, list + 4, (size - 4) / 2)
  }

  /// Reads the table that the first word of a buffer points to.
  init(rootOf bytes: Span<UInt8>) throws(FlatGeobufFault) {
    try self.init(bytes, at: Int(try bytes.word32(at: 0)))
  }

  /// Returns the offset of a field's value; nil for the default.
  func field(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> Int? {
    guard index < fieldCount else { return nil }
    let distance = Int(try bytes.word16(at: fields + 2 * index))
    return distance == 0 ? nil : place + distance
  }

  /// Returns a field of one byte; nil for the default.
  func byte(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt8? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.byte(at: place)
  }

  /// Returns a field of two bytes; nil for the default.
  func word16(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt16? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word16(at: place)
  }

  /// Returns a field of four bytes; nil for the default.
  func word32(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt32? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word32(at: place)
  }

  /// Returns a field of eight bytes; nil for the default.
  func word64(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> UInt64? {
    guard let place = try field(index, bytes) else { return nil }
    return try bytes.word64(at: place)
  }

  /// Returns the table that a field points to; nil for the default.
  func table(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatTable? {
    guard let target = try target(index, bytes) else { return nil }
    return try FlatTable(bytes, at: target)
  }

  /// Returns the vector that a field points to, after checking that its elements lie inside the bytes; nil for the
  /// default.
  func vector(_ index: Int, elementSize: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatVector? {
    guard let target = try target(index, bytes) else { return nil }
    let count = Int(try bytes.word32(at: target))
    guard count <= (bytes.count - target - 4) / elementSize else { throw .outside }
    return FlatVector(start: target + 4, count: count)
  }

  /// Returns the text that a field points to; repairs bytes that are not UTF-8.
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

/// A vector of a FlatBuffer: the offset of its first element and the number of elements.
struct FlatVector {
  let start: Int
  let count: Int

  /// Returns the table that an element of a vector of tables points to.
  func table(_ index: Int, _ bytes: Span<UInt8>) throws(FlatGeobufFault) -> FlatTable {
    let place = start + 4 * index
    return try FlatTable(bytes, at: place + Int(try bytes.word32(at: place)))
  }
}
