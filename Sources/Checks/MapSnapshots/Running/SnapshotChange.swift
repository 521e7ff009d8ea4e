import MapImages

/// A change of a class of a layer, of a layer, or of the whole image.
public struct SnapshotChange: Hashable, Sendable {
  /// A feature with the change.
  public struct Feature: Hashable, Sendable {
    /// The object id.
    public let id: Int64
    /// The fields as `field value`, or the recorded text if the feature is no longer in the data.
    public let text: String
  }

  /// The numbers of differing pixels that belong to features with the change.
  public struct Pixels: Hashable, Sendable {
    /// Pixels that belonged to the features before and do not any more.
    public var lost = 0
    /// Pixels that belong to the features now and did not before.
    public var gained = 0
    /// Pixels that belong to the features before and now in another colour, and adjacent pixels without an owner.
    public var changed = 0

    /// The sum of all three.
    public var total: Int { lost + gained + changed }
  }

  /// The layer's title or id; nil for the whole image.
  public let layer: String?
  /// Whether the change is in the layer's labels.
  public let isLabels: Bool
  /// The name or number of the renderer class or label class; nil for the whole layer.
  public let className: String?
  /// The change, in lower case and without a full stop; for a property, `property: before → after`.
  public let summary: String
  /// A measure of the change that differs between cases, such as `by up to 3 pixels`; nil for none.
  var detail: String?
  /// The number of features with the change; 0 if it is not about features.
  public internal(set) var featureCount: Int
  /// The first features with the change.
  public internal(set) var features: [Feature]
  /// The differing pixels.
  public var pixels = Pixels()
  /// The name of the property that differs; nil for a change of data and for an effect.
  public var property: String?
  /// The value of the property before.
  public var before: String?
  /// The value of the property now.
  public var after: String?
  /// Whether the change follows from another one that the same result names.
  public var isEffect = false
  /// The path of the property below its layer or class in a record; nil for a change without a property.
  var key: String?
  /// The part of the map that the property belongs to; nil for a change without a property.
  var scope: PropertyChange.Scope?
  /// The part of the image with most of the differing pixels; nil if no pixel differs.
  var spot: PixelRectangle?
  /// Whether the change is in a layer of a style, whose properties are not recorded.
  var isOfStyle = false
  /// Whether the same features are drawn with the same properties, in other pixels or with labels in other places.
  var isOfDrawing = false

  /// The layer, class and summary with `›` between them, without numbers: equal for the same change in several cases.
  public var cause: String {
    let layer = layer.map { isLabels ? "\($0) labels" : $0 }
    return [layer, className, summary].compactMap { $0 }.joined(separator: " › ")
  }

  /// Creates a change of a property.
  init(_ property: PropertyChange, featureCount: Int = 0, features: [Feature] = []) {
    (layer, isLabels, className) = (property.layer, property.scope == .labels, property.className)
    (summary, self.featureCount, self.features) = (property.summary, featureCount, features)
    (self.property, before, after) = (property.name, property.before, property.after)
    (key, scope) = (property.key, property.scope)
  }

  init(
    layer: String?, isLabels: Bool, className: String?, summary: String, featureCount: Int,
    features: [Feature]
  ) {
    (self.layer, self.isLabels, self.className) = (layer, isLabels, className)
    (self.summary, self.featureCount, self.features) = (summary, featureCount, features)
  }

  /// The change in one line: layer, class, summary and measure, number of features, pixels, first feature.
  public var description: String {
    var line = [cause, detail].compactMap { $0 }.joined(separator: ", ")
    if featureCount > 0 { line += "; \(featureCount) feature\(featureCount == 1 ? "" : "s")" }
    if pixels.total > 0 {
      let parts = [("changed", pixels.changed), ("lost", pixels.lost), ("gained", pixels.gained)]
        .filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
      line += "; pixels: \(parts.joined(separator: ", "))"
    }
    if let first = features.first {
      line +=
        "; \(featureCount > 1 ? "first " : "")feature \(first.id)"
        + (first.text.isEmpty ? "" : " (\(first.text))")
    }
    return line
  }
}

/// The difference of two styles in words.
enum LookDifference {
  /// Returns the differing values, such as `fill #ff0000ff → #fc0000ff`, without the hashes of images.
  static func text(_ before: String, _ after: String) -> String {
    let (old, new) = (before.split(separator: " "), after.split(separator: " "))
    guard old.count == new.count else { return "\(withoutHashes(old)) → \(withoutHashes(new))" }
    var parts: [String] = []
    var (keyword, sinceKeyword) = ("", 0)
    for (at, (first, second)) in zip(old, new).enumerated() {
      if isHash(at, in: old), isHash(at, in: new) {
        if first != second { parts.append("the image changed") }
        continue
      }
      let isValue = first.first == "#" || first == "none" || Double(first) != nil
      if !isValue {
        (keyword, sinceKeyword) = (String(first), 0)
        if first != second { parts.append("\(first) → \(second)") }
        continue
      }
      sinceKeyword += 1
      guard first != second else { continue }
      parts.append("\(name(of: keyword, value: sinceKeyword)) \(first) → \(second)")
    }
    return parts.joined(separator: ", ")
  }

  /// Returns whether a word of a style dump is the hash of an image.
  private static func isHash(_ at: Int, in words: [Substring]) -> Bool {
    at > 0 && ["picture", "image"].contains(words[at - 1]) && words[at].allSatisfy(\.isHexDigit)
  }

  private static func withoutHashes(_ words: [Substring]) -> String {
    words.indices.filter { !isHash($0, in: words) }.map { String(words[$0]) }.joined(separator: " ")
  }

  /// Returns the name of a value in a style dump, by its keyword and position.
  private static func name(of keyword: String, value: Int) -> String {
    switch (keyword, value) {
    case ("stroke", 2), ("outline", 2), ("halo", 2): "\(keyword) width"
    case ("fill", _), ("stroke", _), ("outline", _), ("halo", _), ("color", _), ("angle", _), ("slant", _),
      ("offset", _), ("box", _):
      keyword
    default: "size"
    }
  }
}
