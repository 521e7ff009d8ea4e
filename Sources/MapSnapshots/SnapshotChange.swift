/// One thing that is not as it was: of a class of a layer, of a layer, or of the picture as a whole.
public struct SnapshotChange: Hashable, Sendable {
  /// A feature that the change is about.
  public struct Feature: Hashable, Sendable {
    /// Its object id.
    public let id: Int64
    /// `field = value`, or what the record called it when it is no longer in the data.
    public let text: String
  }

  /// Pixels that differ and belong to features that the change is about.
  public struct Pixels: Hashable, Sendable {
    /// Theirs before, now another's or nobody's.
    public var lost = 0
    /// Theirs now, another's or nobody's before.
    public var gained = 0
    /// Theirs before and now, in another colour; and those beside them that belong to nobody.
    public var changed = 0

    /// All of them.
    public var total: Int { lost + gained + changed }
  }

  /// The layer's title or id; nil for the picture as a whole.
  public let layer: String?
  /// True when it is about the layer's labels.
  public let isLabels: Bool
  /// The class of the renderer, or of labels, by its name or number; nil for the layer as a whole.
  public let className: String?
  /// What changed, lower case, no full stop.
  public let summary: String
  /// How many features it is about; 0 for what is about no feature.
  public let featureCount: Int
  /// The first of them.
  public let features: [Feature]
  /// Pixels of them.
  public var pixels = Pixels()

  /// One line: where, what, how many, the first.
  public var description: String {
    var line = ""
    if let layer { line += "\(isLabels ? "labels of layer" : "layer") \"\(layer)\"" }
    if let className { line += ", class \"\(className)\"" }
    line += (line.isEmpty ? "" : ": ") + summary
    if featureCount > 0 { line += "; \(featureCount) feature\(featureCount == 1 ? "" : "s")" }
    if pixels.total > 0 {
      let parts = [("changed", pixels.changed), ("lost", pixels.lost), ("gained", pixels.gained)]
        .filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
      line += "; pixels: \(parts.joined(separator: ", "))"
    }
    if let first = features.first {
      line +=
        "; \(featureCount > 1 ? "first " : "")\(first.id)\(first.text.isEmpty ? "" : " (\(first.text))")"
    }
    return line
  }
}

/// Two looks, told apart in words.
enum LookDifference {
  /// What differs, such as `fill #ff0000ff → #fc0000ff`.
  static func text(_ before: String, _ after: String) -> String {
    let (old, new) = (before.split(separator: " "), after.split(separator: " "))
    guard old.count == new.count else { return "\(before) → \(after)" }
    var parts: [String] = []
    var (keyword, sinceKeyword) = ("", 0)
    for (first, second) in zip(old, new) {
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

  /// What the dump's value after a keyword is.
  private static func name(of keyword: String, value: Int) -> String {
    switch (keyword, value) {
    case ("stroke", 2), ("outline", 2), ("halo", 2): "\(keyword) width"
    case ("fill", _), ("stroke", _), ("outline", _), ("halo", _), ("color", _), ("angle", _), ("slant", _),
      ("offset", _):
      keyword
    default: "size"
    }
  }
}
