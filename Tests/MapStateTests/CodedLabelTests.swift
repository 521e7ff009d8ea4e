import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapState
import Testing

/// Labels with the names of coded values.
@Suite struct CodedLabelTests {
  private static func texts(_ label: String) async throws -> [String] {
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
