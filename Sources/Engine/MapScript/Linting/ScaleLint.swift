import MapDocuments
import MapJSON
import MapModel
import MapState

/// A range of scale denominators, both ends included; 0 means no limit.
struct ScaleRange {
  var minScale: Double
  var maxScale: Double

  /// Whether no scale is in the range.
  var isEmpty: Bool { minScale > 0 && maxScale > minScale }

  func intersection(_ other: ScaleRange) -> ScaleRange {
    let limits = [minScale, other.minScale].filter { $0 > 0 }
    return ScaleRange(minScale: limits.min() ?? 0, maxScale: max(maxScale, other.maxScale))
  }

  var text: String { LintText.scales(minScale: minScale, maxScale: maxScale) }
  var numbers: [(String, Double)] { [("minScale", minScale), ("maxScale", maxScale)] }
}

/// An end of a range of scales.
private enum RangeEnd {
  case smallestScale, largestScale
}

/// Findings about scale ranges that contain no scale or never meet: of the map, of groups, layers, display filters
/// and symbols.
enum ScaleLint {
  static func findings(in document: MapDocument) -> [LintFinding] {
    guard let root = document.webMap.source else { return [] }
    let map = ScaleRange(minScale: document.webMap.minScale, maxScale: document.webMap.maxScale)
    let outer = map.minScale > 0 || map.maxScale > 0 ? [("the map", map)] : []
    var findings: [LintFinding] = []
    add(JSONNode(root)["operationalLayers"], inside: outer.filter { !$0.1.isEmpty }, to: &findings)
    for item in document.layers { addParts(of: item, root, map, to: &findings) }
    return findings
  }

  /// Adds the findings of a list of layers and groups.
  private static func add(
    _ list: JSONNode?, inside outer: [(name: String, range: ScaleRange)], to findings: inout [LintFinding]
  ) {
    for (index, json) in (list?.value.array ?? []).enumerated() {
      guard let list else { return }
      let node = JSONNode(json, at: list.path[index])
      let title = json["title"]?.string ?? json["id"]?.string ?? "\(index)"
      let isGroup = (json["layerType"] ?? json["type"])?.string == "GroupLayer"
      let holders =
        isGroup
        ? [node]
        : [node["layerDefinition"], node].compactMap { $0 }
          + (json["featureCollection"]?["layers"]?.array ?? []).indices.compactMap { table in
            node["featureCollection"]?["layers"]
              .flatMap { JSONNode($0.value[table] ?? .null, at: $0.path[table])["layerDefinition"] }
          }
      let holder = holders.first { $0["minScale"] != nil || $0["maxScale"] != nil }
      let range = ScaleRange(
        minScale: holder?.value["minScale"]?.double ?? 0, maxScale: holder?.value["maxScale"]?.double ?? 0)
      var inside = outer
      if let holder {
        let member = range.minScale > 0 ? "minScale" : "maxScale"
        if range.isEmpty {
          findings.append(
            LintFinding(
              .scaleRange, at: holder.path[member], layer: title,
              "no scale is in its range, minScale 1:\(LintText.number(range.minScale)) to maxScale "
                + "1:\(LintText.number(range.maxScale)), so it is never drawn",
              suggestion: "exchange minScale and maxScale", numbers: range.numbers))
        } else {
          var left = range
          for (name, other) in outer.reversed() {
            left = left.intersection(other)
            guard left.isEmpty else { continue }
            findings.append(
              LintFinding(
                .scaleRange, at: holder.path[member], layer: title,
                "its scales, \(range.text), never meet those of \(name), \(other.text), so it is never drawn",
                suggestion: "let the two ranges overlap", numbers: range.numbers))
            break
          }
          if !left.isEmpty { inside.append((isGroup ? "group \"\(title)\"" : "the layer", range)) }
        }
      }
      if isGroup { add(node["layers"], inside: inside, to: &findings) }
    }
  }

  /// Adds the findings of the display filters and symbols of a layer.
  private static func addParts(
    of item: OpenedLayer, _ root: JSONValue, _ map: ScaleRange, to findings: inout [LintFinding]
  ) {
    let definition = item.document.definition
    let layer = ScaleRange(minScale: definition.minScale, maxScale: definition.maxScale).intersection(map)
    guard !layer.isEmpty else { return }
    // A definition of the whole entry replaces that of its only table.
    let own = item.document.path
    let entry = JSONPath(steps: Array(own.steps.prefix { $0 != .member("featureCollection") }))
    let path =
      root.value(at: entry["layerDefinition"]) == nil ? own["layerDefinition"] : entry["layerDefinition"]
    /// Adds a finding if a range has no scale in common with the layer; one end may not be in the range.
    func add(
      _ what: String, _ range: ScaleRange, at path: JSONPath, without end: RangeEnd? = nil
    ) {
      let common = range.intersection(layer)
      func lacksEnd(_ other: ScaleRange) -> Bool {
        switch end {
        case .largestScale: other.minScale > 0 && range.maxScale >= other.minScale
        case .smallestScale: range.minScale > 0 && other.maxScale >= range.minScale
        case nil: false
        }
      }
      guard common.isEmpty || lacksEnd(common) else { return }
      let isOwn = range.isEmpty || lacksEnd(range)
      findings.append(
        LintFinding(
          .scaleRange, at: path, layer: definition.name,
          isOwn
            ? "no scale is in the range of \(what), minScale 1:\(LintText.number(range.minScale)) to maxScale "
              + "1:\(LintText.number(range.maxScale))"
            : "the scales of \(what), \(range.text), never meet those of the layer, \(layer.text)",
          suggestion: isOwn ? "exchange minScale and maxScale" : "let the two ranges overlap",
          numbers: range.numbers))
    }
    if case .scale(let filters)? = definition.displayFilter {
      for (index, filter) in filters.filters.enumerated() {
        add(
          "display filter \"\(filter.name)\"",
          ScaleRange(minScale: filter.minScale, maxScale: filter.maxScale),
          at: path["displayFilterInfo"]["filters"][index], without: .largestScale)
      }
    }
    let rendererPath = path["drawingInfo"]["renderer"]
    if case .rules(let renderer)? = definition.renderer {
      var names = renderer.ruleNames[...]
      for (place, pass) in renderer.passes.enumerated() {
        for (index, rule) in pass.rules.enumerated() {
          add(
            "rule \"\(names.popFirst() ?? "")\"",
            ScaleRange(minScale: rule.minScale, maxScale: rule.maxScale),
            at: rendererPath["passes"][place]["rules"][index], without: .smallestScale)
        }
      }
    }
    guard case .uniqueValue(let renderer)? = definition.renderer else { return }
    let infos = rendererPath["uniqueValueInfos"]
    for (index, unique) in renderer.uniqueValues.enumerated() {
      guard let own = unique.referenceProperties else { continue }
      let all = [own] + unique.alternateSymbols.map(\.properties)
      for (place, scales) in all.enumerated() {
        let symbol = place == 0 ? infos[index]["symbol"] : infos[index]["alternateSymbols"][place - 1]
        add(
          "a symbol of class \"\(unique.label)\"",
          ScaleRange(minScale: scales.minScale, maxScale: scales.maxScale), at: symbol)
      }
    }
  }
}
