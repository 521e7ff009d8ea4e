import MapDocuments
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState

/// A layer with the paths of its parts in the document.
struct LintedLayer {
  let name: String
  let state: LayerState
  let view: ViewState
  let kind: GeometryKind?
  /// The path of the renderer and of each class; nil if the document does not contain the renderer.
  let rendererPath: JSONPath?
  let classPaths: [JSONPath]
  /// The path of the list of label classes, and of each class.
  let labelsPath: JSONPath?
  let labelPaths: [JSONPath]
  /// The document, and the paths that may contain members of the layer's definition.
  private let root: JSONValue
  private let definitionPaths: [JSONPath]
  /// Whether the document lists label classes and does not say whether they are shown.
  let lacksShowLabels: Bool
  /// Whether no other layer and no basemap lies below the labels.
  let isAloneOnCanvas: Bool

  init(_ document: MapDocument, _ item: OpenedLayer, state: LayerState, view: ViewState) {
    (name, self.state, self.view) = (state.name, state, view)
    kind = state.source.schema.geometryKind
    let root = document.webMap.source ?? .null
    self.root = root
    // A definition of the whole entry replaces that of its only table.
    let own = item.document.path
    let entry = JSONPath(steps: Array(own.steps.prefix { $0 != .member("featureCollection") }))
    definitionPaths = [entry, own].map { $0["layerDefinition"] } + [entry]
    let drawings = [entry, own].map { $0["layerDefinition"]["drawingInfo"] }
    let renderer = drawings.lazy.map { $0["renderer"] }.first { root.value(at: $0) != nil }
    rendererPath = renderer
    classPaths = renderer.map { Self.classPaths(root, $0) } ?? []
    lacksShowLabels = item.document.lacksShowLabels && item.document.listsLabelClasses
    let labels = drawings.lazy.map { $0["labelingInfo"] }.first { root.value(at: $0) != nil }
    labelsPath = labels
    let count = labels.flatMap { root.value(at: $0)?.array?.count } ?? 0
    // Classes with an unreadable expression are left out.
    labelPaths =
      count == state.labelDefinitions.count
      ? (0..<count).compactMap { place in labels.map { $0[place] } } : []
    isAloneOnCanvas =
      view.basemap?.style == nil && document.webMap.basemapLayers.isEmpty
      && document.webMap.basemapTileLayers.isEmpty && view.tileLayers.isEmpty
      && view.layers.allSatisfy { $0.source.schema.geometryKind != .polygon }
  }

  private static func classPaths(_ root: JSONValue, _ renderer: JSONPath) -> [JSONPath] {
    let json = root.value(at: renderer)
    if let groups = json?["uniqueValueGroups"]?.array {
      return groups.enumerated().flatMap { place, group in
        (group["classes"]?.array ?? []).indices.map { renderer["uniqueValueGroups"][place]["classes"][$0] }
      }
    }
    if let passes = json?["passes"]?.array {
      return passes.enumerated().flatMap { place, pass in
        (pass["rules"]?.array ?? []).indices.map { renderer["passes"][place]["rules"][$0] }
      }
    }
    for list in ["uniqueValueInfos", "classBreakInfos"] {
      if let infos = json?[list]?.array { return infos.indices.map { renderer[list][$0] } }
    }
    return []
  }

  /// Returns the rows without the definition expression; nil for a layer without one, and without classes.
  func unfilteredRows() async throws(MapStateError) -> ClassifiedRows? {
    if case .simple = state.renderer { return nil }
    guard !state.definitionExpression.allSatisfy(\.isWhitespace) else { return nil }
    var open = state
    open.definition.definitionExpression = ""
    return try? await view.classified(open, FeatureQuestion(area: .everywhere))
  }

  /// The warnings about filters and scripts that read the current time, so that images and counts change with it.
  var clockWarnings: [String] {
    state.clockReadings().map { reading in
      let path = path(of: reading.part).map { "\($0): " } ?? ""
      return
        "\(path)layer \"\(name)\": \(reading.description) reads the current time, so results change; "
        + "fix the time with --now or, in a snapshot case, \"now\""
    }
  }

  /// Returns the path of a part that reads the current time; nil if the document does not contain it.
  private func path(of part: ClockReading.Part) -> JSONPath? {
    switch part {
    case .definitionExpression: member("definitionExpression")
    case .displayFilter: member("displayFilterInfo")
    case .renderer, .rule: rendererPath
    case .labels(let index): path(ofLabels: index)
    case .featureEffect: member("featureEffect")
    case .clusters: member("featureReduction")
    }
  }

  /// Returns the path of a member of the layer's definition; nil if the document does not contain it.
  private func member(_ name: String) -> JSONPath? {
    definitionPaths.lazy.map { $0[name] }.first { root.value(at: $0) != nil }
  }

  /// Returns the path of a class, else that of the renderer; class -1 is the default symbol.
  func path(ofClass index: Int) -> JSONPath? {
    if index < 0 { return rendererPath?["defaultSymbol"] }
    return classPaths.indices.contains(index) ? classPaths[index] : rendererPath
  }

  /// Returns the path of a label class, else that of the list.
  func path(ofLabels index: Int) -> JSONPath? {
    labelPaths.indices.contains(index) ? labelPaths[index] : labelsPath
  }

  /// Returns the name of a label class in messages.
  func labelName(_ index: Int) -> String {
    let name = state.labelDefinitions[index].name
    return name.isEmpty ? "label class \(index)" : "label class \"\(name)\""
  }
}

extension JSONValue {
  /// Returns the value at a path; nil if there is none.
  func value(at path: JSONPath) -> JSONValue? {
    var value = self
    for step in path.steps {
      switch step {
      case .member(let name):
        guard let next = value[name] else { return nil }
        value = next
      case .index(let index):
        guard let array = value.array, array.indices.contains(index) else { return nil }
        value = array[index]
      }
    }
    return value
  }
}
