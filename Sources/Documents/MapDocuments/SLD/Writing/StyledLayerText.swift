package import MapFilter
import MapExpressions
import MapGeometry
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
  private let definition: ParsedFilter

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

  /// Writes the style of a layer.
  ///
  /// - Throws: ``MapStateError`` of kind input for a renderer that styles do not have.
  package init(
    layer: String, renderer: RendererForm, labels: [LabelDefinition], definition: ParsedFilter = .none
  ) throws(MapStateError) {
    (self.layer, self.definition) = (layer, definition)
    var passes = try passes(of: renderer)
    if !renderer.visualVariables.isEmpty {
      let names = renderer.visualVariables.inputs.map(\.name).joined(separator: ", ")
      lose("visual variables are not written: \(names)")
    }
    passes.append(labels.compactMap { rule(of: $0) })
    var document = SLDText()
    let namespaces =
      "version=\"1.1.0\" xmlns=\"http://www.opengis.net/sld\" xmlns:se=\"http://www.opengis.net/se\" "
      + "xmlns:ogc=\"http://www.opengis.net/ogc\" xmlns:gml=\"http://www.opengis.net/gml\" "
      + "xmlns:xlink=\"http://www.w3.org/1999/xlink\""
    let texts = passes.map { rules in rules.compactMap { text(of: $0) } }
    document.element("StyledLayerDescriptor", namespaces) { text in
      text.element("NamedLayer") { text in
        text.element("se:Name", text: layer)
        text.element("UserStyle") { text in
          text.element("se:Name", text: layer)
          for rules in texts where !rules.isEmpty {
            text.element("se:FeatureTypeStyle") { text in
              for rule in rules { text.append(rule) }
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

  private mutating func passes(of renderer: RendererForm) throws(MapStateError) -> [[Rule]] {
    switch renderer {
    case .simple(let simple): return [[Rule(title: simple.label, symbol: simple.symbol)]]
    case .uniqueValue(let unique): return [try rules(of: unique)]
    case .classBreaks(let breaks): return [try rules(of: breaks)]
    case .rules(let rules):
      return rules.passes.map { pass in
        pass.rules.map { rule in
          var written = Rule(name: rule.name, title: rule.label, symbol: rule.symbol)
          written.filter = (try? rule.$filter.read())?.expression
          (written.isElse, written.minScale, written.maxScale) = (rule.isElse, rule.minScale, rule.maxScale)
          return written
        }
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
    let lowest = renderer.classBreaks.map(\.minimum).min()
    var rules = renderer.classBreaks.map { item in
      var rule = Rule(title: item.label, symbol: item.symbol)
      let isLowest = renderer.includesLowestMinimum && item.minimum == lowest
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
    if !rule.isElse, let own = (try? definition.read())?.expression {
      filter = filter.map { .and([own, $0]) } ?? own
    }
    if rule.isElse, (try? definition.read()) != nil {
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
        text.element("se:MinScaleDenominator", number: rule.maxScale / SLDStyle.scaleFactor)
      }
      if rule.minScale > 0 {
        text.element("se:MaxScaleDenominator", number: rule.minScale / SLDStyle.scaleFactor)
      }
      text.append(symbols.text)
      if let label = rule.label { text.append(label) }
    }
    return text
  }

  // MARK: Labels

  private mutating func rule(of label: LabelDefinition) -> Rule? {
    guard let template = try? label.expression.parsed() else {
      lose("the label \"\(label.expression.text)\" is not written")
      return nil
    }
    var content = SLDText()
    var isWritten = true
    for part in template.parts {
      switch part {
      case .text(let text): content.element("ogc:Literal", text: text)
      case .field(let name): content.element("ogc:PropertyName", text: name)
      case .arcade: isWritten = false
      }
    }
    guard isWritten else {
      lose("the label \"\(label.expression.text)\" is an expression, which is not written")
      return nil
    }
    var rule = Rule(name: label.name, minScale: label.minScale, maxScale: label.maxScale)
    rule.filter = (try? label.$whereClause.read())?.expression
    let symbol = label.textSymbol
    // White space between the parts of a label would be part of it.
    let parts = content.lines.joined()
    var text = SLDText()
    text.element("se:TextSymbolizer") { text in
      text.raw("se:Label", parts)
      text.element("se:Font") { text in
        text.parameter("font-family", symbol.fontFamily.isEmpty ? "Noto Sans" : symbol.fontFamily)
        text.parameter("font-size", SLDText.text(symbol.size))
        if symbol.fontStyle != .normal { text.parameter("font-style", symbol.fontStyle.rawValue) }
        if symbol.fontWeight == .bold { text.parameter("font-weight", "bold") }
      }
      text.element("se:LabelPlacement") { Self.placement(label, &$0) }
      if let color = symbol.haloColor, symbol.haloWidth > 0 {
        text.element("se:Halo") { text in
          text.element("se:Radius", number: symbol.haloWidth)
          Self.fill(color, &text)
        }
      }
      Self.fill(symbol.color ?? .clear, &text)
      if let priority = label.featurePriority, priority.largestFirst {
        text.element("se:Priority") { $0.element("ogc:PropertyName", text: priority.fieldName) }
      }
      if label.deconflictionStrategy == .none {
        text.element("VendorOption", "name=\"conflictResolution\"", text: "false")
      }
      if label.joinsLines, label.placement?.line != nil {
        text.element("VendorOption", "name=\"group\"", text: "yes")
      }
    }
    rule.label = text
    return rule
  }

  private static func fill(_ color: Color, _ text: inout SLDText) {
    text.element("se:Fill") { text in
      text.parameter("fill", color.sldHex)
      if color.alpha < 255 { text.parameter("fill-opacity", SLDText.text(color.sldOpacity)) }
    }
  }

  private static func placement(_ label: LabelDefinition, _ text: inout SLDText) {
    if let line = label.placement?.line {
      text.element("se:LinePlacement") { text in
        if line.side != 0 {
          let offset = label.offsetDistance + label.textSymbol.size / 2
          text.element("se:PerpendicularOffset", number: -line.side * offset)
        }
        if label.repeatsAlongLines {
          text.element("se:IsRepeated", text: "true")
          text.element("se:Gap", number: label.repeatDistance)
        }
      }
      return
    }
    let side = label.placement?.side ?? (x: 0, y: 0)
    text.element("se:PointPlacement") { text in
      text.element("se:AnchorPoint") { text in
        text.element("se:AnchorPointX", number: (1 - side.x) / 2)
        text.element("se:AnchorPointY", number: (1 + side.y) / 2)
      }
      if side.x != 0 || side.y != 0 {
        text.element("se:Displacement") { text in
          text.element("se:DisplacementX", number: side.x * label.offsetDistance)
          text.element("se:DisplacementY", number: -side.y * label.offsetDistance)
        }
      }
    }
  }
}

extension String {
  /// Returns the texts between a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    guard !separator.isEmpty else { return [self] }
    return split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
