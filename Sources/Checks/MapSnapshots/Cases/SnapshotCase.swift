import MapDocuments
public import MapFilter
import MapImages
public import MapJSON
package import MapScript
public import MapState
import MapSystem

/// A regression test of an image: a folder with `case.json`, which defines the view, and a reference image.
///
/// - Source: the keys are a design decision, specified in `case.schema.json`.
public struct SnapshotCase: Sendable {
  /// The folder's path below the folder of cases, such as `renderers/unique-values`.
  public let name: String
  /// The folder.
  public let folder: String
  /// A sentence that describes the image.
  public let title: String?
  /// The allowed difference.
  public let tolerance: SnapshotTolerance
  /// The areas with a larger allowed difference.
  public let masks: [SnapshotMask]
  /// The reason for a wider tolerance or for skipping the case.
  public let reason: String?
  /// Whether the case is skipped.
  public let isSkipped: Bool
  /// Whether the image is expected to show no feature.
  public let isBlank: Bool
  /// Whether styles, texts and positions are compared with the record, besides the image.
  public let comparesRecord: Bool
  /// The stages of the funnel that are compared with the record.
  public let counts: CountComparison
  /// The numbers that the case must show.
  public let expectations: [SnapshotExpectation]
  /// The parts of the image besides the map; nil for an image of the map alone.
  public let layout: PageLayout?
  /// The access to services that its document names.
  public var services = ServiceAccess()
  /// The replacements for services that its document names; nil for those of the environment.
  public var standIns: StandInCatalog?
  /// The current time of filters and expressions if `case.json` has no `now`; nil for the system clock.
  public var now: Instant?
  /// Whether a filter that selects the same rows by other means is a failure.
  public var exactFilters = false
  /// The tables that other cases of the run have read.
  var recentTables: RecentTables?
  /// Whether a layer or class of `only` may be missing in the document: nothing of it is drawn then.
  var allowsMissingClass = false
  /// The further references that the case accepts.
  let others: [OtherReference]
  /// The paths of the fonts, relative to the folder.
  let fonts: [String]
  let json: JSONValue

  /// The counts that are compared with those of the reference.
  public enum CountComparison: String, Hashable, Sendable, CaseIterable {
    /// All stages of the filter funnel.
    case exact
    /// Only the stages of drawn features, so that rows outside the image may be added.
    case drawn
    /// None.
    case none
  }

  /// The keys of `case.json`: those of a view and of a style, and its own.
  package static let keys =
    ViewRequest.names + StyleRequest.names + drawingKeys + [
      "$schema", "title", "document", "data", "map", "fonts", "tolerance", "masks", "references", "reason",
      "skip",
      "blank",
      "expect", "layout", "compare", "counts",
    ]

  /// The keys of a drawing; a case has `fonts` for several fonts, and no cells or other painters.
  private static let drawingKeys = DrawingRequest.names.filter {
    !["aggregate", "font", "painter"].contains($0)
  }

  /// Reads a case.
  ///
  /// - Throws: `MapStateError` that names the file and JSON path; an unknown key is an error, so that misspelt keys are
  ///   not ignored.
  public init(folder: String, name: String) throws(MapStateError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: FileAccess.read("\(folder)/case.json"), limits: WebMap.limits)
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(folder)/case.json: \(error)")
    }
    try self.init(json, folder: folder, name: name)
  }

  /// Creates a case from its JSON; relative paths start at `folder`.
  ///
  /// - Throws: `MapStateError`.
  public init(_ json: JSONValue, folder: String, name: String) throws(MapStateError) {
    (self.folder, self.name, self.json) = (folder, name, json)
    do {
      let root = JSONNode(json)
      guard root["aggregate"] == nil else {
        throw root.invalid(
          "a case has no \"aggregate\", because its record names the feature of each pixel; compare the image in a "
            + "script of mapstate run, by the step \"expect\" with \"image\" and \"aggregate\"")
      }
      try root.refuseUnknown(Self.keys)
      title = try root.string("title")
      tolerance =
        try root["tolerance"].map { node throws(JSONDecodingError) in try SnapshotTolerance(node) } ?? .init()
      masks = try root.elements("masks").map { node throws(JSONDecodingError) in try SnapshotMask(node) }
      others = try root.elements("references").map { node throws(JSONDecodingError) in
        try OtherReference(node)
      }
      reason = try root.string("reason")
      isSkipped = try root.boolean("skip") ?? false
      isBlank = try root.boolean("blank") ?? false
      let compare = try root.string("compare") ?? "record"
      guard ["record", "image"].contains(compare) else {
        throw root.invalid("\"compare\" is \"\(compare)\"; it must be record or image")
      }
      comparesRecord = compare == "record"
      let counts = try root.string("counts") ?? CountComparison.exact.rawValue
      guard let comparison = CountComparison(rawValue: counts) else {
        let words = CountComparison.allCases.map(\.rawValue).joined(separator: ", ")
        throw root.invalid("\"counts\" is \"\(counts)\"; it must be one of \(words)")
      }
      self.counts = comparison
      fonts = try root.elements("fonts").map { node throws(JSONDecodingError) in try node.string() }
      guard fonts.count <= FontFile.largestCount else {
        throw root.invalid("\(fonts.count) fonts; at most \(FontFile.largestCount) are used")
      }
      expectations =
        try root["expect"].map { try SnapshotExpectation.all($0) } ?? []
      layout = try root["layout"].map { node in
        try node.refuseUnknown(LayoutRequest.names + ["template"])
        let request = try LayoutRequest(node, in: [folder])
        if let name = request.unused.first {
          throw node.invalid("\"\(name)\" has no effect without \"legend\"")
        }
        return request.layout()
      }
      if tolerance.isWiderThanUsual || isSkipped, reason?.isEmpty ?? true {
        throw root.invalid("a wider tolerance or a skip needs a \"reason\"")
      }
      let hasStyle = try style() != StyleRequest()
      if hasStyle, root["map"] != nil {
        throw root.invalid(
          "a \"map\" sets its own symbols; keys such as \"colorBy\" need plain data as \"document\"")
      }
      guard (root["document"] == nil) != (root["map"] == nil) else {
        throw root.invalid("expected either \"document\" or \"map\"")
      }
      _ = try root.string("data")
    } catch {
      throw Self.named(error, folder)
    }
  }

  /// Returns an error with the name of the case's file.
  private static func named(_ error: any Error, _ folder: String) -> MapStateError {
    let error = MapStateError(error)
    let file = "\(folder)/case.json: "
    // An error of the document in the file names the file already.
    return "\(error)".hasPrefix(file)
      ? error
      : MapStateError(
        error.kind, "\(file)\(error)", detail: error.detail, path: error.path,
        suggestion: error.suggestion)
  }

  /// Creates a case that code draws: only the folder of its reference files and the allowed difference.
  ///
  /// - Throws: `MapStateError` for a tolerance wider than usual without a reason.
  public init(
    folder: String, name: String, tolerance: SnapshotTolerance = SnapshotTolerance(), reason: String? = nil,
    isBlank: Bool = false
  ) throws(MapStateError) {
    (self.folder, self.name, self.tolerance, self.reason) = (folder, name, tolerance, reason)
    (self.isBlank, isSkipped, title, masks, expectations, json) = (isBlank, false, nil, [], [], .null)
    (fonts, layout, others) = ([], nil, [])
    (comparesRecord, self.counts) = (true, .exact)
    if tolerance.isWiderThanUsual, reason?.isEmpty ?? true {
      throw MapStateError(.input, "\(name): a wider tolerance needs a reason")
    }
  }

  /// Returns the view that the case draws.
  ///
  /// - Throws: `MapStateError`.
  public func view() async throws(MapStateError) -> MapView { try await view(of: nil) }

  /// Returns the view that the case draws, with a document that is already open.
  func view(of document: MapDocument?) async throws(MapStateError) -> MapView {
    try await page(of: document).view
  }

  /// Returns the page that the case draws, and its view; with a document that is already open, if there is one.
  ///
  /// `missing` describes a layer or class of `only` that the document does not have.
  ///
  /// - Parameter hasLayout: whether the case's layout is used; its parts need layers without faults.
  func page(
    of document: MapDocument?, hasLayout: Bool = true
  ) async throws(MapStateError) -> (page: MapPage?, view: MapView, missing: String?) {
    let root = JSONNode(json)
    do {
      // Cases share documents and data of the project outside their own folder.
      var catalog = SourceCatalog(allowedFolders: ["/"], standIns: standIns, services: services)
      var request = try request()
      let drawing = try DrawingRequest(root)
      catalog.recentTables = recentTables
      (catalog.reading, catalog.joins) = (request.reading, request.joins(in: [folder]))
      catalog.styleTiles = request.styleTiles(in: [folder])
      catalog.drawingData = try root.string("data").map { SourceAddress.join(folder, $0) }
      var choice = LayerChoice()
      choice.skipsHiddenUnavailable = true
      choice.readsBasemap = !drawing.noBasemap && drawing.basemap == nil
      let opened: MapDocument
      if let document {
        opened = document
      } else if let document = try root.string("document") {
        opened = try await MapDocument.open(
          SourceAddress.join(folder, document), catalog: catalog, choice: choice
        ).styled(style().reading(in: [folder]), for: request)
      } else {
        opened = try await MapDocument.open(
          json: root.required("map").value, name: "\(folder)/case.json", folder: folder, catalog: catalog,
          choice: choice)
      }
      opened.map.fonts = try fonts.map { path throws(MapStateError) in
        try FontFile(path: FilePath.join(folder, path))
      }
      try await drawing.apply(to: opened, &request, catalog: catalog, folders: [folder])
      let only = root["only"].flatMap { $0.value.object == nil ? nil : $0 }
      guard hasLayout, let layout else {
        let view = try await opened.view(request)
        return (nil, view, try only.flatMap { try opened.show($0, allowsMissing: allowsMissingClass) })
      }
      let missing = try only.flatMap { try opened.show($0, allowsMissing: allowsMissingClass) }
      let (page, view) = try await opened.page(request, layout)
      return (page, view, missing)
    } catch {
      throw Self.named(error, folder)
    }
  }

  /// Returns the view that the case requests; the object form of `only` is left out.
  package func request() throws(MapStateError) -> ViewRequest {
    let hasClass = json["only"]?.object != nil
    var request = try ViewRequest(JSONNode(json), ViewRequest.names.filter { $0 != "only" || !hasClass })
    request.now = request.now ?? now
    return request
  }

  /// Returns the style that the case requests for plain data.
  package func style() throws(MapStateError) -> StyleRequest { try StyleRequest(JSONNode(json)) }

  /// Returns the mask of an image of a given size; nil without masks.
  ///
  /// - Throws: `MapStateError` if the image of a mask cannot be read or has another size.
  func mask(_ size: ImageSize) throws(MapStateError) -> ImageMask? {
    guard !masks.isEmpty else { return nil }
    do {
      var mask = try ImageMask(width: size.width, height: size.height)
      for item in masks {
        switch item.area {
        case .rectangle(let rectangle, let channel): mask.allow(channel, in: rectangle)
        case .picture(let name):
          let picture = try Bitmap(pngData: FileAccess.read("\(folder)/\(name)"))
          guard ImageSize(picture) == size else {
            throw MapStateError(
              .input, "\(folder)/\(name): the mask is \(ImageSize(picture)), the image \(size)")
          }
          mask.allow(picture)
        }
      }
      return mask
    } catch {
      throw MapStateError(error)
    }
  }
}

extension MapDocument {
  /// Shows only one class of one layer; class -1 is the default symbol.
  ///
  /// Returns a description of the layer or class if the document does not have it and `allowsMissing` is true.
  fileprivate func show(_ only: JSONNode, allowsMissing: Bool) throws -> String? {
    try only.refuseUnknown(["layer", "class"])
    let name = try only.required("layer").string()
    let index = try only.integer("class")
    guard let shown = try allowsMissing && !hasLayer(named: name) ? nil : layer(named: name).layer else {
      for layer in layers.map(\.layer) { layer.isVisible = false }
      return "the layer \"\(name)\""
    }
    for layer in layers.map(\.layer) where layer !== shown { layer.isVisible = false }
    guard let index else { return nil }
    if let renderer = shown.renderer.form.showing(onlyClass: index) {
      shown.renderer = renderer
      return nil
    }
    guard allowsMissing else {
      throw only.invalid(
        "no class \(index); the renderer has \(shown.renderer.form.classSymbols.count) classes")
    }
    shown.renderer = shown.renderer.form.showingNothing(insteadOfClass: index)
    return index == -1 ? "the default symbol of \"\(name)\"" : "class \(index) of \"\(name)\""
  }

  private func hasLayer(named name: String) -> Bool { (try? layer(named: name)) != nil }
}
