import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapServices
import MapState
import MapSystem
import Testing

import MapDatabases

/// Tables of a real server, compared with the answers of PostgreSQL's own client and with files.
@Suite(.enabled(if: Database.environment != nil, "Scripts/checks/servers/database starts the server"))
struct DatabaseTableTests {
  let database: Database

  init() throws { database = try #require(Database.environment) }

  // MARK: Values

  /// The expressions that write the values of each field for a comparison.
  private static let expressions = [
    "id", "i2", "i4", "i8", "r4", "r8", "n", "n2", "t", "v", "c::text", "b", "d",
    "to_char(ts, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')",
    "to_char(tz AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')", "u", "e", "w",
    "\"Odd \"\"name\"\"\"",
  ]

  @Test("Every type has the value that PostgreSQL's own client writes, with nulls and extremes")
  func everyType() async throws {
    let table = try await database.read("every_type")
    let written = try database.rows(
      "SELECT \(Self.expressions.joined(separator: ", ")) FROM every_type ORDER BY id")
    #expect(table.rowCount == 2004 && written.count == 2004)
    #expect(
      table.schema.fields.map(\.fieldType) == [
        .oid, .int16, .int32, .int64, .float32, .float64, .float64, .float64, .text, .text, .text, .int16,
        .dateOnly,
        .date, .date, .guid, .text, .int32, .text,
      ])
    #expect(table.schema.fields[9].length == 20 && table.schema.fields[10].length == 6)
    #expect(!table.schema.fields[2].isNullable && table.schema.fields[3].isNullable)
    #expect(table.schema.geometryKind == nil)
    var (compared, nulls) = (0, 0)
    for (row, texts) in written.enumerated() {
      for (field, text) in texts.enumerated() {
        let value = table.columns[field].value(at: row)
        let isEqual: Bool =
          switch value {
          case .null: text == "∅"
          case .integer(let number): text == "\(number)"
          // A decimal that is stored as a double is the nearest one.
          case .real(let number):
            table.schema.fields[field].fieldType == .float32
              ? Float(text) == Float(number) : Double(text) == number
          case .text(let own): text == own
          case .boolean(let truth): text == (truth ? "t" : "f")
          case .date(let date): CalendarDate(iso8601: Array(text.utf8).span) == date
          case .instant(let instant): Instant(rfc3339: text) == instant
          case .duration: false
          }
        if case .null = value { nulls += 1 }
        compared += 1
        if !isEqual { Issue.record("\(table.schema.fields[field].name), row \(row): \(value), psql \(text)") }
      }
    }
    #expect(compared == 2004 * 19 && nulls > 2000)
    #expect(
      table.warnings == [
        "field n: 2 decimals were rounded to double precision",
        "field ts: 2003 timestamps without a time zone were read as UTC",
      ])
  }

  @Test("Infinite and impossible values are null, and counted")
  func specialValues() async throws {
    let table = try await database.read("special_values")
    func isNull(_ field: Int, _ row: Int) -> Bool { table.columns[field].value(at: row) == .null }
    for field in 1...6 {
      #expect(isNull(field, 0) && isNull(field, 1), "\(field)")
      #expect(!isNull(field, 3), "\(field)")
    }
    #expect(isNull(3, 2))
    #expect(isNull(4, 2) && isNull(5, 2) && isNull(6, 2))
    #expect(
      table.warnings == [
        "field r8: 2 values that are not finite numbers were read as null",
        "field r4: 2 values that are not finite numbers were read as null",
        "field n: 3 values that are not finite numbers were read as null",
        "field d: 3 impossible dates were read as null", "field ts: 3 impossible dates were read as null",
        "field ts: 1 timestamp without a time zone was read as UTC",
        "field tz: 3 impossible dates were read as null",
      ])
  }

  @Test("Columns of other types are left out by name")
  func unreadTypes() async throws {
    let table = try await database.read("unread_types")
    #expect(table.schema.fields.map(\.name) == ["id", "name"])
    let types = [
      "data": "bytea", "list": "integer[]", "doc": "jsonb", "span": "interval",
      "clock": "time without time zone",
      "amount": "money",
    ]
    #expect(table.warnings.count == types.count)
    for (name, type) in types {
      #expect(
        table.warnings.contains(
          "field \(name): is not read, because values of type \(type) are not supported; a view can convert them"
        ))
    }
  }

  @Test("Only requested fields are read, and always the key")
  func fields() async throws {
    let table = try await database.read("every_type", fields: FieldSelection(["T", "b"]))
    #expect(table.schema.fields.map(\.name) == ["id", "t", "b"])
    #expect(table.warnings.isEmpty && table.rowCount == 2004)
    let all = try await database.read("every_type", fields: FieldSelection(["unknown"]))
    #expect(all.schema.fields.count == 19)
    #expect(
      try await database.read("points", fields: FieldSelection(["geom"])).schema.fields.map(\.name) == ["id"])
  }

  // MARK: Geometries

  @Test(
    "Geometries of each kind are those that PostGIS writes as text",
    arguments: [
      ("points", "point", 4326, 5000), ("multipoints", "multipoint", 4326, 4),
      ("lines", "polyline", 3857, 500),
      ("multilines", "polyline", 4326, 2), ("polygons", "polygon", 25832, 3),
      ("multipolygons", "polygon", 4326, 2),
      ("untyped", "point", 3857, 2), ("some_points", "point", 4326, 100), ("kept_points", "point", 4326, 50),
    ])
  func geometries(_ name: String, _ kind: String, _ wkid: Int, _ count: Int) async throws {
    let table = try await database.read(name, name.hasSuffix("_points") ? "&key=id" : "")
    let buffer = try #require(table.geometry)
    #expect(table.rowCount == count && buffer.kind.rawValue == kind)
    #expect(
      table.schema.spatialReference == SpatialReference(wkid: wkid) && table.schema.geometryName == "geom")
    let written = try database.rows("SELECT ST_AsText(geom, 17) FROM \(name) ORDER BY id")
    var builder = CoordinateBuilder()
    for row in written {
      guard row[0] != "∅" else {
        builder.appendEmptyRow()
        continue
      }
      let bytes = Array(row[0].utf8)
      _ = try WellKnownText.appendRow(bytes, 0..<bytes.count, to: &builder)
    }
    let expected = try #require(builder.result)
    #expect(expected.rowCount == count && expected.vertexCount > 0)
    // The place of an empty point is not a number, which does not equal itself.
    #expect(expected.x.map(\.bitPattern) == buffer.x.map(\.bitPattern))
    #expect(expected.y.map(\.bitPattern) == buffer.y.map(\.bitPattern))
    for row in 0..<count {
      #expect(expected.isEmpty(row: row) == buffer.isEmpty(row: row))
      if kind != "point" {
        #expect(
          expected.parts(ofRow: row).map { expected.vertices(ofPart: $0) }
            == buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0) })
      }
    }
    #expect(table.warnings.isEmpty, "\(table.warnings)")
  }

  @Test("Third and fourth coordinates are dropped with a warning")
  func solids() async throws {
    let points = try await database.read("solid_points")
    #expect(points.geometry?.x == [1, 5] && points.geometry?.y == [2, 6])
    #expect(points.warnings == ["2 geometries: coordinates beyond the second (Z, M) were dropped"])
    let polygons = try await database.read("solid_polygons")
    #expect(polygons.geometry?.kind == .polygon && polygons.geometry?.vertexCount == 4)
    #expect(polygons.warnings == ["1 geometry: coordinates beyond the second (Z, M) were dropped"])
  }

  @Test("A geography is read in its degrees")
  func geography() async throws {
    let table = try await database.read("places_on_earth")
    #expect(table.schema.spatialReference == .wgs84 && table.schema.geometryName == "place")
    #expect(table.geometry?.x == [8.55, -122] && table.warnings.isEmpty)
  }

  @Test("A table without rows keeps the declared kind and spatial reference")
  func noRows() async throws {
    let table = try await database.read("no_rows")
    #expect(table.rowCount == 0 && table.geometry?.kind == .polygon)
    #expect(table.schema.spatialReference == .wgs84 && table.schema.fields.map(\.name) == ["id", "name"])
  }

  @Test("Of two geometries the first is read with a warning, or the one that is named")
  func twoGeometries() async throws {
    let first = try await database.read("two_geometries")
    #expect(first.geometry?.x == [1] && first.schema.spatialReference == .wgs84)
    #expect(
      first.warnings == [
        "geometry: only a of 2 columns was read; name another with geometry=COLUMN in the address"
      ])
    let second = try await database.read("two_geometries", "&geometry=b")
    #expect(
      second.geometry?.x == [3] && second.schema.spatialReference == .webMercator && second.warnings.isEmpty)
    #expect(
      await database.reason("two_geometries", "&geometry=c")
        == "public.two_geometries has no geometry named \"c\"; available: \"a\", \"b\"")
  }

  @Test("Spatial references without a code of EPSG or Esri need one from the user")
  func references() async throws {
    let guessed = try await database.read("without_reference")
    #expect(guessed.schema.spatialReference == .wgs84)
    #expect(guessed.warnings.contains { $0.hasPrefix("no spatial reference is given") })
    #expect(
      await database.reason("own_reference")
        == "the spatial reference 990001 of geom has no code of EPSG or Esri in spatial_ref_sys; name the spatial "
        + "reference with --source-reference")
    var options = ReadingOptions()
    options.sourceReference = SpatialReference(wkid: 25832)
    let named = try await database.read("own_reference", options: options)
    #expect(named.schema.spatialReference == SpatialReference(wkid: 25832) && named.warnings.isEmpty)
    #expect(
      await database.reason("mixed_references")
        == "the row with id 2: its geometry has the spatial reference 3857, others have 4326")
  }

  @Test("Curves are refused with the row, or left out on request")
  func curves() async throws {
    #expect(
      await database.reason("curves")
        == "the row with id 5: a geometry of type 8 is not supported; only points, lines and polygons are")
    var options = ReadingOptions()
    options.skipsBadRows = true
    let rest = try await database.read("some_curves", options: options)
    #expect(
      rest.rowCount == 1 && rest.geometry?.kind == .polyline && rest.columns[0].value(at: 0) == .integer(6))
    #expect(
      rest.warnings.first?.hasPrefix("1 row that cannot be read was left out; the first: id 5: ") ?? false)
  }

  // MARK: Files

  @Test(
    "A table equals the file that ogr2ogr loaded into it",
    arguments: [
      ("roads", "Sources/Products/MapStateSamples/Resources/roads.geojson"),
      ("counties", "Styles/data/us-counties.geojson"),
      ("incidents", "Styles/data/san-francisco-incidents.geojson"),
    ])
  func files(_ name: String, _ path: String) async throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = try GeoJSONReader.read(Array(Data(contentsOf: top.appending(path: path))))
    let table = try await database.read(name)
    #expect(table.rowCount == file.rowCount && file.rowCount > 1000)
    let (own, other) = (try #require(table.geometry), try #require(file.geometry))
    #expect(own.kind == other.kind && own.x == other.x && own.y == other.y)
    var differing = 0
    for (field, column) in zip(file.schema.fields, file.columns) {
      // ogr2ogr moves a field named id to the key.
      guard let place = table.schema.index(ofField: field.name) else { continue }
      for row in 0..<file.rowCount
      where !Self.agree(table.columns[place].value(at: row), column.value(at: row)) { differing += 1 }
    }
    #expect(differing == 0)
    try await sameCounts(InMemorySource(table), InMemorySource(file))
  }

  private static func agree(_ first: AttributeValue, _ second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Double(a) == b
    // GDAL keeps milliseconds.
    case (.instant(let a), .instant(let b)): abs(a.microseconds - b.microseconds) < 1000
    case (.instant(let a), .date(let b)), (.date(let b), .instant(let a)): a == b.start
    default: first == second
    }
  }

  /// Compares counts in envelopes with sides equal to coordinates.
  private func sameCounts(_ first: InMemorySource, _ second: InMemorySource) async throws {
    let buffer = try #require(second.columns().geometry)
    var generator = SeededBits(state: 7)
    var found = 0
    for _ in 0..<200 {
      func place(_ values: [Double]) -> Double { values[Int(generator.next() % UInt64(values.count))] }
      let (x, y) = (
        [place(buffer.x), place(buffer.x)].sorted(), [place(buffer.y), place(buffer.y)].sorted()
      )
      var conditions = QueryConditions()
      conditions.question.area = .envelope(
        Envelope(xMin: x[0], yMin: y[0], xMax: x[1], yMax: y[1], spatialReference: .wgs84))
      let query = try conditions.query(for: .query)
      let count = try second.count(query)
      #expect(try first.count(query) == count)
      if count > 0 { found += 1 }
    }
    #expect(found > 150)
  }

  private struct SeededBits {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }

  // MARK: Keys and names

  @Test("Rows have the order and the ids of their key")
  func keys() async throws {
    let table = try await database.read("by_unique_index")
    #expect(table.columns[0].value(at: 0) == .text("a") && table.schema.fields[1].type == .oid)
    #expect(ObjectIDs(table).id(ofRow: 1) == 20)
    #expect(try await database.read("parts").rowCount == 200)
    #expect(
      await database.reason("without_key")
        == "public.without_key has no key of whole numbers; name a column with unique values in the address, as in "
        + "?key=id#public.without_key; columns of whole numbers: \"n\"")
    #expect(await database.reason("without_key", "&key=n") == "its key n has the value 2 more than once")
    #expect(
      await database.reason("without_key", "&key=name")
        == "public.without_key has no column of whole numbers named \"name\"; available: \"n\"")
    #expect(
      await database.reason("some_points").hasPrefix("public.some_points has no key of whole numbers; "))
    #expect(
      await database.reason("some_points", "&key=third") == "its key third has the value 0 more than once")
  }

  @Test("Names in other schemas and with special characters are found, and wrong ones corrected")
  func names() async throws {
    let odd = try await database.read("%22odd.schema%22.%22Ta%22%22ble%22")
    #expect(odd.schema.fields.map(\.name) == ["id", "Ünï"] && odd.rowCount == 1)
    #expect(try await database.read("public.points").rowCount == 5000)
    #expect(await database.reason("piont") == "no table or view named \"piont\"; did you mean \"points\"?")
    #expect(
      await database.reason("public.lins")
        == "no table or view named \"public.lins\"; did you mean \"public.lines\"?")
    #expect(
      await database.reason("Points").hasPrefix("no table or view named \"Points\"; did you mean \"points\"?")
    )
    let quoted = "points\"; DROP TABLE points; --"
    let reason = await database.reason(
      quoted.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    #expect(reason.hasPrefix("no table or view named "), "\(reason)")
    let list = await database.reason("")
    #expect(
      list.contains("is no name of a table; available: \"odd.schema\".\"Ta\"\"ble\", public.by_unique_index"))
    #expect(!list.contains("spatial_ref_sys"))
  }
}
