import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import Testing

@Suite struct EsriFeatureSetReaderTests {
  static func read(_ featureSet: String, _ definition: String = "{}") throws -> FeatureColumns {
    let root = JSONPath.root["layers"][0]
    return try EsriFeatureSet.read(
      JSONNode(JSONValue(parsing: featureSet), at: root["featureSet"]),
      layerDefinition: JSONNode(JSONValue(parsing: definition), at: root["layerDefinition"]))
  }

  static let values = GeoJSONReaderTests.values

  @Test("A feature set's fields, dates, nulls and empty points are read")
  func fieldsAndDates() throws {
    let table = try Self.read(
      """
      {"features":[
        {"attributes":{"OID":1,"NAME":"a","WHEN":1711234567890,"DAY":"2024-02-29","N":2.0,"R":3,"more":5},
         "geometry":{"x":10,"y":20,"spatialReference":{"wkid":102100}}},
        {"attributes":{"OID":2,"NAME":null,"WHEN":null,"R":"NaN","more":6.5},"geometry":{"x":"NaN","y":"NaN"}},
        {"attributes":{"OID":3,"WHEN":-1},"geometry":null}]}
      """,
      """
      {"geometryType":"esriGeometryPoint","fields":[{"name":"OID","type":"esriFieldTypeOID"},
       {"name":"NAME","alias":"Name","type":"esriFieldTypeString"},{"name":"WHEN","type":"esriFieldTypeDate"},
       {"name":"DAY","type":"esriFieldTypeDateOnly"},{"name":"N","type":"esriFieldTypeInteger"},
       {"name":"R","type":"esriFieldTypeDouble"},{"name":"B","type":"esriFieldTypeBlob"},
       {"name":"absent","type":"esriFieldTypeSmallInteger"}]}
      """)
    #expect(table.schema.fields.map(\.name) == ["OID", "NAME", "WHEN", "DAY", "N", "R", "absent", "more"])
    #expect(
      table.schema.fields.map(\.type) == [.oid, .text, .date, .dateOnly, .int32, .float64, .int16, .float64])
    #expect(table.schema.fields[1].alias == "Name")
    #expect(table.schema.fields[0].alias == "OID")
    #expect(try Self.values(table, "WHEN").first == .instant(Instant(microseconds: 1_711_234_567_890_000)))
    #expect(try Self.values(table, "WHEN").last == .instant(Instant(microseconds: -1000)))
    #expect(try Self.values(table, "DAY") == [.date(CalendarDate(days: 19782)), .null, .null])
    #expect(try Self.values(table, "N")[0] == .integer(2))
    #expect(try Self.values(table, "R") == [.real(3), .null, .null])
    #expect(try Self.values(table, "absent") == [.null, .null, .null])
    #expect(try Self.values(table, "more") == [.real(5), .real(6.5), .null])
    #expect(table.schema.spatialReference == .webMercator)
    #expect(table.geometry?.x[0] == 10)
    #expect(table.geometry?.isEmpty(row: 1) == true)
    #expect(table.geometry?.rowCount == 3)
    #expect(table.warnings.count == 2)
    #expect(table.warnings[0].hasPrefix("$.layers[0].layerDefinition.fields[6]"))
  }

  @Test("Features with their own symbols give a warning unless the symbols are fixed")
  func symbolsOfTheirOwnAreTold() throws {
    let features =
      #"{"features":[{"geometry":{"x":1,"y":2},"symbol":{"type":"esriSMS"}},{"symbol":null},{"geometry":null}]}"#
    let definition = #"{"extent":{"spatialReference":{"wkid":4326}},"drawingInfo":{"fixedSymbols":FIXED}}"#
    let told = try Self.read(features, definition.replacing("FIXED", with: "false"))
    #expect(
      told.warnings == ["features with symbols of their own: 1; they are drawn by the renderer"])
    #expect(try Self.read(features, definition.replacing("FIXED", with: "true")).warnings.isEmpty)
  }

  @Test("Lines, polygons and multipoints of a feature set are read with their spatial reference")
  func shapes() throws {
    let lines = try Self.read(
      #"{"spatialReference":{"wkid":4326},"features":[{"geometry":{"hasZ":true,"paths":[[[0,0,5],[1,1,5]],[[2,2,5],[3,3,5]]]}}]}"#
    )
    #expect(lines.geometry?.kind == .polyline)
    #expect(lines.geometry?.partEnds == [2, 4])
    #expect(lines.warnings == ["1 geometries: coordinates beyond the second were dropped"])
    let rings = try Self.read(
      #"{"features":[{"geometry":{"rings":[[[0,0],[0,9],[9,9]]]}},{"geometry":{"rings":[]}}]}"#,
      #"{"extent":{"spatialReference":{"wkid":102100,"latestWkid":3857}}}"#)
    #expect(rings.geometry?.kind == .polygon)
    #expect(rings.geometry?.vertexCount == 4)
    #expect(rings.schema.spatialReference == .webMercator)
    #expect(rings.geometry?.isEmpty(row: 1) == true)
    let points = try Self.read(#"{"features":[{"geometry":{"points":[[1,2],[3,4]]}},{"geometry":null}]}"#)
    #expect(points.geometry?.kind == .multipoint)
    #expect(points.geometry?.rowEnds == [1, 1])
    #expect(points.warnings == ["no spatial reference is given: coordinates were read as WGS 84"])
  }

  @Test("An empty feature set keeps its geometry type")
  func emptyFeatureSetKeepsItsType() throws {
    let table = try Self.read(
      #"{"features":[]}"#, #"{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":4326}}"#)
    #expect(table.schema.geometryKind == .polygon)
    #expect(table.rowCount == 0)
    #expect(try Self.read("{}").schema.geometryKind == nil)
  }

  @Test(
    "An invalid feature set is refused with the path of the fault",
    arguments: [
      (
        #"{"features":[{"attributes":{"A":"x"}}]}"#,
        "$.layers[0].featureSet.features[0].attributes.A: expected a number, found a string"
      ),
      (
        #"{"features":[{"attributes":{"A":1.5}}]}"#,
        "$.layers[0].featureSet.features[0].attributes.A: 1.5 is not a 64-bit whole number"
      ),
      (
        #"{"features":[{"attributes":{"S":1}}]}"#,
        "$.layers[0].featureSet.features[0].attributes.S: expected a string, found a number"
      ),
      (
        #"{"features":[{"attributes":{"D":1e300}}]}"#,
        "$.layers[0].featureSet.features[0].attributes.D: 1e300 milliseconds"
      ),
      (
        #"{"features":[{"attributes":{"D":true}}]}"#,
        "$.layers[0].featureSet.features[0].attributes.D: expected a number"
      ),
      (
        #"{"features":[{"attributes":[]}]}"#,
        "$.layers[0].featureSet.features[0].attributes: expected an object"
      ),
      (#"{"features":{}}"#, "$.layers[0].featureSet.features: expected an array"),
      (
        #"{"features":[{"geometry":{"x":1e999,"y":0}}]}"#,
        "$.layers[0].featureSet.features[0].geometry.x: 1e999"
      ),
      (
        #"{"features":[{"geometry":{"rings":[[[0,0],[1,1]]]}}]}"#,
        "$.layers[0].featureSet.features[0].geometry.rings[0]: a polygon of two vertices"
      ),
      (
        #"{"features":[{"geometry":{"paths":[[[0,0],[1,"a"]]]}}]}"#,
        "$.layers[0].featureSet.features[0].geometry.paths[0][1]: a vertex"
      ),
      (
        #"{"features":[{"geometry":{"curvePaths":[[{"c":[[1,2],[3,4]]}]]}}]}"#,
        "$.layers[0].featureSet.features[0].geometry.curvePaths[0][0]: a part must begin with a vertex"
      ),
      (
        #"{"features":[{"geometry":{"x":1,"y":2}},{"geometry":{"paths":[]}}]}"#,
        "$.layers[0].featureSet.features[1].geometry: a polyline where a point should be"
      ),
      (
        #"{"features":[{"geometry":{"x":1,"y":2,"spatialReference":{"wkid":4326}}},{"geometry":{"x":1,"y":2,"spatialReference":{"wkid":3857}}}]}"#,
        "$.layers[0].featureSet.features[1].geometry.spatialReference: 3857 among geometries in 4326"
      ),
      (#"{"geometryType":"esriGeometryMultiPatch"}"#, "$.layers[0].featureSet.geometryType: geometry type"),
      ("[]", "$.layers[0].featureSet: expected an object, found an array"),
    ])
  func refuses(featureSet: String, message: String) {
    let fields =
      #"{"fields":[{"name":"A","type":"esriFieldTypeInteger"},{"name":"S","type":"esriFieldTypeString"},{"name":"D","type":"esriFieldTypeDate"}]}"#
    let error = #expect(throws: JSONDecodingError.self) { try Self.read(featureSet, fields) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test("A feature set with more than 4096 fields is refused")
  func tooManyFields() throws {
    let attributes = (0..<5000).map { "{\"attributes\":{\"p\($0)\":1}}" }.joined(separator: ",")
    let sparse = #expect(throws: JSONDecodingError.self) { try Self.read("{\"features\":[\(attributes)]}") }
    #expect(
      sparse?.description
        == "$.layers[0].featureSet.features[4096].attributes: attribute name number 4097: a table has at most 4096 fields"
    )
    let fields = (0..<4097).map { "{\"name\":\"p\($0)\",\"type\":\"esriFieldTypeInteger\"}" }
    let declared = #expect(throws: JSONDecodingError.self) {
      try Self.read("{\"features\":[]}", "{\"fields\":[\(fields.joined(separator: ","))]}")
    }
    #expect(
      declared?.description == "$.layers[0].layerDefinition.fields: 4097 fields: a table has at most 4096")
  }

  @Test("Single Esri geometries are read, and null coordinates are no geometry")
  func geometriesAlone() throws {
    func geometry(_ text: String) throws -> (any Geometry)? {
      try EsriGeometryJSON.geometry(JSONNode(JSONValue(parsing: text)))
    }
    #expect(
      try geometry(#"{"x":1,"y":2,"spatialReference":{"wkid":4326}}"#)?.form
        == .point(Point(x: 1, y: 2, spatialReference: .wgs84)))
    #expect(try geometry(#"{"x":null,"y":null}"#) == nil)
    let extent = try geometry(#"{"xmin":1,"ymin":2,"xmax":3,"ymax":4,"spatialReference":{"wkid":102113}}"#)
    #expect(
      extent?.form == .envelope(Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4, spatialReference: .webMercator)))
    #expect(throws: JSONDecodingError.self) { try geometry("{}") }
    #expect(throws: JSONDecodingError.self) { try geometry("3") }
  }
}

/// Faults of features that give a warning or are refused, each with its path.
@Suite struct EsriFeatureSetFaultTests {
  private static func read(_ features: String, idField: String = "OBJECTID") throws -> [String] {
    let set = try JSONValue(
      parsing:
        "{\"spatialReference\":{\"wkid\":4326},\"geometryType\":\"esriGeometryPoint\",\"features\":\(features)}"
    )
    let definition = try JSONValue(
      parsing: """
        {"objectIdField":"\(idField)","fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]}
        """)
    return try EsriFeatureSet.read(JSONNode(set), layerDefinition: JSONNode(definition)).warnings
  }

  private static func feature(_ id: Int, _ geometry: String = #"{"x":1,"y":1}"#) -> String {
    "{\"attributes\":{\"OBJECTID\":\(id)},\"geometry\":\(geometry)}"
  }

  @Test("A feature that is not an object is refused", arguments: ["5", "null", "[]", "\"a\""])
  func noObject(_ feature: String) {
    let error = #expect(throws: JSONDecodingError.self) { try Self.read("[\(Self.feature(1)),\(feature)]") }
    #expect(error?.description.hasPrefix("$.features[1]: expected an object") == true)
  }

  @Test("An object id that occurs twice is reported once, with its path")
  func duplicates() throws {
    let features = [3, 1, 2, 1, 1].map { Self.feature($0) }.joined(separator: ",")
    #expect(
      try Self.read("[\(features)]") == [
        "$.features[3].attributes.OBJECTID: features[1] has the object id 1 too; ids must be unique"
      ])
    #expect(try Self.read("[\(Self.feature(2)),\(Self.feature(1))]").isEmpty)
  }

  @Test("An unknown object id field is reported with the nearest name")
  func idField() throws {
    #expect(
      try Self.read("[\(Self.feature(1))]", idField: "OBJECTDI") == [
        "$.objectIdField: there is no field \"OBJECTDI\"; did you mean \"OBJECTID\"?"
      ])
    #expect(try Self.read("[\(Self.feature(1))]", idField: "objectid").isEmpty)
  }

  @Test(
    "A geometry without coordinates is reported, and an empty point is not", arguments: ["{}", #"{"x":1}"#])
  func bare(_ geometry: String) throws {
    #expect(
      try Self.read("[\(Self.feature(1)),\(Self.feature(2, geometry))]") == [
        "$.features[1].geometry: has no coordinates; features without geometry: 1"
      ])
    #expect(
      try Self.read("[\(Self.feature(1, #"{"x":"NaN","y":"NaN"}"#)),\(Self.feature(2, "null"))]").isEmpty)
  }
}
