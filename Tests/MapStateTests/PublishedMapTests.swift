import MapJSON
import MapModel
import MapState
import Testing

/// Members that published web maps have: symbols of single features, visibility fields, texts as numbers, old places
/// of members.
@Suite struct PublishedMapTests {
  private static let square = #"{"type":"esriSMS","style":"esriSMSSquare","color":[255,0,0,255],"size":9}"#
  private static let circle = #"{"type":"esriSMS","style":"esriSMSCircle","color":[0,0,255,255],"size":9}"#

  /// A layer of points at 0 to 40 on the x axis of Web Mercator, each with members and attributes.
  private static func layer(
    _ points: [(attributes: String, more: String)], _ definition: String = "", id: String = "a"
  ) -> String {
    let features = points.enumerated().map { index, point in
      #"{"attributes":{"OBJECTID":\#(index + 1)\#(point.attributes)},"geometry":{"x":\#(index * 20),"y":0}\#(point.more)}"#
    }
    return #"""
      {"id":"\#(id)","title":"\#(id)","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","objectIdField":"OBJECTID",
        "spatialReference":{"wkid":3857},
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"SHOWN","type":"esriFieldTypeInteger"},
         {"name":"T","type":"esriFieldTypeString"}]\#(definition)},
       "featureSet":{"features":[\#(features.joined(separator: ","))]}}]}}
      """#
  }

  private static func open(_ layers: String...) async throws -> MapDocument {
    try await MapDocument.open(
      json: JSONValue(parsing: #"{"operationalLayers":[\#(layers.joined(separator: ","))]}"#), name: "map",
      folder: ".")
  }

  private static func renderer(_ symbol: String) -> String {
    #","drawingInfo":{"renderer":{"type":"simple","label":"others","symbol":\#(symbol)}}"#
  }

  private static func report(_ document: MapDocument, resolution: Double = 1) async throws -> RenderReport {
    try await document.view(width: 100, height: 50, x: 20, resolution: resolution).render().report
  }

  // MARK: Symbols of features

  @Test(
    "Features have their own symbols, equal ones share a class, and others are drawn by a simple renderer")
  func ownSymbols() async throws {
    let document = try await Self.open(
      Self.layer(
        [("", #","symbol":\#(Self.square)"#), ("", ""), ("", #","symbol":\#(Self.square)"#)],
        Self.renderer(Self.circle)))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let layer = try #require(document.map.operationalLayers.first as? FeatureLayer)
    guard case .uniqueValue(let renderer) = layer.frozen.renderer else {
      Issue.record("the renderer has no classes")
      return
    }
    #expect(renderer.uniqueValues.map(\.values) == [["1", "3"]])
    let image = try await document.view(width: 100, height: 50, x: 20).render().bitmap
    // The points are at 30, 50 and 70 pixels from the left.
    #expect([30, 50, 70].map { image[$0, 25].red } == [255, 0, 255])
    #expect([30, 50, 70].map { image[$0, 25].blue } == [0, 255, 0])
    // The document keeps its own renderer.
    #expect(document.map.toJSON().contains("\"simple\""))
  }

  @Test("Symbols of features without unique ids are reported, and drawn by the renderer")
  func ownSymbolsWithoutIDs() async throws {
    let layer = Self.layer([("", #","symbol":\#(Self.square)"#), ("", "")], Self.renderer(Self.circle))
    let document = try await Self.open(layer.replacing(#""OBJECTID":2"#, with: #""OBJECTID":1"#))
    #expect(document.warnings.contains { "\($0)".contains("symbols of their own") }, "\(document.warnings)")
  }

  // MARK: Filters

  @Test("Features whose visibility field is 0 are not drawn, and count")
  func visibilityField() async throws {
    let document = try await Self.open(
      Self.layer(
        [(#","SHOWN":1"#, ""), (#","SHOWN":0"#, ""), (#","SHOWN":null"#, "")],
        Self.renderer(Self.circle) + #","visibilityField":"SHOWN""#))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let funnel = try #require(try await Self.report(document).layers[0].funnel)
    #expect((funnel.total, funnel.scale, funnel.display, funnel.drawn) == (3, 3, 2, 2))
    let missing = try await Self.open(
      Self.layer([("", "")], Self.renderer(Self.circle) + #","visibilityField":"SHWN""#))
    #expect(missing.warnings.contains { "\($0)".contains("did you mean \"SHOWN\"?") }, "\(missing.warnings)")
    #expect(try await Self.report(missing).layers[0].funnel?.drawn == 1)
  }

  @Test("A document's filter compares texts as numbers, with a remark; texts that are none do not match")
  func textsAsNumbers() async throws {
    let points = [(#","T":"5""#, ""), (#","T":"x""#, ""), (#","T":"10""#, "")]
    for (filter, count) in [
      ("T > 5", 1), ("T >= 5", 2), ("T <> 5", 1), ("T IN (5, 10)", 2), ("T BETWEEN -1 AND 7", 1),
      ("T = '5'", 1),
      ("NOT (T > 5)", 1), ("T > 5 OR SHOWN IS NULL", 3),
    ] {
      let document = try await Self.open(
        Self.layer(points, Self.renderer(Self.circle) + #","definitionExpression":"\#(filter)""#))
      let funnel = try #require(try await Self.report(document).layers[0].funnel)
      #expect(funnel.definition == count, "\(filter)")
      let isCast = !filter.contains("'")
      #expect(document.warnings.count == (isCast ? 1 : 0), "\(document.warnings)")
      #expect(document.warnings.allSatisfy { $0.outcome == .drawn })
      for mode in [#""manual","activeFilterId":"f""#, #""scale""#] {
        let display =
          #","displayFilterInfo":{"filterMode":\#(mode),"filters":[{"id":"f","where":"\#(filter)"}]}"#
        let limited = try await Self.open(Self.layer(points, Self.renderer(Self.circle) + display))
        #expect(limited.warnings.map(\.message) == document.warnings.map(\.message), "\(limited.warnings)")
        #expect(try await Self.report(limited).layers[0].funnel?.display == count, "\(mode): \(filter)")
        #expect(limited.map.toJSON().contains(filter))
      }
    }
  }

  // MARK: Layers that draw nothing

  @Test(
    "A layer that draws nothing by its document's filter or scales is noted, one by a caller's filter reported"
  )
  func emptyLayers() async throws {
    let full = Self.layer([("", "")], Self.renderer(Self.circle), id: "full")
    for (definition, reason) in [
      (#","definitionExpression":"SHOWN = 9""#, "the definition expression leaves none of its one feature"),
      (#","minScale":100"#, "is outside its range (minScale 100)"),
    ] {
      let empty = Self.layer([(#","SHOWN":1"#, "")], Self.renderer(Self.circle) + definition, id: "empty")
      let both = try await Self.report(Self.open(full, empty))
      #expect(both.allWarnings.isEmpty, "\(both.allWarnings)")
      #expect(both.allNotes.count == 1 && both.allNotes[0].hasSuffix(reason), "\(both.allNotes)")
      let alone = try await Self.report(Self.open(empty))
      #expect(alone.allWarnings.isEmpty, "\(alone.allWarnings)")
      #expect(alone.allNotes == both.allNotes)
    }
    let asked = try await Self.open(Self.layer([(#","SHOWN":1"#, "")], Self.renderer(Self.circle)))
    let layer = try #require(asked.map.operationalLayers.first as? FeatureLayer)
    layer.definitionExpression = "SHOWN = 9"
    let report = try await Self.report(asked)
    #expect(report.allWarnings.count == 1 && report.allNotes.isEmpty, "\(report.allWarnings)")
    // Beside a layer with features, it is a warning, too.
    let beside = try await Self.open(full, Self.layer([(#","SHOWN":1"#, "")], Self.renderer(Self.circle)))
    (beside.map.operationalLayers[1] as? FeatureLayer)?.definitionExpression = "SHOWN = 9"
    #expect(try await Self.report(beside).allWarnings == report.allWarnings)
    // Without features in the table or a symbol, it is a warning beside other layers, too.
    let bare = Self.layer([], Self.renderer(Self.circle), id: "bare")
    #expect(try await Self.report(Self.open(full, bare)).allWarnings.count == 1)
  }

  @Test("A map without a viewpoint starts at the nearest smaller scale at which a layer is drawn")
  func startScale() async throws {
    func scale(_ definitions: String...) async throws -> Double {
      let layers = definitions.map { Self.layer([("", ""), ("", "")], $0) }
      let json = #"{"operationalLayers":[\#(layers.joined(separator: ","))]}"#
      let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
      return try MapView(map: document.map, width: 100, height: 50).freeze().viewpoint.scale
    }
    let whole = try await scale("")
    #expect(whole < 100_000)
    #expect(try await scale(#","maxScale":500000,"minScale":900000"#, #","maxScale":700000"#) == 500_000)
    #expect(try await scale(#","maxScale":500000"#, "") == whole)
    // A larger scale could show nothing.
    #expect(try await scale(#","minScale":10"#) == whole)
  }

  // MARK: Other members

  @Test("An empty list of groups leaves the list of values")
  func emptyGroups() async throws {
    let document = try await Self.open(
      Self.layer(
        [(#","T":"a""#, "")],
        #","drawingInfo":{"renderer":{"type":"uniqueValue","field1":"T","uniqueValueGroups":[],"#
          + #""uniqueValueInfos":[{"value":"a","symbol":\#(Self.square)}]}}"#))
    #expect(try await Self.report(document).layers[0].funnel?.drawn == 1)
  }

  @Test("Labels have the style of a CIM text symbol")
  func labelSymbol() async throws {
    let symbol = #"""
      {"type":"CIMSymbolReference","symbol":{"type":"CIMTextSymbol","height":9,"fontStyleName":"Bold",
       "symbol":{"type":"CIMPolygonSymbol","symbolLayers":[
        {"type":"CIMSolidFill","color":{"type":"CIMRGBColor","values":[0,77,168,100]}}]}}}
      """#
    let document = try await Self.open(
      Self.layer(
        [("", "")],
        #","drawingInfo":{"showLabels":true,"labelingInfo":[{"labelExpression":"[T]","symbol":\#(symbol)}]}"#
      ).replacing(#""featureCollection":{"#, with: #""featureCollection":{"showLabels":true,"#))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let layer = try #require(document.map.operationalLayers.first as? FeatureLayer)
    let text = try #require(layer.labelDefinitions.first?.textSymbol)
    #expect(text.color == Color(red: 0, green: 77, blue: 168))
    #expect((text.size, text.fontWeight) == (12, .bold))
  }

  @Test("Clusters read their label classes beside their type, as documents of 2020 have them")
  func clusterLabels() async throws {
    let document = try await Self.open(
      Self.layer(
        [("", "")],
        Self.renderer(Self.circle)
          + #","featureReduction":{"type":"cluster","clusterRadius":60,"showLabels":true,"#
          + #""labelingInfo":[{"labelExpression":"[cluster_count]"}]}"#))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let layer = try #require(document.map.operationalLayers.first as? FeatureLayer)
    #expect(layer.frozen.definition.aggregation?.labelDefinitions.count == 1)
  }

  @Test("The spatial references of most documents are known by their texts")
  func referenceText() async throws {
    for (text, wkid) in [
      (#"PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\",GEOGCS[\"GCS_WGS_1984\"]]"#, 3857),
      (#"GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\"]]"#, 4326),
    ] {
      let json = #"{"operationalLayers":[],"spatialReference":{"wkt":"\#(text)"}}"#
      let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
      #expect(document.map.spatialReference.wkid == wkid)
    }
    await #expect(throws: MapStateError.self) {
      let json = #"{"operationalLayers":[],"spatialReference":{"wkt":"PROJCS[\"NAD_1983_UTM_Zone_10N\"]"}}"#
      _ = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    }
  }
}
