import MapModel

/// The property that keeps features from changing a pixel of an image.
package enum Invisibility: Int, CaseIterable, Hashable, Sendable {
  /// The opacity of the layer, of a group around it or of an effect.
  case opacity
  /// The colours of the symbol.
  case color
  /// The size or width of the symbol.
  case size
  /// The offset of the symbol, which moves it out of the image.
  case offset
  /// Another property, such as a shape that covers too little of a pixel.
  case other
}

extension SymbolForm {
  /// The reason why a symbol without ink is invisible.
  var invisibility: Invisibility {
    let parts = simpleParts
    return !parts.isEmpty && parts.allSatisfy(\.hasNoSize) ? .size : .color
  }

  private var hasNoSize: Bool {
    switch self {
    case .marker(let marker): !(marker.size > 0)
    case .picture(let picture): picture.drawnSize.map { !($0.width > 0 && $0.height > 0) } ?? false
    case .text(let text): !(text.size > 0)
    case .line(let line): !(line.width > 0)
    case .vector(let vector): !(vector.size > 0)
    case .placed(let placed): placed.parts.allSatisfy(\.hasNoSize)
    case .composite(let composite): composite.parts.allSatisfy(\.hasNoSize)
    case .fill, .pattern: false
    }
  }
}
