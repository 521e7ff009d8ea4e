import MapDocuments
import MapJSON
import MapModel
import Testing

/// CIM symbols of our own: the symbols that they become, and the parts that are reported.
@Suite struct CIMSymbolTests {
  private static func symbol(_ type: String, _ layers: String) throws -> (
    form: SymbolForm, warnings: [String]
  ) {
    try DocumentReading.symbol(
      #"{"type":"CIMSymbolReference","symbol":{"type":"\#(type)","symbolLayers":[\#(layers)]}}"#)
  }

  private static let red = Color(red: 255, green: 0, blue: 0)

  @Test("The first symbol layer is on top, and a disabled one is left out")
  func order() throws {
    let (form, warnings) = try Self.symbol(
      "CIMPolygonSymbol",
      """
      {"type":"CIMSolidStroke","width":3,"color":[0,0,255,255],"capStyle":"Butt","joinStyle":"Miter"},
      {"type":"CIMSolidFill","enable":false,"color":[1,1,1,255]},
      {"type":"CIMSolidFill","color":{"type":"CIMRGBColor","values":[255,0,0,50]}}
      """)
    let line = SimpleLineSymbol(color: Color(red: 0, green: 0, blue: 255), width: 4)
    // An alpha of 50 of 100 is 127.5 of 255.
    let fill = SimpleFillSymbol(color: Color(red: 255, green: 0, blue: 0, alpha: 128))
    #expect(form == CompositeSymbol(symbols: [fill, line]).form)
    #expect(warnings.isEmpty)
  }

  @Test("Dashes are points, and keep their lengths for every width")
  func dashes() throws {
    let (form, _) = try Self.symbol(
      "CIMLineSymbol",
      """
      {"type":"CIMSolidStroke","width":6,"color":[255,0,0,255],"capStyle":"Butt","joinStyle":"Round",
      "effects":[{"type":"CIMGeometricEffectDashes","dashTemplate":[9,6],"lineDashEnding":"NoConstraint"}]}
      """)
    var line = SimpleLineSymbol(color: Self.red, width: 8, join: .round)
    line.dashTemplate = [12, 8]
    #expect(form == line.form)
  }

  @Test("A hatch has the separation of its lines in points")
  func hatch() throws {
    let stroke =
      #"{"type":"CIMSolidStroke","width":1.5,"color":[255,0,0],"capStyle":"Butt","joinStyle":"Miter"}"#
    let (form, warnings) = try Self.symbol(
      "CIMPolygonSymbol",
      #"{"type":"CIMHatchFill","rotation":30,"separation":6,"lineSymbol":{"type":"CIMLineSymbol","symbolLayers":[\#(stroke)]}}"#
    )
    let line = SimpleLineSymbol(color: Self.red, width: 2)
    #expect(form == PatternFillSymbol(pattern: .lines(line, separation: 8, angle: 30)).form)
    #expect(warnings.isEmpty)
  }

  private static let marker = """
    "type":"CIMVectorMarker","size":15,"frame":{"xmin":0,"ymin":0,"xmax":20,"ymax":10},"rotation":90,
    "offsetX":3,"anchorPoint":{"x":0,"y":-0.5},"anchorPointUnits":"Relative",
    "markerGraphics":[{"type":"CIMMarkerGraphic","geometry":{"rings":[[[0,0],[20,0],[20,10],[0,0]]]},
    "symbol":{"type":"CIMPolygonSymbol","symbolLayers":[{"type":"CIMSolidFill","color":[255,0,0,255]}]}}]
    """

  @Test("A vector marker is scaled to its size and placed by its anchor")
  func vectorMarker() throws {
    let (form, warnings) = try Self.symbol("CIMPointSymbol", "{\(Self.marker)}")
    // 15 points are 20 pixels, twice the frame; the anchor is the middle of the lower edge.
    var expected = VectorMarkerSymbol(
      shapes: [
        .init(
          parts: [[.init(x: -20, y: 0), .init(x: 20, y: 0), .init(x: 20, y: 20), .init(x: -20, y: 0)]],
          color: Self.red)
      ], size: 20)
    // Counter-clockwise in documents, clockwise here.
    (expected.angle, expected.offsetX) = (-90, 4)
    #expect(form == expected.form)
    #expect(warnings.isEmpty)
  }

  @Test("Markers inside polygons are a pattern")
  func placement() throws {
    let (form, _) = try Self.symbol(
      "CIMPolygonSymbol",
      #"{\#(Self.marker),"markerPlacement":{"type":"CIMMarkerPlacementInsidePolygon","stepX":30,"stepY":15,"shiftOddRows":true}}"#
    )
    guard case .pattern(let pattern) = form,
      case .markers(_, let stepX, let stepY, let shifts) = pattern.pattern
    else {
      Issue.record("\(form)")
      return
    }
    #expect(stepX == 40 && stepY == 20 && shifts)
  }

  @Test(
    "Every part that is not drawn is reported at its path",
    arguments: [
      (#"{"type":"CIMGradientFill"}"#, ".symbolLayers[0].colorRamp"),
      (
        #"{"type":"CIMSolidStroke","width":1,"color":[0,0,0],"effects":[{"type":"CIMGeometricEffectWave"}]}"#,
        ".effects[0]"
      ),
      (#"{"type":"CIMSolidFill","color":{"type":"CIMLABColor","values":[1,2,3,100]}}"#, ".color"),
      (#"{"type":"CIMSolidFill","color":[0,0,0],"pattern":1}"#, ".pattern"),
      (
        #"{"type":"CIMVectorMarker","size":5,"markerPlacement":{"type":"CIMMarkerPlacementAroundPolygon"}}"#,
        ".markerPlacement.type"
      ),
      (#"{"type":"CIMSolidStroke","width":1,"color":[0,0,0],"capStyle":"Rond"}"#, ".capStyle"),
    ])
  func reports(_ layer: String, _ path: String) throws {
    let (_, warnings) = try Self.symbol("CIMPolygonSymbol", layer)
    #expect(warnings.count == 1 && (warnings.first?.contains("\(path): ") ?? false), "\(warnings)")
  }

  @Test("Patterns, markers and dashes keep their form in a written document")
  func writing() throws {
    var vector = VectorMarkerSymbol(
      shapes: [
        .init(parts: [[.init(x: -8, y: 0), .init(x: 8, y: 4), .init(x: 0, y: 8)]], color: Self.red),
        .init(
          parts: [[.init(x: 0, y: 0), .init(x: 4, y: 4)]], isClosed: false, color: nil,
          outline: SimpleLineSymbol(color: .black, width: 2, cap: .round)),
      ], size: 16)
    (vector.angle, vector.offsetY, vector.angleAlignment) = (30, 8, .map)
    var dashed = SimpleLineSymbol(color: Self.red, width: 4)
    dashed.dashTemplate = [8, 4]
    let symbols: [SymbolForm] = [
      vector.form, dashed.form,
      PatternFillSymbol(pattern: .lines(SimpleLineSymbol(color: .black, width: 2), separation: 12, angle: 45))
        .form,
    ]
    for symbol in symbols {
      let renderer = RendererForm.simple(SimpleRenderer(symbol: symbol.symbol))
      #expect(try DocumentReading.rewritten(renderer) == renderer)
    }
  }

  @Test(
    "Numbers that cannot be drawn are errors",
    arguments: [
      #"{"type":"CIMSolidStroke","width":1e9,"color":[0,0,0]}"#,
      #"{"type":"CIMHatchFill","separation":0,"lineSymbol":{}}"#,
      #"{"type":"CIMVectorMarker","frame":{"xmin":0,"ymin":0,"xmax":1,"ymax":0},"markerPlacement":{"type":"CIMMarkerPlacementInsidePolygon"}}"#,
    ])
  func impossible(_ layer: String) {
    #expect(throws: JSONDecodingError.self) { try Self.symbol("CIMPolygonSymbol", layer) }
  }
}
