import MapDrawing
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapState
import MapSystem

/// Findings about the label classes of a layer: those that label nothing, and those that are hard to read.
extension LintedLayer {
  /// Returns a finding for each label class that labels no feature at any scale.
  ///
  /// - Parameter hasRows: whether the layer has rows; without rows, only scales are checked.
  /// - Throws: `MapStateError` if rows cannot be read.
  func labelFindings(hasRows: Bool) async throws(MapStateError) -> [LintFinding] {
    guard state.labelsAreEnabled else {
      guard lacksShowLabels else { return [] }
      return [
        LintFinding(
          .labelNeverPlaced, at: labelsPath, layer: name,
          "its label classes label nothing: the layer has no \"showLabels\"",
          suggestion: "add \"showLabels\": true to the layer")
      ]
    }
    var findings: [LintFinding] = []
    for (index, labels) in state.labelDefinitions.enumerated() {
      let path = path(ofLabels: index)
      func add(_ reason: String, _ member: String, suggestion: String, _ numbers: [(String, Double)] = []) {
        findings.append(
          LintFinding(
            .labelNeverPlaced, at: path.map { $0[member] }, layer: name,
            "\(labelName(index)) labels nothing: \(reason)", suggestion: suggestion, numbers: numbers))
      }
      let own = ScaleRange(minScale: labels.minScale, maxScale: labels.maxScale)
      let layer = ScaleRange(minScale: state.minScale, maxScale: state.maxScale)
      let member = labels.minScale > 0 ? "minScale" : "maxScale"
      if own.isEmpty {
        add(
          "no scale is in its range, minScale 1:\(LintText.number(labels.minScale)) to maxScale "
            + "1:\(LintText.number(labels.maxScale))",
          member, suggestion: "exchange minScale and maxScale", own.numbers)
      } else if !layer.isEmpty, own.intersection(layer).isEmpty {
        add(
          "its scales, \(own.text), never meet those of the layer, \(layer.text)", member,
          suggestion: "give it a range within that of the layer", own.numbers)
      } else if hasRows, let reason = try await emptiness(of: labels) {
        add(reason, "where", suggestion: "correct the condition, or remove the label class", [("rows", 0)])
      }
    }
    return findings
  }

  /// Returns the reason why no row has a label; nil if one has.
  private func emptiness(of labels: LabelDefinition) async throws(MapStateError) -> String? {
    guard let rows = try? await rows(of: labels) else { return nil }
    if rows.rows.isEmpty { return "no row of the layer matches \"\(labels.whereClause)\"" }
    guard !rows.rows.contains(where: { rows.classifier.classes[$0] != RowClassifier.notDrawn }) else {
      return nil
    }
    return "its \(LintText.rows(rows.rows.count)) have no symbol, so they are not drawn"
  }

  /// Returns the rows of a label class; nil for a condition that the table refuses.
  ///
  /// Opening the document has warned of such a condition.
  private func rows(of labels: LabelDefinition) async throws(MapStateError) -> ClassifiedRows? {
    do { try QueryConditions.check(labels.$whereClause, .labels, for: state.source.schema) } catch {
      return nil
    }
    var question = FeatureQuestion(area: .everywhere)
    question.$whereClause = labels.$whereClause
    return try await view.classified(state, question)
  }

  /// Returns a finding for each label class whose text contrasts too little with what surrounds it.
  ///
  /// The text is compared with its halo, else with its background, else with the fills of the areas that it labels, else
  /// with the background of a map that has nothing else below its labels.
  ///
  /// - Source: WCAG 2.1, success criterion 1.4.3: 4.5, and 3 for text from 18 points, or bold from 14 points.
  func contrastFindings() async -> [LintFinding] {
    guard state.labelsAreEnabled else { return [] }
    let canvas = (view.groundColor ?? .white).over(.white)
    var findings: [LintFinding] = []
    for (index, labels) in state.labelDefinitions.enumerated() {
      let symbol = labels.textSymbol
      guard let color = symbol.color, color.alpha > 0 else { continue }
      var worst: (place: String, surface: Color, ratio: Double)?
      for (place, surface) in await surroundings(of: labels, canvas) {
        let ratio = LinearColor(color.over(surface)).contrast(to: LinearColor(surface))
        if ratio < worst?.ratio ?? .infinity { worst = (place, surface, ratio) }
      }
      let isLarge = symbol.size >= 24 || symbol.fontWeight == .bold && symbol.size >= 14 * 96.0 / 72
      let needed = isLarge ? 3.0 : 4.5
      guard let worst, worst.ratio < needed else { continue }
      let ratio = (worst.ratio * 100).rounded(.down) / 100
      findings.append(
        LintFinding(
          .textContrast, at: path(ofLabels: index).map { $0["symbol"] }, layer: name,
          "the text of \(labelName(index)), \(color.hexadecimal), has a contrast of \(ratio) to 1 with \(worst.place), "
            + "\(worst.surface.hexadecimal); WCAG 2.1 (1.4.3) asks for \(LintText.number(needed))",
          suggestion:
            "make the text \(worst.surface.isDark ? "lighter" : "darker"), or change \(worst.place)",
          numbers: [("contrast", ratio), ("needed", needed)]))
    }
    return findings
  }

  /// Returns what surrounds the letters, with its colour as painted over the map.
  private func surroundings(of labels: LabelDefinition, _ canvas: Color) async -> [(String, Color)] {
    let symbol = labels.textSymbol
    var fills = kind == .polygon ? fillColors(canvas) : []
    if !fills.isEmpty, let rows = try? await rows(of: labels), !rows.rows.isEmpty {
      let classes = Set(rows.rows.map { Int(rows.classifier.classes[$0]) })
      fills = fills.filter { classes.contains($0.index) }
    }
    let bases = fills.isEmpty ? [canvas] : fills.map(\.color)
    if symbol.haloWidth > 0, let halo = symbol.haloColor, halo.alpha > 0 {
      return bases.map { ("its halo", halo.over($0)) }
    }
    if let background = symbol.backgroundColor, background.alpha > 0 {
      return bases.map { ("its background", background.over($0)) }
    }
    if !fills.isEmpty { return fills.map { ("the fill of \"\($0.label)\"", $0.color) } }
    return isAloneOnCanvas ? [("the background of the map", canvas)] : []
  }

  /// Returns the colours of the areas of each class, as painted over the map; class -1 is the default symbol.
  private func fillColors(_ canvas: Color) -> [(index: Int, label: String, color: Color)] {
    guard state.renderer.visualVariables.color == nil else { return [] }
    let symbols = state.renderer.classSymbols
    var classes = symbols.indices.map { ($0, state.renderer.countedLabels[$0], symbols[$0]) }
    if let symbol = state.renderer.defaultSymbol { classes.append((-1, state.renderer.defaultLabel, symbol)) }
    return classes.compactMap { index, label, symbol in
      let colors = symbol.simpleParts.compactMap { part -> Color? in
        if case .fill(let fill) = part, fill.style == .solid { fill.color } else { nil }
      }
      guard !colors.isEmpty else { return nil }
      return (index, label, colors.reduce(canvas) { $1.withOpacity(state.opacity).over($0) })
    }
  }
}

extension Color {
  /// Returns the colour in a layer of an opacity.
  func withOpacity(_ opacity: Double) -> Color { withAlphaComponent(Double(alpha) / 255 * opacity) }
}
