import MapGeometry
import MapJSON
import MapModel
import MapTestSupport
import Testing

/// Source of the cases: Esri web map specification 2.x; for missing keys, defaults by design decision.
@Suite struct SymbolCodecTests {
  private static let red = Color(red: 255, green: 0, blue: 0)

  @Test("Lengths in points are converted to pixels by 96/72")
  func pointsToPixels() throws {
    let (form, warnings) = try DocumentReading.symbol(
      """
      {"type":"esriSMS","style":"esriSMSSquare","color":[255,0,0,128],"size":6,"angle":0,
       "outline":{"type":"esriSLS","style":"esriSLSSolid","color":[255,0,0],"width":0.75}}
      """)
    let outline = SimpleLineSymbol(color: Self.red, width: 1)
    #expect(
      form
        == .marker(
          SimpleMarkerSymbol(
            style: .square, color: Color(red: 255, green: 0, blue: 0, alpha: 128), size: 8, outline: outline))
    )
    #expect(warnings.isEmpty)
    let line = try DocumentReading.symbol(
      "{\"type\":\"esriSLS\",\"style\":\"esriSLSSolid\",\"color\":[255,0,0,255],\"width\":3}")
    #expect(line.form == .line(SimpleLineSymbol(color: Self.red, width: 4)))
    let fill = try DocumentReading.symbol(
      "{\"type\":\"esriSFS\",\"style\":\"esriSFSSolid\",\"color\":[255,0,0,255],\"outline\":null}")
    #expect(fill.form == .fill(SimpleFillSymbol(color: Self.red)))
  }

  @Test("Missing symbol members have default sizes and paint no colour")
  func defaults() throws {
    #expect(
      try DocumentReading.symbol("{\"type\":\"esriSMS\"}").form
        == .marker(SimpleMarkerSymbol(style: .circle, color: nil, size: 12)))
    #expect(
      try DocumentReading.symbol("{\"type\":\"esriSLS\"}").form
        == .line(SimpleLineSymbol(color: nil, width: 1)))
    #expect(try DocumentReading.symbol("{\"type\":\"esriSFS\"}").form == .fill(SimpleFillSymbol(color: nil)))
    for style in ["{\"type\":\"esriSLS\",\"style\":\"esriSLSNull\",\"color\":[1,2,3,4]}"] {
      #expect(try DocumentReading.symbol(style).form == .line(SimpleLineSymbol(color: nil, width: 1)))
    }
    #expect(
      try DocumentReading.symbol("{\"type\":\"esriSFS\",\"style\":\"esriSFSNull\",\"color\":[1,2,3,4]}").form
        == .fill(SimpleFillSymbol(color: nil)))
  }

  @Test(
    "Colours are read from arrays, and null or absent ones are none",
    arguments: [
      ("null", nil), ("[1,2,3]", Color(red: 1, green: 2, blue: 3)),
      ("[1,2,3,0]", Color(red: 1, green: 2, blue: 3, alpha: 0)),
      ("[0.4,254.6,3,255]", Color(red: 0, green: 255, blue: 3)),
    ] as [(String, Color?)])
  func colors(_ json: String, _ color: Color?) throws {
    #expect(
      try DocumentReading.symbol("{\"type\":\"esriSFS\",\"color\":\(json)}").form
        == .fill(SimpleFillSymbol(color: color)))
  }

  @Test(
    "An invalid symbol value is an error with its path",
    arguments: [
      ("\"color\":[1,2]", ".color: expected [red"), ("\"color\":[1,2,3,4,5]", ".color: expected [red"),
      ("\"color\":[1,2,256]", ".color[2]: "), ("\"color\":[-1,2,3]", ".color[0]: "),
      ("\"color\":\"red\"", ".color: expected an array"), ("\"size\":-1", ".size: "),
      ("\"size\":1e9", ".size: "), ("\"size\":\"six\"", ".size: expected a number"),
      ("\"outline\":{\"width\":-2}", ".outline.width: "), ("\"style\":3", ".style: expected a string"),
    ])
  func errors(_ member: String, _ message: String) {
    let place = "$.operationalLayers[0].layerDefinition.drawingInfo.renderer.symbol"
    let error = #expect(throws: JSONDecodingError.self) {
      try DocumentReading.symbol("{\"type\":\"esriSMS\",\(member)}")
    }
    #expect(error?.description.hasPrefix(place + message) == true, "\(error?.description ?? "no error")")
  }

  @Test(
    "An unsupported symbol style is approximated and reported with its path",
    arguments: [
      ("{\"type\":\"esriSMS\",\"style\":\"esriSMSArrow\",\"size\":3}", "style", "esriSMSArrow"),
      ("{\"type\":\"esriSMS\",\"style\":\"nonsense\",\"size\":3}", "style", "nonsense"),
      ("{\"type\":\"esriSLS\",\"style\":\"esriSLSWave\"}", "style", "esriSLSWave"),
      ("{\"type\":\"esriSFS\",\"style\":\"esriSFSDots\"}", "style", "esriSFSDots"),
      ("{\"type\":\"esriSLS\",\"cap\":\"flat\"}", "cap", "flat"),
      ("{\"type\":\"esriSLS\",\"join\":\"sharp\"}", "join", "sharp"),
      ("{\"type\":\"esriSFS\",\"sheen\":1}", "sheen", "unknown"),
      (
        "{\"type\":\"esriSMS\",\"outline\":{\"type\":\"esriSLS\",\"style\":\"esriSLSDash\",\"color\":[0,0,0,255]}}",
        "outline.style", "solid"
      ),
      ("{\"type\":\"esriPFS\",\"url\":\"x\"}", "url", "x: is not read"),
    ])
  func reports(_ json: String, _ member: String, _ words: String) throws {
    let (_, warnings) = try DocumentReading.symbol(json)
    #expect(warnings.count == 1)
    let place = "$.operationalLayers[0].layerDefinition.drawingInfo.renderer.symbol.\(member): "
    #expect(warnings.first?.hasPrefix(place) == true, "\(warnings)")
    #expect(warnings.first?.contains(words) == true, "\(warnings)")
  }

  @Test("Symbol rotations and offsets convert from document to model units and directions")
  func turnsAndShifts() throws {
    let (form, warnings) = try DocumentReading.symbol(
      #"{"type":"esriSMS","style":"esriSMSX","size":6,"angle":30,"xoffset":3,"yoffset":-6}"#)
    #expect(
      form == .marker(SimpleMarkerSymbol(style: .x, color: nil, size: 8, angle: -30, offsetX: 4, offsetY: -8))
    )
    #expect(warnings.isEmpty)
  }

  @Test("Every style, cap and join is read by its document name")
  func names() throws {
    for (name, style) in [
      ("esriSMSCircle", .circle), ("esriSMSCross", .cross), ("esriSMSDiamond", .diamond),
      ("esriSMSSquare", .square), ("esriSMSTriangle", .triangle), ("esriSMSX", .x),
    ] as [(String, SimpleMarkerSymbol.Style)] {
      let read = try DocumentReading.symbol(#"{"type":"esriSMS","size":6,"style":"\#(name)"}"#)
      #expect(read.form == .marker(SimpleMarkerSymbol(style: style, color: nil, size: 8)))
      #expect(read.1.isEmpty)
    }
    // Dashes and gaps in line widths, as in the specification's table.
    for (name, pattern) in [
      ("Solid", []), ("Dash", [4, 3]), ("Dot", [1, 3]), ("DashDot", [4, 3, 1, 3]),
      ("DashDotDot", [8, 3, 1, 3, 1, 3]), ("LongDash", [8, 3]), ("LongDashDot", [8, 3, 1, 3]),
      ("ShortDash", [4, 1]), ("ShortDashDot", [4, 1, 1, 1]), ("ShortDashDotDot", [4, 1, 1, 1, 1, 1]),
      ("ShortDot", [1, 1]),
    ] as [(String, [Double])] {
      let read = try DocumentReading.symbol(
        #"{"type":"esriSLS","style":"esriSLS\#(name)","cap":"round","join":"bevel","miterLimit":4}"#)
      guard case .line(let line) = read.form else {
        Issue.record("\(name) is no line")
        continue
      }
      #expect(line.style.pattern == pattern)
      #expect(line.cap == .round)
      #expect(line.join == .bevel)
      #expect(line.miterLimit == 4)
      #expect(read.1.isEmpty)
    }
    for (name, style) in [
      ("esriSFSSolid", .solid), ("esriSFSHorizontal", .horizontal), ("esriSFSVertical", .vertical),
      ("esriSFSCross", .cross), ("esriSFSForwardDiagonal", .forwardDiagonal),
      ("esriSFSBackwardDiagonal", .backwardDiagonal), ("esriSFSDiagonalCross", .diagonalCross),
    ] as [(String, SimpleFillSymbol.Style)] {
      let read = try DocumentReading.symbol(#"{"type":"esriSFS","style":"\#(name)","color":[1,2,3]}"#)
      #expect(read.form == .fill(SimpleFillSymbol(style: style, color: Color(red: 1, green: 2, blue: 3))))
      #expect(read.1.isEmpty)
    }
  }

  @Test("A symbol of an unsupported kind is replaced by the default one and keeps its class")
  func standIns() throws {
    for (json, kind) in [
      ("{\"type\":\"esriXYZ\"}", .point),
      ("{\"type\":\"CIMSymbolReference\",\"symbol\":{\"type\":\"CIMLineSymbol\"}}", .polyline),
      ("{\"type\":\"CIMSymbolReference\",\"symbol\":{\"type\":\"CIMPolygonSymbol\"}}", .polygon),
      ("{\"type\":\"CIMSymbolReference\"}", .point),
    ] as [(String, GeometryKind)] {
      #expect(try DocumentReading.symbol(json).form == .standard(for: kind))
    }
    let (form, warnings) = try DocumentReading.renderer(
      """
      {"type":"uniqueValue","field1":"A","uniqueValueInfos":[
        {"value":"1","symbol":{"type":"CIMSymbolReference"}},{"value":"2","symbol":{"type":"esriSMS","size":3}}]}
      """)
    #expect(form?.classSymbols == [.standard(for: .point), .marker(SimpleMarkerSymbol(color: nil, size: 4))])
    #expect(warnings.count == 1)
  }

  @Test("Random symbols survive a round trip through a document")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 5)
    func color() -> Color? {
      Bool.random(using: &random)
        ? nil
        : Color(
          red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
          blue: .random(in: 0...255, using: &random), alpha: .random(in: 0...255, using: &random))
    }
    // Multiples of 4 px, which convert to points exactly.
    func length() -> Double { Double(Int.random(in: 0...100, using: &random) * 4) }
    func line() -> SimpleLineSymbol { SimpleLineSymbol(color: color(), width: length()) }
    func outline() -> SimpleLineSymbol? { Bool.random(using: &random) ? nil : line() }
    for index in 0..<300 {
      let simple =
        switch index % 3 {
        case 0:
          SimpleRenderer(
            symbol: SimpleMarkerSymbol(
              style: Bool.random(using: &random) ? .circle : .square, color: color(), size: length(),
              outline: outline()), label: "é\"\\")
        case 1: SimpleRenderer(symbol: line())
        default: SimpleRenderer(symbol: SimpleFillSymbol(color: color(), outline: outline()))
        }
      #expect(try DocumentReading.rewritten(simple.form) == simple.form)
    }
  }
}
