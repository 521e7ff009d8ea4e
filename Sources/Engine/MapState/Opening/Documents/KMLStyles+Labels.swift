import MapModel
import MapReaders

extension KMLStyles {
  /// Returns the label classes for the names of points, by the styles of their names.
  ///
  /// A size of 0, or a transparent colour, draws no name. Without a colour, or in white, names are as other labels: white
  /// is the default of KML, for names over images.
  ///
  /// - Parameters:
  ///   - field: the field with the names.
  ///   - styles: the styles of the placemarks; nil for none.
  static func labels(of field: String, _ styles: KMLStyles?) -> [LabelDefinition] {
    let plain = NameLook(KMLStyle?.none)
    let classes = styles?.classes ?? []
    guard let styleField = styles?.fieldName else {
      return [(classes.first.map { NameLook($0.style) } ?? plain).label(field)].compactMap { $0 }
    }
    // The values of each look but the plain one, in order of appearance.
    var (looks, values): ([NameLook], [NameLook: [String]]) = ([], [:])
    for item in classes {
      let look = NameLook(item.style)
      guard look != plain else { continue }
      if values[look] == nil { looks.append(look) }
      values[look, default: []].append(item.value)
    }
    let quoted = "\"\(styleField.replacing("\"", with: "\"\""))\""
    func condition(_ texts: [String]) -> String {
      let list = texts.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
      return "\(quoted) IN (\(list))"
    }
    var labels = looks.compactMap { look in
      look.label(field, where: condition(values[look] ?? []))
    }
    let others =
      looks.isEmpty ? "" : "\(quoted) IS NULL OR NOT (\(condition(looks.flatMap { values[$0] ?? [] })))"
    if let label = plain.label(field, where: others) { labels.append(label) }
    return labels
  }

  /// Whether a style has a colour or a size of names.
  var hasLabelStyles: Bool { classes.contains { NameLook($0.style) != NameLook(KMLStyle?.none) } }
}

/// The colour and size of names.
private struct NameLook: Hashable {
  /// The colour; nil for that of other labels.
  let color: Color?
  let scale: Double

  init(_ style: KMLStyle?) {
    let color = (style?.labelColor).map { Color($0) }
    let isWhite = color.map { $0.withAlphaComponent(1) == .white && $0.alpha > 0 } ?? false
    (self.color, scale) = (isWhite ? nil : color, style?.labelScale ?? 1)
  }

  /// The contrast with white from which letters have a white halo.
  ///
  /// - Source: WCAG 2.1, success criterion 1.4.11.
  private static let leastContrast = 3.0
  /// The size of names in pixels, as of labels by `--label`.
  private static let size = 12.0

  /// Returns the label class; nil if no names are drawn.
  func label(_ field: String, where condition: String = "") -> LabelDefinition? {
    guard scale > 0, color?.alpha != 0 else { return nil }
    let expression = SimpleLabelExpression(simpleExpression: "[\(field)]")
    var label = LabelDefinition(
      labelExpression: expression, textSymbol: TextSymbol(color: color ?? .black, size: Self.size * scale))
    let isRead = color.map { LinearColor($0).contrast(to: LinearColor(.white)) >= Self.leastContrast } ?? true
    label.textSymbol.haloColor = isRead ? .white : .black
    label.textSymbol.haloWidth = 1.5
    label.followsGround = color == nil
    label.deconflictionStrategy = .dynamic
    label.whereClause = condition
    return label
  }
}
