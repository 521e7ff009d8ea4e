package import MapModel

extension SymbolForm {
  /// The colour of the first part; nil for images.
  package var mainColor: Color? {
    switch simpleParts.first {
    case .marker(let marker): marker.color
    case .line(let line): line.color
    case .fill(let fill): fill.color
    case .text(let text): text.color
    case .vector(let vector): vector.shapes.lazy.compactMap(\.color).first
    case .placed(let placed): placed.parts.lazy.compactMap(\.mainColor).first
    case .picture, .pattern, .composite, nil: nil
    }
  }
}
