package import MapJSON
package import MapModel

extension LayerState {
  /// The layer as a web map describes it, with its current properties and without its features and popups.
  ///
  /// A class of a unique value renderer is one element of `uniqueValueInfos`, with `values` instead of `value` unless
  /// it has exactly one value.
  package var documentJSON: JSONValue {
    var written = definition
    written.renderer = renderer
    // The list of values names all classes; groups would repeat them.
    if case .uniqueValue(var listed) = renderer {
      for index in listed.uniqueValues.indices { listed.uniqueValues[index].heading = "" }
      written.renderer = .uniqueValue(listed)
    }
    (written.popupDefinition, written.isPopupEnabled) = (nil, true)
    var object: JSONObject = ["id": .string(written.id), "title": .string(written.title)]
    let empty = WebMapLayer(id: written.id, title: written.title, url: "")
    object.apply(
      WebMapLayer(nil, content: .url(""), written).edits(from: empty, isAbsolute: true))
    if case .uniqueValue(let renderer) = renderer {
      object.set(
        ["layerDefinition", "drawingInfo", "renderer", "uniqueValueInfos"],
        .array(renderer.uniqueValues.map { Self.info($0) }))
    }
    return .object(object)
  }

  private static func info(_ unique: UniqueValueRenderer.UniqueValue) -> JSONValue {
    var info = JSONObject()
    if unique.values.count == 1 {
      info["value"] = .string(unique.values[0])
    } else {
      info["values"] = .array(unique.values.map { .string($0) })
    }
    info["label"] = .string(unique.label)
    info["symbol"] = EsriSymbolCodec.json(unique.symbol, unique.referenceProperties)
    if !unique.alternateSymbols.isEmpty {
      info["alternateSymbols"] = .array(
        unique.alternateSymbols.map { EsriSymbolCodec.json($0.symbol, $0.properties) })
    }
    return .object(info)
  }
}
