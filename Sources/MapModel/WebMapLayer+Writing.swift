import MapFeatures
import MapJSON

extension WebMapLayer {
  /// Where a value stands in a layer's object, and the value; nil takes it out.
  typealias Edit = (path: [String], value: JSONValue?)

  /// The layer as JSON, whole; features in the document itself stand in it.
  var json: JSONValue {
    var object: JSONObject = ["id": .string(id), "title": .string(title)]
    switch content {
    case .url(let url):
      object["layerType"] = "ArcGISFeatureLayer"
      object["url"] = .string(url)
    case .features(let table):
      object["featureCollection"] = ["layers": [EsriFeatureSet.json(table, name: title)]]
    case .unsupported: object["layerType"] = "ArcGISFeatureLayer"
    }
    object.apply(edits(from: WebMapLayer(id: id, title: title, url: "")))
    if case .url = content, object["layerDefinition"] == nil { object["layerDefinition"] = [:] }
    return .object(object)
  }

  /// What differs from the layer as it was.
  ///
  /// - Parameter isAbsolute: true says also the whole of how it shows, which what it was in said before.
  func edits(from before: WebMapLayer, isAbsolute: Bool = false) -> [Edit] {
    var edits: [Edit] = []
    func set<Value: Equatable>(
      _ path: [String], _ value: KeyPath<WebMapLayer, Value>, always: Bool = false,
      _ json: (Value) -> JSONValue?
    ) {
      guard always || self[keyPath: value] != before[keyPath: value] else { return }
      edits.append((path, json(self[keyPath: value])))
    }
    let definition = ["layerDefinition"]
    let drawing = ["layerDefinition", "drawingInfo"]
    set(["title"], \.title) { .string($0) }
    set(["visibility"], \.isVisible, always: isAbsolute) { .boolean($0) }
    if isAbsolute || opacity != before.opacity {
      edits.append((["opacity"], .number(opacity)))
      // The two multiply.
      edits.append((drawing + ["transparency"], nil))
    }
    set(["showLabels"], \.showsLabels) { .boolean($0) }
    set(["showLegend"], \.showsInLegend) { .boolean($0) }
    set(["popupInfo"], \.popupDefinition) { $0.map { .object($0.json) } }
    set(["disablePopup"], \.isPopupEnabled) { $0 ? nil : true }
    set(definition + ["copyrightText"], \.attribution) { .string($0) }
    set(definition + ["featureReduction"], \.featureReduction) { $0 }
    set(definition + ["disableFeatureReduction"], \.reducesFeatures) { $0 ? nil : true }
    if filtersByTime != before.filtersByTime {
      edits.append((["timeAnimation"], .boolean(filtersByTime)))
      edits.append((definition + ["timeInfo", "exportOptions", "useTime"], nil))
    }
    set(definition + ["definitionExpression"], \.definitionExpression) { .string($0) }
    if displayFilter != before.displayFilter {
      edits.append(
        (definition + ["displayFilterInfo"], displayFilter.map { EsriDisplayFilterCodec.json($0) }))
      edits.append((definition + ["disableDisplayFilter"], nil))
    }
    set(definition + ["orderBy"], \.drawingOrder) { $0.isEmpty ? nil : EsriDrawingOrderCodec.json($0) }
    set(definition + ["minScale"], \.minScale, always: isAbsolute) { .number($0) }
    set(definition + ["maxScale"], \.maxScale, always: isAbsolute) { .number($0) }
    set(definition + ["timeInfo"], \.timeInfo) { time in
      time.map { time in
        [
          "startTimeField": .string(time.startField),
          "endTimeField": time.endField.map { .string($0) } ?? .null,
        ]
      }
    }
    if timeOffset != before.timeOffset {
      for name in ["timeOffset", "timeOffsetUnits"] {
        let value = timeOffset?.exportOptions.first { $0.0 == name }?.1
        edits.append((definition + ["timeInfo", "exportOptions", name], value))
      }
    }
    set(drawing + ["renderer"], \.renderer) { $0.map { EsriRendererCodec.json($0) } }
    set(drawing + ["labelingInfo"], \.labelDefinitions) { .array($0.map(EsriLabelCodec.json)) }
    set(drawing + ["scaleSymbols"], \.scalesSymbols) { .boolean($0) }
    return edits
  }

  /// The path of the layer's object, of which a collection has one for all its tables.
  var nodePath: JSONPath {
    JSONPath(steps: Array(path.steps.prefix { $0 != .member("featureCollection") }))
  }

  /// Which entry of its list in the document it comes from; nil for a layer that was not read.
  var entry: Int? {
    guard path.steps.count > 1, case .index(let index) = path.steps[1] else { return nil }
    return index
  }

  /// Which table of a collection it is; nil for a layer of its own.
  var tableIndex: Int? {
    guard nodePath != path, case .index(let index)? = path.steps.last else { return nil }
    return index
  }

  /// True for a layer that was read from a document.
  func isOf(_ document: WebMap?) -> Bool { mark != nil && mark === document?.mark }

  /// True for a layer that can be opened.
  var isOpened: Bool { if case .unsupported = content { false } else { true } }
}

extension JSONObject {
  /// Sets what differs; of a collection of one table in the table's own object where it has such members.
  mutating func apply(_ edits: [WebMapLayer.Edit]) {
    for (path, value) in edits {
      guard ["layerDefinition", "popupInfo", "disablePopup"].contains(path[0]),
        let table = self["featureCollection"]?["layers"]?[0]?.object
      else {
        set(path, value)
        continue
      }
      var changed = table
      changed.set(path, value)
      set(path, nil)
      set(["featureCollection", "layers"], [.object(changed)])
    }
  }
}
