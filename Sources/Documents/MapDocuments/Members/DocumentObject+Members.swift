internal import Synchronization

/// The table of the members of each object.
extension DocumentObject {
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
    case .ogcFeatureLayer: .read(.text, "collectionId") + Self.featureLayerMembers
    case .wfsLayer: .read(.members(.wfsInfo), "wfsInfo") + Self.featureLayerMembers
    case .wfsInfo: Self.wfsInfoMembers
    case .groupLayer: Self.groupLayerMembers
    case .subtypeGroupLayer: Self.subtypeGroupLayerMembers
    case .subtypeLayer: Self.subtypeLayerMembers
    case .mapServiceLayer:
      .merged([
        .read(.number, "minScale", "maxScale"), Self.sublayerListMembers, Self.featureLayerMembers,
        Self.otherLayerMembers,
      ])
    case .mapService: Self.mapServiceMembers
    case .subtypeGroupTable: Self.subtypeGroupTableMembers
    case .subtypeTable: Self.subtypeTableMembers
    case .kmlLayer: Self.kmlLayerMembers
    case .otherLayer: Self.otherLayerMembers
    case .effect: Self.effectMembers
    case .featureEffect: Self.featureEffectMembers
    case .featureEffectFilter: Self.featureEffectFilterMembers
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
    case .ruleRenderer: Self.ruleRendererMembers
    case .rulePass: Self.rulePassMembers
    case .rule: Self.ruleMembers
    case .dictionaryRenderer: Self.dictionaryRendererMembers
    case .aggregationRenderer: Self.aggregationRendererMembers
    case .binRenderer: Self.binRendererMembers
    case .binLabels: Self.binLabelsMembers
    case .binStyle: .of(.read(.text, "style"), .read(.either(.number, .text), "sr"))
    case .binStatistic: .read(.text, "fieldName", "statisticType", "statisticsType")
    case .uniqueValueInfo: Self.uniqueValueInfoMembers
    case .uniqueValueGroup: Self.uniqueValueGroupMembers
    case .uniqueValueClass: Self.uniqueValueClassMembers
    case .classBreakInfo: Self.classBreakInfoMembers
    case .chartAttribute: Self.chartAttributeMembers
    case .othersCategory: Self.othersCategoryMembers
    case .heatmapStop: Self.heatmapStopMembers
    case .legendOptions: Self.legendOptionsMembers
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
    case .labelAngleInfo: Self.labelAngleInfoMembers
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

  /// Returns the member with a name; nil for an unknown name.
  package func member(named name: String) -> DocumentMember? { index.byName[name] }

  /// The names of the members, in the order of the list.
  package var memberNames: [String] { index.names }

  /// The members by name.
  private struct Index {
    let names: [String]
    let byName: [String: DocumentMember]
  }

  /// The members by name, computed at the first use of the object: a document has few of all kinds of objects.
  private var index: Index {
    Self.indexes.withLock { indexes in
      if let index = indexes[self] { return index }
      let members = members
      let index = Index(
        names: members.map(\.name), byName: Dictionary(members.map { ($0.name, $0) }) { first, _ in first })
      indexes[self] = index
      return index
    }
  }

  private static let indexes = Mutex<[DocumentObject: Index]>([:])
}
