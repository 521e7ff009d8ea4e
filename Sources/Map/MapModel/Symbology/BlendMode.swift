/// The way in which the colours of a layer are mixed with those below it.
///
/// - Source: web map specification, `blendMode`. The formulas of most modes are those of W3C Compositing and Blending
///   Level 1, sections 9 and 10. `average`, `invert`, `minus`, `plus`, `reflect` and `vivid-light` are those of image
///   editors, applied as section 10 applies its formulas.
package enum BlendMode: String, CaseIterable, Hashable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, difference, exclusion
  case hue, saturation, color, luminosity
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  case vividLight = "vivid-light"
  case average, invert, lighter, minus, plus, reflect, xor
  case destinationAtop = "destination-atop"
  case destinationIn = "destination-in"
  case destinationOut = "destination-out"
  case destinationOver = "destination-over"
  case sourceAtop = "source-atop"
  case sourceIn = "source-in"
  case sourceOut = "source-out"

  /// Whether the result depends on where the layer and what is below it are transparent.
  ///
  /// Such a mode cuts out parts of the layer or of what is below it, or puts the layer below it. The background of the
  /// map is no layer, and is not cut.
  package var cuts: Bool {
    switch self {
    case .xor, .destinationAtop, .destinationIn, .destinationOut, .destinationOver, .sourceAtop, .sourceIn,
      .sourceOut:
      true
    default: false
    }
  }

  /// Whether SVG and PDF have the mode.
  package var isOfVectorFormats: Bool {
    switch self {
    case .vividLight, .average, .invert, .lighter, .minus, .plus, .reflect: false
    default: !cuts
    }
  }
}
