import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Fills compared with their exact coverage by the even-odd rule, from 64 x 64 samples per pixel, and with
/// Cairo's.
@Suite struct FillCoverageTests {
  typealias Ring = [(Double, Double)]
  typealias Errors = StrokeCoverageTests.Errors
  static let side = StrokeCoverageTests.side
  static let samples = StrokeCoverageTests.samples

  /// The exact coverage of each pixel.
  static func exact(_ rings: [Ring]) -> [Double] {
    var counts = Array(repeating: 0, count: side * side)
    for row in 0..<side * samples {
      let y = (Double(row) + 0.5) / Double(samples)
      var crossings: [Double] = []
      for ring in rings {
        for index in ring.indices {
          let (a, b) = (ring[index], ring[(index + 1) % ring.count])
          guard (a.1 <= y) != (b.1 <= y) else { continue }
          crossings.append(a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0))
        }
      }
      crossings.sort()
      for pair in stride(from: 1, to: crossings.count, by: 2) {
        let first = max(0, Int((crossings[pair - 1] * Double(samples) - 0.5).rounded(.up)))
        let end = min(side * samples, Int((crossings[pair] * Double(samples) - 0.5).rounded(.up)))
        for column in first..<max(first, end) { counts[row / samples * side + column / samples] += 1 }
      }
    }
    return counts.map { Double($0) / Double(samples * samples) }
  }

  static func picture(_ rings: [Ring], _ method: PaintingMethod, color: Color = .black) throws -> Bitmap {
    let area = path(
      .polygon, PathStyle(fill: color, stroke: nil, classIndex: 0), rings.map { $0 + $0.prefix(1) })
    return try CairoPainter.bitmap(of: oneLayer([area], width: side, height: side), method: method)
  }

  /// A ring around a point that does not cross itself, partly outside the image.
  static func star(_ random: inout SeededGenerator, x: Double, y: Double, radius: Double) -> Ring {
    let count = Int.random(in: 3...40, using: &random)
    return (0..<count).map { index in
      let angle = 2 * .pi * Double(index) / Double(count)
      let reach = radius * Double.random(in: 0.5...1, using: &random)
      return (x + cos(angle) * reach, y + sin(angle) * reach)
    }
  }

  /// Areas of a kind: one ring; one with a hole in either direction; random rings that overlap and cross
  /// themselves.
  static func area(_ sort: Int, _ random: inout SeededGenerator) -> [Ring] {
    let (x, y) = (Double.random(in: 0...48, using: &random), Double.random(in: 0...48, using: &random))
    let radius = Double.random(in: 1...30, using: &random)
    switch sort {
    case 0: return [star(&random, x: x, y: y, radius: radius)]
    case 1:
      let hole = star(&random, x: x, y: y, radius: radius * 0.45)
      return [
        star(&random, x: x, y: y, radius: radius), Bool.random(using: &random) ? hole : hole.reversed(),
      ]
    default:
      return (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 3...8, using: &random)).map { _ in
          (Double.random(in: -5...53, using: &random), Double.random(in: -5...53, using: &random))
        }
      }
    }
  }

  @Test("Fill coverage is at least as close to exact coverage as Cairo's", arguments: 0..<3)
  func exact(sort: Int) throws {
    var random = SeededGenerator(seed: UInt64(sort))
    var (own, cairo) = (Errors(), Errors())
    for _ in 0..<60 {
      let rings = Self.area(sort, &random)
      let exact = Self.exact(rings)
      own.add(try Self.picture(rings, .fast), exact)
      cairo.add(try Self.picture(rings, .reference), exact)
    }
    #expect(own.pixels > 2000)
    #expect(own.mean <= cairo.mean, "\(own) \(cairo)")
    #expect(own.largest <= max(16, cairo.largest), "\(own) \(cairo)")
    #expect(abs(own.ink / own.exactInk - 1) < 0.001)
  }

  /// Uses overlapping transparent areas, so that the background matters.
  @Test("A transparent fill blends as the reference painter does")
  func blends() throws {
    let clear = Color(red: 200, green: 10, blue: 90, alpha: 100)
    let square: Ring = [(10, 10), (30, 10), (30, 30), (10, 30)]
    let (own, cairo) = try (
      Self.picture([square], .fast, color: clear), Self.picture([square], .reference, color: clear)
    )
    // Below full alpha, one stored step is several steps of colour.
    #expect(ImageComparison(expected: cairo, actual: own, tolerance: 3) == .same)
    #expect(own[20, 20].alpha == 100)
  }

  @Test("Self-overlapping rings larger than the image are covered correctly")
  func beyond() throws {
    // A bow tie and a square in it, all larger than the image.
    let rings: [Ring] = [
      [(-60_000, -60_000), (60_000, 60_000), (60_000, -60_000), (-60_000, 60_000)],
      [(-100, 20), (100, 20), (100, 30), (-100, 30)],
    ]
    let (own, exact) = (try Self.picture(rings, .fast), Self.exact(rings))
    var errors = Errors()
    errors.add(own, exact)
    #expect(errors.largest <= 16, "\(errors)")
    #expect(own.pixels.contains(255), "\(errors)")
  }
}
