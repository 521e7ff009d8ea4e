import MapDocuments
import MapDrawing
public import MapFilter
import MapJSON
import MapModel
public import MapState
import MapSystem

/// A bound of a range of scales at which a layer, label class or display filter applies.
struct ScaleBound {
  /// The name for titles, such as `minScale` or `labels names maxScale`.
  let name: String
  /// The scale denominator.
  let scale: Double
  /// Whether the range lies below the bound.
  let isMinimum: Bool
  /// The index of the label class; nil for the layer and its display filters.
  var labelClass: Int?

  /// Returns a scale denominator on the side of the bound that belongs to the range.
  func inside(_ scale: Double) -> Double {
    isMinimum ? min(scale, self.scale * 0.98) : max(scale, self.scale * 1.02)
  }

  /// Returns the bounds of a layer, its label classes, its display filters and its symbols, each scale once per name.
  static func all(of layer: LayerState) -> [ScaleBound] {
    var found: [ScaleBound] = []
    func add(_ name: String, _ minScale: Double, _ maxScale: Double, labelClass: Int? = nil) {
      let blank = name.isEmpty ? "" : "\(name) "
      if minScale > 0 {
        found.append(
          ScaleBound(name: "\(blank)minScale", scale: minScale, isMinimum: true, labelClass: labelClass))
      }
      if maxScale > 0 {
        found.append(
          ScaleBound(name: "\(blank)maxScale", scale: maxScale, isMinimum: false, labelClass: labelClass))
      }
    }
    add("", layer.minScale, layer.maxScale)
    if layer.labelsAreEnabled {
      for (index, labels) in layer.labelDefinitions.enumerated() {
        let name = labels.name.isEmpty ? "\(index)" : labels.name
        add("labels \(name)", labels.minScale, labels.maxScale, labelClass: index)
      }
    }
    if case .scale(let definition)? = layer.displayFilter {
      for filter in definition.filters { add("filter \(filter.name)", filter.minScale, filter.maxScale) }
    }
    if case .rules(let renderer) = layer.renderer {
      for (rule, name) in zip(renderer.rules, renderer.ruleNames) {
        add("rule \(name)", rule.minScale, rule.maxScale)
      }
    }
    if case .uniqueValue(let renderer) = layer.renderer {
      var seen: Set<Double> = []
      for unique in renderer.uniqueValues {
        for scales in [unique.referenceProperties].compactMap({ $0 })
          + unique.alternateSymbols.map(\.properties)
        {
          let (low, high) = (scales.maxScale, scales.minScale)
          add(
            "symbol \(unique.label)", seen.insert(high).inserted ? high : 0,
            seen.insert(low).inserted ? low : 0)
        }
      }
    }
    return found
  }
}

/// The parts of the documents' styles that snapshot cases show.
public struct SnapshotCoverage: Sendable {
  /// A part of a style: a class, a label class, a display filter, or a side of a scale bound.
  public struct Part: Hashable, Sendable {
    /// The path of the document, or the name of the case that contains the map.
    public let document: String
    /// The name of the layer.
    public let layer: String
    /// The part, such as `class "low"`.
    public let name: String
    /// Whether a case shows the part.
    public var isShown = false

    /// The layer and the part, with `›` between them.
    public var description: String { "\(layer) › \(name)" }
  }

  /// The parts of all documents, in the order of the cases.
  public private(set) var parts: [Part] = []
  private var indexes: [Part: Int] = [:]

  /// Draws the cases below a folder, and finds out what they show.
  ///
  /// - Cost: one image for each case.
  /// - Throws: `MapStateError` if a case cannot be read or drawn.
  public init(
    root: String, named names: [String] = [], services: ServiceAccess = ServiceAccess(),
    standIns: StandInCatalog? = nil, now: Instant? = nil
  ) async throws(MapStateError) {
    let names = try SnapshotCase.names(in: root, named: names)
    guard !names.isEmpty else {
      throw MapStateError(.expectation, "\(root): no case found (a folder with case.json)")
    }
    var known: Set<String> = []
    for name in names {
      var snapshot = try SnapshotCase(name, in: root)
      guard !snapshot.isSkipped else { continue }
      (snapshot.services, snapshot.standIns, snapshot.now) = (services, standIns, now)
      let document = snapshot.documentName
      let styled = try "\(document) \(snapshot.style())"
      if known.insert(styled).inserted {
        let whole = try await snapshot.withoutSelection().view()
        await whole.load()
        for part in Self.parts(of: whole.freeze(), document) where indexes[part] == nil {
          indexes[part] = parts.count
          parts.append(part)
        }
      }
      let drawn = try await snapshot.draw()
      let record = try await PictureDetails(drawn, paintsOwners: false).record
      for part in Self.shown(drawn.view, record, document) {
        if let index = indexes[part] { parts[index].isShown = true }
      }
    }
  }

  /// The parts that no case shows.
  public var missing: [Part] { parts.filter { !$0.isShown } }

  private static func parts(of view: ViewState, _ document: String) -> [Part] {
    var all: [Part] = []
    for (index, layer) in view.layers.enumerated() {
      let name = layer.name.isEmpty ? "\(index)" : layer.name
      func add(_ text: String) { all.append(Part(document: document, layer: name, name: text)) }
      for at in layer.renderer.classNames.indices { add(className(at, layer)) }
      if layer.renderer.defaultSymbol != nil { add(className(-1, layer)) }
      if layer.labelsAreEnabled {
        for labels in layer.labelDefinitions { add("labels \"\(labels.displayName)\"") }
      }
      for filter in layer.displayFilter?.availableFilters ?? [] { add("display filter \"\(filter.name)\"") }
      for bound in ScaleBound.all(of: layer) {
        for side in ["below", "above"] { add(sideName(bound, side)) }
      }
    }
    return all
  }

  private static func className(_ index: Int, _ layer: LayerState) -> String {
    guard index >= 0 else { return "default symbol" }
    let name = layer.renderer.classNames[index]
    return name.isEmpty ? "symbol" : "class \"\(name)\""
  }

  private static func sideName(_ bound: ScaleBound, _ side: String) -> String {
    "\(bound.name) 1:\(JSONWriter.text(of: bound.scale)), \(side)"
  }

  private static func shown(
    _ view: ViewState, _ record: PictureRecord, _ document: String
  ) -> [Part] {
    var all: [Part] = []
    let features = record.layers.filter { !$0.isLabels }
    let scale = view.viewpoint.scale
    for (index, layer) in view.layers.enumerated() where features.indices.contains(index) {
      let name = layer.name.isEmpty ? "\(index)" : layer.name
      func add(_ text: String) { all.append(Part(document: document, layer: name, name: text)) }
      let own = features[index]
      for at in own.drawnClasses {
        if at < 0 {
          add("default symbol")
        } else {
          // With only one class, the record names it as it does in the whole renderer.
          let label = own.className(ofIndex: at) ?? ""
          add(label.isEmpty ? "symbol" : "class \"\(label)\"")
        }
      }
      let labels = record.layers.first { $0.isLabels && $0.name == own.name }
      let drawnLabels = labels?.drawnClasses ?? []
      for at in drawnLabels where layer.labelDefinitions.indices.contains(at) {
        add("labels \"\(layer.labelDefinitions[at].displayName)\"")
      }
      if !own.items.isEmpty, let active = layer.displayFilter?.activeFilter(atScale: scale) {
        add("display filter \"\(active.name)\"")
      }
      guard layer.isVisible else { continue }
      for bound in ScaleBound.all(of: layer) {
        let isBelow = bound.isMinimum ? scale <= bound.scale : scale < bound.scale
        let isInside = isBelow == bound.isMinimum
        // The side inside a range shows what the range limits.
        let shows = bound.labelClass.map { drawnLabels.contains($0) } ?? !own.items.isEmpty
        if isInside ? shows : true { add(sideName(bound, isBelow ? "below" : "above")) }
      }
    }
    return all
  }
}

extension PictureRecord {
  /// Whether a label of a label class of a layer is drawn.
  func shows(labels labelClass: Int, ofLayer index: Int) -> Bool {
    let features = layers.filter { !$0.isLabels }
    guard features.indices.contains(index) else { return false }
    let name = features[index].name
    return layers.contains { $0.isLabels && $0.name == name && $0.drawnClasses.contains(labelClass) }
  }
}

extension SnapshotCase {
  /// The path of the document without `..`, below the current folder if it is there, or its address, or the name of the
  /// case that contains a map.
  fileprivate var documentName: String {
    guard let document = json["document"]?.string else { return name }
    guard SourceAddress.scheme(of: document) == nil else { return SourceAddress.shown(document) }
    let path = FilePath.join(folder, document)
    guard let real = FileAccess.realPath(path) else { return path }
    guard let here = FileAccess.realPath("."), real.hasPrefix(here + "/") else { return real }
    return String(real.dropFirst(here.count + 1))
  }

  /// Returns the case with all layers and classes, and with the document's filters.
  fileprivate func withoutSelection() throws(MapStateError) -> SnapshotCase {
    guard var object = json.object else { return self }
    for key in ["only", "hide", "show", "filters", "definition", "displayFilter", "layout", "expect"] {
      object[key] = nil
    }
    var whole = try SnapshotCase(.object(object), folder: folder, name: name)
    (whole.services, whole.standIns, whole.now) = (services, standIns, now)
    return whole
  }
}
