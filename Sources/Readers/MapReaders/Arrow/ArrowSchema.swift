import MapFeatures

/// A unit of times.
enum ArrowUnit: Int, Sendable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// The number of units in a second.
  var perSecond: Int64 { [1, 1000, 1_000_000, 1_000_000_000][rawValue] }
}

/// The type of the values of an Arrow array, with what its layout needs.
///
/// - Source: Arrow, `Schema.fbs`.
enum ArrowType: Hashable, Sendable {
  /// The way in which values of several lengths are stored.
  enum Layout: Sendable { case small, large, view }

  case null, boolean
  case integer(bits: Int, isSigned: Bool)
  case real(bits: Int)
  case decimal(bits: Int, scale: Int)
  case date(isInDays: Bool)
  case time(ArrowUnit)
  case timestamp(ArrowUnit, hasZone: Bool)
  /// Parquet's timestamps of 96 bits: nanoseconds of a day, and its Julian number.
  case julianTimestamp
  case bytes(Layout, isText: Bool)
  case fixedBytes(Int)
  case list(Layout)
  case fixedList(Int)
  case structure
  /// A list of keys and values.
  case map
  /// A type without a use here, by its name and the number of its own buffers.
  case unread(String, buffers: Int)

  /// The name in messages, for all layouts.
  var name: String {
    switch self {
    case .null: "null"
    case .boolean: "bool"
    case .integer(let bits, let isSigned): "\(isSigned ? "" : "u")int\(bits)"
    case .real(let bits): "float\(bits)"
    case .decimal(let bits, _): "decimal\(bits)"
    case .date(let isInDays): isInDays ? "date32" : "date64"
    case .time: "time"
    case .timestamp, .julianTimestamp: "timestamp"
    case .bytes(_, let isText): isText ? "utf8" : "binary"
    case .fixedBytes: "fixed-size binary"
    case .list: "list"
    case .fixedList: "fixed-size list"
    case .structure: "struct"
    case .map: "map"
    case .unread(let name, _): name
    }
  }

  /// Whether the values are numbers.
  var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// The size of a value in bytes; nil for types whose values have several lengths, no bytes or less than one.
  var width: Int? {
    switch self {
    case .integer(let bits, _), .real(let bits), .decimal(let bits, _): bits / 8
    case .date(let isInDays): isInDays ? 4 : 8
    case .time(let unit): unit == .seconds || unit == .milliseconds ? 4 : 8
    case .timestamp: 8
    case .julianTimestamp: 12
    case .fixedBytes(let width): width
    case .null, .boolean, .bytes, .list, .fixedList, .structure, .map, .unread: nil
    }
  }

  /// The field type and storage of the values; nil for values that are not read.
  var field: (FieldType, DeclaredColumn.Kind)? {
    switch self {
    // The map SDK has no boolean field; its tables store one as a short integer.
    case .boolean: (.int16, .boolean)
    case .integer(let bits, let isSigned):
      switch (bits, isSigned) {
      case (16, true): (.int16, .integer)
      case (8, _), (16, false), (32, true): (.int32, .integer)
      default: (.int64, .integer)
      }
    case .real(let bits): (bits == 64 ? .float64 : .float32, .real)
    case .decimal: (.float64, .real)
    case .date: (.dateOnly, .date)
    case .time: (.timeOnly, .text)
    case .timestamp, .julianTimestamp: (.date, .instant)
    case .bytes(_, isText: true), .null: (.text, .text)
    case .bytes(_, isText: false), .fixedBytes, .list, .fixedList, .structure, .map, .unread: nil
    }
  }
}

/// A field of an Arrow schema.
struct ArrowField: Sendable {
  /// The reference of a field to a dictionary, and the type of the indices.
  struct Encoding: Hashable, Sendable {
    let id: Int
    let bits: Int
    let isSigned: Bool
  }

  let name: String
  let isNullable: Bool
  /// The type of the values; of the dictionary's values, if there is one.
  let type: ArrowType
  let children: [ArrowField]
  let encoding: Encoding?
  /// The name and the metadata of an extension type.
  let extensionName: String?, extensionMetadata: String?

  /// The field type and storage of the values; nil for values that are not read.
  var column: (FieldType, DeclaredColumn.Kind)? { type.field ?? (isNested ? (.text, .text) : nil) }

  /// Whether the values are lists, structures or maps of values that are read; they are read as JSON text.
  var isNested: Bool {
    guard encoding == nil, children.allSatisfy({ $0.encoding == nil && $0.column != nil }) else {
      return false
    }
    return switch type {
    case .list, .fixedList: children.count == 1
    case .structure: true
    case .map: children.count == 1 && children[0].type == .structure && children[0].children.count == 2
    default: false
    }
  }
}

/// The schema of an Arrow stream or file.
struct ArrowSchema: Sendable {
  private(set) var fields: [ArrowField] = []
  /// The description of geometries that GeoParquet files have; nil without one.
  private(set) var geoMetadata: String?

  /// The limit of the nesting of fields.
  private static let deepest = 32
  /// The limit of all fields with their children, which may share bytes.
  private static let mostFields = 65_536

  /// Creates a schema of other data, such as a Parquet file.
  init(fields: [ArrowField], geoMetadata: String?) { (self.fields, self.geoMetadata) = (fields, geoMetadata) }

  /// Reads a `Schema` table.
  init(_ table: ArrowTable) throws {
    guard try table.short(0) == 0 else { throw ArrowError("its numbers are big-endian, which is not read") }
    var budget = Budget(fields: Self.mostFields, textBytes: table.size)
    let count = try table.count(1)
    guard count <= FeatureSchema.fieldLimit else {
      throw ArrowError("\(count) fields: a table has at most \(FeatureSchema.fieldLimit)")
    }
    for index in 0..<count {
      fields.append(try Self.field(try table.table(1, at: index), depth: 1, &budget))
    }
    geoMetadata = try Self.metadata(table, 2, &budget)["geo"]
  }

  /// The rest of what a schema may contain; its tables may share bytes.
  private struct Budget {
    var fields: Int
    var textBytes: Int

    mutating func take(_ text: String) throws(ArrowError) {
      textBytes -= text.utf8.count + 1
      guard textBytes >= 0 else { throw ArrowError("its texts are longer than its schema") }
    }
  }

  private static func field(_ table: ArrowTable, depth: Int, _ budget: inout Budget) throws -> ArrowField {
    budget.fields -= 1
    guard budget.fields >= 0 else { throw ArrowError("has more than \(mostFields) fields") }
    let name = try table.text(0)
    try budget.take(name)
    guard depth <= deepest else { throw ArrowError("field \(name): is nested deeper than \(deepest)") }
    guard let form = try table.table(3), let type = try type(try table.byte(2), form) else {
      throw ArrowError("field \(name): is of a type that is not known (\(try table.byte(2)))")
    }
    var encoding: ArrowField.Encoding?
    if let table = try table.table(4) {
      let bits = try table.table(1)?.int(0) ?? 32
      guard [8, 16, 32, 64].contains(bits) else {
        throw ArrowError("field \(name): has dictionary indices of \(bits) bits")
      }
      encoding = ArrowField.Encoding(
        id: try table.long(0), bits: bits, isSigned: try table.table(1).map { try $0.byte(1) != 0 } ?? true)
    }
    var children: [ArrowField] = []
    for index in 0..<(try table.count(5)) {
      children.append(try field(try table.table(5, at: index), depth: depth + 1, &budget))
    }
    let metadata = try metadata(table, 6, &budget)
    return ArrowField(
      name: name, isNullable: try table.byte(1) != 0, type: type, children: children, encoding: encoding,
      extensionName: metadata["ARROW:extension:name"],
      extensionMetadata: metadata["ARROW:extension:metadata"])
  }

  private static func metadata(
    _ table: ArrowTable, _ index: Int, _ budget: inout Budget
  ) throws -> [String: String] {
    var found: [String: String] = [:]
    for element in 0..<(try table.count(index)) {
      let pair = try table.table(index, at: element)
      let key = try pair.text(0)
      try budget.take(key)
      guard ["geo", "ARROW:extension:name", "ARROW:extension:metadata"].contains(key) else { continue }
      let value = try pair.text(1)
      try budget.take(value)
      found[key] = value
    }
    return found
  }

  /// Returns a type by its number; nil for an unknown one.
  private static func type(_ code: Int, _ form: ArrowTable) throws -> ArrowType? {
    switch code {
    case 1: return .null
    case 2:
      let bits = try form.int(0)
      return [8, 16, 32, 64].contains(bits) ? .integer(bits: bits, isSigned: try form.byte(1) != 0) : nil
    case 3:
      let precision = try form.short(0)
      return precision <= 2 ? .real(bits: [16, 32, 64][precision]) : nil
    case 4: return .bytes(.small, isText: false)
    case 5: return .bytes(.small, isText: true)
    case 6: return .boolean
    case 7:
      let bits = try form.int(2, absent: 128)
      return [32, 64, 128, 256].contains(bits) ? .decimal(bits: bits, scale: try form.int(1)) : nil
    case 8:
      let unit = try form.short(0, absent: 1)
      return unit <= 1 ? .date(isInDays: unit == 0) : nil
    case 9:
      guard let unit = ArrowUnit(rawValue: try form.short(0, absent: 1)) else { return nil }
      let bits = unit == .seconds || unit == .milliseconds ? 32 : 64
      return try form.int(1, absent: 32) == bits ? .time(unit) : nil
    case 10:
      return try ArrowUnit(rawValue: try form.short(0)).map {
        .timestamp($0, hasZone: try !form.text(1).isEmpty)
      }
    case 11: return .unread("interval", buffers: 2)
    case 12: return .list(.small)
    case 13: return .structure
    // A sparse union has the types of its values, a dense one also their offsets.
    case 14: return .unread("union", buffers: try form.short(0) == 0 ? 1 : 2)
    case 15:
      let width = try form.int(0)
      return width >= 0 ? .fixedBytes(width) : nil
    case 16:
      let count = try form.int(0)
      return count >= 0 ? .fixedList(count) : nil
    case 17: return .map
    case 18: return .unread("duration", buffers: 2)
    case 19: return .bytes(.large, isText: false)
    case 20: return .bytes(.large, isText: true)
    case 21: return .list(.large)
    case 22: return .unread("run-end encoded", buffers: 0)
    case 23: return .bytes(.view, isText: false)
    case 24: return .bytes(.view, isText: true)
    case 25, 26: return .unread("list_view", buffers: 3)
    default: return nil
    }
  }
}
