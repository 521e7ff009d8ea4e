import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapState
import Testing

/// Features drawn in the order of their classes.
@Suite struct ClassOrderTests {
  /// The colours at the middle of three stacks of squares, each with one feature of each class and one without.
  private static func colors(_ members: String, orderBy: String = "") async throws -> [[UInt8]] {
    let kinds = [["a", "b", "c", "z"], ["z", "c", "b", "a"], ["c", "z", "a", "b"]]
    let features = kinds.enumerated().flatMap { stack, kinds in
      kinds.enumerated().map { index, kind in
        """
        {"attributes":{"OBJECTID":\(stack * 4 + index + 1),"k":"\(kind)","n":\(["a", "b", "c", "z"].firstIndex(of: kind) ?? 9)},
         "geometry":{"x":\(stack * 40 - 40),"y":0}}
        """
      }
    }
    func symbol(_ red: Int) -> String {
      "{\"type\":\"esriSMS\",\"style\":\"esriSMSSquare\",\"size\":12,\"color\":[\(red),0,0,255]}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},\(orderBy)
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"k","type":"esriFieldTypeString"},
         {"name":"n","type":"esriFieldTypeInteger"}],
        "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"k","defaultSymbol":\(symbol(200)),
         "uniqueValueInfos":[{"value":"b","symbol":\(symbol(20))},{"value":"a","symbol":\(symbol(10))},
         {"value":"c","symbol":\(symbol(30))}]\(members)}}},
       "featureSet":{"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.withoutWarnings(json)
    let view = document.view(width: 160, height: 40)
    let image = try await view.render().bitmap
    return [40, 80, 120].map { x in
      let start = (20 * image.width + x) * 4
      return Array(image.pixels[start..<start + 1])
    }
  }

  @Test("The first class is on top, and features of no class are below")
  func order() async throws {
    #expect(try await Self.colors("") == [[200], [10], [20]])
    #expect(try await Self.colors(",\"drawInClassOrder\":true") == [[20], [20], [20]])
  }

  @Test("The drawing order of a layer takes precedence")
  func precedence() async throws {
    let order = "\"orderBy\":[{\"field\":\"n\",\"order\":\"descending\"}],"
    #expect(
      try await Self.colors(",\"drawInClassOrder\":true", orderBy: order) == [[200], [200], [200]])
  }
}
