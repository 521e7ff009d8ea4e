import MapImages
import MapState
import Testing

/// The symbols that clusters take of their layer, and those of their own statistics.
extension ClusterTests {
  /// A circle of a colour as JSON.
  private static func circle(_ color: String) -> String {
    "{\"type\":\"esriSMS\",\"style\":\"esriSMSCircle\",\"size\":6,\"color\":[\(color),255]}"
  }

  @Test(
    "Clusters without a renderer have the class of most of their features, or of the mean",
    arguments: [
      (
        "{\"type\":\"uniqueValue\",\"field1\":\"v\",\"uniqueValueInfos\":[{\"value\":\"0\",\"symbol\":A},"
          + "{\"value\":\"5\",\"symbol\":B}]}",
        // The first of two values that are as frequent; the more frequent one.
        ["v IN (0, 5)": true, "v IN (0, 5) AND OBJECTID > 5": false]
      ),
      (
        "{\"type\":\"classBreaks\",\"field\":\"v\",\"minValue\":0,\"classBreakInfos\":["
          + "{\"classMaxValue\":4.4,\"symbol\":A},{\"classMaxValue\":9,\"symbol\":B}]}",
        // The means are 4 and 4.5.
        ["v < 9": true, "v < 10": false]
      ),
      (
        "{\"type\":\"simple\",\"symbol\":C,\"visualVariables\":[{\"type\":\"colorInfo\",\"field\":\"v\","
          + "\"stops\":[{\"value\":4,\"color\":[200,0,0,255]},{\"value\":5,\"color\":[0,0,200,255]}]}]}",
        ["v < 9": true, "v < 10": false]
      ),
    ])
  func inheritedClasses(_ renderer: String, _ filters: [String: Bool]) async throws {
    let places = (0..<20).map { Place(x: 8e4 + Double($0) * 1000, y: 8e4) }
    let text = renderer.replacing(":A", with: ":\(Self.circle("200,0,0"))")
      .replacing(":B", with: ":\(Self.circle("0,0,200"))").replacing(":C", with: ":\(Self.circle("9,9,9"))")
    for (filter, isRed) in filters {
      let document = try await Self.map(
        places, definition: "\"definitionExpression\":\"\(filter)\",", renderer: text)
      #expect(document.warnings.isEmpty, "\(document.warnings)")
      let view = Self.view(document, x: 2e5, y: 2e5, scale: 5e7)
      let clusters = try #require(try await view.drawing(of: view.layers[0], index: 0).clusters)
      #expect(clusters.drawn.count == 1)
      let color = try await view.render().bitmap[150, 100]
      #expect(
        isRed ? color == PixelColor(red: 200, green: 0, blue: 0) : color.blue >= 100 && color.red <= 100,
        "\(filter): \(color)")
    }
  }

  @Test("Clusters that inherit no classes are grey, with a warning")
  func grey() async throws {
    let document = try await Self.map(
      (0..<5).map { Place(x: Double($0) * 1000, y: 0) },
      renderer: """
        {"type":"uniqueValue","field1":"v","field2":"OBJECTID","fieldDelimiter":",","uniqueValueInfos":[
        {"value":"0,1","symbol":\(Self.circle("200,0,0"))}]}
        """)
    #expect(
      document.warnings.map(\.message) == [
        "clusters are grey circles: they cannot take the symbols of this renderer"
      ])
  }

  @Test("Fields of clusters that are not computed are null, and stop no drawing")
  func fieldsWithoutValues() async throws {
    let document = try await Self.map(
      (0..<5).map { Place(x: Double($0) * 1000, y: 0) },
      reduction: """
        ,"fields":[{"name":"part","onStatisticExpression":{"expression":"1"},"statisticType":"sum"}],
        "drawingInfo":{"renderer":{"type":"pieChart","size":12,"attributes":[
        {"field":"part","color":[200,0,0,255]},{"field":"cluster_count","color":[0,0,200,255]}]}}
        """)
    #expect(document.warnings.contains { $0.message.contains("its values are null") }, "\(document.warnings)")
    let view = Self.view(document, x: 0, y: 0, scale: 5e7)
    let clusters = try #require(try await view.drawing(of: view.layers[0], index: 0).clusters)
    #expect(clusters.drawn.count == 1)
    _ = try await view.render()
  }
}
