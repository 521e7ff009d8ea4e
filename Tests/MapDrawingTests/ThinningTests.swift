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
    result.appendRow(0, of: buffer, thinnedTo: PathBatch.gridSteps)
    return result
  }

  @Test("Thinning depends on vertex positions only, not on the ring's direction")
  func placesAlone() {
    var generator = SeededGenerator(seed: 21)
    let places = (0..<5000).map { index in
      let (angle, radius) = (2 * .pi * Double(index) / 5000, Double.random(in: 9.9...10.1, using: &generator))
      return (x: 12 + radius * cos(angle), y: 12 + radius * sin(angle))
    }
    let there = Self.thinned(Self.ring(places))
    let back = Self.thinned(Self.ring(places.prefix(1) + places.dropFirst().reversed()))
    #expect(
      Array(zip(there.x, there.y)).map { [$0, $1] } == Array(zip(back.x, back.y)).reversed().map { [$0, $1] })
    let steps = PathBatch.gridSteps
    #expect(there.x.allSatisfy { ($0 * steps).rounded() == $0 * steps })
    for (x, y) in zip(there.x, there.y) {
      #expect(places.contains { abs($0.x - x) <= 0.5 / steps && abs($0.y - y) <= 0.5 / steps })
    }
  }

  @Test("Thinning removes repeated vertices and keeps rings smaller than a step")
  func repeatsAndDust() {
    let crowded = Self.thinned(
      Self.ring([(1, 1), (1.01, 1.02), (21, 1), (21, 21), (21.03, 21.01), (20.98, 21)]))
    #expect(crowded.x == [1, 21, 21, 1])
    #expect(crowded.y == [1, 1, 21, 1])
    // An island smaller than a step is kept, because its outline is visible.
    let dust = Self.ring([(1.01, 1.01), (1.02, 1.01), (1.02, 1.03)])
    #expect(Self.thinned(dust) == dust)
  }

  @Test("Thinning keeps small rings of few vertices and thin rings")
  func smallAndThin() {
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<500 {
      func length(_ range: ClosedRange<Double>) -> Double {
        exp(.random(in: log(range.lowerBound)...log(range.upperBound), using: &generator))
      }
      let angle = Double.random(in: 0..<2 * .pi, using: &generator)
      func box(_ width: Double, _ height: Double) -> CoordinateBuffer {
        Self.ring(
          [(0, 0), (width, 0), (width, height), (0, height)].map {
            (200 + $0.0 * cos(angle) - $0.1 * sin(angle), 200 + $0.0 * sin(angle) + $0.1 * cos(angle))
          })
      }
      for ring in [box(length(0.001...5), length(0.001...5)), box(length(8...150), length(0.001...1.9))] {
        #expect(Self.thinned(ring) == ring)
      }
      // A river of many vertices.
      let bank = (0...200).map { (x: Double($0) * 0.5, y: 5 * sin(Double($0) * 0.05)) }
      let width = length(0.001...0.5)
      let river = Self.ring(bank + bank.reversed().map { ($0.x, $0.y + width) })
      #expect(Self.thinned(river) == river)
    }
  }

  @Test("Small rings of many vertices keep their area within 1 % and lose crowded vertices")
  func smallAndCrowded() {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<200 {
      let radius = exp(Double.random(in: log(0.001)...log(2.9), using: &generator))
      let (x, y) = (
        Double.random(in: 0...99, using: &generator), Double.random(in: 0...99, using: &generator)
      )
      let ring = Self.ring(
        (0..<4000).map { index in
          let angle = 2 * .pi * Double(index) / 4000
          return (x + radius * cos(angle), y + radius * sin(angle))
        })
      let thinned = Self.thinned(ring)
      #expect(thinned.vertexCount < 3000)
      var twice = 0.0
      for index in 1..<thinned.vertexCount {
        twice += (thinned.x[index - 1] - x) * (thinned.y[index] - y)
        twice -= (thinned.x[index] - x) * (thinned.y[index - 1] - y)
      }
      #expect(abs(twice / 2 / (.pi * radius * radius) - 1) < 0.01)
    }
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
