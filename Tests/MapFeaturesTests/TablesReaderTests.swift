import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import Testing

/// Random small files compared with the tables that Python's json and csv modules read from them.
@Suite struct TablesReaderTests {
  @Test("Random GeoJSON and CSV tables are read as an independent Python reader reads them")
  func findsWhatPythonFinds() throws {
    let url = try #require(Bundle.module.url(forResource: "Cases/Readers/tables", withExtension: "tsv"))
    var counts: [Substring: Int] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
    {
      let cells = line.split(separator: "\t")
      let bytes = Self.bytes(cells[1])
      counts[cells[0], default: 0] += 1
      let table = try cells[0] == "csv" ? CSVReader.read(bytes) : GeoJSONReader.read(bytes)
      let expected = try JSONValue(parsing: Self.bytes(cells[2]))
      let file = String(decoding: bytes, as: UTF8.self)
      #expect(Self.fields(of: table) == expected["fields"], "\(file)")
      #expect(Self.rows(of: table) == expected["rows"], "\(file)")
      #expect((cells[0] == "csv" ? nil : Self.places(of: table)) == expected["places"], "\(file)")
    }
    #expect(counts == ["geojson": 150, "csv": 150])
  }

  private static func bytes(_ hexadecimal: Substring) -> [UInt8] {
    let digits = hexadecimal.utf8.map { UInt8($0 < 0x61 ? $0 - 0x30 : $0 - 0x61 + 10) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func fields(of table: FeatureColumns) -> JSONValue {
    .array(table.schema.fields.map { .array([.string($0.name), .string($0.fieldType.rawValue)]) })
  }

  private static func rows(of table: FeatureColumns) -> JSONValue {
    .array((0..<table.rowCount).map { row in .array(table.columns.map { text(of: $0.value(at: row)) }) })
  }

  private static func text(of value: AttributeValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let value): .string("i:\(value)")
    case .real(let value): .string("r:\(value.bitPattern)")
    case .text(let value): .string("t:\(value)")
    case .boolean(let value): .string("b:\(value)")
    case .date(let value): .string("d:\(value.days)")
    case .instant(let value): .string("m:\(value.microseconds)")
    case .duration(let value): .string(value.sqlLiteral)
    }
  }

  private static func places(of table: FeatureColumns) -> JSONValue {
    .array(
      (0..<table.rowCount).map { row in
        guard let buffer = table.geometry, !buffer.isEmpty(row: row) else { return .null }
        func place(_ index: Int) -> JSONValue {
          .array([
            .number(JSONNumber(buffer.x[index].bitPattern)), .number(JSONNumber(buffer.y[index].bitPattern)),
          ])
        }
        if buffer.kind == .point { return .array([.array([place(row)])]) }
        return .array(
          buffer.parts(ofRow: row).map { part in .array(buffer.vertices(ofPart: part).map { place($0) }) })
      })
  }
}
