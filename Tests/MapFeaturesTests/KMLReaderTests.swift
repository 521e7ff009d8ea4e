import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

@Suite struct KMLReaderTests {
  private static let inputs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzzing/Inputs/kml").standardizedFileURL

  private func file(_ name: String) throws -> [KMLReader.Layer] {
    try KMLReader.read(Array(try Data(contentsOf: Self.inputs.appending(path: name))), name: "file")
  }

  private func read(
    _ text: String, options: ReadingOptions = ReadingOptions(), fields: FieldSelection = .all
  ) throws -> [KMLReader.Layer] {
    try KMLReader.read(Array(text.utf8), name: "file", fields: fields, options: options)
  }

  /// Reads placemarks in one document.
  private func table(
    _ placemarks: String, options: ReadingOptions = ReadingOptions()
  ) throws -> FeatureColumns {
    let layers = try read("<kml><Document>\(placemarks)</Document></kml>", options: options)
    #expect(layers.count == 1)
    return layers[0].table
  }

  private func values(_ table: FeatureColumns, _ field: String) throws -> [AttributeValue] {
    let index = try #require(table.schema.fields.firstIndex { $0.name == field }, "no field \(field)")
    return (0..<table.rowCount).map { table.columns[index].value(at: $0) }
  }

  @Test("Each folder with placemarks is a layer with its fields and their declared types")
  func folders() throws {
    let layers = try file("places.kml")
    #expect(layers.map(\.name) == ["Points", "Shapes"])
    let points = layers[0].table
    #expect(
      points.schema.fields.map(\.name) == [
        "id", "Name", "description", "timestamp", "pop", "open", "area", "täg", "begin", "end",
      ])
    #expect(points.schema.fields.first { $0.name == "pop" }?.alias == "People")
    #expect(try values(points, "Name") == [.text("A"), .text("B")])
    #expect(try values(points, "description") == [.text("<b>bold</b> & more"), .null])
    #expect(try values(points, "pop") == [.integer(12), .null])
    #expect(try values(points, "open") == [.boolean(true), .null])
    #expect(try values(points, "area") == [.real(1500), .null])
    #expect(try values(points, "täg") == [.text("Äää"), .null])
    #expect(try values(points, "timestamp")[0] == .date(try #require(CalendarDate(iso8601: "1999-07-01"))))
    #expect(points.geometry?.kind == .point && points.geometry?.x.first == 1)
    #expect(
      points.warnings == [
        "elements that are not read: 1 <NetworkLink> (line 19)",
        "field timestamp: 1 year or month was read as its first day",
      ])
    let shapes = layers[1].table
    #expect(shapes.rowCount == 5)
    #expect(try values(shapes, "Name") == [.text("n"), .null, .null, .null, .null])
    #expect(
      [shapes.geometry].compactMap { $0?.kind } + shapes.otherGeometries.map(\.kind) == [
        .polygon, .polyline, .multipoint,
      ])
    #expect(shapes.geometry?.parts(ofRow: 1).count == 2)
    #expect(shapes.otherGeometries[1].vertexCount == 3)
    #expect(
      shapes.warnings == [
        "1 placemark has several kinds of geometry: a row of each kind was read",
        "1 geometry: coordinates beyond the second (Z, M) were dropped",
      ])
  }

  @Test("Placemarks that the file hides are read, with a warning that counts them in each folder")
  func hiddenPlacemarks() throws {
    let hidden =
      "<Placemark><visibility>0</visibility><Point><coordinates>1,2</coordinates></Point></Placemark>"
    let shown = hidden.replacing(">0<", with: "> 1 <")
    let layers = try read(
      """
      <kml><Document>\(hidden)\(shown)<Folder><name>a</name>\(shown)</Folder><Folder><name>b</name>
      <visibility>0</visibility>\(shown)<Folder><name>c</name>\(hidden)\(shown)</Folder></Folder></Document></kml>
      """)
    let one = "1 placemark that the file hides was read"
    let two = "2 placemarks that the file hides were read"
    #expect(layers.map(\.name) == ["file", "a", "b", "c"])
    #expect(layers.map(\.table.warnings) == [[one], [], [one], [two]])
    #expect(layers.map(\.table.rowCount) == [2, 1, 1, 2])
  }

  @Test("An inner boundary without an outer one is no area, and no hole of another polygon")
  func looseHoles() throws {
    func polygon(_ boundaries: [(name: String, ring: String)]) -> String {
      let rings = boundaries.map {
        "<\($0.name)><LinearRing><coordinates>\($0.ring)</coordinates></LinearRing></\($0.name)>"
      }
      return "<Polygon>\(rings.joined())</Polygon>"
    }
    let (big, small) = ("0,0 9,0 9,9 0,9 0,0", "1,1 1,2 2,2 2,1 1,1")
    let alone = polygon([("innerBoundaryIs", small)])
    let table = try table(
      """
      <Placemark>\(alone)</Placemark><Placemark><MultiGeometry>\(polygon([("outerBoundaryIs", big)]))\(alone)
      </MultiGeometry></Placemark>
      <Placemark>\(polygon([("outerBoundaryIs", ""), ("innerBoundaryIs", small), ("innerBoundaryIs", small)]))</Placemark>
      <Placemark>\(polygon([("outerBoundaryIs", big), ("innerBoundaryIs", small)]))</Placemark>
      """)
    let buffer = try #require(table.geometry)
    #expect((0..<4).map { buffer.parts(ofRow: $0).count } == [0, 1, 0, 2])
    #expect(table.warnings == ["4 inner boundaries of a polygon without an outer one were left out"])
  }

  @Test("Tracks are lines, also with other numbers of times and positions")
  func tracks() throws {
    let table = try file("track.kml")[0].table
    #expect(table.rowCount == 2 && table.geometry?.kind == .polyline)
    #expect(table.geometry?.parts(ofRow: 1).count == 2)
    #expect(table.geometry?.x == [-122.2, -122.3, 1, 3, 5, 7])
    #expect(
      table.warnings.contains(
        "3 tracks were read as lines: the times, angles and data of 6 positions were dropped"))
  }

  @Test("Prefixes and namespaces decide which elements are KML, and encodings are those declared")
  func prefixes() throws {
    let table = try file("prefixed.kml")[0].table
    #expect(try values(table, "Name") == [.text("yes")])
    #expect(table.geometry?.x == [8.5] && table.geometry?.y == [47.25])
    #expect(table.warnings == ["elements that are not read: 1 <ExtendedData/number> (line 2)"])
    #expect(try values(try file("latin1.kml")[0].table, "Name") == [.text("Zürich")])
    var options = ReadingOptions()
    options.encoding = TextEncoding("latin1")
    let bytes = Array("<kml><Placemark><name>Z".utf8) + [0xFC] + Array("rich</name></Placemark></kml>".utf8)
    let given = try KMLReader.read(bytes, name: "f", options: options)[0].table
    #expect(try values(given, "Name") == [.text("Zürich")])
    let error = #expect(throws: FeatureReadError.self) { try KMLReader.read(bytes, name: "f") }
    #expect(error?.description == "line 1, column 1: bytes that are not UTF-8")
  }

  @Test(
    "Fields keep their names, also those that differ only in case, and those of the placemarks' own elements")
  func names() throws {
    let table = try table(
      """
      <Placemark><name>own</name><ExtendedData><Data name="Name"><value>datum</value></Data>
      <Data name="POP"><value>1</value></Data><Data name="pop"><value>2</value></Data>
      <Data name="größe (m)"><value>3</value></Data></ExtendedData></Placemark>
      """)
    #expect(table.schema.fields.map(\.name) == ["kml_name", "Name", "POP", "pop", "größe (m)"])
    #expect(try values(table, "kml_name") == [.text("own")])
    #expect(try values(table, "Name") == [.text("datum")])
    #expect(try values(table, "pop") == [.text("2")])
    #expect(
      table.warnings == [
        "field Name: the placemarks' own element is field kml_name, since their data have a field Name"
      ])
  }

  @Test(
    "A value that does not have the declared type makes the field text, with the number of such values",
    arguments: [
      ("int", ["1", "x", "2"], "read as text, because of 1 value that is not a whole number"),
      ("bool", ["true", "yes", "no"], "read as text, because of 2 values that are not booleans"),
      ("double", ["1", "1,5", "2"], "read as text, because of 1 value that is not a number"),
    ])
  func unfit(type: String, texts: [String], warning: String) throws {
    let places = texts.map {
      "<Placemark><ExtendedData><SchemaData schemaUrl='#a'><SimpleData name='v'>\($0)</SimpleData></SchemaData></ExtendedData></Placemark>"
    }
    let table = try table("<Schema id='a'><SimpleField name='v' type='\(type)'/></Schema>\(places.joined())")
    #expect(try values(table, "v") == texts.map { .text($0) })
    #expect(table.warnings == ["field v: \(warning)"])
  }

  @Test(
    "Types of schemas: empty numbers are null, large ones widen the field, and INF is null with a warning")
  func types() throws {
    let fields = [("i", "int"), ("s", "ushort"), ("d", "float"), ("n", "double"), ("u", "unused")]
      .map { "<SimpleField name='\($0)' type='\($1)'/>" }.joined()
    let rows = [("", "1", "0.1", "INF"), ("4294967296", " 65535 ", "", "2")].map {
      "<Placemark><ExtendedData><SchemaData schemaUrl='other.kml#a'>"
        + "<SimpleData name='i'>\($0)</SimpleData><SimpleData name='s'>\($1)</SimpleData>"
        + "<SimpleData name='d'>\($2)</SimpleData><SimpleData name='n'>\($3)</SimpleData>"
        + "</SchemaData></ExtendedData></Placemark>"
    }
    let table = try table("<Schema id='a'>\(fields)</Schema>\(rows.joined())")
    #expect(table.schema.fields.map(\.fieldType) == [.int64, .int32, .float64, .float64, .text])
    #expect(try values(table, "i") == [.null, .integer(4_294_967_296)])
    #expect(try values(table, "s") == [.integer(1), .integer(65_535)])
    #expect(try values(table, "d") == [.real(0.1), .null])
    #expect(try values(table, "n") == [.null, .real(2)])
    #expect(try values(table, "u") == [.null, .null])
    #expect(table.warnings == ["field n: 1 values that are not finite numbers were read as null"])
  }

  @Test(
    "Layers of one name have the names of the folders around them, and one without a name that of the file")
  func layerNames() throws {
    let place = "<Placemark><name>p</name></Placemark>"
    let layers = try read(
      """
      <kml><Document><name>D</name>\(place)<Folder><name>A</name><Folder><name>X</name>\(place)</Folder></Folder>
      <Folder><name>B</name><Folder>\(place)\(place)<name> X </name></Folder><Folder>\(place)</Folder></Folder>
      </Document></kml>
      """)
    #expect(layers.map(\.name) == ["D", "D/A/X", "D/B/X", "file"])
    #expect(layers.map(\.table.rowCount) == [1, 1, 2, 1])
    #expect(try read("<kml><Document/></kml>").map(\.table.rowCount) == [0])
  }

  @Test("A placemark with bad coordinates is an error with its line, or left out and counted")
  func badRows() throws {
    let text = """
      <Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark>
      <Placemark><name>b</name><Point><coordinates>1,x</coordinates></Point></Placemark>
      <Placemark><name>c</name><Point><coordinates>3</coordinates></Point></Placemark>
      """
    let error = #expect(throws: FeatureReadError.self) { try table(text) }
    #expect(error?.description.hasPrefix("line 2, ") == true, "\(String(describing: error))")
    #expect(error?.description.hasSuffix("coordinates: a number, not \"x\"") == true)
    var options = ReadingOptions()
    options.skipsBadRows = true
    let rest = try table(text, options: options)
    #expect(try values(rest, "Name") == [.text("a")])
    #expect(
      rest.warnings.count == 1 && rest.warnings[0].hasPrefix("2 rows that cannot be read were left out"))
  }

  @Test("Rings are closed, and parts without an extent are left out with their holes")
  func parts() throws {
    func ring(_ text: String) -> String { "<LinearRing><coordinates>\(text)</coordinates></LinearRing>" }
    let table = try table(
      """
      <Placemark><Polygon><outerBoundaryIs>\(ring("0,0 1,0 1,1"))</outerBoundaryIs></Polygon></Placemark>
      <Placemark><Polygon><outerBoundaryIs>\(ring("0,0 1,1"))</outerBoundaryIs>
      <innerBoundaryIs>\(ring("0,0 1,0 1,1 0,0"))</innerBoundaryIs></Polygon></Placemark>
      """)
    #expect(table.rowCount == 2 && table.geometry?.isEmpty(row: 1) == true)
    #expect(table.geometry?.vertexCount == 4)
    #expect(
      table.warnings.contains("geometry: 2 lines of a single point or rings without area were left out"))
    #expect(table.warnings.contains("geometry: 1 rings that do not end where they start were closed"))
  }

  @Test(
    "Documents that are not well-formed, grow, or are too deep are errors",
    arguments: [
      ("", "no element"), ("<kml>", "the file ends within the element <kml>"),
      ("<kml><a></b></kml>", "the end tag </b>, not </a>"), ("<html/>", "not <html>"),
      ("<kml/><kml/>", "a second root element"), ("<kml>&nbsp;</kml>", nil),
      ("<kml><name>&nbsp;</name></kml>", "an unknown reference"),
      ("<kml a='1' a='2'/>", "two attributes named a"),
      ("<kml a=1/>", "quotation marks"), ("<kml a='<'/>", "has no end"),
      ("<kml><!-- </kml>", "within a comment"),
      ("<kml><name>\u{1}</name></kml>", "control character"), ("<kml>]]></kml>x", "outside the root"),
      ("<!DOCTYPE kml [<!ENTITY a 'b'>]><kml/>", "declares entities"),
      (String(repeating: "<Folder>", count: 300), "deeper than 256"),
      (
        "<kml><Placemark><Point><coordinates>1,2,3,4</coordinates></Point></Placemark></kml>", "at most three"
      ),
      (
        "<kml><Placemark><ExtendedData><Data><value/></Data></ExtendedData></Placemark></kml>",
        "without a name"
      ),
      (
        "<kml><Placemark><Point><coordinates>1e999,2</coordinates></Point></Placemark></kml>", "a number, not"
      ),
    ])
  func faults(text: String, message: String?) throws {
    guard let message else {
      #expect(try read(text)[0].table.rowCount == 0)
      return
    }
    let error = #expect(throws: FeatureReadError.self) { try read(text) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("Every cut of a document is an error, and every changed byte is read or an error")
  func damage() throws {
    let whole = Array(try Data(contentsOf: Self.inputs.appending(path: "places.kml")))
    let end = whole.lastIndex(of: UInt8(ascii: ">")) ?? 0
    var generator = SeededGenerator(seed: 23)
    for count in stride(from: 0, through: end, by: 7) {
      #expect(throws: FeatureReadError.self) { try KMLReader.read(Array(whole.prefix(count)), name: "f") }
      var changed = whole
      changed[count] = UInt8.random(in: 0...255, using: &generator)
      _ = try? KMLReader.read(changed, name: "f")
    }
  }

  @Test("A selection of fields changes neither rows nor geometries, and omits warnings about other fields")
  func selection() throws {
    let bytes = Array(try Data(contentsOf: Self.inputs.appending(path: "places.kml")))
    let table = try KMLReader.read(bytes, name: "f", fields: FieldSelection(["POP"]))[0].table
    #expect(table.schema.fields.map(\.name) == ["pop"] && table.rowCount == 2)
    #expect(!table.warnings.contains { $0.contains("timestamp") })
  }
}
