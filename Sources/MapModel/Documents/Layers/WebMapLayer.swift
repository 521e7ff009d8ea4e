import MapReaders
public import MapFeatures
import MapGeometry
public import MapJSON

/// A layer as a document describes it, before it is opened.
public struct WebMapLayer: Sendable {
  /// The origin of the features.
  public enum Content: Sendable {
    /// A path, or the address of a service.
    case url(String)
    /// Features in the document itself.
    case features(FeatureColumns)
    /// A layer of an unsupported type, with the name of the type.
    case unsupported(String)
  }

  /// The path in the document, for messages.
  public var path: JSONPath
  /// The identifier of the layer.
  public var id: String
  /// The display name.
  public var title: String
  /// The origin of the features.
  public var content: Content
  /// The SQL condition that limits data and drawing; blank for none.
  public var definitionExpression = ""
  /// The display filters, which limit drawing only; nil for none.
  public var displayFilter: DisplayFilterForm?
  /// The renderer; nil for the default of the geometry type.
  public var renderer: RendererForm?
  /// Whether the layer is drawn.
  public var isVisible = true
  /// The opacity, from 0 (transparent) to 1 (opaque): that of the layer times that of its drawing info.
  public var opacity = 1.0
  /// The scale denominator of the smallest scale; 0 means no limit.
  public var minScale = 0.0
  /// The scale denominator of the largest scale; 0 means no limit.
  public var maxScale = 0.0
  /// The fields that order overlapping features, the most significant first.
  public var drawingOrder: [DrawingOrder] = []
  /// The time fields of the table; nil for none.
  public var timeInfo: TimeInfo?
  /// Whether the view's time filters the layer; otherwise it is drawn at any time.
  public var filtersByTime = true
  /// The offset that is subtracted from the view's time before it filters the layer; nil for none.
  public var timeOffset: TimeValue?
  /// Whether symbols keep their size on the ground when the map has a reference scale.
  public var scalesSymbols = true
  /// Whether labels are drawn.
  public var showsLabels = false
  /// The label classes.
  public var labelDefinitions: [LabelDefinition] = []
  /// Whether the document lists label classes, even ones that cannot be drawn.
  package var listsLabelClasses = false
  /// Whether the layer belongs to a basemap and lies above the layers of the map.
  package var isReference = false
  /// Whether a legend lists the layer.
  public var showsInLegend = true
  /// The attribution text in the document's `copyrightText`; empty to use that of the source.
  public var attribution = ""
  /// The contents of popups; nil for none.
  var popupDefinition: PopupDefinition?
  /// Whether popups are shown.
  var isPopupEnabled = true
  /// The feature reduction requested by the document, as written; nil for none.
  var featureReduction: JSONValue?
  /// Whether the feature reduction is enabled.
  var reducesFeatures = true
  /// The document that the layer was read from; nil for a layer made in code.
  var mark: DocumentMark?

  /// Creates a layer of a file or service.
  public init(id: String, title: String, url: String, renderer: RendererForm? = nil) {
    path = .root
    (self.id, self.title, content, self.renderer) = (id, title, .url(url), renderer)
  }

  private init(path: JSONPath, id: String, title: String, content: Content) {
    (self.path, self.id, self.title, self.content) = (path, id, title, content)
  }

  /// Applies the drawing and time information of the source where the document specifies none.
  package mutating func take(_ drawing: SourceDrawing, timeInfo: TimeInfo?) {
    if renderer == nil {
      renderer = drawing.renderer
      opacity *= drawing.opacity
    }
    if minScale == 0, maxScale == 0 { (minScale, maxScale) = (drawing.minScale, drawing.maxScale) }
    if labelDefinitions.isEmpty { labelDefinitions = drawing.labelDefinitions }
    self.timeInfo = self.timeInfo ?? timeInfo
  }

  /// Returns the map's layer for an opened table, whose source supplies what the document leaves open.
  package func opened(over source: any FeatureSource) -> FeatureLayer {
    var layer = self
    layer.take(SourceDrawing(source.metadata), timeInfo: source.metadata.timeInfo)
    return layer.featureLayer(over: source)
  }

  /// Returns the map's layer for an opened table.
  public func featureLayer(over source: any FeatureSource) -> FeatureLayer {
    var state = LayerState(
      id: id, title: title, source: source, renderer: renderer ?? .standard(for: source.schema.geometryKind))
    state.definitionExpression = definitionExpression
    state.displayFilter = displayFilter
    (state.isVisible, state.opacity) = (isVisible, opacity)
    (state.minScale, state.maxScale, state.timeInfo) = (minScale, maxScale, timeInfo)
    (state.drawingOrder, state.documentAttribution) = (drawingOrder, attribution)
    (state.filtersByTime, state.timeOffset, state.scalesSymbols) = (filtersByTime, timeOffset, scalesSymbols)
    (state.labelsAreEnabled, state.labelDefinitions) = (showsLabels, labelDefinitions)
    let layer = FeatureLayer(state: state)
    layer.showsInLegend = showsInLegend
    (layer.popupDefinition, layer.isPopupEnabled) = (popupDefinition, isPopupEnabled)
    layer.featureReduction = featureReduction.map { FeatureReduction($0, isEnabled: reducesFeatures) }
    layer.remember(self)
    return layer
  }
}

// MARK: - Reading

extension WebMapLayer {
  /// Reads the layers of one entry of `operationalLayers`.
  ///
  /// The result is one layer, one for each table of a feature collection, or the layers of a group.
  static func layers(
    from node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [WebMapLayer] {
    if try (node["layerType"] ?? node["type"])?.string() == "GroupLayer" {
      return try grouped(node, &report)
    }
    let type = try (node["layerType"] ?? node["type"])?.string()
    let id = try node.string("id") ?? ""
    let title = try node.string("title") ?? ""
    var found: [WebMapLayer] = []
    if let collection = node["featureCollection"] {
      let tables = try collection.required("layers").elements()
      for (index, table) in tables.enumerated() {
        let definition = try table.required("layerDefinition")
        let isCut = [collection, table, table["featureSet"]].contains {
          $0?["exceededTransferLimit"]?.value == .boolean(true)
        }
        let columns = try features(of: table, definition, isComplete: !isCut)
        var layer = WebMapLayer(
          path: table.path, id: tables.count == 1 ? id : "\(id)_\(index)",
          title: tables.count == 1 ? title : try (table["title"] ?? definition["name"])?.string() ?? title,
          content: .features(columns))
        layer.showsLabels =
          try (table["showLabels"] ?? collection["showLabels"] ?? node["showLabels"])?
          .boolean() ?? false
        try layer.read(definition: definition, &report)
        layer.readPopups(table)
        found.append(layer)
      }
    } else if let url = try node.string("url"),
      type.map(featureTypes.contains) ?? true
    {
      found = [WebMapLayer(path: node.path, id: id, title: title, content: .url(url))]
      found[0].showsLabels = try node.boolean("showLabels") ?? false
    } else {
      let what = type ?? "no type, url or featureCollection"
      let meant = type.flatMap { type in
        knownTypes.contains(type) ? nil : NearestName.of(type, among: knownTypes)
      }
      guard !featureTypes.contains(what) else {
        report.note(node.path["url"], "missing: the layer is not drawn")
        return [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
      }
      report.note(
        node.path,
        "not drawn: a layer of kind \"\(what)\" is not supported"
          + (meant.map { "; did you mean \"\($0)\"?" } ?? ""))
      found = [WebMapLayer(path: node.path, id: id, title: title, content: .unsupported(what))]
    }
    if node["featureCollection"] != nil, let visible = node["visibleLayers"] {
      let indices = try visible.elements().map { index throws(JSONDecodingError) in try index.integer() }
      if !found.indices.allSatisfy(indices.contains) {
        report.note(visible.path, "not applied yet: all layers of the collection are drawn")
      }
    }
    for index in found.indices {
      if let definition = node["layerDefinition"] { try found[index].read(definition: definition, &report) }
      found[index].isVisible = try node.boolean("visibility") ?? true
      let legend = node["showLegend"] ?? node["featureCollection"]?["showLegend"]
      found[index].showsInLegend = try legend?.boolean() ?? true
      found[index].readPopups(node)
      if found[index].attribution.isEmpty { found[index].attribution = try node.string("copyright") ?? "" }
      if try node.boolean("timeAnimation") == false { found[index].filtersByTime = false }
      found[index].opacity *= try fraction(node, "opacity") ?? 1
    }
    return found
  }

  /// The layer types that are drawn from their features.
  static let featureTypes: Set<String> = ["ArcGISFeatureLayer", "GeoJSON", "CSV"]
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
    of table: JSONNode, _ definition: JSONNode, isComplete: Bool
  ) throws(JSONDecodingError) -> FeatureColumns {
    let set = table["featureSet"] ?? JSONNode(["features": []], at: table.path["featureSet"])
    return try EsriFeatureSet.read(set, layerDefinition: definition, isComplete: isComplete)
  }

  private mutating func read(
    definition node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if let reduction = node["featureReduction"] {
      featureReduction = reduction.value
      reducesFeatures = try node.boolean("disableFeatureReduction") != true
    }
    definitionExpression = try node.string("definitionExpression") ?? definitionExpression
    if let order = node["orderBy"] { drawingOrder = try EsriDrawingOrderCodec.orders(order) }
    for name in ["minScale", "maxScale"] {
      if let member = node[name], try member.double() < 0 {
        throw member.invalid("\(member.value.text()) is not a scale; it must be above 0, or 0 for no limit")
      }
    }
    minScale = try node.double("minScale") ?? minScale
    maxScale = try node.double("maxScale") ?? maxScale
    if minScale > 0, maxScale > minScale {
      report.note(node.path["maxScale"], "contradicts minScale: the layer is drawn at no scale")
    }
    if let time = node["timeInfo"], let start = try time.string("startTimeField"), !start.isEmpty {
      let end = try time.string("endTimeField")
      timeInfo = TimeInfo(startField: start, endField: end?.isEmpty == true ? nil : end)
      if let options = time["exportOptions"] {
        if try options.boolean("useTime") == false { filtersByTime = false }
        timeOffset = try TimeValue(exportOptions: options, &report)
      }
    }
    if let filters = node["displayFilterInfo"], try node.boolean("disableDisplayFilter") != true {
      displayFilter = try EsriDisplayFilterCodec.displayFilter(filters, &report)
    }
    attribution = try node.string("copyrightText") ?? attribution
    if let drawing = node["drawingInfo"] { try read(drawing: drawing, fields: node["fields"], &report) }
  }

  mutating func read(
    drawing: JSONNode, fields: JSONNode?, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if let transparency = try drawing.double("transparency") {
      guard transparency >= 0, transparency <= 100 else {
        throw drawing.invalid("transparency \(transparency) is not between 0 and 100")
      }
      opacity *= 1 - transparency / 100
    }
    scalesSymbols = try drawing.boolean("scaleSymbols") ?? scalesSymbols
    if let renderer = drawing["renderer"] {
      self.renderer = try EsriRendererCodec.renderer(renderer, &report)
    }
    if drawing["labelingInfo"] != nil {
      listsLabelClasses = !(try drawing.elements("labelingInfo")).isEmpty
      // Warnings about labels that are not shown are dropped.
      var unread = DocumentReport()
      labelDefinitions =
        showsLabels
        ? try EsriLabelCodec.definitions(drawing, fields: fields, &report)
        : try EsriLabelCodec.definitions(drawing, fields: nil, &unread)
    }
  }

  /// Reads the popup definition unless one was read already; ignores a value of the wrong kind.
  private mutating func readPopups(_ node: JSONNode) {
    popupDefinition = popupDefinition ?? node["popupInfo"]?.value.object.map { PopupDefinition($0) }
    if node["disablePopup"]?.value.boolean == true { isPopupEnabled = false }
  }

  static func fraction(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    guard let member = node[name] else { return nil }
    let value = try member.double()
    guard value >= 0, value <= 1 else { throw member.invalid("\(value) is not between 0 and 1") }
    return value
  }
}
