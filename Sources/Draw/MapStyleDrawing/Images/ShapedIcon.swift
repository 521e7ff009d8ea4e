package import MapImages
package import MapModel

/// An icon of a symbol with its position.
///
/// Lengths are in CSS pixels at `icon-size` 1: x to the right and y down from the symbol's anchor point.
package struct ShapedIcon: Hashable, Sendable {
  /// The image.
  package let image: SpriteImage
  /// The position and size.
  package let box: SymbolBox
  /// The distances between the box and the box that collides, inwards; of the content of a fitted image.
  package let collisionInset: SymbolBox
  /// Whether the icon is fitted to its text. Its size does not depend on `icon-size` then.
  package let isFitted: Bool
}

/// The values of `icon-text-fit`.
package enum IconTextFit: String, Hashable, Sendable {
  case none, width, height, both
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

/// The pixels of an icon with their position around the symbol's anchor point, in CSS pixels.
package struct IconPixels: Hashable, Sendable {
  /// The pixels.
  package let bitmap: Bitmap
  /// The position of the bitmap's sides; a halo may lie outside the icon's box.
  package let box: SymbolBox
}

extension ShapedIcon {
  /// Creates an icon at its anchor.
  package init(_ image: SpriteImage, anchor: SymbolAnchor = .center, offsetX: Double = 0, offsetY: Double = 0)
  {
    let left = offsetX - image.width * anchor.horizontal
    let top = offsetY - image.height * anchor.vertical
    self.init(
      image: image,
      box: SymbolBox(left: left, top: top, right: left + image.width, bottom: top + image.height),
      collisionInset: SymbolBox(left: 0, top: 0, right: 0, bottom: 0), isFitted: false)
  }
}
