import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// Features written by GDAL and read again.
@Suite struct VectorWritingTests {
  /// Writes features and reads the file with GDAL, and also with our own reader where it supports the file.
  ///
  /// The rows of a GeoPackage are in the order of their ids; the tables have them in the order of the
  /// features.
  private func roundTrips(
    _ features: FeatureRows, _ format: VectorFile.WrittenFormat
  ) throws -> (tables: [FeatureColumns], warnings: [String]) {
    let written = try VectorFile.bytes(of: features, format: format, layer: "made by test")
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).\(format.rawValue)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(written.bytes).write(to: URL(filePath: path))
    let read = try [false, true].map {
      let layer = try VectorFile.read(path, layer: "made by test", allowsStream: $0)
      #expect(layer.name == "made by test")
      #expect(layer.table.warnings == [])
      try #require(layer.table.rowCount == features.rows.count)
      guard format == .geoPackage else { return layer.table }
      let ids = try FeatureRows(layer.table, rows: Array(0..<layer.table.rowCount)).objectIDs
      return try layer.table.taking(features.objectIDs.map { id in try #require(ids.firstIndex(of: id)) })
    }
    return (read, written.warnings)
  }

  /// Compares the rows of a file with the written features; returns the number of values compared.
  @discardableResult
  private func expectSame(_ read: FeatureColumns, _ features: FeatureRows, daysAreTimestamps: Bool) -> Int {
    let table = features.table
    var compared = 0
    for field in features.fields {
      let wanted = table.schema.fields[field]
      guard let place = read.schema.index(ofField: wanted.name) else {
        Issue.record("no field \(wanted.name)")
        continue
      }
      let isDay = daysAreTimestamps && wanted.fieldType == .dateOnly
      let isID = daysAreTimestamps && wanted.fieldType == .oid
      #expect(
        read.schema.fields[place].fieldType == (isDay ? .date : isID ? .int64 : wanted.fieldType),
        "\(wanted.name)")
      for (index, row) in features.rows.enumerated() {
        var value = table.columns[field].value(at: row)
        if isDay, case .date(let day) = value { value = .instant(day.start) }
        #expect(read.columns[place].value(at: index) == value, "\(wanted.name) of row \(row)")
        compared += 1
      }
    }
    guard let geometry = table.geometry, features.hasGeometry else { return compared }
    #expect(read.schema.spatialReference == table.schema.spatialReference)
    #expect(read.geometry?.kind == geometry.kind)
    for (index, row) in features.rows.enumerated() {
      #expect(read.geometry.map { rings($0, index) } == rings(geometry, row), "geometry of row \(row)")
    }
    return compared
  }

  /// The parts of a row, each starting at its least vertex, in a fixed order, because rings may be rotated
  /// and reordered.
  private func rings(_ geometry: CoordinateBuffer, _ row: Int) -> Set<[[Double]]> {
    if geometry.isEmpty(row: row) { return [] }
    let parts =
      geometry.kind == .point
      ? [geometry.vertices(ofRow: row)] : geometry.parts(ofRow: row).map { geometry.vertices(ofPart: $0) }
    return Set(
      parts.map { part in
        let chain = part.map { [geometry.x[$0], geometry.y[$0]] }
        return geometry.kind == .polygon
          ? chain.sorted { $0.lexicographicallyPrecedes($1) } : chain
      })
  }

  @Test(
    "Fields, nulls, text, dates, ids and geometries survive a round trip",
    arguments: ["points", "lines", "polygons"], VectorFile.WrittenFormat.allCases)
  func roundTrip(kind: String, format: VectorFile.WrittenFormat) throws {
    let table = try VectorFile.read(Fixture.path("places.gpkg"), layer: kind).table
    var random = SeededGenerator(seed: 19)
    let hasAll = format != .flatGeobuf
    let rows = Array(
      (0..<table.rowCount).filter { hasAll || table.geometry?.isEmpty(row: $0) == false }
        .shuffled(using: &random).prefix(200))
    let features = try FeatureRows(table, rows: rows)
    let (read, warnings) = try roundTrips(features, format)
    #expect(warnings == [])
    for table in read {
      let compared = expectSame(table, features, daysAreTimestamps: format == .flatGeobuf)
      #expect(compared == 200 * features.fields.count)
      #expect(compared > 1600)
    }
  }

  @Test(
    "Rows of one and of several parts are written to the same file",
    arguments: VectorFile.WrittenFormat.allCases)
  func multipart(format: VectorFile.WrittenFormat) throws {
    let shapes = [
      [#""MultiPoint","coordinates":[[1,2],[3,4]]"#, #""MultiPoint","coordinates":[[5,6]]"#],
      [
        #""LineString","coordinates":[[1,2],[3,4.25]]"#,
        #""MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]"#,
      ],
      [
        #""Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[1,2],[2,2],[1,1]]]"#,
        #""MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[[[20,0],[30,0],[30,9],[20,0]]]]"#,
      ],
    ]
    for pair in shapes {
      let lines = (pair.map { #"{"type":\#($0)}"# } + ["null"]).enumerated().map { index, shape in
        #"{"type":"Feature","id":\#(index + 7),"properties":{"n":\#(index)},"geometry":\#(shape)}"#
      }
      let features = try FeatureRows(
        GeoJSONReader.read(Array(lines.joined(separator: "\n").utf8)),
        rows: format == .geoPackage ? [2, 0, 1] : [1, 0])
      for table in try roundTrips(features, format).tables {
        #expect(table.value(0, "id") == .integer(Int64(features.rows[0] + 7)))
        for (index, row) in features.rows.enumerated() {
          #expect(
            table.geometry.map { rings($0, index) } == features.table.geometry.map { rings($0, row) })
        }
      }
    }
  }

  @Test(
    "A table without rows is written as a valid file with its fields",
    arguments: VectorFile.WrittenFormat.allCases)
  func empty(format: VectorFile.WrittenFormat) throws {
    let table = try VectorFile.read(Fixture.path("places.gpkg"), layer: "polygons").table
    for read in try roundTrips(FeatureRows(table, rows: []), format).tables {
      #expect(read.rowCount == 0)
      #expect(read.schema.geometryKind == .polygon)
      #expect(read.schema.index(ofField: "moment") != nil)
    }
  }

  @Test("A table without geometry is written as a GeoPackage and refused as FlatGeobuf")
  func withoutGeometry() throws {
    let table = try VectorFile.read(Fixture.path("places.gpkg"), layer: "points").table
    let features = try FeatureRows(table, rows: [3, 1], fieldNames: ["name"], hasGeometry: false)
    for read in try roundTrips(features, .geoPackage).tables {
      #expect(read.geometry == nil)
      #expect(read.rowCount == 2)
      expectSame(read, features, daysAreTimestamps: false)
      #expect(try FeatureRows(read, rows: [0, 1]).objectIDs == features.objectIDs)
    }
    let error = #expect(throws: VectorFileError.self) {
      try VectorFile.bytes(of: features, format: .flatGeobuf, layer: "x")
    }
    #expect(
      error?.description == "a table without geometry cannot be written as FlatGeobuf; write .gpkg or .csv")
    let some = #expect(throws: VectorFileError.self) {
      try VectorFile.bytes(of: FeatureRows(table, rows: [0, 5, 22]), format: .flatGeobuf, layer: "x")
    }
    #expect(
      some?.description
        == "2 features have no geometry and cannot be written as FlatGeobuf; write .gpkg or .csv")
  }

  @Test(
    "Written coordinates keep their table's spatial reference", arguments: VectorFile.WrittenFormat.allCases)
  func references(format: VectorFile.WrittenFormat) throws {
    for code in [25832, 27700] {
      let table = try VectorFile.read(Fixture.path("polygons-\(code).gpkg"), layer: nil).table
      let features = try FeatureRows(table, rows: [0, 1, 2])
      for read in try roundTrips(features, format).tables {
        #expect(read.schema.spatialReference == SpatialReference(wkid: code))
        expectSame(read, features, daysAreTimestamps: format == .flatGeobuf)
      }
    }
  }

  @Test("A value that a format cannot represent is an error or a warning that names the field")
  func losses() throws {
    func features(_ properties: [String]) throws -> FeatureRows {
      let lines = properties.enumerated().map {
        #"{"type":"Feature","id":\#($0 + 1),"properties":{\#($1)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
      }
      return try FeatureRows(
        GeoJSONReader.read(Array(lines.joined(separator: "\n").utf8)), rows: Array(properties.indices))
    }
    let fine = try features([#""t":"2024-02-29T23:59:59.9994Z""#, #""t":"2024-02-29T00:00:00Z""#])
    let (read, warnings) = try roundTrips(fine, .geoPackage)
    #expect(warnings == ["field t: 1 timestamps were rounded to milliseconds"])
    #expect(read[0].value(0, "t").plainText == "2024-02-29T23:59:59.999Z")
    let zero = try features([#""name":"a\u0000b""#])
    let error = #expect(throws: VectorFileError.self) {
      try VectorFile.bytes(of: zero, format: .geoPackage, layer: "x")
    }
    #expect(error?.description.hasPrefix("field name: a text has a zero character") == true)
    let namesakes = try features([#""Name":"a","name":"b","fid":5,"geometry":"c""#])
    let (tables, renamed) = try roundTrips(namesakes, .geoPackage)
    #expect(renamed == ["field name: written as name_2, since names there must differ in more than case"])
    #expect(tables[0].value(0, "name_2") == .text("b"))
    #expect(tables[0].value(0, "geometry") == .text("c"))
    #expect(tables[0].value(0, "fid") == .integer(5))
    #expect(tables[0].geometry?.x == [1])
  }
}

extension FeatureColumns {
  /// The same table with some rows in a given order.
  fileprivate func taking(_ rows: [Int]) -> FeatureColumns {
    var chosen = geometry.map { CoordinateBuffer(kind: $0.kind) }
    if let geometry { for row in rows { chosen?.appendRow(row, of: geometry) } }
    let validity = columns.map { column in
      RowSet(rowCount: rows.count, rows: rows.indices.filter { column.isValid(rows[$0]) })
    }
    return FeatureColumns(
      schema: schema,
      columns: zip(columns, validity).map { column, validity in
        let storage: Column.Storage =
          switch column.storage {
          case .integers(let values): .integers(rows.map { values[$0] })
          case .shortIntegers(let values): .shortIntegers(rows.map { values[$0] })
          case .reals(let values): .reals(rows.map { values[$0] })
          case .booleans(let values): .booleans(rows.map { values[$0] })
          case .text(let codes, let dictionary): .text(codes: rows.map { codes[$0] }, dictionary: dictionary)
          case .dates(let values): .dates(rows.map { values[$0] })
          case .instants(let values): .instants(rows.map { values[$0] })
          }
        return Column(storage, validity: column.validity == nil ? nil : validity)
      }, geometry: chosen, rowCount: rows.count)
  }
}
