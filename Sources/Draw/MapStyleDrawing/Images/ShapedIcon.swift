/// An icon of a symbol with its position.
///
/// Lengths are in CSS pixels at `icon-size` 1: x to the right and y down from the symbol's anchor point.
package struct ShapedIcon: Hashable, Sendable {
  /// The image.
  package let image: SpriteImage
  /// The position and size; of the content for an image that is fitted to a text.
  package let box: SymbolBox
  /// The rectangle that collides, without padding.
  package let collisionBox: SymbolBox
  /// Whether the icon is fitted to a text, so that the parts of the image that stretch do so.
  package let isFitted: Bool

  /// Creates an icon at its anchor.
  ///
  /// - Parameters:
  ///   - anchor: the part of the icon that is at the symbol's anchor point.
  ///   - offsetX: the offset to the right.
  ///   - offsetY: the offset down.
  package init(
    _ image: SpriteImage, anchor: SymbolAnchor = .center, offsetX: Double = 0, offsetY: Double = 0
  ) {
    let left = offsetX - image.width * anchor.horizontal
    let top = offsetY - image.height * anchor.vertical
    self.image = image
    box = SymbolBox(left: left, top: top, right: left + image.width, bottom: top + image.height)
    (collisionBox, isFitted) = (box, false)
  }

  /// Creates an icon around a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - fontSize: the CSS pixels of an em.
  ///   - fit: the axes along which the image has the text's size.
  ///   - padding: the distances from the text at the top, right, bottom and left; missing ones are 0.
  ///   - offsetX: the offset to the right.
  ///   - offsetY: the offset down.
  package init(
    _ image: SpriteImage, around text: ShapedText, fontSize: Double, fit: IconTextFit, padding: [Double] = [],
    offsetX: Double = 0, offsetY: Double = 0
  ) {
    func distance(_ side: Int) -> Double { side < padding.count ? padding[side] : 0 }
    let text = text.box.scaled(by: fontSize).moved(x: offsetX, y: offsetY)
    var box = text
    if fit == .width || fit == .both {
      box.left -= distance(3)
      box.right += distance(1)
    } else {
      box.left = (text.left + text.right - image.width) / 2
      box.right = box.left + image.width
    }
    if fit == .height || fit == .both {
      box.top -= distance(0)
      box.bottom += distance(2)
    } else {
      box.top = (text.top + text.bottom - image.height) / 2
      box.bottom = box.top + image.height
    }
    (self.image, self.box, isFitted) = (image, box, true)
    guard let content = image.stretching.content?.scaled(by: 1 / image.pixelRatio) else {
      collisionBox = box
      return
    }
    collisionBox = SymbolBox(
      left: box.left - content.left, top: box.top - content.top,
      right: box.right + image.width - content.right,
      bottom: box.bottom + image.height - content.bottom)
  }
}

/// The values of `icon-text-fit`.
package enum IconTextFit: String, Hashable, Sendable {
  case none, width, height, both
}
