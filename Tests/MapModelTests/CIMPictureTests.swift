import FoundationEssentials
import MapDocuments
import MapImages
import MapJSON
import MapModel
import Testing

/// Images, characters and gradient strokes of CIM symbols, with values that are computed here.
@Suite struct CIMPictureTests {
  /// Returns the symbol and the warnings.
  private static func symbol(_ type: String, _ layer: String) throws -> (form: SymbolForm, warnings: [String])
  {
    try DocumentReading.symbol(
      #"{"type":"CIMSymbolReference","symbol":{"type":"\#(type)","symbolLayers":[\#(layer)]}}"#)
  }

  private struct Missing: Error {}

  /// An image of 2 by 2 pixels: red, green, blue, and a transparent one.
  private static func image() throws -> String {
    let bitmap = try Bitmap(
      width: 2, height: 2, pixels: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 0])
    return "data:image/png;base64," + Data(try bitmap.pngData()).base64EncodedString()
  }

  private static func pixels(_ picture: PictureMarkerSymbol) throws -> Bitmap {
    guard case .success(let picture) = picture.picture else { throw Missing() }
    return try picture.bitmap()
  }

  @Test("A tint multiplies the channels of an image, after colours are substituted")
  func tint() throws {
    let (form, warnings) = try Self.symbol(
      "CIMPointSymbol",
      """
      {"type":"CIMPictureMarker","url":"\(Self.image())","size":12,"tintColor":[128,51,255,204],
      "colorSubstitutions":[{"oldColor":[0,255,0,255],"newColor":{"type":"CIMRGBColor","values":[255,255,0,50]}}]}
      """)
    #expect(warnings.isEmpty, "\(warnings)")
    guard case .picture(let picture) = form else { throw Missing() }
    // Red 255 * 128 / 255; green becomes yellow at half alpha: 128 * 204 / 255 = 102.
    #expect(
      try Self.pixels(picture).pixels
        == [128, 0, 0, 204, 128, 51, 0, 102, 0, 0, 255, 204, 5, 2, 9, 0])
    let white = try Self.symbol(
      "CIMPointSymbol",
      "{\"type\":\"CIMPictureMarker\",\"url\":\"\(Self.image())\",\"tintColor\":[255,255,255,255]}")
    guard case .picture(let same) = white.form else { throw Missing() }
    #expect(try Self.pixels(same).pixels.prefix(8) == [255, 0, 0, 255, 0, 255, 0, 255])
  }

  @Test("Images inside a polygon are a tile of the grid", arguments: [(0.0, false), (90, false), (0, true)])
  func grid(angle: Double, shifts: Bool) throws {
    let (form, warnings) = try Self.symbol(
      "CIMPolygonSymbol",
      """
      {"type":"CIMPictureMarker","url":"\(Self.image())","size":6,"rotation":\(angle),"markerPlacement":{
      "type":"CIMMarkerPlacementInsidePolygon","stepX":9,"stepY":9,"shiftOddRows":\(shifts)}}
      """)
    #expect(warnings.isEmpty, "\(warnings)")
    guard case .pattern(let pattern) = form, case .picture(let picture) = pattern.pattern else {
      throw Missing()
    }
    // Nine points are 12 pixels, and the image is 8 pixels high.
    let height = shifts ? 24 : 12
    #expect(picture.width == 12 && picture.height == Double(height))
    let bitmap = try Self.pixels(picture)
    #expect(bitmap.width == 12 && bitmap.height == height)
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      let place = 4 * (y * 12 + x)
      return bitmap.pixels[place + 3] == 0 ? [] : Array(bitmap.pixels[place..<place + 4])
    }
    let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
      [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
    )
    var compared = 0
    for y in 0..<height {
      for x in 0..<12 {
        // The second row begins half a step farther to the right.
        let (u, v) = ((x + (y >= 12 ? 6 : 0)) % 12, y % 12)
        var expected: [UInt8] = []
        if (2..<10).contains(u), (2..<10).contains(v) {
          // Counter-clockwise by 90 degrees, the upper right corner comes to the upper left.
          expected =
            angle == 0
            ? (v < 6 ? (u < 6 ? red : green) : (u < 6 ? blue : []))
            : (v < 6 ? (u < 6 ? green : []) : (u < 6 ? red : blue))
        }
        #expect(color(x, y) == expected, "\(x) \(y)")
        compared += 1
      }
    }
    #expect(compared == 12 * height)
  }

  @Test("A grid of images that is too dense is reported")
  func dense() throws {
    let (form, warnings) = try Self.symbol(
      "CIMPolygonSymbol",
      """
      {"type":"CIMPictureMarker","url":"\(Self.image())","size":700,"markerPlacement":{
      "type":"CIMMarkerPlacementInsidePolygon","stepX":1,"stepY":1,"shiftOddRows":true}}
      """)
    #expect(warnings.count == 1 && warnings[0].contains("too dense"), "\(warnings)")
    #expect(form == .composite(CompositeSymbol()))
  }

  @Test("An image along a line is as high as the line is wide, and follows itself")
  func stroke() throws {
    let (form, warnings) = try Self.symbol(
      "CIMLineSymbol",
      "{\"type\":\"CIMPictureStroke\",\"url\":\"\(Self.image())\",\"width\":6,\"tintColor\":[255,0,0,255]}")
    #expect(warnings.count == 1 && warnings[0].contains("follow each other"), "\(warnings)")
    guard case .placed(let placed) = form, case .picture(let picture)? = placed.parts.first else {
      throw Missing()
    }
    // Six points are 8 pixels.
    #expect(picture.drawnSize?.width == 8 && picture.drawnSize?.height == 8)
    #expect(placed.placement == .alongLine(distances: [8], ending: .halfGap, start: 0) && placed.followsLine)
    let missing = try Self.symbol("CIMLineSymbol", "{\"type\":\"CIMPictureStroke\",\"width\":6}")
    #expect(missing.form == .composite(CompositeSymbol()) && !missing.warnings.isEmpty)
  }

  @Test("A character marker is text in a font of letters, and a circle in a font of symbols")
  func characters() throws {
    func marker(_ font: String, _ index: Int) throws -> (VectorMarkerSymbol, [String]) {
      let (form, warnings) = try Self.symbol(
        "CIMPointSymbol",
        """
        {"type":"CIMCharacterMarker","size":15,"characterIndex":\(index),"fontFamilyName":"\(font)","rotation":30,
        "symbol":{"type":"CIMPolygonSymbol","symbolLayers":[{"type":"CIMSolidFill","color":[255,0,0,255]}]}}
        """)
      guard case .vector(let vector) = form else { throw Missing() }
      return (vector, warnings)
    }
    let (letter, said) = try marker("Arial", 65)
    #expect(
      letter.shapes.count == 1 && letter.shapes[0].text?.text == "A" && letter.shapes[0].text?.size == 20)
    #expect(letter.shapes[0].text?.color == .red && letter.angle == -30)
    #expect(
      said.count == 1
        && said[0].contains("fontFamilyName: approximated: text is set in Noto Sans, not \"Arial\""))
    #expect(try marker("Noto Sans", 65).1.isEmpty)
    for (font, index) in [("ESRI Default Marker", 33), ("Wingdings", 65), ("Arial", 0xE000), ("Arial", -1)] {
      let (circle, warnings) = try marker(font, index)
      #expect(warnings.count == 1 && warnings[0].contains("a circle is drawn instead of character \(index)"))
      #expect(circle.shapes.count == 1 && circle.shapes[0].color == .red && circle.shapes[0].isClosed)
      #expect(
        circle.shapes[0].parts[0].allSatisfy { abs(($0.x * $0.x + $0.y * $0.y).squareRoot() - 10) < 1e-9 })
    }
  }

  @Test("A gradient across a line is parallel lines that cover its width")
  func gradientStroke() throws {
    let ramp = """
      "colorRamp":{"type":"CIMLinearContinuousColorRamp","fromColor":[255,0,0,255],"toColor":[0,0,255,255]}
      """
    let (form, warnings) = try Self.symbol(
      "CIMLineSymbol",
      """
      {"type":"CIMGradientStroke","width":9,"gradientMethod":"AcrossLine","gradientType":"Discrete","interval":3,\(ramp)}
      """)
    #expect(warnings.isEmpty, "\(warnings)")
    guard case .composite(let composite) = form else { throw Missing() }
    let lines = composite.parts.compactMap { if case .line(let line) = $0 { line } else { nil } }
    #expect(lines.map(\.color) == [.red, Color(red: 128, green: 0, blue: 128), .blue])
    // 9 points are 12 pixels, and each colour has 4 of them; the next line covers the rest of a wider one.
    var edges: [(left: Double, right: Double)] = []
    for line in lines {
      var shift = 0.0
      if case .offset(let distance, _)? = line.effects.last { shift = distance }
      edges.append((shift + line.width / 2, shift - line.width / 2))
    }
    #expect(edges.map(\.left) == [6, 2, -2] && edges.last?.right == -6)
    #expect(edges[0].right < 2 && edges[1].right < -2 && edges[0].right >= -2)
    let along = try Self.symbol(
      "CIMLineSymbol", "{\"type\":\"CIMGradientStroke\",\"width\":9,\"gradientMethod\":\"AlongLine\",\(ramp)}"
    )
    #expect(along.warnings.count == 1 && along.warnings[0].contains("gradientMethod: approximated"))
    guard case .line(let line) = along.form else { throw Missing() }
    #expect(line.color == Color(red: 128, green: 0, blue: 128) && line.width == 12)
  }
}
