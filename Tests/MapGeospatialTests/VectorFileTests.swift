import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapJSON
import Testing

@Suite struct VectorFileTests {
  /// Every cell and geometry against what GDAL's Python binding read of the same layer (make_cases.py).
  @Test func cellsAreThoseThatGDALReads() throws {
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

  /// Every fixture both ways: a GeoPackage's rows from its pages where they are as declared, and feature by feature.
  @Test func bothWaysAgree() throws {
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
      // By row, since the place of an empty point is NaN.
      for row in 0..<fast.table.rowCount {
        let (a, b) = (fast.table.geometry, slow.table.geometry)
        #expect(
          a?.geometry(ofRow: row, spatialReference: nil)?.form
            == b?.geometry(ofRow: row, spatialReference: nil)?.form, "\(file) \(layer) row \(row)")
      }
      #expect(fast.table.warnings == slow.table.warnings, "\(file) \(layer)")
    }
    let points = try VectorFile.read(Fixture.path("bulk-points.gpkg"), layer: nil).table
    #expect(points.rowCount == 150 && points.columns.contains { $0.validity != nil })
    #expect((0..<150).count { points.geometry?.isEmpty(row: $0) == true } == 14)
    // A shapefile states how wide its texts are.
    let texts = try VectorFile.read(Fixture.path("points.shp"), layer: nil).table.schema.fields
    #expect(texts.contains { $0.type == .text })
    #expect(texts.allSatisfy { $0.type == .text ? (1...254).contains($0.length) : $0.length == 0 })
  }

  /// A cell as both sides can write it.
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
      // GDAL's shapefile driver and ours agree on days; FlatGeobuf keeps a day as a moment.
      return text
    }
    return value.text()
  }

  @Test func typesAreThoseOfTheFile() throws {
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

  @Test(arguments: [
    Loss(layer: "zm", warning: "2 geometries: coordinates beyond the second (Z, M) were dropped"),
    Loss(
      layer: "curves", warning: "1 geometry: curves became lines, with a vertex every 4 degrees of an arc"),
    Loss(layer: "degenerate", warning: "geometry: 1 lines of one place or rings without area were left out"),
  ])
  func lossIsTold(_ loss: Loss) throws {
    let table = try VectorFile.read(Fixture.path("odd.gpkg"), layer: loss.layer).table
    #expect(table.warnings.contains(loss.warning), "\(table.warnings)")
  }

  @Test func curvesAreFine() throws {
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

  @Test(arguments: [
    Fault(
      file: "places.gpkg", layer: nil,
      words: "holds 3 layers: \"points\", \"lines\", \"polygons\"; name one after the path, as in file#layer"),
    Fault(
      file: "places.gpkg", layer: "roads",
      words: "there is no layer \"roads\"; there are \"points\", \"lines\", \"polygons\""),
    Fault(file: "truncated.gpkg", layer: nil, words: "malformed"),
    Fault(file: "truncated.fgb", layer: nil, words: "after "),
    Fault(file: "truncated-bulk.fgb", layer: nil, words: ""),
    Fault(file: "garbage.gpkg", layer: nil, words: "not recognized"),
    Fault(file: "garbage.shp", layer: nil, words: "not recognized"),
    Fault(file: "missing.gpkg", layer: nil, words: "No such file"),
    Fault(file: "odd.gpkg", layer: "collection", words: "feature 1: a geometry collection is not read"),
    Fault(file: "odd.gpkg", layer: "mixed", words: "feature 2: a polyline among points"),
    // Formats that could lead elsewhere have no driver here.
    Fault(file: "points.csv", layer: nil, words: "not recognized"),
    Fault(file: "points.geojson", layer: nil, words: "not recognized"),
  ])
  func faultIsNamed(_ fault: Fault) throws {
    let error = try #require(throws: VectorFileError.self) {
      try VectorFile.read(Fixture.path(fault.file), layer: fault.layer)
    }
    #expect(error.description.contains(fault.words), "\(error)")
  }

  @Test(arguments: [
    "/vsicurl/http://localhost/a.gpkg", "PG:dbname=x", "relative.gpkg", "<OGRVRTDataSource/>",
  ])
  func onlyLocalPathsAreOpened(_ path: String) throws {
    let error = try #require(throws: VectorFileError.self) { try VectorFile.read(path, layer: nil) }
    #expect(error.description == "only local files are read, by their absolute path")
  }

  @Test func tablesWithoutFieldsOrGeometry() throws {
    let bare = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "bare").table
    #expect(bare.geometry.map { (0..<3).map($0.isEmpty(row:)) } == [false, false, true])
    #expect(bare.schema.fields.map(\.name) == ["fid"])
    let plain = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "plain").table
    #expect(plain.geometry == nil && plain.schema.spatialReference == nil && plain.rowCount == 2)
    let empty = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "empty").table
    #expect(empty.schema.geometryKind == .polygon)
    let none = try VectorFile.read(Fixture.path("odd.gpkg"), layer: "none").table
    #expect(none.schema.geometryKind == .polyline && none.rowCount == 0)
  }

  @Test func encodingIsThatOfTheFile() throws {
    let table = try VectorFile.read(Fixture.path("latin.shp"), layer: nil).table
    #expect(table.value(0, "name") == .text("Zürich"))
  }

  @Test(arguments: [("nowhere-degrees.shp", 4326), ("nowhere-metres.shp", 3857)])
  func missingReferenceIsGuessedAndTold(_ file: String, _ wkid: Int) throws {
    let table = try VectorFile.read(Fixture.path(file), layer: nil).table
    #expect(table.schema.spatialReference?.wkid == wkid)
    #expect(table.warnings.contains { $0.hasPrefix("no spatial reference is given") })
  }

  @Test func referencesAreFound() throws {
    for code in [25832, 27700] {
      let table = try VectorFile.read(Fixture.path("points-\(code).gpkg"), layer: nil).table
      #expect(table.schema.spatialReference?.wkid == code)
    }
  }
}
