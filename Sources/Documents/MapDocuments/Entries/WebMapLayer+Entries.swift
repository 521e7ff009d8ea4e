import MapFeatures
import MapJSON
import MapModel
import MapReaders

/// The layers of the entries of a list.
extension WebMapLayer {
  /// Reads the layers of one entry of a list that has no layers of tiles.
  static func layers(
    from node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [WebMapLayer] {
    try entry(node, &report).layers
  }

  /// Reads the layers of one entry of `operationalLayers`.
  ///
  /// The result is one layer, one for each table of a feature collection, or the layers of a group.
  static func entry(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    let type = try (node["layerType"] ?? node["type"])?.string()
    if let reason = report.itemFaults[node.path] {
      try report.noteUndrawn(node, "not drawn: \(reason)")
      let (id, title) = (try node.string("id") ?? "", try node.string("title") ?? "")
      return WebMapEntry(layers: [
        WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(type ?? "portal item"))
      ])
    }
    switch type {
    case "GroupLayer": return try grouped(node, &report)
    case DocumentObject.subtypeGroups: return try subtypes(of: node, &report)
    case DocumentObject.subtypeTables: return try subtypes(of: node, list: "tables", &report)
    default: break
    }
    if let tiles = try WebMapTileLayer(node, &report) { return WebMapEntry(tiles: [tiles]) }
    if let url = try node.string("url"), node["featureCollection"] == nil,
      DocumentObject.isMapService(type: type, url: url)
    {
      return try mapService(node, url: url, &report)
    }
    return WebMapEntry(layers: try single(node, &report))
  }

  /// Reads the layers of an entry that is no group.
  ///
  /// It is not inlined, because it takes 50 KB of the stack, and groups are nested.
  @inline(never)
  private static func single(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [WebMapLayer] {
    let type = try (node["layerType"] ?? node["type"])?.string()
    let id = try node.string("id") ?? ""
    let title = try node.string("title") ?? ""
    var found: [WebMapLayer] = []
    if let collection = node["featureCollection"] {
      let tables = try collection.required("layers").elements()
      for (index, table) in tables.enumerated() {
        let definition = try table.required("layerDefinition")
        let isCut = [collection, table, table["featureSet"]].contains {
          ($0?["exceededTransferLimit"]?.value).map { PartialAnswer.isMark($0) } ?? false
        }
        let own = try OwnSymbols(of: table, definition, &report)
        let columns = try features(of: table, definition, isComplete: !isCut, drawsOwnSymbols: own != nil)
        var layer = WebMapLayer(
          path: table.path, id: tables.count == 1 ? id : "\(id)_\(index)",
          title: tables.count == 1 ? title : try (table["title"] ?? definition["name"])?.string() ?? title,
          content: .features(columns))
        try layer.readShowLabels(table["showLabels"] ?? collection["showLabels"] ?? node["showLabels"])
        try layer.read(definition: definition, &report)
        if let own { layer.definition.renderer = own.renderer(beside: layer.definition.renderer) }
        try layer.readTable(table, &report)
        layer.readPopups(table)
        found.append(layer)
      }
    } else if let url = try address(of: node, type), DocumentObject.drawsFeatures(type: type, url: url) {
      found = [WebMapLayer(path: node.path, id: id, title: title, content: .url(url))]
      try found[0].readShowLabels(node["showLabels"])
      found[0].isDataFile = ["CSV", "GeoJSON", DocumentObject.kmlLayers].contains(type)
      if type == DocumentObject.kmlLayers { found[0].kml = try KMLEntry(node) }
    } else {
      let what = type ?? "no type, url or featureCollection"
      let hasAddress = ["styleUrl", "url", "itemId"].contains { node[$0] != nil }
      let lacksStyle = what == VectorTileAddresses.layerType && !hasAddress
      let isOfFeatures = DocumentObject.featureLayers.contains(what) || what == DocumentObject.kmlLayers
      let lacksImage = WebMapTileLayer.imageTypes.contains(what) && (node["url"] ?? node["mapUrl"]) == nil
      guard !isOfFeatures, !lacksStyle, !lacksImage else {
        let name = what == DocumentObject.wfsLayers ? "wfsInfo" : "collectionId"
        let missing = lacksStyle ? "styleUrl" : node["url"] == nil ? "url" : name
        report.note(node.path[missing], "missing: the layer is not drawn")
        return [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
      }
      let (message, meant) = (try reasonNotDrawn(node, report), nearestType(type))
      if meant == nil {
        try report.noteUndrawn(node, message)
      } else {
        report.note(node.path, message)
      }
      found = [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
    }
    if node["featureCollection"] != nil, let type, let meant = nearestType(type) {
      report.note(
        node.path[node["layerType"] == nil ? "type" : "layerType"],
        "unknown layer type \"\(type)\"; its feature collection is drawn; did you mean \"\(meant)\"?"
      )
    }
    if node["featureCollection"] != nil, let visible = node["visibleLayers"] {
      let indices = try visible.elements().map { index throws(JSONDecodingError) in try index.integer() }
      for index in found.indices where !indices.contains(index) { found[index].isVisible = false }
    }
    if !found.isEmpty { try found[0].readPlaces(node, isCSV: type == "CSV", &report) }
    let parameters = node["featureCollection"] == nil ? CustomParameters.read(node, &report) : []
    for index in found.indices where found[index].url != nil { found[index].customParameters = parameters }
    for index in found.indices {
      if let definition = node["layerDefinition"] { try found[index].read(definition: definition, &report) }
      if type == "ArcGISMapServiceLayer" { try found[index].readSublayer(of: node, &report) }
      if try node.boolean("visibility") == false { found[index].isVisible = false }
      let legend = node["showLegend"] ?? node["featureCollection"]?["showLegend"]
      found[index].showsInLegend = try legend?.boolean() ?? true
      found[index].readPopups(node)
      if found[index].attribution.isEmpty {
        found[index].attribution = try node.string("copyright") ?? ""
      }
      if try node.boolean("timeAnimation") == false { found[index].filtersByTime = false }
      found[index].opacity *= try fraction(node, "opacity") ?? 1
      if type == "ArcGISMapServiceLayer" || found[index].kml != nil {
        let service = LayerShowing(
          minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
        found[index].showing = found[index].showing.inside(service, isInherited: false)
      }
    }
    try found.applyEffects(of: node, LayerGroup(of: node, &report), &report)
    return found
  }

  /// Reads the sublayers of a map service as layers of features, and of images where they have none.
  @inline(never)
  private static func mapService(
    _ node: JSONNode, url: String, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    var entry = try sublayers(of: node, url: url, &report)
    guard entry.layers.contains(where: \.isDrawable) || !entry.tiles.isEmpty else { return entry }
    let group = try LayerGroup(of: node, &report)
    let parameters = CustomParameters.read(node, &report)
    for index in entry.layers.indices { entry.layers[index].customParameters = parameters }
    try entry.layers.applyService(node, group, isJoined: !entry.tiles.isEmpty, &report)
    for index in entry.tiles.indices { entry.tiles[index].groups.insert(group, at: 0) }
    return entry
  }

  /// Returns the reason why a layer is not drawn.
  static func reasonNotDrawn(
    _ node: JSONNode, _ report: DocumentReport
  ) throws(JSONDecodingError) -> String {
    let type = try (node["layerType"] ?? node["type"])?.string()
    guard try !WebMapTileLayer.needsNetwork(node, report) else {
      let what = type.map(WebMapTileLayer.imageTypes.contains) == true ? "images" : "tiles"
      return
        "not drawn: \(what) of a service are fetched only with --online; or map its address to a file with --services"
    }
    return "not drawn: a layer of kind \"\(type ?? "no type, url or featureCollection")\" is not supported"
      + (nearestType(type).map { "; did you mean \"\($0)\"?" } ?? "")
  }

  /// Returns the known type that an unknown one may mean; nil for a known type.
  private static func nearestType(_ type: String?) -> String? {
    type.flatMap { knownTypes.contains($0) ? nil : NearestName.of($0, among: knownTypes) }
  }

  /// The layer types that web maps may have, for suggestions.
  ///
  /// - Source: Esri web map specification 2.37, operational layers.
  private static let knownTypes = [
    "ArcGISFeatureLayer", "GeoJSON", "CSV", "GroupLayer", "ArcGISMapServiceLayer",
    "ArcGISTiledMapServiceLayer",
    "ArcGISImageServiceLayer", "ArcGISTiledImageServiceLayer", "ArcGISAnnotationLayer",
    "ArcGISDimensionLayer",
    "ArcGISStreamLayer", "BingMapsAerial", "BingMapsRoad", "BingMapsHybrid", "GeoRSS", "KML",
    "OGCFeatureLayer",
    "OpenStreetMap", "SubtypeGroupLayer", "SubtypeGroupTable", "VectorTileLayer", "WebTiledLayer", "WFS",
    "WMS", "MediaLayer",
  ]

  /// Reads the features of one table of a feature collection; without a feature set there are none.
  private static func features(
    of table: JSONNode, _ definition: JSONNode, isComplete: Bool, drawsOwnSymbols: Bool
  ) throws(JSONDecodingError) -> FeatureColumns {
    let set = table["featureSet"] ?? JSONNode(["features": []], at: table.path["featureSet"])
    return try EsriFeatureSet.read(
      set, layerDefinition: definition, isComplete: isComplete, drawsOwnSymbols: drawsOwnSymbols)
  }
}

extension [WebMapLayer] {
  /// Applies the blend mode and the effects of an entry, which are read and reported once.
  ///
  /// Those of several layers, such as the sublayers of a map service, apply to their common image.
  ///
  /// - Parameter isJoined: whether layers of images have the same effects.
  fileprivate mutating func applyEffects(
    of node: JSONNode, _ group: LayerGroup, isJoined: Bool = false, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard !isEmpty else { return }
    let featureEffect = try node["featureEffect"].flatMap { node throws(JSONDecodingError) in
      try EsriEffectCodec.featureEffect(node, &report)
    }
    for index in indices {
      if let featureEffect { self[index].featureEffect = featureEffect }
      if count > 1 || isJoined || self[index].effect != nil || self[index].blendMode != .normal {
        // A table of a collection has an opacity, a blend mode and an effect of its own.
        self[index].groups.insert(group, at: 0)
      } else {
        (self[index].blendMode, self[index].effect) = (group.blendMode, group.effect)
      }
    }
  }

  /// Applies the members of a map service that concern all its sublayers.
  fileprivate mutating func applyService(
    _ node: JSONNode, _ group: LayerGroup, isJoined: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    let (isListed, copyright) = (try node.boolean("showLegend") ?? true, try node.string("copyright") ?? "")
    let filtersByTime = try node.boolean("timeAnimation") ?? true
    for index in indices {
      self[index].showsInLegend = self[index].showsInLegend && isListed
      if self[index].attribution.isEmpty { self[index].attribution = copyright }
      if !filtersByTime { self[index].filtersByTime = false }
      if try node.boolean("disablePopup") == true { self[index].isPopupEnabled = false }
    }
    try applyEffects(of: node, group, isJoined: isJoined, &report)
  }
}
