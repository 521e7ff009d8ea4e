package import MapFilter

/// A writer of the bytes of a partial answer: numbers in 64 bits, little-endian; texts and lists after their length.
package struct StateWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates a writer with no bytes written.
  package init() {}

  /// Appends bytes without their length.
  package mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends a number.
  package mutating func append(_ number: Int) { append(UInt64(bitPattern: Int64(number))) }

  /// Appends a number, bit by bit.
  package mutating func append(_ number: Double) { append(number.bitPattern) }

  private mutating func append(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// Appends a truth value.
  package mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Appends bytes after their number.
  package mutating func append(_ some: [UInt8]) {
    append(some.count)
    bytes += some
  }

  /// Appends a text.
  package mutating func append(_ text: String) { append(Array(text.utf8)) }

  /// Appends a list after its length.
  package mutating func append<Element>(
    _ list: [Element], _ write: (Element, inout StateWriter) -> Void
  ) {
    append(list.count)
    for element in list { write(element, &self) }
  }

  /// Appends whether there is a value, then the value.
  package mutating func append<Value>(_ value: Value?, _ write: (Value, inout StateWriter) -> Void) {
    append(value != nil)
    if let value { write(value, &self) }
  }

  /// Appends a value of a column.
  package mutating func append(_ value: AttributeValue) {
    switch value {
    case .null, .duration: bytes.append(0)
    case .integer(let number):
      bytes.append(1)
      append(UInt64(bitPattern: number))
    case .real(let number):
      bytes.append(2)
      append(number)
    case .text(let text):
      bytes.append(3)
      append(text)
    case .boolean(let value):
      bytes.append(4)
      append(value)
    case .date(let date):
      bytes.append(5)
      append(Int(date.days))
    case .instant(let instant):
      bytes.append(6)
      append(UInt64(bitPattern: instant.microseconds))
    }
  }
}

/// A reader of the bytes of a partial answer; every length is checked before memory is reserved.
package struct StateReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  /// Creates a reader at the first byte.
  package init(_ bytes: ArraySlice<UInt8>) { (self.bytes, place) = (bytes, bytes.startIndex) }

  /// The number of bytes that are left.
  private var left: Int { bytes.endIndex - place }
  /// Whether all bytes are read.
  package var isAtEnd: Bool { left == 0 }

  /// Reads a number of bytes.
  package mutating func raw(_ count: Int) throws(StateBytesError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw .ends }
    defer { place += count }
    return bytes[place..<place + count]
  }

  private mutating func byte() throws(StateBytesError) -> UInt8 {
    guard let byte = try raw(1).first else { throw .ends }
    return byte
  }

  private mutating func word() throws(StateBytesError) -> UInt64 {
    try raw(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a number.
  package mutating func integer() throws(StateBytesError) -> Int { Int(Int64(bitPattern: try word())) }

  /// The greatest count; sums of such counts do not overflow.
  ///
  /// - Source: design decision; a partition has fewer rows, and a merge fewer than 2^23 partitions.
  private static let greatestCount = 1 << 40

  /// Reads a count.
  package mutating func count() throws(StateBytesError) -> Int {
    let number = try integer()
    guard (0...Self.greatestCount).contains(number) else { throw .value("a count of \(number)") }
    return number
  }

  /// Reads a number.
  package mutating func double() throws(StateBytesError) -> Double { Double(bitPattern: try word()) }

  /// Reads a number that is finite.
  package mutating func finite() throws(StateBytesError) -> Double {
    let number = try double()
    guard number.isFinite else { throw .value("the number \(number)") }
    return number
  }

  /// Reads a truth value.
  package mutating func boolean() throws(StateBytesError) -> Bool {
    let value = try byte()
    guard value < 2 else { throw .value("a truth value of \(value)") }
    return value == 1
  }

  /// Reads bytes.
  package mutating func byteList() throws(StateBytesError) -> [UInt8] { Array(try raw(try integer())) }

  /// Reads a text.
  package mutating func text() throws(StateBytesError) -> String {
    guard let text = String(validating: try byteList(), as: UTF8.self) else {
      throw .value("a text not in UTF-8")
    }
    return text
  }

  /// Reads a list, whose elements have at least one byte each.
  package mutating func list<Element>(
    _ read: (inout StateReader) throws(StateBytesError) -> Element
  ) throws(StateBytesError) -> [Element] {
    let count = try integer()
    guard count >= 0, count <= left else { throw .ends }
    var list: [Element] = []
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }

  /// Reads a value if there is one.
  package mutating func optional<Value>(
    _ read: (inout StateReader) throws(StateBytesError) -> Value
  ) throws(StateBytesError) -> Value? {
    try boolean() ? try read(&self) : nil
  }

  /// Reads a value of a column.
  package mutating func value() throws(StateBytesError) -> AttributeValue {
    switch try byte() {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: try word()))
    case 2: return .real(try double())
    case 3: return .text(try text())
    case 4: return .boolean(try boolean())
    case 5:
      guard let days = Int32(exactly: try integer()) else { throw .value("a date out of range") }
      return .date(CalendarDate(days: days))
    case 6: return .instant(Instant(microseconds: Int64(bitPattern: try word())))
    case let tag: throw .value("a value of type \(tag)")
    }
  }
}

/// The error for bytes that are no partial answer.
package enum StateBytesError: Error, Hashable, CustomStringConvertible {
  /// The bytes end too early.
  case ends
  /// A value that is not written by this program.
  case value(String)

  package var description: String {
    switch self {
    case .ends: "ends too early"
    case .value(let text): "contains \(text)"
    }
  }
}
