package import MapFilter
import MapExpressions
package import MapGeometry
package import MapModel
package import MapSystem

/// The style of a layer as a Styled Layer Descriptor 1.1.
///
/// - Source: OGC 05-078r4 and 05-077r4. Marks of hatches and functions of geometries are those of GeoServer.
package struct StyledLayerText {
  /// The document.
  package private(set) var text = ""
  /// The parts that are written in another way, or not at all.
  package private(set) var losses: [DocumentWarning] = []

  private let layer: String
  private let definition: FilterExpression?
  private let kind: GeometryKind?
  /// The distance from the middle of the largest symbol of points to its edge.
  private let radius: Double

  /// The rules of a pass, and the order of its features.
  private struct Pass {
    var rules: [Rule]
    var order: [DrawingOrder] = []
  }

  /// A rule to be written.
  private struct Rule {
    var name = ""
    var title = ""
    var filter: FilterExpression?
    var isElse = false
    var minScale = 0.0
    var maxScale = 0.0
    var symbol: SymbolForm?
    var label: SLDText?
  }

  /// Writes the style of a layer whose geometries have a kind.
  ///
  /// - Throws: ``MapStateError`` of kind input for a renderer that styles do not have, and for a definition expression that
  ///   is not read.
  package init(
    layer: String, kind: GeometryKind?, renderer: RendererForm, labels: [LabelDefinition],
    definition: ParsedFilter = .none, order: [DrawingOrder] = []
  ) throws(MapStateError) {
    (self.layer, self.kind) = (layer, kind)
    do throws(FilterSyntaxError) { self.definition = try definition.read()?.expression } catch {
      throw MapStateError(.input, "layer \"\(layer)\": the definition expression: \(error)")
    }
    let symbols = renderer.classSymbols + [renderer.defaultSymbol].compactMap(\.self)
    radius = kind == .polyline || kind == .polygon ? 0 : (symbols.compactMap(\.ownSize).max() ?? 0) / 2
    var passes = try passes(of: renderer)
    for index in passes.indices where passes[index].order.isEmpty { passes[index].order = order }
    if !renderer.visualVariables.isEmpty {
      let names = renderer.visualVariables.inputs.map(\.name).joined(separator: ", ")
      lose("visual variables are not written: \(names)")
    }
    passes.append(Pass(rules: labels.compactMap { rule(of: $0) }))
    var document = SLDText()
    let namespaces =
      "version=\"1.1.0\" xmlns=\"http://www.opengis.net/sld\" xmlns:se=\"http://www.opengis.net/se\" "
      + "xmlns:ogc=\"http://www.opengis.net/ogc\" xmlns:gml=\"http://www.opengis.net/gml\" "
      + "xmlns:xlink=\"http://www.w3.org/1999/xlink\""
    let texts = passes.map { pass in
      (rules: pass.rules.compactMap { text(of: $0) }, order: pass.order)
    }
    document.element("StyledLayerDescriptor", namespaces) { text in
      text.element("NamedLayer") { text in
        text.element("se:Name", text: layer)
        text.element("UserStyle") { text in
          text.element("se:Name", text: layer)
          for pass in texts where !pass.rules.isEmpty {
            text.element("se:FeatureTypeStyle") { text in
              for rule in pass.rules { text.append(rule) }
              guard !pass.order.isEmpty else { return }
              // Styles name the lowest feature first.
              let fields = pass.order.map { "\($0.fieldName) \($0.direction == .ascending ? "D" : "A")" }
              text.element("VendorOption", "name=\"sortBy\"", text: fields.joined(separator: ","))
            }
          }
        }
      }
    }
    text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.lines.joined(separator: "\n") + "\n"
  }

  private mutating func lose(_ message: String, _ outcome: DocumentOutcome = .dropped) {
    let warning = DocumentWarning(path: nil, message: "layer \"\(layer)\": \(message)", outcome: outcome)
    if !losses.contains(warning) { losses.append(warning) }
  }

  // MARK: Rules

  private mutating func passes(of renderer: RendererForm) throws(MapStateError) -> [Pass] {
    switch renderer {
    case .simple(let simple): return [Pass(rules: [Rule(title: simple.label, symbol: simple.symbol)])]
    case .uniqueValue(let unique): return [Pass(rules: try rules(of: unique))]
    case .classBreaks(let breaks): return [Pass(rules: try rules(of: breaks))]
    case .rules(let rules):
      var names = rules.ruleNames[...]
      return rules.passes.map { pass in
        let rules = pass.rules.compactMap { rule -> Rule? in
          let name = names.removeFirst()
          var written = Rule(name: rule.name, title: rule.label, symbol: rule.symbol)
          guard read(rule.$filter, of: "rule \"\(name)\"", into: &written) else { return nil }
          (written.isElse, written.minScale, written.maxScale) = (rule.isElse, rule.minScale, rule.maxScale)
          return written
        }
        return Pass(rules: rules, order: pass.drawingOrder)
      }
    case .heatmap, .dotDensity, .pieChart:
      throw MapStateError(.input, "layer \"\(layer)\": heat maps, dots and pie charts are no rules of styles")
    }
  }

  private mutating func rules(of renderer: UniqueValueRenderer) throws(MapStateError) -> [Rule] {
    guard renderer.valueExpression == nil else {
      throw MapStateError(
        .input, "layer \"\(layer)\": classes of an Arcade expression are no rules of styles")
    }
    if renderer.backgroundFill != nil { lose("the fill below markers is not written") }
    var rules = renderer.uniqueValues.map { value in
      var rule = Rule(title: value.label, symbol: value.symbol)
      let terms = value.values.map { text -> FilterExpression in
        let parts =
          renderer.fieldNames.count > 1 ? text.components(separatedBy: renderer.delimiter) : [text]
        let conditions = zip(renderer.fieldNames, parts).map { name, text -> FilterExpression in
          if text == "<Null>" || text == "null" { return .isNull(.property(name)) }
          return .comparison(.equal, .property(name), .literal(.text(text)))
        }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
      }
      rule.filter = terms.count == 1 ? terms[0] : .or(terms)
      if let scales = value.referenceProperties {
        (rule.minScale, rule.maxScale) = (scales.minScale, scales.maxScale)
      }
      if !value.alternateSymbols.isEmpty { lose("symbols for other scales are not written") }
      return rule
    }
    if let symbol = renderer.defaultSymbol {
      rules.append(Rule(title: renderer.defaultLabel, isElse: true, symbol: symbol))
    }
    return rules
  }

  private mutating func rules(of renderer: ClassBreaksRenderer) throws(MapStateError) -> [Rule] {
    guard renderer.valueExpression == nil else {
      throw MapStateError(
        .input, "layer \"\(layer)\": classes of an Arcade expression are no rules of styles")
    }
    if renderer.backgroundFill != nil { lose("the fill below markers is not written") }
    var value = FilterExpression.property(renderer.fieldName)
    switch renderer.normalization {
    case nil: break
    case .field(let other): value = .arithmetic(.divide, value, .property(other))
    case .percentOfTotal(let total):
      value = .arithmetic(
        .multiply, .arithmetic(.divide, value, .literal(.real(total))), .literal(.real(100)))
    case .logarithm:
      throw MapStateError(.input, "layer \"\(layer)\": classes of logarithms are no rules of styles")
    }
    // A value is in the first class that has it.
    let lowest = renderer.classBreaks.indices.min {
      renderer.classBreaks[$0].minimum < renderer.classBreaks[$1].minimum
    }
    var rules = renderer.classBreaks.enumerated().map { index, item in
      var rule = Rule(title: item.label, symbol: item.symbol)
      let isLowest = renderer.includesLowestMinimum && index == lowest
      var terms: [FilterExpression] = []
      if item.minimum.isFinite, item.minimum > -.greatestFiniteMagnitude {
        terms.append(.comparison(isLowest ? .greaterOrEqual : .greater, value, .literal(.real(item.minimum))))
      }
      if item.maximum.isFinite, item.maximum < .greatestFiniteMagnitude {
        terms.append(.comparison(.lessOrEqual, value, .literal(.real(item.maximum))))
      }
      rule.filter = terms.count > 1 ? .and(terms) : terms.first
      return rule
    }
    if let symbol = renderer.defaultSymbol {
      rules.append(Rule(title: renderer.defaultLabel, isElse: true, symbol: symbol))
    }
    return rules
  }

  private mutating func text(of rule: Rule) -> SLDText? {
    var filter = rule.filter
    if !rule.isElse, let definition { filter = filter.map { .and([definition, $0]) } ?? definition }
    if rule.isElse, definition != nil {
      lose("the rule for the rest also draws what the definition expression leaves out", .approximated)
    }
    var condition = SLDText()
    if let filter {
      do throws(SLDFilterFault) { try condition.condition(filter) } catch {
        lose("the rule \"\(rule.title.isEmpty ? rule.name : rule.title)\" is not written: \(error.reason)")
        return nil
      }
    }
    var symbols = SLDSymbolText()
    if let symbol = rule.symbol { symbols.add(symbol) }
    for loss in symbols.losses { lose(loss.reason, loss.outcome) }
    var text = SLDText()
    text.element("se:Rule") { text in
      if !rule.name.isEmpty { text.element("se:Name", text: rule.name) }
      if !rule.title.isEmpty { text.element("se:Description") { $0.element("se:Title", text: rule.title) } }
      if rule.isElse { text.element("se:ElseFilter") { _ in } }
      if filter != nil { text.element("ogc:Filter") { $0.append(condition) } }
      if rule.maxScale > 0 {
        text.element("se:MinScaleDenominator", number: rule.maxScale / SLDMapping.scaleFactor)
      }
      if rule.minScale > 0 {
        text.element("se:MaxScaleDenominator", number: rule.minScale / SLDMapping.scaleFactor)
      }
      text.append(symbols.text)
      if let label = rule.label { text.append(label) }
    }
    return text
  }

  // MARK: Labels

  private mutating func rule(of label: LabelDefinition) -> Rule? {
    let written = SLDLabelText(label, kind: kind, radius: radius)
    for loss in written.losses { lose(loss.reason, loss.outcome) }
    guard let text = written.text else { return nil }
    var rule = Rule(name: label.name, minScale: label.minScale, maxScale: label.maxScale)
    guard read(label.$whereClause, of: "label class \"\(label.name)\"", into: &rule) else { return nil }
    rule.label = text
    return rule
  }

  /// Sets the filter of a rule; returns false, after a loss, for one that is not read.
  private mutating func read(_ filter: ParsedFilter, of name: String, into rule: inout Rule) -> Bool {
    do throws(FilterSyntaxError) { rule.filter = try filter.read()?.expression } catch {
      lose("the \(name) is not written, because its filter is not read: \(error)")
      return false
    }
    return true
  }
}

extension String {
  /// Returns the texts between a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    guard !separator.isEmpty else { return [self] }
    return split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
