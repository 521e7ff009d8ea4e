import MapJSON
import MapModel
import MapStyles
import MapSystem

extension StyleDrawing {
  /// Returns warnings about layers that draw no text, because it reads only fields that the features do not have.
  ///
  /// The fields are those that the source states, or else those of the features in view.
  func unknownTexts(of layers: [StyleLayer], _ style: MapStyle) -> [String] {
    guard !style.isBundled else { return [] }
    return layers.compactMap { layer in
      guard layer.type == .symbol, let property = layer.type.index(of: "text-field"),
        case .expression(let text)? = layer.values[property], !text.names.isEmpty, let context,
        let known = fieldNames(of: layer, style), !text.names.contains(where: known.contains)
      else { return nil }
      // A text may have other parts than the fields.
      guard let empty = try? text.value(context, feature: StyleFeature(kind: .point)), !empty.hasText else {
        return nil
      }
      let names = text.names.prefix(5).map { "\"\(MessageText.name($0))\"" }.joined(separator: " or ")
      let near = text.names.lazy.compactMap { NearestName.of($0, among: known.sorted()) }.first
      let advice = near.map { ", did you mean \"\(MessageText.name($0))\"?" } ?? ""
      return
        "\(Self.named(layer)): text-field draws no text: the features have no field \(names)\(advice)"
    }
  }

  /// Returns the names of the fields that the features of a layer have; nil if they are not known.
  private func fieldNames(of layer: StyleLayer, _ style: MapStyle) -> Set<String>? {
    guard let name = layer.source, let source = style.sources[name] else { return nil }
    if let stated = style.fieldNames(ofSource: name, layer: layer.sourceLayer ?? "") { return Set(stated) }
    guard case .tiles = source, let places = tiles[name]?.places else { return nil }
    let features = places.compactMap { $0.content.layers[layer.sourceLayer ?? ""]?.features }
    guard features.contains(where: { $0.count > 0 }) else { return nil }
    return Set(features.flatMap(\.names))
  }
}

extension StyleValue {
  /// Whether a value of `text-field` has a text or an image.
  fileprivate var hasText: Bool {
    switch self {
    case .string(let text): !text.allSatisfy(\.isWhitespace)
    case .formatted(let sections):
      sections.contains { !$0.text.allSatisfy(\.isWhitespace) || $0.image != nil }
    case .null: false
    default: true
    }
  }
}
