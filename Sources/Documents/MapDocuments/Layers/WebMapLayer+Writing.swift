import MapFeatures
import MapJSON
import MapModel
import MapReaders

extension WebMapLayer {
  /// The path and value of a member in a layer's object; nil removes the member.
  typealias Edit = (path: [String], value: JSONValue?)

  /// The whole layer as JSON, including features that are in the document itself.
  var json: JSONValue {
    var object: JSONObject = ["id": .string(definition.id), "title": .string(definition.title)]
    switch content {
    case .url(let url):
      object["layerType"] = "ArcGISFeatureLayer"
      object["url"] = .string(url)
    case .features(let table):
      object["featureCollection"] = ["layers": [EsriFeatureSet.json(table, name: definition.title)]]
    case .unsupported: object["layerType"] = "ArcGISFeatureLayer"
    }
    object.apply(edits(from: WebMapLayer(id: definition.id, title: definition.title, url: "")))
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
      _ path: [String], _ value: KeyPath<LayerDefinition, Value>, always: Bool = false,
      _ json: (Value) -> JSONValue?
    ) {
      guard always || definition[keyPath: value] != before.definition[keyPath: value] else { return }
      edits.append((path, json(definition[keyPath: value])))
    }
    let layerDefinition = ["layerDefinition"]
    let drawing = ["layerDefinition", "drawingInfo"]
    set(["title"], \.title) { .string($0) }
    set(["visibility"], \.isVisible, always: isAbsolute) { .boolean($0) }
    if isAbsolute || definition.opacity != before.definition.opacity {
      edits.append((["opacity"], .number(definition.opacity)))
      // Opacity and transparency multiply.
      edits.append((drawing + ["transparency"], nil))
    }
    set(["blendMode"], \.blendMode) { $0 == .normal ? nil : .string($0.rawValue) }
    set(["effect"], \.effect) { $0.map { EsriEffectCodec.json($0) } }
    set(["featureEffect"], \.featureEffect) { $0.map { EsriEffectCodec.json($0) } }
    set(["showLabels"], \.labelsAreEnabled) { .boolean($0) }
    set(["showLegend"], \.showsInLegend) { .boolean($0) }
    set(["popupInfo"], \.popupDefinition) { $0.map { .object($0.json) } }
    set(["disablePopup"], \.isPopupEnabled) { $0 ? nil : true }
    set(layerDefinition + ["copyrightText"], \.attribution) { .string($0) }
    set(layerDefinition + ["featureReduction"], \.featureReduction) { $0 }
    set(layerDefinition + ["disableFeatureReduction"], \.reducesFeatures) { $0 ? nil : true }
    if definition.filtersByTime != before.definition.filtersByTime {
      edits.append((["timeAnimation"], .boolean(definition.filtersByTime)))
      edits.append((layerDefinition + ["timeInfo", "exportOptions", "useTime"], nil))
    }
    set(layerDefinition + ["visibilityField"], \.visibilityField) { $0.map { .string($0) } }
    set(layerDefinition + ["definitionExpression"], \.definitionExpression) { .string($0) }
    if definition.displayFilter != before.definition.displayFilter {
      edits.append(
        (
          layerDefinition + ["displayFilterInfo"],
          definition.displayFilter.map { EsriDisplayFilterCodec.json($0) }
        ))
      edits.append((layerDefinition + ["disableDisplayFilter"], nil))
    }
    set(layerDefinition + ["orderBy"], \.drawingOrder) { $0.isEmpty ? nil : EsriDrawingOrderCodec.json($0) }
    set(layerDefinition + ["minScale"], \.minScale, always: isAbsolute) { .number($0) }
    set(layerDefinition + ["maxScale"], \.maxScale, always: isAbsolute) { .number($0) }
    set(layerDefinition + ["timeInfo"], \.timeInfo) { time in
      time.map { time in
        [
          "startTimeField": .string(time.startField),
          "endTimeField": time.endField.map { .string($0) } ?? .null,
        ]
      }
    }
    if definition.timeOffset != before.definition.timeOffset {
      for name in ["timeOffset", "timeOffsetUnits"] {
        let value = definition.timeOffset?.exportOptions.first { $0.0 == name }?.1
        edits.append((layerDefinition + ["timeInfo", "exportOptions", name], value))
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
  var entry: Int? { path.entry }

  /// The index in a feature collection; nil for any other layer.
  var tableIndex: Int? {
    guard nodePath != path, case .index(let index)? = path.steps.last else { return nil }
    return index
  }

  /// Whether the layer can be opened.
  var isOpened: Bool { if case .unsupported = content { false } else { true } }
}

extension FeatureLayer {
  /// The layer in the form of a document.
  var written: WebMapLayer {
    ModelGate.withLock {
      let content = origin?.url.map { WebMapLayer.Content.url($0) } ?? table.writtenContent
      return WebMapLayer(origin, content: content, definition)
    }
  }
}

extension FeatureTable {
  /// The content that a document refers to: the table's address or path, or else its features.
  var writtenContent: WebMapLayer.Content {
    let content = table.content.snapshot
    if let url = content.url { return .url(url) }
    if let source = content.source.inMemory { return .features(source.table) }
    return .unsupported("a table that no document can name")
  }
}

extension JSONObject {
  /// Sets a member at a path and creates missing objects on the way; nil removes the member.
  mutating func set(_ path: [String], _ value: JSONValue?) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = value
      return
    }
    guard value != nil || self[name]?.object != nil else { return }
    var inner = self[name]?.object ?? JSONObject()
    inner.set(Array(path.dropFirst()), value)
    self[name] = .object(inner)
  }

  /// Applies edits; the definition and popups of a feature collection are changed in its only table.
  mutating func apply(_ edits: [WebMapLayer.Edit]) {
    for (path, value) in edits {
      let table = self["featureCollection"]?["layers"]?[0]?.object
      guard ["layerDefinition", "popupInfo", "disablePopup"].contains(path[0]), let table else {
        set(path, value)
        if path == ["visibility"], self["featureCollection"] != nil { set(["visibleLayers"], nil) }
        if ["visibility", "opacity", "blendMode", "effect", "featureEffect"].contains(path[0]), var table {
          // The member of the layer now includes that of its table.
          table.set([path[0]], nil)
          set(["featureCollection", "layers"], [.object(table)])
        }
        continue
      }
      var changed = table
      changed.set(path, value)
      set(path, nil)
      set(["featureCollection", "layers"], [.object(changed)])
    }
  }
}

extension LayerOrigin {
  /// Returns whether the layer was read from a document.
  func isOf(_ document: WebMap?) -> Bool { self.document === document?.mark }

  /// The index in the document's list of layers or tables.
  var entry: Int? { path.entry }
}

extension JSONPath {
  /// The index in the document's list of layers or tables; nil for any other path.
  fileprivate var entry: Int? {
    guard steps.count > 1, case .index(let index) = steps[1] else { return nil }
    return index
  }
}
