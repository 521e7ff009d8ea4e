import MapExpressions
import MapFilter
import MapJSON
import MapModel

/// A codec for renderers in web map JSON (`drawingInfo.renderer`).
enum EsriRendererCodec {
  /// The maximum number of classes, more than an image can distinguish.
  static let largestClassCount = 65_000

  // MARK: Reading

  /// Reads a renderer; nil for an unsupported type, which is reported.
  static func renderer(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RendererForm? {
    guard let form = try classes(node, &report) else { return nil }
    switch form {
    case .heatmap, .dotDensity, .rules: return form
    case .simple, .uniqueValue, .classBreaks, .pieChart: break
    }
    let variables = try EsriVisualVariableCodec.variables(node, &report)
    if case .pieChart = form, variables.inputs.contains(where: { $0.name != "size" }) {
      report.note(
        node.path["visualVariables"], "not applied: of the variables, only the size of pie charts is")
    }
    return form.with(variables)
  }

  private static func classes(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RendererForm? {
    switch try node.required("type").string() {
    case "simple":
      let symbol = try EsriSymbolCodec.symbol(node.required("symbol"), &report)
      var simple = SimpleRenderer(form: symbol, label: EsriMembers.text(node["label"]))
      simple.description = EsriMembers.text(node["description"])
      return .simple(simple)
    case "uniqueValue", "predominance": return try uniqueValue(node, &report)
    case "classBreaks": return try classBreaks(node, &report)
    case "heatmap": return .heatmap(try EsriDensityCodec.heatmap(node, &report))
    case "dotDensity": return .dotDensity(try EsriDensityCodec.dotDensity(node, &report))
    case "pieChart": return .pieChart(try EsriPieChartCodec.renderer(node, &report))
    case "rules": return .rules(try RuleRendererCodec.renderer(node, &report))
    case let type:
      report.note(
        node.path["type"],
        "renderers of type \"\(type)\" are not drawn yet; the default renderer is used instead"
          + DocumentObject.renderers.suggestion(for: type), .approximated)
      return nil
    }
  }

  private static func uniqueValue(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RendererForm? {
    let expression = try valueExpression(node, orElse: "field1", &report)
    var fields = expression == nil ? [try node.required("field1").string()] : []
    for name in ["field2", "field3"] where expression == nil {
      if let field = try node.string(name), !field.isEmpty { fields.append(field) }
    }
    let delimiter = try node.string("fieldDelimiter") ?? ""
    var classes: [UniqueValueRenderer.UniqueValue] = []
    func add(
      _ info: JSONNode, values: [String], numbers: Set<String>, heading: String = ""
    ) throws(JSONDecodingError) {
      let (symbol, scales) = try EsriSymbolCodec.reference(info.required("symbol"), &report)
      let label = info["label"].map { EsriMembers.text($0) } ?? values.first ?? ""
      var found = UniqueValueRenderer.UniqueValue(values: values, label: label, symbol: symbol)
      found.numbers = numbers
      found.description = EsriMembers.text(info["description"])
      found.heading = heading
      found.showsInLegend = info["skipLegend"]?.value.boolean != true
      found.referenceProperties = scales
      for other in try info.elements("alternateSymbols") {
        let (symbol, scales) = try EsriSymbolCodec.reference(other, &report)
        found.alternateSymbols.append(SymbolReference(symbol.symbol, scales ?? SymbolReferenceProperties()))
      }
      classes.append(found)
    }
    let groups = try node.elements("uniqueValueGroups")
    if node["uniqueValueInfos"] == nil ? node["uniqueValueGroups"] != nil : !groups.isEmpty {
      for group in groups {
        for info in try group.elements("classes") {
          var (values, numbers) = ([String](), Set<String>())
          for combination in try info.required("values").elements() {
            let parts = try combination.elements()
            values.append(parts.map { EsriMembers.text($0) }.joined(separator: delimiter))
            if parts.count == 1, parts[0].isNumber { numbers.insert(values[values.count - 1]) }
          }
          try add(info, values: values, numbers: numbers, heading: EsriMembers.text(group["heading"]))
        }
      }
    } else {
      for info in try node.required("uniqueValueInfos").elements() {
        let value = info["value"].map { EsriMembers.text($0) } ?? "<Null>"
        try add(info, values: [value], numbers: info["value"]?.isNumber ?? false ? [value] : [])
      }
    }
    try check(classes.count, node)
    var renderer = UniqueValueRenderer(
      fieldNames: fields, delimiter: delimiter, uniqueValues: classes,
      defaultSymbol: try defaultSymbol(node, &report), defaultLabel: EsriMembers.text(node["defaultLabel"]))
    renderer.backgroundFill = try backgroundFill(node, &report)
    renderer.valueExpression = expression
    renderer.relationship = EsriRelationshipCodec.relationship(node)
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    renderer.drawsInClassOrder = try node.boolean("drawInClassOrder") ?? false
    return .uniqueValue(renderer)
  }

  private static func classBreaks(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RendererForm? {
    let expression = try valueExpression(node, orElse: "field", &report)
    var breaks: [ClassBreaksRenderer.ClassBreak] = []
    var below = try bound(node, "minValue") ?? -.infinity
    for info in try node.required("classBreakInfos").elements() {
      let minimum = try bound(info, "classMinValue") ?? below
      guard let maximum = try bound(info, "classMaxValue") else {
        throw JSONDecodingError(.missing, at: info.path["classMaxValue"])
      }
      below = maximum
      if maximum < minimum {
        report.note(info.path, "empty class: its maximum \(maximum) is below its minimum \(minimum)", .drawn)
      }
      let symbol = try EsriSymbolCodec.symbol(info.required("symbol"), &report)
      var found = ClassBreaksRenderer.ClassBreak(
        minimum: minimum, maximum: maximum, label: EsriMembers.text(info["label"]), symbol: symbol)
      found.description = EsriMembers.text(info["description"])
      found.showsInLegend = info["skipLegend"]?.value.boolean != true
      breaks.append(found)
    }
    try check(breaks.count, node)
    var renderer = ClassBreaksRenderer(
      fieldName: expression == nil ? try node.required("field").string() : "",
      normalization: try normalization(node),
      classBreaks: breaks, includesLowestMinimum: true, defaultSymbol: try defaultSymbol(node, &report),
      defaultLabel: EsriMembers.text(node["defaultLabel"]))
    renderer.backgroundFill = try backgroundFill(node, &report)
    renderer.valueExpression = expression
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    renderer.drawsInClassOrder = try node.boolean("drawInClassOrder") ?? false
    return .classBreaks(renderer)
  }

  /// Reads the expression of a renderer; nil for none, and for an unsupported one beside a field.
  private static func valueExpression(
    _ node: JSONNode, orElse field: String, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> ArcadeExpression? {
    guard let text = try node.string("valueExpression"), !text.isEmpty else { return nil }
    do throws(ArcadeError) {
      return try ArcadeExpression(parsing: text)
    } catch {
      guard node[field] != nil else {
        // Every feature gets the default symbol, which says no more than is known.
        report.note(node.path["valueExpression"], "\(error); no feature is in a class")
        return .nothing
      }
      report.note(node.path["valueExpression"], "\(error); \(field) is used instead", .approximated)
      return nil
    }
  }

  /// Reads the calculation before classes; the names of the JavaScript SDK also apply.
  private static func normalization(
    _ node: JSONNode
  ) throws(JSONDecodingError) -> ClassBreaksRenderer.Normalization? {
    let field = try node.string("normalizationField")
    switch try node.string("normalizationType") {
    case nil where field == nil, "": return nil
    case nil, "esriNormalizeByField", "field":
      return .field(try node.required("normalizationField").string())
    case "esriNormalizeByLog", "log": return .logarithm
    case "esriNormalizeByPercentOfTotal", "percent-of-total":
      return .percentOfTotal(try node.required("normalizationTotal").double())
    case let type?:
      let known = ["esriNormalizeByField", "esriNormalizeByLog", "esriNormalizeByPercentOfTotal"]
      throw JSONDecodingError(
        .invalid("expected \(known.joined(separator: ", ")), not \"\(type)\""),
        at: node.path["normalizationType"],
        suggestion: NearestName.of(type, among: known))
    }
  }

  /// The number that web maps write for an open bound: the greatest double.
  private static let noBound = Double.greatestFiniteMagnitude

  /// Reads a bound of a class; infinite for no bound.
  private static func bound(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    try node.double(name).map { abs($0) >= noBound ? $0 * .infinity : $0 }
  }

  private static func json(bound: Double) -> JSONValue {
    .number(min(max(bound, -noBound), noBound))
  }

  private static func defaultSymbol(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm? {
    guard let symbol = node["defaultSymbol"] else { return nil }
    return try EsriSymbolCodec.symbol(symbol, &report)
  }

  /// Reads the fill of areas below markers; nil for none.
  static func backgroundFill(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm? {
    guard let fill = node["backgroundFillSymbol"] else { return nil }
    let symbol = try EsriSymbolCodec.symbol(fill, &report)
    switch symbol {
    case .marker, .picture, .text, .vector:
      report.note(fill.path["type"], "not drawn: a background is a fill symbol")
      return nil
    default: return symbol
    }
  }

  /// Returns the member of the fill below markers.
  static func members(background symbol: SymbolForm?) -> [(String, JSONValue)] {
    symbol.map { [("backgroundFillSymbol", EsriSymbolCodec.json($0))] } ?? []
  }

  static func check(_ count: Int, _ node: JSONNode) throws(JSONDecodingError) {
    guard count <= largestClassCount else {
      throw node.invalid("\(count) classes are too many; \(largestClassCount) can be drawn")
    }
  }

  // MARK: Writing

  static func json(_ renderer: RendererForm) -> JSONValue {
    EsriMembers.object(
      members(renderer) + EsriLegendOptionsCodec.members(renderer.legendOptions)
        + EsriVisualVariableCodec.members(renderer.visualVariables))
  }

  private static func members(_ renderer: RendererForm) -> [(String, JSONValue)] {
    switch renderer {
    case .heatmap(let renderer): return EsriDensityCodec.members(renderer)
    case .dotDensity(let renderer): return EsriDensityCodec.members(renderer)
    case .pieChart(let renderer): return EsriPieChartCodec.members(renderer)
    case .rules(let renderer): return RuleRendererCodec.members(renderer)
    case .simple(let renderer):
      return [
        ("type", "simple"), ("symbol", EsriSymbolCodec.json(renderer.symbol)),
        ("label", .string(renderer.label)),
      ] + (renderer.description.isEmpty ? [] : [("description", .string(renderer.description))])
    case .uniqueValue(let renderer):
      var members: [(String, JSONValue)] = [("type", "uniqueValue")]
      if let expression = renderer.valueExpression {
        members.append(("valueExpression", .string(expression.text)))
      }
      for (name, field) in zip(["field1", "field2", "field3"], renderer.fieldNames) {
        members.append((name, .string(field)))
      }
      if !renderer.delimiter.isEmpty { members.append(("fieldDelimiter", .string(renderer.delimiter))) }
      let infos: [JSONValue] = renderer.uniqueValues.flatMap { unique in
        unique.values.map { value in
          var info: JSONObject = [
            "value": json(value, isNumber: unique.numbers.contains(value)), "label": .string(unique.label),
            "symbol": EsriSymbolCodec.json(unique.symbol, unique.referenceProperties),
          ]
          if !unique.alternateSymbols.isEmpty {
            info["alternateSymbols"] = .array(
              unique.alternateSymbols.map { EsriSymbolCodec.json($0.symbol, $0.properties) })
          }
          if !unique.showsInLegend { info["skipLegend"] = true }
          return described(info, unique.description)
        }
      }
      members.append(("uniqueValueInfos", .array(infos)))
      if renderer.uniqueValues.contains(where: { !$0.heading.isEmpty }) {
        members.append(("uniqueValueGroups", groups(renderer)))
      }
      if renderer.drawsInClassOrder { members.append(("drawInClassOrder", true)) }
      return members + defaults(renderer.defaultSymbol, renderer.defaultLabel)
        + Self.members(background: renderer.backgroundFill)
        + EsriRelationshipCodec.members(renderer.relationship)
    case .classBreaks(let renderer):
      let lowest = renderer.classBreaks.map(\.minimum).min()
      let infos: [JSONValue] = renderer.classBreaks.map { item in
        // Documents include the lowest minimum; excluding it is the same as including the next double.
        let isExcluded = !renderer.includesLowestMinimum && item.minimum == lowest && item.minimum.isFinite
        var info: JSONObject = [
          "classMinValue": json(bound: isExcluded ? item.minimum.nextUp : item.minimum),
          "classMaxValue": json(bound: item.maximum),
          "label": .string(item.label), "symbol": EsriSymbolCodec.json(item.symbol),
        ]
        if !item.showsInLegend { info["skipLegend"] = true }
        return described(info, item.description)
      }
      let source: (String, JSONValue) =
        renderer.valueExpression.map { ("valueExpression", .string($0.text)) }
        ?? ("field", .string(renderer.fieldName))
      return [("type", "classBreaks"), source]
        + members(renderer.normalization) + [("classBreakInfos", .array(infos))]
        + (renderer.drawsInClassOrder ? [("drawInClassOrder", true)] : [])
        + defaults(renderer.defaultSymbol, renderer.defaultLabel)
        + members(background: renderer.backgroundFill)
    }
  }

  /// Returns the classes in groups with headings, for which readers leave the list of all values out.
  private static func groups(_ renderer: UniqueValueRenderer) -> JSONValue {
    var groups: [(heading: String, classes: [JSONValue])] = []
    for unique in renderer.uniqueValues {
      let values: [JSONValue] = unique.values.map { value in
        let parts =
          renderer.delimiter.isEmpty || renderer.fieldNames.count < 2
          ? [value]
          : value.split(separator: renderer.delimiter, omittingEmptySubsequences: false).map(String.init)
        return .array(parts.map { json($0, isNumber: unique.numbers.contains(value)) })
      }
      var info: JSONObject = [
        "values": .array(values), "label": .string(unique.label),
        "symbol": EsriSymbolCodec.json(unique.symbol, unique.referenceProperties),
      ]
      if !unique.alternateSymbols.isEmpty {
        info["alternateSymbols"] = .array(
          unique.alternateSymbols.map { EsriSymbolCodec.json($0.symbol, $0.properties) })
      }
      if !unique.showsInLegend { info["skipLegend"] = true }
      if groups.last?.heading != unique.heading { groups.append((unique.heading, [])) }
      groups[groups.count - 1].classes.append(described(info, unique.description))
    }
    return .array(
      groups.map { group in
        group.heading.isEmpty
          ? ["classes": .array(group.classes)]
          : ["heading": .string(group.heading), "classes": .array(group.classes)]
      })
  }

  private static func members(_ normalization: ClassBreaksRenderer.Normalization?) -> [(String, JSONValue)] {
    switch normalization {
    case nil: []
    case .field(let name):
      [("normalizationType", "esriNormalizeByField"), ("normalizationField", .string(name))]
    case .logarithm: [("normalizationType", "esriNormalizeByLog")]
    case .percentOfTotal(let total):
      [("normalizationType", "esriNormalizeByPercentOfTotal"), ("normalizationTotal", .number(total))]
    }
  }

  /// Returns a class with its description, unless that is empty.
  private static func described(_ info: JSONObject, _ description: String) -> JSONValue {
    var info = info
    if !description.isEmpty { info["description"] = .string(description) }
    return .object(info)
  }

  /// Returns a value of a class as the number or text that a document wrote.
  private static func json(_ value: String, isNumber: Bool) -> JSONValue {
    switch isNumber ? DecimalText.number(value) : nil {
    case .integer(let number)?: .number(JSONNumber(number))
    case .real(let number)?: .number(number)
    default: .string(value)
    }
  }

  private static func defaults(_ symbol: SymbolForm?, _ label: String) -> [(String, JSONValue)] {
    guard let symbol else { return [] }
    return [("defaultSymbol", EsriSymbolCodec.json(symbol)), ("defaultLabel", .string(label))]
  }
}

extension JSONNode {
  fileprivate var isNumber: Bool { if case .number = value { true } else { false } }
}
