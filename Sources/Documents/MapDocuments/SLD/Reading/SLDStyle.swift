import MapFilter
import MapGeometry
import MapModel

/// A range of scale denominators: from `low`, inclusive, to `high`, exclusive.
struct SLDScales: Hashable {
  var low = 0.0
  var high = Double.infinity

  func overlaps(_ other: SLDScales) -> Bool { low < other.high && other.low < high }

  /// A denominator in the range; nil for a range without limits.
  var middle: Double? {
    guard high.isFinite else { return low > 0 ? low * 2 : nil }
    return low > 0 ? (low * high).squareRoot() : high / 2
  }

  /// The limits in the terms of the model, where 0 is open.
  var limits: (minScale: Double, maxScale: Double) { (high.isFinite ? high : 0, low) }
}

/// The rules of a style.
///
/// - Source: OGC 05-077r4, clauses 9 and 10; OGC 02-070, clause 10.
extension SLDMapping {
  /// A rule with its symbols and labels.
  private struct Rule {
    let element: SLDElement
    var name = ""
    var label = ""
    var description = ""
    /// The condition; nil for all features.
    var filter: FilterExpression?
    /// The length of the condition as text.
    var length = 0
    var isElse = false
    var scales = SLDScales()
    var parts: [SLDPart] = []
    var texts: [SLDElement] = []
    var showsInLegend = true
    /// Whether only legends have the rule.
    var isLegendOnly = false

    /// The distance from the middle of the largest symbol to its edge.
    var radius: Double { (parts.compactMap { $0.form.ownSize }.max() ?? 0) / 2 }
  }

  /// Reads the drawing of a style, with conditions that apply to all its rules.
  mutating func drawing(
    _ styles: [SLDElement], where conditions: [FilterExpression]
  ) -> (renderer: RuleRenderer, labels: [LabelDefinition]) {
    var passes: [RuleRenderer.Pass] = []
    var labelled: [(rule: Rule, rules: [Rule], hasSymbols: Bool)] = []
    var radius = 0.0
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
      if let link = style["OnlineResource"] { note(link, "other documents are not read") }
      var rules = style.all("Rule").compactMap { read($0, inclusion: options["inclusion"]?.text) }
      if let option = options["ruleEvaluation"], option.text == "first" { rules = exclusive(rules, option) }
      if !conditions.isEmpty { rules = limited(rules, to: conditions) }
      var pass = RuleRenderer.Pass(name: style.text("Name") ?? "", rules: [])
      let hasSymbols = rules.contains { !$0.parts.isEmpty }
      let hasElse = rules.contains { $0.isElse && (!$0.parts.isEmpty || !$0.texts.isEmpty) }
      if let order = options["sortBy"] { pass.drawingOrder = drawingOrder(order) }
      for rule in rules {
        if !rule.texts.isEmpty { labelled.append((rule, rules, hasSymbols)) }
        radius = max(radius, rule.radius)
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
    let labels = labelled.flatMap { rule, rules, hasSymbols in
      // Labels in a pass of their own lie beside the symbols of other passes.
      self.labels(rule, among: rules, conditions, radius: hasSymbols ? rule.radius : radius)
    }
    return (RuleRenderer(passes: passes), Self.ranked(labels))
  }

  /// Reads a rule; `inclusion` is the option of all rules around it.
  private mutating func read(_ element: SLDElement, inclusion: String?) -> Rule? {
    check(
      element,
      Self.symbolizers.union([
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
        rule.scales.low = number * Self.scaleFactor
      } else {
        rule.scales.high = number * Self.scaleFactor
      }
    }
    if rule.scales.low >= rule.scales.high {
      note(element, "the rule is never drawn: MinScaleDenominator is not below MaxScaleDenominator")
    }
    if rule.isElse, let filter = element["Filter"] {
      note(filter, "a rule with ElseFilter has no other filter")
    }
    let inclusions = [inclusion, options["inclusion"]?.text]
    rule.showsInLegend = !inclusions.contains("mapOnly")
    rule.isLegendOnly = inclusions.contains("legendOnly")
    if rule.isLegendOnly {
      rule.filter = Self.never
      rule.isElse = false
    } else if !rule.isElse, let filter = element["Filter"] {
      guard let condition = self.filter(filter) else {
        note(element, "the rule is left out, because its filter is not read")
        return nil
      }
      // A rule for images, or for another kind of geometry.
      if condition == .literal(.boolean(false)) { return nil }
      if condition != .literal(.boolean(true)) {
        rule.filter = condition
        rule.length = (try? condition.text(in: .cql2Text).utf8.count) ?? 0
      }
    }
    scale = rule.scales.middle
    for child in element.children where Self.symbolizers.contains(child.name) {
      guard isOnMap(child) else { continue }
      if child.name != "TextSymbolizer" {
        rule.parts += parts(child)
      } else if !rule.isLegendOnly {
        rule.texts.append(child)
      }
    }
    return rule
  }

  /// Reads fields between commas, each with `A` or `D` after it: the last features are on top.
  ///
  /// - Source: GeoServer, "Specifying z-order".
  private mutating func drawingOrder(_ element: SLDElement) -> [DrawingOrder] {
    element.text.split(separator: ",").compactMap { part in
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let name = words.first.flatMap({ spelt(String($0).localName, element) }) else { return nil }
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

  /// The condition that no feature meets.
  private static let never = FilterExpression.comparison(
    .equal, .literal(.integer(1)), .literal(.integer(0)))

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

  /// Returns rules with filters that leave out what an earlier rule matches; after a note the rules as they are, if there
  /// are too many.
  private mutating func exclusive(_ rules: [Rule], _ option: SLDElement) -> [Rule] {
    var (result, earlier) = ([Rule](), EarlierRules())
    for (index, rule) in rules.enumerated() {
      var changed = rule
      if !rule.isElse, !rule.isLegendOnly {
        let before = earlier.overlapping(rule.filter).map { rules[$0] }
          .filter { $0.scales.overlaps(rule.scales) }
        // A rule without a filter leaves nothing at its scales.
        guard before.allSatisfy({ $0.filter != nil }) else { continue }
        guard hasRoom(for: before) else {
          note(option, "all rules that match are drawn: too many rules overlap", .approximated)
          return rules
        }
        changed.filter = Self.all(
          (rule.filter.map { [$0] } ?? []) + before.compactMap(\.filter).map(Self.unmet))
        earlier.add(index, rule.filter)
      }
      result.append(changed)
    }
    return result
  }

  /// Returns whether conditions that exclude some rules may be written, too.
  private mutating func hasRoom(for rules: [Rule]) -> Bool {
    // The length of the test around a condition.
    excludedLength = rules.reduce(excludedLength) { $0 + $1.length + 40 }
    return excludedLength <= 4 << 20
  }

  /// The numbers of rules, by the value that a field must have: two values of a field exclude each other.
  private struct EarlierRules {
    private var byValue: [String: [AttributeValue: [Int]]] = [:]
    private var others: [Int] = []

    mutating func add(_ index: Int, _ filter: FilterExpression?) {
      if let (field, value) = Self.values(filter).min(by: { $0.key < $1.key }) {
        byValue[field, default: [:]][value, default: []].append(index)
      } else {
        others.append(index)
      }
    }

    /// Returns the rules whose features may meet a filter, too, in order.
    func overlapping(_ filter: FilterExpression?) -> [Int] {
      let values = Self.values(filter)
      var found = others
      for (field, rules) in byValue {
        if let value = values[field] { found += rules[value] ?? [] } else { found += rules.values.joined() }
      }
      return found.sorted()
    }

    /// The value, with integers as reals, which may be equal to others.
    private static func comparable(_ value: AttributeValue) -> AttributeValue {
      if case .integer(let number) = value { .real(Double(number)) } else { value }
    }

    private static func values(_ filter: FilterExpression?) -> [String: AttributeValue] {
      switch filter {
      case .and(let terms)?:
        terms.reduce(into: [String: AttributeValue]()) { $0.merge(values($1)) { first, _ in first } }
      case .comparison(.equal, .property(let name), .literal(let value))?: [name: comparable(value)]
      default: [:]
      }
    }
  }

  /// Returns the conditions of a rule by scale; that for the rest differs where other rules begin or end, and is left out
  /// after a note if it is too long.
  private mutating func pieces(
    _ rule: Rule, among rules: [Rule], _ conditions: [FilterExpression]
  ) -> [(scales: SLDScales, filter: FilterExpression?)] {
    guard rule.isElse else { return [(rule.scales, rule.filter)] }
    let others = rules.filter { !$0.isElse && !$0.isLegendOnly && $0.scales.overlaps(rule.scales) }
    let bounds = Set(
      others.flatMap { [$0.scales.low, $0.scales.high] } + [rule.scales.low, rule.scales.high]
    )
    .filter { $0 >= rule.scales.low && $0 <= rule.scales.high }.sorted()
    var pieces: [(scales: SLDScales, filter: FilterExpression?)] = []
    for (low, high) in zip(bounds, bounds.dropFirst()) {
      let scales = SLDScales(low: low, high: high)
      let active = others.filter { $0.scales.overlaps(scales) }
      guard hasRoom(for: active) else {
        note(rule.element, "too many other rules, at too many scales, for a rule for the rest")
        return []
      }
      guard active.allSatisfy({ $0.filter != nil }) else { continue }
      pieces.append((scales, Self.all(conditions + active.compactMap(\.filter).map(Self.unmet))))
    }
    return pieces
  }

  /// Returns rules whose features also meet the conditions of the layer; those for the rest get filters of their own.
  private mutating func limited(_ rules: [Rule], to conditions: [FilterExpression]) -> [Rule] {
    var result: [Rule] = []
    for rule in rules {
      var changed = rule
      guard rule.isElse else {
        changed.filter = Self.all(conditions + (rule.filter.map { [$0] } ?? []))
        result.append(changed)
        continue
      }
      for piece in pieces(rule, among: rules, conditions) {
        (changed.isElse, changed.scales, changed.filter) = (false, piece.scales, piece.filter)
        result.append(changed)
      }
    }
    return result
  }

  // MARK: Labels

  private mutating func labels(
    _ rule: Rule, among rules: [Rule], _ conditions: [FilterExpression], radius: Double
  ) -> [(definition: LabelDefinition, priority: Double?)] {
    guard !rule.texts.isEmpty else { return [] }
    let pieces = pieces(rule, among: rules, conditions)
    scale = rule.scales.middle
    return rule.texts.flatMap { element -> [(definition: LabelDefinition, priority: Double?)] in
      let radius = kind == .polygon || kind == .polyline ? 0 : radius
      guard let label = label(element, radius: radius) else {
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
