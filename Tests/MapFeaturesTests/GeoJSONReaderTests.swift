import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

@Suite struct GeoJSONReaderTests {
  /// A feature collection of geometries and properties, a line for each feature, the first on line 2.
  static func collection(_ features: [(geometry: String, properties: String)], extra: String = "") -> String {
    let lines = features.map {
      #"{"type":"Feature","geometry":\#($0.geometry),"properties":\#($0.properties)}"#
    }
    return "{\"type\":\"FeatureCollection\",\(extra)\"features\":[\n" + lines.joined(separator: ",\n")
      + "\n]}"
  }

  static func read(_ text: String) throws -> FeatureColumns { try GeoJSONReader.read(Array(text.utf8)) }

  static func values(_ table: FeatureColumns, _ field: String) throws -> [AttributeValue] {
    let column = table.columns[try #require(table.schema.index(ofField: field))]
    return (0..<table.rowCount).map { column.value(at: $0) }
  }

  /// Reads properties of features that are all at one point.
  static func properties(_ objects: String...) throws -> FeatureColumns {
    try read(collection(objects.map { (#"{"type":"Point","coordinates":[1,2]}"#, $0) }))
  }

  static func geometries(_ geometries: String...) throws -> FeatureColumns {
    try read(collection(geometries.map { ($0, "{}") }))
  }

  // MARK: Geometry

  @Test("Points are read, and null or empty geometries are empty rows")
  func points() throws {
    let table = try Self.geometries(
      "null", #"{"type":"Point","coordinates":[1.5,-2]}"#, #"{"coordinates":[3,4,5],"type":"Point"}"#,
      #"{"type":"Point","coordinates":[]}"#)
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .point)
    #expect(table.schema.geometryKind == .point)
    #expect(table.rowCount == 4)
    #expect(table.schema.spatialReference == .wgs84)
    #expect((0..<4).map { buffer.isEmpty(row: $0) } == [true, false, false, true])
    #expect(Array(buffer.x[1...2]) == [1.5, 3])
    #expect(Array(buffer.y[1...2]) == [-2, 4])
    #expect(table.warnings == ["line 4: coordinates beyond the second were dropped"])
  }

  @Test("Points mixed with multipoints are read as multipoints")
  func pointsBecomeMultipoints() throws {
    let table = try Self.geometries(
      "null", #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"MultiPoint","coordinates":[[3,4],[5,6]]}"#,
      #"{"type":"MultiPoint","coordinates":[]}"#, #"{"type":"Point","coordinates":[7,8]}"#)
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .multipoint)
    #expect(buffer.x == [1, 3, 5, 7])
    #expect(buffer.y == [2, 4, 6, 8])
    #expect(buffer.partEnds == [1, 3, 4])
    #expect(buffer.rowEnds == [0, 1, 2, 2, 3])
  }

  @Test("Lines and multi-part lines are read")
  func lines() throws {
    let table = try Self.geometries(
      #"{"type":"LineString","coordinates":[[0,0],[1,1],[2,0]]}"#,
      #"{"type":"MultiLineString","coordinates":[[[5,5],[6,6]],[],[[7,7],[8,8]]]}"#,
      #"{"type":"MultiLineString","coordinates":[]}"#)
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .polyline)
    #expect(buffer.partEnds == [3, 5, 7])
    #expect(buffer.rowEnds == [1, 3, 3])
  }

  @Test("Polygons and multi-part polygons are read, and open rings are closed")
  func polygons() throws {
    let table = try Self.geometries(
      #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2]]]}"#,
      #"{"coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6]]]],"type":"MultiPolygon"}"#)
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .polygon)
    #expect(buffer.partEnds == [4, 8, 12, 16])
    #expect(buffer.rowEnds == [2, 4])
    #expect(buffer.x[7] == 1)
    #expect(buffer.y[7] == 1)
    #expect(buffer.x[15] == 5)
    #expect(table.warnings == ["line 2 and 1 more: rings that do not end where they start were closed"])
  }

  @Test("A table with null geometries only has no geometry")
  func noGeometryAtAll() throws {
    let table = try Self.geometries("null", "null")
    #expect(table.geometry == nil)
    #expect(table.schema.geometryKind == nil)
    #expect(table.rowCount == 2)
    #expect(table.schema.spatialReference == nil)
    #expect(try Self.read(#"{"type":"FeatureCollection","features":[]}"#).rowCount == 0)
  }

  @Test(
    "The crs member sets the spatial reference",
    arguments: [
      ("urn:ogc:def:crs:OGC:1.3:CRS84", 4326), ("urn:ogc:def:crs:EPSG::4326", 4326), ("EPSG:3857", 3857),
      ("urn:ogc:def:crs:EPSG::3857", 3857), ("epsg:900913", 3857), ("urn:ogc:def:crs:EPSG:8.9:102100", 3857),
      ("http://www.opengis.net/def/crs/EPSG/0/3857", 3857),
      ("http://www.opengis.net/def/crs/OGC/1.3/CRS84", 4326),
    ])
  func references(name: String, wkid: Int) throws {
    let crs = #""crs":{"type":"name","properties":{"name":"\#(name)"}},"#
    let table = try Self.read(Self.collection([(#"{"type":"Point","coordinates":[1,2]}"#, "{}")], extra: crs))
    #expect(table.schema.spatialReference?.wkid == wkid)
  }

  @Test("Coordinates outside the range of degrees give a warning")
  func degreesOutOfRange() throws {
    let table = try Self.geometries(#"{"type":"Point","coordinates":[-13627665,4547675]}"#)
    #expect(table.warnings.count == 1)
    #expect(table.warnings.first?.contains("crs") == true)
    #expect(try Self.geometries(#"{"type":"Point","coordinates":[-540,90]}"#).warnings == [])
  }

  // MARK: Properties

  @Test("Numbers become integers or decimals, and rounded ones are reported")
  func numbers() throws {
    let table = try Self.properties(
      #"{"i":1,"r":1,"big":9007199254740993,"huge":18446744073709551616,"z":-0}"#,
      #"{"i":-9223372036854775808,"r":2.50,"big":0.5,"huge":1}"#)
    #expect(table.schema.fields.map(\.name) == ["i", "r", "big", "huge", "z"])
    #expect(table.schema.fields.map(\.type) == [.int64, .float64, .float64, .float64, .float64])
    #expect(try Self.values(table, "i") == [.integer(1), .integer(.min)])
    #expect(try Self.values(table, "r") == [.real(1), .real(2.5)])
    #expect(try Self.values(table, "huge") == [.real(0x1p64), .real(1)])
    #expect(try Self.values(table, "z")[1] == .null)
    #expect(table.warnings.map { String($0.prefix(11)) } == ["field big: ", "field huge:"])
  }

  @Test("A number that exceeds every double is read as null with a warning")
  func overflowIsNull() throws {
    let table = try Self.properties(#"{"a":1e999}"#, #"{"a":1}"#)
    #expect(try Self.values(table, "a") == [.null, .real(1)])
    #expect(table.warnings.count == 1)
  }

  @Test("A property of mixed types is read as text as written")
  func mixedTypesAreTextAsWritten() throws {
    let table = try Self.properties(
      #"{"a":1.50,"b":true,"c":"x","d":null,"e":1}"#, #"{"a":"two","b":2,"c":1e2,"d":null,"e":2.0}"#,
      #"{"a":3,"b":null,"c":false,"d":null,"e":"x"}"#)
    #expect(try Self.values(table, "a") == [.text("1.50"), .text("two"), .text("3")])
    #expect(try Self.values(table, "b") == [.text("true"), .text("2"), .null])
    #expect(try Self.values(table, "c") == [.text("x"), .text("1e2"), .text("false")])
    #expect(try Self.values(table, "d") == [.null, .null, .null])
    #expect(try Self.values(table, "e") == [.text("1"), .text("2.0"), .text("x")])
    #expect(table.schema.fields[3].type == .text)
    #expect(table.warnings.count == 4)
  }

  @Test("Dates and timestamps are detected when every value is one")
  func dates() throws {
    let table = try Self.properties(
      #"{"d":"2024-02-29","t":"2024-02-29T01:02:03Z","m":"2024-01-01","x":"2024-01-01","n":"2024-01-01"}"#,
      #"{"d":null,"t":"2024-02-29 00:00:00+01:00","m":"1970-01-01T00:00:01","x":"2023-02-29","n":5}"#)
    #expect(table.schema.fields.map(\.type) == [.dateOnly, .date, .date, .text, .text])
    #expect(try Self.values(table, "d")[0] == .date(CalendarDate(days: 19782)))
    #expect(try Self.values(table, "m")[1] == .instant(Instant(microseconds: 1_000_000)))
    #expect(try Self.values(table, "m")[0] == .instant(Instant(microseconds: 19723 * 86_400_000_000)))
    #expect(
      try Self.values(table, "t")[1]
        == .instant(Instant(microseconds: 19781 * 86_400_000_000 + 82_800_000_000)))
  }

  @Test("Fields have the order of first appearance, and escaped text is decoded")
  func namesAndText() throws {
    let table = try Self.properties(
      #"{"b":"x","a":"","\u00e9":"\ud83d\ude00\n"}"#, #"{"a":"y","é":"z","c":"late","a":"last"}"#, "null")
    #expect(table.schema.fields.map(\.name) == ["b", "a", "é", "c"])
    #expect(try Self.values(table, "a") == [.text(""), .text("last"), .null])
    #expect(try Self.values(table, "é") == [.text("😀\n"), .text("z"), .null])
    #expect(try Self.values(table, "c") == [.null, .text("late"), .null])
    #expect(table.warnings == [])
  }

  @Test("Repeated text values share one dictionary entry")
  func textIsByDictionary() throws {
    let table = try Self.properties(#"{"a":"x"}"#, #"{"a":"y"}"#, #"{"a":"\u0078"}"#)
    #expect(table.columns[0].storage == .text(codes: [0, 1, 0], dictionary: ["x", "y"]))
  }

  @Test("Arrays and objects are read as their JSON text with a warning")
  func nestedValuesAreTheirText() throws {
    let table = try Self.properties(#"{"a":{"k": [1, 2.0 , "b \" c"]}}"#, #"{"a":null}"#)
    #expect(try Self.values(table, "a") == [.text(#"{"k":[1,2.0,"b \" c"]}"#), .null])
    #expect(table.warnings == ["fields a: arrays and objects were read as their JSON text"])
  }

  @Test("Feature ids become a field unless the properties already have one")
  func identifiers() throws {
    func ids(_ first: String, _ second: String, properties: String = "{}") throws -> FeatureColumns {
      try Self.read(
        """
        {"type":"FeatureCollection","features":[
        {"type":"Feature",\(first)"geometry":null,"properties":\(properties)},
        {"type":"Feature",\(second)"geometry":null,"properties":{"n":1}}]}
        """)
    }
    let table = try ids(#""id":7,"#, "")
    #expect(table.schema.fields.map(\.name) == ["id", "n"])
    #expect(try Self.values(table, "id") == [.integer(7), .null])
    #expect(try Self.values(ids(#""id":7,"#, #""id":"b","#), "id") == [.text("7"), .text("b")])
    let own = try ids(#""id":7,"#, "", properties: #"{"id":"own"}"#)
    #expect(try Self.values(own, "id") == [.text("own"), .null])
    #expect(own.warnings == [Self.lostIDs])
    #expect(throws: FeatureReadError.self) { try ids(#""id":true,"#, "") }
  }

  static let lostIDs = "field id: its values are those of the property; the ids of the features are left out"

  @Test(
    "Different whole numbers are object ids beside a property id, and other ids are missed only if they differ"
  )
  func identifiersBesideProperty() throws {
    func table(_ rows: [(id: String, property: String)]) throws -> FeatureColumns {
      let features = rows.map {
        #"{"type":"Feature","id":\#($0.id),"geometry":null,"properties":{"id":\#($0.property)}}"#
      }
      return try Self.read(
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}")
    }
    let numbers = try table([("2", "9"), ("1", "8")])
    #expect(numbers.objectIDs == [2, 1] && numbers.warnings.isEmpty)
    #expect(ObjectIDs(numbers).rows(with: [2], rowCount: 2).map { $0 } == [0])
    #expect(try Self.values(numbers, "id") == [.integer(9), .integer(8)])
    #expect(numbers.schema.fields.map(\.type) != [.oid])
    let same = try table([(#""a""#, #""a""#), (#""b""#, #""b""#)])
    #expect(same.objectIDs == nil && same.warnings.isEmpty)
    let others = try table([(#""way/5""#, "50"), (#""way/7""#, "70")])
    #expect(others.objectIDs == nil && others.warnings == [Self.lostIDs])
    #expect(try table([("1", "5"), ("1", "6")]).warnings == [Self.lostIDs])
  }

  // MARK: Documents

  @Test("A property that few features have is null elsewhere, and its last value counts")
  func propertiesThatFewFeaturesHave() throws {
    let rows = (0..<200).map { row in
      (
        geometry: "null",
        properties: row % 70 == 5 ? "{\"i\":\(row),\"t\":\"x\",\"i\":1,\"b\":true,\"r\":0.5}" : "{}"
      )
    }
    let table = try Self.read(Self.collection(rows))
    for (name, value) in [
      ("i", AttributeValue.integer(1)), ("t", .text("x")), ("b", .boolean(true)), ("r", .real(0.5)),
    ] {
      let expected = (0..<200).map { $0 % 70 == 5 ? value : .null }
      #expect(try Self.values(table, name) == expected, "\(name)")
    }
  }

  /// The number of features with a property each is squared in memory, so the reader stops early.
  @Test("More than 4096 property names are refused at the feature that exceeds the limit")
  func tooManyFields() throws {
    func features(_ count: Int) -> [(geometry: String, properties: String)] {
      (0..<count).map { (geometry: "null", properties: "{\"p\($0)\":1}") }
    }
    let table = try Self.read(Self.collection(features(4096)))
    #expect(table.schema.fields.count == 4096)
    #expect(table.rowCount == 4096)
    let error = #expect(throws: FeatureReadError.self) { try Self.read(Self.collection(features(20_000))) }
    #expect(error?.line == 4098, "\(error?.description ?? "")")
    #expect(
      error?.description.hasSuffix("property name number 4097: a table has at most 4096 fields") == true)
  }

  @Test("Single features, geometries and newline-delimited features are read")
  func otherDocuments() throws {
    let feature = #"{"properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]},"type":"Feature"}"#
    #expect(try Self.read(feature).rowCount == 1)
    #expect(try Self.read("\u{FEFF} \(feature)\n").rowCount == 1)
    for text in [
      "\(feature)\n\(feature)", "\(feature)\r\n\n\(feature)\n", "\u{1E}\(feature)\n\u{1E}\(feature)\n",
    ] {
      let table = try Self.read(text)
      #expect(table.rowCount == 2)
      #expect(table.geometry?.x == [1, 1])
    }
    let line = try Self.read(#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)
    #expect(line.rowCount == 1)
    #expect(line.schema.fields.isEmpty)
    #expect(line.geometry?.kind == .polyline)
  }

  @Test(
    "GeoJSON is recognised from its first members",
    arguments: [
      (#"{"type":"FeatureCollection"}"#, true), (" \n{\"a\":[1,{}],\"type\":\"Feature\"", true),
      (#"{"type":"MultiPolygon"}"#, true), (#"{"operationalLayers":[],"version":"2"}"#, false),
      (#"{"type":"simple"}"#, false), ("[1]", false), ("a,b\n1,2", false), ("", false), ("{", false),
      ("\u{1E}{\"type\":\"Feature\"}", true),
    ])
  func looksLikeGeoJSON(text: String, answer: Bool) {
    #expect(GeoJSONReader.looksLikeGeoJSON(Array(text.utf8)) == answer)
  }
}
