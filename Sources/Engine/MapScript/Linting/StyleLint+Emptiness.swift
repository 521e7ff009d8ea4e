import MapJSON
import MapModel
import MapStyles

/// Findings about layers that draw nothing at any zoom.
extension StyleLint {
  /// Returns a finding if a layer can never draw.
  func emptinessFindings(_ index: Int) -> [LintFinding] {
    let layer = layers[index].layer
    func finding(_ path: JSONPath, _ reason: String, _ suggestion: String) -> [LintFinding] {
      [
        LintFinding(
          .layerNeverDrawn, at: path, layer: layer.id, "it can never draw: \(reason)", suggestion: suggestion)
      ]
    }
    if layer.minzoom >= layer.maxzoom {
      return finding(
        layer.path["minzoom"],
        "minzoom \(LintText.number(layer.minzoom)) is not below maxzoom \(LintText.number(layer.maxzoom))",
        "give it a range of zooms")
    }
    if layer.minzoom >= Self.zooms.upperBound || layer.maxzoom <= Self.zooms.lowerBound {
      return finding(
        layer.path[layer.maxzoom <= 0 ? "maxzoom" : "minzoom"],
        "its zooms are outside 0 to \(LintText.number(Self.zooms.upperBound))", "give it a range of zooms")
    }
    if case .tiles(let tiles)? = layer.source.flatMap({ style.sources[$0] }),
      layer.maxzoom <= Double(tiles.zooms.lowerBound)
    {
      return finding(
        layer.path["maxzoom"],
        "maxzoom \(LintText.number(layer.maxzoom)) is not above \(tiles.zooms.lowerBound), the first zoom of its source",
        "raise maxzoom, or add tiles of smaller zooms")
    }
    if let reason = impossibility(ofFilterOf: index) {
      return finding(layer.path["filter"], reason, "correct the filter, or remove the layer")
    }
    if let (name, reason) = invisibility(of: index) {
      return finding(path(name, of: layer), reason, "give it a value, or remove the layer")
    }
    return []
  }

  // MARK: Filters

  /// Returns why a filter lets no feature pass; nil if one may.
  private func impossibility(ofFilterOf index: Int) -> String? {
    let (layer, definition) = layers[index]
    guard let json = definition["filter"], !json.isNull else { return nil }
    if let filter = layer.filter, filter.isFeatureConstant, filter.isZoomConstant,
      (try? filter.value(StyleContext(zoom: 0, state: style.document.state)))?.isTrue == false
    {
      return "its filter is false for all features"
    }
    var conditions = FilterConditions()
    conditions.add(json)
    if let reason = conditions.contradiction { return "its filter lets no feature pass: \(reason)" }
    let drawn: Set<String>? =
      switch layer.type {
      case .fill, .fillExtrusion: ["Polygon"]
      case .line: ["LineString", "Polygon"]
      default: nil
      }
    if let drawn, let kinds = conditions.kinds, kinds.isDisjoint(with: drawn) {
      return
        "its filter lets only \(kinds.sorted().joined(separator: " and ")) pass, which layers of the type "
        + "\"\(layer.type.rawValue)\" do not draw"
    }
    return nil
  }

  // MARK: Values

  /// Returns the property that makes a layer invisible at all zooms, and the reason; nil for none.
  private func invisibility(of index: Int) -> (property: String, reason: String)? {
    let layer = layers[index].layer
    let zooms = zooms(of: index)
    func isAlways(_ name: String, _ test: (StyleValue) -> Bool) -> Bool {
      !zooms.isEmpty && zooms.allSatisfy { value(name, of: layer, at: $0).map(test) ?? false }
    }
    func zero(_ names: String...) -> (property: String, reason: String)? {
      names.first { isAlways($0) { $0.number.map { $0 <= 0 } ?? false } }.map {
        ($0, "\($0) is 0 at all zooms")
      }
    }
    func isClear(_ name: String) -> Bool { isAlways(name) { $0.color.map { $0.alpha <= 0 } ?? false } }
    func clear(_ name: String, unless others: String...) -> (property: String, reason: String)? {
      guard isClear(name), !others.contains(where: { has($0, layer) && !isClear($0) }) else { return nil }
      return (name, "\(name) is transparent at all zooms")
    }
    switch layer.type {
    case .background:
      return zero("background-opacity") ?? clear("background-color", unless: "background-pattern")
    case .fill:
      return zero("fill-opacity") ?? clear("fill-color", unless: "fill-pattern", "fill-outline-color")
    case .line:
      return zero("line-opacity", "line-width")
        ?? clear("line-color", unless: "line-pattern", "line-gradient")
    case .circle:
      let hasNoStroke = zero("circle-stroke-width", "circle-stroke-opacity") != nil
      return hasNoStroke ? zero("circle-radius", "circle-opacity") ?? clear("circle-color") : nil
    case .symbol:
      func isEmpty(_ name: String) -> Bool {
        !has(name, layer) || isAlways(name) { ["", "[]"].contains($0.json.string ?? $0.json.text()) }
      }
      let text = isEmpty("text-field") ? ("text-field", "it has no text") : zero("text-opacity", "text-size")
      let icon = isEmpty("icon-image") ? ("icon-image", "it has no icon") : zero("icon-opacity", "icon-size")
      guard let text, let icon else { return nil }
      return text.0 == "text-field" && icon.0 == "icon-image"
        ? (text.0, "it has neither text-field nor icon-image")
        : (text.0 == "text-field" ? icon : text)
    case .raster: return zero("raster-opacity")
    case .heatmap: return zero("heatmap-opacity", "heatmap-intensity", "heatmap-radius")
    case .fillExtrusion: return zero("fill-extrusion-opacity")
    case .hillshade: return zero("hillshade-exaggeration")
    case .colorRelief: return zero("color-relief-opacity")
    }
  }
}

/// The conditions that all features of a filter must meet, as far as they concern single fields.
struct FilterConditions {
  /// Why the conditions contradict each other; nil if they may be met.
  private(set) var contradiction: String?
  private var values: [String: Set<String>] = [:]
  private var ranges: [String: (low: Double, high: Double)] = [:]
  private var depth = 0

  /// The greatest depth of conditions.
  private static let depthLimit = 48
  private static let kind = "$type"

  /// The kinds of geometries that pass, by the names of single ones; nil for all.
  var kinds: Set<String>? {
    values[Self.kind].map { kinds in
      Set(kinds.map { $0.replacing("\"", with: "").replacing("Multi", with: "") })
    }
  }

  /// Adds a filter, or a part of `all`, in the old or the new form.
  mutating func add(_ json: JSONValue) {
    guard contradiction == nil, depth < Self.depthLimit else { return }
    if json.boolean == false { contradiction = "a part of it is false" }
    guard let parts = json.array, let name = parts.first?.string else { return }
    depth += 1
    defer { depth -= 1 }
    switch name {
    case "all": for part in parts.dropFirst() { add(part) }
    case "any":
      guard parts.dropFirst().allSatisfy({ Self.isImpossible($0, depth) }) else { return }
      contradiction = parts.count == 1 ? "\"any\" has no parts" : "no part of \"any\" can be true"
    case "==": if parts.count == 3, let key = Self.key(parts[1]) { allow([parts[2]], of: key) }
    case "in":
      guard parts.count >= 2, let key = Self.key(parts[1]) else { return }
      if parts.count == 3, let list = parts[2][1]?.array, parts[2][0] == "literal" {
        allow(list, of: key)
      } else if parts[1].string != nil {
        allow(Array(parts.dropFirst(2)), of: key)
      }
    case "<", "<=", ">", ">=":
      guard parts.count == 3, let key = Self.key(parts[1]), let number = parts[2].double else { return }
      limit(key, name, number)
    default: break
    }
  }

  private static func isImpossible(_ json: JSONValue, _ depth: Int) -> Bool {
    var inner = FilterConditions()
    inner.depth = depth
    inner.add(json)
    return inner.contradiction != nil
  }

  /// Returns the field that a part of a comparison reads; nil for another part.
  private static func key(_ json: JSONValue) -> String? {
    if let name = json.string { return name }
    if json == ["geometry-type"] { return kind }
    guard let parts = json.array, parts.count == 2, parts[0] == "get" else { return nil }
    return parts[1].string
  }

  private mutating func allow(_ list: [JSONValue], of key: String) {
    guard list.allSatisfy({ $0.array == nil && $0.object == nil }) else { return }
    let own = Set(list.map { $0.text() })
    let both = values[key].map { $0.intersection(own) } ?? own
    if both.isEmpty {
      contradiction =
        own.isEmpty ? "\"in\" has no values" : "\(key) cannot have two different values"
    }
    values[key] = both
  }

  private mutating func limit(_ key: String, _ relation: String, _ number: Double) {
    var range = ranges[key] ?? (-.infinity, .infinity)
    // Between numbers, a strict limit excludes the number alone.
    switch relation {
    case "<": range.high = min(range.high, number.nextDown)
    case "<=": range.high = min(range.high, number)
    case ">": range.low = max(range.low, number.nextUp)
    default: range.low = max(range.low, number)
    }
    ranges[key] = range
    if range.low > range.high { contradiction = "no number is in the range of \(key)" }
  }
}
