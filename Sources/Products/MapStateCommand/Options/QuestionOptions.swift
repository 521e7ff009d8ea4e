import ArgumentParser
import MapGeometry
import MapReaders
package import MapScript
package import MapState

/// The options that select the features of a question, beside the layer's own definition expression.
package struct QuestionOptions: ParsableArguments {
  @Option(
    name: [.customLong("bounds"), .customLong("extent")], parsing: .unconditional,
    help: ArgumentHelp(
      "Rectangle to search, in degrees unless a WKID is given.", valueName: "xmin,ymin,xmax,ymax[,wkid]"),
    transform: { try RequestedExtent.envelope(text: $0) })
  var bounds: Envelope?
  @Flag(help: "Search the area that render would show with the same options.")
  var inView = false
  @Flag(help: "Search all features, without an extent.")
  var everywhere = false
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("SQL condition, added by AND to the definition expression.", valueName: "sql"),
    transform: { ParsedFilter($0) })
  var whereClause: ParsedFilter?
  @Option(
    name: .customLong("cql2"), parsing: .unconditional,
    help: ArgumentHelp(
      "CQL2 condition as text or JSON, added by AND like --where.", valueName: "text|json"),
    transform: { ParsedFilter(cql2: $0) })
  var cql2: ParsedFilter?
  @Option(
    help: ArgumentHelp("Case-sensitivity of field names in --cql2; default: sensitive.", valueName: "case"))
  var propertyCase: PropertyCase?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("File with a query geometry, as GeoJSON or Esri JSON.", valueName: "file"),
    completion: .file())
  var geometry: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Relation of the query geometry to a feature, listed above; default: intersects.",
      valueName: "relation"),
    transform: { try QueryRelation(text: $0) })
  var relation: QueryRelation?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Object ids of the features, as query --ids lists them.", valueName: "n[,n…]"),
    transform: { try QuestionRequest.objectIDs(text: $0) })
  var objectIds: [Int64]?

  package init() {}

  package func validate() throws {
    if everywhere, bounds != nil || inView {
      throw ValidationError(
        "--everywhere contradicts \(inView ? "--in-view" : "--bounds"); give one of them.")
    }
    for (name, filter) in [("--where", whereClause), ("--cql2", cql2)] {
      // A shell variable without a value would otherwise select every feature.
      if let filter, filter.text.allSatisfy(\.isWhitespace) {
        throw ValidationError("\(name) is empty; give a condition, or leave the option out")
      }
    }
    if propertyCase != nil, cql2 == nil { throw ValidationError("--property-case needs --cql2.") }
    if relation != nil, geometry == nil { throw ValidationError("--relation needs --geometry.") }
  }

  /// Opens the source without its basemap and prepares the question.
  ///
  /// - Parameters:
  ///   - fields: the fields of files that the answer needs.
  ///   - rule: the layers to ask when none is named: all, or the single one.
  ///   - needsView: true when the answer depends on the view even if the question does not.
  ///   - asksManyExtents: true when the extents come from `--extents`.
  ///   - asksRows: true when the answer depends on the rows in the extent alone.
  ///   - countsValues: true when the answer has no geometry and depends on none without an area.
  ///   - passesRows: true when rows are written in the order of the table, and not kept.
  ///   - style: the symbols of plain data.
  ///   - zoom: the zoom of the view, if any.
  package func ask(
    _ map: MapOptions, _ fields: FieldSelection, _ rule: LayerChoice.Rule, needsView: Bool = false,
    asksManyExtents: Bool = false, asksRows: Bool = false, countsValues: Bool = false,
    passesRows: Bool = false,
    style: StyleRequest = StyleRequest(), zoom: Double? = nil
  ) async throws(MapStateError) -> AskedQuestion {
    if inView, bounds != nil, map.shape.viewpoint != nil || map.shape.fit != nil {
      throw MapStateError(
        .usage,
        "--bounds and \(map.shape.fit == nil ? "--viewpoint" : "--fit") cannot be combined with --in-view: "
          + "both set the view; give one")
    }
    var choice = map.choice(map.layers.layer == nil ? rule : .named)
    choice.readsBasemap = false
    // A view in another spatial reference projects all rows.
    let isSmall = asksRows && map.shape.reference == nil && geometry == nil
    let hasArea =
      bounds != nil || inView || geometry != nil || map.shape.viewpoint != nil || map.shape.fit != nil
      || map.shape.reference != nil
    let hasFilter = whereClause != nil || cql2 != nil
    let document = try await map.open(
      fields, choice,
      indexUse: !isSmall ? .none : bounds != nil ? .answering : hasFilter ? .filtering : .none,
      passesRows: passesRows && map.shape.reference == nil,
      readsGeometry: !countsValues || hasArea || needsView || asksManyExtents || cql2 != nil,
      comparesFilters: needsView
    ).styled(style, for: map.request(bounds: nil))
    for warning in document.warnings { Warnings.add(warning) }
    try document.checkFeatures()
    if let bounds, let note = RequestedExtent.widthNote(bounds) { Warnings.note("--bounds: \(note)") }
    let request = request(time: map.filters.time)
    let hasViewpoint = map.shape.viewpoint != nil || map.shape.fit != nil
    // Plain data has no viewpoint.
    let question = try request.question(
      area: hasViewpoint ? .view : document.isPlainData ? .everywhere : nil)
    let view = try await view(
      map, document, question, needsView: needsView, asksManyExtents: asksManyExtents, zoom: zoom)
    let layers =
      rule == .single
      ? try document.tableLayers(map.request(bounds: nil))
      : try document.layers(named: map.request(bounds: nil)) ?? Array(document.layers.indices)
    let warnings = try view.check(
      question, asking: layers.map { view.layers[$0] },
      asksExtent: request.asksExtent || !everywhere && (hasViewpoint || asksManyExtents))
    for warning in warnings { Warnings.add(warning) }
    // The funnel alone, which needs the view, has a stage for it.
    if !needsView, !map.filters.displayFilter.isEmpty {
      Warnings.add("--display-filter limits drawing only, so the answer ignores it; see count --funnel")
    }
    return AskedQuestion(document: document, view: view, question: question, layers: layers)
  }

  /// The question that the options request.
  package func request(time: TimeExtent?) -> QuestionRequest {
    var request = QuestionRequest()
    (request.bounds, request.inView, request.everywhere) = (bounds, inView, everywhere)
    (request.whereClause, request.cql2, request.propertyCase) = (whereClause, cql2, propertyCase)
    (request.geometry, request.relation) = (geometry.map { .file($0) }, relation)
    (request.time, request.objectIDs) = (time, objectIds)
    return request
  }

  /// The view of a question, frozen.
  private func view(
    _ map: MapOptions, _ document: MapDocument, _ question: FeatureQuestion, needsView: Bool,
    asksManyExtents: Bool, zoom: Double?
  ) async throws(MapStateError) -> ViewState {
    let usesView = needsView || question.area == .view
    var request = map.request(bounds: usesView ? bounds : nil, zoom: zoom)
    if usesView, !asksManyExtents {
      map.warnOfPadding(document, request)
      map.warnOfPlace(document, request)
    } else {
      map.warnOfUnusedView()
    }
    // The default view shows the visible layers.
    let hasPlace = request.place != nil || document.map.initialViewpoint != nil
    request.question = question
    // The question has the time; the funnel's stage of the time uses that of the document.
    request.time = nil
    request.fitsDefaultView = usesView
    let view = try await document.view(request)
    if !needsView, !usesView || asksManyExtents || hasPlace { map.warnOfVisibility() }
    return view.freeze()
  }
}

/// A question with its opened source and view.
package struct AskedQuestion {
  package let document: MapDocument
  package let view: ViewState
  package let question: FeatureQuestion
  /// The indexes of the layers to ask; for commands that take one table, those that show it.
  package let layers: [Int]

  /// Prints the notes on an answer, see ``MapState/ViewState/notes(of:_:count:drawing:statistics:)``.
  ///
  /// - Parameter byClass: whether the answer depends on the renderer.
  func noteTexts(count: Int, byClass: Bool = false, statistics: [StatisticDefinition] = []) {
    for layer in layers.map({ view.layers[$0] }) {
      let notes = view.notes(of: layer, question, count: count, drawing: byClass, statistics: statistics)
      for note in notes { Warnings.note(note) }
    }
  }

  /// The table to ask, for commands that take one.
  package var layer: LayerState { document.asked(layers, in: view) }
}

extension JSONValue {
  /// The answer with the extent of the question, null for everywhere, the exactness and the warnings.
  ///
  /// - Parameter cut: the reason why features are left out, if any are.
  func answering(_ asked: AskedQuestion, cut: String? = nil) -> JSONValue {
    var object = self.object ?? JSONObject()
    object.set(extentOf: asked.question, in: asked.view)
    object.set(inexactReason: asked.layer.source.inexactReason ?? cut)
    object["warnings"] = Warnings.json
    return Warnings.noting(.object(object))
  }
}
