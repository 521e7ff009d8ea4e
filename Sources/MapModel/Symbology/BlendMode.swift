/// The way in which the colours of a layer are mixed with those below it.
///
/// - Source: web map specification, `blendMode`; the formulas are those of W3C Compositing and Blending Level 1,
///   section 9, which Cairo, SVG and PDF share. Modes that only cut layers out are not supported.
package enum BlendMode: String, CaseIterable, Hashable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, difference, exclusion
  case hue, saturation, color, luminosity
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"

  /// The modes that web maps may have and MapState does not draw.
  package static let undrawn = [
    "average", "destination-atop", "destination-in", "destination-out", "destination-over", "invert",
    "lighter", "minus", "plus", "reflect", "source-atop", "source-in", "source-out", "vivid-light", "xor",
  ]
}
