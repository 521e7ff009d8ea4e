package import MapGeometry
package import MapModel

/// The image or text that a marker shows instead of a shape.
///
/// Identify tests its whole rectangle.
package struct MarkerBlock: Hashable, Sendable {
  /// The kinds of content.
  package enum Content: Hashable, Sendable {
    /// An image that fills the rectangle; its alpha is multiplied by `opacity`, 0 to 1.
    case picture(SymbolPicture, opacity: Double)
    /// Letters and their halo.
    case text(TextInk)
  }

  /// The content of the rectangle.
  package let content: Content
  /// The rectangle relative to the marker's point before rotation, in pixels, y down.
  package let box: Envelope

  /// Creates a block.
  package init(_ content: Content, box: Envelope) { (self.content, self.box) = (content, box) }

  /// Returns the corners relative to the point, rotated clockwise by `angle` degrees.
  func corners(angle: Double) -> [(x: Double, y: Double)] {
    [(box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax)]
      .map { MarkerShape.turned(x: $0.0, y: $0.1, angle: angle) }
  }
}

/// Letters relative to a point.
package struct TextInk: Hashable, Sendable {
  /// The text; lines are separated by line feeds.
  package let text: String
  /// The rotated outlines relative to the point, in pixels, y down; the inside follows the non-zero rule.
  package let steps: [GlyphOutline.Step]
  /// The style of the letters.
  package let style: LabelStyle
  /// The y offset of the first baseline from the point; nil for rotated text.
  let baseline: Double?
}
