import MapFeatures
import MapJSON
import MapModel

/// A codec for label classes in web map JSON (`drawingInfo.labelingInfo`).
enum EsriLabelCodec {
  // MARK: Reading

  /// Reads the classes of a drawing info; a class with an unsupported expression is skipped and reported.
  ///
  /// - Parameter strategy: The treatment of overlapping labels of classes that state none.
  static func definitions(
    _ drawing: JSONNode, fields: JSONNode?, strategy: LabelDefinition.DeconflictionStrategy = .static,
    _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [LabelDefinition] {
    var definitions: [LabelDefinition] = []
    for node in try drawing.elements("labelingInfo") {
      guard let expression = try expression(node, &report) else { continue }
      var definition = LabelDefinition(
        expression: expression,
        textSymbol: try node["symbol"].map { symbol throws(JSONDecodingError) in
          if try symbol.double("angle") ?? 0 != 0 {
            report.note(symbol.path["angle"], "not applied yet: labels are horizontal")
          }
          return try EsriTextSymbolCodec.symbol(symbol, &report)
        } ?? TextSymbol(size: EsriTextSymbolCodec.standardSize))
      try read(node, into: &definition)
      if node["deconflictionStrategy"] == nil { definition.deconflictionStrategy = strategy }
      definition.angle = try angle(node, &report)
      if definition.usesCodedValues { definition.domains = fields?.domains ?? [:] }
      definitions.append(definition)
    }
    return definitions
  }

  private static func read(
    _ node: JSONNode, into definition: inout LabelDefinition
  ) throws(JSONDecodingError) {
    definition.name = try node.string("name") ?? ""
    definition.whereClause = try node.string("where") ?? ""
    definition.minScale = try scale(node, "minScale")
    definition.maxScale = try scale(node, "maxScale")
    definition.usesCodedValues = try node.boolean("useCodedValues") ?? false
    // -1 means the default priority.
    definition.priority = try node.integer("priority").flatMap { $0 < 0 ? nil : $0 }
    definition.offsetDistance =
      try EsriMembers.length(node, "offsetDistance") ?? EsriMembers.pixelsPerPoint
    definition.allowsOverrun = try node.boolean("allowOverrun")
    definition.repeatsAlongLines = try node.boolean("repeatLabel") ?? true
    definition.repeatDistance =
      try EsriMembers.length(node, "repeatLabelDistance") ?? definition.repeatDistance
    let connection = try node.string("lineConnection")
    definition.joinsLines = connection != "none"
    definition.joinsLinesAtJunctions = connection?.hasPrefix("unambiguous") != true
    definition.duplicateRemovalDistance = try EsriMembers.length(node, "removeDuplicatesDistance") ?? 0
    definition.placement = try node.string("labelPlacement").flatMap { LabelingPlacement(esriName: $0) }
    definition.deconflictionStrategy = try choice(node, "deconflictionStrategy") ?? .static
    definition.labelOverlapStrategy = try choice(node, "allowOverlapOfLabel") ?? .exclude
    definition.duplicateRemoval = try choice(node, "removeDuplicates") ?? .none
    definition.multipartLabeling = try choice(node, "multiPart") ?? .labelPerPart
    definition.featureInteriorOverlapStrategy =
      try choice(node, "allowOverlapOfFeatureInterior") ?? .allow
    definition.featureBoundaryOverlapStrategy =
      try choice(node, "allowOverlapOfFeatureBoundary") ?? .allow
    definition.textLayout = try choice(node, "textLayout") ?? .standard
    definition.textOrientation = try choice(node, "textOrientation") ?? .page
    definition.lineOrientation = try choice(node, "lineOrientation") ?? .page
    definition.stacking = try stacking(node)
    definition.shortField = try node.string("shortField")
    definition.followsGround = try node.boolean("followsGround") ?? false
    let order = try node["orderBy"].map { node throws(JSONDecodingError) in
      try EsriDrawingOrderCodec.orders(node)
    }
    definition.featurePriority = order?.first.map {
      FeaturePriority(fieldName: $0.fieldName, largestFirst: $0.direction == .descending)
    }
  }

  /// Reads the label expression; nil, with a warning, when no supported expression is found.
  private static func expression(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> LabelExpressionForm? {
    var candidates: [(form: LabelExpressionForm, path: JSONPath)] = []
    if let info = node["labelExpressionInfo"] {
      _ = try info.object()
      if let text = try info.string("expression"), !text.isEmpty {
        candidates.append((.arcade(text), info.path["expression"]))
      } else if let text = try info.string("value"), !text.isEmpty {
        candidates.append((.template(text), info.path["value"]))
      }
    }
    if let text = try node.string("labelExpression"), !text.isEmpty {
      candidates.append((.simple(text), node.path["labelExpression"]))
    }
    for (index, candidate) in candidates.enumerated() {
      do {
        _ = try candidate.form.parsed()
        return candidate.form
      } catch {
        let instead =
          index + 1 < candidates.count ? "labelExpression is used instead" : "this class draws no labels"
        report.note(
          candidate.path, "\(error); \(instead)", index + 1 < candidates.count ? .approximated : .dropped)
      }
    }
    if candidates.isEmpty { report.note(node.path, "no label expression: this class draws no labels") }
    return nil
  }

  /// Reads the angle; nil, with a warning, when its expression is not supported.
  private static func angle(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> LabelAngle? {
    guard let info = node["labelAngleInfo"] else { return nil }
    _ = try info.object()
    let type: LabelAngle.RotationType = try choice(info, "rotationType") ?? .arithmetic
    guard let expression = info["angleExpressionInfo"] else {
      // Without an expression the angle is 0, which is horizontal unless it counts from the north.
      return LabelAngle(expression: .arcade("0"), rotationType: type)
    }
    guard let text = try expression.string("expression"), !text.isEmpty else {
      report.note(expression.path, "no expression: labels are horizontal", .approximated)
      return nil
    }
    do {
      _ = try LabelExpressionForm.arcade(text).parsed()
      return LabelAngle(expression: .arcade(text), rotationType: type)
    } catch {
      report.note(expression.path["expression"], "\(error); labels are horizontal", .approximated)
      return nil
    }
  }

  private static func stacking(_ node: JSONNode) throws(JSONDecodingError) -> LabelStacking? {
    guard try node.boolean("stackLabel") ?? true else { return nil }
    let length = try node.integer("stackRowLength").flatMap { $0 > 0 ? $0 : nil }
    var stacking = LabelStacking(rowLength: length)
    stacking.alignment = try choice(node, "stackAlignment") ?? .textSymbol
    stacking.breakPosition = try choice(node, "stackBreakPosition") ?? .before
    guard node["stackSeparators"] != nil else { return stacking }
    var separators: [LabelStacking.Separator] = []
    for item in try node.elements("stackSeparators") {
      let text = try item.required("separator").string()
      // Line feeds always end lines.
      guard !text.isEmpty, !text.contains(where: \.isNewline) else { continue }
      var separator = LabelStacking.Separator(
        text, isForced: try item.boolean("forceSplit") ?? false,
        isVisible: try item.boolean("visible") ?? (text != " "))
      separator.beginsLine = try item.boolean("splitAfter") == false
      separators.append(separator)
    }
    stacking.separators = separators
    return stacking
  }

  private static func scale(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    let scale = try node.double(name) ?? 0
    guard scale >= 0 else { throw node.invalid("\(name) is \(scale); it must be above 0, or 0 for no limit") }
    return scale
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ node: JSONNode, _ name: String
  ) throws(JSONDecodingError) -> Choice? {
    try node.string(name).flatMap { Choice(rawValue: $0) }
  }

  // MARK: Writing

  static func json(_ definition: LabelDefinition) -> JSONValue {
    let standard = LabelDefinition(expression: definition.expression, textSymbol: definition.textSymbol)
    var members: [(String, JSONValue)] = []
    if !definition.name.isEmpty { members.append(("name", .string(definition.name))) }
    switch definition.expression {
    case .simple(let text): members.append(("labelExpression", .string(text)))
    case .arcade(let text): members.append(("labelExpressionInfo", ["expression": .string(text)]))
    case .template(let text): members.append(("labelExpressionInfo", ["value": .string(text)]))
    }
    if let placement = definition.placement {
      members.append(("labelPlacement", .string(placement.esriName)))
    }
    if !definition.whereClause.isEmpty { members.append(("where", .string(definition.whereClause))) }
    for (name, scale) in [("minScale", definition.minScale), ("maxScale", definition.maxScale)]
    where scale != 0 {
      members.append((name, .number(scale)))
    }
    if definition.usesCodedValues { members.append(("useCodedValues", true)) }
    if let priority = definition.priority { members.append(("priority", .number(priority))) }
    let points = EsriMembers.pixelsPerPoint
    if definition.offsetDistance != standard.offsetDistance {
      members.append(("offsetDistance", .number(definition.offsetDistance / points)))
    }
    let words = [
      ("deconflictionStrategy", definition.deconflictionStrategy.rawValue, "static"),
      ("allowOverlapOfLabel", definition.labelOverlapStrategy.rawValue, "exclude"),
      ("removeDuplicates", definition.duplicateRemoval.rawValue, "none"),
      ("multiPart", definition.multipartLabeling.rawValue, "labelPerPart"),
      ("textLayout", definition.textLayout.rawValue, "standard"),
      ("textOrientation", definition.textOrientation.rawValue, "page"),
      ("lineOrientation", definition.lineOrientation.rawValue, "page"),
      ("allowOverlapOfFeatureInterior", definition.featureInteriorOverlapStrategy.rawValue, "allow"),
      ("allowOverlapOfFeatureBoundary", definition.featureBoundaryOverlapStrategy.rawValue, "allow"),
    ]
    for (name, word, usual) in words where word != usual { members.append((name, .string(word))) }
    if let angle = definition.angle {
      let info: JSONValue = ["expression": .string(angle.expression.text)]
      members.append(
        (
          "labelAngleInfo",
          ["angleExpressionInfo": info, "rotationType": .string(angle.rotationType.rawValue)]
        ))
    }
    if definition.duplicateRemovalDistance != 0 {
      members.append(("removeDuplicatesDistance", .number(definition.duplicateRemovalDistance / points)))
    }
    if let overruns = definition.allowsOverrun { members.append(("allowOverrun", .boolean(overruns))) }
    if !definition.repeatsAlongLines { members.append(("repeatLabel", false)) }
    if definition.repeatDistance != standard.repeatDistance {
      members.append(("repeatLabelDistance", .number(definition.repeatDistance / points)))
    }
    if !definition.joinsLines {
      members.append(("lineConnection", "none"))
    } else if !definition.joinsLinesAtJunctions {
      members.append(("lineConnection", "unambiguousLabels"))
    }
    if let field = definition.shortField { members.append(("shortField", .string(field))) }
    if definition.followsGround { members.append(("followsGround", true)) }
    if let order = definition.featurePriority {
      let direction = order.largestFirst ? DrawingOrder.Direction.descending : .ascending
      members.append(
        (
          "orderBy",
          EsriDrawingOrderCodec.json([DrawingOrder(fieldName: order.fieldName, direction: direction)])
        ))
    }
    members += stackingMembers(definition.stacking)
    members.append(("symbol", EsriTextSymbolCodec.json(definition.textSymbol)))
    return EsriMembers.object(members)
  }

  private static func stackingMembers(_ stacking: LabelStacking?) -> [(String, JSONValue)] {
    guard let stacking else { return [("stackLabel", false)] }
    var members: [(String, JSONValue)] = []
    if let length = stacking.rowLength { members.append(("stackRowLength", .number(length))) }
    if stacking.separators != LabelStacking.standardSeparators {
      let separators: [JSONValue] = stacking.separators.map { separator in
        EsriMembers.object(
          [
            ("separator", .string(separator.text)), ("forceSplit", .boolean(separator.isForced)),
            ("visible", .boolean(separator.isVisible)),
          ] + (separator.beginsLine ? [("splitAfter", false)] : []))
      }
      members.append(("stackSeparators", .array(separators)))
    }
    if stacking.breakPosition != .before {
      members.append(("stackBreakPosition", .string(stacking.breakPosition.rawValue)))
    }
    if stacking.alignment != .textSymbol {
      members.append(("stackAlignment", .string(stacking.alignment.rawValue)))
    }
    return members
  }
}

extension JSONNode {
  /// The domains of the fields of a layer definition, by their names in lower case.
  var domains: [String: FieldDomain] {
    var domains: [String: FieldDomain] = [:]
    for field in (try? elements()) ?? [] {
      guard let name = try? field.string("name"), let domain = field["domain"],
        let read = try? FieldDomain(domain)
      else { continue }
      domains[name.lowercased()] = read
    }
    return domains
  }
}
