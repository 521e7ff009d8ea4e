package import MapJSON

/// The document objects with known members.
package enum DocumentObject: String, Hashable, CaseIterable, Sendable {
  // The map.
  case map, initialState, viewpoint, background, bookmark, baseMap, mapRangeInfo
  // Geometries.
  case spatialReference, geometry
  // Layers. The type of a `layer` selects one of the cases after it.
  case layer, featureLayer, ogcFeatureLayer, wfsLayer, wfsInfo, groupLayer, subtypeGroupLayer,
    mapServiceLayer, mapService
  case kmlLayer, subtypeGroupTable, otherLayer, subtypeLayer, subtypeTable, effect, featureEffect,
    featureEffectFilter
  case sublayer, featureCollection, collectionLayer, definitionEditor, locationInfo
  // Features.
  case featureSet, feature, field, domain, codedValue
  // The definition of a layer.
  case layerDefinition, displayFilterInfo, displayFilter, orderBy, timeInfo, exportOptions, rangeInfo
  case featureReduction, aggregateField, visibilityInfo, drawingInfo
  // Renderers. The type of a `renderer` selects one of the nine cases after it.
  case renderer, simpleRenderer, uniqueValueRenderer, classBreaksRenderer, heatmapRenderer
  case dotDensityRenderer, pieChartRenderer, ruleRenderer, dictionaryRenderer, aggregationRenderer
  case rulePass, rule
  case binRenderer, binLabels, binStyle, binStatistic
  case uniqueValueInfo, uniqueValueGroup, uniqueValueClass, classBreakInfo, chartAttribute, othersCategory
  case heatmapStop, legendOptions
  // Visual variables. The type of a `visualVariable` selects one of the four cases after it.
  case visualVariable, colorVariable, transparencyVariable, sizeVariable, rotationVariable
  case colorStop, transparencyStop, sizeStop
  // Symbols. The type of a `symbol` selects one of the eight cases after it.
  case symbol, markerSymbol, lineSymbol, fillSymbol, pictureMarkerSymbol, pictureFillSymbol, textSymbol
  case symbolReference, compositeSymbol
  case lineMarker, font
  // Labels.
  case labelClass, labelExpressionInfo, labelAngleInfo, stackSeparator
  // Popups.
  case popupInfo, popupElement, mediaInfo, mediaValue, fieldInfo, fieldFormat, popupExpression
  case relatedRecordsInfo, relatedOrder, layerOptions

  /// Whether an unknown member or word is an error, because it changes which features are drawn.
  package var isStrict: Bool { [.displayFilterInfo, .displayFilter, .rulePass, .rule].contains(self) }

  /// Whether the members of an object are those of several other cases.
  package var hasVariants: Bool {
    ![.layer, .mapServiceLayer, .mapService, .renderer, .visualVariable, .symbol].allSatisfy { $0 != self }
  }

  /// Returns the case that the members of an object select; nil for an object that is not checked.
  package func variant(of object: JSONObject) -> DocumentObject? {
    switch self {
    case .layer: return Self.layer(object)
    case .renderer: return Self.renderers[object["type"]?.string ?? ""] ?? self
    case .visualVariable: return Self.visualVariables[object["type"]?.string ?? ""] ?? self
    case .symbol:
      let type = object["type"]?.string ?? ""
      // The codec of CIM symbols reports their members; symbols of styles are reported as a whole.
      let isKnown = type.isEmpty || type.hasPrefix("esri")
      return Self.symbols[type] ?? (isKnown ? self : nil)
    default: return self
    }
  }

  /// The renderers by their value of `type`.
  package static let renderers: [String: DocumentObject] = [
    "simple": .simpleRenderer, "uniqueValue": .uniqueValueRenderer, "classBreaks": .classBreaksRenderer,
    "heatmap": .heatmapRenderer, "dotDensity": .dotDensityRenderer, "pieChart": .pieChartRenderer,
    "rules": .ruleRenderer, "dictionary": .dictionaryRenderer, "aggregation": .aggregationRenderer,
    "predominance": .uniqueValueRenderer,
  ]

  /// The visual variables by their value of `type`.
  package static let visualVariables: [String: DocumentObject] = [
    "colorInfo": .colorVariable, "transparencyInfo": .transparencyVariable, "sizeInfo": .sizeVariable,
    "rotationInfo": .rotationVariable,
  ]

  /// The symbols by their value of `type`.
  package static let symbols: [String: DocumentObject] = [
    "esriSMS": .markerSymbol, "esriSLS": .lineSymbol, "esriSFS": .fillSymbol, "esriPMS": .pictureMarkerSymbol,
    "esriPFS": .pictureFillSymbol, "esriTS": .textSymbol, "CIMSymbolReference": .symbolReference,
    "CompositeSymbol": .compositeSymbol,
  ]

  /// The values of `layerType` of layers that are drawn from their features.
  static let featureLayers: Set<String> = [
    "ArcGISFeatureLayer", "GeoJSON", "CSV", ogcFeatureLayers, wfsLayers,
  ]
  /// The value of `layerType` of a layer that shows a collection of an OGC API.
  static let ogcFeatureLayers = "OGCFeatureLayer"
  /// The value of `layerType` of a layer that shows a type of features of a Web Feature Service.
  static let wfsLayers = "WFS"
  /// The value of `layerType` of a group whose layers show the rows of one subtype each.
  static let subtypeGroups = "SubtypeGroupLayer"
  /// The value of `layerType` of a table that is divided by subtypes.
  static let subtypeTables = "SubtypeGroupTable"
  /// The value of `layerType` of a layer that shows a KML file.
  static let kmlLayers = "KML"

  /// Returns whether a layer is drawn from the features at its address.
  ///
  /// Besides feature layers, these are map services whose address names one of their layers.
  static func drawsFeatures(type: String?, url: String) -> Bool {
    guard let type else { return true }
    if featureLayers.contains(type) || type == kmlLayers { return true }
    let steps = url.split(separator: "?")[0...].first?.split(separator: "/") ?? []
    guard type == "ArcGISMapServiceLayer", steps.count > 1, let last = steps.last else { return false }
    return last.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && ["FeatureServer", "MapServer"].contains(steps[steps.count - 2])
  }

  /// Returns whether a layer is a map service, whose sublayers are drawn from their features.
  ///
  /// - Source: web map specification; documents before 2.0 state no type.
  static func isMapService(type: String?, url: String) -> Bool {
    guard type == nil || type == "ArcGISMapServiceLayer" else { return false }
    let steps = url.prefix { $0 != "?" }.split(separator: "/")
    return steps.count > 1 && steps.last?.lowercased() == "mapserver"
  }

  private static func layer(_ object: JSONObject) -> DocumentObject {
    func member(_ name: String) -> JSONValue? { object[name].flatMap { $0.isNull ? nil : $0 } }
    let type = (member("layerType") ?? member("type"))?.string
    if type == "GroupLayer" { return .groupLayer }
    if type == ogcFeatureLayers { return .ogcFeatureLayer }
    if type == wfsLayers { return .wfsLayer }
    if type == subtypeGroups { return .subtypeGroupLayer }
    if type == subtypeTables { return .subtypeGroupTable }
    if type == kmlLayers, member("featureCollection") == nil { return .kmlLayer }
    let hasSource = member("featureCollection") != nil || member("url") != nil
    if type == nil, !hasSource { return .layer }
    if member("featureCollection") == nil, isMapService(type: type, url: member("url")?.string ?? "") {
      return .mapService
    }
    if type == "ArcGISMapServiceLayer", drawsFeatures(type: type, url: member("url")?.string ?? "") {
      return .mapServiceLayer
    }
    if member("featureCollection") != nil || drawsFeatures(type: type, url: member("url")?.string ?? "") {
      return .featureLayer
    }
    return .otherLayer
  }
}
