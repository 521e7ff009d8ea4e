import MapJSON
import MapModel

/// Members of layers in a map.
extension DocumentObject {
  static let featureLayerMembers: [DocumentMember] = .of(
    .read(.text, "id", "title", "url", "layerType", "type", "copyright", "itemId"),
    .read(.boolean, "visibility", "showLabels", "timeAnimation", "isReference"),
    .read(.number, "opacity"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .read(.members(.featureCollection), "featureCollection"),
    .read(.list(.number), "visibleLayers"),
    .partly(
      .number, "mode", "not applied yet: all features are drawn, not only the selected ones", drawn: 0, 1),
    .aside(.members(.popupInfo), "popupInfo"),
    .aside(.boolean, "disablePopup", "showLegend"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .read(.members(.featureEffect), "featureEffect"),
    .notDrawn(.list(.number), "visibilityTimeExtent", "not applied yet: the layer is drawn at any time"),
    .read(.object, "customParameters"),
    // The plain definitionExpression beside it is its current state.
    .noEffect(.members(.definitionEditor), "definitionEditor"),
    .read(.members(.locationInfo), "locationInfo"),
    .read(.text, "columnDelimiter"),
    .notDrawn(
      .number, "minScale", "ignored here; set it in layerDefinition", drawn: 0),
    .notDrawn(
      .number, "maxScale", "ignored here; set it in layerDefinition", drawn: 0),
    .noEffect(.number, "refreshInterval"),
    .noEffect(.boolean, "screenSizePerspective"),
    .noEffect(
      .text, "listMode", "capabilities", "featureCollectionType", "layerGroupId", "path",
      "layerItemId"),
    .noEffect(.object, "formInfo", "attributeTableInfo", "resourceInfo"),
    .noEffect(.array, "charts", "fields"))

  /// Members that name a type of features of a Web Feature Service.
  static let wfsInfoMembers: [DocumentMember] = .of(
    .read(.text, "name", "version", "featureUrl"),
    .read(.object, "customParameters"),
    .notDrawn(
      .boolean, "swapXY", "not applied: the order of axes is that of the spatial reference in the answers",
      drawn: false),
    // All features are read, in a spatial reference that the service itself states.
    .noEffect(.number, "maxFeatures", "maxRecordCount"),
    .noEffect(.array, "supportedSpatialReferences"),
    .noEffect(.text, "wfsNamespace"))

  static let groupLayerMembers: [DocumentMember] = .of(
    .read(.text, "id", "title", "layerType", "type", "itemId"),
    .read(.boolean, "visibility", "isReference"),
    .read(.number, "opacity", "minScale", "maxScale"),
    .read(.list(.members(.layer)), "layers"),
    .read(.word(["independent", "exclusive", "inherited"]), "visibilityMode"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .notDrawn(.list(.number), "visibilityTimeExtent", "not applied yet: the group is drawn at any time"),
    .noEffect(.text, "listMode", "layerGroupId"),
    .noEffect(.boolean, "showLegend", "disablePopup"))

  /// Members of a layer that is divided by subtypes.
  static let subtypeGroupLayerMembers: [DocumentMember] = .of(
    .read(.text, "id", "title", "url", "layerType", "type", "copyright", "itemId"),
    .read(.boolean, "visibility", "timeAnimation", "isReference"),
    .read(.number, "opacity", "minScale", "maxScale"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .read(.list(.members(.subtypeLayer)), "layers"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .notDrawn(.list(.number), "visibilityTimeExtent", "not applied yet: the layers are drawn at any time"),
    .read(.object, "customParameters"),
    .aside(.boolean, "showLegend", "disablePopup"),
    .aside(.members(.popupInfo), "popupInfo"),
    .noEffect(.number, "refreshInterval"),
    .noEffect(.boolean, "enableLabels", "screenSizePerspective"),
    .noEffect(.text, "listMode", "layerGroupId"),
    .noEffect(.object, "attributeTableInfo"))

  /// Members of the layer of one subtype.
  static let subtypeLayerMembers: [DocumentMember] = .of(
    .read(.text, "id", "title"),
    .read(.number, "subtypeCode", "opacity"),
    .read(.boolean, "visibility", "showLabels"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .aside(.boolean, "showLegend", "disablePopup"),
    .aside(.members(.popupInfo), "popupInfo"),
    .noEffect(.boolean, "enableEditing"),
    .noEffect(.text, "itemId", "listMode", "layerType"),
    .noEffect(.object, "formInfo", "attributeTableInfo"),
    .noEffect(.array, "charts"))

  /// Members of a table that is divided by subtypes.
  ///
  /// - Source: web map specification, subtype group table.
  static let subtypeGroupTableMembers: [DocumentMember] = .of(
    .read(.text, "id", "title", "url", "layerType"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .read(.list(.members(.subtypeTable)), "tables"),
    .read(.object, "customParameters"),
    .noEffect(.number, "refreshInterval"),
    .noEffect(.text, "itemId"))

  /// Members of the table of one subtype.
  static let subtypeTableMembers: [DocumentMember] = .of(
    .read(.text, "id", "title"),
    .read(.number, "subtypeCode"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .aside(.boolean, "disablePopup"),
    .aside(.members(.popupInfo), "popupInfo"),
    .noEffect(.boolean, "enableEditing"),
    .noEffect(.text, "itemId", "layerType"),
    .noEffect(.object, "formInfo", "attributeTableInfo"),
    .noEffect(.array, "charts"))

  /// Members of a layer that shows a KML file.
  ///
  /// - Source: web map specification, KML layer; ExportWebMap specification for `showLabels`.
  static let kmlLayerMembers: [DocumentMember] = .of(
    .read(.text, "id", "title", "url", "layerType", "type", "copyright", "itemId"),
    .read(.boolean, "visibility", "showLabels", "isReference"),
    .read(.number, "opacity", "minScale", "maxScale"),
    .read(.list(.number), "visibleFolders"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .notDrawn(.list(.number), "visibilityTimeExtent", "not applied yet: the layer is drawn at any time"),
    .notDrawn(.object, "customParameters", "not sent to the server", drawn: [:]),
    .aside(.boolean, "showLegend", "disablePopup"),
    .noEffect(.number, "refreshInterval"),
    .noEffect(.text, "listMode", "layerGroupId", "path"),
    .noEffect(.object, "resourceInfo"))

  /// Members of a map service whose sublayers are drawn.
  static let mapServiceMembers: [DocumentMember] = .merged([
    .read(.text, "id", "title", "url", "layerType", "type", "copyright"),
    .read(.boolean, "visibility", "timeAnimation"),
    .read(.number, "opacity", "minScale", "maxScale"),
    sublayerListMembers,
    .read(.list(.number), "visibleLayers"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .notDrawn(.list(.number), "visibilityTimeExtent", "not applied yet: the layer is drawn at any time"),
    .aside(.boolean, "showLegend", "disablePopup"),
    otherLayerMembers,
  ])

  /// Members that change the sublayers of a map service.
  static let sublayerListMembers: [DocumentMember] = .of(
    .read(.list(.members(.sublayer)), "layers"),
    .read(.object, "customParameters"))

  /// Members of layer types that are not drawn and are reported as a whole.
  static let otherLayerMembers: [DocumentMember] = .of(
    .aside(.text, "id", "title", "url", "layerType", "type", "styleUrl", "itemId"),
    .aside(.boolean, "visibility", "isReference", "showLabels", "timeAnimation"),
    .aside(.boolean, "showLegend", "disablePopup"),
    .aside(.number, "opacity", "mode"),
    .aside(.members(.layerDefinition), "layerDefinition"),
    .aside(.members(.popupInfo), "popupInfo"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .aside(.list(.members(.sublayer)), "layers"),
    // Members of layers of tiles and images, which are drawn where these can be had.
    .aside(.number, "minScale", "maxScale", "maxWidth", "maxHeight", "compressionQuality", "noData"),
    .aside(.boolean, "imageTransparency", "transparentBackground"),
    .aside(
      .text, "copyright", "attribution", "version", "mapUrl", "format", "imageFormat", "templateUrl",
      "interpolation", "noDataInterpretation", "pixelType", "definitionExpression"),
    .aside(
      .object, "customParameters", "customLayerParameters", "wmtsInfo", "tileInfo", "fullExtent",
      "mosaicRule",
      "renderingRule", "rasterFunction"),
    .aside(
      .array, "visibleLayers", "styles", "subDomains", "spatialReferences", "bandIds", "extent"),
    .noEffect(.number, "refreshInterval", "bandCount", "compressionTolerance"),
    .noEffect(.boolean, "screenSizePerspective", "hasAttributionData"),
    .noEffect(
      .text, "listMode", "capabilities", "layerGroupId", "featuresUrl", "featureInfoUrl",
      "featureInfoFormat", "collectionId", "portalUrl", "webSocketUrl", "path", "serviceItemId",
      "columnDelimiter", "mediaType"),
    .noEffect(
      .object, "wfsInfo", "outSR", "pixelFilter", "renderer", "resourceInfo",
      "formInfo", "attributeTableInfo", "featureEffect", "purgeOptions", "locationInfo", "pointSymbol",
      "lineSymbol", "polygonSymbol", "definitionEditor", "thematicGroup", "timeInfo", "georeference",
      "multidimensionalSubset", "definitionSetMap", "spatialReference", "serviceInfo"),
    .noEffect(
      .array, "visibleFolders",
      "multidimensionalDefinition", "displayLevels", "exclusionAreas", "visibilityTimeExtent",
      "charts", "sublayers", "tables", "fields", "dimensions", "orderBy"))

  static let sublayerMembers: [DocumentMember] = .of(
    .read(.either(.number, .text), "id"),
    .read(.label, "name", "title"),
    .read(.number, "minScale", "maxScale", "opacity", "parentLayerId"),
    .read(.boolean, "defaultVisibility", "visibility", "showLabels"),
    .read(.members(.layerDefinition), "layerDefinition"),
    .read(.object, "source"),
    .aside(.boolean, "showLegend", "disablePopup"),
    .aside(.members(.popupInfo), "popupInfo"),
    .noEffect(.text, "layerUrl", "legendUrl", "layerItemId", "listMode", "displayField"),
    .noEffect(.boolean, "queryable", "showPopup"),
    .noEffect(.object, "attributeTableInfo"),
    .read(.array, "subLayerIds"),
    .noEffect(.array, "layers", "sublayers", "styles"))

  static let featureCollectionMembers: [DocumentMember] = .of(
    .read(.list(.members(.collectionLayer)), "layers"),
    .notDrawn(
      .anything, "exceededTransferLimit", "some features are missing: the service reached its limit",
      drawn: false, 0, "false"),
    .read(.boolean, "showLabels"),
    .aside(.boolean, "showLegend"))

  static let collectionLayerMembers: [DocumentMember] = .of(
    .read(.members(.layerDefinition), "layerDefinition"),
    .read(.members(.featureSet), "featureSet"),
    .notDrawn(
      .anything, "exceededTransferLimit", "some features are missing: the service reached its limit",
      drawn: false, 0, "false"),
    .read(.text, "title"),
    .read(.boolean, "showLabels"),
    .aside(.members(.popupInfo), "popupInfo"),
    .aside(.boolean, "disablePopup"),
    .read(.boolean, "visibility"),
    .read(.number, "opacity", "minScale", "maxScale"),
    .read(.word(BlendMode.allCases.map(\.rawValue)), "blendMode"),
    .read(.either(.list(.members(.effect)), .text), "effect"),
    .read(.members(.featureEffect), "featureEffect"),
    .noEffect(.boolean, "showLegend", "screenSizePerspective"),
    .noEffect(.number, "nextObjectId"),
    .noEffect(.either(.number, .text), "id"),
    .noEffect(.text, "name", "layerType", "url", "listMode"),
    .noEffect(.object, "formInfo", "attributeTableInfo"))

  static let definitionEditorMembers: [DocumentMember] = .of(
    .noEffect(.text, "parameterizedExpression"),
    .noEffect(.array, "inputs"))

  static let locationInfoMembers: [DocumentMember] = .of(
    .read(.text, "locationType", "latitudeFieldName", "longitudeFieldName"),
    .noEffect(.text, "addressTemplate"))

  static let effectMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(
      .number, "amount", "angle", "radius", "xoffset", "yoffset", "blurRadius", "scale", "strength",
      "threshold"),
    .read(.list(.number), "color"),
    .read(.either(.list(.members(.effect)), .text), "value"))

  static let featureEffectMembers: [DocumentMember] = .of(
    .read(.members(.featureEffectFilter), "filter"),
    .read(.either(.list(.members(.effect)), .text), "includedEffect", "excludedEffect"))

  static let featureEffectFilterMembers: [DocumentMember] = .of(
    .read(.text, "where"),
    .read(.members(.geometry), "geometry"),
    .read(.text, "spatialRelationship", "spatialRel"),
    .read(.list(.number), "objectIds"),
    .notDrawn(.number, "distance", "not supported: the feature effect is not applied", drawn: 0),
    .notDrawn(.anything, "timeExtent", "not supported: the feature effect is not applied"),
    .noEffect(.text, "id", "title", "units"))
}
