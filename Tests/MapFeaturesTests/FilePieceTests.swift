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

  private static func answer(_ form: Form, _ bytes: [UInt8], size: Int) -> Result<Answer, FeatureReadError> {
    Result { () throws(FeatureReadError) in
      try Answer(
        form == .csv ? CSVReader.read(bytes, pieceSize: size) : GeoJSONReader.read(bytes, pieceSize: size))
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

  /// The forms of a document: delimited text, a feature collection, and one feature per line.
  enum Form: UInt64 {
    case csv = 71
    case collection, records
  }

  /// Geometries of one or two kinds, some with a third number.
  private static func geometry(_ random: inout SeededGenerator, style: Int, row: Int) -> String {
    let x = Double.random(in: -179...179, using: &random)
    let corner = "[\(x), 5\(row % 30 == 7 ? ", 9" : "")]"
    return switch style {
    case 1 where row % 50 == 33: "{\"type\": \"MultiPoint\", \"coordinates\": [\(corner), [1, 2]]}"
    case 2: "{\"type\": \"LineString\", \"coordinates\": [\(corner), [\(x), 6], [1, \(row)]]}"
    case 3:
      "{\"type\": \"Polygon\", \"coordinates\": [[\(corner), [\(x), 6], [1, \(row)]\(row % 40 == 1 ? "" : ", [\(x), 5]")]]}"
    case 4 where row % 60 == 50: "{\"type\": \"LineString\", \"coordinates\": [\(corner), [\(x), 6]]}"
    default: "{\"type\": \"Point\", \"coordinates\": \(corner)}"
    }
  }

  private static func geoJSON(_ random: inout SeededGenerator, isCollection: Bool) -> [UInt8] {
    let styles = (0..<5).map { _ in Int.random(in: 0...11, using: &random) }
    let blank = Bool.random(using: &random) ? "\n" : ""
    let (ids, shape) = (Int.random(in: 0...4, using: &random), Int.random(in: 0...4, using: &random))
    let startsWithType = Bool.random(using: &random)
    var features: [String] = []
    for row in 0..<150 {
      var members = styles.indices.filter { _ in Int.random(in: 0...9, using: &random) > 0 }.map {
        "\"f\($0)\": \(value(&random, style: styles[$0], row: row))"
      }
      if row > 100 { members.append("\"late\": \(row)") }
      let geometry = row % 20 == 11 ? "null" : geometry(&random, style: shape, row: row)
      let id: String? =
        switch ids {
        case 0: row % 3 == 0 ? "\(row)" : nil
        case 1: "\(500 - row)"
        case 2: "\(row / 149)"
        case 3: row == 120 ? "\"a\"" : "\(row)"
        default: nil
        }
      let properties = "\"properties\": {\(members.joined(separator: ", "))}"
      let type = "\"type\": \"Feature\"" + (id.map { ", \"id\": \($0)" } ?? "")
      features.append(
        startsWithType
          ? "{\(type), \(properties), \"geometry\": \(geometry)}"
          : "{\(properties), \"geometry\": \(geometry), \(type)}")
    }
    guard isCollection else { return Array((features.joined(separator: "\n") + "\n").utf8) }
    let text = "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ",\(blank)"))]"
    return Array((text + (ids == 1 ? ", \"crs\": null, \"more\": [{}]}\n" : "}")).utf8)
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

  private static func sample(_ form: Form, _ random: inout SeededGenerator) -> [UInt8] {
    form == .csv ? csv(&random) : geoJSON(&random, isCollection: form == .collection)
  }

  @Test(
    "A file read in pieces gives the same table or error as the whole file",
    arguments: [Form.csv, .collection, .records])
  func sameInPieces(form: Form) {
    var random = SeededGenerator(seed: form.rawValue)
    var (good, bad) = (0, 0)
    for round in 0..<60 {
      var bytes = Self.sample(form, &random)
      // Every second file is damaged at some offset: the error must be the same, at the same position.
      if round % 2 == 1 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = [0x22, 0x2C, 0x7D, 0x0A, 0x5B, 0xFF].randomElement(using: &random) ?? 0
      }
      let whole = Self.answer(form, bytes, size: .max)
      for size in [97, 700, 3000] {
        #expect(Self.answer(form, bytes, size: size) == whole, "round \(round) in pieces of \(size)")
      }
      if case .success = whole { good += 1 } else { bad += 1 }
    }
    #expect(good > 25)
    #expect(bad > 5)
  }

  @Test(
    "The rows of the pieces of a text are those of the whole table, with its ids, types and warnings",
    arguments: [Form.collection, .records])
  func rowsOfPieces(form: Form) throws {
    var random = SeededGenerator(seed: form.rawValue + 10)
    var (divided, rounds) = (0, 0)
    for round in 0..<60 {
      let bytes = Self.sample(form, &random)
      let whole = try GeoJSONReader.read(bytes, pieceSize: .max)
      for (size, fields) in [(700, FieldSelection.all), (3000, FieldSelection(["f1"]))] {
        rounds += 1
        let table = try GeoJSONReader.read(bytes, fields: fields, pieceSize: .max)
        let found = try PiecewiseGeoJSON(TextBytes(bytes), fields: fields, pieceSize: size) {
          InMemorySource(table)
        }
        guard let pieces = found else { continue }
        divided += 1
        #expect(whole.otherGeometries.isEmpty)
        let parts = try (0..<pieces.pieceCount).map(pieces.rows(ofPiece:))
        let joined = FeatureColumns(joining: parts, schema: pieces.schema)
        #expect(joined.rowCount == pieces.rowCount)
        #expect(parts.count > 3)
        let (ids, partIDs) = (ObjectIDs(table), ObjectIDs(joined))
        #expect(
          (0..<table.rowCount).map(ids.id(ofRow:)) == (0..<joined.rowCount).map(partIDs.id(ofRow:)),
          "round \(round)")
        // Values are compared one by one: joined columns may have the texts in another order.
        #expect(table.schema == joined.schema, "round \(round)")
        for (one, other) in zip(table.columns, joined.columns) {
          #expect((0..<table.rowCount).map(one.value(at:)) == (0..<joined.rowCount).map(other.value(at:)))
        }
        #expect(Answer(table).places == Answer(joined).places)
        #expect(table.geometry?.rowEnds == joined.geometry?.rowEnds)
        #expect(pieces.warnings == table.warnings)
        #expect(pieces.extent == InMemorySource(table).extent)
      }
    }
    // Those of two kinds of geometry are read as a whole.
    #expect(divided > rounds * 3 / 5)
  }
}
