import MapDocuments
public import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapScript
public import MapState
import MapSystem

/// A generator of snapshot cases for the symbology of a document, or for the zooms of a style.
///
/// It makes cases for each class of each layer's renderer, in each filter mode that has an effect, at three scales
/// around the class's own features. Cases of the whole map show labels, both sides of each scale bound, and each
/// display filter.
public struct CaseGenerator: Sendable {
  /// A case that can be written, or one that is left out.
  public struct Case: Sendable {
    /// The path below the folder of cases: `LAYER/CLASS-FILTERS-SCALE`, or `map/NAME` for the whole map.
    public let name: String
    /// The text of `case.json`.
    public let text: String
    /// The reason why the case is left out; nil for one that can be written.
    public let omission: String?
    /// Whether the case is left out.
    public var isBlank: Bool { omission != nil }
  }

  /// The width and height of the images in view pixels.
  public var size = (width: 320.0, height: 240.0)
  /// The access to services that the document names.
  public var services = ServiceAccess()
  /// The replacements for services that the document names; nil for those of the environment.
  public var standIns: StandInCatalog?
  /// The current time of filters and expressions, which the cases get as `now`; nil for the system clock.
  public var now: Instant?
  /// The tables whose columns are added to layers, also in the cases.
  public var joins = TableJoins()
  let document: String

  /// The number of pixels that features must have in a case.
  ///
  /// - Source: design decision; a colour that changes by a few steps is visible in so many.
  static let leastPixels = 100

  /// Creates a generator for a document at a path.
  public init(document: String) { self.document = document }

  /// A view of a case, before it is drawn.
  private struct Plan {
    let name: String
    let title: String
    let center: Point
    let scale: Double
    var members: [(String, JSONValue)] = []
    /// Further centres, for an image of one colour or without the label class.
    var otherCenters: [Point] = []
    /// The label class that the case must show, with the index of its layer.
    var labels: (layer: Int, index: Int)?
  }

  /// Generates the cases for a folder, and draws each one to find out what it shows.
  ///
  /// A case with too few pixels of features is drawn with more output pixels per view pixel, and left out if these
  /// are too few as well.
  ///
  /// - Throws: `MapStateError` if the document cannot be opened or drawn.
  public func generate(
    into root: String, _ receive: (Case) throws(MapStateError) -> Void
  ) async throws(MapStateError) {
    let opened = try await open()
    if let style = opened.map.operationalLayers.lazy.compactMap({ ($0 as? VectorTiledLayer)?.style }).first,
      opened.style != nil
    {
      return try await generate(ofStyle: style, opened, into: root, receive)
    }
    let start = try await state(opened, .document).viewpoint
    var names: Set<String> = []
    func unused(_ name: String) -> String {
      var (free, count) = (name, 2)
      while !names.insert(free).inserted {
        free = "\(name)-\(count)"
        count += 1
      }
      return free
    }
    var taken: Set<String> = ["map"]
    for (index, item) in opened.layers.enumerated() {
      let title = item.layer.title.isEmpty ? item.layer.id : item.layer.title
      var topic = Self.slug(title, or: "layer-\(index)")
      if !taken.insert(topic).inserted {
        topic += "-\(index)"
        taken.insert(topic)
      }
      for plan in try await plans(of: index, item, topic: topic, in: opened, start) {
        try await receive(made(plan, unused(plan.name), start, in: root))
      }
      if !item.layer.isVisible {
        try receive(Case(name: unused(topic), text: "", omission: "the layer is not visible"))
      }
    }
    for plan in try await mapPlans(opened, start) {
      try await receive(made(plan, unused(plan.name), start, in: root))
    }
  }

  // MARK: Cases of a class

  private func plans(
    of index: Int, _ item: OpenedLayer, topic: String, in opened: MapDocument, _ start: ResolvedViewpoint
  ) async throws(MapStateError) -> [Plan] {
    guard item.layer.isVisible else { return [] }
    let title = item.layer.title.isEmpty ? item.layer.id : item.layer.title
    let isAmbiguous =
      title.isEmpty || opened.layers.count { $0.layer.title == title || $0.layer.id == title } > 1
    let renderer = item.layer.renderer.form
    let names = renderer.classNames
    var plans: [Plan] = []
    for mode in Self.modes(of: item) {
      let state = try await state(open(), mode)
      guard state.layers.indices.contains(index) else { continue }
      let layer = state.layers[index]
      for classIndex in Array(names.indices) + (renderer.defaultSymbol == nil ? [] : [-1]) {
        let scales = Self.scales(ofClass: classIndex, layer)
        let views = try await FeatureViews(of: layer, class: classIndex, in: state).views(
          size: size, start: start, minScale: scales.minScale, maxScale: scales.maxScale)
        let label = classIndex < 0 ? "default" : names[classIndex]
        let shown = "\(title.isEmpty ? "Layer \(index)" : title)\(label.isEmpty ? "" : ", class \(label)")"
        let className =
          classIndex < 0 ? "default" : Self.numbered(classIndex, label)
        for view in views {
          plans.append(
            Plan(
              name: "\(topic)/\(className)-\(mode.rawValue)-\(view.word)",
              title: "\(shown): filters \(mode.rawValue), \(view.word) scale.", center: view.center,
              scale: view.scale,
              members: [
                ("filters", .string(mode.rawValue)),
                (
                  "only",
                  ["layer": .string(isAmbiguous ? "\(index)" : title), "class": .number(classIndex)]
                ),
              ]))
        }
        if views.isEmpty {
          plans.append(
            Plan(
              name: "\(topic)/\(className)-\(mode.rawValue)", title: "", center: start.center, scale: 0))
        }
      }
    }
    return plans
  }

  /// Returns the scales at which a class is drawn: those of the layer, and those of its rule.
  private static func scales(ofClass index: Int, _ layer: LayerState) -> (minScale: Double, maxScale: Double)
  {
    guard case .rules(let renderer) = layer.renderer, index >= 0 else {
      return (layer.minScale, layer.maxScale)
    }
    let rule = renderer.rules[index]
    // The smallest scale of a rule is not in its range.
    let limits = [layer.minScale, rule.minScale * 0.999].filter { $0 > 0 }
    return (limits.min() ?? 0, max(layer.maxScale, rule.maxScale))
  }

  // MARK: Cases of the whole map

  /// Returns the cases of the whole map: at its own view, around all features, on both sides of each scale bound, and
  /// under each display filter.
  private func mapPlans(
    _ opened: MapDocument, _ start: ResolvedViewpoint
  ) async throws(MapStateError) -> [Plan] {
    let state = try await state(opened, .document)
    var plans = [
      Plan(
        name: "map/start", title: "The whole map at its initial view, which the case keeps.",
        center: start.center, scale: start.scale)
    ]
    var boxes: [Envelope] = []
    for (index, layer) in state.layers.enumerated() where layer.isVisible {
      let own = try await FeatureViews(of: layer, class: nil, in: state)
      boxes += own.boxes
      let title = layer.name.isEmpty ? "Layer \(index)" : layer.name
      let topic = Self.slug(layer.name, or: "layer-\(index)")
      for bound in ScaleBound.all(of: layer) {
        for (side, factor) in [("below", 0.98), ("above", 1.02)] {
          let scale = bound.scale * factor
          guard ResolvedViewpoint.scaleLimits.contains(scale) else { continue }
          // The features that a display filter leaves depend on the scale.
          let there = try await self.state(opened, .document, scale: bound.inside(scale))
          let labels = bound.labelClass.map { layer.labelDefinitions[$0] }
          let views = try await FeatureViews(of: there.layers[index], class: nil, labels: labels, in: there)
          let centers = views.centers.isEmpty ? own.centers : views.centers
          guard let center = centers.first else { continue }
          let isInside = (side == "below") == bound.isMinimum
          plans.append(
            Plan(
              name: "map/\(topic)-\(Self.slug(bound.name, or: "scale"))-\(side)",
              title: "\(title), \(bound.name): 2 % \(side) the bound.", center: center, scale: scale,
              otherCenters: Array(centers.dropFirst()),
              labels: isInside ? bound.labelClass.map { (index, $0) } : nil))
        }
      }
      plans += try await labelPlans(of: index, layer, topic: topic, title: title, in: state, opened, start)
      if case .manual(let manual)? = layer.displayFilter {
        for filter in manual.availableFilters where filter != manual.activeFilter {
          plans.append(
            Plan(
              name: "map/\(topic)-filter-\(Self.slug(filter.name, or: filter.filterID))", title: "",
              center: start.center, scale: -1))
        }
      }
    }
    for view in FeatureViews(boxes).views(size: size, start: start, minScale: 0, maxScale: 0) {
      plans.append(
        Plan(
          name: "map/\(view.word)", title: "The whole map, \(view.word) scale.", center: view.center,
          scale: view.scale))
    }
    return plans
  }

  /// Returns a case for each label class that has no scale bound, around the features that it labels.
  private func labelPlans(
    of index: Int, _ layer: LayerState, topic: String, title: String, in state: ViewState,
    _ opened: MapDocument, _ start: ResolvedViewpoint
  ) async throws(MapStateError) -> [Plan] {
    guard layer.labelsAreEnabled else { return [] }
    var plans: [Plan] = []
    for (place, labels) in layer.labelDefinitions.enumerated()
    where labels.minScale <= 0 && labels.maxScale <= 0 {
      let name = labels.name.isEmpty ? "\(place)" : labels.name
      let views = try await FeatureViews(of: layer, class: nil, labels: labels, in: state)
      let near = views.views(size: size, start: start, minScale: layer.minScale, maxScale: layer.maxScale)
        .first
      guard let near else { continue }
      let there = try await self.state(opened, .document, scale: near.scale)
      let shown = try await FeatureViews(of: there.layers[index], class: nil, labels: labels, in: there)
      plans.append(
        Plan(
          name: "map/\(topic)-labels-\(Self.slug(name, or: "\(place)"))", title: "\(title), labels \(name).",
          center: shown.centers.first ?? near.center, scale: near.scale,
          otherCenters: Array(shown.centers.dropFirst()), labels: (index, place)))
    }
    return plans
  }

  // MARK: Drawing

  /// Returns the case of a plan, drawn with as many output pixels as its features need.
  private func made(
    _ plan: Plan, _ name: String, _ start: ResolvedViewpoint, in root: String
  ) async throws(MapStateError) -> Case {
    guard plan.scale > 0 else {
      let reason = plan.scale < 0 ? "the display filter is not active" : "no feature has the class"
      return Case(name: name, text: "", omission: reason)
    }
    var most = 0
    var (isBlank, lacksLabels) = (false, false)
    for center in [plan.center] + plan.otherCenters {
      for ratio in [1.0, 2, 4] {
        let value = json(of: plan, name, center: center, ratio: ratio, start, in: root)
        let drawn = try await SnapshotCase(value, folder: "\(root)/\(name)", name: name).draw(
          document: open())
        let details = try await PictureDetails(drawn)
        let pixels = details.ownedPixels
        most = max(most, pixels)
        isBlank = isBlank || pixels > 0 && drawn.isBlank
        let shows = plan.labels.map { details.record.shows(labels: $0.index, ofLayer: $0.layer) } ?? true
        lacksLabels = lacksLabels || pixels > 0 && !drawn.isBlank && !shows
        if pixels >= Self.leastPixels, !drawn.isBlank, shows {
          return Case(name: name, text: value.text(style: .pretty) + "\n", omission: nil)
        }
        // More output pixels help neither an image without features nor one of a single colour.
        if pixels == 0 && ratio == 2 || drawn.isBlank && pixels > 0 { break }
      }
    }
    let reason =
      most == 0
      ? "no feature is drawn"
      : lacksLabels
        ? "the label class is not drawn"
        : isBlank
          ? "all pixels have one colour" : "features have \(most) pixels, fewer than \(Self.leastPixels)"
    return Case(name: name, text: "", omission: reason)
  }

  private func json(
    of plan: Plan, _ name: String, center: Point, ratio: Double, _ start: ResolvedViewpoint, in root: String
  ) -> JSONValue {
    var json: JSONObject = [
      "title": .string(plan.title), "document": .string(Self.relative(document, from: "\(root)/\(name)")),
      "size": [.number(size.width), .number(size.height)],
      "viewpoint": [
        "center": [
          "x": .number(center.x), "y": .number(center.y),
          "spatialReference": ["wkid": .number(start.reference.wkid)],
        ], "scale": .number(plan.scale), "rotation": .number(start.rotation),
      ],
      // A row that is added elsewhere must not fail the case.
      "counts": "drawn",
    ]
    if ratio > 1 { json["pixelRatio"] = .number(ratio) }
    if let now { json["now"] = .string(now.description) }
    let texts = joins.texts { Self.relative($0, from: "\(root)/\(name)") }
    if !texts.isEmpty { json["join"] = .array(texts.map { .string($0) }) }
    if joins.takesFirst { json["joinFirst"] = true }
    for (key, value) in plan.members { json[key] = value }
    return .object(json)
  }

  private func state(
    _ opened: MapDocument, _ mode: FilterMode, scale: Double? = nil
  ) async throws(MapStateError) -> ViewState {
    var request = ViewRequest()
    request.size = ViewSize(width: size.width, height: size.height)
    (request.filterMode, request.now) = (mode, now)
    let view = try await opened.view(request)
    guard let scale else { return view.freeze() }
    request.place = .center(view.freeze().viewpoint.center, scale: scale)
    return try await opened.view(request).freeze()
  }

  private func open() async throws(MapStateError) -> MapDocument {
    do {
      var catalog = SourceCatalog(allowedFolders: ["/"], standIns: standIns, services: services)
      catalog.joins = joins
      return try await MapDocument.open(document, catalog: catalog)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the filter modes that differ for a layer.
  private static func modes(of item: OpenedLayer) -> [FilterMode] {
    let hasDefinition = !item.document.definitionExpression.isEmpty
    let hasDisplay = item.document.displayFilter != nil
    return [.none] + (hasDefinition ? [.definition] : []) + (hasDisplay ? [.display] : [])
      + (hasDefinition && hasDisplay ? [.document] : [])
  }

  // MARK: Names

  private static func numbered(_ index: Int, _ label: String) -> String {
    let words = slug(label, or: "")
    return words.isEmpty ? "\(index)" : "\(index)-\(words)"
  }

  /// Returns a text as part of a path: letters and digits in lower case, with a hyphen for all other characters.
  static func slug(_ text: String, or other: String) -> String {
    let parts = text.lowercased().split { !($0.isLetter || $0.isNumber) }
    return parts.isEmpty ? other : String(parts.joined(separator: "-").prefix(40))
  }

  /// Returns a path relative to a folder that may not exist yet; an address stays, without its secrets.
  static func relative(_ path: String, from folder: String) -> String {
    let fragment = path.lastIndex(of: "#").map { String(path[$0...]) } ?? ""
    guard SourceAddress.scheme(of: path) == nil else {
      return ServiceAccess.withoutSecrets(String(path.dropLast(fragment.count))) + fragment
    }
    let file = FileAccess.realPath(String(path.dropLast(fragment.count))) ?? path
    // The existing part of the folder may be a link.
    var (known, rest) = (folder, [Substring]())
    while FileAccess.realPath(known.isEmpty ? "." : known) == nil, !known.isEmpty {
      rest.insert(known.split(separator: "/").last ?? "", at: 0)
      known = FilePath.folder(of: known)
    }
    let base = (FileAccess.realPath(known) ?? known).split(separator: "/") + rest
    let target = file.split(separator: "/")
    let common = zip(base, target).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: base.count - common)
    return (up + target[common...].map { String($0) }).joined(separator: "/") + fragment
  }
}
