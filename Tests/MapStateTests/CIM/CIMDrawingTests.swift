import Foundation
import MapCairo
import MapJSON
import MapState
import Testing

/// Each construct of CIM symbols against a form computed from the words of the specification.
///
/// - Source: Esri CIM specification 3, https://github.com/Esri/cim-spec/blob/main/docs/v3/CIMSymbols.md. A length of
///   3 points is 4 pixels.
@Suite struct CIMDrawingTests {
  private static let red: CIMScene.Ink = (255, 0, 0)
  private static let blue: CIMScene.Ink = (0, 0, 255)
  private static let fill = #"{"type":"CIMSolidFill","color":{"type":"CIMRGBColor","values":[255,0,0,100]}}"#

  // MARK: Gradients

  private static func gradient(_ members: String) -> String {
    CIMScene.symbol(
      "CIMPolygonSymbol",
      #"{"type":"CIMGradientFill",\#(members),"colorRamp":{"type":"CIMLinearContinuousColorRamp","#
        + #""fromColor":{"type":"CIMRGBColor","values":[255,0,0,100]},"#
        + #""toColor":{"type":"CIMRGBColor","values":[0,0,255,100]}}}"#)
  }

  private static func expect(
    gradient members: String, _ place: @escaping (Double, Double) -> Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let scene = try await CIMScene(gradient(members), "Polygon", [CIMScene.square])
    try await scene.expect(
      { x, y in
        max(abs(x), abs(y)) < 50 ? CIMScene.mix(red, blue, place(x, y)) : CIMScene.white
      }, sourceLocation: sourceLocation)
  }

  @Test("A linear gradient starts at the side to which its angle points, and changes over its size")
  func linearGradient() async throws {
    try await Self.expect(gradient: #""gradientMethod":"Linear","angle":90,"gradientSize":100"#) { _, y in
      (50 - y) / 100
    }
    try await Self.expect(gradient: #""gradientMethod":"Linear","angle":0,"gradientSize":50"#) { x, _ in
      (50 - x) / 50
    }
    // 30 points are 40 pixels.
    try await Self.expect(
      gradient: #""gradientMethod":"Linear","angle":180,"gradientSize":30,"gradientSizeUnits":"Absolute""#
    ) { x, _ in (x + 50) / 40 }
    // At 45 degrees the extent is as long as the diagonal.
    try await Self.expect(gradient: #""gradientMethod":"Linear","angle":45,"gradientSize":100"#) { x, y in
      (1 - (x + y) / 100) / 2
    }
  }

  @Test("Circular, rectangular and buffered gradients start outside")
  func otherGradients() async throws {
    try await Self.expect(gradient: #""gradientMethod":"Circular","gradientSize":100"#) { x, y in
      1 - hypot(x, y) / hypot(50, 50)
    }
    try await Self.expect(gradient: #""gradientMethod":"Rectangular","angle":0,"gradientSize":80"#) { x, y in
      (1 - max(abs(x), abs(y)) / 50) / 0.8
    }
    try await Self.expect(
      gradient:
        #""gradientMethod":"Buffered","gradientSize":72,"gradientType":"Discrete","interval":3"#
    ) { x, y in
      // Three bands over 36 of 50 pixels: the first colour, the middle and the last.
      let place = (50 - max(abs(x), abs(y))) / 36
      return min((place * 3).rounded(.down), 2) / 2
    }
  }

  @Test("A gradient extends over the whole feature, also where it is outside the image")
  func clippedGradient() async throws {
    let large = #"{"rings":[[[-500,-50],[-500,50],[100,50],[100,-50],[-500,-50]]]}"#
    let scene = try await CIMScene(
      Self.gradient(#""gradientMethod":"Linear","angle":0,"gradientSize":100"#), "Polygon", [large])
    try await scene.expect { x, y in
      abs(y) < 50 ? CIMScene.mix(Self.red, Self.blue, (100 - x) / 600) : CIMScene.white
    }
  }

  // MARK: Images

  /// An image of 16 by 16 pixels with four quarters.
  private static func image() throws -> String {
    var bitmap = try Bitmap(width: 16, height: 16)
    for y in 0..<16 {
      for x in 0..<16 {
        let color = quarter(x, y)
        bitmap[x, y] = PixelColor(
          red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
      }
    }
    return "data:image/png;base64," + Data(try bitmap.pngData()).base64EncodedString()
  }

  private static func quarter(_ x: Int, _ y: Int) -> CIMScene.Ink {
    y < 8 ? (x < 8 ? red : blue) : (x < 8 ? (0, 128, 0) : (255, 200, 0))
  }

  @Test("A picture fill repeats its image from the corner of the image")
  func pictureFill() async throws {
    let layer = #"{"type":"CIMPictureFill","url":"\#(try Self.image())","height":12,"offsetX":3}"#
    let scene = try await CIMScene(
      CIMScene.symbol("CIMPolygonSymbol", layer), "Polygon", [CIMScene.square])
    func form(_ x: Double, _ y: Double) -> CIMScene.Ink {
      guard max(abs(x), abs(y)) < 50 else { return CIMScene.white }
      // 3 points are 4 pixels to the right.
      return Self.quarter((Int(x + 64) + 12) % 16, Int(64 - y) % 16)
    }
    try await scene.expect(form)
    // The symbol of web maps, with an outline of 4 pixels.
    let web = """
      {"type":"esriPFS","imageData":"\(try Self.image().dropFirst("data:image/png;base64,".count))","width":12,
       "height":12,"xoffset":3,"contentType":"image/png",
       "outline":{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":3}}
      """
    try await CIMScene(web, "Polygon", [CIMScene.square]).expect { x, y in
      abs(max(abs(x), abs(y)) - 50) < 2 ? (0, 0, 0) : form(x, y)
    }
  }

  @Test("A picture marker has the height of its size")
  func pictureMarker() async throws {
    // 12 points are 16 pixels.
    let layer = #"{"type":"CIMPictureMarker","url":"\#(try Self.image())","size":12,"rotation":90}"#
    let places = (-3...3).flatMap { x in (-3...3).map { (x * 16, $0 * 16) } }
    let scene = try await CIMScene(
      CIMScene.symbol("CIMPointSymbol", layer), "Point", places.map { #"{"x":\#($0.0),"y":\#($0.1)}"# })
    try await scene.expect { x, y in
      guard max(abs(x), abs(y)) < 56 else { return CIMScene.white }
      // A quarter turn counter-clockwise.
      let (column, row) = (Int(x + 56) % 16, Int(56 - y) % 16)
      return Self.quarter(15 - row, column)
    }
  }

  // MARK: Overrides and text

  @Test("Overrides set colours, sizes, widths and offsets by feature")
  func overrides() async throws {
    let layer = """
      {"type":"CIMVectorMarker","primitiveName":"m","size":12,"frame":{"xmin":-6,"ymin":-6,"xmax":6,"ymax":6},
       "markerGraphics":[{"type":"CIMMarkerGraphic","geometry":{"rings":[[[-6,-6],[-6,6],[6,6],[6,-6],[-6,-6]]]},
       "symbol":{"type":"CIMPolygonSymbol","symbolLayers":[
        {"type":"CIMSolidFill","primitiveName":"f","color":[0,0,0,255]}]}}]}
      """
    func override(_ name: String, _ property: String, _ expression: String) -> String {
      """
      {"type":"CIMPrimitiveOverride","primitiveName":"\(name)","propertyName":"\(property)",
       "valueExpressionInfo":{"type":"CIMExpressionInfo","expression":"\(expression)"}}
      """
    }
    let overrides = [
      override("m", "Size", "24 + $feature.v * 6"), override("m", "OffsetX", "$feature.v * 3"),
      override("f", "Color", "IIf($feature.v > 1, '#ff0000', 'rgb(0,0,255)')"),
    ]
    let symbol = CIMScene.symbol(
      "CIMPointSymbol", layer, #","primitiveOverrides":[\#(overrides.joined(separator: ","))]"#)
    let scene = try await CIMScene(
      symbol, "Point", [#"{"x":-30,"y":0}"#, #"{"x":20,"y":0}"#], values: ["1", "4"])
    try await scene.expect { x, y in
      // 30 and 48 points are 40 and 64 pixels; the offsets are 4 and 16 pixels.
      if max(abs(x + 26), abs(y)) < 20 { return Self.blue }
      return max(abs(x - 36), abs(y)) < 32 ? Self.red : CIMScene.white
    }
    // A field in brackets, and a part that is not drawn.
    let width = CIMScene.symbol(
      "CIMLineSymbol",
      #"{"type":"CIMSolidStroke","primitiveName":"s","width":1,"color":[255,0,0,255],"capStyle":"Butt"}"#,
      #","primitiveOverrides":[{"type":"CIMPrimitiveOverride","primitiveName":"s","propertyName":"Width","expression":"[v]"}]"#
    )
    try await CIMScene(width, "Polyline", [#"{"paths":[[[-64,0],[64,0]]]}"#], values: ["30"]).expect { _, y in
      abs(y) < 20 ? Self.red : CIMScene.white
    }
    let unknown = CIMScene.symbol(
      "CIMLineSymbol", #"{"type":"CIMSolidStroke","width":1,"color":[255,0,0,255]}"#,
      #","primitiveOverrides":[{"primitiveName":"x","propertyName":"Width","expression":"[v]"}]"#)
    let warnings = try await CIMScene(unknown, "Polyline", []).document.warnings
    #expect(
      warnings.count == 1 && warnings[0].message.contains("no drawn part is named \"x\""), "\(warnings)")
  }

  #if Labels
    @Test("Text in a vector marker is the text of a text symbol")
    func text() async throws {
      let text = """
        {"type":"CIMTextSymbol","height":54,"fontFamilyName":"Noto Sans","fontStyleName":"Bold",
         "horizontalAlignment":"Center","verticalAlignment":"Center","haloSize":3,
         "haloSymbol":{"type":"CIMPolygonSymbol","symbolLayers":[{"type":"CIMSolidFill","color":[0,0,255,255]}]},
         "symbol":{"type":"CIMPolygonSymbol","symbolLayers":[\(Self.fill)]}}
        """
      let layer = """
        {"type":"CIMVectorMarker","size":9,"frame":{"xmin":0,"ymin":0,"xmax":9,"ymax":9},"rotation":30,
         "markerGraphics":[{"type":"CIMMarkerGraphic","geometry":{"x":4.5,"y":4.5},"symbol":\(text),
         "textString":"MW"}]}
        """
      let web = """
        {"type":"esriTS","text":"MW","color":[255,0,0,255],"haloColor":[0,0,255,255],"haloSize":3,"angle":30,
         "horizontalAlignment":"center","verticalAlignment":"middle",
         "font":{"family":"Noto Sans","size":54,"weight":"bold"}}
        """
      let point = [#"{"x":0,"y":0}"#]
      let shapes = try await CIMScene(CIMScene.symbol("CIMPointSymbol", layer), "Point", point)
      #expect(shapes.document.warnings.isEmpty, "\(shapes.document.warnings)")
      let letters = try await CIMScene(web, "Point", point).image()
      try CIMScene.compare(try await shapes.image()) { column, row in
        let pixel = letters[column, row]
        return (Double(pixel.red), Double(pixel.green), Double(pixel.blue))
      }
    }
  #endif
}
