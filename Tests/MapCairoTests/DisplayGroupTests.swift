import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import Testing

/// Groups of layers that are painted as one image, compared with sums of colours that are written out here.
@Suite struct DisplayGroupTests {
  private static let red = Color(red: 200, green: 0, blue: 0)
  private static let blue = Color(red: 0, green: 0, blue: 200)
  private static let green = Color(red: 0, green: 200, blue: 0)

  private static func layer(
    _ color: Color, _ x: Double, _ width: Double, mode: BlendMode = .normal, in groups: [DisplayGroup] = []
  ) -> DisplayLayer {
    let box = Envelope(xMin: x, yMin: 0, xMax: x + width, yMax: 8)
    var layer = DisplayLayer(index: 0, name: "layer", opacity: 1, batches: [.square(color, box)])
    (layer.blendMode, layer.groups) = (mode, groups)
    return layer
  }

  private static func group(
    _ name: String, opacity: Double = 1, _ mode: BlendMode = .normal, _ functions: [EffectFunction] = [],
    margin: Int = 0
  ) -> DisplayGroup {
    DisplayGroup(
      .document(JSONPath.root[name]), opacity: opacity, blendMode: mode, functions: functions, margin: margin)
  }

  /// Returns the colours of the middle row.
  private static func row(_ layers: [DisplayLayer], background: Color? = .white) throws -> [[UInt8]] {
    let list = DisplayList(width: 12, height: 8, background: background, layers: layers)
    let bitmap = try CairoPainter.bitmap(of: list)
    for threads in [2, 3] { #expect(try CairoPainter.bitmap(of: list, threads: threads) == bitmap) }
    return (0..<12).map { x in Array(bitmap.pixels[(4 * 12 + x) * 4..<(4 * 12 + x) * 4 + 4]) }
  }

  @Test("The opacity of a group applies to the image of its layers")
  func opacity() throws {
    let half = Self.group("g", opacity: 0.5)
    let row = try Self.row([Self.layer(Self.red, 0, 8, in: [half]), Self.layer(Self.blue, 4, 8, in: [half])])
    // The lower layer does not show through the upper one.
    for (x, expected) in [(2, [228, 128, 128]), (6, [128, 128, 228]), (10, [128, 128, 228])] {
      #expect(zip(row[x], expected).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(x): \(row[x])")
    }
  }

  @Test("A layer of a group cuts only the layers of its group")
  func isolation() throws {
    let own = Self.group("g")
    let row = try Self.row([
      Self.layer(Self.blue, 0, 12), Self.layer(Self.red, 0, 8, in: [own]),
      Self.layer(Self.green, 4, 8, mode: .destinationIn, in: [own]),
    ])
    #expect(row[2] == [0, 0, 200, 255])
    #expect(row[6] == [200, 0, 0, 255])
    #expect(row[10] == [0, 0, 200, 255])
  }

  @Test("A layer outside groups cuts all layers below it and not the background")
  func background() throws {
    let layers = [Self.layer(Self.blue, 0, 8), Self.layer(Self.green, 4, 8, mode: .destinationIn)]
    let row = try Self.row(layers)
    #expect(
      row[2] == [255, 255, 255, 255] && row[6] == [0, 0, 200, 255] && row[10] == [255, 255, 255, 255])
    let clear = try Self.row(layers, background: nil)
    #expect(clear[2] == [0, 0, 0, 0] && clear[6] == [0, 0, 200, 255])
  }

  @Test("The blend mode and the effect of a group apply to its image, also of nested groups")
  func nested() throws {
    let outer = Self.group("o", .multiply)
    let inner = Self.group("i", .normal, [.amount(.invert, 1)])
    let row = try Self.row([
      Self.layer(Color(red: 255, green: 255, blue: 0), 0, 12),
      Self.layer(Self.red, 0, 4, in: [outer, inner]), Self.layer(Self.blue, 4, 4, in: [outer, inner]),
      Self.layer(Self.green, 8, 4, in: [outer]),
    ])
    // The inverse of red is (55, 255, 255), of blue (255, 255, 55); times yellow.
    #expect(row[2] == [55, 255, 0, 255] && row[6] == [255, 255, 0, 255] && row[10] == [0, 200, 0, 255])
  }

  @Test(
    "Two groups in a row are two images, and a group without margin equals one with a margin of empty pixels")
  func adjacent() throws {
    let (first, second) = (Self.group("a", opacity: 0.5), Self.group("b", opacity: 0.5))
    let row = try Self.row([
      Self.layer(Self.red, 0, 12, in: [first]), Self.layer(Self.red, 0, 12, in: [second]),
    ])
    // 255 - 0.75 * 255.
    #expect(abs(Int(row[5][1]) - 64) <= 1)
    let wide = Self.group("a", margin: 3)
    let moved = try Self.row([Self.layer(Self.red, 3, 4, in: [wide])])
    #expect(try moved == Self.row([Self.layer(Self.red, 0, 4, in: [Self.group("a")])]))
  }

  @Test("Lists for vector formats have the pixels of the image", arguments: BlendMode.allCases)
  func vectors(_ mode: BlendMode) throws {
    for own in [[], [Self.group("g", opacity: 0.6)]] {
      let list = DisplayList(
        width: 12, height: 8, background: .white,
        layers: [
          Self.layer(Self.blue, 0, 12), Self.layer(Self.red, 0, 8, in: own),
          Self.layer(Color(red: 0, green: 200, blue: 90), 4, 8, mode: mode, in: own),
          Self.layer(Self.red, 10, 2),
        ])
      let (image, drawn) = (try CairoPainter.bitmap(of: list), try list.applyingEffects())
      let layers = drawn.basemap + drawn.layers
      #expect(layers.allSatisfy { $0.effect == nil && $0.hasVectorGroups })
      let other = try CairoPainter.bitmap(of: drawn)
      #expect(zip(image.pixels, other.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(mode)")
    }
  }
}
