import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// A circle with a stroke that are blurred, in output pixels.
struct BlurredCircle: Hashable {
  let radius: Double
  let strokeWidth: Double
  let fill: Color?
  let stroke: Color?
  /// The length over which opacity falls to 0 at the edge, and over which the fill becomes the stroke.
  let blur: Double

  /// The largest radius that is drawn; larger circles have no stroke.
  ///
  /// - Source: design decision: an image of 16 MB.
  static let largestRadius = 1000.0

  /// Whether the circle can be drawn as an image.
  var isSmall: Bool { radius + strokeWidth <= Self.largestRadius }

  /// The pixels along a side of the image.
  fileprivate var side: Int { 2 * Int(clamping: (radius + strokeWidth).rounded(.up)) + 2 }

  /// The style of a marker with the image of the circle; nil when it paints nothing.
  ///
  /// - Source: MapLibre GL JS 5.
  fileprivate var style: MarkerStyle? {
    guard fill != nil || stroke != nil, radius + strokeWidth > 0, isSmall else { return nil }
    let side = side
    guard var bitmap = try? Bitmap(width: side, height: side) else { return nil }
    let half = Double(side) / 2
    for y in 0..<side {
      for x in 0..<side {
        let (dx, dy) = (Double(x) + 0.5 - half, Double(y) + 0.5 - half)
        bitmap[x, y] = pixel(at: (dx * dx + dy * dy).squareRoot())
      }
    }
    let box = Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half)
    return MarkerStyle(
      block: MarkerBlock(.picture(SymbolPicture(bitmap), opacity: 1), box: box), ground: nil, frame: nil,
      classIndex: -1)
  }

  /// Returns the colour at a distance from the centre.
  private func pixel(at distance: Double) -> PixelColor {
    let opacity = 1 - Self.smoothStep((distance - radius - strokeWidth + blur) / blur)
    let share = Self.smoothStep((distance - radius + blur) / blur)
    func parts(_ color: Color?) -> SIMD4<Double> {
      guard let color else { return .zero }
      let alpha = Double(color.alpha) / 255
      return SIMD4(
        Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha,
        Double(color.alpha))
    }
    let mixed = (parts(fill) * (1 - share) + parts(stroke) * share) * opacity
    guard mixed.w > 0 else { return PixelColor(red: 0, green: 0, blue: 0, alpha: 0) }
    func byte(_ value: Double) -> UInt8 { UInt8(clamping: value.rounded()) }
    let scale = 255 / mixed.w
    return PixelColor(
      red: byte(mixed.x * scale), green: byte(mixed.y * scale), blue: byte(mixed.z * scale),
      alpha: byte(mixed.w))
  }

  private static func smoothStep(_ place: Double) -> Double {
    let share = min(max(place, 0), 1)
    return share * share * (3 - 2 * share)
  }
}

/// The images of a layer's blurred circles, each different one once.
struct BlurredCircles {
  private var styles: [BlurredCircle: MarkerStyle?] = [:]
  /// The number of pixels that further images may have: 256 MB for all.
  ///
  /// - Source: design decision.
  private var pixelsLeft = 1 << 26

  /// Returns whether a circle can be drawn as an image, because it is small and few others are large.
  func hasRoom(for circle: BlurredCircle) -> Bool {
    circle.isSmall && (styles[circle] != nil || circle.side * circle.side <= pixelsLeft)
  }

  /// Returns the style of a marker with the image of a circle; nil when it paints nothing.
  mutating func style(of circle: BlurredCircle) -> MarkerStyle? {
    if let known = styles[circle] { return known }
    let style = circle.style
    styles[circle] = .some(style)
    pixelsLeft -= circle.side * circle.side
    return style
  }
}
