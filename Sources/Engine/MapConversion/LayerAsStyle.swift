import MapDocuments
import MapFeatures
package import MapJSON
package import MapModel
package import MapSystem

/// The style of a layer as a Styled Layer Descriptor.
package struct LayerAsStyle: Sendable {
  /// The document.
  package let bytes: [UInt8]
  /// The parts of the layer that the style says otherwise or not at all.
  package private(set) var losses: [DocumentWarning]

  /// Writes the style of a layer.
  ///
  /// - Throws: ``MapStateError`` of kind input for a renderer that styles do not have.
  package init(_ layer: LayerState) throws(MapStateError) {
    let labels = layer.definition.labelsAreEnabled ? layer.definition.labelDefinitions : []
    let name = layer.title.isEmpty ? layer.id : layer.title
    let text = try StyledLayerText(
      layer: name.isEmpty ? "layer" : name, kind: layer.source.schema.geometryKind, renderer: layer.renderer,
      labels: labels, definition: layer.definition.$definitionExpression, order: layer.drawingOrder)
    (bytes, losses) = (Array(text.text.utf8), text.losses)
    func lose(_ isLost: Bool, _ message: String) {
      guard isLost else { return }
      losses.append(DocumentWarning(path: nil, message: "layer \"\(name)\": \(message)"))
    }
    lose(layer.opacity != 1, "its opacity is not written")
    lose(layer.minScale != 0 || layer.maxScale != 0, "its range of scales is not written")
    lose(layer.blendMode != .normal, "its blend mode is not written")
    lose(layer.definition.effect != nil, "its effect is not written")
    lose(layer.definition.featureEffect != nil, "its effect on features is not written")
    lose(
      layer.reducesFeatures && (layer.aggregation != nil || layer.undrawnReduction != nil),
      "its features are drawn one by one")
    lose(layer.definition.displayFilter != nil, "its display filters are not written")
  }

  /// Returns the report on the losses.
  package func report(warnings: JSONValue, file: String) -> JSONValue {
    let own: [JSONValue] = losses.map { loss in
      [
        "path": .null, "property": "", "outcome": .string(loss.outcome.rawValue),
        "reason": .string(loss.message),
      ]
    }
    return [
      "files": [.string(file)], "sources": .number(0), "layers": .number(1), "losses": .array(own),
      "warnings": warnings,
    ]
  }
}
