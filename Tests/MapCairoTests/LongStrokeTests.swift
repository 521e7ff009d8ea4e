import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// A path is stroked in pieces when many segments are side by side.
///
/// Segments outside the image also count, so the same path can be painted both ways.
@Suite struct LongStrokeTests {
  typealias Chain = [(Double, Double)]

  /// A stroke style and how it is compared.
  struct Look: CustomTestStringConvertible {
    let width: Double
    var cap = SimpleLineSymbol.Cap.butt
    var join = SimpleLineSymbol.Join.miter
    var alpha: UInt8 = 255
    var testDescription: String { "\(width) px, \(cap), \(join), alpha \(alpha)" }

    var style: PathStyle {
      PathStyle(
        fill: nil,
        stroke: Stroke(
          color: Color(red: 200, green: 0, blue: 0, alpha: alpha), width: width, cap: cap, join: join),
        classIndex: 0)
    }
  }

  static let looks = [
    Look(width: 1), Look(width: 3, cap: .square, alpha: 100), Look(width: 3, cap: .round, join: .round),
    Look(width: 8, cap: .round, join: .bevel), Look(width: 8, cap: .square, join: .bevel),
    Look(width: 8, alpha: 128), Look(width: 8, join: .round, alpha: 128), Look(width: 40, join: .round),
  ]

  /// Segments outside the image over all its rows.
  static let crowd: Chain = (0..<1500).map { (5000, $0 % 2 == 0 ? -20 : 280) }

  /// A zigzag along a spiral, which does not cross itself.
  static let spiral: Chain = (0..<700).map { index in
    let turn = Double(index) / 40
    let radius = 20 + turn * 5.5 + (index % 2 == 0 ? 0 : 0.4)
    return (150 + radius * cos(turn), 130 + radius * sin(turn))
  }

  static func walk(_ count: Int, step: Double, seed: UInt64) -> Chain {
    var random = SeededGenerator(seed: seed)
    var (x, y) = (150.0, 130.0)
    return (0..<count).map { _ in
      x = min(max(x + Double.random(in: -step...step, using: &random), -30), 330)
      y = min(max(y + Double.random(in: -step...step, using: &random), -30), 290)
      return (x, y)
    }
  }

  static func list(_ kind: GeometryKind, _ look: Look, _ parts: [Chain]) -> DisplayList {
    oneLayer([path(kind, look.style, parts)], width: 300, height: 260)
  }

  static func bitmap(_ kind: GeometryKind, _ look: Look, _ parts: [Chain]) throws -> Bitmap {
    try CairoPainter.bitmap(of: list(kind, look, parts), method: .reference)
  }

  /// Largest and mean difference of alpha.
  static func difference(_ a: Bitmap, _ b: Bitmap) -> (largest: Int, mean: Double) {
    var (largest, sum) = (0, 0)
    for place in stride(from: 3, to: a.pixels.count, by: 4) {
      let difference = abs(Int(a.pixels[place]) - Int(b.pixels[place]))
      largest = max(largest, difference)
      sum += difference
    }
    return (largest, Double(sum) / Double(a.width * a.height))
  }

  @Test("A line or ring painted in pieces equals the single stroke", arguments: looks)
  func pieces(look: Look) throws {
    for kind in [GeometryKind.polyline, .polygon] {
      let chain = kind == .polygon ? Self.spiral + [Self.spiral[0]] : Self.spiral
      let one = try Self.bitmap(kind, look, [chain])
      let many = try Self.bitmap(kind, look, [chain, Self.crowd + [Self.crowd[0]]])
      #expect(ink(one) > 1000)
      let (largest, mean) = Self.difference(one, many)
      // Cairo's own rounding gives 17 of 255; where the stroke meets itself, edges of two pieces share
      // pixels.
      #expect(mean < 0.01, "\(kind): mean \(mean)")
      if kind == .polyline, look.width < 5 { #expect(largest <= 20, "\(largest)") }
    }
  }

  @Test("A long line that crosses itself nearly equals the single stroke", arguments: looks)
  func crossings(look: Look) throws {
    let chain = Self.walk(1000, step: 25, seed: 4)
    let (one, many) = try (
      Self.bitmap(.polyline, look, [chain]), Self.bitmap(.polyline, look, [chain, Self.crowd])
    )
    // In units of 255, over all pixels.
    let (_, mean) = Self.difference(one, many)
    #expect(one != many || look.width > 30)
    #expect(mean < 1, "\(mean)")
  }

  @Test("A transparent line has one alpha where its pieces overlap", arguments: [1, 77, 128] as [UInt8])
  func clear(alpha: UInt8) throws {
    let chain = Self.walk(3000, step: 25, seed: 5)
    let bitmap = try Self.bitmap(.polyline, Look(width: 12, alpha: alpha), [chain])
    let alphas = stride(from: 3, to: bitmap.pixels.count, by: 4).map { bitmap.pixels[$0] }
    #expect(alphas.max() == alpha)
    #expect(alphas.count { $0 == alpha } > 50_000)
  }

  @Test("Many short parts painted in pieces equal the single stroke", arguments: looks)
  func parts(look: Look) throws {
    let chain = Self.spiral
    let dashes = stride(from: 0, to: chain.count - 3, by: 4).map { Array(chain[$0..<$0 + 3]) }
    let one = try Self.bitmap(.polyline, look, dashes)
    let (largest, mean) = Self.difference(one, try Self.bitmap(.polyline, look, dashes + [Self.crowd]))
    #expect(mean < (look.width > 20 ? 0.2 : 0.02), "\(largest), mean \(mean)")
    #expect(largest < 128, "\(largest), mean \(mean)")
  }

  @Test(
    "Repeated vertices and short parts among long ones do not change the stroke",
    arguments: looks.filter { $0.width < 5 })
  func mixed(look: Look) throws {
    let ends: [Chain] = [[(5, 5), (5, 60), (12, 70)], Self.spiral, [(280, 10), (290, 240)], Self.crowd]
    let one = try Self.bitmap(.polyline, look, Array(ends.dropLast()))
    #expect(Self.difference(one, try Self.bitmap(.polyline, look, ends)).largest <= 20)
    let repeated = Self.spiral.flatMap { Array(repeating: $0, count: 100) }
    let many = try Self.bitmap(.polyline, look, [ends[0], repeated, ends[2], Self.crowd])
    #expect(Self.difference(one, many).largest <= 20)
  }

  @Test("A path with one repeated position paints a round dot")
  func dot() throws {
    let dot = Array(repeating: (20.0, 20.0), count: 3000)
    let round = Look(width: 10, cap: .round, join: .round)
    #expect(abs(ink(try Self.bitmap(.polyline, round, [dot])) - 25 * .pi) < 1)
  }

  @Test("Long strokes are the same for any number of threads and nearly the same in bands")
  func bands() throws {
    for look in [Look(width: 3, alpha: 128), Look(width: 40)] {
      let list = Self.list(.polyline, look, [Self.walk(3000, step: 25, seed: 6)])
      let whole = try CairoPainter.bitmap(of: list)
      #expect(try CairoPainter.bitmap(of: list, threads: 3) == whole)
      for rows in [1, 7, 50] {
        let cut = try BandTests().paint(list, bandRows: rows)
        if case .differs(let difference) = ImageComparison(expected: whole, actual: cut) {
          #expect(difference.differing <= 10)
          #expect(difference.largest <= 40)
        }
      }
    }
  }

  @Test("A long path owns nearly the same pixels as the single stroke")
  func owners() throws {
    for width in [2.5, 12] {
      let chain = Self.walk(700, step: 25, seed: 7)
      let one = try IDPainter.image(of: Self.list(.polyline, Look(width: width), [chain]))
      let many = try IDPainter.image(of: Self.list(.polyline, Look(width: width), [chain, Self.crowd]))
      #expect(one.layer.count { $0 == 0 } > 10_000)
      // Without anti-aliasing Cairo closes gaps narrower than a pixel inside one stroke.
      #expect(zip(one.layer, many.layer).allSatisfy { $0 == $1 || $0 == 0 })
      #expect(zip(one.layer, many.layer).count { $0 != $1 } < 500)
    }
  }

  /// As a single Cairo stroke, 20,000 segments of 200 pixels took a minute in a release build.
  @Test("Painting work grows linearly with the number of vertices", arguments: [1.5, 30, 200, 720])
  func cost(width: Double) throws {
    var random = SeededGenerator(seed: 8)
    let chain: Chain = (0..<20_000).map { _ in
      (Double.random(in: 0...800, using: &random), Double.random(in: 0...600, using: &random))
    }
    func work(_ count: Int) throws -> PaintingWork.Counts {
      let list = oneLayer(
        [path(.polyline, Look(width: width).style, [Array(chain.prefix(count))])], width: 800, height: 600)
      let work = PaintingWork()
      #expect(ink(try CairoPainter.bitmap(of: list, work: work)) > 100_000)
      return work.counts
    }
    let (some, all) = try (work(5000), work(20_000))
    #expect(some.edges > 5000)
    #expect(all.vertices == 0)
    #expect(all.edges < 5 * some.edges)
    #expect(all.spans < 5 * some.spans)
    #expect(all.pieces <= 5 * max(some.pieces, 1))
    #expect(all.bytes < 4 * some.bytes + 20_000 * 1000)
  }
}
