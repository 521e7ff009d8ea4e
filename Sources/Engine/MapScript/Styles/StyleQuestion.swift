package import MapJSON
package import MapState
package import MapStyles
import MapSystem

/// A question about a layer of a style: the values of its properties for one feature at one zoom.
package struct StyleQuestion: Sendable {
  /// The id of the layer.
  package var layer: String
  /// The zoom, 0 to 30; at zoom 0, the world is 512 pixels wide.
  package var zoom: Double
  /// The properties of the feature, an object.
  package var properties: JSONValue = .object([:])
  /// The kind of the feature's geometry, `Point`, `LineString` or `Polygon`; nil for that of the layer's type.
  package var geometryType: String?
  /// The id of the feature; nil for none.
  package var id: Int64?
  /// The state that `feature-state` and `global-state` read: names with their values.
  package var state: [(name: String, value: JSONValue)] = []

  /// Creates a question.
  package init(layer: String, zoom: Double) { (self.layer, self.zoom) = (layer, zoom) }

  /// Returns the answer.
  ///
  /// - Throws: `MapStateError` of kind usage for an unknown layer, and for values that no feature has.
  package func answer(_ style: StyleDocument) throws(MapStateError) -> StyleLayerExplanation {
    let layer = try style.layer(withID: layer)
    guard (0...30).contains(zoom) else {
      throw MapStateError(.usage, "a zoom of \(zoom) is impossible; it must be 0 to 30")
    }
    guard case .object(let object)? = StyleValue(checked: properties) else {
      throw MapStateError(.usage, "--properties must be a JSON object, such as '{\"class\": \"park\"}'")
    }
    var feature = StyleFeature(kind: try kind(for: layer.type), properties: object)
    if let id { feature.id = .number(Double(id)) }
    var values: [(String, StyleValue)] = []
    for (name, json) in state {
      guard let value = StyleValue(checked: json) else {
        throw MapStateError(.usage, "--state \(name): its value is nested too deeply")
      }
      values.append((name, value))
    }
    feature.state = StyleObject(values)
    let own = style.state.names.map { name in
      (name, values.last { $0.0 == name }?.1 ?? style.state[name] ?? .null)
    }
    return StyleLayerExplanation(layer, StyleContext(zoom: zoom, state: StyleObject(own)), feature)
  }

  private func kind(for type: StyleLayerType) throws(MapStateError) -> StyleGeometryKind {
    guard let geometryType else {
      switch type {
      case .fill, .fillExtrusion: return .polygon
      case .line: return .line
      case .symbol, .circle, .heatmap: return .point
      case .background, .raster, .hillshade, .colorRelief: return .unknown
      }
    }
    let kind = StyleGeometryKind(name: geometryType)
    guard kind != .unknown else {
      throw MapStateError(
        .usage, "--geometry-type \(geometryType) is unknown; available: Point, LineString, Polygon")
    }
    return kind
  }
}

extension StyleDocument {
  /// Returns the layer with an id.
  ///
  /// - Throws: `MapStateError` of kind usage for an unknown one.
  func layer(withID id: String) throws(MapStateError) -> StyleLayer {
    if let layer = layer(id) { return layer }
    let nearest = NearestName.of(id, among: layers.map(\.id))
    let advice = nearest.map { "did you mean \"\($0)\"?" } ?? "inspect lists the \(layers.count) layers"
    throw MapStateError(
      .usage, "no layer with the id \"\(MessageText.name(id))\"; \(advice)", suggestion: nearest)
  }

  /// Reads the style at a path; nil for a source of another kind.
  ///
  /// - Throws: `MapStateError` for a style with a fault that keeps it from being read.
  package init?(at source: String) throws(MapStateError) {
    guard let json = try SourceCatalog.style(at: source) else { return nil }
    do throws(StyleDocumentError) { try self.init(json) } catch {
      throw MapStateError(.input, "\(source): \(error)", path: error.path.description, cause: error)
    }
  }
}

/// The values of all properties of a style's layer for a feature at a zoom, and whether the layer shows it.
package struct StyleLayerExplanation: Sendable {
  private let layer: StyleLayer
  private let zoom: Double
  private let kind: StyleGeometryKind
  private let isVisible: Bool
  /// Whether the feature passes the filter; nil without a filter.
  private let passes: Bool?
  private let filterError: StyleExpressionError?
  private let properties: [StyleExplanation]

  init(_ layer: StyleLayer, _ context: StyleContext, _ feature: StyleFeature) {
    (self.layer, zoom, kind) = (layer, context.zoom, feature.kind ?? .unknown)
    isVisible = layer.isVisible(context)
    properties = layer.explanations(context, feature: feature)
    var error: StyleExpressionError?
    if let filter = layer.filter {
      var whole = context
      whole.zoom = context.zoom.rounded(.down)
      do throws(StyleExpressionError) { _ = try filter.value(whole, feature: feature) } catch let fault {
        error = fault
      }
    }
    (passes, filterError) = (layer.filter.map { _ in layer.accepts(feature, context) }, error)
  }

  private var isInRange: Bool { zoom >= layer.minzoom && zoom < layer.maxzoom }

  /// Whether the layer shows the feature, and the reason if not.
  private var outcome: String {
    if !isInRange {
      return
        "not drawn: zoom \(text(zoom)) is not in \(StyleInspection.zooms(layer.minzoom, layer.maxzoom) ?? "all zooms")"
    }
    if !isVisible { return "not drawn: the layer is hidden" }
    if let filterError { return "not drawn: its filter fails: \(filterError)" }
    return passes == false ? "not drawn: its filter rejects the feature" : "drawn"
  }

  /// The answer as text: a line for each property with its value and its origin.
  package var text: String {
    let source = layer.source.map { source in
      ", " + MessageText.name(source) + (layer.sourceLayer.map { "#" + MessageText.name($0) } ?? "")
    }
    var lines = ["\(MessageText.name(layer.id))  (\(layer.type.rawValue)\(source ?? ""))"]
    lines.append("  feature     \(outcome)")
    lines.append("  zooms       \(StyleInspection.zooms(layer.minzoom, layer.maxzoom) ?? "all")")
    lines.append(
      "  filter      \(passes.map { filterError.map { "fails: \($0)" } ?? ($0 ? "passes" : "rejects") } ?? "none")"
    )
    return lines.map { MessageText.escaped($0) + "\n" }.joined() + valueText(properties)
  }

  /// Returns the layer with lines about its feature, and the values that the style gives.
  func text(of feature: [String]) -> String {
    let source = layer.source.map { source in
      ", " + MessageText.name(source) + (layer.sourceLayer.map { "#" + MessageText.name($0) } ?? "")
    }
    let lines = ["\(MessageText.name(layer.id))  (\(layer.type.rawValue)\(source ?? ""))"] + feature
    let given = properties.filter { if case .standard = $0.cause { false } else { true } }
    return lines.map { MessageText.escaped($0) + "\n" }.joined() + valueText(given)
  }

  /// Returns a line for each property with its value and its origin.
  private func valueText(_ properties: [StyleExplanation]) -> String {
    var lines: [String] = []
    let names = properties.map(\.property.name)
    let values = properties.map { $0.value.json.text(style: .compact) }
    let (width, valueWidth) = (names.map(\.count).max() ?? 0, min(40, values.map(\.count).max() ?? 0))
    for (item, value) in zip(properties, values) {
      let name = item.property.name + String(repeating: " ", count: width - item.property.name.count)
      let blank = String(repeating: " ", count: max(0, valueWidth - value.count))
      lines.append(
        "  \(item.property.group.rawValue == "layout" ? "layout" : "paint ")  \(name)  \(value)\(blank)  \(item.origin)"
      )
    }
    return lines.map { MessageText.escaped($0) + "\n" }.joined()
  }

  private func text(_ number: Double) -> String { JSONValue.number(number).text(style: .compact) }

  /// The answer as JSON with keys in a fixed order.
  package var json: JSONValue {
    let list = properties.map { item -> JSONValue in
      var object: JSONObject = [
        "name": .string(item.property.name), "group": .string(item.property.group.rawValue),
        "value": item.value.json, "from": .string(item.from),
        "dependsOnZoom": .boolean(item.dependsOnZoom), "dependsOnFeature": .boolean(item.dependsOnFeature),
      ]
      if case .error(let error) = item.cause { object["error"] = .string(error.description) }
      if let units = item.property.units { object["units"] = .string(units) }
      return .object(object)
    }
    return [
      "layer": .string(layer.id), "type": .string(layer.type.rawValue),
      "source": layer.source.map { .string($0) } ?? .null,
      "sourceLayer": layer.sourceLayer.map { .string($0) } ?? .null,
      "geometryType": .string(kind.name), "zoom": .number(zoom),
      "minZoom": layer.minzoom.isFinite ? .number(layer.minzoom) : .null,
      "maxZoom": layer.maxzoom.isFinite ? .number(layer.maxzoom) : .null,
      "inZoomRange": .boolean(isInRange), "visible": .boolean(isVisible),
      "filter": passes.map { .boolean($0) } ?? .null,
      "filterError": filterError.map { .string($0.description) } ?? .null,
      "drawn": .boolean(outcome == "drawn"), "outcome": .string(outcome), "properties": .array(list),
    ]
  }
}

extension StyleExplanation {
  /// The origin of the value in one word.
  fileprivate var from: String {
    switch cause {
    case .standard: "default"
    case .constant: "style"
    case .expression: "expression"
    case .error: "error"
    }
  }

  /// The origin of the value.
  fileprivate var origin: String {
    switch cause {
    case .standard: return "default"
    case .constant: return "style"
    case .expression:
      let inputs = [dependsOnZoom ? "zoom" : nil, dependsOnFeature ? "feature" : nil].compactMap { $0 }
      return inputs.isEmpty ? "style, expression" : "style, by \(inputs.joined(separator: " and "))"
    case .error(let error): return "default, because of an error: \(error)"
    }
  }
}
