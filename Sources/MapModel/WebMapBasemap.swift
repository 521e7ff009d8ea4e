import MapJSON

extension WebMap {
  /// The basemap that a document's `baseMap` asks for, and the layers in it that have to be opened.
  ///
  /// Layers of features are its own, those that are marked so above the layers of the map. For all others a style stands
  /// in. A `style`, a key of ours, names it. Else the first name that tells a style decides: of the layers that are
  /// neither hidden nor above the data `styleUrl`, `id`, `title` and `url`, then the basemap's `title`; none tells the
  /// plain one.
  static func basemap(
    from node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> (basemap: Basemap?, layers: [WebMapLayer]) {
    let title = try node.string("title")
    var others: [JSONNode] = []
    var own: [WebMapLayer] = []
    for layer in try node.elements("baseMapLayers") {
      guard isOfFeatures(layer) else {
        others.append(layer)
        continue
      }
      let isReference = try layer.boolean("isReference") ?? false
      own += try WebMapLayer.layers(from: layer, &report).map { layer in
        var layer = layer
        layer.isReference = isReference
        return layer
      }
    }
    let style = try style(of: node, title: title, others, hasOwn: !own.isEmpty, &report)
    guard style != nil || !own.isEmpty else { return (nil, []) }
    return (Basemap(style: style, name: title, baseLayers: [], referenceLayers: []), own)
  }

  /// True for a layer that can be drawn from its features, and for a group of such layers alone.
  private static func isOfFeatures(_ node: JSONNode) -> Bool {
    let type = node["layerType"]?.value.string
    if type == "GroupLayer", let inside = try? node.elements("layers") {
      return inside.allSatisfy(isOfFeatures)
    }
    return node["featureCollection"] != nil
      || node["url"] != nil && (type.map(WebMapLayer.featureTypes.contains) ?? false)
  }

  /// The style that is asked for, or that stands in for layers which are not drawn.
  private static func style(
    of node: JSONNode, title: String?, _ layers: [JSONNode], hasOwn: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Basemap.Style? {
    if let name = try node.string("style") {
      let style = Basemap.Style(rawValue: name)
      if !style.hasDrawing {
        report.note(
          node.path["style"], "approximated: \"\(name)\" has no drawing; \(style.drawn) stands in")
      }
      for layer in layers { report.note(layer.path, "not drawn: the basemap's style is") }
      return style
    }
    var (shown, hasReference): ([JSONNode], Bool) = ([], false)
    for layer in layers where try layer.boolean("visibility") ?? true {
      if try layer.boolean("isReference") ?? false { hasReference = true } else { shown.append(layer) }
    }
    if shown.isEmpty {
      if hasReference {
        report.note(node.path, "not drawn: the bundled basemap has nothing above the layers")
      }
      return nil
    }
    var names: [String] = []
    for layer in shown {
      for key in ["styleUrl", "id", "title", "url"] {
        if let name = try layer.string(key) { names.append(name) }
      }
    }
    if let title { names.append(title) }
    let style = names.lazy.compactMap { Basemap.Style(namedIn: $0) }.first ?? .arcGISLightGray
    report.note(
      node.path,
      "approximated: the bundled basemap stands in, drawn as \(style.drawn)"
        + (hasReference ? ", without what lies above the layers" : ""))
    return style
  }

  /// A basemap as a document's `baseMap`, its own layers whole.
  static func json(_ basemap: Basemap?) -> JSONValue {
    guard let basemap else { return ["title": "none", "baseMapLayers": []] }
    var object: JSONObject = ["title": .string(basemap.name)]
    if let style = basemap.style { object["style"] = .string(style.rawValue) }
    object["baseMapLayers"] = .array(layers(of: basemap))
    return .object(object)
  }

  /// A basemap that was read and changed since: its layers as they are now, all else as it was.
  func changedJSON(_ basemap: Basemap) -> JSONValue {
    let raw = source?["baseMap"]?.object ?? JSONObject()
    let others = (raw["baseMapLayers"]?.array ?? []).filter { !Self.isOfFeatures(JSONNode($0)) }
    var object = raw
    object["title"] = .string(basemap.name)
    object["baseMapLayers"] = .array(others + Self.layers(of: basemap))
    return .object(object)
  }

  private static func layers(of basemap: Basemap) -> [JSONValue] {
    func entries(_ layers: [any Layer]) -> [JSONValue] {
      OperationalLayerWriter(read: nil, isOpened: true).entries(of: layers)
    }
    return entries(basemap.baseLayers)
      + entries(basemap.referenceLayers).map { entry in
        var object = entry.object ?? JSONObject()
        object["isReference"] = true
        return .object(object)
      }
  }
}
