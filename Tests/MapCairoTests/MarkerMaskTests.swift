import MapCairo
import MapDrawing
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Markers painted by masks compared with markers painted by Cairo.
@Suite struct MarkerMaskTests {
  static let side = 400

  /// Markers of every shape, with and without rotation, transparency and outline, also across the image edge.
  static func scene(_ generator: inout SeededGenerator, count: Int, alphas: [UInt8], isApart: Bool = false)
    -> DisplayList
  {
    func color() -> Color {
      Color(
        red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
        blue: .random(in: 0...255, using: &generator), alpha: alphas.randomElement(using: &generator) ?? 255)
    }
    var batch = MarkerBatch(styles: [])
    for shape in MarkerShape.allCases {
      for index in 0..<3 {
        let isOpen = shape == .cross || shape == .x
        let outline = Stroke(color: color(), width: .random(in: 0.5...4, using: &generator))
        batch.styles.append(
          MarkerStyle(
            shape: shape, size: .random(in: 2...40, using: &generator),
            angle: shape == .circle ? 0 : .random(in: 0..<360, using: &generator),
            offsetX: index == 2 ? .random(in: -9...9, using: &generator) : 0,
            fill: isOpen ? nil : color(), outline: isOpen || index == 1 ? outline : nil, classIndex: index))
      }
    }
    for row in 0..<count {
      let across = isApart ? Double(row % 5) * 80...Double(row % 5) * 80 + 20 : -20...Double(side + 20)
      let down = isApart ? Double(row / 5) * 80...Double(row / 5) * 80 + 20 : -20...Double(side + 20)
      batch.x.append(.random(in: across, using: &generator))
      batch.y.append(.random(in: down, using: &generator))
      batch.style.append(.random(in: 0..<UInt32(batch.styles.count), using: &generator))
      batch.row.append(Int32(row))
    }
    let layer = DisplayLayer(index: 0, name: "", opacity: 1, batches: [.markers(batch)])
    return DisplayList(width: side, height: side, background: .white, layers: [layer])
  }

  /// The difference of two images over the pixels that are not white in the second.
  static func distance(_ a: Bitmap, _ b: Bitmap) -> (largest: Int, mean: Double, bias: Double) {
    var (largest, sum, bias, touched) = (0, 0, 0, 0)
    for pixel in stride(from: 0, to: b.pixels.count, by: 4) {
      guard b.pixels[pixel..<pixel + 3].contains(where: { $0 < 255 }) else { continue }
      touched += 1
      for channel in pixel..<pixel + 3 {
        let difference = Int(a.pixels[channel]) - Int(b.pixels[channel])
        largest = max(largest, abs(difference))
        sum += abs(difference)
        bias += difference
      }
    }
    let count = Double(max(1, 3 * touched))
    return (largest, Double(sum) / count, Double(bias) / count)
  }

  /// The sheet of markers is not cleared as a whole, and its memory was used before.
  @Test("Few markers are painted the same after any other markers", arguments: [0, 1, 3, 40])
  func memory(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let sparse = Self.scene(&generator, count: count, alphas: [255, 90])
    let first = try CairoPainter.bitmap(of: sparse)
    let plain = try CairoPainter.bitmap(of: sparse, method: .reference)
    for _ in 0..<8 {
      let crowd = Self.scene(&generator, count: 4_000, alphas: [255])
      _ = try CairoPainter.bitmap(of: crowd)
      #expect(try CairoPainter.bitmap(of: sparse) == first)
    }
    // Pixels that Cairo leaves white, and those around them, stay white.
    var white = 0
    for y in 1..<Self.side - 1 {
      for x in 1..<Self.side - 1 {
        let isFar = [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
          .allSatisfy { plain[x + $0.0, y + $0.1] == PixelColor(red: 255, green: 255, blue: 255) }
        guard isFar else { continue }
        white += 1
        #expect(first[x, y] == PixelColor(red: 255, green: 255, blue: 255))
      }
    }
    #expect(white > 50_000)
  }

  /// Markers do not overlap, so that only the mask is measured.
  @Test("A single marker differs from Cairo's by at most 24 of 255")
  func alone() throws {
    var (sum, bias) = (0.0, 0.0)
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let list = Self.scene(&generator, count: 25, alphas: [255, 128, 40], isApart: true)
      let (fast, plain) = try (
        CairoPainter.bitmap(of: list), CairoPainter.bitmap(of: list, method: .reference)
      )
      let distance = Self.distance(fast, plain)
      #expect(distance.largest <= 24, "\(seed) \(distance)")
      (sum, bias) = (sum + distance.mean, bias + distance.bias)
    }
    // Measured: 0.5 and 0.2; Cairo rounds transparent colours down.
    #expect(sum / 40 <= 2, "\(sum / 40) \(bias / 40)")
    #expect(abs(bias / 40) <= 0.3, "\(sum / 40) \(bias / 40)")
  }

  /// Differences of overlapping edges add up in single pixels; the average is smaller.
  @Test("Overlapping markers differ from Cairo's by at most 48 of 255", arguments: [255, 128, 40] as [UInt8])
  func crowd(alpha: UInt8)
    throws
  {
    var generator = SeededGenerator(seed: UInt64(alpha))
    let list = Self.scene(&generator, count: 3000, alphas: [alpha])
    let (fast, plain) = try (CairoPainter.bitmap(of: list), CairoPainter.bitmap(of: list, method: .reference))
    let distance = Self.distance(fast, plain)
    #expect(distance.largest <= 48, "\(distance)")
    #expect(distance.mean <= 2, "\(distance)")
    // Cairo rounds after each of many transparent layers, and masks round once.
    #expect(abs(distance.bias) <= (alpha == 255 ? 0.2 : 2), "\(distance)")
  }

  /// A position on a grid step is not moved.
  @Test("An upright square on a grid step stays sharp")
  func sharpSquare() throws {
    var batch = MarkerBatch(styles: [
      MarkerStyle(shape: .square, size: 6, fill: .black, outline: nil, classIndex: 0)
    ])
    (batch.x, batch.y, batch.style, batch.row) = ([10], [12], [0], [0])
    let layer = DisplayLayer(index: 0, name: "", opacity: 1, batches: [.markers(batch)])
    let list = DisplayList(width: 20, height: 20, background: .white, layers: [layer])
    let bitmap = try CairoPainter.bitmap(of: list)
    #expect(try bitmap == CairoPainter.bitmap(of: list, method: .reference))
    let dark = stride(from: 0, to: 1600, by: 4).filter { bitmap.pixels[$0] == 0 }
    #expect(dark.count == 36)
    #expect(bitmap.pixels.allSatisfy { $0 == 0 || $0 == 255 })
  }

  /// The whole batch goes to Cairo, so that the order is kept.
  @Test("A batch with a marker too large for masks is painted by Cairo")
  func large() throws {
    var generator = SeededGenerator(seed: 4)
    var list = Self.scene(&generator, count: 300, alphas: [255])
    guard case .markers(var batch) = list.layers[0].batches[0] else {
      Issue.record("the scene has no markers")
      return
    }
    batch.styles[1] = MarkerStyle(shape: .circle, size: 130, fill: .black, outline: nil, classIndex: 1)
    list.layers = [DisplayLayer(index: 0, name: "", opacity: 1, batches: [.markers(batch)])]
    #expect(try CairoPainter.bitmap(of: list) == CairoPainter.bitmap(of: list, method: .reference))
  }

  /// The features are blended one by one, as by hand.
  @Test("Transparent markers blend in feature order")
  func order() throws {
    var batch = MarkerBatch(styles: [
      MarkerStyle(
        shape: .square, size: 8, fill: Color(red: 200, green: 0, blue: 0), outline: nil, classIndex: 0),
      MarkerStyle(
        shape: .square, size: 8, fill: Color(red: 0, green: 0, blue: 200, alpha: 128), outline: nil,
        classIndex: 1),
    ])
    (batch.x, batch.y, batch.style, batch.row) = ([8, 8, 8], [8, 8, 8], [0, 1, 1], [0, 1, 2])
    let layer = DisplayLayer(index: 0, name: "", opacity: 1, batches: [.markers(batch)])
    let bitmap = try CairoPainter.bitmap(
      of: DisplayList(width: 16, height: 16, background: nil, layers: [layer]))
    let middle = (8 * 16 + 8) * 4
    // 200 red under two of blue at 128 of 255: red 200 * (127/255)^2, blue 200 * (1 - (127/255)^2).
    #expect(zip(bitmap.pixels[middle..<middle + 4], [50, 0, 150, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
  }
}
