import MapGeometry

/// A renderer that draws the density of points as colours, without symbols.
///
/// The density at a pixel is the sum over all points of `weight · 3 / (π r²) · (1 − d² / r²)²` for each distance d
/// below the radius r, in pixels of 1/96 inch. It is drawn in the colour at its position between the two densities.
/// Features outside the view add to the density inside.
///
/// - Source: web map specification, `heatmap`; the kernel is the quartic one of Silverman, "Density Estimation",
///   equation 4.5. Design decision: its unit.
public struct HeatmapRenderer: Renderer, Hashable {
  /// A colour at a position between the two densities.
  public struct ColorStop: Hashable, Sendable {
    /// The position, from 0 (``HeatmapRenderer/minDensity``) to 1 (``HeatmapRenderer/maxDensity``).
    public let ratio: Double
    /// The colour.
    public let color: Color

    /// Creates a stop.
    public init(ratio: Double, color: Color) { (self.ratio, self.color) = (ratio, color) }
  }

  /// The field with the weights of the points; nil for 1.
  ///
  /// Null and text weigh nothing.
  public var fieldName: String?
  /// The radius of the kernel, in pixels of 1/96 inch.
  public var radius: Double
  /// The density that has the colour of the first stop.
  public var minDensity: Double
  /// The density that has the colour of the last stop.
  public var maxDensity: Double
  /// The colours, ascending by ratio.
  public var colorStops: [ColorStop]
  /// The scale denominator at which the radius applies; 0 for one radius at all scales.
  ///
  /// At other scales the radius is proportional to the scale, and the colours stay the same.
  public var referenceScale: Double
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a renderer; stops may be in any order.
  public init(
    fieldName: String? = nil, radius: Double = 24, minDensity: Double = 0, maxDensity: Double,
    colorStops: [ColorStop], referenceScale: Double = 0
  ) {
    (self.fieldName, self.radius) = (fieldName, radius)
    (self.minDensity, self.maxDensity, self.referenceScale) = (minDensity, maxDensity, referenceScale)
    self.colorStops = colorStops.enumerated()
      .sorted { ($0.element.ratio, $0.offset) < ($1.element.ratio, $1.offset) }.map(\.element)
  }

  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .heatmap(self) }

  /// The largest radius that is drawn, in pixels of 1/96 inch.
  ///
  /// - Source: design decision; a larger kernel covers any image.
  public static let radiusLimit = 4096.0

  /// Returns the colour of a density; interpolated in red, green, blue and alpha.
  public func color(ofDensity density: Double) -> Color { colors(density) }

  /// The colours by density.
  package var colors: (Double) -> Color {
    let ramp = ColorVariable(input: .scale, stops: colorStops.map { VariableStop($0.ratio, $0.color) })
    let (low, high, span) = (minDensity, maxDensity, maxDensity - minDensity)
    return { density in
      // Equal densities divide all pixels into those below and those at or above.
      let ratio = span > 0 ? (density - low) / span : density < high ? 0 : 1
      return ramp.color(of: ratio) ?? .clear
    }
  }

  /// Returns the renderer for one scale, with densities for the grown radius and without a reference scale.
  func resolved(atScale scale: Double) -> HeatmapRenderer {
    guard referenceScale > 0, scale > 0, radius > 0 else { return self }
    var resolved = self
    let factor = min(referenceScale / scale, Self.radiusLimit / radius)
    resolved.referenceScale = 0
    resolved.radius = radius * factor
    resolved.minDensity = minDensity / (factor * factor)
    resolved.maxDensity = maxDensity / (factor * factor)
    return resolved
  }

  /// A circle of the kernel's size, which has its reach.
  var symbol: SymbolForm {
    .marker(
      SimpleMarkerSymbol(
        style: .circle, color: colorStops.last?.color ?? .clear,
        size: 2 * min(max(radius.isFinite ? radius : 0, 0), Self.radiusLimit)))
  }
}
