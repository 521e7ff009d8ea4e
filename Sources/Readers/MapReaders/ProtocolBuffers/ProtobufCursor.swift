/// The content of a field of a protocol buffer message, by its wire type.
package enum ProtobufContent: Equatable, Sendable {
  /// A number of variable length, wire type 0.
  case varint(UInt64)
  /// A number of eight bytes, wire type 1.
  case fixed64(UInt64)
  /// Text, a message or packed numbers, wire type 2, by the range of its bytes.
  case bytes(Range<Int>)
  /// A number of four bytes, wire type 5.
  case fixed32(UInt32)
}

/// A position in a protocol buffer message, which reads field by field and never past the end.
///
/// - Source: Protocol Buffers, encoding: varints, wire types 0, 1, 2 and 5.
package struct ProtobufCursor: Sendable {
  /// The offset of the next byte.
  package private(set) var offset: Int
  /// The offset after the last byte of the message.
  package let end: Int

  /// Creates a cursor at the start of a message.
  package init(_ range: Range<Int>) { (offset, end) = (range.lowerBound, range.upperBound) }

  /// Returns the next field; nil at the end of the message.
  ///
  /// - Parameter bytes: the bytes that the range of the message refers to.
  /// - Throws: `ProtobufError` for a damaged field.
  @inline(__always)
  package mutating func next(
    _ bytes: Span<UInt8>
  ) throws(ProtobufError) -> (field: Int, content: ProtobufContent)? {
    guard offset < end else { return nil }
    let key = try varint(bytes)
    guard key >= 8, key < 1 << 32 else { throw ProtobufError("a field of number \(key >> 3)") }
    let field = Int(truncatingIfNeeded: key >> 3)
    switch key & 7 {
    case 0: return (field, .varint(try varint(bytes)))
    case 1: return (field, .fixed64(try fixed(8, bytes)))
    case 2:
      guard let count = Int(exactly: try varint(bytes)), count <= end - offset else {
        throw ProtobufError("field \(field) reaches past the end")
      }
      defer { offset += count }
      return (field, .bytes(offset..<offset + count))
    case 5: return (field, .fixed32(UInt32(truncatingIfNeeded: try fixed(4, bytes))))
    case let type: throw ProtobufError("field \(field) has wire type \(type)")
    }
  }

  /// Returns a number of variable length.
  ///
  /// - Throws: `ProtobufError` for a damaged number.
  @inline(__always)
  package mutating func varint(_ bytes: Span<UInt8>) throws(ProtobufError) -> UInt64 {
    // Most numbers of a message take one byte.
    guard offset < end, bytes[offset] < 0x80 else { return try longVarint(bytes) }
    defer { offset &+= 1 }
    return UInt64(bytes[offset])
  }

  private mutating func longVarint(_ bytes: Span<UInt8>) throws(ProtobufError) -> UInt64 {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
      guard shift < 64 else { throw ProtobufError("a number of more than ten bytes") }
    }
    throw .short
  }

  private mutating func fixed(_ count: Int, _ bytes: Span<UInt8>) throws(ProtobufError) -> UInt64 {
    guard count <= end - offset else { throw .short }
    var result: UInt64 = 0
    for place in 0..<count { result |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += count
    return result
  }
}

extension UInt64 {
  /// The signed number encoded by zigzag.
  package var zigzag: Int64 { Int64(bitPattern: self >> 1) ^ -Int64(bitPattern: self & 1) }
}

/// The error for bytes that are not a message of the expected kind.
package struct ProtobufError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package let description: String

  /// Creates an error with its reason.
  package init(_ description: String) { self.description = description }

  /// The error for a message that ends within a number.
  static let short = ProtobufError("it ends within a number")
}
