/// A property that differs between two records.
struct PropertyChange {
  /// The part of a map that a property belongs to.
  enum Scope: Hashable {
    /// The view: every item may differ.
    case view
    /// The whole layer: filters, scales, opacity.
    case layer
    /// The choice of classes: kind, field, values, bounds.
    case rule
    /// The symbol of a class.
    case symbol
    /// A label class, or all labels of a layer.
    case labels
    /// A layer of a style, the style itself, or a file that it uses.
    case style
  }

  let scope: Scope
  /// The layer's name in the later record; nil for the view.
  let layer: String?
  /// The class's name; nil for the whole layer.
  let className: String?
  /// The indexes of the class in the earlier and the later record; nil for the whole layer and for a missing class.
  var classes: (before: Int?, after: Int?) = (nil, nil)
  /// The name of the style's layer in a record with the features of styles; nil for other changes.
  var recordedLayer: String?
  /// The number of features of the style's layer; 0 for other changes.
  var featureCount = 0
  /// Whether neither image has features of the class: the change counts only where something else follows from it, such as
  /// a legend.
  var isHidden = false
  let key: String
  let name: String
  let before: String
  let after: String

  /// The change for reports, such as `fill color #ff0000ff → #fc0000ff`.
  var summary: String { "\(name): \(Self.quoted(before)) → \(Self.quoted(after))" }

  /// Whether labels and shapes may lie elsewhere after the change: not after one of colours, opacities and names.
  var moves: Bool {
    let last = key.split(separator: ".").last { Int($0) == nil }.map { String($0) } ?? key
    let paints = last.lowercased().hasSuffix("color") || key.contains("Color") || key.hasPrefix("effect")
    return !paints
      && !["opacity", "transparency", "blendMode", "background", "label", "title"].contains(last)
  }

  private static func quoted(_ text: String) -> String { text.isEmpty ? "none" : text }
}
