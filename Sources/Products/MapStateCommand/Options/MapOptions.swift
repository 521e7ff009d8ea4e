import ArgumentParser
import MapReaders
package import MapScript
package import MapState

/// The source and the options that all commands on a map share.
package struct MapOptions: ParsableArguments {
  @Argument(
    help: "Web map document (JSON), data file, layer URL, item:ID, or - for standard input.",
    completion: .file())
  var source: String

  @OptionGroup(title: HelpGroup.view) var shape: ViewShape
  @OptionGroup(title: HelpGroup.layers) var layers: LayerSelection
  @OptionGroup(title: HelpGroup.filters) var filters: FilterOptions
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  package init() {}

  /// The layers to open: those of `--only`, else those of the rule, and those that options name.
  func choice(_ rule: LayerChoice.Rule) -> LayerChoice {
    var choice = LayerChoice()
    choice.rule = layers.only.isEmpty ? rule : .named
    choice.names = layers.only + [shape.fit].compactMap { $0 }.filter { $0 != ViewRequest.Place.allLayers }
    if rule == .named, layers.only.isEmpty { choice.names += [layers.layer].compactMap { $0 } }
    (choice.hidden, choice.shown) = (layers.hide, layers.show)
    return choice
  }

  /// Opens the source and reports its warnings.
  ///
  /// - Parameters:
  ///   - fields: the fields to read from files.
  ///   - choice: the layers of a document to open.
  ///   - fonts: the fonts of the user, whose families need no warning.
  ///   - indexUse: the use of the spatial indexes of files.
  ///   - passesRows: whether the rows are passed on and not kept.
  ///   - readsGeometry: whether the answer needs the geometries of a data source.
  ///   - takesTiles: whether another style than the source may take `--tiles`.
  ///   - comparesFilters: whether the answer may be about each mode of the filters.
  ///   - known: the catalogue of the options, if the command needs it too; a recording belongs to one.
  func open(
    _ fields: FieldSelection, _ choice: LayerChoice, fonts: [FontFile] = [], indexUse: IndexUse = .none,
    passesRows: Bool = false, readsGeometry: Bool = true, takesTiles: Bool = false,
    comparesFilters: Bool = false, catalog known: SourceCatalog? = nil
  ) async throws(MapStateError) -> MapDocument {
    guard filters.filters != .all || comparesFilters else {
      throw MapStateError(.usage, "--filters all is for count --funnel; give one mode")
    }
    var catalog = if let known { known } else { try sources.catalog() }
    (catalog.indexUse, catalog.passesRows) = (indexUse, passesRows)
    catalog.readsGeometry = readsGeometry
    catalog.joins.layer = layers.layer ?? (layers.only.count == 1 ? layers.only[0] : nil)
    let document = try await Progress.showing("reading \(SourceAddress.shown(source))") {
      () async throws(MapStateError) in
      do {
        return try await MapDocument.open(source, catalog: catalog, fields: fields, choice: choice)
      } catch {
        throw MapStateError(error)
      }
    }
    for warning in document.warnings where !warning.isSolved(by: fonts) { Warnings.add(warning) }
    for note in document.notes { Warnings.note(note) }
    if !takesTiles { sources.warnOfUnusedTiles([document]) }
    if filters.time != nil {
      for item in document.layers where item.unreadReason == nil {
        if let remark = item.layer.frozen.timeRemark { Warnings.add(remark) }
      }
    }
    if let padding = shape.padding?.value { warnOf(padding) }
    return document
  }

  /// Returns an opened document with the symbols and labels of a style, and reports its new warnings.
  func styled(
    _ document: MapDocument, _ style: StyleRequest, for request: ViewRequest, fonts: [FontFile]
  ) async throws(MapStateError) -> MapDocument {
    let styled = try await document.styled(style, for: request)
    for warning in styled.warnings where !warning.isSolved(by: fonts) { Warnings.add(warning) }
    for note in styled.notes { Warnings.note(note) }
    return styled
  }

  /// Warns of padding that is larger than the view.
  private func warnOf(_ padding: Double) {
    if padding * 2 >= min(shape.viewSize.width, shape.viewSize.height) {
      Warnings.add("--padding \(padding) is larger than the view; a smaller margin is applied")
    }
  }

  /// Warns of padding that the document's own viewpoint ignores.
  func warnOfPadding(_ document: MapDocument, _ request: ViewRequest) {
    if shape.padding != nil, request.place == nil, document.map.initialViewpoint != nil {
      Warnings.add("--padding is not applied: the view is the document's own viewpoint")
    }
  }

  /// Reports warnings found after opening, and geometries without a position on the map.
  func warnOfAnswers(in document: MapDocument, _ view: ViewState) async {
    for warning in document.laterWarnings { Warnings.add(warning) }
    for layer in view.layers where layer.readsAllRows {
      for warning in (try? await view.placeWarnings(of: layer)) ?? [] {
        Warnings.add("layer \"\(layer.name)\": \(warning)")
      }
    }
  }

  /// The view that the options request.
  ///
  /// - Parameters:
  ///   - bounds: the extent to show, if any.
  ///   - zoom: the zoom, if any.
  ///   - conditions: the conditions of commands that draw.
  package func request(
    bounds: Envelope?, zoom: Double? = nil, conditions: [LayerClause] = []
  ) -> ViewRequest {
    if let bounds, let note = RequestedExtent.widthNote(bounds) { Warnings.note("--bounds: \(note)") }
    var request = ViewRequest()
    (request.size, request.pixelRatio) = (shape.viewSize, shape.pixelRatio)
    request.medium = shape.medium ?? .screen
    (request.padding, request.rotation) = (shape.padding?.value, shape.rotation?.value)
    if let viewpoint = shape.viewpoint {
      request.show(viewpoint)
    } else if let fit = shape.fit {
      request.place = ViewRequest.Place(fit: fit)
    } else if let bounds {
      request.place = .bounds(bounds)
    }
    (request.reference, request.zoom) = (shape.reference, zoom)
    (request.filterMode, request.time) = (filters.filters.mode, filters.time)
    request.now = filters.clock.now
    (request.layer, request.only) = (layers.layer, layers.only)
    (request.definitions, request.displayFilters) = (filters.definition, filters.displayFilter)
    (request.conditions, request.hidden, request.shown) = (conditions, layers.hide, layers.show)
    (request.reading, request.joins) = (sources.reading.options, sources.tables.joins)
    (request.styleTiles, request.idsOf) = (sources.tiles, layers.idsOf)
    return request
  }
}
