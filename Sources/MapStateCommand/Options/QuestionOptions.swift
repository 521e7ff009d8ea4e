import ArgumentParser
import MapGeometry
import MapReaders
import MapScript
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
    transform: { try RelationOption.read($0) })
  var relation: RelationOption?

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
  package func ask(
    _ map: MapOptions, _ fields: FieldSelection, _ rule: LayerChoice.Rule, needsView: Bool = false,
    asksManyExtents: Bool = false
  ) async throws(MapStateError) -> AskedQuestion {
    if inView, bounds != nil, map.shape.viewpoint != nil || map.shape.fit != nil {
      throw MapStateError(
        .usage,
        "--bounds and \(map.shape.fit == nil ? "--viewpoint" : "--fit") cannot be combined with --in-view: "
          + "both set the view; give one")
    }
    var choice = map.choice(map.layers.layer == nil ? rule : .named)
    choice.readsBasemap = false
    let document = try await map.open(fields, choice)
    let question = try question(map, document)
    let view = try await view(map, document, question, needsView: needsView)
    let layers =
      rule == .single
      ? [try map.oneLayerIndex(in: document)]
      : try document.layers(named: map.viewOptions(bounds: nil)) ?? Array(document.layers.indices)
    let asksExtent =
      !everywhere
      && (bounds != nil || inView || geometry != nil || map.shape.viewpoint != nil || map.shape.fit != nil
        || asksManyExtents)
    let warnings = try view.check(
      question, asking: layers.map { view.layers[$0] }, asksExtent: asksExtent)
    for warning in warnings { Warnings.add(warning) }
    // The funnel alone, which needs the view, has a stage for it.
    if !needsView, !map.filters.displayFilter.isEmpty {
      Warnings.add("--display-filter limits drawing only, so the answer ignores it; see count --funnel")
    }
    return AskedQuestion(document: document, view: view, question: question, layers: layers)
  }

  /// The question.
  ///
  /// Plain data has no viewpoint and is asked everywhere unless an option sets an extent.
  private func question(_ map: MapOptions, _ document: MapDocument) throws(MapStateError) -> FeatureQuestion {
    var question = FeatureQuestion()
    if let geometry {
      let asked = relation ?? RelationOption(.intersects)
      do {
        question.geometry = try SpatialCondition(
          QueryGeometry.read(geometry), asked.relationship, pattern: asked.pattern)
      } catch {
        throw MapStateError(error)
      }
    }
    let hasViewpoint = map.shape.viewpoint != nil || map.shape.fit != nil
    question.area =
      if everywhere {
        .everywhere
      } else if inView {
        .view
      } else if let bounds {
        .envelope(bounds)
      } else if hasViewpoint {
        .view
      } else if geometry != nil || document.isPlainData {
        .everywhere
      } else {
        .view
      }
    if let whereClause { question.$whereClause = whereClause }
    if let cql2 { question.$cql2 = cql2 }
    question.cql2NamesHaveCase = propertyCase != .insensitive
    question.time = map.filters.time?.extent
    return question
  }

  /// The view of a question, frozen.
  private func view(
    _ map: MapOptions, _ document: MapDocument, _ question: FeatureQuestion, needsView: Bool
  ) async throws(MapStateError) -> ViewState {
    let usesView = needsView || question.area == .view
    var options = map.viewOptions(bounds: usesView ? bounds : nil)
    if usesView { map.warnOfPadding(document, options) }
    options.question = question
    options.fitsDefaultView = usesView
    let state = try await document.view(options).freeze()
    if map.filters.time != nil {
      for item in document.layers where item.unreadReason == nil && item.layer.timeInfo == nil {
        Warnings.add("layer \"\(item.layer.title)\" has no time field: --time does not apply to it")
      }
    }
    return state
  }
}

/// A question with its opened source and view.
package struct AskedQuestion {
  package let document: MapDocument
  package let view: ViewState
  package let question: FeatureQuestion
  /// The indexes of the layers to ask; a single one for commands that take one layer.
  package let layers: [Int]

  /// The first layer to ask, which is the only one for commands that take one layer.
  package var layer: LayerState { view.layers[layers[0]] }
}

extension JSONValue {
  /// The answer with the extent of the question, null for everywhere, and the warnings.
  func answering(_ asked: AskedQuestion) -> JSONValue {
    var object = self.object ?? JSONObject()
    let extent = asked.question.extent(in: asked.view)
    object["extent"] = extent?.json ?? .null
    object["wkid"] = .number((extent?.spatialReference ?? asked.view.spatialReference).wkid)
    object["exact"] = .boolean(asked.layer.source.isExact)
    object["warnings"] = Warnings.json
    return .object(object)
  }
}

/// The treatment of case in names.
enum PropertyCase: String, CaseIterable, ExpressibleByArgument {
  case sensitive, insensitive
}
