package import MapFilter

/// A value of a layer's table, with the type that the tile gives it.
///
/// - Source: Mapbox Vector Tile specification 2.1, 4.1.
package enum VectorTileValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// An integer, in either signed encoding.
  case integer(Int64)
  /// An integer without sign.
  case unsigned(UInt64)
  /// A boolean.
  case boolean(Bool)

  /// The value in filters; null for infinite numbers and NaN.
  ///
  /// A single-precision number becomes the double of the same value, and an integer above 2^63 - 1 the nearest double.
  package var attribute: AttributeValue {
    switch self {
    case .text(let text): .text(text)
    case .float(let number): number.isFinite ? .real(Double(number)) : .null
    case .double(let number): number.isFinite ? .real(number) : .null
    case .integer(let number): .integer(number)
    case .unsigned(let number): Int64(exactly: number).map { .integer($0) } ?? .real(Double(number))
    case .boolean(let value): .boolean(value)
    }
  }

  /// The name of the type in a table, in which infinite numbers and NaN are nulls of a decimal field.
  package var typeName: String { (attribute.type ?? .real).rawValue }

  /// Reads a value's message.
  ///
  /// - Parameter repaired: is increased for a text that is not UTF-8.
  /// - Throws: `ProtobufError`, also for a value without a type, or of several.
  init(reading bytes: Span<UInt8>, _ range: Range<Int>, repaired: inout Int) throws(ProtobufError) {
    var cursor = ProtobufCursor(range)
    var value: VectorTileValue?
    while let (field, content) = try cursor.next(bytes) {
      let one: VectorTileValue
      switch (field, content) {
      case (1, .bytes(let range)): one = .text(String(tileText: bytes.extracting(range), repaired: &repaired))
      case (2, .fixed32(let bits)): one = .float(Float(bitPattern: bits))
      case (3, .fixed64(let bits)): one = .double(Double(bitPattern: bits))
      case (4, .varint(let bits)): one = .integer(Int64(bitPattern: bits))
      case (5, .varint(let bits)): one = .unsigned(bits)
      case (6, .varint(let bits)): one = .integer(bits.zigzag)
      case (7, .varint(let bits)): one = .boolean(bits != 0)
      case (1...7, _): throw ProtobufError("its type does not match its bytes")
      default: continue
      }
      guard value == nil else { throw ProtobufError("it has two types") }
      value = one
    }
    guard let value else { throw ProtobufError("it has none of the types of the specification") }
    self = value
  }
}

extension String {
  /// Creates the text of bytes in UTF-8, with bad bytes replaced and counted.
  init(tileText bytes: Span<UInt8>, repaired: inout Int) {
    if let text = try? UTF8Span(validating: bytes) {
      self.init(copying: text)
    } else {
      repaired += 1
      self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }
}
