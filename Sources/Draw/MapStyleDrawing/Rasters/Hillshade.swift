import Glibc
package import MapStyles
import MapSystem

/// The shading of slopes by the paint properties of a hillshade layer.
///
/// - Source: MapLibre GL JS 5, the fragment shader of hillshade layers, which follows GDAL's hillshades.
package struct Hillshade: Hashable, Sendable {
  /// The rule by which slopes are shaded.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case standard, basic, combined, igor, multidirectional
  }

  /// A source of light.
  package struct Light: Hashable, Sendable {
    /// The direction from which the light comes, in degrees clockwise from north or from the top of the image.
    package var direction = 335.0
    /// The height above the horizon, in degrees.
    package var altitude = 45.0
    /// The colour of slopes that face away from the light.
    package var shadow = StyleColor(0, 0, 0)
    /// The colour of slopes that face the light.
    package var highlight = StyleColor(1, 1, 1)

    /// Creates the default light.
    package init() {}
  }

  /// The rule.
  package var method = Method.standard
  /// The lights, at least one; all rules but `multidirectional` use the first.
  package var lights = [Light()]
  /// The colour of steep slopes.
  package var accent = StyleColor(0, 0, 0)
  /// The exaggeration, 0 to 1.
  package var exaggeration = 0.5
  /// Whether directions are those of the image rather than of the map.
  package var isAnchoredToViewport = true

  /// Creates the default shading.
  package init() {}

  /// Creates the shading of a hillshade layer.
  package init(_ layer: StyleLayer, _ context: StyleContext) {
    func value(_ name: String) -> StyleValue? { layer.value(of: name, context)?.value }
    method = value("hillshade-method")?.string.flatMap { Method(rawValue: $0) } ?? .standard
    accent = value("hillshade-accent-color")?.color ?? accent
    if let number = value("hillshade-exaggeration")?.number { exaggeration = min(max(number, 0), 1) }
    isAnchoredToViewport = value("hillshade-illumination-anchor")?.string != "map"
    let directions = value("hillshade-illumination-direction")?.numberArray ?? []
    let altitudes = value("hillshade-illumination-altitude")?.numberArray ?? []
    let shadows = value("hillshade-shadow-color")?.colorArray ?? []
    let highlights = value("hillshade-highlight-color")?.colorArray ?? []
    let count = max(directions.count, altitudes.count, shadows.count, highlights.count, 1)
    // The last value counts for the lights for which there is none.
    lights = (0..<count).map { index in
      func element<Value>(_ values: [Value], _ absent: Value) -> Value {
        index < values.count ? values[index] : values.last ?? absent
      }
      var light = Light()
      light.direction = element(directions, light.direction)
      light.altitude = element(altitudes, light.altitude)
      light.shadow = element(shadows, light.shadow)
      light.highlight = element(highlights, light.highlight)
      return light
    }
  }

  /// Converts pixels of slopes, as ``ElevationSquare/slopes(zoom:row:)`` has them, into shades.
  ///
  /// Pixels are premultiplied alpha, red, green and blue from the highest byte down, before and after.
  ///
  /// - Parameter bearing: the direction of the top of the image, in degrees clockwise from north.
  package func apply(to pixels: inout [UInt32], bearing: Double) {
    let turn = isAnchoredToViewport ? bearing : 0
    let sources = lights.map { Source($0, turn: turn) }
    guard let first = sources.first else { return }
    let accent = Self.premultiplied(accent)
    var last: (slope: UInt32, shade: UInt32) = (0, 0)
    for index in pixels.indices where pixels[index] >> 24 > 0 {
      let pixel = pixels[index]
      if pixel != last.slope {
        let alpha = Float(pixel >> 24)
        func part(_ shift: UInt32) -> Float { Float(pixel >> shift & 255) / alpha * 255 }
        let cosine = max(part(0) / 255, 1e-3)
        let slope = SIMD2(part(16) - 128, part(8) - 128) * (8 / 255) / cosine
        let shade =
          switch method {
          case .standard: standard(slope, first, accent)
          case .basic: Self.basic(slope * exaggerated, first)
          case .combined: Self.combined(slope * exaggerated, first)
          case .igor: Self.igor(slope * exaggerated, first)
          case .multidirectional:
            sources.reduce(SIMD4<Float>.zero) { $0 + Self.basic(slope * exaggerated, $1) }
              / Float(sources.count)
          }
        last = (pixel, Self.pixel(shade * alpha))
      }
      pixels[index] = last.shade
    }
  }

  // MARK: Rules

  /// A light as the rules use it, with premultiplied colours.
  private struct Source {
    let azimuth: Float
    let altitude: Float
    let shadow: SIMD4<Float>
    let highlight: SIMD4<Float>

    init(_ light: Light, turn: Double) {
      azimuth = Float((light.direction + turn) * .pi / 180 + .pi)
      altitude = Float(light.altitude * .pi / 180)
      (shadow, highlight) = (premultiplied(light.shadow), premultiplied(light.highlight))
    }

    /// Returns the cosine of the angle between the light and the normal of a slope.
    func cosine(_ slope: SIMD2<Float>) -> Float {
      let (up, along) = (sinf(altitude), cosf(altitude))
      return (up - (slope.y * cosf(azimuth) * along - slope.x * sinf(azimuth) * along))
        / (1 + (slope * slope).sum()).squareRoot()
    }

    /// Returns the degree to which a slope faces the light, 0 to 1.
    func facing(_ slope: SIMD2<Float>) -> Float {
      let aspect = slope.x != 0 ? atan2f(slope.y, -slope.x) : .pi / 2 * (slope.y > 0 ? 1 : -1)
      let turns = ((aspect + azimuth) / .pi + 0.5).truncatingRemainder(dividingBy: 2)
      return abs((turns < 0 ? turns + 2 : turns) - 1)
    }
  }

  private var exaggerated: Float { Float(exaggeration) * 2 }

  private static func steepness(_ slope: SIMD2<Float>) -> Float { atanf((slope * slope).sum().squareRoot()) }

  private func standard(_ slope: SIMD2<Float>, _ light: Source, _ accent: SIMD4<Float>) -> SIMD4<Float> {
    // The rule of the first hillshades, with its factor for heights.
    let steepness = Self.steepness(slope * 0.625)
    let intensity = Float(exaggeration)
    let (base, most) = (1.875 - intensity * 1.75, Float.pi / 2)
    let scaled =
      intensity == 0.5 ? steepness : (powf(base, steepness) - 1) / (powf(base, most) - 1) * most
    let strength = min(max(intensity * 2, 0), 1)
    let accented = (1 - cosf(scaled)) * accent * strength
    let shade = light.facing(slope)
    let shaded = (light.shadow * (1 - shade) + light.highlight * shade) * sinf(scaled) * strength
    return accented * (1 - shaded.w) + shaded
  }

  private static func basic(_ slope: SIMD2<Float>, _ light: Source) -> SIMD4<Float> {
    let shade = min(max(light.cosine(slope), 0), 1)
    return shade > 0.5 ? light.highlight * (2 * shade - 1) : light.shadow * (1 - 2 * shade)
  }

  private static func combined(_ slope: SIMD2<Float>, _ light: Source) -> SIMD4<Float> {
    let angle = min(max(acosf(min(max(light.cosine(slope), -1), 1)), 0), .pi / 2)
    let share = steepness(slope) * 4 / (.pi * .pi)
    return light.shadow * (angle * share) + light.highlight * ((.pi / 2 - angle) * share)
  }

  private static func igor(_ slope: SIMD2<Float>, _ light: Source) -> SIMD4<Float> {
    let strength = steepness(slope) * 2 / .pi
    let facing = light.facing(slope)
    return light.shadow * (strength * (1 - facing)) + light.highlight * (strength * facing)
  }

  // MARK: Colours

  /// Returns red, green and blue times alpha, and alpha.
  private static func premultiplied(_ color: StyleColor) -> SIMD4<Float> {
    SIMD4(
      Float(color.red * color.alpha), Float(color.green * color.alpha), Float(color.blue * color.alpha),
      Float(color.alpha))
  }

  /// Returns the pixel of a premultiplied colour in parts of 255.
  private static func pixel(_ color: SIMD4<Float>) -> UInt32 {
    let alpha = min(UInt32(clamping: color.w + 0.5), 255)
    func byte(_ channel: Float) -> UInt32 { min(UInt32(clamping: channel + 0.5), alpha) }
    return alpha << 24 | byte(color.x) << 16 | byte(color.y) << 8 | byte(color.z)
  }
}

extension StyleValue {
  /// The colours of a list, or of a single colour; nil for another value.
  fileprivate var colorArray: [StyleColor]? {
    switch self {
    case .colors(let colors): colors
    case .color(let color): [color]
    default: nil
    }
  }
}
