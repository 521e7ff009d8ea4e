import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapReaders
import MapState
import MapSystem

/// The steps that query features.
extension MapSession {
  func count(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    try document.checkFeatures()
    let request = try ViewRequest(step, ["layer", "only"])
    let (funnel, byClass, expect, extents) = try MapStateError.reading {
      (
        try step.boolean("funnel") ?? false, try step.boolean("byClass") ?? false,
        try step["expect"].map { try Expectation($0) },
        try step["extents"]?.elements()
      )
    }
    var options = CountOptions()
    (options.question, options.funnel, options.byClass) = (try question(step).question, funnel, byClass)
    guard extents == nil || !funnel && !byClass else {
      throw MapStateError(
        .usage, "\"\(funnel ? "funnel" : "byClass")\" cannot be combined with \"extents\"")
    }
    options.layers = try document.layers(named: request)
    if expect != nil || extents != nil { options.layers = try document.tableLayers(request) }
    let state = view.freeze()
    let layers = (options.layers ?? Array(state.layers.indices)).map { state.layers[$0] }
    let warnings = try state.check(
      options.question, asking: layers, asksExtent: question(step).asksExtent || extents != nil)
    if let extents, case let layer = document.asked(options.layers ?? [0], in: state) {
      let envelopes = try extents.map { extent throws(MapStateError) in
        try extent.decoding { try RequestedExtent.envelope($0) }
      }
      let counts = try await state.counts(of: layer, options.question, inEach: envelopes)
      return [
        ("counts", .array(counts.map { .number($0) })), ("warnings", .array(warnings.map { .string($0) })),
      ]
    }
    let answer = document.joined(try await state.counts(options), layers: options.layers)
    if let count = answer.layers.first?.count, let failure = expect?.failure("a count of", count) {
      throw MapStateError(.expectation, failure)
    }
    let notes = zip(layers, answer.layers).flatMap { layer, found in
      state.notes(of: layer, options.question, count: found.count, drawing: funnel || byClass)
    }
    return members(of: answer.json(warnings: warnings + answer.warnings)) + Self.members(notes: notes)
  }

  /// The notes of an answer; none without notes.
  private static func members(notes: [String]) -> [(String, JSONValue)] {
    notes.isEmpty ? [] : [("notes", .array(notes.map { .string(MessageText.line($0)) }))]
  }

  func statistics(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let request = try StatisticsRequest(step)
    let (state, layer, question, warnings) = try target(step)
    let answer = try await state.statistics(of: layer, request, question)
    let notes = state.notes(
      of: layer, question, count: answer.table.isOfNoRows ? 0 : 1, statistics: request.query.definitions)
    return members(of: answer.json) + Exactness.members(layer.source.inexactReason) + [("warnings", warnings)]
      + Self.members(notes: notes)
  }

  mutating func query(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let asked = try MapStateError.reading {
      (
        isArrow: try step["format"].map(isArrow) ?? false,
        fields: try step["outFields"]?.names() ?? [], orderBy: try step["orderBy"].map(OrderBy.all) ?? [],
        offset: try step.integer("offset") ?? 0, maximum: try step.integer("maxFeatures") ?? 0,
        geometry: try step.boolean("returnsGeometry") ?? !(step.boolean("noGeometry") ?? false),
        ids: try step.boolean("ids") ?? step.boolean("idsOnly") ?? false,
        extent: try step.boolean("extentOnly") ?? false, count: try step.boolean("countOnly") ?? false,
        reference: try step["outWkid"]?.decoding { try SpatialReference(written: $0) },
        maxOffset: try step.double("maxOffset") ?? 0
      )
    }
    guard asked.offset >= 0, asked.maximum >= 0, asked.maxOffset >= 0 else {
      throw MapStateError(.usage, "\"offset\", \"maxFeatures\" and \"maxOffset\" must be 0 or more")
    }
    guard [asked.ids, asked.extent, asked.count].filter({ $0 }).count <= 1 else {
      throw MapStateError(.usage, "give at most one of \"idsOnly\", \"extentOnly\" and \"countOnly\"")
    }
    guard !asked.isArrow || !asked.ids && !asked.extent && !asked.count else {
      throw MapStateError(.usage, "the format arrow is for features, not for ids, an extent or a count")
    }
    var page = FeaturePage()
    page.orderByFields = asked.orderBy
    (page.resultOffset, page.maxFeatures) = (asked.offset, asked.maximum)
    let (state, layer, question, warnings) = try target(step)
    var output = GeometryOutput(reference: asked.reference, maxAllowableOffset: asked.maxOffset)
    // A stream names its spatial reference, so it keeps that of the data.
    if asked.isArrow, asked.reference == nil { output?.reference = nil }
    let features = try await state.features(
      of: layer, question, page: page, fieldNames: asked.fields, hasGeometry: asked.geometry, output: output)
    let found: [(String, JSONValue)]
    if asked.isArrow {
      data = ArrowWriter(features).stream()
      found = [("count", .number(features.rows.count))]
    } else if asked.count {
      found = [("count", .number(features.rows.count))]
    } else if asked.ids {
      found = members(of: features.idsJSON)
    } else if asked.extent {
      found = members(of: features.extentJSON)
    } else {
      found = members(of: try features.geoJSON(keepsReference: asked.reference != nil))
    }
    let count = features.rows.count
    let matched = try await state.matched(by: question, of: layer, page, count: count)
    let reason =
      layer.source.inexactReason
      ?? matched.flatMap { Exactness.reason(count: count, offset: page.resultOffset, of: $0) }
    return found + Exactness.members(reason) + [("warnings", warnings)]
      + Self.members(notes: state.notes(of: layer, question, count: count))
  }

  /// Whether the format of a query is an Arrow stream instead of GeoJSON.
  private func isArrow(_ node: JSONNode) throws -> Bool {
    let name = try node.string()
    guard ["geojson", "arrow"].contains(name) else {
      throw node.invalid("\"format\" is \"\(name)\"; it must be geojson or arrow")
    }
    guard name == "geojson" || returnsData else {
      throw MapStateError(
        .usage, "an Arrow stream cannot be an answer in JSON; use mapstate query --format arrow")
    }
    return name == "arrow"
  }

  func select(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let name = try MapStateError.reading { try step.string("mode") } ?? "new"
    let (document, _) = try current()
    let (state, frozen, question, _) = try target(step)
    let layer = document.layers[try document.layerIndex(ViewRequest(step, ["layer", "only"]))].layer
    if name == "clear" {
      layer.clearSelection()
    } else {
      guard let mode = SelectionMode(rawValue: name) else {
        let known = SelectionMode.allCases.map(\.rawValue).joined(separator: ", ")
        throw MapStateError(.input, "no mode named \"\(name)\"; available: \(known), clear")
      }
      let features = try await state.features(of: frozen, question, hasGeometry: false)
      layer.select(Set(features.objectIDs), mode: mode)
    }
    return [
      ("selected", .number(layer.selectedIDs.count)),
      ("ids", .array(layer.selectedIDs.sorted().map { .number(JSONNumber($0)) })),
    ]
  }

  func identify(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let (name, at, tolerance, maximum) = try MapStateError.reading {
      let at = try step.required("at")
      let pair = try at.elements().map { try $0.double() }
      guard pair.count == 2 else { throw at.invalid("expected [right, down] in view pixels") }
      return (
        try step.string("layer"), ScreenPoint(x: pair[0], y: pair[1]), try step.double("tolerance") ?? 0,
        try step.integer("maximum") ?? 1
      )
    }
    guard tolerance >= 0, tolerance <= 100 else {
      throw MapStateError.impossibleTolerance(tolerance)
    }
    let state = view.freeze()
    let asked = name == nil ? Array(state.layers.indices) : [try document.layerIndex(named: name)]
    var layers: [JSONValue] = []
    for layer in asked.map({ state.layers[$0] }) {
      do {
        let layer = try await state.fetched(layer)
        let rows = try await state.rows(of: layer, hitAt: at, tolerance: tolerance, maximum: maximum)
        guard !rows.isEmpty else { continue }
        let features = try FeatureRows(
          try await layer.source.whole().shownColumns(on: .webMercator), rows: rows)
        let found = try features.geoJSON()
        layers.append([
          "layer": .string(layer.name), "ids": features.idsJSON["ids"] ?? .null,
          "features": found["features"] ?? .null,
        ])
      } catch {
        throw MapStateError(error)
      }
    }
    return [("layers", .array(layers))]
  }

  func explain(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let id = try MapStateError.reading { Int64(try step.required("objectId").integer()) }
    let index = try document.layerIndex(ViewRequest(step, ["layer"]))
    return members(of: try await view.freeze().explanation(of: index, objectID: id).json)
  }

  private func target(
    _ step: JSONNode
  ) throws(MapStateError) -> (
    state: ViewState, layer: LayerState, question: FeatureQuestion, warnings: JSONValue
  ) {
    let (document, view) = try current()
    try document.checkFeatures()
    let state = view.freeze()
    let layer = document.asked(try document.tableLayers(ViewRequest(step, ["layer", "only"])), in: state)
    let (question, asksExtent) = try question(step)
    let warnings = try state.check(question, asking: [layer], asksExtent: asksExtent)
    return (state, layer, question, .array(warnings.map { .string($0) }))
  }

  /// Returns the question of a step, and whether it names an extent.
  func question(_ step: JSONNode) throws(MapStateError) -> (question: FeatureQuestion, asksExtent: Bool) {
    let request = try QuestionRequest(step)
    return (try request.question(folder: folder), request.asksExtent)
  }
}
