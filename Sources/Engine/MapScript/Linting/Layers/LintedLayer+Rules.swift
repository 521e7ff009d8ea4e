import MapDrawing
import MapFeatures
import MapModel
import MapState

/// Findings about the rules of a renderer and the rows that match them.
extension LintedLayer {
  /// Returns the findings about rules.
  ///
  /// - Parameters:
  ///   - rows: the rows of the layer; nil checks only the renderer.
  ///   - all: the same without the definition expression; nil without one.
  func ruleFindings(
    _ renderer: RuleRenderer, _ rows: ClassifiedRows?, all: ClassifiedRows?
  ) -> [LintFinding] {
    let findings = sameNames(renderer)
    guard let rows, let own = sets(renderer, rows) else { return findings }
    let whole = all.flatMap { sets(renderer, $0) } ?? own
    return findings + unmatchedRows(own) + unusedRules(renderer, whole)
  }

  /// The distinct sets of rules that rows match at any scale, with their numbers of rows.
  private typealias Sets = [(rules: [Int], rowCount: Int)]

  /// Returns the sets of rules that rows match; nil for a filter that does not match the table, which is a warning.
  private func sets(_ renderer: RuleRenderer, _ rows: ClassifiedRows) -> Sets? {
    // The renderer is not that of one scale, so that all rules apply.
    try? RowClassifier(.rules(renderer), table: rows.table, rows: rows.rows, view: view)
      .matches?.distinct(among: rows.rows)
  }

  private func sameNames(_ renderer: RuleRenderer) -> [LintFinding] {
    var (findings, first): ([LintFinding], Int) = ([], 0)
    for pass in renderer.passes {
      var known: [String: [RuleRenderer.Rule]] = [:]
      for (index, rule) in pass.rules.enumerated() where !rule.title.isEmpty {
        if known[rule.title]?.contains(where: { Self.meet($0, rule) }) ?? false {
          findings.append(
            LintFinding(
              .duplicateValue, at: path(ofClass: first + index), layer: name,
              "two rules of one pass are named \"\(rule.title)\" at the same scale",
              suggestion: "give one of them another name, by which reports and legends tell them apart"))
        }
        known[rule.title, default: []].append(rule)
      }
      first += pass.rules.count
    }
    return findings
  }

  /// Returns whether two classes may be beside each other in an image: rules of one pass at a common scale, and all classes
  /// of other renderers.
  func areAlternatives(_ first: Int, _ second: Int) -> Bool {
    guard case .rules(let renderer) = state.renderer else { return true }
    var start = 0
    for pass in renderer.passes {
      let range = start..<start + pass.rules.count
      if range.contains(first), range.contains(second) {
        return Self.meet(pass.rules[first - start], pass.rules[second - start])
      }
      start = range.upperBound
    }
    return false
  }

  /// Whether two rules apply at a common scale.
  private static func meet(_ a: RuleRenderer.Rule, _ b: RuleRenderer.Rule) -> Bool {
    func upper(_ rule: RuleRenderer.Rule) -> Double { rule.minScale == 0 ? .infinity : rule.minScale }
    return max(a.maxScale, b.maxScale) < min(upper(a), upper(b))
  }

  private func unmatchedRows(_ sets: Sets) -> [LintFinding] {
    // A row that only an else rule could match has it, or no rule, at every scale.
    let missing = sets.filter { $0.rules.isEmpty }.reduce(0) { $0 + $1.rowCount }
    guard missing > 0 else { return [] }
    let total = sets.reduce(0) { $0 + $1.rowCount }
    return [
      LintFinding(
        .valueWithoutClass, at: rendererPath, layer: name,
        "\(missing) of \(LintText.rows(total)) match no rule at any scale and are not drawn",
        suggestion: "extend a filter, or add an else rule", numbers: [("rows", Double(missing))])
    ]
  }

  private func unusedRules(_ renderer: RuleRenderer, _ sets: Sets) -> [LintFinding] {
    let total = sets.reduce(0) { $0 + $1.rowCount }
    // An empty table says nothing about its rules.
    guard total > 0 else { return [] }
    var used = Set(sets.flatMap { $0.rules })
    var first = 0
    for pass in renderer.passes {
      for (index, rule) in pass.rules.enumerated() where rule.isElse && !used.contains(first + index) {
        let isUsed = scales(of: pass, in: rule).contains { scale in
          sets.contains { set in
            !set.rules.contains { number in
              pass.rules.indices.contains(number - first) && !pass.rules[number - first].isElse
                && pass.rules[number - first].covers(scale: scale)
            }
          }
        }
        if isUsed { used.insert(first + index) }
      }
      first += pass.rules.count
    }
    let names = renderer.ruleNames
    return names.indices.filter { !used.contains($0) }.map { index in
      LintFinding(
        .classWithoutRows, at: path(ofClass: index), layer: name,
        "rule \"\(names[index])\" matches none of the \(LintText.rows(total)) of the data",
        suggestion: "correct its filter or remove the rule", numbers: [("rows", 0)])
    }
  }

  /// Returns the scales of a rule at which other rules may apply than at the next larger one.
  private func scales(of pass: RuleRenderer.Pass, in rule: RuleRenderer.Rule) -> [Double] {
    let ends = pass.rules.flatMap { [$0.minScale, $0.maxScale] }
    let smallest = Double.leastNonzeroMagnitude
    return Set(ends + [rule.maxScale > 0 ? rule.maxScale : smallest]).filter {
      $0 > 0 && rule.covers(scale: $0)
    }
    .sorted()
  }
}
