import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapReaders
public import MapState
import MapSystem

/// A question whose answers for parts of the rows are joined exactly: a count, statistics and an image.
///
/// The members of the JSON object are the fields of a view, `document` with the path of a drawing document, and
/// `count`, `statistics`, `image` and `aggregate`. `count` and `statistics` have the fields of the steps with these names.
public struct PartialQuestion: Sendable {
  /// The features to count.
  struct Count: Sendable {
    var funnel = false
    var byClass = false
    /// The envelopes to count in, instead of one extent; nil for none.
    var extents: [Envelope]?
    let request: QuestionRequest
    let layers: ViewRequest
  }

  /// The statistics to compute.
  struct Statistics: Sendable {
    let query: StatisticsQuery
    let request: QuestionRequest
    let layers: ViewRequest
  }

  /// The question as JSON without blanks.
  let text: String
  /// The SHA-256 digest of the question and of the files that it names.
  let digest: [UInt8]
  let count: Count?
  let statistics: Statistics?
  let image: Bool
  /// The cells in which the image counts points; nil for symbols.
  let cells: CountingCells?
  let view: ViewRequest
  /// The folder of the paths in the question.
  private let folder: String
  /// The drawing document with the path and the bytes; nil for none.
  private let document: (path: String, json: JSONValue)?

  private static let names =
    ViewRequest.names.filter { !["layer", "join", "joinFirst"].contains($0) }
    + ["document", "count", "statistics", "image", "aggregate"]

  /// Reads a question and the files that it names.
  ///
  /// - Throws: `MapStateError` with the JSON path, also for what cannot be joined from parts.
  public init(contentsOf path: String) throws(MapStateError) {
    do {
      try self.init(
        JSONValue(parsing: FileAccess.read(path)), folder: FilePath.folder(of: path), readsFiles: true)
    } catch let error as MapStateError {
      throw MapStateError(
        error.kind, "\(path): \(error)", detail: error.detail, path: error.path, suggestion: error.suggestion)
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
  }

  /// Reads the question of a state, without files.
  init(text: String) throws(MapStateError) {
    let json: JSONValue
    do { json = try JSONValue(parsing: text) } catch { throw MapStateError(error) }
    try self.init(json, folder: ".", readsFiles: false)
  }

  private init(_ json: JSONValue, folder: String, readsFiles: Bool) throws(MapStateError) {
    let node = JSONNode(json)
    do { try node.refuseUnknown(Self.names) } catch { throw MapStateError(error) }
    (text, self.folder, view) = (json.text(), folder, try ViewRequest(node))
    switch view.place {
    case .fit, .everything: throw Self.refusal(of: "fit")
    case .center, .bounds, nil: break
    }
    count = try node["count"].map { node throws(MapStateError) in try Count(node) }
    statistics = try node["statistics"].map { node throws(MapStateError) in try Statistics(node) }
    image = try MapStateError.reading { try node.boolean("image") ?? false }
    cells = try node["aggregate"].map { node throws(MapStateError) in
      try node.decoding { try CountingCells($0) }
    }
    guard cells == nil || image else {
      throw MapStateError(.input, "\"aggregate\" needs \"image\": true, because it describes the image")
    }
    guard count != nil || statistics != nil || image else {
      throw MapStateError(.input, "the question asks nothing; give \"count\", \"statistics\" or \"image\"")
    }
    var bytes = Array(text.utf8)
    func add(_ path: String) throws(MapStateError) -> [UInt8] {
      let file: [UInt8]
      do { file = try FileAccess.read(FilePath.join(folder, path)) } catch { throw MapStateError(error) }
      bytes += SHA256.digest(file)
      return file
    }
    let name = try MapStateError.reading { try node.string("document") }
    if readsFiles, let name {
      let file = try add(name)
      let json: JSONValue
      do { json = try JSONValue(parsing: file) } catch { throw MapStateError(.input, "\(name): \(error)") }
      guard json["operationalLayers"] == nil else {
        throw MapStateError(
          .input,
          "\(name): is a web map, whose layers have data of their own; "
            + "\"document\" is a layer definition, drawingInfo or a renderer")
      }
      document = (name, json)
    } else {
      document = nil
    }
    for case .file(let path)? in [count?.request.geometry, statistics?.request.geometry] where readsFiles {
      _ = try add(path)
    }
    digest = SHA256.digest(bytes)
  }

  /// The scale denominator in answers to questions without a view.
  ///
  /// - Source: design decision; about the world on the default canvas.
  private static let scaleWithoutView = 100_000_000.0

  private static func refusal(of name: String) -> MapStateError {
    MapStateError(
      .input,
      "\"\(name)\" depends on all rows, so partial answers cannot be merged; give \"viewpoint\" or \"bounds\""
    )
  }
}

extension PartialQuestion.Count {
  fileprivate init(_ node: JSONNode) throws(MapStateError) {
    do { try node.refuseUnknown(SessionStep.count.fields.filter { $0 != "expect" }) } catch {
      throw MapStateError(error)
    }
    (request, layers) = (try QuestionRequest(node), try ViewRequest(node, ["layer", "only"]))
    (funnel, byClass) = try MapStateError.reading {
      (try node.boolean("funnel") ?? false, try node.boolean("byClass") ?? false)
    }
    guard let list = node["extents"] else { return }
    extents = try list.decoding { list in
      try list.elements().map { try RequestedExtent.envelope($0) }
    }
    guard !funnel, !byClass else {
      throw MapStateError(
        .usage, "\"\(funnel ? "funnel" : "byClass")\" cannot be combined with \"extents\"")
    }
  }
}

extension PartialQuestion.Statistics {
  fileprivate init(_ node: JSONNode) throws(MapStateError) {
    let known = SessionStep.statistics.fields.filter { !SessionStep.derivedFields.contains($0) }
    do { try node.refuseUnknown(known) } catch { throw MapStateError(error) }
    (request, layers) = (try QuestionRequest(node), try ViewRequest(node, ["layer", "only"]))
    query = try StatisticsQuery(node)
    do { try query.checkMergeable() } catch { throw MapStateError(error) }
  }
}

// MARK: - Answering

extension PartialQuestion {
  /// Answers the question for the rows of a source.
  ///
  /// - Parameters:
  ///   - source: a file, the address of one, or "-" for standard input.
  ///   - ordinal: the position of the rows among all parts, from 0.
  ///   - shares: the number of shares into which the row groups of a Parquet source are divided; `ordinal` names the
  ///     one to read. Nil reads all rows.
  ///   - threads: the number of painting threads.
  ///   - services: the access to files on servers.
  ///   - report: receives a line about each reading of Parquet; nil receives none.
  /// - Throws: `MapStateError`.
  public func answer(
    about source: String, ordinal: Int, shares: Int? = nil, threads: Int = 1,
    services: ServiceAccess = ServiceAccess(), report: (@Sendable (String) -> Void)? = nil
  ) async throws(MapStateError) -> (state: PartialState, warnings: [String]) {
    guard (0...PartialState.greatestOrdinal).contains(ordinal) else {
      throw MapStateError(
        .usage, "the ordinal is \(ordinal); it must be 0 to \(PartialState.greatestOrdinal)")
    }
    let share = shares.map { RowShare(index: ordinal, count: $0) }
    if let shares, share == .some(nil) {
      throw MapStateError(
        .usage, "the ordinal is \(ordinal); with \(shares) shares, it must be 0 to \(shares - 1)")
    }
    if shares != nil { try SourceCatalog.checkShares(source) }
    let opened = try await open(source, share ?? nil, services, report)
    var view = view
    view.fitsDefaultView = false
    let hasView = view.place != nil || opened.map.initialViewpoint != nil
    // Without a view, the scale would depend on the rows.
    if !hasView { view.place = .center(Point(latitude: 0, longitude: 0), scale: Self.scaleWithoutView) }
    let state = try await opened.view(view).freeze()
    var warnings = opened.warnings.map { "\($0)" }
    func asked(_ request: QuestionRequest) throws(MapStateError) -> FeatureQuestion {
      let question = try request.question(area: hasView ? .view : .everywhere, folder: folder)
      if question.area == .view, !hasView { throw Self.refusal(of: "inView") }
      try state.refuseCurrentTime(in: question)
      return question
    }
    var parts = PartialState.Answers()
    if let count {
      let question = try asked(count.request)
      if count.funnel, !hasView { throw Self.refusal(of: "funnel") }
      if count.funnel { try state.refuseClusters() }
      let layers = try opened.layers(named: count.layers)
      warnings += try state.check(
        question, asking: (layers ?? Array(state.layers.indices)).map { state.layers[$0] },
        asksExtent: count.request.asksExtent || count.extents != nil)
      if let extents = count.extents {
        let layer = opened.asked(try opened.tableLayers(count.layers), in: state)
        parts.counts = try await state.counts(of: layer, question, inEach: extents)
      } else {
        var options = CountOptions()
        (options.question, options.layers) = (question, layers)
        (options.funnel, options.byClass) = (count.funnel, count.byClass)
        parts.count = opened.joined(try await state.counts(options), layers: layers)
      }
    }
    if let statistics {
      let question = try asked(statistics.request)
      let layer = opened.asked(try opened.tableLayers(statistics.layers), in: state)
      warnings += try state.check(question, asking: [layer], asksExtent: statistics.request.asksExtent)
      parts.statistics = try await state.partialStatistics(of: layer, statistics.query, question)
    }
    if image {
      guard hasView else { throw Self.refusal(of: "image") }
      try state.refuseCurrentTime(in: nil)
      let drawn = try await state.counting(in: cells).partialImage(threads: threads)
      parts.image = drawn.image
      warnings += drawn.warnings
    }
    warnings += opened.laterWarnings.map { "\($0)" }
    parts.isExact = state.layers.allSatisfy { $0.source.isExact }
    return (
      PartialState(
        ordinal: ordinal, source: source, digest: digest, question: text, rows: state.partialRows,
        answers: parts),
      warnings
    )
  }

  private func open(
    _ source: String, _ share: RowShare?, _ services: ServiceAccess, _ report: (@Sendable (String) -> Void)?
  ) async throws(MapStateError) -> MapDocument {
    var catalog = SourceCatalog(services: services)
    (catalog.share, catalog.readingReport) = (share, report)
    catalog.reading = view.reading
    var choice = LayerChoice()
    choice.readsBasemap = false
    guard let document else {
      return try await MapDocument.open(source, catalog: catalog, fields: fields, choice: choice)
    }
    catalog.drawingData = source
    return try await MapDocument.open(
      json: document.json, name: document.path, folder: folder, catalog: catalog, fields: fields,
      choice: choice)
  }

  /// The fields that the question needs besides those of the document's layers.
  private var fields: FieldSelection {
    let requests = [count?.request, statistics?.request].compactMap { $0 }
    // For plain data, time uses the only date field, which can be found from all fields alone.
    guard view.time == nil, requests.allSatisfy({ $0.time == nil }) else { return .all }
    let clauses = requests.flatMap { [$0.whereClause, $0.cql2] }.compactMap { $0 }
    let filters = clauses + (view.definitions + view.conditions + view.displayFilters).flatMap(\.readings)
    let names = statistics.map { statistics in
      statistics.query.groupByFieldNames
        + statistics.query.definitions.map(\.fieldName).filter { $0 != StatisticDefinition.allRows }
    }
    return FieldSelection((names ?? []) + filters.flatMap(\.fieldNames))
  }
}
