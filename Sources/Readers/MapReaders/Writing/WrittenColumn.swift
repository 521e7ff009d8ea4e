import MapFeatures
import MapFilter

/// A column to be written in a columnar format: its values in the narrowest type that holds all of them.
struct WrittenColumn: Sendable {
  enum Values: Sendable {
    /// Integers of 2, 4 or 8 bytes.
    case integers([Int64], size: Int)
    /// Numbers of 4 or 8 bytes.
    case reals([Double], size: Int)
    case booleans([Bool])
    /// Days since 1970-01-01.
    case days([Int32])
    /// Microseconds since midnight.
    case times([Int64])
    /// Microseconds since 1970-01-01 in UTC.
    case instants([Int64])
    case texts(codes: [Int32], dictionary: [String])
    case geometries(FeatureColumns)
  }

  let name: String
  let isNullable: Bool
  let values: Values
  private let validity: RowSet?

  /// Creates the column of a field, for some rows of its table.
  init(_ field: Field, _ column: Column, rows: [Int]) {
    (name, validity) = (field.name, column.validity)
    isNullable = field.isNullable || column.validity != nil
    func fits(_ isFitting: (Int) -> Bool) -> Bool {
      rows.allSatisfy { !column.isValid($0) || isFitting($0) }
    }
    switch column.storage {
    case .integers, .shortIntegers:
      let numbers = column.integers ?? []
      var size = 8
      if field.fieldType == .int16, fits({ Int16(exactly: numbers[$0]) != nil }) { size = 2 }
      if field.fieldType == .int32, fits({ Int32(exactly: numbers[$0]) != nil }) { size = 4 }
      values = .integers(numbers, size: size)
    case .reals(let numbers):
      let isSingle = field.fieldType == .float32 && fits { Double(Float(numbers[$0])) == numbers[$0] }
      values = .reals(numbers, size: isSingle ? 4 : 8)
    case .booleans(let flags): values = .booleans(flags)
    case .text(let codes, let dictionary):
      if field.fieldType == .timeOnly, let times = Self.times(dictionary) {
        values = .times(codes.map { $0 < 0 ? 0 : times[Int($0)] })
      } else {
        values = .texts(codes: codes, dictionary: dictionary)
      }
    case .dates(let days): values = .days(days)
    case .instants(let moments): values = .instants(moments)
    }
  }

  /// Creates the column of the geometries in well-known binary, under a name that no other field has.
  init(geometryOf features: FeatureRows) {
    let table = features.table
    name = features.freeName([table.schema.geometryName, "geometry", "geom", "wkb_geometry"])
    (isNullable, values) = (true, .geometries(table))
    validity = RowSet(
      rowCount: table.rowCount, rows: (0..<table.rowCount).lazy.filter { table.buffer(ofRow: $0) != nil })
  }

  /// Creates a column of numbers that are null in the same rows as another column.
  init(name: String, _ numbers: [Double], nullsOf other: WrittenColumn) {
    (self.name, isNullable, validity) = (name, true, other.validity)
    values = .reals(numbers, size: 8)
  }

  /// Returns whether the value of a row is null.
  @inline(__always)
  func isNull(_ row: Int) -> Bool {
    guard let validity else { return false }
    return !validity.contains(row)
  }

  /// Returns times of day in microseconds since midnight; nil if a text is none, or is more exact.
  private static func times(_ texts: [String]) -> [Int64]? {
    var times: [Int64] = []
    for text in texts {
      guard
        let parts = text.wholeMatch(of: #/([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,6}))?/#),
        let hour = Int64(parts.1), let minute = Int64(parts.2), let second = Int64(parts.3)
      else { return nil }
      let digits = parts.4.map { $0 + String(repeating: "0", count: 6 - $0.count) } ?? "0"
      times.append((hour * 3600 + minute * 60 + second) * 1_000_000 + (Int64(digits) ?? 0))
    }
    return times
  }
}

extension FeatureRows {
  /// Returns the first of some names that neither a field nor `other` has, or else the first one with underscores.
  func freeName(_ names: [String], besides other: String? = nil) -> String {
    let taken = Set(fields.map { table.schema.fields[$0].name } + [other].compactMap { $0 })
    var name = names.first { !taken.contains($0) } ?? names[0]
    while taken.contains(name) { name += "_" }
    return name
  }
}
