import MapGeometry
import MapImages
import MapSystem

extension PictureMarkerSymbol {
  /// The maximum number of samples of images that a tile is made of.
  ///
  /// - Source: design decision: about half a second.
  private static let mostSamples = 1 << 25

  /// Returns an image of one period of a grid of the marker, to be laid side by side; nil without an image, and for a
  /// grid that is too dense.
  ///
  /// The middle of the first marker is half a step from the upper left corner, as that of a pattern of vector markers.
  /// Markers that overlap are painted from the top to the bottom, and each row from the left to the right.
  ///
  /// - Parameter shifts: Whether every second row is moved by half a step.
  /// - Throws: ``PNGError`` or ``MapStateError``.
  package func tile(stepX: Double, stepY: Double, shifts: Bool) throws -> PictureMarkerSymbol? {
    guard case .success(let picture) = picture, let size = drawnSize, size.width > 0, size.height > 0 else {
      return nil
    }
    let rows = shifts ? 2 : 1
    let (periodX, periodY) = (stepX, stepY * Double(rows))
    let radius = (size.width * size.width + size.height * size.height).squareRoot() / 2
    let copies = (2 * radius / stepX + 2).rounded() * (2 * radius / stepY + 2).rounded()
    // Samples of the same fineness as the image, 4 by 4 for each pixel of the tile.
    var density = min(max((Double(picture.width) / size.width).rounded(.up), 1), 4)
    func samples() -> Double { periodX * periodY * density * density * 16 * copies }
    while density > 1, samples() > Double(Self.mostSamples) { density -= 1 }
    guard samples() <= Double(Self.mostSamples) else { return nil }
    let width = max(1, Int(clamping: (periodX * density).rounded()))
    let height = max(1, Int(clamping: (periodY * density).rounded()))
    let source = Source(try picture.bitmap(), size: size, angle: angle)
    var centers: [(x: Double, y: Double)] = []
    let (reachX, reachY) = (
      Int(clamping: (radius / periodX + 1).rounded(.up)), Int(clamping: (radius / periodY + 1).rounded(.up))
    )
    for repetition in -reachY...reachY {
      for row in 0..<rows {
        for column in -reachX...reachX {
          let shift = row == 1 ? stepX / 2 : 0
          let x = stepX * (Double(column) + 0.5) + shift + offsetX
          let y = stepY * (Double(row) + 0.5) + periodY * Double(repetition) - offsetY
          centers.append((x, y))
        }
      }
    }
    var pixels = [UInt8](repeating: 0, count: 4 * width * height)
    for row in 0..<height {
      for column in 0..<width {
        var sum = SIMD4<Double>.zero
        for part in 0..<16 {
          let x = (Double(column) + (Double(part % 4) + 0.5) / 4) * periodX / Double(width)
          let y = (Double(row) + (Double(part / 4) + 0.5) / 4) * periodY / Double(height)
          var color = SIMD4<Double>.zero
          for center in centers where abs(x - center.x) <= radius && abs(y - center.y) <= radius {
            guard let above = source.color(x: x - center.x, y: y - center.y) else { continue }
            color = above + color * (1 - above.w)
          }
          sum += color
        }
        guard sum.w > 0 else { continue }
        let place = 4 * (row * width + column)
        for (channel, value) in [sum.x, sum.y, sum.z].enumerated() {
          pixels[place + channel] = UInt8(clamping: Int(clamping: (value / sum.w * 255).rounded()))
        }
        pixels[place + 3] = UInt8(clamping: Int(clamping: (sum.w / 16 * 255).rounded()))
      }
    }
    let tile = SymbolPicture(try Bitmap(width: width, height: height, pixels: pixels), density: density)
    var symbol = PictureMarkerSymbol(picture: .success(tile), url: url)
    (symbol.width, symbol.height, symbol.opacity) = (periodX, periodY, opacity)
    return symbol
  }

  /// The pixels of an image about its middle.
  private struct Source {
    private let bitmap: Bitmap
    private let size: (width: Double, height: Double)
    private let cosine: Double
    private let sine: Double

    init(_ bitmap: Bitmap, size: (width: Double, height: Double), angle: Double) {
      (self.bitmap, self.size) = (bitmap, size)
      (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    }

    /// Returns the premultiplied colour at a distance from the middle; nil outside the image.
    func color(x: Double, y: Double) -> SIMD4<Double>? {
      let (u, v) = ((x * cosine + y * sine) / size.width + 0.5, (y * cosine - x * sine) / size.height + 0.5)
      guard u >= 0, u < 1, v >= 0, v < 1 else { return nil }
      let column = min(Int(clamping: (u * Double(bitmap.width)).rounded(.down)), bitmap.width - 1)
      let row = min(Int(clamping: (v * Double(bitmap.height)).rounded(.down)), bitmap.height - 1)
      let place = 4 * (row * bitmap.width + column)
      let alpha = Double(bitmap.pixels[place + 3]) / 255
      return SIMD4(
        Double(bitmap.pixels[place]) / 255 * alpha, Double(bitmap.pixels[place + 1]) / 255 * alpha,
        Double(bitmap.pixels[place + 2]) / 255 * alpha, alpha)
    }
  }
}
