import MapDocuments
import MapModel
import Testing

/// Texts of legends in documents.
@Suite struct LegendOptionsTests {
  private static func read(_ json: String) throws -> RendererForm {
    try #require(try DocumentReading.renderer(json).form)
  }

  @Test("Texts of legends and labels of stops are read from each visual variable, and written back")
  func variables() throws {
    let (read, warnings) = try DocumentReading.renderer(
      """
      {"type":"classBreaks","field":"v","minValue":0,"valueExpressionTitle":"Rate","legendOptions":{"title":"Share"},
       "classBreakInfos":[{"classMaxValue":1,"symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6}}],
       "visualVariables":[
       {"type":"sizeInfo","field":"a","legendOptions":{"title":"Inhabitants"},
        "stops":[{"value":1,"size":3,"label":"few"},{"value":9,"size":9}]},
       {"type":"sizeInfo","target":"outline","field":"a","legendOptions":{"title":"Width"},
        "stops":[{"value":1,"size":1},{"value":9,"size":2,"label":"wide"}]},
       {"type":"colorInfo","valueExpression":"$feature.a * 2","valueExpressionTitle":"Twice","legendOptions":{"showLegend":false},
        "stops":[{"value":1,"color":[0,0,0,255],"label":"dark"},{"value":9,"color":[255,255,255,255],"label":"light"}]},
       {"type":"transparencyInfo","field":"a","legendOptions":{"title":"Certainty"},
        "stops":[{"value":1,"transparency":0,"label":"sure"},{"value":9,"transparency":80}]},
       {"type":"rotationInfo","field":"a","legendOptions":{"title":"Direction"}}]}
      """)
    #expect(warnings.isEmpty, "\(warnings)")
    let form = try #require(read)
    #expect(form.legendOptions.shownTitle == "Share")
    #expect(form.legendOptions.valueExpressionTitle == "Rate")
    let variables = form.visualVariables
    #expect(variables.size?.legendOptions.title == "Inhabitants")
    guard case .stops(let sizes)? = variables.size?.rule else {
      Issue.record("\(variables)")
      return
    }
    #expect(sizes.map(\.label) == ["few", ""])
    #expect(variables.outlineWidth?.legendOptions.title == "Width")
    #expect(variables.color?.legendOptions.shownTitle == "Twice")
    #expect(variables.color?.legendOptions.showsLegend == false)
    #expect(variables.color?.stops.map(\.label) == ["dark", "light"])
    #expect(variables.transparency?.legendOptions.title == "Certainty")
    #expect(variables.transparency?.stops.map(\.label) == ["sure", ""])
    #expect(variables.rotation?.legendOptions.title == "Direction")
    #expect(try DocumentReading.rewritten(form) == form)
  }

  @Test("Texts of heat maps and dots are read and written back")
  func densities() throws {
    let heat = try Self.read(
      """
      {"type":"heatmap","legendOptions":{"title":"Reports","minLabel":"few","maxLabel":"many"},
       "colorStops":[{"ratio":0,"color":[0,0,255,0]},{"ratio":1,"color":[255,0,0,255]}]}
      """)
    #expect(heat.legendOptions.title == "Reports")
    #expect((heat.legendOptions.minLabel, heat.legendOptions.maxLabel) == ("few", "many"))
    #expect(try DocumentReading.rewritten(heat) == heat)
    let dots = try Self.read(
      """
      {"type":"dotDensity","dotValue":100,"legendOptions":{"dotLabel":"point","unit":"people"},
       "attributes":[{"field":"a","label":"A","color":[255,0,0,255]}]}
      """)
    #expect((dots.legendOptions.dotLabel, dots.legendOptions.unit) == ("point", "people"))
    #expect(try DocumentReading.rewritten(dots) == dots)
  }

  @Test("Headings of groups, classes that skip the legend and the order of classes are read and written back")
  func listing() throws {
    let marker = #"{"type":"esriSMS","style":"esriSMSCircle","size":6}"#
    let values = try Self.read(
      """
      {"type":"uniqueValue","field1":"v","uniqueValueGroups":[
       {"heading":"Roads","classes":[{"label":"A","values":[["a"],[1]],"symbol":\(marker)}]},
       {"classes":[{"label":"B","values":[["b"]],"skipLegend":true,"symbol":\(marker)}]}]}
      """)
    guard case .uniqueValue(let renderer) = values else {
      Issue.record("\(values)")
      return
    }
    #expect(renderer.uniqueValues.map(\.heading) == ["Roads", ""])
    #expect(renderer.uniqueValues.map(\.showsInLegend) == [true, false])
    #expect(try DocumentReading.rewritten(values) == values)
    let breaks = try Self.read(
      """
      {"type":"classBreaks","field":"v","minValue":0,"legendOptions":{"order":"descendingValues"},"classBreakInfos":[
       {"classMaxValue":1,"symbol":\(marker)},{"classMaxValue":2,"skipLegend":true,"symbol":\(marker)}]}
      """)
    #expect(breaks.legendOptions.order == .descending)
    guard case .classBreaks(let classes) = breaks else {
      Issue.record("\(breaks)")
      return
    }
    #expect(classes.classBreaks.map(\.showsInLegend) == [true, false])
    #expect(try DocumentReading.rewritten(breaks) == breaks)
  }

  @Test("Texts of a wrong kind leave the renderer as it is")
  func wrongKinds() throws {
    let form = try Self.read(
      """
      {"type":"uniqueValue","field1":"v","legendOptions":{"title":[1],"showLegend":"no"},"valueExpressionTitle":{},
       "uniqueValueInfos":[]}
      """)
    #expect(form.legendOptions == LegendOptions())
  }
}
