import MapJSON

/// Members of renderers.
extension DocumentObject {
  /// The members that all renderers share.
  private static let commonRendererMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.members(.visualVariable)), "visualVariables"),
    .read(.text, "rotationExpression"),
    .read(.word(["geographic", "arithmetic"]), "rotationType"),
    .noEffect(.object, "authoringInfo"))

  /// The members that renderers with classes share.
  private static let classRendererMembers: [DocumentMember] = .of(
    .read(.members(.symbol), "defaultSymbol"),
    .read(.label, "defaultLabel"),
    .read(.text, "valueExpression"),
    .read(.boolean, "drawInClassOrder"),
    .read(.members(.symbol), "backgroundFillSymbol"),
    .aside(.label, "valueExpressionTitle"),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.label, "label", "description"))

  static let simpleRendererMembers: [DocumentMember] = .of(
    commonRendererMembers,
    .read(.members(.symbol), "symbol"),
    .read(.label, "label", "description"),
    .noEffect(.boolean, "drawInClassOrder"),
    .noEffect(.members(.legendOptions), "legendOptions"))

  static let uniqueValueRendererMembers: [DocumentMember] = .of(
    commonRendererMembers, classRendererMembers,
    .read(.text, "field1", "field2", "field3", "fieldDelimiter"),
    .read(.list(.members(.uniqueValueInfo)), "uniqueValueInfos"),
    .read(.list(.members(.uniqueValueGroup)), "uniqueValueGroups"))

  static let classBreaksRendererMembers: [DocumentMember] = .of(
    commonRendererMembers, classRendererMembers,
    .read(.text, "field", "normalizationType", "normalizationField"),
    .read(.number, "minValue", "normalizationTotal"),
    .read(.list(.members(.classBreakInfo)), "classBreakInfos"),
    .noEffect(.text, "classificationMethod"))

  static let heatmapRendererMembers: [DocumentMember] = .of(
    .read(.text, "type", "field"),
    .partly(.text, "valueExpression", "not applied: the weights come from field, or are 1", drawn: ""),
    .aside(.label, "valueExpressionTitle"),
    .read(
      .number, "blurRadius", "radius", "minDensity", "maxDensity", "minPixelIntensity", "maxPixelIntensity",
      "referenceScale"),
    .partly(.number, "fieldOffset", "not applied: the weights are the values of field", drawn: 0),
    .read(.list(.members(.heatmapStop)), "colorStops"),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.object, "authoringInfo"))

  static let dotDensityRendererMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.members(.chartAttribute)), "attributes"),
    .read(.list(.number), "backgroundColor"),
    .partly(
      .boolean, "dotBlendingEnabled", "approximated: dots cover each other, with no colour above the others",
      drawn: false),
    .noEffect(.text, "dotShape", "unit"),
    .read(.number, "dotSize", "dotValue", "referenceScale", "seed"),
    .noEffect(.number, "referenceDotValue"),
    .read(.members(.symbol), "outline"),
    .notDrawn(
      .list(.members(.visualVariable)), "visualVariables", "not applied: all dots have one size", drawn: []),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.object, "authoringInfo"))

  static let pieChartRendererMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.members(.chartAttribute)), "attributes"),
    .read(.list(.number), "defaultColor"),
    .read(.label, "defaultLabel"),
    .read(.number, "holePercentage", "size"),
    .read(.members(.othersCategory), "othersCategory"),
    .read(.members(.symbol), "outline"),
    .read(.members(.symbol), "backgroundFillSymbol"),
    .read(.list(.members(.visualVariable)), "visualVariables"),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.object, "authoringInfo"))

  // A form of MapState; web maps have no rules.
  static let ruleRendererMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.members(.rulePass)), "passes"),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.object, "authoringInfo"))

  static let rulePassMembers: [DocumentMember] = .of(
    .read(.label, "name"),
    .read(.list(.members(.orderBy)), "orderBy"),
    .read(.list(.members(.rule)), "rules"))

  static let ruleMembers: [DocumentMember] = .of(
    .read(.label, "name", "label", "description"),
    .read(.text, "where"),
    .read(.either(.text, .object), "filter"),
    .read(.boolean, "else"),
    .read(.number, "minScale", "maxScale"),
    .read(.members(.symbol), "symbol"),
    .aside(.boolean, "skipLegend"))

  static let dictionaryRendererMembers: [DocumentMember] = .of(
    .undrawnType("dictionary", "the default renderer is drawn instead"),
    .noEffect(.text, "dictionaryName", "url"),
    .noEffect(.object, "fieldMap", "configuration", "scalingExpressionInfo", "authoringInfo"),
    .noEffect(.list(.members(.visualVariable)), "visualVariables"))

  static let aggregationRendererMembers: [DocumentMember] = .of(
    .read(.text, "type", "style"),
    .read(.number, "featureThreshold", "lodOffset", "minBinSizeInPixels"),
    .read(.members(.binRenderer), "binRenderer"),
    .read(.members(.binStyle), "geoHashStyle"),
    .read(.members(.binLabels), "labels"),
    .read(.members(.binStatistic), "fieldStatistic", "fieldStatistics"),
    .read(.members(.renderer), "featureRenderer"),
    .read(.list(.number), "backgroundColor"),
    .notDrawn(.boolean, "fullLodGrid", "not drawn: bins without features", drawn: false),
    .noEffect(.label, "label", "description"))

  static let binRendererMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.number), "minColor", "maxColor", "minOutlineColor", "maxOutlineColor"),
    .read(.number, "minOutlineWidth", "maxOutlineWidth", "minValue", "maxValue"),
    .noEffect(.number, "minSize", "maxSize"),
    .notDrawn(
      .boolean, "normalizeByBinArea", "not applied: colours do not depend on the area of a bin", drawn: false)
  )

  static let binLabelsMembers: [DocumentMember] = .of(
    .read(.list(.number), "color"),
    .read(.text, "font", "style", "format"),
    .read(.number, "size"))

  /// The members of a renderer of unknown type.
  static let anyRendererMembers: [DocumentMember] = .merged([
    simpleRendererMembers, uniqueValueRendererMembers, classBreaksRendererMembers, heatmapRendererMembers,
    dotDensityRendererMembers, pieChartRendererMembers, ruleRendererMembers, dictionaryRendererMembers,
    otherRendererMembers,
  ])

  /// Members of renderers for rasters, streams and flows.
  private static let otherRendererMembers: [DocumentMember] = .of(
    .noEffect(
      .object, "latestObservationRenderer", "observationRenderer", "observationAger", "trackRenderer",
      "observationalRenderer", "trackLinesRenderer", "colorRamp"),
    .noEffect(
      .text, "style", "stretchType", "flowRepresentation", "trailCap", "color", "attributeField", "inputUnit",
      "outputUnit"),
    .noEffect(.number, "numberOfStandardDeviations", "min", "max", "flowSpeed", "trailLength", "trailWidth"),
    .noEffect(.boolean, "dra", "useGamma", "computeGamma"),
    .noEffect(.array, "statistics", "gamma", "colormapInfos"))

  static let uniqueValueInfoMembers: [DocumentMember] = .of(
    .read(.value, "value"),
    .read(.label, "label", "description"),
    .read(.members(.symbol), "symbol"),
    .read(.list(.members(.symbol)), "alternateSymbols"),
    .aside(.boolean, "skipLegend"),
    .noEffect(.number, "count"))

  static let uniqueValueGroupMembers: [DocumentMember] = .of(
    .read(.list(.members(.uniqueValueClass)), "classes"),
    .aside(.label, "heading"))

  static let uniqueValueClassMembers: [DocumentMember] = .of(
    .read(.label, "label", "description"),
    .read(.list(.list(.value)), "values"),
    .read(.members(.symbol), "symbol"),
    .read(.list(.members(.symbol)), "alternateSymbols"),
    // Not in the specification: a class in a group may be left out of legends, too.
    .aside(.boolean, "skipLegend"))

  static let classBreakInfoMembers: [DocumentMember] = .of(
    .read(.number, "classMinValue", "classMaxValue"),
    .read(.label, "label", "description"),
    .read(.members(.symbol), "symbol"),
    .notDrawn(
      .list(.members(.symbol)), "alternateSymbols", "not applied yet: the class has one symbol", drawn: []),
    // Not in the specification: a class of numbers may be left out of legends, as one of values.
    .aside(.boolean, "skipLegend"),
    .noEffect(.number, "count"))

  static let chartAttributeMembers: [DocumentMember] = .of(
    .read(.text, "field", "valueExpression"),
    .noEffect(.text, "valueExpressionTitle"),
    .read(.label, "label"),
    .read(.list(.number), "color"))

  static let othersCategoryMembers: [DocumentMember] = .of(
    .read(.list(.number), "color"),
    .read(.label, "label"),
    .read(.number, "threshold"))

  static let legendOptionsMembers: [DocumentMember] = .of(
    .aside(.label, "title", "minLabel", "maxLabel", "dotLabel", "unit"),
    .aside(.boolean, "showLegend"),
    .aside(.word(["ascendingValues", "descendingValues"]), "order"))

  static let heatmapStopMembers: [DocumentMember] = .of(
    .read(.number, "ratio"),
    .read(.list(.number), "color"))
}
