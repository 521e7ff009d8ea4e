import MapFeatures
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// A file read in pieces gives the same columns, field order, dictionaries, warnings, errors and positions as
/// in one go.
@Suite struct FilePieceTests {
  /// A table's whole content, with empty positions compared by their bits.
  private struct Answer: Equatable {
    let fields: [Field]
    let columns: [Column]
    let kind: GeometryKind?
    let reference: SpatialReference?
    let places: [[UInt64]]
    let rowCount: Int
    let warnings: [String]

    init(_ table: FeatureColumns) {
      (fields, columns, kind) = (table.schema.fields, table.columns, table.geometry?.kind)
      (reference, rowCount) = (table.schema.spatialReference, table.rowCount)
      places = [table.geometry?.x ?? [], table.geometry?.y ?? []].map { $0.map(\.bitPattern) }
      warnings = table.warnings
    }
  }

  private static func answer(_ isCSV: Bool, _ bytes: [UInt8], size: Int) -> Result<Answer, FeatureReadError> {
    Result { () throws(FeatureReadError) in
      try Answer(
        isCSV ? CSVReader.read(bytes, pieceSize: size) : GeoJSONReader.read(bytes, pieceSize: size))
    }
  }

  /// Values that change type within a file, nulls, escapes, nested objects and numbers that exceed doubles.
  private static func value(_ random: inout SeededGenerator, style: Int, row: Int) -> String {
    switch style {
    case 0: "\(Int.random(in: -50...50, using: &random))"
    case 1: row < 60 ? "\(row)" : "\(Double(row) / 8)"
    case 2: row % 40 == 39 ? "\"text \(row % 7)\"" : "\(row)"
    case 3: "\"2024-0\(row % 9 + 1)-11\""
    case 4: row < 90 ? "\"2024-01-11T10:00:0\(row % 10)Z\"" : "\"no date\""
    case 5: Bool.random(using: &random) ? "true" : "false"
    case 6: row == 70 ? "1e999" : row > 100 ? "\"\(row)\"" : "\(row).5"
    case 7: "null"
    case 8: "\"a\\u00e9\\\"{\(Int.random(in: 0...3, using: &random))\""
    case 9: "{\"type\": \"Feature\", \"deep\": [1, {}]}"
    case 10: row == 3 || row == 100 ? "9007199254740993" : "0.5"
    default: "\"kind \(Int.random(in: 0...9, using: &random))\""
    }
  }

  private static func geoJSON(_ random: inout SeededGenerator) -> [UInt8] {
    let styles = (0..<5).map { _ in Int.random(in: 0...11, using: &random) }
    let blank = Bool.random(using: &random) ? "\n" : ""
    var features: [String] = []
    for row in 0..<150 {
      var members = styles.indices.filter { _ in Int.random(in: 0...9, using: &random) > 0 }.map {
        "\"f\($0)\": \(value(&random, style: styles[$0], row: row))"
      }
      if row > 100 { members.append("\"late\": \(row)") }
      let x = Double.random(in: -180...180, using: &random)
      let geometry =
        row % 20 == 11
        ? "null" : "{\"type\": \"Point\", \"coordinates\": [\(x), 5\(row % 30 == 7 ? ", 9" : "")]}"
      let id = row % 3 == 0 ? ", \"id\": \(row)" : ""
      features.append(
        "{\"type\": \"Feature\"\(id), \"properties\": {\(members.joined(separator: ", "))}, \"geometry\": \(geometry)}"
      )
    }
    let text = "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ",\(blank)"))]}"
    return Array(text.utf8)
  }

  private static func csv(_ random: inout SeededGenerator) -> [UInt8] {
    let styles = (0..<5).map { _ in Int.random(in: 0...13, using: &random) }
    let lineEnd = ["\n", "\r\n", "\r", "\n\n"].randomElement(using: &random) ?? "\n"
    // Coordinates with nulls in all of the file, in its end, nowhere, or with words.
    let gap = [0, 120, 200, 90].randomElement(using: &random) ?? 0
    let word = gap == 90 && Bool.random(using: &random) ? "nan" : ""
    var text = "a,b,c,d,e,lon,lat\(lineEnd)"
    for row in 0..<150 {
      let values = styles.map { style in
        switch style {
        case 12: "\"quoted\(lineEnd)\(row),1\""
        case 13: "\"x\"\"\(row % 4)\""
        case 7: ""
        case 8, 9, 11: "w\(row % 5)"
        default: value(&random, style: style, row: row).replacing("\"", with: "")
        }
      }
      text +=
        values.joined(separator: ",")
        + ",\(row >= gap && row % 17 == 3 ? word : "\(row).\(row % 3)"),\(row % 80).25\(lineEnd)"
    }
    return Array(text.utf8)
  }

  @Test("A file read in pieces gives the same table or error as the whole file", arguments: [false, true])
  func sameInPieces(isCSV: Bool) {
    var random = SeededGenerator(seed: isCSV ? 71 : 72)
    var (good, bad) = (0, 0)
    for round in 0..<60 {
      var bytes = isCSV ? Self.csv(&random) : Self.geoJSON(&random)
      // Every second file is damaged at some offset: the error must be the same, at the same position.
      if round % 2 == 1 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = [0x22, 0x2C, 0x7D, 0x0A, 0x5B, 0xFF].randomElement(using: &random) ?? 0
      }
      let whole = Self.answer(isCSV, bytes, size: .max)
      for size in [97, 700, 3000] {
        #expect(Self.answer(isCSV, bytes, size: size) == whole, "round \(round) in pieces of \(size)")
      }
      if case .success = whole { good += 1 } else { bad += 1 }
    }
    #expect(good > 25)
    #expect(bad > 5)
  }
}
