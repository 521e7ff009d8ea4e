import MapJSON

extension WebMap {
  /// The basemap that a document's `baseMap` asks for.
  ///
  /// A `style`, a key of ours, names it. Else the first name that tells a style decides: of the layers that are neither
  /// hidden nor above the data `styleUrl`, `id`, `title` and `url`, then the basemap's `title`; none tells the plain one.
  static func basemap(from node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError)
    -> Basemap?
  {
    let title = try node.string("title")
    let layers = try node.elements("baseMapLayers")
    if let name = try node.string("style") {
      let style = Basemap.Style(rawValue: name)
      if !style.hasDrawing {
        report.note(
          node.path["style"], "approximated: \"\(name)\" has no drawing; \(style.drawn) stands in")
      }
      for layer in layers { report.note(layer.path, "not drawn: the basemap's style is") }
      return Basemap(style: style)
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
    return Basemap(style: style)
  }

  /// A basemap as a document's `baseMap`.
  static func json(_ basemap: Basemap?) -> JSONValue {
    guard let basemap else { return ["title": "none", "baseMapLayers": []] }
    let name = JSONValue.string(basemap.style.rawValue)
    return ["title": name, "style": name, "baseMapLayers": []]
  }
}
