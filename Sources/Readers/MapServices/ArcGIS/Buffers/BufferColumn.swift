import MapFeatures
import MapFilter
import MapReaders

/// The values of one field, collected while features in protocol buffers are read.
struct BufferColumn {
  private let field: Field
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var codes: [Int32] = []
  private var texts = TextTable()
  private var nulls: [Int] = []
  private var count = 0

  /// The storage for values of the field.
  private enum Kind { case integer, real, instant, date, text }
  private let kind: Kind

  init(_ field: Field) {
    self.field = field
    kind =
      switch field.fieldType {
      case .int16, .int32, .int64, .oid: .integer
      case .float32, .float64: .real
      case .date, .timestampOffset: .instant
      case .dateOnly: .date
      case .text, .timeOnly, .globalID, .guid, .xml, .blob, .raster, .geometry: .text
      }
  }

  /// A value as the service sent it.
  private enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
  }

  /// Adds a value.
  ///
  /// - Throws: `ProtobufError` for a value that the field cannot hold.
  mutating func append(_ message: ProtobufReader) throws(ProtobufError) {
    let value = try Self.value(message)
    count += 1
    switch (kind, value) {
    case (_, .null): appendNull()
    case (.integer, .integer(let number)): integers.append(number)
    case (.integer, .real(let number)):
      guard let whole = Int64(exactly: number) else { throw fault("\(number) is not an integer") }
      integers.append(whole)
    case (.real, .integer(let number)): reals.append(Double(number))
    // JSON has no infinity and no NaN; services mean null by them.
    case (.real, .real(let number)) where !number.isFinite: appendNull()
    case (.real, .real(let number)): reals.append(number)
    case (.instant, .integer(let milliseconds)):
      guard let instant = Instant(epochMilliseconds: milliseconds) else {
        throw fault("\(milliseconds) milliseconds since 1970 lie outside the years 1 to 9999")
      }
      integers.append(instant.microseconds)
    case (.instant, .real(let milliseconds)):
      guard let whole = Int64(exactly: milliseconds.rounded()),
        let instant = Instant(epochMilliseconds: whole)
      else { throw fault("\(milliseconds) is not a date") }
      integers.append(instant.microseconds)
    case (.instant, .text(let range)):
      let text = message.bytes.span.extracting(range)
      guard let instant = Instant(rfc3339: text) ?? CalendarDate(iso8601: text)?.start else {
        throw fault("not a date")
      }
      integers.append(instant.microseconds)
    case (.date, .text(let range)):
      guard let date = CalendarDate(iso8601: message.bytes.span.extracting(range)) else {
        throw fault("not a date yyyy-mm-dd")
      }
      integers.append(Int64(date.days))
    case (.text, .text(let range)): codes.append(texts.code(of: message.bytes, range))
    default: throw fault("a value of another type")
    }
  }

  private mutating func appendNull() {
    nulls.append(count - 1)
    switch kind {
    case .integer, .instant, .date: integers.append(0)
    case .real: reals.append(0)
    case .text: codes.append(-1)
    }
  }

  private func fault(_ reason: String) -> ProtobufError { ProtobufError("field \(field.name): \(reason)") }

  private static func value(_ message: ProtobufReader) throws(ProtobufError) -> Value {
    var (message, value) = (message, Value.null)
    while let (field, content) = try message.next() {
      switch (field, content) {
      case (1, .bytes(let range)):
        guard UTF8.isValid(message.bytes, range) else { throw ProtobufError("text that is not UTF-8") }
        value = .text(range)
      // As in JSON: the shortest decimal that identifies the single-precision number.
      case (2, .fixed32(let bits)):
        let number = Float(bitPattern: bits)
        value = .real(number.isFinite ? Double(number.description) ?? Double(number) : Double(number))
      case (3, .fixed64(let bits)): value = .real(Double(bitPattern: bits))
      case (4, .varint(let bits)), (8, .varint(let bits)): value = .integer(bits.zigzag)
      case (5, .varint(let bits)), (6, .varint(let bits)): value = .integer(Int64(bitPattern: bits))
      case (7, .varint(let bits)):
        guard let number = Int64(exactly: bits) else { throw ProtobufError("\(bits) is too large a number") }
        value = .integer(number)
      case (9, .varint(let bits)): value = .integer(bits == 0 ? 0 : 1)
      case (10, _): value = .null
      default: continue
      }
    }
    return value
  }

  /// The values as a column.
  var column: Column {
    let storage: Column.Storage =
      switch kind {
      case .integer: .integers(integers)
      case .real: .reals(reals)
      case .instant: .instants(integers)
      case .date: .dates(integers.map { Int32(truncatingIfNeeded: $0) })
      case .text: .text(codes: codes, dictionary: (0..<texts.count).map { texts.text($0) })
      }
    guard !nulls.isEmpty else { return Column(storage) }
    var valid = RowSet(rowCount: count, all: true)
    for row in nulls { valid.remove(row) }
    return Column(storage, validity: valid)
  }
}

extension UTF8 {
  fileprivate static func isValid(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    // Nearly all text is ASCII, which is valid UTF-8.
    bytes[range].allSatisfy { $0 < 0x80 } || String(validating: bytes[range], as: UTF8.self) != nil
  }
}
