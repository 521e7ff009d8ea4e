import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapJSON
import Testing

@Suite struct VectorFileTests {
  /// Uses the values that GDAL's Python binding read from the same layers (make_cases.py).
  @Test("Every cell and geometry equals what GDAL's Python binding reads")
  func cellsAreThoseThatGDALReads() throws {
    let layers = try #require(try Fixture.json("expected.json").object)
    var cells = 0
    for member in layers.members {
      let parts = member.name.split(separator: "#").map { String($0) }
      let layer = try VectorFile.read(Fixture.path(parts[0]), layer: parts[1])
      let rows = try #require(member.value.array)
      #expect(layer.name == parts[1])
      #expect(layer.table.rowCount == rows.count)
      guard layer.table.rowCount == rows.count else { continue }
      for (row, expected) in rows.enumerated() {
        for cell in try #require(expected["cells"]?.object).members {
          #expect(
            Self.text(layer.table.value(row, cell.name)) == Self.text(cell.value),
            "\(member.name) row \(row) \(cell.name)")
          cells += 1
        }
        let geometry = layer.table.geometry?.geometry(ofRow: row, spatialReference: nil)
        let wanted = try expected["wkt"]?.string.flatMap { try WellKnownText.geometry($0) }
        #expect(geometry?.form == wanted?.form, "\(member.name) row \(row)")
      }
    }
    #expect(layers.members.count == 14)
    #expect(cells == 24_675)
  }

  /// Reads every fixture both ways: from a GeoPackage's pages where possible, and feature by feature.
  @Test("Reading by pages or streams and reading by feature give the same tables")
  func bothWaysAgree() throws {
    let kinds = ["points", "lines", "polygons"]
    let bulk = kinds.map { ("bulk-\($0).gpkg", $0, true) } + kinds.map { ("places.gpkg", $0, true) }
    let others = kinds.map { ("\($0).shp", $0, false) }
    let odd = ["zm", "curves", "bare", "plain", "empty", "none", "degenerate", "custom"].map {
      ("odd.gpkg", $0, !["curves", "empty"].contains($0))
    }
    let stored = ["moments", "zoneless", "sparse"].map { ("stored.gpkg", $0, true) }
    let notAsDeclared = ["odd_moment", "words", "wide", "fractions", "flags", "days", "nul"].map {
      ("stored.gpkg", $0, false)
    }
    for (file, layer, isStreamed) in bulk + others + odd + stored + notAsDeclared {
      let fast = try VectorFile.read(Fixture.path(file), layer: layer)
      let slow = try VectorFile.read(Fixture.path(file), layer: layer, allowsStream: false)
      #expect(fast.isStreamed == isStreamed, "\(file) \(layer)")
      #expect(!slow.isStreamed)
      #expect(fast.table.rowCount == slow.table.rowCount, "\(file) \(layer)")
      #expect(fast.table.schema == slow.table.schema, "\(file) \(layer)")
      #expect(fast.table.columns == slow.table.columns, "\(file) \(layer)")
      // Compared row by row, since an empty point is NaN.
      for row in 0..<fast.table.rowCount {
        let (a, b) = (fast.table.geometry, slow.table.geometry)
        #expect(
          a?.geometry(ofRow: row, spatialReference: nil)?.form
            == b?.geometry(ofRow: row, spatialReference: nil)?.form, "\(file) \(layer) row \(row)")
      }
      #expect(fast.table.warnings == slow.table.warnings, "\(file) \(layer)")
    }
    let points = try VectorFile.read(Fixture.path("bulk-points.gpkg"), layer: nil).table
    #expect(points.rowCount == 150)
    #expect(points.columns.contains { $0.validity != nil })
    #expect((0..<150).count { points.geometry?.isEmpty(row: $0) == true } == 14)
    // A shapefile states the width of its text fields.
    let texts = try VectorFile.read(Fixture.path("points.shp"), layer: nil).table.schema.fields
    #expect(texts.contains { $0.type == .text })
    #expect(texts.allSatisfy { $0.type == .text ? (1...254).contains($0.length) : $0.length == 0 })
  }

  /// A cell in a form that both sides can write.
  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(Double(number))"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .text(let text): text
    case .date(let day): "\(day)"
    case .instant(let moment): "\(moment)"
    case .duration(let duration): duration.sqlLiteral
    }
  }

  private static func text(_ value: JSONValue) -> String {
    if value.isNull { return "null" }
    if let number = value.double { return "\(number)" }
    if let text = value.string {
      // GDAL's shapefile driver agrees with ours on dates; FlatGeobuf stores a date as a timestamp.
      return text
    }
    return value.text()
  }

  @Test("A GeoPackage's field types become the matching field types")
  func typesAreThoseOfTheFile() throws {
    let table = try VectorFile.read(Fixture.path("places.gpkg"), layer: "points").table
    let types = Dictionary(uniqueKeysWithValues: table.schema.fields.map { ($0.name, $0.type) })
    #expect(
      types == [
        "fid": .oid, "number": .int32, "name": .text, "short": .int16, "whole": .int32, "long": .int64,
        "single": .float32, "real": .float64, "flag": .int16, "day": .dateOnly, "moment": .date,
      ])
    #expect(table.schema.geometryKind == .point)
    #expect(table.schema.spatialReference == .wgs84)
    #expect(table.warnings == ["field photo: values of type Binary are not read"])
  }

  struct Loss: CustomTestStringConvertible {
    let layer: String, warning: String
    var testDescription: String { layer }
  }

  @Test(
    "Lost dimensions, curves and degenerate parts give a warning",
    arguments: [
      Loss(layer: "zm", warning: "2 geometries: coordinates beyond the second (Z, M) were dropped"),
      Loss(layer: "curves", warning: "1 geometry: curves became lines, with a vertex every degree of an arc"),
      Loss(
        layer: "degenerate",
        warning: "geometry: 1 lines of a single point or rings without area were left out"),
    ])
  func lossIsTold(_ loss: Loss) throws {
    let table = try VectorFile.read(Fixture.path("odd.gpkg"), layer: loss.layer).table
    #expect(table.warnings.contains(loss.warning), "\(table.warnings)")
  }

  @Test("Curves become lines with vertices on the curve")
  func curvesAreFine() throws {
    let table = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "curves").table
    let geometry = try #require(table.geometry)
    #expect(geometry.kind == .polygon)
    #expect(geometry.vertexCount > 80)
    // The circle around (8, 51) of radius 1.
    for index in 0..<geometry.vertexCount {
      let (dx, dy) = (geometry.x[index] - 8, geometry.y[index] - 51)
      #expect(abs(dx * dx + dy * dy - 1) < 1e-9)
    }
  }

  struct Fault: CustomTestStringConvertible {
    let file: String, layer: String?, words: String
    var testDescription: String { "\(file) \(layer ?? "")" }
  }

  @Test(
    "A file that cannot be read is an error that names the fault",
    arguments: [
      Fault(
        file: "places.gpkg", layer: nil,
        words:
          "contains 3 layers: \"points\", \"lines\", \"polygons\"; name one after the path, as in file#layer"),
      Fault(
        file: "places.gpkg", layer: "roads",
        words: "no layer named \"roads\"; available: \"points\", \"lines\", \"polygons\""),
      Fault(file: "truncated.gpkg", layer: nil, words: "malformed"),
      Fault(file: "truncated.fgb", layer: nil, words: "after "),
      Fault(file: "truncated-bulk.fgb", layer: nil, words: ""),
      Fault(file: "garbage.gpkg", layer: nil, words: "not recognized"),
      Fault(file: "garbage.shp", layer: nil, words: "not recognized"),
      Fault(file: "missing.gpkg", layer: nil, words: "No such file"),
      // Formats that could refer to other files have no driver here.
      Fault(file: "points.csv", layer: nil, words: "not recognized"),
      Fault(file: "points.geojson", layer: nil, words: "not recognized"),
    ])
  func faultIsNamed(_ fault: Fault) throws {
    let error = try #require(throws: VectorFileError.self) {
      try VectorFile.read(Fixture.path(fault.file), layer: fault.layer)
    }
    #expect(error.description.contains(fault.words), "\(error)")
  }

  @Test(
    "Only absolute local paths are opened",
    arguments: [
      "/vsicurl/http://localhost/a.gpkg", "PG:dbname=x", "relative.gpkg", "<OGRVRTDataSource/>",
    ])
  func onlyLocalPathsAreOpened(_ path: String) throws {
    let error = try #require(throws: VectorFileError.self) { try VectorFile.read(path, layer: nil) }
    #expect(error.description == "only local files are read, by their absolute path")
  }

  @Test("Layers without fields, geometry or rows are read")
  func tablesWithoutFieldsOrGeometry() throws {
    let bare = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "bare").table
    #expect(bare.geometry.map { (0..<3).map($0.isEmpty(row:)) } == [false, false, true])
    #expect(bare.schema.fields.map(\.name) == ["fid"])
    let plain = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "plain").table
    #expect(plain.geometry == nil)
    #expect(plain.schema.spatialReference == nil)
    #expect(plain.rowCount == 2)
    let empty = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "empty").table
    #expect(empty.schema.geometryKind == .polygon)
    let none = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "none").table
    #expect(none.schema.geometryKind == .polyline)
    #expect(none.rowCount == 0)
  }

  @Test("A shapefile's text is decoded by its declared encoding")
  func encodingIsThatOfTheFile() throws {
    let table = try VectorFile.read(Fixture.path("latin.shp"), layer: nil).table
    #expect(table.value(0, "name") == .text("Zürich"))
  }

  @Test(
    "A missing spatial reference is guessed from the coordinates with a warning",
    arguments: [("nowhere-degrees.shp", 4326), ("nowhere-metres.shp", 3857)])
  func missingReferenceIsGuessedAndTold(_ file: String, _ wkid: Int) throws {
    let table = try VectorFile.read(Fixture.path(file), layer: nil).table
    #expect(table.schema.spatialReference?.wkid == wkid)
    #expect(table.warnings.contains { $0.hasPrefix("no spatial reference is given") })
  }

  @Test("A GeoPackage's spatial reference is read")
  func referencesAreFound() throws {
    for code in [25832, 27700] {
      let table = try VectorFile.read(Fixture.path("points-\(code).gpkg"), layer: nil).table
      #expect(table.schema.spatialReference?.wkid == code)
    }
  }
}
