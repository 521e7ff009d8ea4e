import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import Testing

/// Blend modes beside the formulas of W3C Compositing and Blending Level 1, written out here in doubles.
@Suite struct BlendModeTests {
  private typealias RGB = SIMD3<Double>

  private static func square(_ color: Color, _ box: Envelope, _ mode: BlendMode, opacity: Double)
    -> DisplayLayer
  {
    var layer = DisplayLayer(index: 0, name: "", opacity: opacity, batches: [.square(color, box)])
    layer.blendMode = mode
    return layer
  }

  private static func blended(_ b: RGB, _ s: RGB, _ mode: BlendMode) -> RGB {
    func each(_ f: (_ b: Double, _ s: Double) -> Double) -> RGB { RGB(f(b.x, s.x), f(b.y, s.y), f(b.z, s.z)) }
    func hard(_ b: Double, _ s: Double) -> Double {
      s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    }
    func luminosity(_ c: RGB) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
    func clipped(_ c: RGB) -> RGB {
      let (l, n, x) = (luminosity(c), c.min(), c.max())
      var c = c
      if n < 0 { c = RGB(repeating: l) + (c - l) * l / (l - n) }
      if x > 1 { c = RGB(repeating: l) + (c - l) * (1 - l) / (x - l) }
      return c
    }
    func set(luminosity l: Double, of c: RGB) -> RGB { clipped(c + (l - luminosity(c))) }
    func set(saturation: Double, of c: RGB) -> RGB {
      c.max() == c.min() ? .zero : (c - c.min()) * saturation / (c.max() - c.min())
    }
    switch mode {
    case .normal: return s
    case .hue: return set(luminosity: luminosity(b), of: set(saturation: b.max() - b.min(), of: s))
    case .saturation: return set(luminosity: luminosity(b), of: set(saturation: s.max() - s.min(), of: b))
    case .color: return set(luminosity: luminosity(b), of: s)
    case .luminosity: return set(luminosity: luminosity(s), of: b)
    case .multiply: return each { $0 * $1 }
    case .screen: return each { $0 + $1 - $0 * $1 }
    case .overlay: return each { hard($1, $0) }
    case .darken: return each { min($0, $1) }
    case .lighten: return each { max($0, $1) }
    case .difference: return each { abs($0 - $1) }
    case .exclusion: return each { $0 + $1 - 2 * $0 * $1 }
    case .colorDodge: return each { $0 == 0 ? 0 : $1 == 1 ? 1 : min(1, $0 / (1 - $1)) }
    case .colorBurn: return each { $0 == 1 ? 1 : $1 == 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
    case .hardLight: return each { hard($0, $1) }
    case .softLight:
      return each { b, s in
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
      }
    case .average: return (b + s) / 2
    case .invert: return 1 - b
    case .minus: return each { max(0, $0 - $1) }
    case .plus: return each { min(1, $0 + $1) }
    case .reflect: return each { $1 == 1 ? 1 : min(1, $0 * $0 / (1 - $1)) }
    case .vividLight:
      return each { b, s in
        s <= 0.5
          ? (b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / (2 * s)))
          : (b == 0 ? 0 : s == 1 ? 1 : min(1, b / (2 - 2 * s)))
      }
    case .lighter, .xor, .destinationAtop, .destinationIn, .destinationOut, .destinationOver, .sourceAtop,
      .sourceIn, .sourceOut:
      return s
    }
  }

  /// The shares of the layer and of what is below it in the result; nil for modes that blend colours.
  ///
  /// - Source: W3C Compositing and Blending Level 1, section 9.1, written out here from its table.
  private static func shares(
    _ mode: BlendMode, sourceAlpha a: Double, groundAlpha b: Double
  ) -> (source: Double, ground: Double)? {
    switch mode {
    case .lighter: (1, 1)
    case .xor: (1 - b, 1 - a)
    case .destinationAtop: (1 - b, a)
    case .destinationIn: (0, a)
    case .destinationOut: (0, 1 - a)
    case .destinationOver: (1 - b, 1)
    case .sourceAtop: (b, 1 - a)
    case .sourceIn: (b, 0)
    case .sourceOut: (1 - b, 0)
    default: nil
    }
  }

  @Test("A blended layer has the colours of the standard's formulas", arguments: BlendMode.allCases)
  func colours(_ mode: BlendMode) throws {
    let whole = Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4)
    let levels: [UInt8] = [0, 60, 128, 200, 255]
    var compared = 0
    for (below, above) in Array(zip(levels, levels.reversed())) + Array(zip(levels, levels.dropFirst())) {
      for opacity in [1.0, 0.5] {
        let (b, s) = (
          Color(red: below, green: 90, blue: 210), Color(red: above, green: 180, blue: 30)
        )
        let bitmap = try CairoPainter.bitmap(
          of: DisplayList(
            width: 4, height: 4, background: .white,
            layers: [
              Self.square(b, whole, .normal, opacity: 1), Self.square(s, whole, mode, opacity: opacity),
            ]))
        func rgb(_ c: Color) -> RGB { RGB(Double(c.red), Double(c.green), Double(c.blue)) / 255 }
        let expected: RGB
        if let (source, ground) = Self.shares(mode, sourceAlpha: opacity, groundAlpha: 1) {
          // Where both are cut out, the white background shows.
          let alpha = min(1, opacity * source + ground)
          let sum = rgb(s) * opacity * source + rgb(b) * ground
          expected = sum.clamped(lowerBound: .zero, upperBound: .one) + (1 - alpha)
        } else {
          expected = rgb(b) * (1 - opacity) + Self.blended(rgb(b), rgb(s), mode) * opacity
        }
        let found = bitmap.pixels[(2 * 4 + 2) * 4..<(2 * 4 + 2) * 4 + 4].map(Double.init)
        for part in 0..<3 {
          #expect(abs(found[part] - expected[part] * 255) <= 2, "\(mode) \(below) \(above) \(opacity)")
        }
        #expect(found[3] == 255)
        compared += 1
      }
    }
    #expect(compared == 18)
  }

  @Test("A blended layer over nothing has its own colour", arguments: BlendMode.allCases)
  func emptyGround(_ mode: BlendMode) throws {
    let own = Color(red: 10, green: 120, blue: 240)
    let list = DisplayList(
      width: 4, height: 4, background: nil,
      layers: [Self.square(own, Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4), mode, opacity: 1)])
    let bitmap = try CairoPainter.bitmap(of: list)
    let share = Self.shares(mode, sourceAlpha: 1, groundAlpha: 0)?.source ?? 1
    #expect(
      zip(bitmap.pixels, [10, 120, 240, 255]).allSatisfy { abs(Double($0) - $1 * share) <= 1 }, "\(mode)")
    #expect(try bitmap == CairoPainter.bitmap(of: list, method: .reference))
  }
}
