/// A reader of protocol buffer messages, field by field, that never reads past the end.
///
/// - Source: Protocol Buffers, encoding: varints, zigzag, wire types 0, 1, 2 and 5.
struct ProtobufReader {
  /// The content of a field, by its wire type.
  enum Content: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(Range<Int>)
    case fixed32(UInt32)
  }

  let bytes: [UInt8]
  private var offset: Int
  private let end: Int

  /// Creates a reader of the message in a range of bytes.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// Returns the next field; nil at the end of the message.
  ///
  /// - Throws: `ProtobufError` for a damaged field.
  mutating func next() throws(ProtobufError) -> (field: Int, content: Content)? {
    guard offset < end else { return nil }
    let key = try varint()
    guard let field = Int(exactly: key >> 3), field > 0, field < 1 << 29 else {
      throw ProtobufError("a field of number \(key >> 3)")
    }
    switch key & 7 {
    case 0: return (field, .varint(try varint()))
    case 1: return (field, .fixed64(try fixed(8)))
    case 2:
      guard let count = Int(exactly: try varint()), count <= end - offset else {
        throw ProtobufError("field \(field) reaches past the end")
      }
      defer { offset += count }
      return (field, .bytes(offset..<offset + count))
    case 5: return (field, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
    case let type: throw ProtobufError("field \(field) has wire type \(type)")
    }
  }

  /// Returns the numbers of a packed field.
  ///
  /// - Throws: `ProtobufError` for a damaged number.
  mutating func packedVarints() throws(ProtobufError) -> [UInt64] {
    var numbers: [UInt64] = []
    // Nearly all numbers take two to five bytes.
    numbers.reserveCapacity((end - offset) / 3)
    while offset < end { numbers.append(try varint()) }
    return numbers
  }

  private mutating func varint() throws(ProtobufError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
      guard shift < 64 else { throw ProtobufError("a number of more than ten bytes") }
    }
    throw ProtobufError("it ends within a number")
  }

  private mutating func fixed(_ count: Int) throws(ProtobufError) -> UInt64 {
    guard count <= end - offset else { throw ProtobufError("it ends within a number") }
    var result: UInt64 = 0
    for place in 0..<count { result |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += count
    return result
  }
}

extension UInt64 {
  /// The signed number encoded by zigzag.
  var zigzag: Int64 { Int64(bitPattern: self >> 1) ^ -Int64(bitPattern: self & 1) }
}

/// The error for bytes that are not a message of the expected kind.
struct ProtobufError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  let description: String

  init(_ description: String) { self.description = description }
}
