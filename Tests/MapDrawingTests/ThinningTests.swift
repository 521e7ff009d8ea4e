import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

@Suite struct ThinningTests {
  static func ring(_ places: [(x: Double, y: Double)]) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: .polygon)
    for place in places + places.prefix(1) { buffer.appendVertex(x: place.x, y: place.y) }
    buffer.endPart()
    buffer.endRow()
    return buffer
  }

  static func thinned(_ buffer: CoordinateBuffer) -> CoordinateBuffer {
    var result = CoordinateBuffer(kind: buffer.kind)
    result.appendRow(0, of: buffer, thinnedTo: LayerSymbolizer.gridSteps)
    return result
  }

  @Test("Thinning depends on vertex positions only, not on the ring's direction")
  func placesAlone() {
    var generator = SeededGenerator(seed: 21)
    let places = (0..<5000).map { _ in
      (x: Double.random(in: 0...20, using: &generator), y: Double.random(in: 0...20, using: &generator))
    }
    let there = Self.thinned(Self.ring(places))
    let back = Self.thinned(Self.ring(places.prefix(1) + places.dropFirst().reversed()))
    #expect(
      Array(zip(there.x, there.y)).map { [$0, $1] } == Array(zip(back.x, back.y)).reversed().map { [$0, $1] })
    let steps = LayerSymbolizer.gridSteps
    #expect(there.x.allSatisfy { ($0 * steps).rounded() == $0 * steps })
    for (x, y) in zip(there.x, there.y) {
      #expect(places.contains { abs($0.x - x) <= 0.5 / steps && abs($0.y - y) <= 0.5 / steps })
    }
  }

  @Test("Thinning removes repeated vertices and keeps rings smaller than a step")
  func repeatsAndDust() {
    let crowded = Self.thinned(Self.ring([(1, 1), (1.01, 1.02), (5, 1), (5, 5), (5.03, 5.01), (4.98, 5)]))
    #expect(crowded.x == [1, 5, 5, 1])
    #expect(crowded.y == [1, 1, 5, 1])
    // An island smaller than a step is kept, because its outline is visible.
    let dust = Self.ring([(1.01, 1.01), (1.02, 1.01), (1.02, 1.03)])
    #expect(Self.thinned(dust) == dust)
  }

  /// Two areas on either side of a ragged border, in black over magenta, each in a layer of its own.
  ///
  /// Without a gap they cover c and 1 - c of a pixel, and c(1 - c) shines through, a quarter at most; a gap
  /// lets more through.
  @Test("Thinning opens no gap along a shared border")
  func sharedBorders() throws {
    var (plain, thin) = ((sum: 0, largest: 0), (sum: 0, largest: 0))
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var x = 32.0
      var border = stride(from: 0.0, to: 64, by: 0.02 * Double(seed)).map { y in
        x = min(max(x + .random(in: -0.5...0.5, using: &generator), 8), 56)
        return (x: x, y: y)
      }
      border.append((x, 64))
      let left = Self.ring([(0, 64), (0, 0)] + border)
      let right = Self.ring([(64, 0), (64, 64)] + border.reversed())
      let before = try Self.magenta([left, right])
      plain = (plain.sum + before.reduce(0, +), max(plain.largest, before.max() ?? 0))
      let after = try Self.magenta([Self.thinned(left), Self.thinned(right)])
      thin = (thin.sum + after.reduce(0, +), max(thin.largest, after.max() ?? 0))
    }
    #expect(plain.sum > 40_000)
    #expect(thin.sum > 40_000)
    // 63.75, plus rounding.
    #expect(plain.largest <= 66, "\(thin) \(plain)")
    #expect(thin.largest <= 66, "\(thin) \(plain)")
  }

  /// Single areas as ragged as a coast at a small scale, compared with themselves without thinning.
  @Test("The inside of a thinned area differs by at most 16 of 255")
  func insides() throws {
    var (largest, touched) = (0, 0)
    for seed in 1...60 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let step = 0.01 + 0.01 * Double(seed)
      let ring = Self.ring(
        stride(from: 0, to: 2 * Double.pi, by: step / 24).map { angle in
          let radius = 24 + Double.random(in: -step...step, using: &generator)
          let (y, x) = (32 + radius * sin(angle), 32 + radius * cos(angle))
          return (x: x, y: y)
        })
      for (plain, thin) in try zip(Self.magenta([ring]), Self.magenta([Self.thinned(ring)])) {
        largest = max(largest, abs(plain - thin))
        touched += (1..<255).contains(plain) ? 1 : 0
      }
    }
    #expect(touched > 5_000)
    #expect(largest <= 16, "\(largest)")
  }

  /// The amount of red in each pixel when areas are painted black over magenta.
  static func magenta(_ areas: [CoordinateBuffer]) throws -> [Int] {
    let layers = areas.map { area in
      var batch = PathBatch(
        styles: [PathStyle(fill: .black, stroke: nil, classIndex: 0)], kind: .polygon)
      batch.geometry.appendRow(0, of: area, clippedTo: area.envelope(ofRow: 0))
      batch.style.append(0)
      batch.row.append(0)
      return DisplayLayer(index: 0, name: "", opacity: 1, batches: [.paths(batch)])
    }
    let list = DisplayList(
      width: 64, height: 64, background: Color(red: 255, green: 0, blue: 255), layers: layers)
    let bitmap = try CairoPainter.bitmap(of: list)
    return stride(from: 0, to: bitmap.pixels.count, by: 4).map { Int(bitmap.pixels[$0]) }
  }
}
