import MapDocuments
import MapModel
import Testing

/// Pie charts in documents, and their slices.
@Suite struct PieChartCodecTests {
  private static func pies(_ members: String = "") throws -> (PieChartRenderer, [String]) {
    let (form, warnings) = try DocumentReading.renderer(
      """
      {"type":"pieChart","attributes":[{"field":"a","label":"A","color":[255,0,0,255]},
       {"valueExpression":"$feature.b * 2","label":"B","color":[0,255,0,255]},
       {"field":"c","color":[0,0,255,255]}]\(members)}
      """)
    guard case .pieChart(let renderer)? = form else { throw DocumentReading.Unexpected() }
    return (renderer, warnings)
  }

  @Test func `Pie charts are read in points, and written back`() throws {
    let (renderer, warnings) = try Self.pies(
      """
      ,"size":18,"holePercentage":0.5,"defaultColor":[9,9,9,255],"defaultLabel":"none",
      "outline":{"type":"esriSLS","style":"esriSLSSolid","color":[1,2,3,255],"width":0.75},
      "othersCategory":{"threshold":0.1,"color":[7,7,7,255],"label":"rest"},
      "visualVariables":[{"type":"sizeInfo","field":"t","minDataValue":0,"maxDataValue":9,"minSize":6,"maxSize":30}]
      """)
    #expect(warnings.isEmpty)
    #expect((renderer.size, renderer.holeShare, renderer.othersThreshold) == (24, 0.5, 0.1))
    #expect(renderer.outline?.width == 1)
    #expect(renderer.attributes.map(\.label) == ["A", "B", "c"])
    #expect(renderer.form.fieldNames == ["a", "b", "c"])
    #expect(renderer.visualVariables.size?.input == .field("t"))
    #expect(try DocumentReading.rewritten(.pieChart(renderer)) == .pieChart(renderer))
  }

  @Test func `Slices are shares of the sum, and small ones are joined`() throws {
    var (renderer, _) = try Self.pies()
    #expect(renderer.slices(of: [1, 2, 1]).map(\.share) == [0.25, 0.5, 0.25])
    #expect(renderer.slices(of: [1, nil, -3]).map(\.share) == [1])
    #expect(renderer.slices(of: [0, nil, .infinity]).isEmpty)
    #expect(renderer.slices(of: [1e308, 1e308, 0]).map(\.share) == [0.5, 0.5])
    renderer.defaultColor = .gray
    #expect(renderer.slices(of: [0, nil, 0]).isEmpty)
    #expect(renderer.chart(of: [0, nil, 0]).shapes.first?.color == .gray)
    #expect(renderer.form.defaultSymbol == .vector(renderer.chart(of: [nil, nil, nil])))
    (renderer.othersThreshold, renderer.othersColor) = (0.2, .black)
    let slices = renderer.slices(of: [1, 8, 1])
    #expect(slices.map(\.share) == [0.8, 0.2])
    #expect(slices.map { renderer.colors[Int($0.color)] } == [Color(red: 0, green: 255, blue: 0), .black])
  }

  @Test(arguments: [
    (#","visualVariables":[{"type":"rotationInfo","field":"v"}]"#, "renderer.visualVariables: not applied"),
    (#","outline":{"type":"esriSMS"}"#, "renderer.outline.type: not drawn: an outline is a line symbol"),
  ])
  func `Parts of pie charts that are not drawn are reported`(_ members: String, _ warning: String) throws {
    let (renderer, warnings) = try Self.pies(members)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains(warning) == true, "\(warnings)")
    #expect(renderer.visualVariables == VisualVariables())
  }

  @Test func `A share outside 0 to 1 is an error`() {
    #expect(throws: (any Error).self) { try Self.pies(",\"holePercentage\":50") }
  }
}
