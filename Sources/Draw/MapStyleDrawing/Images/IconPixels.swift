package import MapImages
package import MapModel
import MapSystem

/// The pixels of an icon with their position around the symbol's anchor point, in CSS pixels.
package struct IconPixels: Hashable, Sendable {
  /// The pixels.
  package let bitmap: Bitmap
  /// The position of the bitmap's sides.
  package let box: SymbolBox
}

/// The colours of an icon that is a distance field.
package struct IconPaint: Hashable, Sendable {
  /// The colour inside; nil paints none.
  package var color: Color?
  /// The colour of the halo; nil paints none.
  package var haloColor: Color?
  /// The width of the halo in CSS pixels.
  package var haloWidth: Double
  /// The blur of the halo's edge in CSS pixels.
  package var haloBlur: Double

  /// Creates the colours of an icon.
  package init(color: Color?, haloColor: Color? = nil, haloWidth: Double = 0, haloBlur: Double = 0) {
    (self.color, self.haloColor, self.haloWidth, self.haloBlur) = (color, haloColor, haloWidth, haloBlur)
  }
}

extension ShapedIcon {
  /// Returns the pixels of the icon; nil for an icon without area.
  ///
  /// An image that is no distance field and does not stretch has its own pixels, which the box scales.
  ///
  /// - Parameters:
  ///   - size: the factor of `icon-size`.
  ///   - pixelRatio: output pixels per CSS pixel.
  ///   - paint: the colours of a distance field.
  /// - Cost: O(output pixels).
  package func pixels(size: Double, pixelRatio: Double, paint: IconPaint) -> IconPixels? {
    guard size > 0, size.isFinite, pixelRatio > 0, pixelRatio.isFinite else { return nil }
    let (columns, rows) = axes(size: size)
    let box = SymbolBox(left: columns.start, top: rows.start, right: columns.end, bottom: rows.end)
    guard box.width > 0, box.height > 0, box.width.isFinite, box.height.isFinite else { return nil }
    if !image.isDistanceField, columns.ends.count == 2, rows.ends.count == 2 {
      return IconPixels(bitmap: image.bitmap, box: box)
    }
    let ratio = min(pixelRatio, Self.sideLimit / max(box.width, box.height))
    func count(_ length: Double) -> Int { max(Int(clamping: (length * ratio - 1e-6).rounded(.up)), 1) }
    let (xs, ys) = (columns.sources(count: count(box.width)), rows.sources(count: count(box.height)))
    let field = image.isDistanceField ? DistancePaint(paint, image, size: size, pixelRatio: pixelRatio) : nil
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * xs.count * ys.count)
    for y in ys {
      for x in xs {
        let sample = image.bitmap.sample(x: x, y: y)
        let color = field?.color(distance: sample.w / 255) ?? PixelColor(premultiplied: sample)
        pixels.append(color.red)
        pixels.append(color.green)
        pixels.append(color.blue)
        pixels.append(color.alpha)
      }
    }
    return (try? Bitmap(width: xs.count, height: ys.count, pixels: pixels)).map {
      IconPixels(bitmap: $0, box: box)
    }
  }

  /// The largest side of an icon's bitmap in pixels.
  ///
  /// - Source: design decision; larger icons are scaled.
  private static let sideLimit = 512.0

  /// Returns the columns and rows of the icon.
  private func axes(size: Double) -> (columns: ImageAxis, rows: ImageAxis) {
    let (width, height) = (Double(image.bitmap.width), Double(image.bitmap.height))
    guard isFitted else {
      return (
        ImageAxis(length: width, from: box.left * size, to: box.right * size),
        ImageAxis(length: height, from: box.top * size, to: box.bottom * size)
      )
    }
    let (fitted, stretching) = (proportionalBox, image.stretching)
    return (
      ImageAxis(
        length: width, zones: stretching.columns, content: stretching.content.map { $0.left..<$0.right },
        from: fitted.left, to: fitted.right, pixelRatio: image.pixelRatio, size: size),
      ImageAxis(
        length: height, zones: stretching.rows, content: stretching.content.map { $0.top..<$0.bottom },
        from: fitted.top, to: fitted.bottom, pixelRatio: image.pixelRatio, size: size)
    )
  }

  /// The box with the ratio of the content along axes that keep it.
  private var proportionalBox: SymbolBox {
    guard let content = image.stretching.content, content.height > 0, box.width > 0, box.height > 0 else {
      return box
    }
    let (fitWidth, fitHeight) = (image.stretching.fitWidth, image.stretching.fitHeight)
    let ratio = content.width / content.height
    var fitted = box
    let isNarrow = box.width / box.height < ratio
    if fitHeight == .proportional {
      guard fitWidth == .proportional || (fitWidth == .stretchOnly && isNarrow) else { return box }
      let width = (box.height * ratio).rounded(.up)
      fitted.left *= width / box.width
      fitted.right = fitted.left + width
    } else if fitWidth == .proportional, fitHeight == .stretchOnly, ratio > 0, box.width / box.height > ratio
    {
      let height = (box.width / ratio).rounded(.up)
      fitted.top *= height / box.height
      fitted.bottom = fitted.top + height
    }
    return fitted
  }
}

/// The colours of a distance field: 0.75 is the edge, and an eighth is a pixel of the image.
///
/// - Source: MapLibre GL JS 5; for images of several pixels per CSS pixel, the halo has its width in CSS pixels.
private struct DistancePaint {
  private let color: Color?
  private let haloColor: Color?
  private let edge = 0.75
  private let softness: Double
  private let haloEdge: Double
  private let haloSoftness: Double

  init(_ paint: IconPaint, _ image: SpriteImage, size: Double, pixelRatio: Double) {
    let units = image.pixelRatio / size
    color = paint.color
    haloColor = paint.haloWidth > 0 ? paint.haloColor : nil
    softness = 0.105 / pixelRatio * units
    haloEdge = edge - min(max(paint.haloWidth, 0), 10_000) * units / 8
    haloSoftness = (min(max(paint.haloBlur, 0), 10_000) * 1.19 / 8 + 0.105 / pixelRatio) * units
  }

  /// Returns the colour at a distance.
  func color(distance: Double) -> PixelColor {
    let inside = Self.step(distance, edge, softness)
    let inner = Self.step(distance, edge + haloSoftness, haloSoftness)
    let ring = min(Self.step(distance, haloEdge, haloSoftness), 1 - inner)
    let front = inside * Double(color?.alpha ?? 0)
    let back = ring * Double(haloColor?.alpha ?? 0) * (1 - front / 255)
    return PixelColor(premultiplied: Self.part(color, front) + Self.part(haloColor, back))
  }

  private static func part(_ color: Color?, _ alpha: Double) -> SIMD4<Double> {
    guard let color else { return .zero }
    return SIMD4(Double(color.red), Double(color.green), Double(color.blue), 1) * alpha
  }

  /// Returns 0 below an edge, 1 above it, and a smooth transition between.
  private static func step(_ value: Double, _ edge: Double, _ softness: Double) -> Double {
    let share = min(max((value - edge + softness) / (2 * softness), 0), 1)
    return share * share * (3 - 2 * share)
  }
}

extension Bitmap {
  /// Returns red, green and blue times alpha, and alpha, at a position between pixels.
  ///
  /// Outside the image, the nearest pixel is repeated.
  fileprivate func sample(x: Double, y: Double) -> SIMD4<Double> {
    let (column, row) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    func pixel(_ x: Double, _ y: Double) -> SIMD4<Double> {
      let at = min(max(Int(clamping: x), 0), width - 1) + min(max(Int(clamping: y), 0), height - 1) * width
      let alpha = Double(pixels[4 * at + 3])
      return alpha
        * SIMD4(Double(pixels[4 * at]), Double(pixels[4 * at + 1]), Double(pixels[4 * at + 2]), 1)
    }
    let (right, lower) = (x - 0.5 - column, y - 0.5 - row)
    let above = pixel(column, row) * (1 - right) + pixel(column + 1, row) * right
    let below = pixel(column, row + 1) * (1 - right) + pixel(column + 1, row + 1) * right
    return above * (1 - lower) + below * lower
  }
}

extension PixelColor {
  /// Creates a colour from red, green and blue times alpha, and alpha, from 0 to 255.
  fileprivate init(premultiplied sample: SIMD4<Double>) {
    let alpha = sample.w
    guard alpha > 0 else {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
      return
    }
    func byte(_ value: Double) -> UInt8 { UInt8(clamping: Int(clamping: value.rounded())) }
    self.init(
      red: byte(sample.x / alpha), green: byte(sample.y / alpha), blue: byte(sample.z / alpha),
      alpha: byte(alpha))
  }
}
