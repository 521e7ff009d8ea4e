import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import Testing

/// Painting of labels: the pixels that letters and halo cover.
@Suite struct LabelPaintingTests {
  private static let black = Color.black
  private static let red = Color(red: 255, green: 0, blue: 0)
  /// A square of one em above the baseline.
  private static let box = GlyphOutline(steps: [
    .move(x: 0, y: 0), .line(x: 1, y: 0), .line(x: 1, y: 1), .line(x: 0, y: 1), .close,
  ])

  private static func bitmap(
    _ style: LabelStyle, outlines: [GlyphOutline] = [box], at places: [(Double, Double)], opacity: Double = 1,
    threads: Int = 1
  ) throws -> Bitmap {
    let item = LabelItem(
      text: "x", style: 0, row: 3, box: Envelope(xMin: 0, yMin: 0, xMax: 40, yMax: 40),
      glyphs: places.enumerated().map {
        LabelItem.Glyph(outline: UInt32($0.offset % outlines.count), x: $0.element.0, y: $0.element.1)
      })
    var list = DisplayList(width: 40, height: 40, background: nil)
    list.labels = [
      DisplayLayer(
        index: 0, name: "test", opacity: opacity,
        batches: [.labels(LabelBatch(outlines: outlines, styles: [style], items: [item]))])
    ]
    return try CairoPainter.bitmap(of: list, threads: threads)
  }

  private static func style(_ color: Color?, halo: Color? = nil, _ width: Double = 0, slant: Double = 0)
    -> LabelStyle
  {
    LabelStyle(size: 10, slant: slant, color: color, haloColor: halo, haloWidth: width, classIndex: 0)
  }

  @Test("A letter fills its outline upwards from its baseline")
  func fill() throws {
    let bitmap = try Self.bitmap(Self.style(Self.black), at: [(10, 30)])
    #expect(ink(bitmap) == 100)
    for (x, y) in [(10, 20), (19, 29)] {
      #expect(bitmap[x, y] == PixelColor(red: 0, green: 0, blue: 0, alpha: 255))
    }
    for (x, y) in [(9, 20), (20, 29), (10, 19), (19, 30)] { #expect(bitmap[x, y].alpha == 0) }
  }

  @Test(
    "A halo has the requested width and round corners, and lies below the letters")
  func halo() throws {
    let solid = try Self.bitmap(Self.style(Self.black, halo: Self.red, 3), at: [(10, 30)])
    #expect(solid[10, 20] == PixelColor(red: 0, green: 0, blue: 0, alpha: 255))
    #expect(solid[9, 25] == PixelColor(red: 255, green: 0, blue: 0, alpha: 255))
    #expect(solid[7, 25] == PixelColor(red: 255, green: 0, blue: 0, alpha: 255))
    #expect(solid[6, 25].alpha == 0)
    #expect(solid[7, 17].alpha < 30)
    #expect(solid[20, 25] == PixelColor(red: 255, green: 0, blue: 0, alpha: 255))
    // Four sides of 3 by 10 and a circle of radius 3 around the square.
    #expect(abs(ink(solid) - (100 + 120 + 9 * Double.pi)) < 0.5)
    // Two letters whose halos meet: the overlap is not painted twice.
    let clear = Color(red: 255, green: 0, blue: 0, alpha: 128)
    let two = try Self.bitmap(Self.style(nil, halo: clear, 3), at: [(3, 30), (17, 30)])
    #expect(two[15, 25].alpha == 128)
    #expect(two[13, 25].alpha == 128)
    // Without a colour or a width there is no halo.
    #expect(ink(try Self.bitmap(Self.style(Self.black, halo: nil, 3), at: [(10, 30)])) == 100)
    #expect(ink(try Self.bitmap(Self.style(Self.black, halo: Self.red, 0), at: [(10, 30)])) == 100)
  }

  @Test("Overlapping contours are filled, and a contour in the opposite direction is a hole")
  func windingRule() throws {
    let cross = GlyphOutline(steps: [
      .move(x: 0, y: 0.4), .line(x: 1, y: 0.4), .line(x: 1, y: 0.6), .line(x: 0, y: 0.6), .close,
      .move(x: 0.4, y: 0), .line(x: 0.6, y: 0), .line(x: 0.6, y: 1), .line(x: 0.4, y: 1), .close,
    ])
    #expect(ink(try Self.bitmap(Self.style(Self.black), outlines: [cross], at: [(10, 30)])) == 36)
    let ring = GlyphOutline(
      steps: Self.box.steps + [
        .move(x: 0.2, y: 0.2), .line(x: 0.2, y: 0.8), .line(x: 0.8, y: 0.8), .line(x: 0.8, y: 0.2), .close,
      ])
    #expect(ink(try Self.bitmap(Self.style(Self.black), outlines: [ring], at: [(10, 30)])) == 64)
  }

  @Test("Letters of opposite directions do not cancel out where they share a pixel")
  func directions() throws {
    let reversed = GlyphOutline(steps: [
      .move(x: 0, y: 0), .line(x: 0, y: 1), .line(x: 1, y: 1), .line(x: 1, y: 0), .close,
    ])
    let bitmap = try Self.bitmap(
      Self.style(Self.black), outlines: [Self.box, reversed], at: [(10.5, 30), (20.5, 30)])
    // Twenty pixels at the edges are rounded, each by at most half of 1/255.
    #expect(abs(ink(bitmap) - 200) < 0.04)
    #expect((11..<30).allSatisfy { bitmap[$0, 25].alpha == 255 })
  }

  @Test("A pixel where two shapes of a letter overlap over a hole has the coverage of their union")
  func sharedPixels() throws {
    // A ring of one pixel with a hole of half a pixel, and a bar that covers a quarter of the pixel beside the hole.
    let ring = GlyphOutline(steps: [
      .move(x: 0, y: 0), .line(x: 0.1, y: 0), .line(x: 0.1, y: 0.1), .line(x: 0, y: 0.1), .close,
      .move(x: 0.05, y: 0), .line(x: 0.05, y: 0.1), .line(x: 0.1, y: 0.1), .line(x: 0.1, y: 0), .close,
      .move(x: 0, y: 0), .line(x: 0.025, y: 0), .line(x: 0.025, y: 0.1), .line(x: 0, y: 0.1), .close,
    ])
    let bitmap = try Self.bitmap(Self.style(Self.black), outlines: [ring], at: [(10, 30)])
    #expect(bitmap[10, 29].alpha == 128)
  }

  @Test("Random labels are as with Cairo, apart from the sampling of coverage")
  func randomLabels() throws {
    var lists = RandomLists(seed: 11, width: 200, height: 160)
    let list = DisplayList(width: 200, height: 160, background: nil)
    var (compared, inked) = (0, 0)
    for _ in 0..<20 {
      var own = list
      own.labels = [DisplayLayer(index: 0, name: "l", opacity: 1, batches: [.labels(lists.labels(count: 6))])]
      let fast = try CairoPainter.bitmap(of: own)
      let reference = try CairoPainter.bitmap(of: own, method: .reference)
      for index in fast.pixels.indices where index % 4 == 3 {
        compared += 1
        inked += fast.pixels[index] > 0 ? 1 : 0
        #expect(abs(Int(fast.pixels[index]) - Int(reference.pixels[index])) <= 40)
      }
    }
    #expect(compared == 20 * 200 * 160)
    #expect(inked > 20_000)
  }

  @Test("Glyph curves are round, and slanted letters lean to the right above the baseline")
  func shapes() throws {
    // A quarter of a circle of radius 10, by the usual cubic curve.
    let k = 0.5522847
    let quarter = GlyphOutline(steps: [
      .move(x: 0, y: 0), .line(x: 1, y: 0), .curve(x1: 1, y1: k, x2: k, y2: 1, x: 0, y: 1), .close,
    ])
    let disc = try Self.bitmap(Self.style(Self.black), outlines: [quarter], at: [(10, 30)])
    #expect(abs(ink(disc) - 25 * Double.pi) < 0.5)
    let slanted = try Self.bitmap(Self.style(Self.black, slant: 0.2), at: [(10, 30)])
    // Twenty pixels at the edges are rounded, each by at most half of 1/255.
    #expect(abs(ink(slanted) - 100) < 0.04)
    #expect(slanted[21, 20].alpha > 200)
    #expect(slanted[10, 20].alpha == 0)
    #expect(slanted[10, 29].alpha > 200)
  }

  @Test("A layer's opacity acts on letters and halo as a whole")
  func opacity() throws {
    let bitmap = try Self.bitmap(Self.style(Self.black, halo: Self.red, 3), at: [(10, 30)], opacity: 0.5)
    #expect(bitmap[15, 25].alpha == 128)
    #expect(bitmap[15, 25].red == 0)
    #expect(bitmap[8, 25].alpha == 128)
  }

  @Test("A batch with invalid indexes is refused, and labels at invalid positions are not painted")
  func inconsistent() throws {
    let item = LabelItem(
      text: "x", style: 0, row: 0, box: Envelope(xMin: 0, yMin: 0, xMax: 9, yMax: 9),
      glyphs: [LabelItem.Glyph(outline: 1, x: 0, y: 0)])
    for batch in [
      LabelBatch(outlines: [Self.box], styles: [Self.style(Self.black)], items: [item]),
      LabelBatch(outlines: [Self.box, Self.box], styles: [], items: [item]),
    ] {
      #expect(throws: PaintError.self) { try CairoPainter.bitmap(of: oneLayer([.labels(batch)])) }
    }
    for x in [Double.nan, .infinity, 1e30] {
      let far = LabelItem(
        text: "x", style: 0, row: 0, box: Envelope(xMin: x, yMin: 0, xMax: x, yMax: 9),
        glyphs: [LabelItem.Glyph(outline: 0, x: x, y: 5)])
      let batch = LabelBatch(outlines: [Self.box], styles: [Self.style(Self.black)], items: [far])
      #expect(ink(try CairoPainter.bitmap(of: oneLayer([.labels(batch)]))) == 0)
    }
  }

  @Test("Labels own no pixel of an id image")
  func idPicture() throws {
    var list = DisplayList(width: 20, height: 20, background: nil)
    let item = LabelItem(
      text: "x", style: 0, row: 5, box: Envelope(xMin: 0, yMin: 0, xMax: 20, yMax: 20),
      glyphs: [LabelItem.Glyph(outline: 0, x: 5, y: 15)])
    list.labels = [
      DisplayLayer(
        index: 0, name: "test", opacity: 1,
        batches: [.labels(LabelBatch(outlines: [Self.box], styles: [Self.style(Self.black)], items: [item]))])
    ]
    let ids = try IDPainter.image(of: list)
    #expect((0..<20).allSatisfy { x in (0..<20).allSatisfy { y in ids[x, y] == nil } })
  }
}
