import MapFeatures
import MapFilter
import MapJSON

/// The values of a field of placemarks: texts while the file is read, then as their schema declares.
struct KMLColumn: Sendable {
  /// The types of values.
  private enum Kind: Hashable { case text, integer(FieldType), real(FieldType), boolean, time }

  var name: String
  /// Whether the values are of an element of placemarks and not of their extended data.
  let isOwn: Bool
  private var alias: String?
  private var texts = TextTable()
  private var codes: [Int32] = []
  private var kind: Kind?
  /// Whether types differ, so that the values stay text.
  private var isMixed = false
  /// The schemas of the values; "" for values without one.
  private var schemas: Set<String> = []
  private var lastSchema: String?
  /// The schemas that declare the field.
  private var declared: Set<String> = []

  /// Creates a column of extended data.
  init(_ name: String, alias: String?) { (self.name, self.alias, isOwn) = (name, alias, false) }

  /// Creates a column of an element of placemarks.
  init(own name: String) {
    (self.name, isOwn) = (name, true)
    switch name {
    case "timestamp", "begin", "end": kind = .time
    case "visibility": kind = .integer(.int16)
    default: kind = .text
    }
  }

  /// Sets the value of a row, which is the last one.
  mutating func set(_ text: [UInt8], row: Int, schema: String?) {
    let schema = schema ?? ""
    if schema != lastSchema {
      schemas.insert(schema)
      lastSchema = schema
    }
    while codes.count < row { codes.append(-1) }
    let code = texts.code(of: text, 0..<text.count)
    // A name that occurs twice has its last value.
    if codes.count > row { codes[row] = code } else { codes.append(code) }
  }

  /// Sets the type that a schema declares; another type than that of an earlier schema makes the column text.
  mutating func declare(_ field: KMLSchema.Field, schema: String) {
    // Another schema may have a field of the name that no placemark uses.
    guard schemas.isEmpty || schemas.contains(schema) else { return }
    alias = alias ?? field.alias
    let type = Self.kind(of: field.type)
    if let kind, kind != type { isMixed = true }
    kind = type
    declared.insert(schema)
  }

  /// - Source: OGC 12-007r2, 13.5: the types of `SimpleField`; `wstring` and `boolean` of KML 2.0 and of other programs.
  private static func kind(of type: String) -> Kind {
    switch type.split(separator: ":").last.map({ $0.lowercased() }) ?? "" {
    case "short": .integer(.int16)
    case "ushort", "int": .integer(.int32)
    case "uint": .integer(.int64)
    case "float", "double": .real(.float64)
    case "bool", "boolean": .boolean
    default: .text
    }
  }

  // MARK: Result

  /// The number of rows whose values do not have the declared type.
  private struct Unfit: Error { let rows: Int }

  /// Returns the values by their type; as text, with a warning, if one does not match.
  func finished(rowCount: Int) -> FinishedColumn {
    var codes = codes
    while codes.count < rowCount { codes.append(-1) }
    var warnings: [String] = []
    let hasOthers = !isOwn && !schemas.isSubset(of: declared)
    if isMixed || hasOthers && kind != nil && kind != .text {
      warnings.append("field \(name): values of several types were read as text")
    } else if let kind, kind != .text {
      do throws(Unfit) { return try typed(kind, codes) } catch {
        let (one, several) = Self.words(kind)
        let what =
          error.rows == 1 ? "1 value that is not a \(one)" : "\(error.rows) values that are not \(several)"
        warnings.append("field \(name): read as text, because of \(what)")
      }
    }
    return finish(.text, .text(codes: codes, dictionary: texts.strings().texts), codes, warnings)
  }

  private static func words(_ kind: Kind) -> (one: String, several: String) {
    switch kind {
    case .text: ("text", "texts")
    case .integer: ("whole number", "whole numbers")
    case .real: ("number", "numbers")
    case .boolean: ("boolean", "booleans")
    case .time: ("date", "dates")
    }
  }

  private func finish(
    _ type: FieldType, _ storage: Column.Storage, _ codes: [Int32], _ warnings: [String] = []
  ) -> FinishedColumn {
    let valid =
      codes.contains(-1) ? RowSet(rowCount: codes.count, rows: codes.indices.filter { codes[$0] >= 0 }) : nil
    return FinishedColumn(
      field: Field(name: name, alias: alias, type: type), column: Column(storage, validity: valid),
      warnings: warnings)
  }

  /// Returns the column of a type.
  private func typed(_ kind: Kind, _ codes: [Int32]) throws(Unfit) -> FinishedColumn {
    var codes = codes
    let (bytes, ranges) = (texts.bytes, (0..<texts.count).map { trimmed(texts.range(of: $0)) })
    // A value without a text is none.
    for row in codes.indices where codes[row] >= 0 && ranges[Int(codes[row])].isEmpty { codes[row] = -1 }
    /// Returns the values of all rows.
    func values<Value>(_ missing: Value, _ read: (Range<Int>) -> Value?) throws(Unfit) -> [Value] {
      let read = ranges.map { $0.isEmpty ? missing : read($0) }
      let unfit = codes.count { $0 >= 0 && read[Int($0)] == nil }
      guard unfit == 0 else { throw Unfit(rows: unfit) }
      return codes.map { $0 < 0 ? missing : read[Int($0)] ?? missing }
    }
    switch kind {
    case .text: return finish(.text, .text(codes: codes, dictionary: texts.strings().texts), codes)
    case .integer(let type):
      let found = try values(Int64(0)) { TypedTexts.integer(bytes, $0) ?? Int64(text($0)) }
      // Some programs declare a type that is too short.
      let isShort = type == .int16 && found.allSatisfy { Int16(exactly: $0) != nil }
      let isInt = type != .int64 && found.allSatisfy { Int32(exactly: $0) != nil }
      return finish(isShort ? .int16 : isInt ? .int32 : .int64, .integers(found), codes)
    case .real(let type):
      let found = try values(0.0) { number($0) }
      let notFinite = found.indices.filter { !found[$0].isFinite }
      for row in notFinite { codes[row] = -1 }
      let warnings =
        notFinite.isEmpty
        ? [] : ["field \(name): \(notFinite.count) values that are not finite numbers were read as null"]
      return finish(type, .reals(found.map { $0.isFinite ? $0 : 0 }), codes, warnings)
    case .boolean:
      let found = try values(false) { (range) -> Bool? in
        switch text(range).lowercased() {
        case "1", "true": true
        case "0", "false": false
        default: nil
        }
      }
      return finish(.int16, .booleans(found), codes)
    case .time:
      let found = try values(KMLTime(microseconds: 0)) { KMLTime(bytes, $0) }
      var warnings = DeclaredColumn.zoneWarnings(field: name, found.count { $0.lacksZone })
      warnings += DeclaredColumn.cutWarnings(field: name, found.count { $0.isCut })
      let parts = found.count { $0.isPart }
      if parts > 0 {
        let what =
          parts == 1 ? "1 year or month was read as its" : "\(parts) years or months were read as their"
        warnings.append("field \(name): \(what) first day\(parts == 1 ? "" : "s")")
      }
      guard found.contains(where: \.hasTime) else {
        let days = found.map { Instant(microseconds: $0.microseconds).date.days }
        return finish(.dateOnly, .dates(days), codes, warnings)
      }
      return finish(.date, .instants(found.map(\.microseconds)), codes, warnings)
    }
  }

  /// Returns a number; infinite for a text such as `INF`, and nil for other texts.
  private func number(_ range: Range<Int>) -> Double? {
    if let literal = DecimalLiteral(loose: texts.bytes, at: range.lowerBound), literal.end == range.upperBound
    {
      return literal.double(in: texts.bytes)
    }
    return ["inf", "-inf", "+inf", "nan"].contains(text(range).lowercased()) ? .infinity : nil
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: texts.bytes[range], as: UTF8.self) }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let bytes = texts.bytes
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, XMLScanner.isSpace(bytes[start]) { start += 1 }
    while start < end, XMLScanner.isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// A time of KML: a year, a month, a day, or a day and a time.
private struct KMLTime {
  let microseconds: Int64
  var hasTime = false
  var lacksZone = false
  var isCut = false
  /// Whether it is a year or a month.
  var isPart = false

  init(microseconds: Int64) { self.microseconds = microseconds }

  /// Reads a time; nil for other text.
  ///
  /// - Source: OGC 12-007r2, 15.4: `dateTime`, `date`, `gYearMonth` and `gYear` of XML Schema.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    if range.count == 4 || range.count == 7 {
      let text = Array(bytes[range]) + Array((range.count == 4 ? "-01-01" : "-01").utf8)
      guard let date = CalendarDate(iso8601: text.span) else { return nil }
      (microseconds, isPart) = (date.start.microseconds, true)
    } else {
      guard let moment = TypedTexts.moment(bytes, range) else { return nil }
      (microseconds, hasTime, lacksZone) = (moment.microseconds, moment.hasTime, moment.lacksZone)
      isCut = moment.isCut
    }
  }
}
