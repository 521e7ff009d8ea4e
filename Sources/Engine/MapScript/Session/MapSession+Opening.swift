import MapJSON
import MapModel
import MapReaders
import MapState
import MapSystem

/// The steps that open a map and add layers to it.
extension MapSession {
  mutating func open(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let source = try MapStateError.reading { try step.string("source") }
    var request = try ViewRequest(step)
    request.now = request.now ?? now
    let dotsPerInch = request.applyMedium(dotsPerInch: try Self.dotsPerInch(step))
    let style = try StyleRequest(step).reading(in: [folder, "."])
    let asked = try LayoutRequest(step, in: [folder, "."])
    let drawing = try DrawingRequest(step)
    var catalog = catalog(for: request)
    catalog.drawingData = try MapStateError.reading { try step.string("data").map { file($0) } }
    var choice = LayerChoice()
    // A hidden layer that cannot be read does not prevent opening; a query of it is an error later.
    choice.skipsHiddenUnavailable = true
    choice.readsBasemap = !drawing.noBasemap && drawing.basemap == nil
    choice.skipsUnavailable = try MapStateError.reading {
      try step.boolean("skipUnavailable") ?? false
    }
    let document: MapDocument
    if let source {
      document = try await opened(source, catalog, choice).styled(style, for: request)
    } else {
      guard style == StyleRequest() else {
        throw MapStateError(.usage, "a map without \"source\" has no layer to style; style the step \"add\"")
      }
      document = try await MapDocument.open(
        json: ["operationalLayers": []], name: "the map", folder: folder, catalog: catalog, choice: choice)
    }
    try await drawing.apply(to: document, &request, catalog: catalog, folders: [folder])
    let layout = asked.layout()
    let view = try await document.page(request, layout).view
    request.keepsLayers = true
    (opened, isClosed, page, told) = ((document, view), false, (layout, request.size), [])
    (self.request, self.drawing, self.dotsPerInch, isMoved) = (request, drawing, dotsPerInch, false)
    let place = request.placeWarning(on: document.map.spatialReference).map { [$0] } ?? []
    let unused = asked.unused.map {
      "\"\($0)\" has no effect: no legend is requested; add \"legend\""
    }
    let warnings =
      (document.warnings + document.basemapWarnings).map { MessageText.line("\($0)") } + place + unused
    return answer(document, warnings: warnings + drawing.warnings(of: document, shown: view.freeze()))
  }

  /// Adds the layers of data or of a web map above those of the map; a view that no step has moved then shows them, too.
  mutating func add(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let (source, title, attribution) = try MapStateError.reading {
      (try step.required("source").string(), try step.string("title"), try step.string("attribution"))
    }
    var asked = try ViewRequest(step, SessionStep.dataFields + ["definition", "where"])
    asked.now = view.now
    var style = try StyleRequest(step).reading(in: [folder, "."])
    var choice = LayerChoice()
    (choice.skipsHiddenUnavailable, choice.readsBasemap) = (true, false)
    let found = try await opened(source, catalog(for: asked), choice)
    // The title of data is the heading of their classes.
    if found.isPlainData, style != StyleRequest() { style.heading = title }
    var styled = try await found.styled(style, for: asked)
    if let attribution, !attribution.isEmpty { styled = styled.attributed(to: attribution) }
    try styled.applyFilters(asked, mode: nil, to: [])
    let warnings = styled.warnings.map { MessageText.line("\($0)") }
    let all = document.adding(styled, titled: title)
    opened = (all, view)
    if !isMoved {
      let new = try await all.page(request, page.layout).view
      (new.timeExtent, new.now) = (view.timeExtent, view.now)
      opened = (all, new)
    }
    return answer(all, warnings: warnings, notes: styled.notes)
  }

  /// Returns the output pixels per inch of a step; nil for none.
  static func dotsPerInch(_ step: JSONNode) throws(MapStateError) -> Double? {
    guard let node = step["dpi"] else { return nil }
    return try node.decoding { node in
      let number = try node.double()
      guard (96...384).contains(number) else {
        throw node.invalid("\"dpi\" is \(number); it must be 96 to 384")
      }
      guard step["pixelRatio"] == nil else {
        throw node.invalid("\"dpi\" contradicts \"pixelRatio\"; give one of them")
      }
      return number
    }
  }

  /// Returns the catalogue that opens the source of a step.
  private func catalog(for request: ViewRequest) -> SourceCatalog {
    var catalog = catalog
    if request.reading != ReadingOptions() { catalog.reading = request.reading }
    if !request.styleTiles.isEmpty { catalog.styleTiles = request.styleTiles(in: [folder, "."]) }
    if request.joins != TableJoins() {
      catalog.joins = request.joins(in: [folder, "."])
    } else {
      catalog.joins.layer = request.joins(in: []).layer
      catalog.joins.readsStandardInput = false
    }
    return catalog
  }

  /// Returns a path in the session's folder if a file is there; else the path.
  private func file(_ path: String) -> String {
    let inFolder = FilePath.join(folder, path)
    return FileAccess.exists(inFolder) ? inFolder : path
  }

  private func opened(
    _ source: String, _ catalog: SourceCatalog, _ choice: LayerChoice
  ) async throws(MapStateError) -> MapDocument {
    guard source != "-" else {
      throw MapStateError(.input, "\"source\" must name a file: standard input carries the steps")
    }
    do {
      return try await MapDocument.open(file(source), catalog: catalog, choice: choice)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the answer to a step that opens layers.
  private func answer(
    _ document: MapDocument, warnings: [String], notes: [String]? = nil
  ) -> [(String, JSONValue)] {
    let layers: [JSONValue] = document.layers.map { item in
      [
        "layer": .string(item.layer.displayName), "id": .string(item.layer.id),
        "geometryType": item.layer.source.schema.geometryKind.map { .string($0.rawValue) } ?? .null,
        "features": item.unreadReason == nil ? .number(item.layer.source.rowCount) : .null,
        "visible": .boolean(item.layer.isVisible), "definition": .string(item.layer.definitionExpression),
      ]
    }
    let lines = (notes ?? document.notes).map { JSONValue.string(MessageText.line($0)) }
    return [("layers", .array(layers)), ("warnings", .array(warnings.map { .string($0) }))]
      + (lines.isEmpty ? [] : [("notes", .array(lines))])
  }
}
