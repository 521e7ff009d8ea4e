import MapReaders
import MapFeatures
import MapJSON

extension WebMapLayer {
  /// The path and value of a member in a layer's object; nil removes the member.
  typealias Edit = (path: [String], value: JSONValue?)

  /// The whole layer as JSON, including features that are in the document itself.
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

  /// Returns the differences from an earlier state of the layer.
  ///
  /// - Parameter isAbsolute: Whether visibility, opacity and scales are always included, because its group no longer
  ///   states them.
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
      // Opacity and transparency multiply.
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

  /// The path of the layer's object; the tables of a feature collection share one.
  var nodePath: JSONPath {
    JSONPath(steps: Array(path.steps.prefix { $0 != .member("featureCollection") }))
  }

  /// The index in the document's list of layers or tables; nil for a layer that was not read.
  var entry: Int? {
    guard path.steps.count > 1, case .index(let index) = path.steps[1] else { return nil }
    return index
  }

  /// The index in a feature collection; nil for any other layer.
  var tableIndex: Int? {
    guard nodePath != path, case .index(let index)? = path.steps.last else { return nil }
    return index
  }

  /// Returns whether the layer was read from a document.
  func isOf(_ document: WebMap?) -> Bool { mark != nil && mark === document?.mark }

  /// Whether the layer can be opened.
  var isOpened: Bool { if case .unsupported = content { false } else { true } }
}

extension JSONObject {
  /// Applies edits; the definition and popups of a feature collection are changed in its only table.
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
