import Foundation
import MapJSON
import MapState
import Testing

/// The contents of popups, and how documents store them.
@Suite struct PopupTests {
  private static func feature(_ attributes: [String: any Sendable]) async throws -> Feature {
    let kinds = FieldDomain.codedValues(
      name: "kinds", [FieldDomain.CodedValue(name: "Oak", code: .integer(7))])
    let table = FeatureCollectionTable(
      fields: [
        Field(name: "Name", type: .text), Field(name: "KIND", type: .int16, domain: kinds),
        Field(name: "HEIGHT", type: .float64), Field(name: "PLANTED", type: .dateOnly),
        Field(name: "SEEN", type: .date),
      ], geometryType: nil)
    return table.makeFeature(attributes: attributes)
  }

  @Test("Field names in braces are replaced by values, and unknown ones stay")
  func titles() async throws {
    let feature = try await Self.feature([
      "Name": "O'{KIND}", "KIND": Int16(7), "HEIGHT": 12.0, "PLANTED": Date(timeIntervalSince1970: 86_400),
      "SEEN": Date(timeIntervalSince1970: 0.5),
    ])
    var asked = 0
    func title(_ text: String, _ element: any GeoElement) -> String {
      asked += 1
      var definition = PopupDefinition()
      definition.title = text
      return Popup(geoElement: element, definition: definition).title
    }
    #expect(title("{Name}, {KIND} of {HEIGHT} m", feature) == "O'{KIND}, Oak of 12 m")
    #expect(title("{NAME}{name}", feature) == "O'{KIND}O'{KIND}")
    #expect(title("{PLANTED} {SEEN}", feature) == "1970-01-02 1970-01-01 00:00:00.5")
    #expect(title("{expression/expr0} {NAMES} {}", feature) == "{expression/expr0} {NAMES} {}")
    #expect(title("{{HEIGHT}} } {HEIGHT", feature) == "{12} } {HEIGHT")
    #expect(title("", feature).isEmpty)
    // A title changes with its feature, and null becomes empty text.
    feature.setAttributeValue(Int16(8), forKey: "KIND")
    feature.setAttributeValue(nil, forKey: "HEIGHT")
    #expect(title("{KIND}-{HEIGHT}-", feature) == "8--")
    // A graphic has no fields: a missing attribute counts as unknown.
    let graphic = Graphic(attributes: ["a": 1, "B": true])
    #expect(title("{A} {b} {c}", graphic) == "1 true {c}")
    #expect(asked == 8)
    // Very many braces take no noticeable time.
    #expect(title(String(repeating: "{", count: 200_000) + "}", feature).utf8.count == 200_001)
  }

  @Test("A popup definition keeps unknown members, and only edited ones change")
  func definition() async throws {
    let info: JSONValue = [
      "title": "{N}", "description": .null, "showAttachments": true,
      "fieldInfos": [
        ["fieldName": "N", "label": "Number", "visible": true, "format": ["places": 2]],
        ["fieldName": "hidden", "visible": false], ["fieldName": "plain"], 3,
      ], "odd": ["x": 1.50],
    ]
    let map = try await Self.map(table: ["popupInfo": info], layer: [:])
    let layer = map.featureLayers[0]
    var definition = try #require(layer.popupDefinition)
    #expect(definition.title == "{N}")
    #expect(definition.description.isEmpty)
    #expect(definition.fields.map(\.fieldName) == ["N", "hidden", "plain"])
    #expect(definition.fields.map(\.label) == ["Number", "hidden", "plain"])
    #expect(definition.fields.map(\.isVisible) == [true, false, false])
    definition.title = "new"
    definition.fields[1].isVisible = true
    layer.popupDefinition = definition
    let after = try #require(try Self.written(map)["featureCollection"]?["layers"]?[0]?["popupInfo"])
    #expect(after["title"] == "new")
    #expect(after["odd"] == info["odd"])
    #expect(after["showAttachments"] == true)
    #expect(after["fieldInfos"]?[0] == info["fieldInfos"]?[0])
    #expect(after["fieldInfos"]?[1] == ["fieldName": "hidden", "visible": true])
    var mine = PopupDefinition()
    (mine.description, mine.fields) = ("<b>{N}</b>", [PopupField(fieldName: "N")])
    #expect(mine.fields[0].label == "N")
    #expect(mine.fields[0].isVisible)
    #expect(mine.title.isEmpty)
  }

  /// A map of one layer over one table inside the document, with these members.
  private static func map(table: JSONObject, layer: JSONObject) async throws -> Map {
    var inside: JSONObject = [
      "layerDefinition": [
        "geometryType": "esriGeometryPoint", "fields": [["name": "N", "type": "esriFieldTypeInteger"]],
      ], "featureSet": ["features": [["attributes": ["N": 1], "geometry": ["x": 1, "y": 2]]]],
    ]
    for member in table.members { inside[member.name] = member.value }
    var outside: JSONObject = ["id": "a", "featureCollection": ["layers": [.object(inside)]]]
    for member in layer.members { outside[member.name] = member.value }
    let document: JSONValue = ["operationalLayers": [.object(outside)], "version": "2.31"]
    return try await read(document)
  }

  private static func read(_ document: JSONValue) async throws -> Map {
    let map = try Map.fromJSON(document.text())
    try await map.load()
    return map
  }

  private static func written(_ map: Map) throws -> JSONValue {
    try #require(try JSONValue(parsing: map.toJSON())["operationalLayers"]?[0])
  }

  @Test("Popups of a document are written unchanged unless they are edited")
  func documents() async throws {
    let (one, other): (JSONValue, JSONValue) = (["title": "one"], ["title": "other"])
    let cases: [(table: JSONObject, layer: JSONObject, title: String?, isEnabled: Bool)] = [
      ([:], [:], nil, true), (["popupInfo": one], [:], "one", true), ([:], ["popupInfo": one], "one", true),
      (["popupInfo": one], ["popupInfo": other], "one", true),
      (["popupInfo": one, "disablePopup": true], [:], "one", false),
      (["popupInfo": .null], ["disablePopup": true], nil, false),
      (["popupInfo": "odd", "disablePopup": "odd"], ["disablePopup": false], nil, true),
    ]
    for (table, layer, title, isEnabled) in cases {
      let map = try await Self.map(table: table, layer: layer)
      let before = try Self.written(map)
      let own = map.featureLayers[0]
      #expect(own.popupDefinition?.title == title)
      #expect(own.isPopupEnabled == isEnabled)
      for member in table.members {
        let inside = before["featureCollection"]?["layers"]?[0]?.object?[member.name]
        #expect(inside == member.value)
      }
      for member in layer.members { #expect(before.object?[member.name] == member.value) }
      #expect(own.clone().popupDefinition == own.popupDefinition)
      #expect(own.clone().isPopupEnabled == isEnabled)

      let was = own.popupDefinition
      var definition = was ?? PopupDefinition()
      definition.title = "changed"
      (own.popupDefinition, own.isPopupEnabled) = (definition, !isEnabled)
      let again = try await Self.read(["operationalLayers": [Self.written(map)]]).featureLayers[0]
      #expect(again.popupDefinition?.title == "changed")
      #expect(again.isPopupEnabled == !isEnabled)
      own.popupDefinition = nil
      let without = try await Self.read(["operationalLayers": [Self.written(map)]]).featureLayers[0]
      #expect(without.popupDefinition == nil)
      (own.popupDefinition, own.isPopupEnabled) = (was, isEnabled)
      #expect(try Self.written(map) == before)
    }
    // A layer created in code.
    let made = FeatureLayer(source: TableFixtures.cities, title: "made")
    made.popupDefinition = PopupDefinition()
    made.popupDefinition?.title = "mine"
    made.isPopupEnabled = false
    let map = Map()
    map.addOperationalLayer(made)
    let read = try await Self.read(["operationalLayers": [Self.written(map)]]).featureLayers[0]
    #expect(read.popupDefinition?.title == "mine")
    #expect(!read.isPopupEnabled)
  }
}
