import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// A file read with some of its fields gives the same table without the others.
@Suite struct FieldSelectionTests {
  /// The parts of a table that must not depend on the selected fields.
  private struct Answer: Equatable {
    let fields: [Field]
    let columns: [Column]
    let kind: GeometryKind?
    let reference: SpatialReference?
    let geometryName: String
    let places: [[UInt64]]
    let ids: [Int64]

    /// The table; with `fields`, only those fields and the data that identify its features.
    init(_ table: FeatureColumns, _ fields: FieldSelection = .all) {
      let kept = table.schema.fields.indices.filter {
        fields.contains(table.schema.fields[$0].name) || table.schema.fields[$0].type == .oid
      }
      (self.fields, columns) = (kept.map { table.schema.fields[$0] }, kept.map { table.columns[$0] })
      (kind, reference) = (table.geometry?.kind, table.schema.spatialReference)
      geometryName = table.schema.geometryName
      // Empty positions are compared by their bits.
      places = [table.geometry?.x ?? [], table.geometry?.y ?? []].map { $0.map(\.bitPattern) }
      let identities = ObjectIDs(table)
      ids = (0..<table.rowCount).map { identities.id(ofRow: $0) }
    }
  }

  /// Reads with random selections and returns how many columns were read, out of how many.
  private static func check(
    _ name: String, _ random: inout SeededGenerator, read: (FieldSelection) throws -> FeatureColumns
  ) throws -> (read: Int, all: Int) {
    let whole = try read(.all)
    let names = whole.schema.fields.map(\.name)
    var (some, all) = (0, 0)
    for round in 0..<4 {
      let wanted = names.filter { _ in Int.random(in: 0...2, using: &random) == 0 }
        .map { round == 0 ? $0.uppercased() : $0 }
      let selection = FieldSelection(wanted)
      let part = try read(selection)
      #expect(Answer(part) == Answer(whole, selection), "\(name): \(wanted)")
      some += part.columns.count
      all += names.count
    }
    // An unknown name selects all fields, so that an error can list them.
    let lacking = try read(FieldSelection(names.prefix(1) + ["no such field"]))
    #expect(Answer(lacking) == Answer(whole), "\(name)")
    #expect(lacking.warnings == whole.warnings, "\(name)")
    let none = try read(FieldSelection([String]()))
    #expect(none.schema.fields.allSatisfy { $0.type == .oid })
    #expect(none.rowCount == whole.rowCount)
    return (some, all)
  }

  @Test("Reading selected fields of a vector file gives the same answers")
  func vectorFiles() throws {
    var random = SeededGenerator(seed: 19)
    var (some, all, files) = (0, 0, 0)
    var layers: [(String, String?)] = []
    for kind in ["points", "lines", "polygons"] {
      layers += [
        ("bulk-\(kind).gpkg", nil), ("places.gpkg", kind), ("\(kind).shp", nil), ("\(kind).fgb", nil),
      ]
    }
    layers += [("latin.shp", nil), ("odd.gpkg", "zm"), ("odd.gpkg", "bare"), ("odd.gpkg", "custom")]
    for name in ["moments", "sparse", "words", "wide", "fractions"] { layers.append(("stored.gpkg", name)) }
    for name in ["polygons", "added", "defaulted", "generated", "typed"] {
      layers.append(("paged.gpkg", name))
    }
    for (file, layer) in layers {
      for allowsStream in [true, false] {
        let counts = try Self.check(file + (layer ?? ""), &random) {
          try VectorFile.read(Fixture.path(file), layer: layer, fields: $0, allowsStream: allowsStream).table
        }
        (some, all, files) = (some + counts.read, all + counts.all, files + 1)
      }
    }
    #expect(files == 52)
    #expect(some * 3 < all * 2, "\(some) of \(all) columns were read")
  }

  @Test("Reading selected fields of a FlatGeobuf file gives the same answers")
  func flatGeobuf() throws {
    var random = SeededGenerator(seed: 20)
    for file in ["bulk-points.fgb", "bulk-lines.fgb", "bulk-polygons.fgb", "points.fgb"] {
      let bytes = try Fixture.bytes(file)
      _ = try Self.check(file, &random) { fields in
        try #require(
          try FlatGeobufReader.read(size: bytes.count, fields: fields, pieceSize: 4000) { Array(bytes[$0]) }
        ).table
      }
    }
  }

  /// Reads in one go and in pieces, with values of mixed types, and with coordinates as fields or not.
  @Test("Reading selected fields of CSV and GeoJSON files gives the same answers")
  func text() throws {
    var random = SeededGenerator(seed: 21)
    let values = ["7", "8.5", "word", "2024-02-03", "", "\"a\"\"b\"", "true", "1e400"]
    for round in 0..<40 {
      let styles = (0..<6).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).map { _ in values.randomElement(using: &random) ?? "" }
      }
      var (csv, features) = ("a,b,c,d,e,f,lon,lat\n", [String]())
      // In every other file a property has the name of the id field.
      let names = ["a", "b", "c", "d", "e", round % 2 == 0 ? "f" : "id"]
      for row in 0..<80 {
        let cells = styles.map { $0.randomElement(using: &random) ?? "" }
        let x = row % 9 == 4 ? "" : "\(Double(row) / 7)"
        csv += (cells + [x, x]).joined(separator: ",") + "\n"
        let members = zip(names, cells).filter { $1 != "" }.map { name, cell in
          let isJSON = ["7", "8.5", "true", "1e400"].contains(cell)
          return "\"\(name)\": " + (isJSON ? cell : "\"\(cell.filter { $0 != "\"" })\"")
        }
        features.append(
          "{\"type\": \"Feature\", \"id\": \(row + 5), \"properties\": {\(members.joined(separator: ","))}, "
            + "\"geometry\": {\"type\": \"Point\", \"coordinates\": [\(row), 1]}}")
      }
      let list = features.joined(separator: ",")
      let (texts, document) = (
        Array(csv.utf8), Array("{\"type\": \"FeatureCollection\", \"features\": [\(list)]}".utf8)
      )
      for size in [.max, 600] {
        _ = try Self.check("csv \(round)", &random) {
          try CSVReader.read(texts, fields: $0, pieceSize: size)
        }
        _ = try Self.check("geojson \(round)", &random) {
          try GeoJSONReader.read(document, fields: $0, pieceSize: size)
        }
      }
    }
  }

  /// Covers both filter languages; the geometry is not a field.
  @Test("Filters report the fields that they need")
  func namesOfFilters() throws {
    let read = FieldSelection(filter: ParsedFilter("UPPER(a) = 'X' AND (b > c OR d IS NULL)")).union(
      FieldSelection(filter: ParsedFilter(cql2: "CASEI(E) = 'x' AND S_INTERSECTS(geometry, POINT(1 2))")))
    #expect(["A", "b", "c", "d", "e", "GEOMETRY"].allSatisfy(read.contains))
    #expect(!read.contains("x"))
    #expect(read.among(["a", "b", "c", "d", "e", "f"], geometryName: "geometry") == read)
    #expect(read.among(["a", "b", "c", "d", "f"], geometryName: "geometry") == .all)
    #expect(read.among(["a", "b", "c", "d", "e"], geometryName: nil) == .all)
    #expect(FieldSelection(filter: ParsedFilter("a = = 2")) == FieldSelection(filter: .none))
    #expect(read.union(.all) == .all)
  }
}
