package import MapFeatures
import MapGeometry
package import MapJSON
package import MapModel
package import MapReaders

/// A layer as a document describes it, before it is opened.
@dynamicMemberLookup
package struct WebMapLayer: Sendable {
  /// The origin of the features.
  package enum Content: Sendable {
    /// A path, or the address of a service.
    case url(String)
    /// Features in the document itself.
    case features(FeatureColumns)
    /// A layer of an unsupported type, with the name of the type.
    case unsupported(String)
  }

  /// The path in the document, for messages.
  package var path: JSONPath
  /// The origin of the features.
  package var content: Content
  /// The definition; its members are also those of the layer.
  package var definition: LayerDefinition
  /// Whether the document lists label classes, even ones that cannot be drawn.
  package var listsLabelClasses = false
  /// Whether the document does not say whether labels are shown, so that they are not.
  package var lacksShowLabels = false
  /// Whether the layer belongs to a basemap and lies above the layers of the map.
  package var isReference = false
  /// The coordinate columns and the spatial reference that the document states for a file.
  package var reading = ReadingOptions()
  /// Whether the address is that of a file of features, and not of a service.
  package var isDataFile = false
  /// The code of the rows that the layer shows, if the service tells the field of it; nil for all rows.
  package internal(set) var subtypeCode: Int?
  /// The domains that the document states for fields of a file or service, by their names in lower case.
  package private(set) var domains: [String: FieldDomain] = [:]
  /// The document that the layer was read from; nil for a layer made in code.
  var mark: DocumentMark?

  /// Creates a layer of a file or service.
  package init(id: String, title: String, url: String, renderer: RendererForm? = nil) {
    self.init(path: .root, id: id, title: title, content: .url(url))
    definition.renderer = renderer
  }

  private init(path: JSONPath, id: String, title: String, content: Content) {
    (self.path, self.content, definition) = (path, content, LayerDefinition(id: id, title: title))
  }

  /// Creates the layer of an origin with a later definition.
  init(_ origin: LayerOrigin?, content: Content, _ definition: LayerDefinition) {
    (path, mark) = (origin?.path ?? .root, origin?.document)
    (self.content, self.definition) = (content, definition)
  }

  /// A property of the definition.
  package subscript<Value>(dynamicMember property: WritableKeyPath<LayerDefinition, Value>) -> Value {
    get { definition[keyPath: property] }
    set { definition[keyPath: property] = newValue }
  }

  /// Whether the layer is of a supported type.
  var isDrawable: Bool { if case .unsupported = content { false } else { true } }

  /// The path or address of the features; nil for features in the document itself.
  package var url: String? { if case .url(let url) = content { url } else { nil } }

  /// Whether the title and id are the name of the file without its ending, as in a document saved for a data file.
  package var isTitledByFile: Bool {
    guard let file = url?.split(separator: "/").last, !definition.title.isEmpty else { return false }
    // The layer of one kind of geometries has its name at the end of the title.
    let kinds: [GeometryKind] = [.point, .multipoint, .polyline, .polygon]
    let kind = kinds.first { definition.title.hasSuffix(" (\($0.rawValue))") }
    let name = kind.map { definition.title.dropLast($0.rawValue.count + 3) } ?? definition.title[...]
    return file.hasPrefix("\(name).") && definition.id.hasPrefix(definition.title)
  }

  /// The place in the document that the layer was read from; nil for a layer made in code.
  package var origin: LayerOrigin? {
    mark.map { LayerOrigin(document: $0, path: path, url: url, definition: definition) }
  }

  /// Returns a table in memory with the domains that the document states for its fields.
  package func describing(_ source: any FeatureSource) -> any FeatureSource {
    domains.isEmpty ? source : source.inMemory?.with(domains: domains) ?? source
  }

  /// Returns the map's layer for an opened table, whose source supplies what the document leaves open.
  package func opened(over source: any FeatureSource) -> FeatureLayer {
    var layer = self
    layer.definition.take(SourceDrawing(source.metadata), timeInfo: source.metadata.timeInfo)
    return layer.featureLayer(over: source)
  }

  /// Returns the map's layer for an opened table.
  package func featureLayer(over source: any FeatureSource) -> FeatureLayer {
    FeatureLayer(definition, source: source, readFrom: origin)
  }
}

// MARK: - Reading

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
    switch try (node["layerType"] ?? node["type"])?.string() {
    case "GroupLayer": return try grouped(node, &report)
    case DocumentObject.subtypeGroups: return try subtypes(of: node, &report)
    default: break
    }
    if let tiles = try WebMapTileLayer(node, &report) { return WebMapEntry(tiles: [tiles]) }
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
    if let url = try node.string("url"), node["featureCollection"] == nil,
      DocumentObject.isMapService(type: type, url: url)
    {
      found = try sublayers(of: node, url: url, &report)
      try found.applyService(node, &report)
      return found
    }
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
      found[0].isDataFile = type == "CSV" || type == "GeoJSON"
    } else {
      let what = type ?? "no type, url or featureCollection"
      let hasAddress = ["styleUrl", "url", "itemId"].contains { node[$0] != nil }
      let lacksStyle = what == VectorTileAddresses.layerType && !hasAddress
      guard !DocumentObject.featureLayers.contains(what), !lacksStyle else {
        let missing = lacksStyle ? "styleUrl" : node["url"] == nil ? "url" : "collectionId"
        report.note(node.path[missing], "missing: the layer is not drawn")
        return [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
      }
      let (message, meant) = (try reasonNotDrawn(node, report), nearestType(type))
      if meant == nil, try node.boolean("visibility") == false {
        report.note(DocumentWarning(remark: "\(message); it is hidden", path: node.path))
      } else {
        report.note(node.path, message)
      }
      found = [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
    }
    if node["featureCollection"] != nil, let visible = node["visibleLayers"] {
      let indices = try visible.elements().map { index throws(JSONDecodingError) in try index.integer() }
      for index in found.indices where !indices.contains(index) { found[index].isVisible = false }
    }
    if !found.isEmpty { try found[0].readPlaces(node, isCSV: type == "CSV", &report) }
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
      if type == "ArcGISMapServiceLayer" {
        let service = LayerShowing(
          minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
        found[index].showing = found[index].showing.inside(service, isInherited: false)
      }
    }
    try found.applyEffects(of: node, &report)
    return found
  }

  /// Returns the reason why a layer is not drawn.
  static func reasonNotDrawn(
    _ node: JSONNode, _ report: DocumentReport
  ) throws(JSONDecodingError) -> String {
    guard try !WebMapTileLayer.needsNetwork(node, report) else {
      return
        "not drawn: tiles of a service are fetched only with --online; or map its address to a file with --services"
    }
    let type = try (node["layerType"] ?? node["type"])?.string()
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
    "OpenStreetMap", "SubtypeGroupLayer", "VectorTileLayer", "WebTiledLayer", "WFS", "WMS", "MediaLayer",
  ]

  /// Reads the features of one table of a feature collection; without a feature set there are none.
  private static func features(
    of table: JSONNode, _ definition: JSONNode, isComplete: Bool, drawsOwnSymbols: Bool
  ) throws(JSONDecodingError) -> FeatureColumns {
    let set = table["featureSet"] ?? JSONNode(["features": []], at: table.path["featureSet"])
    return try EsriFeatureSet.read(
      set, layerDefinition: definition, isComplete: isComplete, drawsOwnSymbols: drawsOwnSymbols)
  }

  /// Reads whether labels are shown.
  private mutating func readShowLabels(_ member: JSONNode?) throws(JSONDecodingError) {
    (definition.labelsAreEnabled, lacksShowLabels) = (try member?.boolean() ?? false, member == nil)
  }

  mutating func read(
    definition node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if let reduction = node["featureReduction"] {
      definition.featureReduction = reduction.value
      definition.reducesFeatures = try node.boolean("disableFeatureReduction") != true
      // Warnings about clusters that are not drawn are dropped.
      var unread = DocumentReport()
      definition.aggregation =
        definition.reducesFeatures
        ? try EsriAggregationCodec.aggregation(reduction, &report)
        : try EsriAggregationCodec.aggregation(reduction, &unread)
    }
    definition.definitionExpression =
      try node.string("definitionExpression") ?? definition.definitionExpression
    if let order = node["orderBy"] { definition.drawingOrder = try EsriDrawingOrderCodec.orders(order) }
    for name in ["minScale", "maxScale"] {
      if let member = node[name], try member.double() < 0 {
        throw member.invalid("\(member.value.text()) is not a scale; it must be above 0, or 0 for no limit")
      }
    }
    definition.minScale = try node.double("minScale") ?? definition.minScale
    definition.maxScale = try node.double("maxScale") ?? definition.maxScale
    if definition.minScale > 0, definition.maxScale > definition.minScale {
      report.note(node.path["maxScale"], "contradicts minScale: the layer is drawn at no scale", .drawn)
    }
    if let time = node["timeInfo"], let start = try time.string("startTimeField"), !start.isEmpty {
      let end = try time.string("endTimeField")
      definition.timeInfo = TimeInfo(startField: start, endField: end?.isEmpty == true ? nil : end)
      if let options = time["exportOptions"] {
        if try options.boolean("useTime") == false { definition.filtersByTime = false }
        definition.timeOffset = try TimeValue(exportOptions: options, &report)
      }
    }
    if let filters = node["displayFilterInfo"], try node.boolean("disableDisplayFilter") != true {
      definition.displayFilter = try EsriDisplayFilterCodec.displayFilter(filters, &report)
    }
    if let field = try node.string("visibilityField"), !field.isEmpty { definition.visibilityField = field }
    if case .url = content { domains.merge(node["fields"]?.domains ?? [:]) { $1 } }
    definition.attribution = try node.string("copyrightText") ?? definition.attribution
    if let drawing = node["drawingInfo"] { try read(drawing: drawing, fields: node["fields"], &report) }
  }

  mutating func read(
    drawing: JSONNode, fields: JSONNode?, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if let transparency = try drawing.double("transparency") {
      guard transparency >= 0, transparency <= 100 else {
        throw drawing.invalid("transparency \(transparency) is not between 0 and 100")
      }
      definition.opacity *= 1 - transparency / 100
    }
    definition.scalesSymbols = try drawing.boolean("scaleSymbols") ?? definition.scalesSymbols
    if let renderer = drawing["renderer"] {
      if definition.aggregation?.isOfRenderer == true { definition.aggregation = nil }
      if try renderer.string("type") == "aggregation" {
        let read = try EsriBinRendererCodec.renderers(renderer, &report)
        definition.renderer = read.features
        definition.aggregation = definition.aggregation ?? read.bins
      } else {
        definition.renderer = try EsriRendererCodec.renderer(renderer, &report)
      }
    }
    if drawing["labelingInfo"] != nil {
      listsLabelClasses = !(try drawing.elements("labelingInfo")).isEmpty
      if lacksShowLabels, listsLabelClasses {
        report.note(
          drawing.path["labelingInfo"],
          "not drawn: the layer has no \"showLabels\"; add \"showLabels\": true to draw its labels")
      }
      // Warnings about labels that are not shown are dropped.
      var unread = DocumentReport()
      definition.labelDefinitions =
        definition.labelsAreEnabled
        ? try EsriLabelCodec.definitions(drawing, fields: fields, &report)
        : try EsriLabelCodec.definitions(drawing, fields: nil, &unread)
    }
  }

  /// Reads the coordinate columns and the spatial reference of a file.
  private mutating func readPlaces(
    _ node: JSONNode, isCSV: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if isDataFile, let definition = node["layerDefinition"] {
      reading.sourceReference = try EsriGeometryJSON.spatialReference(of: definition)
    }
    guard let info = node["locationInfo"] else { return }
    if case .unsupported = content { return }
    guard isCSV, url != nil else {
      return report.note(info.path, "not applied: only a CSV file has coordinate columns")
    }
    let type = try info.string("locationType") ?? "coordinates"
    guard type == "coordinates" else {
      return report.note(info.path["locationType"], "\"\(type)\" is not supported: addresses are not located")
    }
    // A layer with only one of the two is an error that names the other.
    reading.xField = try info.required("longitudeFieldName").string()
    reading.yField = try info.required("latitudeFieldName").string()
  }

  /// Reads the popup definition unless one was read already; ignores a value of the wrong kind.
  private mutating func readPopups(_ node: JSONNode) {
    definition.popupDefinition =
      definition.popupDefinition ?? node["popupInfo"]?.value.object.map { PopupDefinition($0) }
    if node["disablePopup"]?.value.boolean == true { definition.isPopupEnabled = false }
  }

  /// Reads the members of one table of a feature collection that concern its drawing.
  private mutating func readTable(
    _ table: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    let own = LayerShowing(
      isVisible: try table.boolean("visibility") ?? true, opacity: try Self.fraction(table, "opacity") ?? 1,
      minScale: try table.double("minScale") ?? 0, maxScale: try table.double("maxScale") ?? 0)
    definition.showing = definition.showing.inside(own, isInherited: false)
    definition.blendMode = try table.string("blendMode").flatMap(BlendMode.init) ?? .normal
    definition.effect = try EsriEffectCodec.effect(of: table, &report)
    definition.featureEffect = try table["featureEffect"].flatMap { node throws(JSONDecodingError) in
      try EsriEffectCodec.featureEffect(node, &report)
    }
  }

  static func fraction(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    guard let member = node[name] else { return nil }
    let value = try member.double()
    guard value >= 0, value <= 1 else { throw member.invalid("\(value) is not between 0 and 1") }
    return value
  }
}

extension [WebMapLayer] {
  /// Applies the blend mode and the effects of an entry, which are read and reported once.
  ///
  /// Those of several layers, such as the sublayers of a map service, apply to their common image.
  fileprivate mutating func applyEffects(
    of node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard !isEmpty else { return }
    let featureEffect = try node["featureEffect"].flatMap { node throws(JSONDecodingError) in
      try EsriEffectCodec.featureEffect(node, &report)
    }
    let group = try LayerGroup(of: node, &report)
    for index in indices {
      if let featureEffect { self[index].featureEffect = featureEffect }
      if count > 1 || self[index].effect != nil || self[index].blendMode != .normal {
        // A table of a collection has an opacity, a blend mode and an effect of its own.
        self[index].groups.insert(group, at: 0)
      } else {
        (self[index].blendMode, self[index].effect) = (group.blendMode, group.effect)
      }
    }
  }

  /// Applies the members of a map service that concern all its sublayers.
  fileprivate mutating func applyService(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard contains(where: \.isDrawable) else { return }
    let (isListed, copyright) = (try node.boolean("showLegend") ?? true, try node.string("copyright") ?? "")
    let filtersByTime = try node.boolean("timeAnimation") ?? true
    for index in indices {
      self[index].showsInLegend = self[index].showsInLegend && isListed
      if self[index].attribution.isEmpty { self[index].attribution = copyright }
      if !filtersByTime { self[index].filtersByTime = false }
      if try node.boolean("disablePopup") == true { self[index].isPopupEnabled = false }
    }
    try applyEffects(of: node, &report)
  }
}
