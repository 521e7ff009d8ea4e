import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState
import Testing

/// Labels with the names of coded values.
@Suite struct CodedLabelTests {
  private static func texts(_ label: String, subtypes: JSONValue? = nil) async throws -> [String] {
    let features = [("1", "\"a\""), ("2", "\"b\""), ("3", "null")].enumerated().map { index, values in
      """
      {"attributes":{"OBJECTID":\(index + 1),"K":\(values.0),"T":\(values.1)},
       "geometry":{"x":\(index * 60 - 60),"y":0}}
      """
    }
    func domain(_ codes: String) -> String {
      "{\"type\":\"codedValue\",\"name\":\"d\",\"codedValues\":[\(codes)]}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","showLabels":true,"featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},
         {"name":"K","type":"esriFieldTypeDouble","domain":\(domain(#"{"code":1,"name":"Oak"},{"code":2,"name":"Elm"}"#))},
         {"name":"T","type":"esriFieldTypeString","domain":\(domain(#"{"code":"a","name":"old"}"#))}],
        "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":4,
         "color":[0,0,0,255]}},"labelingInfo":[{\(label),"symbol":{"type":"esriTS","color":[0,0,0,255],
         "font":{"size":8}}}]}},
       "featureSet":{"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.withoutWarnings(json)
    let layer = document.layers[0].layer
    layer.labelDefinitions = layer.labelDefinitions.map { definition in
      var definition = definition
      definition.subtypes = SubtypeDomains(subtypes)
      return definition
    }
    let view = document.view(width: 400, height: 200)
    return try await view.placedLabels().layers.flatMap(\.batches).flatMap { batch -> [String] in
      guard case .labels(let labels) = batch else { return [] }
      return labels.items.map(\.text)
    }.sorted()
  }

  @Test("Simple expressions show names, and codes without a name")
  func simple() async throws {
    #expect(
      try await Self.texts(#""labelExpression":"[K] CONCAT \" \" CONCAT [T]","useCodedValues":true"#)
        == ["3", "Elm b", "Oak old"])
    #expect(try await Self.texts(#""labelExpression":"[K]","useCodedValues":false"#) == ["1", "2", "3"])
  }

  @Test("Names are those of the subtype of each feature, and the subtype itself has its name")
  func subtypes() async throws {
    let ash = #"{"type":"codedValue","name":"e","codedValues":[{"code":2,"name":"Ash"}]}"#
    let types = try JSONValue(
      parsing: """
        {"subtypeField":"","typeIdField":"t","types":[{"id":"a","name":"Old","domains":{"K":{"type":"inherited"}}},
         {"id":"b","name":"Young","domains":{"k":\(ash)}},{"name":"odd"}]}
        """)
    let label = #""labelExpression":"[K] CONCAT \" \" CONCAT [T]","useCodedValues":true"#
    #expect(try await Self.texts(label, subtypes: types) == ["3", "Ash b", "Oak old"])
    let codes = try JSONValue(
      parsing:
        #"{"subtypeField":"K","subtypes":[{"code":1,"name":"One","domains":{"T":\#(ash)}},{"code":3,"name":"Three"}]}"#
    )
    #expect(try await Self.texts(label, subtypes: codes) == ["3", "Elm b", "Oak a"])
    #expect(SubtypeDomains(["subtypeField": ""]) == nil && SubtypeDomains(nil) == nil)
    let read = try #require(SubtypeDomains(types))
    #expect(read.field == "t" && read[.text("b")]?.name == "Young" && read[.text("c")] == nil)
    #expect(read.haveDomain(of: "K") && !read.haveDomain(of: "T") && read.names(of: "K") == nil)
    guard case .codedValues(_, let names)? = read.names(of: "T") else {
      Issue.record("the subtypes have no names")
      return
    }
    #expect(Set(names.map(\.name)) == ["Old", "Young"])
  }

  @Test("Fields of Arcade expressions show names too")
  func arcade() async throws {
    for expression in ["$feature.K + '/' + $feature.T", "$feature['K'] + '/' + $feature.T"] {
      #expect(
        try await Self.texts(
          "\"labelExpressionInfo\":{\"expression\":\"\(expression)\"},\"useCodedValues\":true")
          == ["3/", "Elm/b", "Oak/old"])
    }
  }
}
