/// A value in Thrift's compact protocol.
package enum ThriftValue: Sendable {
  case boolean(Bool)
  case byte(Int8)
  case int32(Int)
  case int64(Int)
  case double(Double)
  case bytes([UInt8])
  case list([ThriftValue])
  /// A structure: its fields by their numbers, in ascending order.
  case structure([(Int, ThriftValue)])

  /// Creates the bytes of a text.
  package static func text(_ text: String) -> ThriftValue { .bytes(Array(text.utf8)) }

  /// The number of the type on the wire; a boolean has its value there.
  fileprivate var kind: UInt8 {
    switch self {
    case .boolean(let value): value ? 1 : 2
    case .byte: 3
    case .int32: 5
    case .int64: 6
    case .double: 7
    case .bytes: 8
    case .list: 9
    case .structure: 12
    }
  }
}

/// Writes values in Thrift's compact protocol.
///
/// - Source: Apache Thrift, `doc/specs/thrift-compact-protocol.md`.
package enum ThriftWriter {
  /// Returns the bytes of a value.
  package static func bytes(of value: ThriftValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: ThriftValue, to bytes: inout [UInt8]) {
    switch value {
    case .boolean(let value): bytes.append(value ? 1 : 2)
    case .byte(let value): bytes.append(UInt8(bitPattern: value))
    case .int32(let value), .int64(let value):
      bytes.append(variable: UInt64(bitPattern: Int64(value << 1 ^ value >> (Int.bitWidth - 1))))
    case .double(let value):
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
      }
    case .bytes(let content):
      bytes.append(variable: UInt64(content.count))
      bytes += content
    case .list(let elements):
      // An empty list has the type of structures.
      let kind = elements.first?.kind ?? 12
      if elements.count < 15 {
        bytes.append(UInt8(elements.count) << 4 | kind)
      } else {
        bytes.append(0xF0 | kind)
        bytes.append(variable: UInt64(elements.count))
      }
      for element in elements { append(element, to: &bytes) }
    case .structure(let fields):
      var last = 0
      for (number, value) in fields {
        if number > last, number - last < 16 {
          bytes.append(UInt8(number - last) << 4 | value.kind)
        } else {
          bytes.append(value.kind)
          append(.int32(number), to: &bytes)
        }
        if case .boolean = value {} else { append(value, to: &bytes) }
        last = number
      }
      bytes.append(0)
    }
  }
}

extension [UInt8] {
  /// Adds an unsigned number of 7 bits a byte.
  mutating func append(variable number: UInt64) {
    var number = number
    while number >= 128 {
      append(UInt8(truncatingIfNeeded: number) | 128)
      number >>= 7
    }
    append(UInt8(truncatingIfNeeded: number))
  }
}
