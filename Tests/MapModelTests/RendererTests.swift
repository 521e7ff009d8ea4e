import MapJSON
import MapModel
import Testing

/// Source of the cases: Esri web map specification 2.x and its example of class breaks.
@Suite struct RendererTests {
  /// Class breaks as in the specification's example: 0 to 100, 100 to 500, nothing else.
  static let breaks = """
    {"type":"classBreaks","field":"KV","minValue":0,"classBreakInfos":[
      {"classMaxValue":100,"symbol":{"type":"esriSLS","color":[0,92,230,255],"width":1}},
      {"classMaxValue":500,"symbol":{"type":"esriSLS","color":[230,0,0,255],"width":2.5}}],"defaultSymbol":null}
    """

  static func classBreaks(_ json: String) throws -> ClassBreaksRenderer {
    guard case .classBreaks(let renderer) = try DocumentReading.renderer(json).form else {
      throw DocumentReading.Unexpected()
    }
    return renderer
  }

  @Test(
    "A class break includes its upper bound, and the lowest one also includes its minimum",
    arguments: [
      (-0.001, nil), (0, 0), (0.001, 0), (100, 0), (100.01, 1), (500, 1), (500.1, nil), (.infinity, nil),
    ] as [(Double, Int?)])
  func breakEdges(_ value: Double, _ index: Int?) throws {
    let renderer = try Self.classBreaks(Self.breaks)
    #expect(renderer.classIndex(of: value) == index)
    #expect(renderer.defaultSymbol == nil)
    // A renderer made in code excludes its lowest minimum.
    var inCode = renderer
    inCode.includesLowestMinimum = false
    #expect(inCode.classIndex(of: value) == (value == 0 ? nil : index))
    // A document has no way to exclude it but the next minimum.
    guard case .classBreaks(let read) = try DocumentReading.rewritten(inCode.form) else {
      Issue.record("another kind of renderer")
      return
    }
    #expect(read.classIndex(of: value) == inCode.classIndex(of: value))
  }

  @Test("A class break's minimum is given, taken from the previous break or open")
  func minimums() throws {
    let bounds = try Self.classBreaks(
      """
      {"type":"classBreaks","field":"KV","classBreakInfos":[
        {"classMaxValue":1,"symbol":{"type":"esriSMS"}},
        {"classMinValue":5,"classMaxValue":7,"symbol":{"type":"esriSMS"}},
        {"classMaxValue":9,"symbol":{"type":"esriSMS"}}]}
      """
    )
    #expect(bounds.classBreaks.map(\.minimum) == [-.infinity, 5, 7])
    #expect(bounds.classBreaks.map(\.maximum) == [1, 7, 9])
    #expect([-1e300, 1, 3, 5, 5.1, 7, 8].map(bounds.classIndex) == [0, 0, nil, nil, 1, 1, 2])
  }

  @Test("The first matching class break wins where breaks overlap")
  func order() throws {
    func renderer(_ bounds: [(Double, Double)]) -> ClassBreaksRenderer {
      ClassBreaksRenderer(
        fieldName: "KV",
        classBreaks: bounds.map {
          .init(minimum: $0.0, maximum: $0.1, label: "", symbol: .line(SimpleLineSymbol()))
        }, includesLowestMinimum: true)
    }
    #expect([0, 5, 15].map(renderer([(0, 10), (0, 20)]).classIndex) == [0, 0, 1])
    #expect([0, 10, 20].map(renderer([(10, 20), (0, 10)]).classIndex) == [1, 1, 0])
  }

  @Test("Unique values of several fields are read with their delimiter")
  func uniqueValues() throws {
    let (form, warnings) = try DocumentReading.renderer(
      """
      {"type":"uniqueValue","field1":"A","field2":"B","field3":null,"fieldDelimiter":", ","defaultLabel":null,
       "uniqueValueInfos":[{"value":"x, 1","label":"one","symbol":{"type":"esriSMS"}},
         {"value":5,"symbol":{"type":"esriSMS"}},{"value":2.0,"symbol":{"type":"esriSMS"}},
         {"value":null,"symbol":{"type":"esriSMS"}}],
       "defaultSymbol":{"type":"esriSMS","size":3}}
      """)
    guard case .uniqueValue(let renderer) = try #require(form) else { throw DocumentReading.Unexpected() }
    #expect(renderer.fieldNames == ["A", "B"])
    #expect(renderer.delimiter == ", ")
    #expect(renderer.uniqueValues.map(\.values) == [["x, 1"], ["5"], ["2"], ["<Null>"]])
    #expect(renderer.uniqueValues.map(\.label) == ["one", "5", "2", "<Null>"])
    #expect(renderer.defaultSymbol == .marker(SimpleMarkerSymbol(color: nil, size: 4)))
    #expect(warnings.isEmpty)
  }

  @Test("Groups of unique values replace the flat list")
  func uniqueValueGroups() throws {
    let (form, _) = try DocumentReading.renderer(
      """
      {"type":"uniqueValue","field1":"A","field2":"B","fieldDelimiter":"|",
       "uniqueValueInfos":[{"value":"z","symbol":{"type":"esriSMS"}}],
       "uniqueValueGroups":[{"heading":"h","classes":[
         {"label":"c","symbol":{"type":"esriSMS"},"values":[["x",1],["y","2"]]}]}]}
      """)
    guard case .uniqueValue(let renderer) = try #require(form) else { throw DocumentReading.Unexpected() }
    #expect(renderer.uniqueValues.map(\.values) == [["x|1", "y|2"]])
    #expect(renderer.uniqueValues.map(\.label) == ["c"])
  }

  @Test(
    "An unsupported renderer is reported with its path and replaced by the default one",
    arguments: [("{\"type\":\"dictionary\"}", ".type")])
  func unsupported(_ json: String, _ member: String) throws {
    let (form, warnings) = try DocumentReading.renderer(json)
    #expect(form == nil)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasPrefix("$.operationalLayers[0].layerDefinition.drawingInfo.renderer\(member): ")
        == true)
  }

  @Test(
    "The field of a renderer is used instead of an expression that cannot be read, with a warning",
    arguments: [
      #"{"type":"uniqueValue","valueExpression":"1 +","field1":"A","uniqueValueInfos":[]}"#,
      #"{"type":"classBreaks","valueExpression":"Random()","field":"A","classBreakInfos":[]}"#,
    ])
  func unreadableExpression(_ json: String) throws {
    let (form, warnings) = try DocumentReading.renderer(json)
    #expect(form?.fieldNames == ["A"])
    #expect(warnings.count == 1, "\(warnings)")
    #expect(
      warnings.first?.hasPrefix(
        "$.operationalLayers[0].layerDefinition.drawingInfo.renderer.valueExpression: ") == true)
    #expect(warnings.first?.hasSuffix("is used instead") == true)
  }

  @Test("Class breaks of a rate, a logarithm and a percentage are read, applied and written")
  func normalization() throws {
    func read(_ members: String) throws -> ClassBreaksRenderer {
      let (form, warnings) = try DocumentReading.renderer(
        """
        {"type":"classBreaks","field":"A",\(members),"minValue":0,
        "classBreakInfos":[{"classMaxValue":2,"label":"l","symbol":{"type":"esriSMS"}}]}
        """)
      #expect(warnings.isEmpty)
      guard case .classBreaks(let renderer) = try #require(form) else { throw DocumentReading.Unexpected() }
      return renderer
    }
    for type in ["esriNormalizeByField", "field"] {
      let rate = try read(#""normalizationType":"\#(type)","normalizationField":"B""#)
      #expect(rate.normalization == .field("B"))
      #expect(rate.form.fieldNames == ["A", "B"])
      #expect(rate.normalized(6, divisor: 4) == 1.5)
      #expect(rate.normalized(6, divisor: 0) == nil)
      #expect(rate.normalized(6, divisor: nil) == nil)
      #expect(try DocumentReading.rewritten(rate.form) == rate.form)
    }
    let logarithm = try read(#""normalizationType":"esriNormalizeByLog""#)
    #expect(logarithm.normalized(1000, divisor: nil) == 3)
    #expect(logarithm.normalized(0, divisor: nil) == nil)
    #expect(try DocumentReading.rewritten(logarithm.form) == logarithm.form)
    let share = try read(#""normalizationType":"esriNormalizeByPercentOfTotal","normalizationTotal":50"#)
    #expect(share.normalized(10, divisor: nil) == 20)
    #expect(try DocumentReading.rewritten(share.form) == share.form)
    let error = #expect(throws: JSONDecodingError.self) {
      try read(#""normalizationType":"esriNormalizeByfield","normalizationField":"B""#)
    }
    #expect(error?.suggestion == "esriNormalizeByField")
  }

  @Test("Visual variables without a field are reported with their path")
  func visualVariables() throws {
    let symbol = "\"symbol\":{\"type\":\"esriSMS\"}"
    #expect(
      try DocumentReading.renderer("{\"type\":\"simple\",\(symbol),\"visualVariables\":[]}").warnings.isEmpty)
    let (form, warnings) = try DocumentReading.renderer(
      "{\"type\":\"simple\",\(symbol),\"visualVariables\":[{\"type\":\"sizeInfo\"}]}")
    #expect(form != nil)
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains(".visualVariables[0]: ") == true)
  }

  @Test("The order of classes is read from unique values and class breaks, and written back")
  func classOrder() throws {
    let symbol = "\"symbol\":{\"type\":\"esriSMS\"}"
    for (members, isOrdered) in [
      ("\"type\":\"simple\",\(symbol)", false),
      ("\"type\":\"uniqueValue\",\"field1\":\"a\",\"uniqueValueInfos\":[{\"value\":\"1\",\(symbol)}]", true),
      (
        "\"type\":\"classBreaks\",\"field\":\"a\",\"classBreakInfos\":[{\"classMaxValue\":1,\(symbol)}]", true
      ),
    ] {
      let (form, warnings) = try DocumentReading.renderer("{\(members),\"drawInClassOrder\":true}")
      #expect(warnings.isEmpty)
      #expect(form?.drawsInClassOrder == isOrdered)
      #expect(try DocumentReading.rewritten(try #require(form)) == form)
    }
  }

  @Test(
    "Missing or invalid renderer members are errors",
    arguments: [
      "{}", "{\"type\":\"simple\"}", "{\"type\":\"uniqueValue\",\"uniqueValueInfos\":[]}",
      "{\"type\":\"uniqueValue\",\"field1\":\"A\"}", "{\"type\":\"classBreaks\",\"field\":\"A\"}",
      "{\"type\":\"classBreaks\",\"classBreakInfos\":[]}",
      "{\"type\":\"classBreaks\",\"field\":\"A\",\"classBreakInfos\":[{\"symbol\":{\"type\":\"esriSMS\"}}]}",
      "{\"type\":\"simple\",\"symbol\":[]}",
    ])
  func errors(_ json: String) {
    #expect(throws: JSONDecodingError.self) { try DocumentReading.renderer(json) }
  }

  @Test("A renderer survives a round trip through its document")
  func roundTrip() throws {
    let line = SymbolForm.line(SimpleLineSymbol(color: .black, width: 4))
    let other = SymbolForm.line(SimpleLineSymbol(color: .white, width: 2))
    let unique = UniqueValueRenderer(
      fieldNames: ["A", "B", "C"], delimiter: ",",
      uniqueValues: [
        .init(values: ["a,b,1"], label: "one", symbol: line),
        .init(values: ["<Null>,b,1"], label: "", symbol: other),
      ], defaultSymbol: other, defaultLabel: "rest")
    var single = unique
    (single.fieldNames, single.defaultSymbol, single.defaultLabel) = (["A"], nil, "")
    let breaks = ClassBreaksRenderer(
      fieldName: "KV",
      classBreaks: [
        .init(minimum: -.infinity, maximum: 0.1, label: "low", symbol: line),
        .init(minimum: 0.5, maximum: 1e9, label: "high", symbol: other),
        .init(minimum: 1e9, maximum: .infinity, label: "open", symbol: other),
      ], includesLowestMinimum: true, defaultSymbol: line, defaultLabel: "rest")
    for form in [unique.form, single.form, breaks.form, SimpleRenderer(symbol: SimpleLineSymbol()).form] {
      #expect(try DocumentReading.rewritten(form) == form)
    }
  }
}
