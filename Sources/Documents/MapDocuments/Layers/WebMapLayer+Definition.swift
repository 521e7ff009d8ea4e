import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapReaders

/// The members of a definition and of an entry that concern one layer.
extension WebMapLayer {
  /// Reads whether labels are shown.
  mutating func readShowLabels(_ member: JSONNode?) throws(JSONDecodingError) {
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

  /// Reads the coordinate columns, the delimiter and the spatial reference of a file.
  mutating func readPlaces(
    _ node: JSONNode, isCSV: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    if isDataFile, let definition = node["layerDefinition"] {
      reading.sourceReference = try EsriGeometryJSON.spatialReference(of: definition)
    }
    if isCSV, let written = node["columnDelimiter"], case let text = try written.string(), !text.isEmpty {
      reading.delimiter = CSVDelimiter(text)
      if reading.delimiter == nil {
        report.note(
          written.path,
          "not applied: \"\(text.prefix(20))\" is no sign between fields; it is found in the header")
      }
    }
    if isCSV {
      let fields = node["layerDefinition"]?["fields"]?.value.array ?? []
      reading.textFields = Set(
        fields.filter { $0["type"]?.string == "esriFieldTypeString" }
          .compactMap { $0["name"]?.string?.lowercased() })
    }
    guard let info = node["locationInfo"] else { return }
    if case .unsupported = content { return }
    guard isCSV, url != nil else {
      return report.note(info.path, "not applied: only a CSV file has coordinate columns")
    }
    let type = try info.string("locationType") ?? "coordinates"
    guard type != "none" else { return }
    guard type == "coordinates" else {
      // Map Viewer also locates addresses and names of places.
      let nearest = ["address", "lookup"].contains(type) ? nil : NearestName.of(type, among: ["coordinates"])
      let reason = nearest.map { "; did you mean \"\($0)\"?" } ?? ": addresses are not located"
      return report.note(info.path["locationType"], "\"\(type)\" is not supported\(reason)")
    }
    // A layer with only one of the two is an error that names the other.
    reading.xField = try info.required("longitudeFieldName").string()
    reading.yField = try info.required("latitudeFieldName").string()
  }

  /// Reads the popup definition unless one was read already; ignores a value of the wrong kind.
  mutating func readPopups(_ node: JSONNode) {
    definition.popupDefinition =
      definition.popupDefinition ?? node["popupInfo"]?.value.object.map { PopupDefinition($0) }
    if node["disablePopup"]?.value.boolean == true { definition.isPopupEnabled = false }
  }

  /// Reads the members of one table of a feature collection that concern its drawing.
  mutating func readTable(
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
