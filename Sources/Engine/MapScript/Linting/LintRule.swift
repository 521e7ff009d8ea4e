package import MapJSON
package import MapState
import MapSystem

/// A rule of `mapstate lint`.
package enum LintRule: String, CaseIterable, Sendable {
  /// A range of numbers between two class breaks that belongs to no class.
  case classGap = "class-gap"
  /// A range of numbers that belongs to two class breaks.
  case classOverlap = "class-overlap"
  /// A unique value that is listed twice, or a name of two rules at one scale.
  case duplicateValue = "duplicate-value"
  /// A class that no value can reach.
  case unreachableClass = "unreachable-class"
  /// Values of the data that have no class.
  case valueWithoutClass = "value-without-class"
  /// A class without features.
  case classWithoutRows = "class-without-rows"
  /// Ranges of scales that never meet.
  case scaleRange = "scale-range"
  /// A label class that labels no feature.
  case labelNeverPlaced = "label-never-placed"
  /// Labels with little contrast.
  case textContrast = "text-contrast"
  /// Two classes that colour-blind readers confuse.
  case colorConfusion = "color-confusion"
  /// A class with nearly the colour of the ground or of its outline.
  case classVisibility = "class-visibility"
  /// A layer of a style that draws nothing at any zoom.
  case layerNeverDrawn = "layer-never-drawn"
  /// A value of a style that its property may not have.
  case invalidValue = "invalid-value"
  /// A size of a style that changes much at once.
  case valueJump = "value-jump"
  /// A source that the style does not have.
  case missingSource = "missing-source"
  /// A layer that the source of a style does not have.
  case missingSourceLayer = "missing-source-layer"
  /// A field that the features of a style do not have.
  case missingField = "missing-field"
  /// An image that the sprites of a style do not have.
  case missingImage = "missing-image"
  /// A font that is not available to a style.
  case missingFont = "missing-font"
  /// Two layers of a style with one id.
  case duplicateLayer = "duplicate-layer"
  /// A member or a property that styles do not have.
  case unknownProperty = "unknown-property"
  /// A source that no layer of a style uses.
  case unusedSource = "unused-source"
  /// A change of an image that a snapshot case does not detect.
  case hiddenChange = "hidden-change"

  /// Returns the rule with a name.
  ///
  /// - Throws: `MapStateError` of kind usage that names the nearest rule.
  package init(named name: String) throws(MapStateError) {
    if let rule = Self(rawValue: name) {
      self = rule
      return
    }
    let names = Self.allCases.map(\.rawValue)
    let nearest = NearestName.of(name, among: names)
    let advice = nearest.map { "did you mean \"\($0)\"?" } ?? "available: \(names.joined(separator: ", "))"
    throw MapStateError(.usage, "no rule named \"\(name)\"; \(advice)", suggestion: nearest)
  }
}

/// A probable fault of a document.
package struct LintFinding: Hashable, Sendable {
  /// A number of a finding, such as a count of rows.
  package struct Number: Hashable, Sendable {
    package let name: String
    package let value: Double
  }

  package let rule: LintRule
  /// The path in the document; nil for a part that the document does not contain.
  package let path: JSONPath?
  /// The name of the layer; empty for a finding about the whole document.
  package let layer: String
  /// The fault in one sentence.
  package let message: String
  /// The correction in one sentence.
  package let suggestion: String
  /// The numbers in the message.
  package let numbers: [Number]

  package init(
    _ rule: LintRule, at path: JSONPath?, layer: String, _ message: String, suggestion: String,
    numbers: [(String, Double)] = []
  ) {
    (self.rule, self.path, self.layer) = (rule, path, layer)
    (self.message, self.suggestion) = (message, suggestion)
    self.numbers = numbers.map { Number(name: $0.0, value: $0.1) }
  }

  /// The finding in one line: rule, path, layer and message, suggestion, separated by tabs.
  package var text: String {
    let place = path.map { "\($0)" } ?? "-"
    let what = (layer.isEmpty ? "" : "layer \"\(layer)\": ") + "\(message); \(suggestion)"
    return [rule.rawValue, place, what].map { MessageText.line($0) }.joined(separator: "\t")
  }

  /// The finding as JSON with keys in a fixed order.
  package var json: JSONValue {
    var numbers = JSONObject()
    for number in self.numbers { numbers[number.name] = .number(number.value) }
    return [
      "rule": .string(rule.rawValue), "path": path.map { .string("\($0)") } ?? .null,
      "layer": .string(layer), "message": .string(message), "suggestion": .string(suggestion),
      "numbers": .object(numbers),
    ]
  }
}

/// The findings of a document.
package struct LintAnswer: Sendable {
  /// The findings, by layer from the bottom and then by rule.
  package let findings: [LintFinding]
  /// Warnings about parts that could not be checked.
  package let warnings: [String]
  /// Remarks that are no faults, such as the layers that a style hides.
  package var notes: [String] = []

  package init(findings: [LintFinding], warnings: [String], notes: [String] = []) {
    (self.findings, self.warnings, self.notes) = (findings, warnings, notes)
  }

  /// The findings, a line each; a sentence if there are none.
  package var text: String {
    findings.isEmpty ? "no findings\n" : findings.map { $0.text + "\n" }.joined()
  }

  /// Returns the findings as JSON, with all warnings of the run.
  package func json(warnings: JSONValue) -> JSONValue {
    ["findings": .array(findings.map(\.json)), "count": .number(findings.count), "warnings": warnings]
  }
}
