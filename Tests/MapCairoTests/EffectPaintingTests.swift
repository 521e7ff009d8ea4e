import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import Testing

/// Effects beside the formulas of W3C Filter Effects Module Level 1, written out here in doubles.
@Suite struct EffectPaintingTests {
  /// Red, green, blue and alpha, 0 to 1; premultiplied where images are blurred.
  private typealias Pixel = SIMD4<Double>

  private static let (width, height) = (48, 40)

  /// Returns the image of batches with effects, over nothing.
  private static func image(
    _ batches: [DisplayBatch], _ functions: [EffectFunction], threads: Int = 1, ratio: Double = 1
  ) throws -> Bitmap {
    var layer = DisplayLayer(index: 0, name: "a", opacity: 1, batches: batches)
    layer.effect = DisplayEffect(
      parts: [DisplayEffect.Part(batches: batches, functions: [])], functions: functions, margin: 0,
      pixelRatio: ratio)
    return try CairoPainter.bitmap(
      of: DisplayList(width: width, height: height, background: nil, layers: [layer]), threads: threads)
  }

  // MARK: Colours

  /// The formulas of sections 9.7 and 13 for a colour that is not premultiplied.
  private static func changed(_ c: SIMD3<Double>, _ function: EffectFunction) -> SIMD3<Double> {
    func matrix(_ r: SIMD3<Double>, _ g: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3((r * c).sum(), (g * c).sum(), (b * c).sum())
    }
    let result: SIMD3<Double>
    switch function {
    case .amount(.brightness, let a): result = c * a
    case .amount(.contrast, let a): result = c * a + (0.5 - 0.5 * a)
    case .amount(.invert, let a): result = c * (1 - a) + (1 - c) * a
    case .amount(.grayscale, let a):
      let grey = SIMD3<Double>(repeating: (SIMD3(0.2126, 0.7152, 0.0722) * c).sum())
      result = c + (grey - c) * a
    case .amount(.saturate, let a):
      let grey = SIMD3<Double>(repeating: (SIMD3(0.213, 0.715, 0.072) * c).sum())
      result = grey + (c - grey) * a
    case .amount(.sepia, let a):
      let brown = matrix(
        SIMD3(0.393, 0.769, 0.189), SIMD3(0.349, 0.686, 0.168), SIMD3(0.272, 0.534, 0.131))
      result = c + (brown - c) * a
    case .hueRotate(90):
      // cos 90° is 0 and sin 90° is 1.
      result = matrix(SIMD3(0, 0, 1), SIMD3(0.356, 0.855, -0.211), SIMD3(-0.574, 1.43, 0.144))
    case .hueRotate(180):
      result = matrix(
        SIMD3(-0.574, 1.43, 0.144), SIMD3(0.426, 0.43, 0.144), SIMD3(0.426, 1.43, -0.856))
    default: result = c
    }
    return result.clamped(lowerBound: .zero, upperBound: .one)
  }

  private static let colorFunctions: [EffectFunction] = [
    .amount(.brightness, 0.4), .amount(.brightness, 1.7), .amount(.contrast, 0.3), .amount(.contrast, 2),
    .amount(.grayscale, 1), .amount(.grayscale, 0.35), .amount(.invert, 1), .amount(.invert, 0.2),
    .amount(.saturate, 0), .amount(.saturate, 3), .amount(.sepia, 1), .amount(.sepia, 0.6), .hueRotate(90),
    .hueRotate(180), .hueRotate(0),
  ]

  @Test("Functions of colours have the results of the standard's formulas", arguments: colorFunctions)
  func colors(_ function: EffectFunction) throws {
    let levels: [UInt8] = [0, 40, 128, 200, 255]
    var compared = 0
    for red in levels {
      for green in levels {
        for (blue, alpha) in [(UInt8(30), UInt8(255)), (220, 255), (90, 128)] {
          let color = Color(red: red, green: green, blue: blue, alpha: alpha)
          let found = try Self.image(
            [DisplayBatch.square(color, Envelope(xMin: 0, yMin: 0, xMax: 6, yMax: 6))], [function]
          ).pixels[0..<4].map(Double.init)
          let expected = Self.changed(SIMD3(Double(red), Double(green), Double(blue)) / 255, function) * 255
          // Half of a level of a premultiplied colour is a whole one at half opacity, and contrasts multiply it.
          let limit = alpha == 255 ? 1.01 : 6
          for part in 0..<3 {
            #expect(abs(found[part] - expected[part]) <= limit, "\(color) \(part) \(found) \(expected)")
          }
          #expect(found[3] == Double(alpha))
          compared += 1
        }
      }
    }
    #expect(compared == 75)
  }

  @Test("Opacity multiplies alpha and keeps the colour")
  func opacity() throws {
    let color = Color(red: 250, green: 120, blue: 10)
    let box = Envelope(xMin: 0, yMin: 0, xMax: 6, yMax: 6)
    let found = try Self.image([DisplayBatch.square(color, box)], [.amount(.opacity, 0.4)]).pixels[0..<4].map(
      Int.init)
    #expect(found[3] == 102)
    for (part, value) in [250, 120, 10].enumerated() { #expect(abs(found[part] - value) <= 2) }
  }

  @Test("Functions apply in order")
  func order() throws {
    let box = Envelope(xMin: 0, yMin: 0, xMax: 6, yMax: 6)
    let white = DisplayBatch.square(.white, box)
    let first = try Self.image([white], [.amount(.invert, 1), .amount(.brightness, 2)]).pixels[0]
    let second = try Self.image([white], [.amount(.brightness, 0.25), .amount(.invert, 1)]).pixels[0]
    #expect(first == 0)
    #expect(abs(Int(second) - 191) <= 1)
  }

  // MARK: Blurs

  /// Returns an image with a colour inside a box, premultiplied.
  private static func plane(_ color: Color, _ box: Envelope) -> [Pixel] {
    let alpha = Double(color.alpha) / 255
    let ink = Pixel(
      Double(color.red) / 255 * alpha, Double(color.green) / 255 * alpha, Double(color.blue) / 255 * alpha,
      alpha)
    return (0..<width * height).map { index in
      let (x, y) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
      return x > box.xMin && x < box.xMax && y > box.yMin && y < box.yMax ? ink : .zero
    }
  }

  /// Sums weighted neighbours along both axes; the weights are those of the distances from `first` on.
  private static func filtered(_ pixels: [Pixel], _ weights: [Double], first: Int) -> [Pixel] {
    func along(_ pixels: [Pixel], dx: Int, dy: Int) -> [Pixel] {
      pixels.indices.map { index in
        var sum = Pixel.zero
        for (place, weight) in weights.enumerated() {
          let (x, y) = (index % width + dx * (place + first), index / width + dy * (place + first))
          if x >= 0, x < width, y >= 0, y < height { sum += pixels[y * width + x] * weight }
        }
        return sum
      }
    }
    return along(along(pixels, dx: 1, dy: 0), dx: 0, dy: 1)
  }

  private static func gaussian(_ pixels: [Pixel], _ deviation: Double) -> [Pixel] {
    let reach = Int((4 * deviation).rounded(.up))
    let curve = (-reach...reach).map { distance -> Double in
      let e = 2.718281828459045
      return power(e, -Double(distance * distance) / (2 * deviation * deviation))
    }
    return filtered(pixels, curve.map { $0 / curve.reduce(0, +) }, first: -reach)
  }

  /// Returns a power by halving, without a library.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent < 0 { return 1 / power(base, -exponent) }
    if exponent > 1 { return base * power(base, exponent - 1) }
    // The series of e^x for x up to 1.
    return (1...24).reversed().reduce(1.0) { 1 + $0 * exponent / Double($1) }
  }

  /// The three boxes of section 9.16.
  private static func boxes(_ pixels: [Pixel], _ deviation: Double) -> [Pixel] {
    let size = Int((deviation * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down))
    func box(_ pixels: [Pixel], _ size: Int, first: Int) -> [Pixel] {
      filtered(pixels, Array(repeating: 1 / Double(size), count: size), first: first)
    }
    if size % 2 == 1 {
      return (0..<3).reduce(pixels) { pixels, _ in box(pixels, size, first: -(size / 2)) }
    }
    let left = box(pixels, size, first: -size / 2)
    let right = box(left, size, first: -size / 2 + 1)
    return box(right, size + 1, first: -size / 2)
  }

  /// Returns the largest difference of an image from premultiplied pixels, in levels of 255.
  private static func difference(_ bitmap: Bitmap, _ expected: [Pixel]) -> Double {
    var largest = 0.0
    for (index, pixel) in expected.enumerated() {
      let found = bitmap.pixels[index * 4..<index * 4 + 4].map(Double.init)
      for part in 0..<4 {
        let value = part == 3 ? found[3] : found[part] * found[3] / 255
        largest = max(largest, abs(value - pixel[part] * 255))
      }
    }
    return largest
  }

  private static let box = Envelope(xMin: 14, yMin: 9, xMax: 33, yMax: 28)
  private static let ink = Color(red: 230, green: 100, blue: 20)

  @Test("A small blur is a Gaussian curve", arguments: [0.3, 0.8, 1.4, 1.9])
  func smallBlur(_ deviation: Double) throws {
    let found = try Self.image([DisplayBatch.square(Self.ink, Self.box)], [.blur(deviation)])
    let expected = Self.gaussian(Self.plane(Self.ink, Self.box), deviation)
    #expect(Self.difference(found, expected) < 1.6)
  }

  @Test("A larger blur is three boxes, near a Gaussian curve", arguments: [2, 2.6, 3.2, 4.4, 6])
  func largeBlur(_ deviation: Double) throws {
    let found = try Self.image([DisplayBatch.square(Self.ink, Self.box)], [.blur(deviation)])
    let plane = Self.plane(Self.ink, Self.box)
    #expect(Self.difference(found, Self.boxes(plane, deviation)) < 1.6)
    #expect(Self.difference(found, Self.gaussian(plane, deviation)) < 255 * 0.06)
  }

  @Test("The deviation of a blur is in view pixels")
  func ratio() throws {
    let square = DisplayBatch.square(Self.ink, Self.box)
    #expect(try Self.image([square], [.blur(1.5)], ratio: 2) == Self.image([square], [.blur(3)]))
  }

  @Test("A shadow is the blurred opacity in its colour below the image")
  func shadow() throws {
    let color = Color(red: 0, green: 60, blue: 200, alpha: 180)
    let shadow = EffectShadow(x: 5, y: -3, radius: 2.5, color: color)
    let found = try Self.image([DisplayBatch.square(Self.ink, Self.box)], [.dropShadow(shadow)])
    let moved = Envelope(
      xMin: Self.box.xMin + 5, yMin: Self.box.yMin - 3, xMax: Self.box.xMax + 5, yMax: Self.box.yMax - 3)
    let below = Self.boxes(Self.plane(color, moved), 2.5)
    let expected = zip(Self.plane(Self.ink, Self.box), below).map { $0 + $1 * (1 - $0.w) }
    #expect(Self.difference(found, expected) < 1.6)
  }

  // MARK: Layers

  @Test("Parts have their own functions, and the first is below")
  func parts() throws {
    let (left, right) = (
      DisplayBatch.square(.white, Envelope(xMin: 0, yMin: 0, xMax: 20, yMax: 20)),
      DisplayBatch.square(.white, Envelope(xMin: 10, yMin: 0, xMax: 30, yMax: 20))
    )
    var layer = DisplayLayer(index: 0, name: "a", opacity: 0.5, batches: [left, right])
    layer.effect = DisplayEffect(
      parts: [
        DisplayEffect.Part(batches: [left], functions: [.amount(.brightness, 0.5)]),
        DisplayEffect.Part(batches: [right], functions: []),
      ], functions: [.amount(.invert, 1)], margin: 0, pixelRatio: 1)
    let bitmap = try CairoPainter.bitmap(
      of: DisplayList(width: 40, height: 20, background: .white, layers: [layer]))
    // At half opacity over white: the inverse of half of white, then that of white.
    #expect(abs(Int(bitmap.pixels[(10 * 40 + 5) * 4]) - 191) <= 1)
    #expect(abs(Int(bitmap.pixels[(10 * 40 + 15) * 4]) - 128) <= 1)
    #expect(bitmap.pixels[(10 * 40 + 35) * 4] == 255)
  }

  @Test("Effects have the same bytes for every number of threads, and leave the id image alone")
  func threads() throws {
    let batches = [DisplayBatch.square(Self.ink, Self.box)]
    let functions: [EffectFunction] = [
      .amount(.sepia, 0.5), .blur(2.2), .dropShadow(EffectShadow(x: 2, y: 2, radius: 1, color: .black)),
      .hueRotate(40),
    ]
    let one = try Self.image(batches, functions)
    for threads in [2, 3, 8] { #expect(try Self.image(batches, functions, threads: threads) == one) }
    var layer = DisplayLayer(index: 0, name: "a", opacity: 1, batches: batches)
    let plain = try IDPainter.image(of: DisplayList(width: 48, height: 40, background: nil, layers: [layer]))
    layer.effect = DisplayEffect(
      parts: [DisplayEffect.Part(batches: batches, functions: [])], functions: functions, margin: 0,
      pixelRatio: 1)
    let list = DisplayList(width: 48, height: 40, background: nil, layers: [layer])
    #expect(try IDPainter.image(of: list) == plain)
    #expect(list.dump().contains("effect sepia 0.5, blur 2.2, drop-shadow 2 2 1 #000000ff, hue-rotate 40"))
  }
}
