import Foundation
import MapImages
import MapModel
import MapSystem
import MapTestSupport
import Testing

/// Image, text and composite symbols, from documents and back.
@Suite struct PictureSymbolTests {
  private static func bitmap(_ width: Int = 6, _ height: Int = 4, seed: UInt64 = 1) throws -> Bitmap {
    var random = SeededGenerator(seed: seed)
    return try Bitmap(
      width: width, height: height,
      pixels: (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func read(_ imageData: String, _ members: String = "") throws -> (
    form: SymbolForm, warnings: [String]
  ) {
    try DocumentReading.symbol("{\"type\":\"esriPMS\",\"imageData\":\"\(imageData)\"\(members)}")
  }

  private static func picture(_ form: SymbolForm) throws -> PictureMarkerSymbol {
    guard case .picture(let picture) = form else { throw DocumentReading.Unexpected() }
    return picture
  }

  @Test(
    "An image symbol is read with its size, rotation and offset in pixels"
  )
  func documentPicture() throws {
    let bitmap = try Self.bitmap()
    let data = Self.base64(try bitmap.pngData())
    let (form, warnings) = try Self.read(
      data,
      ",\"contentType\":\"image/png\",\"width\":12,\"height\":9,\"angle\":30,\"xoffset\":3,\"yoffset\":-6")
    let symbol = try Self.picture(form)
    #expect(warnings.isEmpty)
    #expect(try symbol.picture.get().bitmap() == bitmap)
    #expect((symbol.width, symbol.height, symbol.angle) == (16, 12, -30))
    #expect((symbol.offsetX, symbol.offsetY) == (4, -8))
    // A complete data URL, and base64 with line breaks as some writers produce it.
    let broken = data.prefix(20) + "\\n" + data.dropFirst(20)
    for written in ["data:image/png;base64,\(data)", String(broken)] {
      let plain = try Self.picture(try Self.read(written).form)
      #expect(try plain.picture.get().bitmap() == bitmap)
      #expect(plain.drawnSize.map { [$0.width, $0.height] } == [6, 4])
    }
    var sized = PictureMarkerSymbol(image: bitmap)
    sized.width = 30
    #expect(sized.drawnSize.map { [$0.width, $0.height] } == [30, 20])
    (sized.width, sized.height) = (0, 10)
    #expect(sized.drawnSize.map { [$0.width, $0.height] } == [15, 10])
  }

  @Test("Every symbol survives a round trip in every renderer")
  func roundTrips() throws {
    var picture = PictureMarkerSymbol(image: try Self.bitmap())
    (picture.width, picture.angle, picture.offsetY) = (20, 45, 4)
    var text = TextSymbol(
      text: "Łódź\nA \"b\"", color: .red, size: 16, horizontalAlignment: .right, verticalAlignment: .top)
    (text.haloColor, text.haloWidth, text.angle, text.fontWeight) = (.white, 2, -30, .bold)
    (text.offsetX, text.offsetY) = (4, -8)
    let composite = CompositeSymbol(symbols: [
      SimpleMarkerSymbol(color: .blue), picture, CompositeSymbol(symbols: [text]), SimpleLineSymbol(width: 4),
    ])
    let symbols: [any Symbol] = [picture, text, composite]
    var seen = 0
    for symbol in symbols {
      let renderers: [any Renderer] = [
        SimpleRenderer(symbol: symbol, label: "l"),
        UniqueValueRenderer(
          fieldNames: ["a"], uniqueValues: [.init(values: ["1"], label: "x", symbol: symbol.form)],
          defaultSymbol: symbol.form, defaultLabel: "d"),
        ClassBreaksRenderer(
          fieldName: "a", classBreaks: [.init(minimum: 1, maximum: 2, label: "x", symbol: symbol.form)],
          includesLowestMinimum: true, defaultSymbol: symbol.form, defaultLabel: "d"),
      ]
      for renderer in renderers {
        #expect(try DocumentReading.rewritten(renderer.form) == renderer.form)
        seen += 1
      }
    }
    #expect(seen == 9)
    // Different symbols are not equal.
    #expect(
      PictureMarkerSymbol(image: try Self.bitmap(seed: 2)).form
        != PictureMarkerSymbol(image: try Self.bitmap()).form)
  }

  @Test(
    "An image that cannot be drawn is a warning with its path and reason"
  )
  func badPictures() throws {
    let png = try Self.bitmap(40, 40).pngData()
    func header(_ width: UInt32, _ height: UInt32) -> [UInt8] {
      var bytes = png
      for (place, value) in [(16, width), (20, height)] {
        for byte in 0..<4 { bytes[place + byte] = UInt8(value >> UInt32(24 - 8 * byte) & 255) }
      }
      return bytes
    }
    var flipped = png
    flipped[png.count / 2] ^= 0xFF
    let cases: [(bytes: [UInt8], reason: String)] = [
      (Array(png.prefix(20)), "not a readable PNG"), (Array(png.prefix(png.count / 2)), "not a readable PNG"),
      (flipped, "not a readable PNG"), (Array(png.dropFirst()), "not a readable PNG"),
      // The header's checksum is wrong, which libpng reports.
      (header(100_000, 100_000), "not a readable PNG"), (header(0, 4), "not a readable PNG"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], "JPEG is not drawn yet"),
      (Array("GIF89a".utf8), "GIF is not drawn yet"),
      (Array("<svg xmlns='a'/>".utf8), "SVG is not drawn yet"), (Array("hello".utf8), "not a readable PNG"),
      (try Bitmap(width: 3000, height: 1500).pngData(), "too many pixels"),
    ]
    for (bytes, reason) in cases {
      let (form, warnings) = try Self.read(Self.base64(bytes))
      #expect(warnings.count == 1, "\(warnings)")
      #expect(warnings.first?.contains(reason) == true, "\(warnings)")
      #expect(warnings[0].contains("symbol.imageData: the image cannot be drawn"), "\(warnings)")
      #expect(try Self.picture(form).drawnSize == nil)
    }
    #expect(cases.count == 11)
    let (_, notBase64) = try Self.read("$$$")
    #expect(notBase64.count == 1)
    #expect(notBase64.first?.contains("not base64") == true)
    let (_, emptied) = try Self.read("@@@@")
    #expect(emptied.count == 1)
    #expect(emptied.first?.contains("not base64") == true)
    let (_, none) = try DocumentReading.symbol("{\"type\":\"esriPMS\",\"imageData\":\"\"}")
    #expect(none.count == 1)
    #expect(none.first?.contains("url and imageData are missing") == true)
    let (_, elsewhere) = try DocumentReading.symbol("{\"type\":\"esriPMS\",\"url\":\"pin.png\"}")
    #expect(elsewhere.count == 1)
    #expect(elsewhere.first?.contains("symbol.url") == true)
    #expect(elsewhere.first?.contains("pin.png") == true)
    #expect(throws: MapStateError.self) { try SymbolPicture(pngData: []) }
  }

  @Test("A text symbol is read with its font, alignment and rotation")
  func documentText() throws {
    let (form, warnings) = try DocumentReading.symbol(
      """
      {"type":"esriTS","text":"hut","color":[1,2,3,255],"font":{"size":12,"weight":"bold"},"angle":10,
      "horizontalAlignment":"left","verticalAlignment":"top","xoffset":3}
      """)
    guard case .text(let text) = form else { throw DocumentReading.Unexpected() }
    #expect(warnings.isEmpty)
    #expect((text.text, text.size, text.angle, text.offsetX) == ("hut", 16, -10, 4))
    #expect(text.horizontalAlignment == .left)
    #expect(text.verticalAlignment == .top)
    #expect(text.fontWeight == .bold)
  }
}
