import Foundation
import MapJSON
import MapState
import Testing

/// Field properties given by sources, and their effect on edits.
@Suite struct FieldTests {
  @Test("A field is nullable and editable by default, except id fields")
  func defaults() {
    let plain = Field(name: "a", type: .text)
    #expect(plain.alias == "a")
    #expect(plain.length == 0)
    #expect(plain.isNullable)
    #expect(plain.isEditable)
    let id = Field(name: "id", type: .oid)
    #expect(!id.isNullable)
    #expect(!id.isEditable)
    let global = Field(name: "g", type: .globalID)
    #expect(global.isNullable)
    #expect(!global.isEditable)
    let other = Field(type: .text, name: "n", alias: "Name", length: 20, isEditable: false, isNullable: false)
    #expect(
      other
        == Field(
          name: "n", alias: "Name", type: .text, length: 20, isNullable: false, isEditable: false))
    #expect(Field(name: "n", type: .text, length: -3).length == 0)
  }

  private static let text = """
    {"operationalLayers":[{"title":"P","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","fields":[
        {"name":"ID","type":"esriFieldTypeOID"},
        {"name":"N","type":"esriFieldTypeString","alias":"Name","length":5,"nullable":false},
        {"name":"S","type":"esriFieldTypeString","length":null,"editable":false,
         "domain":{"type":"codedValue","name":"d","codedValues":[{"name":"One","code":"1"}]}},
        {"name":"V","type":"esriFieldTypeDouble",
         "domain":{"type":"range","name":"r","range":[0,9.5]}}]},
      "featureSet":{"spatialReference":{"wkid":3857},
        "features":[{"attributes":{"ID":1,"N":"a","S":"1","V":2},"geometry":{"x":0,"y":0}}]}}]}}]}
    """

  @Test("A collection's fields survive a round trip")
  func collection() async throws {
    let map = try Map.fromJSON(Self.text)
    try await map.load()
    let table = try #require(map.featureLayers[0].featureTable)
    let name = try #require(table.field(named: "n"))
    #expect(name.alias == "Name")
    #expect(name.length == 5)
    #expect(!name.isNullable)
    #expect(name.isEditable)
    let state = try #require(table.field(named: "S"))
    #expect(state.length == 0)
    #expect(state.isNullable)
    #expect(!state.isEditable)
    // Written from its rows, not as it was read.
    let other = Map()
    other.addOperationalLayer(
      FeatureLayer(
        featureTable: LocalFeatureTable(
          source: try #require(table.table.source as? InMemorySource))))
    let again = try Map.fromJSON(other.toJSON())
    try await again.load()
    #expect(again.featureLayers[0].featureTable?.fields == table.fields)
    #expect(table.fields.compactMap(\.domain).count == 2)
  }

  @Test("An edit that a field does not allow is refused and leaves the table unchanged")
  func edits() async throws {
    let table = FeatureCollectionTable(
      fields: [
        Field(name: "name", type: .text, length: 3, isNullable: false),
        Field(name: "made", type: .text, isEditable: false),
        Field(name: "g", type: .globalID, isNullable: false),
      ], geometryType: .point, spatialReference: .webMercator)
    func add(_ attributes: [String: any Sendable]) async throws {
      try await table.add(table.makeFeature(attributes: attributes))
    }
    #expect(
      await cause { try await add([:]) } as? FeatureEditError == FeatureEditError.noValue(field: "name"))
    #expect(
      await cause {
        try await add(["name": "äöüß"])
      } as? FeatureEditError == FeatureEditError.tooLong(field: "name", length: 4, limit: 3))
    #expect(
      await cause {
        try await add(["name": "a", "made": "x"])
      } as? FeatureEditError == FeatureEditError.fieldNotEditable("made"))
    #expect(table.numberOfFeatures == 0)
    try await add(["name": "äöü"])
    let feature = try #require(try await table.queryFeatures(using: QueryParameters()).features().first)
    feature.setAttributeValue(nil, forKey: "name")
    #expect(
      await cause { try await table.update(feature) } as? FeatureEditError
        == FeatureEditError.noValue(field: "name"))
    feature.setAttributeValue("b", forKey: "name")
    feature.setAttributeValue("me", forKey: "made")
    #expect(
      await cause { try await table.update(feature) } as? FeatureEditError
        == FeatureEditError.fieldNotEditable("made"))
    feature.setAttributeValue(nil, forKey: "made")
    try await table.update(feature)
    let after = try await table.queryFeatures(using: QueryParameters()).features()
    #expect(after.map { $0.attributes["name"] as? String } == ["b"])
    // Initial rows are not edits, and unchanged values may be written again.
    let full = try FeatureCollectionTable(
      geoElements: [Graphic(attributes: ["name": "a", "made": "x"])], fields: table.fields)
    let made = try #require(try await full.queryFeatures(using: QueryParameters()).features().first)
    made.setAttributeValue("c", forKey: "name")
    try await full.update(made)
    #expect(
      await cause {
        try FeatureCollectionTable(geoElements: [Graphic(attributes: ["name": "long"])], fields: table.fields)
      } as? FeatureEditError == FeatureEditError.tooLong(field: "name", length: 4, limit: 3))
  }

  @Test("A feature is loaded from the start")
  func loading() async throws {
    let feature: ArcGISFeature = Feature(table: nil, objectID: 7, attributes: [:], geometry: nil)
    #expect(feature.loadStatus == .loaded)
    #expect(feature.objectID == 7)
    try await feature.load()
  }
}
