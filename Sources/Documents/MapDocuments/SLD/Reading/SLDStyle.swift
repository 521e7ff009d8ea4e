import MapFilter
import MapGeometry
import MapModel

/// The rules of a style.
///
/// - Source: OGC 05-077r4, clauses 9 and 10; OGC 02-070, clause 10.
enum SLDStyle {
  /// The elements that draw features of a rule.
  static let symbolizers: Set<String> = [
    "PointSymbolizer", "LineSymbolizer", "PolygonSymbolizer", "TextSymbolizer", "RasterSymbolizer",
  ]
  /// The scale denominator here for one of the standards, whose pixels have 0.28 mm.
  static let scaleFactor = 0.00028 * ResolvedViewpoint.scalePerResolution
}

/// A range of scale denominators: from `low`, inclusive, to `high`, exclusive.
struct SLDScales: Hashable {
  var low = 0.0
  var high = Double.infinity

  func overlaps(_ other: SLDScales) -> Bool { low < other.high && other.low < high }

  /// The limits in the terms of the model, where 0 is open.
  var limits: (minScale: Double, maxScale: Double) { (high.isFinite ? high : 0, low) }
}

extension SLDMapping {
  /// A rule with its symbols and labels.
  private struct Rule {
    let element: SLDElement
    var name = ""
    var label = ""
    var description = ""
    /// The condition; nil for all features.
    var filter: FilterExpression?
    var isElse = false
    var scales = SLDScales()
    var parts: [SLDPart] = []
    var texts: [SLDElement] = []
    var showsInLegend = true
  }

  /// Reads the drawing of a style, with conditions that apply to all its rules.
  mutating func drawing(
    _ styles: [SLDElement], where conditions: [FilterExpression]
  ) -> (renderer: RuleRenderer, labels: [LabelDefinition]) {
    var passes: [RuleRenderer.Pass] = []
    var labels: [(definition: LabelDefinition, priority: Double?)] = []
    for style in styles {
      check(
        style,
        [
          "Name", "Title", "Abstract", "Description", "FeatureTypeName", "SemanticTypeIdentifier", "Rule",
          "VendorOption", "Transformation", "OnlineResource",
        ])
      let options = vendorOptions(
        style, drawn: ["ruleEvaluation", "inclusion", "sortBy"],
        undrawn: [
          "composite": "the passes are drawn one over the other",
          "composite-base": "the passes are drawn one over the other",
          "sortByGroup": "the features are drawn in the order of the data",
        ])
      if let transformation = style["Transformation"] {
        note(transformation, "the features are drawn as they are", .approximated)
      }
      var rules = style.all("Rule").compactMap { read($0) }
      if let inclusion = options["inclusion"], inclusion.text == "legendOnly" { continue }
      if options["ruleEvaluation"]?.text == "first" { rules = Self.exclusive(rules) }
      if !conditions.isEmpty { rules = Self.limited(rules, to: conditions) }
      var pass = RuleRenderer.Pass(name: style.text("Name") ?? "", rules: [])
      let hasElse = rules.contains { $0.isElse && (!$0.parts.isEmpty || !$0.texts.isEmpty) }
      if let order = options["sortBy"] { pass.drawingOrder = drawingOrder(order) }
      for rule in rules {
        labels += self.labels(rule, among: rules, conditions)
        // A rule without symbols matters where another one is for the rest, and where it has labels.
        guard !rule.parts.isEmpty || !rule.texts.isEmpty || hasElse else { continue }
        guard let filter = parsed(rule.filter, rule.element) else { continue }
        let symbol = rule.parts.isEmpty && !rule.texts.isEmpty ? invisible : rule.parts.symbol
        var drawn = RuleRenderer.Rule(name: rule.name, label: rule.label, filter: filter, symbol: symbol)
        drawn.description = rule.description
        drawn.isElse = rule.isElse
        (drawn.minScale, drawn.maxScale) = rule.scales.limits
        drawn.showsInLegend = rule.showsInLegend && !rule.parts.isEmpty
        pass.rules.append(drawn)
      }
      if !pass.rules.isEmpty { passes.append(pass) }
    }
    return (RuleRenderer(passes: passes), Self.ranked(labels))
  }

  private mutating func read(_ element: SLDElement) -> Rule? {
    check(
      element,
      SLDStyle.symbolizers.union([
        "Name", "Title", "Abstract", "Description", "LegendGraphic", "Filter", "ElseFilter",
        "MinScaleDenominator", "MaxScaleDenominator", "VendorOption",
      ]))
    let options = vendorOptions(element, drawn: ["inclusion"])
    var rule = Rule(element: element)
    rule.name = element.text("Name") ?? ""
    let title = element.text("Title") ?? element["Description"]?.text("Title")
    rule.label = title == rule.name ? "" : title ?? ""
    rule.description = element.text("Abstract") ?? element["Description"]?.text("Abstract") ?? ""
    rule.isElse = element["ElseFilter"] != nil
    if let graphic = element["LegendGraphic"] {
      note(graphic, "a legend shows the symbols of the rule", .approximated)
    }
    for (name, isLow) in [("MinScaleDenominator", true), ("MaxScaleDenominator", false)] {
      guard let limit = element[name] else { continue }
      guard let number = Double(limit.text), number >= 0, number.isFinite else {
        // An open end may be written as a word.
        if !isLow, limit.text.lowercased().contains("inf") { continue }
        note(limit, "\"\(limit.text.prefix(60))\" is no scale denominator")
        continue
      }
      if isLow {
        rule.scales.low = number * SLDStyle.scaleFactor
      } else {
        rule.scales.high = number * SLDStyle.scaleFactor
      }
    }
    if let filter = element["Filter"] {
      guard let condition = self.filter(filter) else {
        note(element, "the rule is left out, because its filter is not read")
        return nil
      }
      rule.filter = condition
    }
    for child in element.children where SLDStyle.symbolizers.contains(child.name) {
      if child.name == "TextSymbolizer" { rule.texts.append(child) } else { rule.parts += parts(child) }
    }
    switch options["inclusion"]?.text {
    case "legendOnly"?: return nil
    case "mapOnly"?: rule.showsInLegend = false
    default: break
    }
    return rule
  }

  /// Reads fields between commas, each with `A` or `D` after it: the last features are on top.
  ///
  /// - Source: GeoServer, "Specifying z-order".
  private mutating func drawingOrder(_ element: SLDElement) -> [DrawingOrder] {
    element.text.split(separator: ",").compactMap { part in
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let name = words.first.flatMap({ spelt(String($0), element) }) else { return nil }
      return DrawingOrder(
        fieldName: name, direction: words.dropFirst().first == "D" ? .ascending : .descending)
    }
  }

  /// The symbol of features with labels alone; features without a symbol have no labels.
  private var invisible: SymbolForm {
    switch kind {
    case .polyline: .line(SimpleLineSymbol(color: .clear))
    case .polygon: .fill(SimpleFillSymbol(color: .clear))
    case .point, .multipoint, nil: .marker(SimpleMarkerSymbol(color: .clear, size: 1))
    }
  }

  // MARK: Conditions

  /// Returns a filter of the model; nil after a note.
  mutating func parsed(_ filter: FilterExpression?, _ element: SLDElement) -> ParsedFilter? {
    guard let filter else { return ParsedFilter.none }
    var parsed: ParsedFilter?
    do throws(FilterWritingError) {
      parsed = ParsedFilter(try filter.text(in: .sqlWhere, fields: fields))
      if (try? parsed?.read()) == nil { parsed = nil }
    } catch {
      parsed = nil
    }
    if parsed == nil { parsed = (try? filter.text(in: .cql2Text)).map { ParsedFilter($0, in: .cql2Text) } }
    do throws(FilterSyntaxError) {
      if let parsed, let read = try parsed.read() {
        if let fields {
          let named = FilterFields(
            fields.fields + [(name: geometryName, type: .geometry)],
            namesHaveCase: parsed.language != .sqlWhere)
          do throws(FilterError) { try read.check(against: named) } catch {
            note(element, "the rule is left out: \(error)")
            return nil
          }
        }
        return parsed
      }
      note(element, "the rule is left out, because its filter cannot be written")
    } catch {
      note(element, "the rule is left out: \(error)")
    }
    return nil
  }

  private static func all(_ terms: [FilterExpression]) -> FilterExpression? {
    terms.count > 1 ? .and(terms) : terms.first
  }

  /// Returns a condition that is true where another is false or unknown.
  private static func unmet(_ condition: FilterExpression) -> FilterExpression {
    let met = FilterExpression.choice(
      of: nil, [ChoiceBranch(when: condition, then: .literal(.integer(1)))], otherwise: .literal(.integer(0)))
    return .comparison(.equal, met, .literal(.integer(0)))
  }

  /// Returns rules with filters that leave out what an earlier rule matches.
  private static func exclusive(_ rules: [Rule]) -> [Rule] {
    var result: [Rule] = []
    for (index, rule) in rules.enumerated() {
      let before = rules[..<index].filter { !$0.isElse && $0.scales.overlaps(rule.scales) }
      var changed = rule
      if !rule.isElse {
        // A rule without a filter leaves nothing at its scales.
        guard before.allSatisfy({ $0.filter != nil }) else { continue }
        changed.filter = all((rule.filter.map { [$0] } ?? []) + before.compactMap(\.filter).map(unmet))
      }
      result.append(changed)
    }
    return result
  }

  /// Returns the conditions of a rule by scale; that for the rest differs where other rules begin or end.
  private static func pieces(
    _ rule: Rule, among rules: [Rule], _ conditions: [FilterExpression]
  ) -> [(scales: SLDScales, filter: FilterExpression?)] {
    guard rule.isElse else { return [(rule.scales, rule.filter)] }
    let others = rules.filter { !$0.isElse && $0.scales.overlaps(rule.scales) }
    let bounds = Set(
      others.flatMap { [$0.scales.low, $0.scales.high] } + [rule.scales.low, rule.scales.high]
    )
    .filter { $0 >= rule.scales.low && $0 <= rule.scales.high }.sorted()
    return zip(bounds, bounds.dropFirst()).compactMap { low, high in
      let scales = SLDScales(low: low, high: high)
      let active = others.filter { $0.scales.overlaps(scales) }
      guard active.allSatisfy({ $0.filter != nil }) else { return nil }
      return (scales, all(conditions + active.compactMap(\.filter).map(unmet)))
    }
  }

  /// Returns rules whose features also meet the conditions of the layer; those for the rest get filters of their own.
  private static func limited(_ rules: [Rule], to conditions: [FilterExpression]) -> [Rule] {
    rules.flatMap { rule -> [Rule] in
      var changed = rule
      guard rule.isElse else {
        changed.filter = all(conditions + (rule.filter.map { [$0] } ?? []))
        return [changed]
      }
      return pieces(rule, among: rules, conditions).map { piece in
        (changed.isElse, changed.scales, changed.filter) = (false, piece.scales, piece.filter)
        return changed
      }
    }
  }

  // MARK: Labels

  private mutating func labels(
    _ rule: Rule, among rules: [Rule], _ conditions: [FilterExpression]
  ) -> [(definition: LabelDefinition, priority: Double?)] {
    guard !rule.texts.isEmpty else { return [] }
    let pieces = Self.pieces(rule, among: rules, conditions)
    let radius = rule.parts.compactMap { $0.form.ownSize }.max().map { $0 / 2 } ?? 0
    return rule.texts.flatMap { element -> [(definition: LabelDefinition, priority: Double?)] in
      guard let label = label(element, radius: kind == .polygon || kind == .polyline ? 0 : radius) else {
        return []
      }
      return pieces.compactMap { piece in
        guard let filter = parsed(piece.filter, rule.element) else { return nil }
        var definition = label.definition
        definition.name = rule.name
        definition.$whereClause = filter
        (definition.minScale, definition.maxScale) = piece.scales.limits
        return (definition, label.priority)
      }
    }
  }

  /// Returns the labels with their places by constant priorities, the largest first.
  private static func ranked(
    _ labels: [(definition: LabelDefinition, priority: Double?)]
  ) -> [LabelDefinition] {
    guard labels.contains(where: { $0.priority != nil }) else { return labels.map(\.definition) }
    // GeoServer's default.
    let values = Set(labels.map { $0.priority ?? 1000 }).sorted(by: >)
    return labels.map { label in
      var definition = label.definition
      definition.priority = values.firstIndex(of: label.priority ?? 1000)
      return definition
    }
  }
}
