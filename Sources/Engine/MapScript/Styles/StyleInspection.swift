package import MapJSON
package import MapState
package import MapStyles
import MapSystem

/// A description of a style as text or JSON: its sources and layers, and what is unknown, invalid or not drawn.
package struct StyleInspection: Sendable {
  private let style: StyleDocument
  private let layers: [StyleLayer]
  private let problems: [StyleProblem]

  /// Creates a description of a style, or of one of its layers without the problems of the others.
  ///
  /// - Throws: `MapStateError` of kind usage for an unknown layer.
  package init(_ style: StyleDocument, only id: String? = nil) throws(MapStateError) {
    self.style = style
    guard let id else {
      (layers, problems) = (style.layers, style.problems)
      return
    }
    let layer = try style.layer(withID: id)
    (layers, problems) = ([layer], style.problems(of: layer))
  }

  /// The problems in one line each.
  package var warnings: [String] {
    let omitted = style.omittedProblemCount
    return problems.map(\.description)
      + (omitted > 0 ? ["and \(omitted) more \(omitted == 1 ? "problem" : "problems")"] : [])
  }

  // MARK: Text

  /// The description as text.
  package var text: String {
    var lines = [
      "style \(MessageText.name(style.name ?? "without a name"))  (\(style.layers.count) \(style.layers.count == 1 ? "layer" : "layers"))"
    ]
    if let center = style.center {
      lines.append(
        "  center      \(center.longitude), \(center.latitude)\(style.zoom.map { "  zoom \(Self.text($0))" } ?? "")"
      )
    }
    lines += style.sprites.map { "  sprite      \(MessageText.name($0.url))" }
    if let glyphs = style.glyphs { lines.append("  glyphs      \(MessageText.name(glyphs))") }
    for source in style.sources {
      let place = source.url ?? source.tiles.first ?? (source.data == nil ? "" : "GeoJSON in the style")
      let zooms = Self.zooms(source.minzoom ?? -.infinity, source.maxzoom ?? .infinity)
      let parts = [source.type.rawValue, place.isEmpty ? nil : MessageText.name(place), zooms].compactMap {
        $0
      }
      lines.append("  source      \(MessageText.name(source.name)): \(parts.joined(separator: ", "))")
    }
    for layer in layers {
      lines.append("")
      let parts = [
        layer.type.rawValue, source(of: layer), Self.zooms(layer.minzoom, layer.maxzoom),
        isHidden(layer) ? "hidden" : nil,
      ].compactMap { $0 }
      lines.append("\(MessageText.name(layer.id))  (\(parts.joined(separator: ", ")))")
      if let filter = layer.filter {
        lines.append("  filter      by \(names(filter.names))")
      }
      let given = zip(layer.type.properties, layer.values).compactMap { property, value in
        value.map { (property, $0) }
      }
      let width = given.map(\.0.name.count).max() ?? 0
      lines += given.map { property, value in
        let (group, name) = (property.group.rawValue.padded(to: 10), property.name.padded(to: width))
        return "  \(group)  \(name)  \(Self.decision(value))"
      }
    }
    lines += warnings.map { MessageText.line("warning: \($0)") }
    return lines.map { MessageText.escaped($0) + "\n" }.joined()
  }

  private func source(of layer: StyleLayer) -> String? {
    layer.source.map { source in
      MessageText.name(source) + (layer.sourceLayer.map { "#" + MessageText.name($0) } ?? "")
    }
  }

  private func isHidden(_ layer: StyleLayer) -> Bool {
    if case .constant(let value) = layer.visibility { value.string == "none" } else { false }
  }

  private func names(_ names: [String]) -> String {
    names.isEmpty ? "no property" : names.map { MessageText.name($0) }.joined(separator: ", ")
  }

  /// Returns what decides a value, and the value that is always the same.
  private static func decision(_ value: StylePropertyValue) -> String {
    switch value {
    case .constant(let value): return value.json.text(style: .compact)
    case .expression(let expression):
      var parts: [String] = []
      if !expression.isZoomConstant { parts.append("zoom") }
      if !expression.isFeatureConstant {
        parts.append(
          expression.names.isEmpty
            ? "features"
            : "features (\(expression.names.map { MessageText.name($0) }.joined(separator: ", ")))")
      }
      return parts.isEmpty ? "by an expression" : "by \(parts.joined(separator: " and "))"
    }
  }

  static func zooms(_ minzoom: Double, _ maxzoom: Double) -> String? {
    switch (minzoom.isFinite, maxzoom.isFinite) {
    case (false, false): nil
    case (true, false): "zoom \(text(minzoom)) and larger"
    case (false, true): "zoom below \(text(maxzoom))"
    case (true, true): "zoom \(text(minzoom)) to \(text(maxzoom))"
    }
  }

  private static func text(_ number: Double) -> String { JSONValue.number(number).text(style: .compact) }

  // MARK: JSON

  /// The description as JSON with keys in a fixed order.
  package var json: JSONValue {
    let sources = style.sources.map { source -> JSONValue in
      [
        "source": .string(source.name), "type": .string(source.type.rawValue),
        "url": source.url.map { .string($0) } ?? .null, "tiles": .array(source.tiles.map { .string($0) }),
        "minZoom": source.minzoom.map { .number($0) } ?? .null,
        "maxZoom": source.maxzoom.map { .number($0) } ?? .null,
      ]
    }
    let layers = layers.map { layer -> JSONValue in
      let properties = zip(layer.type.properties, layer.values).compactMap { property, value in
        value.map { Self.json(property, $0) }
      }
      return [
        "layer": .string(layer.id), "type": .string(layer.type.rawValue),
        "source": layer.source.map { .string($0) } ?? .null,
        "sourceLayer": layer.sourceLayer.map { .string($0) } ?? .null,
        "minZoom": layer.minzoom.isFinite ? .number(layer.minzoom) : .null,
        "maxZoom": layer.maxzoom.isFinite ? .number(layer.maxzoom) : .null,
        "visible": .boolean(!isHidden(layer)),
        "filterFields": layer.filter.map { .array($0.names.map { .string($0) }) } ?? .null,
        "properties": .array(properties),
      ]
    }
    return [
      "style": [
        "name": style.name.map { .string($0) } ?? .null,
        "center": style.center.map { [.number($0.longitude), .number($0.latitude)] } ?? .null,
        "zoom": style.zoom.map { .number($0) } ?? .null, "bearing": .number(style.bearing),
        "glyphs": style.glyphs.map { .string($0) } ?? .null,
        "sprites": .array(style.sprites.map { ["id": .string($0.id), "url": .string($0.url)] }),
      ],
      "sources": .array(sources), "layers": .array(layers),
      "problems": .array(problems.map(\.json)),
      "warnings": .array(warnings.map { .string(MessageText.line($0)) }),
    ]
  }

  private static func json(_ property: StyleProperty, _ value: StylePropertyValue) -> JSONValue {
    var object: JSONObject = ["name": .string(property.name), "group": .string(property.group.rawValue)]
    switch value {
    case .constant(let value): object["value"] = value.json
    case .expression(let expression):
      object["dependsOnZoom"] = .boolean(!expression.isZoomConstant)
      object["dependsOnFeature"] = .boolean(!expression.isFeatureConstant)
      object["fields"] = .array(expression.names.map { .string($0) })
    }
    return .object(object)
  }
}

extension StyleProblem {
  /// The problem as JSON.
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "kind": .string(kind.rawValue), "message": .string(message),
      "suggestion": suggestion.map { .string($0) } ?? .null,
    ]
  }
}

extension String {
  /// The text with blanks up to a width.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
