import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Painting work grows at most as n log n with the number of vertices, for one image size.
///
/// Counters measure it, not clocks.
@Suite struct PaintingGrowthTests {
  /// A way to paint a path.
  enum Case: String, CaseIterable, CustomTestStringConvertible {
    case fill, crossHatch, dashes, wide, wideRound, thin, outline

    var testDescription: String { rawValue }

    var kind: GeometryKind {
      switch self {
      case .fill, .crossHatch, .outline: .polygon
      case .dashes, .wide, .wideRound, .thin: .polyline
      }
    }

    var style: PathStyle {
      func stroke(_ width: Double, _ join: SimpleLineSymbol.Join = .miter) -> Stroke {
        let cap = join == .round ? SimpleLineSymbol.Cap.round : .butt
        return Stroke(
          color: Color(red: 0, green: 0, blue: 200, alpha: 160), width: width, cap: cap, join: join)
      }
      return switch self {
      case .fill: PathStyle(fill: .black, stroke: nil, classIndex: 0)
      case .crossHatch:
        PathStyle(
          fill: nil, hatch: Hatch(style: .cross, color: .black, pixelRatio: 1), stroke: nil, classIndex: 0)
      case .dashes: PathStyle(fill: nil, stroke: stroke(2), isOpen: true, classIndex: 0)
      case .wide: PathStyle(fill: nil, stroke: stroke(40), classIndex: 0)
      case .wideRound: PathStyle(fill: nil, stroke: stroke(12, .round), classIndex: 0)
      case .thin, .outline: PathStyle(fill: nil, stroke: stroke(1), classIndex: 0)
      }
    }
  }

  static let (width, height) = (300, 200)

  /// A path that crosses itself all over the image in steps of a few pixels.
  static func walk(_ count: Int) -> [(Double, Double)] {
    var random = SeededGenerator(seed: 20)
    var (x, y) = (150.0, 100.0)
    return (0..<count).map { _ in
      x = min(max(x + Double.random(in: -5...5, using: &random), 0), Double(width))
      y = min(max(y + Double.random(in: -5...5, using: &random), 0), Double(height))
      return (x, y)
    }
  }

  static func counts(_ way: Case, _ count: Int) throws -> PaintingWork.Counts {
    let chain = walk(count)
    var batch = PathBatch(styles: [way.style], kind: way.kind)
    if way == .dashes {
      let cutter = DashedPath(
        pattern: DashPattern(lengths: [8, 6]), window: Envelope(xMin: -10, yMin: -10, xMax: 310, yMax: 210))
      cutter.append(x: chain.map(\.0)[...], y: chain.map(\.1)[...], to: &batch.geometry)
    } else {
      for (x, y) in chain + (way.kind == .polygon ? [chain[0]] : []) {
        batch.geometry.appendVertex(x: x, y: y)
      }
      batch.geometry.endPart()
    }
    batch.geometry.endRow()
    batch.style.append(0)
    batch.row.append(0)
    let work = PaintingWork()
    let list = oneLayer([.paths(batch)], width: width, height: height)
    #expect(ink(try CairoPainter.bitmap(of: list, work: work)) > 100)
    return work.counts
  }

  @Test("Painting work grows as n log n from a thousand to a million vertices", arguments: Case.allCases)
  func growth(way: Case) throws {
    // A round join has about fifty chords.
    let sizes = way == .wideRound ? [1000, 10_000, 100_000] : [1000, 10_000, 100_000, 1_000_000]
    let counts = try sizes.map { try Self.counts(way, $0) }
    #expect(counts.count == sizes.count)
    for ((size, before), (larger, after)) in zip(zip(sizes, counts), zip(sizes, counts).dropFirst()) {
      // Cairo clips hatches of few vertices itself, which the counters do not include.
      if way == .crossHatch, size < 2048 { continue }
      // n log n, doubled for costs that a thousand vertices do not show yet.
      let limit = Double(larger) / Double(size) * (log(Double(larger)) / log(Double(size))) * 2
      for (name, path) in Self.counters {
        let (few, many) = (Double(before[keyPath: path]), Double(after[keyPath: path]))
        #expect(
          many <= limit * max(few, Double(size)), "\(way.rawValue) \(larger): \(name) \(few) -> \(many)")
      }
      // Cairo gets no path that grows with the input.
      #expect(after.vertices <= 2048 + size)
    }
    let last = counts[counts.count - 1]
    #expect(last.edges + last.pieces > sizes[sizes.count - 1] / 4)
    #expect(last.bytes < 1 << 30)
  }

  static let counters: [(String, any KeyPath<PaintingWork.Counts, Int> & Sendable)] = [
    ("edges", \.edges), ("spans", \.spans), ("crossings", \.crossings), ("pieces", \.pieces),
  ]

  /// When dashes were searched at each step, a path of a few thousand segments took a hundred kilobytes per
  /// segment.
  @Test("A long path has as many dashes as its length requires", arguments: [1.0, 106.66666666666667, 3840])
  func dashes(unit: Double) throws {
    var random = SeededGenerator(seed: 21)
    let pattern = [8.0, 3, 1, 3, 1, 3].map { $0 * unit }
    let total = pattern.reduce(0, +)
    let x = (0..<20_000).map { _ in Double.random(in: 0...1000, using: &random) }
    let y = (0..<20_000).map { _ in Double.random(in: 0...1000, using: &random) }
    var path = CoordinateBuffer(kind: .polyline)
    DashedPath(
      pattern: DashPattern(lengths: pattern), window: Envelope(xMin: 0, yMin: 0, xMax: 1000, yMax: 1000)
    )
    .append(x: x[...], y: y[...], to: &path)
    path.endRow()
    let length = zip(zip(x, y), zip(x, y).dropFirst()).reduce(0.0) {
      $0 + hypot($1.1.0 - $1.0.0, $1.1.1 - $1.0.1)
    }
    #expect(path.vertexCount > 10_000)
    // Three dashes per pattern with two vertices each, and one more for each vertex of the path.
    #expect(Double(path.vertexCount) < 6 * length / total + 2 * 20_000)
  }

  @Test("A dashed path far outside the image is cut to few vertices")
  func farDashes() {
    var path = CoordinateBuffer(kind: .polyline)
    let (x, y) = ([-1e300, 1e300, 5, 1e18, -1e18, 10, .infinity], [5, 5, 5, 5.0, 5, 5, 5])
    DashedPath(
      pattern: DashPattern(lengths: [0.001, 1]), window: Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10)
    )
    .append(x: x[...], y: y[...], to: &path)
    path.endRow()
    #expect(path.vertexCount < 100)
  }

  /// Paints the same path twice, once with vertices outside the image that make it long.
  @Test("Long areas and strokes are painted like short ones")
  func long() throws {
    let chain = Self.walk(1500)
    // Zero width, left of the image.
    let beside = (0..<140_000).map { index in (-500.0, index % 2 == 0 ? -20.0 : 220.0) }
    for way in [Case.crossHatch, .fill, .thin, .wide] {
      let one = way.kind == .polygon ? [chain + [chain[0]]] : [chain]
      let list = oneLayer([path(way.kind, way.style, one)], width: Self.width, height: Self.height)
      let long = oneLayer([path(way.kind, way.style, one + [beside])], width: Self.width, height: Self.height)
      let (a, b) = (try CairoPainter.bitmap(of: list), try CairoPainter.bitmap(of: long))
      #expect(ink(a) > 1000)
      let difference = LongStrokeTests.difference(a, b)
      // Cairo samples the inside of a hatch, and long hatches are exact; an edge on a hatch line shows the
      // difference.
      #expect(difference.mean < 1, "\(way.rawValue): \(difference)")
      #expect(difference.largest <= 80, "\(way.rawValue): \(difference)")
      // Without anti-aliasing a pixel is covered when its centre is.
      let (owner, longOwner) = (try IDPainter.image(of: list), try IDPainter.image(of: long))
      #expect(owner.layer.count { $0 == 0 } > 1000)
      let differing = zip(owner.layer, longOwner.layer).count { $0 != $1 }
      // Cairo rounds vertices to 1/256 of a pixel, and 1,500 crossing segments pass that close to many pixel
      // centres.
      #expect(differing < 1000, "\(way.rawValue): \(differing) owners")
    }
  }

  @Test("Rows with very many crossings are covered correctly")
  func crowded() throws {
    // A comb with teeth narrower than a pixel covers half of each pixel.
    let teeth = 1200
    var comb: [(Double, Double)] = []
    for tooth in 0..<teeth {
      let x = 300 * Double(tooth) / Double(teeth)
      comb += [(x, 10), (x, 190), (x + 150 / Double(teeth), 190), (x + 150 / Double(teeth), 10)]
    }
    let style = Case.fill.style
    // A bow tie over it also covers half of each pixel and is visible in the rows without teeth.
    let list = oneLayer(
      [path(.polygon, style, [comb + [comb[0]], [(0, 0), (300, 200), (300, 0), (0, 200), (0, 0)]])],
      width: 300, height: 200)
    let work = PaintingWork()
    let bitmap = try CairoPainter.bitmap(of: list, work: work)
    #expect(work.counts.crossings > 1_000_000)
    #expect(abs(ink(bitmap) - 300 * 180 / 2 - 300) < 600, "\(ink(bitmap))")
    #expect(abs(Int(bitmap[150, 100].alpha) - 128) <= 16)
    #expect(abs(Int(bitmap[40, 150].alpha) - 128) <= 16)
  }
}
