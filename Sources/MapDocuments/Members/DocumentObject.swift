package import MapJSON

/// The document objects with known members.
package enum DocumentObject: String, Hashable, CaseIterable, Sendable {
  // The map.
  case map, initialState, viewpoint, background, bookmark, baseMap, mapRangeInfo
  // Geometries.
  case spatialReference, geometry
  // Layers. The type of a `layer` selects one of the three cases after it.
  case layer, featureLayer, groupLayer, otherLayer
  case sublayer, featureCollection, collectionLayer, definitionEditor, locationInfo
  // Features.
  case featureSet, feature, field, domain, codedValue
  // The definition of a layer.
  case layerDefinition, displayFilterInfo, displayFilter, orderBy, timeInfo, exportOptions, rangeInfo
  case featureReduction, aggregateField, visibilityInfo, drawingInfo
  // Renderers. The type of a `renderer` selects one of the seven cases after it.
  case renderer, simpleRenderer, uniqueValueRenderer, classBreaksRenderer, heatmapRenderer
  case dotDensityRenderer, pieChartRenderer, dictionaryRenderer
  case uniqueValueInfo, uniqueValueGroup, uniqueValueClass, classBreakInfo, chartAttribute, othersCategory
  case heatmapStop
  // Visual variables. The type of a `visualVariable` selects one of the four cases after it.
  case visualVariable, colorVariable, transparencyVariable, sizeVariable, rotationVariable
  case colorStop, transparencyStop, sizeStop
  // Symbols. The type of a `symbol` selects one of the eight cases after it.
  case symbol, markerSymbol, lineSymbol, fillSymbol, pictureMarkerSymbol, pictureFillSymbol, textSymbol
  case symbolReference, compositeSymbol
  case lineMarker, font
  // Labels.
  case labelClass, labelExpressionInfo, stackSeparator
  // Popups.
  case popupInfo, popupElement, mediaInfo, mediaValue, fieldInfo, fieldFormat, popupExpression
  case relatedRecordsInfo, relatedOrder, layerOptions

  /// The members that the object may have.
  package var members: [DocumentMember] {
    switch self {
    case .map: Self.mapMembers
    case .initialState: Self.initialStateMembers
    case .viewpoint: Self.viewpointMembers
    case .background: .read(.list(.number), "color")
    case .bookmark: Self.bookmarkMembers
    case .baseMap: Self.baseMapMembers
    case .mapRangeInfo: Self.mapRangeInfoMembers
    case .spatialReference: Self.spatialReferenceMembers
    case .geometry: Self.geometryMembers
    case .layer: .merged([Self.featureLayerMembers, Self.groupLayerMembers, Self.otherLayerMembers])
    case .featureLayer: Self.featureLayerMembers
    case .groupLayer: Self.groupLayerMembers
    case .otherLayer: Self.otherLayerMembers
    case .sublayer: Self.sublayerMembers
    case .featureCollection: Self.featureCollectionMembers
    case .collectionLayer: Self.collectionLayerMembers
    case .definitionEditor: Self.definitionEditorMembers
    case .locationInfo: Self.locationInfoMembers
    case .featureSet: Self.featureSetMembers
    case .feature: Self.featureMembers
    case .field: Self.fieldMembers
    case .domain: Self.domainMembers
    case .codedValue: Self.codedValueMembers
    case .layerDefinition: Self.layerDefinitionMembers
    case .displayFilterInfo: Self.displayFilterInfoMembers
    case .displayFilter: Self.displayFilterMembers
    case .orderBy: Self.orderByMembers
    case .timeInfo: Self.timeInfoMembers
    case .exportOptions: Self.exportOptionsMembers
    case .rangeInfo: Self.rangeInfoMembers
    case .featureReduction: Self.featureReductionMembers
    case .aggregateField: Self.aggregateFieldMembers
    case .visibilityInfo: Self.visibilityInfoMembers
    case .drawingInfo: Self.drawingInfoMembers
    case .renderer: Self.anyRendererMembers
    case .simpleRenderer: Self.simpleRendererMembers
    case .uniqueValueRenderer: Self.uniqueValueRendererMembers
    case .classBreaksRenderer: Self.classBreaksRendererMembers
    case .heatmapRenderer: Self.heatmapRendererMembers
    case .dotDensityRenderer: Self.dotDensityRendererMembers
    case .pieChartRenderer: Self.pieChartRendererMembers
    case .dictionaryRenderer: Self.dictionaryRendererMembers
    case .uniqueValueInfo: Self.uniqueValueInfoMembers
    case .uniqueValueGroup: Self.uniqueValueGroupMembers
    case .uniqueValueClass: Self.uniqueValueClassMembers
    case .classBreakInfo: Self.classBreakInfoMembers
    case .chartAttribute: Self.chartAttributeMembers
    case .othersCategory: Self.othersCategoryMembers
    case .heatmapStop: Self.heatmapStopMembers
    case .visualVariable: Self.anyVariableMembers
    case .colorVariable: Self.colorVariableMembers
    case .transparencyVariable: Self.transparencyVariableMembers
    case .sizeVariable: Self.sizeVariableMembers
    case .rotationVariable: Self.rotationVariableMembers
    case .colorStop: Self.colorStopMembers
    case .transparencyStop: Self.transparencyStopMembers
    case .sizeStop: Self.sizeStopMembers
    case .symbol: Self.anySymbolMembers
    case .markerSymbol: Self.markerSymbolMembers
    case .lineSymbol: Self.lineSymbolMembers
    case .fillSymbol: Self.fillSymbolMembers
    case .pictureMarkerSymbol: Self.pictureMarkerSymbolMembers
    case .pictureFillSymbol: Self.pictureFillSymbolMembers
    case .textSymbol: Self.textSymbolMembers
    case .symbolReference: Self.symbolReferenceMembers
    case .compositeSymbol: Self.compositeSymbolMembers
    case .lineMarker: Self.lineMarkerMembers
    case .font: Self.fontMembers
    case .labelClass: Self.labelClassMembers
    case .labelExpressionInfo: Self.labelExpressionInfoMembers
    case .stackSeparator: Self.stackSeparatorMembers
    case .popupInfo: Self.popupInfoMembers
    case .popupElement: Self.popupElementMembers
    case .mediaInfo: Self.mediaInfoMembers
    case .mediaValue: Self.mediaValueMembers
    case .fieldInfo: Self.fieldInfoMembers
    case .fieldFormat: Self.fieldFormatMembers
    case .popupExpression: Self.popupExpressionMembers
    case .relatedRecordsInfo: Self.relatedRecordsInfoMembers
    case .relatedOrder: Self.relatedOrderMembers
    case .layerOptions: Self.layerOptionsMembers
    }
  }

  /// Whether an unknown member or word is an error, because it changes which features are drawn.
  package var isStrict: Bool { self == .displayFilterInfo || self == .displayFilter }

  /// Whether the type of an object selects one of several other cases.
  package var hasVariants: Bool { ![.layer, .renderer, .visualVariable, .symbol].allSatisfy { $0 != self } }

  /// Returns the case that the members of an object select; nil for an object that is not checked.
  package func variant(of object: JSONObject) -> DocumentObject? {
    switch self {
    case .layer: return Self.layer(object)
    case .renderer: return Self.renderers[object["type"]?.string ?? ""] ?? self
    case .visualVariable: return Self.visualVariables[object["type"]?.string ?? ""] ?? self
    case .symbol:
      let type = object["type"]?.string ?? ""
      // CIM symbols and symbols of styles are reported as a whole.
      let isKnown = type.isEmpty || type.hasPrefix("esri")
      return Self.symbols[type] ?? (isKnown ? self : nil)
    default: return self
    }
  }

  /// The renderers by their value of `type`.
  package static let renderers: [String: DocumentObject] = [
    "simple": .simpleRenderer, "uniqueValue": .uniqueValueRenderer, "classBreaks": .classBreaksRenderer,
    "heatmap": .heatmapRenderer, "dotDensity": .dotDensityRenderer, "pieChart": .pieChartRenderer,
    "dictionary": .dictionaryRenderer,
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

  private static func layer(_ object: JSONObject) -> DocumentObject {
    func member(_ name: String) -> JSONValue? { object[name].flatMap { $0.isNull ? nil : $0 } }
    let type = (member("layerType") ?? member("type"))?.string
    if type == "GroupLayer" { return .groupLayer }
    let hasSource = member("featureCollection") != nil || member("url") != nil
    if type == nil, !hasSource { return .layer }
    if member("featureCollection") != nil || type.map(WebMapLayer.featureTypes.contains) ?? true {
      return .featureLayer
    }
    return .otherLayer
  }
}
