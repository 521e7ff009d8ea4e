internal import MapModel
internal import MapSystem

/// An image to which effects are applied, with 16 bits per channel.
///
/// All arithmetic on pixels is that of integers, in one order, so the bytes do not depend on machine or threads.
struct EffectImage {
  /// Red, green, blue and alpha of a pixel, premultiplied, each 0 to 65,535.
  typealias Pixel = SIMD4<UInt16>

  let width: Int
  private(set) var pixels: [Pixel]

  /// Creates an image from premultiplied pixels with 8 bits per channel, alpha in the highest byte.
  init(width: Int, pixels: [UInt32]) {
    self.width = width
    self.pixels = pixels.map { pixel in
      func channel(_ shift: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: pixel >> shift & 255) &* 257 }
      return Pixel(channel(16), channel(8), channel(0), channel(24))
    }
  }

  private var height: Int { width > 0 ? pixels.count / width : 0 }

  /// Returns the pixels of the image without a margin, with 8 bits per channel and alpha in the highest byte.
  func cropped(by margin: Int) -> [UInt32] {
    let columns = margin..<max(margin, width - margin)
    var result: [UInt32] = []
    result.reserveCapacity(columns.count * max(0, height - 2 * margin))
    for row in margin..<max(margin, height - margin) {
      for column in columns {
        let pixel = pixels[row * width + column]
        func channel(_ value: UInt16) -> UInt32 { (UInt32(value) * 255 + 32767) / 65535 }
        result.append(
          channel(pixel.w) << 24 | channel(pixel.x) << 16 | channel(pixel.y) << 8 | channel(pixel.z))
      }
    }
    return result
  }

  /// Applies functions in order.
  mutating func apply(_ functions: [EffectFunction], pixelRatio: Double) {
    for function in functions {
      switch function {
      case .amount(.opacity, let amount): multiply(by: amount)
      case .amount(let kind, let amount): apply(EffectMatrix(kind, amount))
      case .hueRotate(let angle): apply(EffectMatrix(hueRotation: angle))
      case .blur(let radius): blur(deviation: radius * pixelRatio)
      case .dropShadow(let shadow): addShadow(shadow, pixelRatio: pixelRatio)
      case .bloom(let bloom): addGlow(bloom, pixelRatio: pixelRatio)
      }
    }
  }

  /// Lays another image of the same size over this one.
  mutating func lay(_ above: EffectImage) {
    for index in pixels.indices {
      let top = above.pixels[index]
      guard top.w > 0 else { continue }
      pixels[index] = Self.over(top, pixels[index])
    }
  }

  private static func over(_ top: Pixel, _ below: Pixel) -> Pixel {
    top.w == .max ? top : top &+ scaled(below, by: 65535 - UInt32(top.w))
  }

  /// Returns a pixel times a share of 65,535.
  private static func scaled(_ pixel: Pixel, by share: UInt32) -> Pixel {
    let product = SIMD4<UInt32>(truncatingIfNeeded: pixel) &* share &+ 32767
    return Pixel(truncatingIfNeeded: product / 65535)
  }

  private mutating func multiply(by amount: Double) {
    let amount = min(max(amount, 0), 1)
    let share = UInt32(clamping: Int(clamping: (amount * 65535).rounded()))
    for index in pixels.indices where pixels[index].w > 0 {
      pixels[index] = Self.scaled(pixels[index], by: share)
    }
  }

  private mutating func apply(_ matrix: EffectMatrix) {
    for index in pixels.indices where pixels[index].w > 0 {
      let pixel = pixels[index]
      let alpha = Int64(pixel.w)
      func straight(_ value: UInt16) -> Int64 { min(65535, (Int64(value) * 65535 + alpha / 2) / alpha) }
      let color = matrix.applied(to: (straight(pixel.x), straight(pixel.y), straight(pixel.z)))
      func premultiplied(_ value: Int64) -> UInt16 { UInt16(clamping: (value * alpha + 32767) / 65535) }
      pixels[index] = Pixel(
        premultiplied(color.red), premultiplied(color.green), premultiplied(color.blue), pixel.w)
    }
  }

  private mutating func blur(deviation: Double) {
    let blur = GaussianBlur(deviation: deviation)
    guard blur.changes else { return }
    pixels = blur.applied(to: pixels, width: width)
  }

  /// Adds the blurred copy of the bright colours.
  ///
  /// Colour and opacity are added, so a glow beside the features is as transparent as its copy.
  private mutating func addGlow(_ bloom: EffectBloom, pixelRatio: Double) {
    // The weights of the luminance in units of 1/65,536, as in the matrices of the standard.
    let (red, green, blue): (UInt64, UInt64, UInt64) = (13959, 46858, 4719)
    let least = UInt64(clamping: Int(clamping: (min(max(bloom.threshold, 0), 1) * 65535).rounded()))
    let strength = min(max(bloom.strength, 0), EffectBloom.largestStrength)
    let factor = UInt64(clamping: Int(clamping: (strength * 65536).rounded()))
    var glow = self
    for index in pixels.indices {
      let pixel = pixels[index]
      let sum = UInt64(pixel.x) * red + UInt64(pixel.y) * green + UInt64(pixel.z) * blue
      // The colours are premultiplied, so the threshold is, too.
      if sum >> 16 < least * UInt64(pixel.w) / 65535 { glow.pixels[index] = .zero }
    }
    glow.blur(deviation: bloom.radius * pixelRatio)
    for index in pixels.indices where glow.pixels[index].w > 0 {
      func added(_ channel: UInt16, _ glow: UInt16) -> UInt16 {
        UInt16(clamping: UInt64(channel) + (UInt64(glow) * factor + 32768) >> 16)
      }
      let (pixel, light) = (pixels[index], glow.pixels[index])
      let alpha = added(pixel.w, light.w)
      pixels[index] = Pixel(
        min(added(pixel.x, light.x), alpha), min(added(pixel.y, light.y), alpha),
        min(added(pixel.z, light.z), alpha), alpha)
    }
  }

  /// Adds a shadow; its distance is rounded to whole output pixels.
  private mutating func addShadow(_ shadow: EffectShadow, pixelRatio: Double) {
    let right = Int(clamping: (shadow.x * pixelRatio).rounded())
    let down = Int(clamping: (shadow.y * pixelRatio).rounded())
    let opacity = UInt32(shadow.color.alpha) * 257
    func channel(_ value: UInt8) -> UInt16 {
      UInt16(clamping: (UInt32(value) * 257 * opacity + 32767) / 65535)
    }
    let ink = Pixel(
      channel(shadow.color.red), channel(shadow.color.green), channel(shadow.color.blue),
      UInt16(clamping: opacity))
    var below = self
    for row in 0..<height {
      for column in 0..<width {
        let from = (row: row - down, column: column - right)
        let isInside = from.row >= 0 && from.row < height && from.column >= 0 && from.column < width
        let alpha = isInside ? pixels[from.row * width + from.column].w : 0
        below.pixels[row * width + column] = Self.scaled(ink, by: UInt32(alpha))
      }
    }
    below.blur(deviation: shadow.radius * pixelRatio)
    below.lay(self)
    self = below
  }
}
