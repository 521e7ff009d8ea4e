import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders

/// A file of `Cases/Arrow`, with what must be read from it.
///
/// - Source: `Cases/make_arrow.py`, which writes the files with pyarrow, DuckDB and polars.
struct ArrowCase {
  let name: String
  let bytes: [UInt8]
  /// The expected table, by the names of expected.json; nil for a file that is refused.
  let expected: JSONValue?
  /// The expected error; nil for a file that is read.
  let error: String?

  /// Returns all cases below a folder.
  static func all(in folder: URL) throws -> [ArrowCase] {
    let json = try JSONValue(parsing: [UInt8](Data(contentsOf: folder.appending(path: "expected.json"))))
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
    let read = try (json["cases"]?.object?.members ?? []).map { member in
      ArrowCase(name: member.name, bytes: try bytes(member.name), expected: member.value, error: nil)
    }
    let refused = try (json["errors"]?.object?.members ?? []).map { member in
      ArrowCase(name: member.name, bytes: try bytes(member.name), expected: nil, error: member.value.string)
    }
    return read + refused
  }

  static func read(_ bytes: [UInt8], fields: FieldSelection = .all) throws -> FeatureColumns {
    try ArrowReader.read(size: bytes.count, fields: fields) { Array(bytes[$0]) }
  }

  /// Returns what differs between the file and the expectation; empty if nothing does.
  func differences() -> [String] {
    let table: FeatureColumns
    do { table = try Self.read(bytes) } catch {
      return self.error == "\(error)" ? [] : ["error: \(error)"]
    }
    guard let expected else { return ["is read, but must be refused"] }
    return Self.differences(table, expected)
      + (JSONValue.array(table.warnings.map { .string($0) }) == expected["warnings"] ?? .null
        ? [] : ["warnings: \(table.warnings), expected \((expected["warnings"] ?? .null).text())"])
  }

  /// Returns what differs between a table and its expectation, except for warnings.
  static func differences(_ table: FeatureColumns, _ expected: JSONValue) -> [String] {
    var found: [String] = []
    func compare(_ what: String, _ left: JSONValue, _ right: JSONValue?) {
      if left != right ?? .null {
        found.append("\(what): \(left.text()), expected \((right ?? .null).text())")
      }
    }
    compare("fields", .array(table.schema.fields.map { .string($0.name) }), expected["fields"])
    for (index, column) in table.columns.enumerated() {
      let name = table.schema.fields[index].name
      let values = (0..<table.rowCount).map { Self.json(column.value(at: $0)) }
      let wanted = expected["columns"]?[index]?.array ?? []
      guard values.count == wanted.count else {
        found.append("\(name): \(values.count) rows, expected \(wanted.count)")
        continue
      }
      for (value, wanted) in zip(values, wanted) where value != wanted {
        // Numbers are compared as numbers; a large integer is exact in both.
        if let left = value.double, let right = wanted.double, left == right { continue }
        found.append("\(name): \(value.text()), expected \(wanted.text())")
      }
    }
    guard let kind = expected["kind"]?.string else {
      if table.geometry != nil { found.append("has geometries") }
      return found
    }
    compare("wkid", .number(table.schema.spatialReference?.wkid ?? 0), expected["wkid"])
    if kind != "mixed" { compare("kind", .string(table.geometry?.kind.rawValue ?? ""), .string(kind)) }
    let shapes = expected["shapes"]?.array ?? []
    if shapes.count != table.rowCount { found.append("\(table.rowCount) rows, expected \(shapes.count)") }
    for (row, shape) in shapes.enumerated() where row < table.rowCount {
      compare("row \(row + 1)", Self.parts(table, row), Self.reals(shape))
    }
    return found
  }

  private static func json(_ value: AttributeValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let value): .number(JSONNumber(value))
    case .real(let value): .number(value)
    case .text(let text): .string(text)
    case .boolean(let value): .boolean(value)
    case .date(let date): .string(date.description)
    case .instant(let instant): ["us": .number(JSONNumber(instant.microseconds))]
    case .duration(let duration): .string("\(duration)")
    }
  }

  /// Returns the parts of a row as lists of positions; null without geometry.
  static func parts(_ table: FeatureColumns, _ row: Int) -> JSONValue {
    guard let buffer = table.buffer(ofRow: row) else { return .null }
    let parts =
      buffer.kind == .point ? [row..<row + 1] : buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0) }
    return .array(
      parts.map { part in .array(part.map { [.number(buffer.x[$0]), .number(buffer.y[$0])] }) })
  }

  /// Returns the numbers of a value as decimals.
  private static func reals(_ value: JSONValue) -> JSONValue {
    if let elements = value.array { return .array(elements.map(reals)) }
    return value.double.map { .number($0) } ?? value
  }
}
