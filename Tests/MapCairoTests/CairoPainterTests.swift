import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// A display list of one layer.
func oneLayer(
  _ batches: [DisplayBatch], width: Int = 40, height: Int = 40, background: Color? = nil, opacity: Double = 1
) -> DisplayList {
  DisplayList(
    width: width, height: height, background: background,
    layers: [DisplayLayer(index: 0, name: "test", opacity: opacity, batches: batches)])
}

/// A batch of markers of one style.
func markers(_ style: MarkerStyle, at places: [(Double, Double)]) -> DisplayBatch {
  var batch = MarkerBatch(styles: [style])
  for (row, place) in places.enumerated() {
    batch.x.append(place.0)
    batch.y.append(place.1)
    batch.style.append(0)
    batch.row.append(Int32(row))
  }
  return .markers(batch)
}

/// A batch of one line or area.
func path(_ kind: GeometryKind, _ style: PathStyle, _ parts: [[(Double, Double)]]) -> DisplayBatch {
  var batch = PathBatch(styles: [style], kind: kind)
  for part in parts {
    for (x, y) in part { batch.geometry.appendVertex(x: x, y: y) }
    batch.geometry.endPart()
  }
  batch.geometry.endRow()
  batch.style.append(0)
  batch.row.append(0)
  return .paths(batch)
}

/// A marker style without outline.
func filled(_ shape: MarkerShape, _ size: Double, _ color: Color = .black) -> MarkerStyle {
  MarkerStyle(shape: shape, size: size, fill: color, outline: nil, classIndex: 0)
}

/// The amount of paint on a transparent image, in opaque pixels.
func ink(_ bitmap: Bitmap) -> Double {
  stride(from: 3, to: bitmap.pixels.count, by: 4).reduce(0) { $0 + Double(bitmap.pixels[$1]) } / 255
}

@Suite struct CairoPainterTests {
  let red = Color(red: 255, green: 0, blue: 0)

  @Test("The ink of a circle equals its area within 1 %", arguments: [2, 3, 4, 6, 8, 10, 25.5, 35])
  func circleArea(size: Double) throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20 {
      let place = (Double.random(in: 19...21, using: &random), Double.random(in: 19...21, using: &random))
      let covered = ink(try CairoPainter.bitmap(of: oneLayer([markers(filled(.circle, size), at: [place])])))
      let area = Double.pi * size * size / 4
      #expect(abs(covered - area) < area * 0.01, "\(covered), not \(area)")
    }
  }

  @Test("A square on whole pixels has exact edges")
  func squareHasExactEdges() throws {
    let bitmap = try CairoPainter.bitmap(of: oneLayer([markers(filled(.square, 6, red), at: [(10, 20)])]))
    for y in 0..<40 {
      for x in 0..<40 {
        let inside = (7..<13).contains(x) && (17..<23).contains(y)
        #expect(bitmap[x, y] == PixelColor(red: inside ? 255 : 0, green: 0, blue: 0, alpha: inside ? 255 : 0))
      }
    }
  }

  @Test("A square on half pixels covers its edge pixels by half")
  func halfPixelsAreHalfCovered() throws {
    let bitmap = try CairoPainter.bitmap(of: oneLayer([markers(filled(.square, 6), at: [(10.5, 20)])]))
    #expect(bitmap[7, 20].alpha == 128 || bitmap[7, 20].alpha == 127)
    #expect(bitmap[8, 20].alpha == 255)
    #expect(bitmap[13, 20].alpha == 128 || bitmap[13, 20].alpha == 127)
  }

  @Test("An outline lies half outside and half inside the shape", arguments: [1.0, 2, 4])
  func outlineWidth(width: Double) throws {
    let blue = Color(red: 0, green: 0, blue: 255)
    let square = MarkerStyle(
      shape: .square, size: 12, fill: red, outline: Stroke(color: blue, width: width), classIndex: 0)
    let bitmap = try CairoPainter.bitmap(of: oneLayer([markers(square, at: [(20, 20)])]))
    // The corners are sharp, because joins are miters.
    #expect(abs(ink(bitmap) - (12 + width) * (12 + width)) < 0.5)
    #expect(bitmap[20, 20] == PixelColor(red: 255, green: 0, blue: 0))
    let edge = bitmap[20, 14]
    if width == 1 {
      #expect(edge.blue == 128)
      #expect(edge.red == 127)
    } else {
      #expect(edge == PixelColor(red: 0, green: 0, blue: 255))
    }

    let circle = MarkerStyle(
      shape: .circle, size: 12, fill: nil, outline: Stroke(color: blue, width: width), classIndex: 0)
    let ring = Double.pi * 12 * width
    let covered = ink(try CairoPainter.bitmap(of: oneLayer([markers(circle, at: [(20.3, 19.8)])])))
    #expect(abs(covered - ring) < ring * 0.02, "\(covered), not \(ring)")
  }

  @Test("A line has butt caps and exactly its stroke width")
  func linesHaveButtCapsAndTheirWidth() throws {
    let style = PathStyle(fill: nil, stroke: Stroke(color: red, width: 2), classIndex: 0)
    let bitmap = try CairoPainter.bitmap(of: oneLayer([path(.polyline, style, [[(5, 10), (15, 10)]])]))
    for y in 0..<40 {
      for x in 0..<40 {
        let inside = (5..<15).contains(x) && (9..<11).contains(y)
        #expect(bitmap[x, y].alpha == (inside ? 255 : 0))
      }
    }
  }

  @Test("A miter join turns into a bevel beyond the miter limit")
  func miterTurnsIntoBevelAtTheLimit() throws {
    let style = PathStyle(fill: nil, stroke: Stroke(color: red, width: 2), classIndex: 0)
    // A miter is 1 / sin(half the angle) line widths long: 10 widths at 11.478 degrees.
    func reach(halfAngle: Double) throws -> Int {
      let rise = 20 * halfAngle * Double.pi / 180  // tan x is x within 0.4 %
      let spike = [(5.0, 20 - rise), (25.0, 20), (5, 20 + rise)]
      let bitmap = try CairoPainter.bitmap(of: oneLayer([path(.polyline, style, [spike])]))
      return (0..<40).last { bitmap[$0, 20].alpha > 0 || bitmap[$0, 19].alpha > 0 } ?? 0
    }
    #expect(try reach(halfAngle: 6.5) >= 32)
    #expect(try reach(halfAngle: 5) <= 26)
  }

  @Test("Nested rings are filled by the even-odd rule")
  func ringsAreFilledByTheEvenOddRule() throws {
    let style = PathStyle(fill: red, stroke: nil, classIndex: 0)
    func square(_ a: Double, _ b: Double) -> [(Double, Double)] { [(a, a), (b, a), (b, b), (a, b), (a, a)] }
    let bitmap = try CairoPainter.bitmap(
      of: oneLayer([path(.polygon, style, [square(5, 35), square(10, 30), square(15, 25)])]))
    #expect([7, 12, 20].map { bitmap[$0, 20].alpha } == [255, 0, 255])
    #expect(ink(bitmap) == 600)  // 900 - 400 + 100
  }

  @Test("A polygon ring is joined at its start, and a closed line is not")
  func closedRingsHaveNoCaps() throws {
    let style = PathStyle(fill: nil, stroke: Stroke(color: red, width: 4), classIndex: 0)
    let ring = [(10.0, 10.0), (30, 10), (30, 30), (10, 30), (10, 10)]
    let bitmap = try CairoPainter.bitmap(of: oneLayer([path(.polygon, style, [ring])]))
    #expect(bitmap[8, 8].alpha == 255)
    let open = try CairoPainter.bitmap(of: oneLayer([path(.polyline, style, [ring])]))
    #expect(open[8, 8].alpha == 0)
  }

  @Test("A layer's opacity applies to the layer as a whole and not to each item")
  func groupOpacity() throws {
    let batch = markers(filled(.square, 10, red), at: [(15, 20), (20, 20)])
    let group = try CairoPainter.bitmap(of: oneLayer([batch], opacity: 0.5))
    let single = group[12, 20]
    #expect(single == group[17, 20])
    #expect(single == group[23, 20])
    #expect(single == PixelColor(red: 255, green: 0, blue: 0, alpha: 128))
    // Transparent items in an opaque layer do add up.
    let clear = Color(red: 255, green: 0, blue: 0, alpha: 128)
    let items = try CairoPainter.bitmap(
      of: oneLayer([markers(filled(.square, 10, clear), at: [(15, 20), (20, 20)])]))
    #expect(items[12, 20].alpha == 128)
    #expect(items[17, 20].alpha == 192)
  }

  @Test("An opacity of 0 paints nothing", arguments: [0, -1, .nan] as [Double])
  func noOpacity(opacity: Double) throws {
    let batch = markers(filled(.square, 10, red), at: [(15, 20)])
    let list = oneLayer([batch], background: .white, opacity: opacity)
    #expect(try CairoPainter.bitmap(of: list).pixels.allSatisfy { $0 == 255 })
    #expect(try IDPainter.image(of: list).layer.allSatisfy { $0 == -1 })
  }

  /// Source: the rule of source-over (W3C Compositing and Blending 1, 9.1.4), each product rounded to 8 bits.
  @Test("Transparent colours blend by the source-over rule")
  func blendsBySourceOver() throws {
    var random = SeededGenerator(seed: 9)
    func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<300 {
      let below = Color(red: byte(), green: byte(), blue: byte())
      let above = Color(red: byte(), green: byte(), blue: byte(), alpha: byte())
      let bitmap = try CairoPainter.bitmap(
        of: oneLayer(
          [markers(filled(.square, 4, above), at: [(4, 4)])], width: 8, height: 8, background: below))
      let alpha = Double(above.alpha) / 255
      func over(_ above: UInt8, _ below: UInt8) -> Double {
        Double(above) * alpha + Double(below) * (1 - alpha)
      }
      let pixel = bitmap[4, 4]
      #expect(pixel.alpha == 255)
      // Cairo truncates the premultiplied source to 8 bits and rounds the rest: under 1.5 steps.
      #expect(abs(Double(pixel.red) - over(above.red, below.red)) < 1.5)
      #expect(abs(Double(pixel.green) - over(above.green, below.green)) < 1.5)
      #expect(abs(Double(pixel.blue) - over(above.blue, below.blue)) < 1.5)
      #expect(
        bitmap[0, 0] == PixelColor(red: below.red, green: below.green, blue: below.blue))
    }
  }

  @Test("A transparent background stays transparent")
  func backgroundMayBeClear() throws {
    let list = DisplayList(
      width: 3, height: 2, background: Color(red: 255, green: 0, blue: 0, alpha: 51), layers: [])
    #expect(try CairoPainter.bitmap(of: list)[1, 1] == PixelColor(red: 255, green: 0, blue: 0, alpha: 51))
  }

  @Test("Coordinates and sizes that Cairo cannot represent are not painted")
  func hostileNumbers() throws {
    let hostile = [
      Double.nan, .infinity, -.infinity, 1e300, -1e300, 65_537, -65_537, 8_388_607, -8_388_609, 1e18,
    ]
    let stroke = Stroke(color: red, width: 3)
    for value in hostile {
      for other in hostile + [20] {
        let batches = [
          markers(filled(.circle, 6), at: [(value, other), (other, value)]),
          path(
            .polygon, PathStyle(fill: red, stroke: stroke, classIndex: 0),
            [[(5, 5), (value, other), (9, 9), (5, 5)]]),
          path(.polyline, PathStyle(fill: nil, stroke: stroke, classIndex: 0), [[(5, 5), (other, value)]]),
        ]
        let bitmap = try CairoPainter.bitmap(of: oneLayer(batches))
        #expect(ink(bitmap) == 0)
      }
      let sizes = [
        markers(filled(.circle, value), at: [(20, 20)]),
        path(
          .polyline, PathStyle(fill: nil, stroke: Stroke(color: red, width: value), classIndex: 0),
          [[(5, 5), (15, 5)]]),
      ]
      _ = try CairoPainter.bitmap(of: oneLayer(sizes))
    }
  }

  @Test("A line that ends far outside the image is painted at the right position")
  func farLines() throws {
    var random = SeededGenerator(seed: 5)
    let style = PathStyle(fill: nil, stroke: Stroke(color: red, width: 3), classIndex: 0)
    for _ in 0..<200 {
      let angle = Double.random(in: 0...2 * .pi, using: &random)
      // A step of at most 1 px along both axes.
      let (dx, dy) = (
        cos(angle) / max(abs(cos(angle)), abs(sin(angle))), sin(angle) / max(abs(cos(angle)), abs(sin(angle)))
      )
      func line(_ reach: Double) throws -> Bitmap {
        let ends = [(20 - dx * reach, 20 - dy * reach), (20 + dx * reach, 20 + dy * reach)]
        return try CairoPainter.bitmap(of: oneLayer([path(.polyline, style, [ends])]))
      }
      let (near, far) = try (line(100), line(65_500))
      #expect(ink(near) > 100)
      // The ends are rounded to 1/256 px, which moves the visible line by as much.
      if case .differs(let difference) = ImageComparison(expected: near, actual: far, tolerance: 20) {
        // Straight colours of nearly transparent pixels are inexact, but red is the only colour here.
        Issue.record("\(angle): \(difference.differing) pixels differ, by \(difference.largest)")
      }
    }
  }

  @Test("A marker much larger than the image covers all of it")
  func largeMarkersCoverThePicture() throws {
    let list = oneLayer([markers(filled(.circle, 1e9), at: [(20, 20)])])
    #expect(ink(try CairoPainter.bitmap(of: list)) == 1600)
  }

  @Test(
    "Impossible image sizes are refused",
    arguments: [(0, 5), (5, -1), (32_768, 5), (32_767, 32_767), (.max, .max)])
  func sizes(width: Int, height: Int) {
    let list = DisplayList(width: width, height: height, background: nil)
    #expect(throws: PaintError.self) { try CairoPainter.bitmap(of: list) }
    #expect(throws: PaintError.self) { try IDPainter.image(of: list) }
  }

  @Test("A batch with inconsistent arrays or kinds is refused")
  func refusesBatchesThatDoNotFit() throws {
    var short = MarkerBatch(styles: [filled(.circle, 6)])
    (short.x, short.y, short.style, short.row) = ([1, 2], [1], [0, 0], [0, 1])
    var styleless = short
    (styleless.x, styleless.style, styleless.row) = ([1], [1], [0])
    var points = PathBatch(styles: [PathStyle(fill: red, stroke: nil, classIndex: 0)], kind: .point)
    points.geometry.appendPoint(x: 1, y: 1)
    (points.style, points.row) = ([0], [0])
    for batch in [DisplayBatch.markers(short), .markers(styleless), .paths(points)] {
      #expect(throws: PaintError.self) { try CairoPainter.bitmap(of: oneLayer([batch])) }
      #expect(throws: PaintError.self) { try IDPainter.image(of: oneLayer([batch])) }
    }
  }

  @Test("Empty batches and rows without geometry paint nothing")
  func paintsNothingForEmptyBatchesAndRows() throws {
    var paths = PathBatch(styles: [PathStyle(fill: red, stroke: nil, classIndex: 0)], kind: .polygon)
    paths.geometry.appendEmptyRow()
    (paths.style, paths.row) = ([0], [0])
    let list = oneLayer([.paths(paths), .markers(MarkerBatch(styles: []))])
    #expect(ink(try CairoPainter.bitmap(of: list)) == 0)
  }
}
