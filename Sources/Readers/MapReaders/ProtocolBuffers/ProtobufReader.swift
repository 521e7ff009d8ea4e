/// A reader of protocol buffer messages in an array, field by field, that never reads past the end.
package struct ProtobufReader: Sendable {
  /// The bytes that contain the message.
  package let bytes: [UInt8]
  private var cursor: ProtobufCursor

  /// Creates a reader of the message in a range of bytes.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, cursor) = (bytes, ProtobufCursor(range))
  }

  /// Returns the next field; nil at the end of the message.
  ///
  /// - Throws: `ProtobufError` for a damaged field.
  package mutating func next() throws(ProtobufError) -> (field: Int, content: ProtobufContent)? {
    // A copy, because the span borrows the whole reader.
    var position = cursor
    let field = try position.next(bytes.span)
    cursor = position
    return field
  }

  /// Returns the numbers of a packed field.
  ///
  /// - Throws: `ProtobufError` for a damaged number.
  package mutating func packedVarints() throws(ProtobufError) -> [UInt64] {
    var numbers: [UInt64] = []
    // Nearly all numbers take two to five bytes.
    numbers.reserveCapacity((cursor.end - cursor.offset) / 3)
    var position = cursor
    while position.offset < position.end { numbers.append(try position.varint(bytes.span)) }
    cursor = position
    return numbers
  }
}
