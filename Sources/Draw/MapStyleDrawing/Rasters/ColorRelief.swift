package import MapImages
package import MapStyles
import MapSystem

/// The colouring of heights by the paint properties of a color-relief layer.
///
/// - Source: MapLibre GL JS 5: heights are interpolated, then coloured.
package struct ColorRelief: Sendable {
  /// The opacity of the layer as a whole, 0 to 1.
  package let opacity: Double
  /// Whether each pixel has the colour of the nearest height.
  package let isNearest: Bool
  private let layer: StyleLayer
  private let context: StyleContext

  /// Creates the colouring of a layer.
  package init(_ layer: StyleLayer, _ context: StyleContext) {
    (self.layer, self.context) = (layer, context)
    opacity = min(max(layer.value(of: "color-relief-opacity", context)?.value.number ?? 1, 0), 1)
    isNearest = layer.value(of: "resampling", context)?.value.string == "nearest"
  }

  /// The metres between heights whose colours are computed, and the least and the largest number of such heights between
  /// the lowest and the highest of a tile.
  ///
  /// - Source: design decision; the ramp of a tile with small differences in height may be as steep as that of another.
  private static let (step, fewestSteps, mostSteps) = (0.25, 1 << 12, 1 << 16)

  /// Returns the colour of a height.
  package func color(atHeight height: Double) -> StyleColor {
    var context = context
    context.elevation = height
    return layer.value(of: "color-relief-color", context)?.value.color ?? StyleColor(0, 0, 0, alpha: 0)
  }

  /// Returns the colours of a tile, larger than the tile by a factor; transparent where there is no height.
  ///
  /// - Parameter factor: the pixels along a side for each pixel of the tile; more than 1 for tiles that are drawn enlarged.
  /// - Throws: ``MapStateError`` when memory runs out.
  package func image(of square: ElevationSquare, factor: Int) throws -> Bitmap {
    let factor = max(1, factor)
    let side = square.tile.side * factor
    var heights = [Float](repeating: .nan, count: side * side)
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = ((Double(column) + 0.5) / Double(factor), (Double(row) + 0.5) / Double(factor))
        heights[row * side + column] = square.height(x: x, y: y)
      }
    }
    var (low, high) = (Double.infinity, -Double.infinity)
    for height in heights where height.isFinite {
      (low, high) = (min(low, Double(height)), max(high, Double(height)))
    }
    var pixels = [UInt8](repeating: 0, count: side * side * 4)
    let range = high > low ? high - low : Self.step
    let step = max(min(Self.step, range / Double(Self.fewestSteps)), range / Double(Self.mostSteps))
    // Bytes of the colours by their steps; made when first needed.
    var colors: [Int: SIMD4<UInt8>] = [:]
    for index in heights.indices where heights[index].isFinite {
      let number = Int(clamping: (Double(heights[index]) / step).rounded())
      let color = colors[number] ?? Self.bytes(self.color(atHeight: Double(number) * step))
      colors[number] = color
      for channel in 0..<4 { pixels[index * 4 + channel] = color[channel] }
    }
    return try Bitmap(width: side, height: side, pixels: pixels)
  }

  private static func bytes(_ color: StyleColor) -> SIMD4<UInt8> {
    func byte(_ value: Double) -> UInt8 {
      UInt8(clamping: Int(clamping: (min(max(value, 0), 1) * 255).rounded()))
    }
    return SIMD4(byte(color.red), byte(color.green), byte(color.blue), byte(color.alpha))
  }
}
