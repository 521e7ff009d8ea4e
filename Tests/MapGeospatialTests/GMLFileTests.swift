import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// Documents of GML that GDAL alone reads otherwise than they are written.
@Suite struct GMLFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func point(_ position: String, _ reference: String = "EPSG:4326") -> String {
    "<a:g><gml:Point srsName=\"\(reference)\"><gml:pos>\(position)</gml:pos></gml:Point></a:g>"
  }

  /// Reads features of the type `T`, each on a line of its own from the second.
  private func read(
    _ features: [String], head: String = "", encoding: String.Encoding = .utf8,
    _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> FeatureColumns {
    var options = ReadingOptions()
    change(&options)
    let members = features.map { "\n<gml:featureMember><a:T>\($0)</a:T></gml:featureMember>" }.joined()
    let text =
      "<?xml version=\"1.0\" encoding=\"\(encoding == .utf8 ? "UTF-8" : "ISO-8859-1")\"?>"
      + "<gml:FeatureCollection xmlns:gml=\"http://www.opengis.net/gml\" xmlns:a=\"a\">\(head)\(members)"
      + "\n</gml:FeatureCollection>"
    try #require(text.data(using: encoding)).write(to: folder.url("t.gml"))
    return try VectorFile.read(folder.path("t.gml"), layer: "T", options: options).table
  }

  private func message(_ features: [String], head: String = "") -> String {
    (#expect(throws: VectorFileError.self) { try read(features, head: head) })?.description ?? ""
  }

  @Test(
    "Coordinates that are not numbers are an error with their line",
    arguments: [
      "<gml:pos>a b</gml:pos>", "<gml:pos>nan 48</gml:pos>", "<gml:pos>INF 48</gml:pos>",
      "<gml:pos>11,5 48,5</gml:pos>",
      "<gml:pos>11</gml:pos>", "<gml:coordinates>1;2</gml:coordinates>",
      "<gml:coordinates decimal=\",\" cs=\";\">1,5;2.5</gml:coordinates>",
      "<gml:coord><gml:X>1</gml:X><gml:Y>x</gml:Y></gml:coord>", "<gml:radius uom=\"m\">x</gml:radius>",
      "<gml:startAngle/>",
    ])
  func notNumbers(_ position: String) throws {
    let bad = "<a:g><gml:Point>\(position)</gml:Point></a:g>"
    #expect(message([Self.point("1 2"), bad]).hasPrefix("line 3, column "))
    let table = try read([bad, Self.point("1 2"), bad]) { $0.skipsBadRows = true }
    #expect(table.rowCount == 1 && table.geometry?.x == [1] && table.geometry?.y == [2])
    #expect(
      table.warnings.contains {
        $0.hasPrefix("2 rows that cannot be read were left out; the first: line 2, column ")
      }, "\(table.warnings)")
  }

  @Test("Coordinates with stated separators and decimal signs are numbers")
  func separators() throws {
    let texts = [
      "<gml:coordinates decimal=\",\" cs=\";\" ts=\"|\">1,5;2,5</gml:coordinates>",
      "<gml:coordinates>1.5,2.5</gml:coordinates>",
      "<gml:coord><gml:X>1.5</gml:X><gml:Y>2.5</gml:Y></gml:coord>", "<gml:pos>15e-1\n 2.5</gml:pos>",
    ]
    let table = try read(texts.map { "<a:g><gml:Point srsName=\"EPSG:4326\">\($0)</gml:Point></a:g>" })
    #expect(table.geometry?.x == [1.5, 1.5, 1.5, 1.5] && table.geometry?.y == [2.5, 2.5, 2.5, 2.5])
    #expect(table.warnings == [])
  }

  @Test("The texts of a document in another encoding stay when a feature is left out")
  func encodings() throws {
    let features = [Self.point("x y"), "<a:name>Süd</a:name>" + Self.point("1 2")]
    let table = try read(features, encoding: .isoLatin1) { $0.skipsBadRows = true }
    #expect(table.rowCount == 1 && table.value(0, "name") == .text("Süd"))
  }

  @Test("Different spatial references are an error that names them; --source-reference states one for all")
  func severalReferences() throws {
    let features = [Self.point("11 48"), Self.point("500000 5400000", "EPSG:25832")]
    #expect(message(features).contains("\"EPSG:4326\", \"EPSG:25832\"; --source-reference states one"))
    let given = try read(features) { $0.sourceReference = SpatialReference(wkid: 25832) }
    #expect(given.schema.spatialReference?.wkid == 25832)
    #expect(
      given.warnings == ["spatial reference: read as 25832, as requested; the file states 4326"])
    // That of the collection holds for geometries without their own.
    let head =
      "<gml:boundedBy><gml:Envelope srsName=\"EPSG:25832\"><gml:lowerCorner>0 0</gml:lowerCorner>"
      + "<gml:upperCorner>1 1</gml:upperCorner></gml:Envelope></gml:boundedBy>"
    let unnamed = "<a:g><gml:Point><gml:pos>1 2</gml:pos></gml:Point></a:g>"
    #expect(message([unnamed, Self.point("1 2")], head: head).contains("\"EPSG:25832\", \"EPSG:4326\""))
    #expect(try read([unnamed], head: head).schema.spatialReference?.wkid == 25832)
  }

  @Test("One spatial reference under several names is read with the axes of each")
  func equalReferences() throws {
    let names = [
      "urn:ogc:def:crs:EPSG::4326", "http://www.opengis.net/def/crs/EPSG/0/4326",
      "urn:x-ogc:def:crs:EPSG:4326",
      "EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/gml/srs/epsg.xml#4326",
    ]
    let table = try read(
      names.enumerated().map { Self.point($0.offset < 3 ? "48 11" : "11 48", $0.element) })
    #expect(table.schema.spatialReference == .wgs84 && table.warnings == [])
    #expect(table.geometry?.x == names.map { _ in 11 } && table.geometry?.y == names.map { _ in 48 })
  }

  @Test(
    "An unknown spatial reference is an error that names it, and --source-reference overrides it",
    arguments: [
      "urn:ogc:def:crs:EPSG::99999", "EPSG:99999", "http://127.0.0.1:1/crs.xml", "file:///etc/passwd",
      "/dev/zero",
      "/vsicurl/http://127.0.0.1:1/a", "junk",
    ])
  func unknownReferences(_ name: String) throws {
    #expect(
      message([Self.point("1 2", name)])
        == "the spatial reference \"\(name)\" is not known; name a known one with --source-reference")
    let given = try read([Self.point("1 2", name)]) { $0.sourceReference = SpatialReference(wkid: 25832) }
    #expect(given.schema.spatialReference?.wkid == 25832 && given.geometry?.x == [1])
    #expect(
      given.warnings == ["spatial reference: read as 25832, as requested; the file states \"\(name)\""])
  }

  @Test("A feature with several geometries keeps the last, with a warning that counts such features")
  func severalGeometries() throws {
    let table = try read([
      Self.point("1 2") + Self.point("3 4").replacing("a:g>", with: "a:h>"), Self.point("5 6"),
    ])
    #expect(table.geometry?.x == [3, 5])
    #expect(table.warnings == ["1 feature has several geometries: only the last was read"])
  }

  @Test("Fields have the types of CSV: codes with leading zeros are texts")
  func types() throws {
    let table = try read([
      Self.point("1 2") + "<a:zip>01001</a:zip><a:n>7</a:n><a:r>1.5</a:r><a:d>2024-04-01</a:d>",
      Self.point("1 2") + "<a:zip>10001</a:zip><a:n>8</a:n>",
    ])
    #expect(table.value(0, "zip") == .text("01001") && table.value(1, "zip") == .text("10001"))
    #expect(table.value(0, "n") == .integer(7) && table.value(0, "r") == .real(1.5))
    #expect(
      table.schema.fields.first { $0.name == "d" }?.fieldType == .dateOnly && table.value(1, "d") == .null)
  }
}
