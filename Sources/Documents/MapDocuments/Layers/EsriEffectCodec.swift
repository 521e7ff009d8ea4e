import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapSystem

/// A codec for effects of layers in web map JSON (`effect` and `featureEffect`).
enum EsriEffectCodec {
  /// The names of all functions that are applied.
  static let names = EffectAmount.allCases.map(\.rawValue) + ["bloom", "blur", "drop-shadow", "hue-rotate"]

  /// The largest reach of all functions of a layer, in pixels of 1/96 inch.
  private static let largestReach = 1024.0
  /// The greatest number of functions; each takes a pass over the image.
  private static let mostFunctions = 64

  /// Reads an effect; one that changes nothing has no functions.
  ///
  /// Functions that are not applied are reported.
  static func effect(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> LayerEffect {
    if let text = node.value.string { return functions(text, node.path, &report) }
    let items = try node.elements()
    guard items.contains(where: { $0["scale"] != nil }) else {
      return .everywhere(try functions(items, &report))
    }
    var stops: [LayerEffect.Stop] = []
    for item in items {
      let scale = try item.required("scale").double()
      let value = item["value"]
      if let text = value?.value.string, let path = value?.path {
        stops.append(LayerEffect.Stop(scale: scale, functions: functions(text, path, &report).lists[0]))
      } else {
        let functions = try functions(try value?.elements() ?? [], &report)
        stops.append(LayerEffect.Stop(scale: scale, functions: functions))
      }
    }
    let effect = LayerEffect.byScale(stops.sorted { $0.scale < $1.scale })
    if !effect.mixes {
      report.note(
        node.path, "approximated: effects of different kinds do not change gradually between scales",
        .approximated)
    }
    return effect
  }

  /// Reads the effect of a layer or group; nil for none.
  static func effect(
    of node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> LayerEffect? {
    try node["effect"].flatMap { node throws(JSONDecodingError) in try effect(node, &report) }
  }

  /// Reads a feature effect; nil for one that is not applied.
  static func featureEffect(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> FeatureEffect? {
    let filter = node["filter"]
    // The walk over the document reports these members.
    guard filter?["timeExtent"] == nil, try filter?.double("distance") ?? 0 == 0 else { return nil }
    let included = try node["includedEffect"].flatMap { node throws(JSONDecodingError) in
      try effect(node, &report)
    }
    let excluded = try node["excludedEffect"].flatMap { node throws(JSONDecodingError) in
      try effect(node, &report)
    }
    guard included != nil || excluded != nil else { return nil }
    let geometry: SpatialCondition?
    do { geometry = try filter.flatMap(spatialCondition) } catch {
      let reason = if case .invalid(let text) = error.reason { text } else { "it is not a geometry" }
      report.note(error.path, "the feature effect is not drawn: \(reason)")
      return nil
    }
    let ids = try filter?["objectIds"]?.elements().map { id throws(JSONDecodingError) in
      Int64(clamping: try id.integer())
    }
    return FeatureEffect(
      where: try filter?.string("where") ?? "", geometry: geometry, objectIDs: ids, included: included,
      excluded: excluded)
  }

  /// The names of spatial relationships in documents.
  ///
  /// - Source: ArcGIS Maps SDK for JavaScript, `FeatureFilter.spatialRelationship`; ArcGIS REST API, `spatialRel`.
  static let relationships: [String: SpatialRelationship] = [
    "intersects": .intersects, "contains": .contains, "crosses": .crosses, "disjoint": .disjoint,
    "envelope-intersects": .envelopeIntersects, "index-intersects": .indexIntersects, "overlaps": .overlaps,
    "touches": .touches, "within": .within, "esriSpatialRelIntersects": .intersects,
    "esriSpatialRelContains": .contains, "esriSpatialRelCrosses": .crosses,
    "esriSpatialRelDisjoint": .disjoint, "esriSpatialRelEnvelopeIntersects": .envelopeIntersects,
    "esriSpatialRelIndexIntersects": .indexIntersects, "esriSpatialRelOverlaps": .overlaps,
    "esriSpatialRelTouches": .touches, "esriSpatialRelWithin": .within,
  ]

  /// Reads the geometry of a filter and the relationship of features to it; nil without a geometry.
  private static func spatialCondition(_ filter: JSONNode) throws(JSONDecodingError) -> SpatialCondition? {
    guard let node = filter["geometry"] else { return nil }
    guard let geometry = try EsriGeometryJSON.geometry(node) else {
      throw node.invalid("an empty geometry selects no feature")
    }
    let member = filter["spatialRelationship"] ?? filter["spatialRel"]
    let name = try member?.string() ?? "intersects"
    guard let relationship = relationships[name] else {
      let near = NearestName.of(name, among: relationships.keys.sorted())
      throw (member ?? node).invalid(
        "the spatial relationship \"\(name)\" is not supported"
          + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    do { return try SpatialCondition(geometry, relationship) } catch { throw node.invalid("\(error)") }
  }

  // MARK: Functions

  private static func functions(
    _ items: [JSONNode], _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [EffectFunction] {
    var (functions, reach) = ([EffectFunction](), 0.0)
    for item in items {
      guard let function = try function(item, &report) else { continue }
      add(function, item.path, &functions, &reach, &report)
    }
    return functions
  }

  private static func functions(
    _ text: String, _ path: JSONPath, _ report: inout DocumentReport
  ) -> LayerEffect {
    var (functions, reach) = ([EffectFunction](), 0.0)
    let parsed = EffectText(text)
    for function in parsed.functions { add(function, path, &functions, &reach, &report) }
    for fault in parsed.faults { report.note(path, fault.message, fault.outcome) }
    return .everywhere(functions)
  }

  private static func add(
    _ function: EffectFunction, _ path: JSONPath, _ functions: inout [EffectFunction], _ reach: inout Double,
    _ report: inout DocumentReport
  ) {
    guard functions.count < mostFunctions else {
      return report.note(path, "not drawn: only \(mostFunctions) effects are drawn")
    }
    guard reach + function.reach <= largestReach else {
      return report.note(
        path, "not drawn: the effects reach farther than \(Int(clamping: largestReach)) pixels")
    }
    reach += function.reach
    functions.append(function)
  }

  private static func function(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> EffectFunction? {
    guard let type = try node.string("type") else {
      report.note(node.path["type"], "missing: the effect is not drawn")
      return nil
    }
    func points(_ name: String) throws(JSONDecodingError) -> Double {
      try (node.double(name) ?? 0) * EsriMembers.pixelsPerPoint
    }
    var function: EffectFunction?
    switch type {
    case "hue-rotate": function = .hueRotate(try node.double("angle") ?? 0)
    case "blur": function = .blur(try points("radius"))
    case "bloom":
      function = .bloom(
        EffectBloom(
          strength: try node.double("strength") ?? 1, radius: try points("radius"),
          threshold: try node.double("threshold") ?? 0))
    case "drop-shadow":
      function = .dropShadow(
        EffectShadow(
          x: try points("xoffset"), y: try points("yoffset"), radius: try points("blurRadius"),
          color: try EsriMembers.color(node["color"]) ?? .black))
    default:
      function = try EffectAmount(rawValue: type).map { kind throws(JSONDecodingError) in
        EffectFunction.amount(kind, try node.double("amount") ?? 1)
      }
    }
    guard let function else {
      let near = NearestName.of(type, among: names)
      report.note(
        node.path["type"],
        "not drawn: the effect \"\(type)\" is not supported"
          + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
      return nil
    }
    let limited = function.limited
    if let fault = limited.fault { report.note(node.path, fault.message, fault.outcome) }
    return limited.function
  }

  // MARK: Writing

  /// Returns an effect as JSON.
  static func json(_ effect: LayerEffect) -> JSONValue {
    switch effect {
    case .everywhere(let functions): .array(functions.map(json))
    case .byScale(let stops):
      .array(stops.map { ["scale": .number($0.scale), "value": .array($0.functions.map(json))] })
    }
  }

  /// Returns a feature effect as JSON.
  static func json(_ effect: FeatureEffect) -> JSONValue {
    var filter: JSONObject = ["where": .string(effect.whereClause)]
    if let condition = effect.geometry {
      filter["geometry"] = EsriGeometryJSON.json(condition.geometry.geometry)
      if condition.relationship != .intersects,
        let name = relationships.keys.sorted().last(where: { relationships[$0] == condition.relationship })
      {
        filter["spatialRelationship"] = .string(name)
      }
    }
    if let ids = effect.objectIDs { filter["objectIds"] = .array(ids.map { .number(Int(clamping: $0)) }) }
    var object: JSONObject = ["filter": .object(filter)]
    if let included = effect.includedEffect { object["includedEffect"] = json(included) }
    if let excluded = effect.excludedEffect { object["excludedEffect"] = json(excluded) }
    return .object(object)
  }

  private static func json(_ function: EffectFunction) -> JSONValue {
    func points(_ pixels: Double) -> JSONValue { .number(pixels / EsriMembers.pixelsPerPoint) }
    return switch function {
    case .amount(let kind, let amount): ["type": .string(kind.rawValue), "amount": .number(amount)]
    case .hueRotate(let angle): ["type": "hue-rotate", "angle": .number(angle)]
    case .blur(let radius): ["type": "blur", "radius": points(radius)]
    case .bloom(let bloom):
      [
        "type": "bloom", "strength": .number(bloom.strength), "radius": points(bloom.radius),
        "threshold": .number(bloom.threshold),
      ]
    case .dropShadow(let shadow):
      [
        "type": "drop-shadow", "xoffset": points(shadow.x), "yoffset": points(shadow.y),
        "blurRadius": points(shadow.radius), "color": EsriMembers.json(shadow.color),
      ]
    }
  }
}

extension EffectFunction {
  /// A function that can be drawn, and the fault if it differs from what a document asks for.
  typealias Limited = (function: EffectFunction?, fault: (message: String, outcome: DocumentOutcome)?)

  /// The function with values that can be drawn, and the fault if they differ; no function if a value is impossible.
  var limited: Limited {
    func refused(_ what: String) -> Limited {
      (nil, ("not drawn: \(what) is below 0 or not a number", .dropped))
    }
    func limited(_ function: EffectFunction, _ limits: String) -> Limited {
      (function, function == self ? nil : ("approximated: \(limits)", .approximated))
    }
    let (radius, offset) = (Int(clamping: Self.largestRadius), Int(clamping: Self.largestOffset))
    switch self {
    case .amount(let kind, let amount):
      guard amount >= 0 else { return refused("the amount of \(kind.rawValue)") }
      // Amounts above 1 count as 1 by the standard.
      return (.amount(kind, min(amount, kind.largest)), nil)
    case .hueRotate(let angle):
      guard angle.isFinite else { return refused("the angle of hue-rotate") }
      return (.hueRotate(angle), nil)
    case .blur(let asked):
      guard asked >= 0 else { return refused("the radius of blur") }
      return limited(.blur(min(asked, Self.largestRadius)), "a blur has at most \(radius) pixels")
    case .bloom(var bloom):
      guard bloom.strength >= 0, bloom.radius >= 0, bloom.threshold >= 0 else {
        return refused("a number of bloom")
      }
      bloom.radius = min(bloom.radius, Self.largestRadius)
      bloom.strength = min(bloom.strength, EffectBloom.largestStrength)
      return limited(
        .bloom(bloom),
        "a bloom has a radius of at most \(radius) pixels and a strength of at most "
          + "\(Int(clamping: EffectBloom.largestStrength))")
    case .dropShadow(var shadow):
      guard shadow.radius >= 0, !shadow.x.isNaN, !shadow.y.isNaN else {
        return refused("a length of drop-shadow")
      }
      shadow.x = min(max(shadow.x, -Self.largestOffset), Self.largestOffset)
      shadow.y = min(max(shadow.y, -Self.largestOffset), Self.largestOffset)
      shadow.radius = min(shadow.radius, Self.largestRadius)
      return limited(
        .dropShadow(shadow),
        "a shadow is at most \(offset) pixels away and has a blur of at most \(radius)")
    }
  }
}
