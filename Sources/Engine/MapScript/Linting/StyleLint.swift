import MapJSON
import MapModel
import MapState
import MapStyles
import MapSystem

/// A check of a MapLibre style for layers that never draw, values out of range or that jump, names that its sources do not
/// have, and text of low contrast.
struct StyleLint {
  let style: MapStyle
  /// The names of the images of the sprites; nil if they are not known.
  let imageNames: [String]?
  /// The names of the fields of features by source and source layer, as far as they are known.
  let fields: [[String]: [String]]
  /// The layers, each with its members.
  let layers: [(layer: StyleLayer, definition: JSONObject)]
  /// The zooms of views.
  ///
  /// - Source: MapLibre Style Specification: "minzoom" and "maxzoom" of layers are 0 to 24.
  static let zooms = 0.0...24.0

  init(_ style: MapStyle) async {
    self.style = style
    imageNames = await style.imageNames()
    var fields: [[String]: [String]] = [:]
    for layer in style.document.layers {
      guard let source = layer.source else { continue }
      let key = [source, layer.sourceLayer ?? ""]
      if fields[key] == nil { fields[key] = style.fieldNames(ofSource: source, layer: key[1]) }
    }
    self.fields = fields
    layers = Array(zip(style.document.layers, style.document.definitions())).map { ($0, $1) }
  }

  /// The findings in the order of the document, with the remarks.
  func answer(without disabled: Set<LintRule>) async -> LintAnswer {
    var findings = problemFindings()
    for index in layers.indices {
      findings += emptinessFindings(index) + valueFindings(index) + nameFindings(index)
      if !disabled.contains(.textContrast) { findings += contrastFindings(index) }
    }
    var warnings: [String] = []
    findings += await fontFindings(&warnings) + unusedSources()
    let order = Dictionary(
      layers.enumerated().map { ($1.layer.id, $0) }, uniquingKeysWith: { first, _ in first })
    let ranks = Dictionary(
      LintRule.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let sorted = findings.filter { !disabled.contains($0.rule) }.enumerated().sorted { a, b in
      let first = (order[a.element.layer] ?? .max, ranks[a.element.rule] ?? 0, a.offset)
      let second = (order[b.element.layer] ?? .max, ranks[b.element.rule] ?? 0, b.offset)
      return first < second
    }
    var answer = LintAnswer(findings: sorted.map(\.element), warnings: warnings)
    answer.notes = notes
    return answer
  }

  /// The problems of the document that are findings; the others are warnings about what is not drawn.
  static func isFinding(_ problem: StyleProblem) -> Bool { problem.kind != .undrawn }

  // MARK: The document

  /// Returns the problems of reading the style as findings.
  private func problemFindings() -> [LintFinding] {
    style.document.problems.filter(Self.isFinding).map { problem in
      let path = JSONPath(text: problem.path)
      let rule: LintRule =
        switch (problem.kind, path?.steps.last) {
        case (.unknown, .member("source")?): .missingSource
        case (.unknown, _): .unknownProperty
        case (_, .member("id")?): .duplicateLayer
        default: .invalidValue
        }
      let advice =
        switch rule {
        case .duplicateLayer: "give the layer another id"
        case .invalidValue: "correct the value; the default takes its place"
        default: problem.suggestion.map { "did you mean \"\($0)\"?" } ?? "correct the name, or remove it"
        }
      return LintFinding(
        rule, at: path, layer: layerName(at: path), "\(name(of: path))\(problem.message)", suggestion: advice)
    }
  }

  /// Returns the last member of a path for messages, with a blank after it.
  private func name(of path: JSONPath?) -> String {
    for case .member(let name) in (path?.steps ?? []).reversed() { return "\(name): " }
    return ""
  }

  /// Returns the id of the layer that a path is in; empty for the style.
  private func layerName(at path: JSONPath?) -> String {
    guard let steps = path?.steps, steps.count > 1, steps[0] == .member("layers"),
      case .index(let index) = steps[1]
    else { return "" }
    return style.document.json["layers"]?[index]?["id"]?.string ?? "\(index)"
  }

  private func unusedSources() -> [LintFinding] {
    let used = Set(layers.compactMap(\.layer.source))
    return style.document.sources.filter { !used.contains($0.name) }.map { source in
      LintFinding(
        .unusedSource, at: JSONPath.root["sources"][source.name], layer: "",
        "no layer uses the source \"\(source.name)\"", suggestion: "remove it, or add a layer")
    }
  }

  /// The layers that the style hides, which is no fault.
  private var notes: [String] {
    let hidden = layers.filter { item in
      if case .constant(.string("none")) = item.layer.visibility { true } else { false }
    }
    guard !hidden.isEmpty else { return [] }
    let list = hidden.prefix(10).map { "\"\(MessageText.name($0.layer.id))\"" }.joined(separator: ", ")
    let more = hidden.count > 10 ? " and \(hidden.count - 10) more" : ""
    return [
      "visibility \"none\" hides \(hidden.count == 1 ? "1 layer" : "\(hidden.count) layers"): \(list)\(more)"
    ]
  }

  // MARK: Values

  /// Returns the zooms at which a layer is examined: the ends of its range, the whole zooms, and the stops of its values.
  func zooms(of index: Int) -> [Double] {
    let (layer, definition) = layers[index]
    let (low, high) = (max(layer.minzoom, Self.zooms.lowerBound), min(layer.maxzoom, Self.zooms.upperBound))
    guard low < high else { return [] }
    var zooms: Set<Double> = [low, max(low, high - 1e-6)]
    for zoom in 0...24 where Double(zoom) > low && Double(zoom) < high { zooms.insert(Double(zoom)) }
    for group in ["layout", "paint"] {
      zooms.formUnion(
        StyleZoomStops.zooms(in: definition[group] ?? .null).filter { $0 > low && $0 < high })
    }
    return zooms.sorted()
  }

  /// Returns the value of a property at a zoom; nil if features decide it.
  func value(_ name: String, of layer: StyleLayer, at zoom: Double) -> StyleValue? {
    guard let index = layer.type.index(of: name) else { return nil }
    if case .expression(let expression)? = layer.values[index], !expression.isFeatureConstant { return nil }
    return layer.value(of: index, StyleContext(zoom: zoom, state: style.document.state)).value
  }

  /// Returns whether the style gives a value for a property.
  func has(_ name: String, _ layer: StyleLayer) -> Bool {
    layer.type.index(of: name).map { layer.values[$0] != nil } ?? false
  }

  /// Returns the path of a property of a layer.
  func path(_ name: String, of layer: StyleLayer) -> JSONPath {
    let group = layer.type.index(of: name).map { layer.type.properties[$0].group.rawValue } ?? "paint"
    return layer.path[group][name]
  }
}

extension JSONPath {
  /// Reads the text form of a path, such as `$.layers[2].paint['line-width']`; nil for another text.
  init?(text: String) {
    guard text.first == "$" else { return nil }
    var (steps, rest) = ([Step](), text.dropFirst())
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "." {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        steps.append(.member(String(name)))
        rest = rest.dropFirst(name.count)
      } else if first == "[", rest.first == "'" {
        guard let end = rest.dropFirst().firstRange(of: "']") else { return nil }
        let inner = rest.dropFirst().prefix(upTo: end.lowerBound).replacing("\\'", with: "'")
        steps.append(.member((try? JSONValue(parsing: "\"\(inner)\""))?.string ?? String(inner)))
        rest = rest.suffix(from: end.upperBound)
      } else if first == "[", let index = Int(rest.prefix { $0 != "]" }) {
        steps.append(.index(index))
        rest = rest.drop { $0 != "]" }.dropFirst()
      } else {
        return nil
      }
    }
    self.init(steps: steps)
  }
}
