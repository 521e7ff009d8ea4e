import MapJSON
import MapModel

extension WebMap {
  /// Reads a document's `baseMap`: the basemap, and its layers that must be opened.
  ///
  /// Feature layers become layers of the basemap; those with `isReference` lie above the layers of the map. A style
  /// replaces all other layers:
  ///
  /// - The member `style`, a design decision, names it.
  /// - Otherwise it is the first style recognised in the names of the visible layers that are not reference layers,
  ///   then in the basemap's `title`. The names of a layer are its `styleUrl`, `id`, `title` and `url`.
  /// - Without a recognised name it is ``Basemap/Style/arcGISLightGray``.
  /// - Beside a layer of vector tiles that is drawn, the other layers are left out.
  ///
  /// The members `names` and `graticule`, design decisions, ask for the bundled names and for meridians and parallels.
  /// The member `tiles`, a design decision, names vector tiles of streets over which the style is drawn.
  static func basemap(
    from node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> (basemap: Basemap?, layers: [WebMapLayer], tiles: [WebMapTileLayer]) {
    let title = try node.string("title")
    var others: [JSONNode] = []
    var own: [WebMapLayer] = []
    var tiles: [WebMapTileLayer] = []
    for layer in try node.elements("baseMapLayers") {
      if var read = try WebMapTileLayer(layer, takesMapServices: true, &report) {
        read.below = own.count { $0.isReference == read.isReference && $0.isDrawable }
        tiles.append(read)
        continue
      }
      guard isDrawnAsWritten(layer, report) else {
        if let reason = report.itemFaults[layer.path] {
          try report.noteUndrawn(layer, "not drawn: \(reason)")
        }
        others.append(layer)
        continue
      }
      let isReference = try layer.boolean("isReference") ?? false
      let entry = try WebMapLayer.entry(layer, &report)
      let below = own.count { $0.isReference == isReference && $0.isDrawable }
      for var layer in entry.tiles {
        (layer.isReference, layer.below) = (isReference, layer.below + below)
        tiles.append(layer)
      }
      for var layer in entry.layers {
        layer.isReference = isReference
        own.append(layer)
      }
    }
    let hasStyle = tiles.contains { $0.hasStyle && !$0.isReference && $0.showing.isVisible }
    var style = try style(of: node, title: title, others, hasStyle: hasStyle, &report)
    if style == nil, try streets(of: node) != nil { style = .arcGISStreets }
    let (names, graticule) = (try node.boolean("names") ?? false, try node.boolean("graticule") ?? false)
    guard style != nil || !own.isEmpty || !tiles.isEmpty || names || graticule else { return (nil, [], []) }
    let basemap = Basemap(style: style, name: title, baseLayers: [], referenceLayers: [])
    (basemap.showsNames, basemap.showsGraticule) = (names, graticule)
    return (basemap, own, tiles)
  }

  /// Returns the vector tiles that the members `tiles` and `language` of a basemap name; nil for none.
  static func streets(of node: JSONNode) throws(JSONDecodingError) -> StreetTiles? {
    guard let place = try node.string("tiles") else { return nil }
    return StreetTiles(place: place, language: try node.string("language"))
  }

  /// Returns whether a layer, or every layer in a group, can be drawn from its features.
  private static func isOfFeatures(_ node: JSONNode) -> Bool {
    let type = node["layerType"]?.value.string
    if type == "GroupLayer", let inside = try? node.elements("layers") {
      return inside.allSatisfy(isOfFeatures)
    }
    return node["featureCollection"] != nil
      || node["url"] != nil && (type.map(DocumentObject.featureLayers.contains) ?? false)
  }

  /// Returns whether a layer, or every layer in a group, can be drawn from its features or tiles.
  private static func isDrawnAsWritten(_ node: JSONNode, _ report: DocumentReport) -> Bool {
    let type = node["layerType"]?.value.string
    if type == "GroupLayer", let inside = try? node.elements("layers") {
      return inside.allSatisfy { isDrawnAsWritten($0, report) }
    }
    // Warnings of this reading are dropped; the layer is read again with its group.
    var unread = report
    return (try? WebMapTileLayer(node, &unread)) != nil || isOfFeatures(node)
  }

  /// Returns the requested style, or the one that replaces layers that are not drawn.
  private static func style(
    of node: JSONNode, title: String?, _ layers: [JSONNode], hasStyle: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Basemap.Style? {
    if let name = try node.string("style") {
      let style = Basemap.Style(rawValue: name)
      if !style.hasDrawing {
        report.note(
          node.path["style"], "approximated: \"\(name)\" has no drawing; \(style.drawn) is drawn instead",
          .approximated)
      }
      for layer in layers { report.note(layer.path, "not drawn: the basemap's style replaces it") }
      return style
    }
    var (shown, hasReference): ([JSONNode], Bool) = ([], false)
    for layer in layers where try layer.boolean("visibility") ?? true {
      if try layer.boolean("isReference") ?? false { hasReference = true } else { shown.append(layer) }
    }
    // Beside vector tiles of the same area, the bundled basemap would show through their style.
    guard !hasStyle else {
      for layer in layers where try layer.boolean("visibility") ?? true {
        report.note(layer.path, try WebMapLayer.reasonNotDrawn(layer, report))
      }
      return nil
    }
    if shown.isEmpty {
      if hasReference {
        report.note(
          node.path,
          "not drawn: the bundled basemap has no such layers; \"names\": true draws its names")
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
      "approximated: the bundled basemap is drawn instead, in style \(style.drawn)"
        + (hasReference ? ", without reference layers (\"names\": true draws names)" : ""), .approximated)
    return style
  }

  /// Returns a basemap as a document's `baseMap`, with complete layers.
  static func json(_ basemap: Basemap?) -> JSONValue {
    guard let basemap else { return ["title": "none", "baseMapLayers": []] }
    var object: JSONObject = ["title": .string(basemap.name)]
    if let style = basemap.style { object["style"] = .string(style.rawValue) }
    writeParts(of: basemap, to: &object)
    object["baseMapLayers"] = .array(layers(of: basemap))
    return .object(object)
  }

  /// Returns a basemap that changed after reading: its current title and layers, and all else as it was read.
  func changedJSON(_ basemap: Basemap) -> JSONValue {
    let raw = source?["baseMap"]?.object ?? JSONObject()
    let entries = raw["baseMapLayers"]?.array ?? []
    let kept = entries.indices.filter { !Self.isOfFeatures(JSONNode(entries[$0])) }
    let places = kept.map { JSONPath.root["baseMap"]["baseMapLayers"][$0].steps }
    // A group with layers of tiles stays as it was read, with its layers of features.
    let layers = Self.layers(of: basemap) { layer in
      let path = (layer as? FeatureLayer)?.origin?.path.steps ?? []
      return !places.contains { path.starts(with: $0) }
    }
    var object = raw
    object["title"] = .string(basemap.name)
    Self.writeParts(of: basemap, to: &object)
    object["baseMapLayers"] = .array(kept.map { entries[$0] } + layers)
    return .object(object)
  }

  /// Writes the names and the graticule where they are drawn, or where the document has the member.
  private static func writeParts(of basemap: Basemap, to object: inout JSONObject) {
    for (key, isShown) in [("names", basemap.showsNames), ("graticule", basemap.showsGraticule)]
    where isShown || object[key] != nil {
      object[key] = .boolean(isShown)
    }
    // Tiles that could not be opened stay as they were read.
    guard let streets = basemap.streets?.streets else { return }
    (object["tiles"], object["language"]) = (.string(streets.place), streets.language.map { .string($0) })
  }

  private static func layers(
    of basemap: Basemap, where isWritten: (any Layer) -> Bool = { _ in true }
  ) -> [JSONValue] {
    func entries(_ layers: [any Layer]) -> [JSONValue] {
      OperationalLayerWriter(read: nil, isOpened: true).entries(of: layers.filter(isWritten))
    }
    return entries(basemap.baseLayers)
      + entries(basemap.referenceLayers).map { entry in
        var object = entry.object ?? JSONObject()
        object["isReference"] = true
        return .object(object)
      }
  }
}
