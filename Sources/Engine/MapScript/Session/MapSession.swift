import MapDrawing
import MapFeatures
public import MapFilter
import MapGeometry
import MapImages
public import MapJSON
import MapModel
import MapReaders
public import MapState
import MapSystem

/// A session that keeps a map open: JSON steps in, JSON answers out.
///
/// After a failed step, the session continues with its current state.
public struct MapSession: Sendable {
  /// The answer to a step and the error if the step failed.
  public struct Answer: Sendable {
    /// The JSON answer: `ok`, the step's `id`, then the step's results or `error`.
    public let json: JSONValue
    /// The error; nil if the step succeeded.
    public let failure: MapStateError?
    /// The bytes of the step `render` without `output` (a PNG file), and of `query` with the format `arrow` (an Arrow
    /// stream); nil for other steps.
    public var data: [UInt8]?
  }

  /// The folder that is searched first for sources; the current folder is second.
  let folder: String
  private let catalog: SourceCatalog
  private let threads: Int
  let returnsData: Bool
  var data: [UInt8]?
  /// The current time of filters and expressions in maps whose step `open` has no `now`; nil for the system clock.
  public var now: Instant?
  private var opened: (document: MapDocument, view: MapView)?
  /// The warnings of questions that earlier answers have listed.
  private var told: Set<String> = []
  /// The parts of images besides the map, and the size of images.
  private var page = (layout: PageLayout(), size: ViewSize(width: 0, height: 0))

  /// Creates a session without a map.
  ///
  /// - Parameters:
  ///   - folder: the folder that is searched first for sources.
  ///   - catalog: the catalogue that opens sources.
  ///   - threads: the number of painting threads.
  ///   - returnsData: whether steps can answer with an image or an Arrow stream.
  public init(
    folder: String = ".", catalog: SourceCatalog = SourceCatalog(), threads: Int = 1,
    returnsData: Bool = false
  ) {
    (self.folder, self.catalog, self.threads) = (folder, catalog, threads)
    self.returnsData = returnsData
  }

  /// The view of the open map; nil if no map is open.
  public var view: MapView? { opened?.view }

  /// Whether the session is closed by the step `close`.
  public private(set) var isClosed = false

  /// Performs one step.
  public mutating func answer(to step: JSONValue) async -> Answer {
    data = nil
    do {
      let members = telling(try await perform(JSONNode(step)))
      return Answer(
        json: Self.object([("ok", true)] + Self.id(of: step) + members), failure: nil, data: data)
    } catch {
      return Answer(error, id: step["id"])
    }
  }

  /// Returns the members of an answer with the warnings that its step caused in the sources of the map.
  private mutating func telling(_ members: [(String, JSONValue)]) -> [(String, JSONValue)] {
    guard let document = opened?.document else { return members }
    let new = document.laterWarnings.map { MessageText.line($0.description) }.filter {
      told.insert($0).inserted
    }
    guard !new.isEmpty else { return members }
    var members = members
    let place = members.firstIndex { $0.0 == "warnings" }
    let own = place.flatMap { members[$0].1.array } ?? []
    let all = JSONValue.array(own + new.map { .string($0) }.filter { !own.contains($0) })
    if let place { members[place].1 = all } else { members.append(("warnings", all)) }
    return members
  }

  /// Performs the step in a line of JSON.
  public mutating func answer(toLine line: String) async -> Answer {
    await answer(toBytes: Array(line.utf8))
  }

  /// Performs the step in a JSON text in UTF-8.
  public mutating func answer(toBytes bytes: [UInt8]) async -> Answer {
    do {
      return await answer(to: try JSONValue(parsing: bytes))
    } catch {
      return Answer(MapStateError(.input, "the step is not JSON: \(error)"))
    }
  }

  private static func id(of step: JSONValue) -> [(String, JSONValue)] {
    step["id"].map { [("id", $0)] } ?? []
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }

  private mutating func perform(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let name = try Self.reading { try step.required("step").string() }
    guard let known = SessionStep(rawValue: name) else {
      throw MapStateError(.input, "no step named \"\(name)\"; available: \(SessionStep.list)")
    }
    try known.check(step)
    switch known {
    case .open: return try await open(step)
    case .close:
      (opened, isClosed) = (nil, true)
      return []
    case .filter: return try filter(step)
    case .viewpoint: return try await viewpoint(step)
    case .pan, .zoom, .rotate: return try move(known, step)
    case .count: return try await count(step)
    case .visibility:
      try setVisibility(step)
      return []
    case .time:
      let (_, view) = try current()
      let request = try ViewRequest(step, ["time", "now"])
      if let now = request.now { view.now = now }
      // A step with `now` alone keeps the time extent.
      if request.now == nil || request.time != nil { view.timeExtent = request.time }
      return []
    case .statistics: return try await statistics(step)
    case .query: return try await query(step)
    case .select: return try await select(step)
    case .identify: return try await identify(step)
    case .render: return try await render(step)
    case .expect: return try await expect(step)
    }
  }

  func members(of json: JSONValue) -> [(String, JSONValue)] {
    json.object?.members.map { ($0.name, $0.value) } ?? []
  }

  func current() throws(MapStateError) -> (document: MapDocument, view: MapView) {
    guard let opened else { throw MapStateError(.input, "no map is open; send the step \"open\" first") }
    return opened
  }

  static func reading<Value>(_ body: () throws -> Value) throws(MapStateError) -> Value {
    do { return try body() } catch { throw MapStateError(error) }
  }

  // MARK: Steps

  private mutating func open(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let source = try Self.reading { try step.required("source").string() }
    var request = try ViewRequest(step)
    request.now = request.now ?? now
    let (style, asked) = (try StyleRequest(step), try LayoutRequest(step))
    guard source != "-" else {
      throw MapStateError(.input, "\"source\" must name a file: standard input carries the steps")
    }
    let inFolder = FilePath.join(folder, source)
    let document: MapDocument
    var catalog = catalog
    if request.reading != ReadingOptions() { catalog.reading = request.reading }
    if request.joins != TableJoins() {
      catalog.joins = request.joins(in: [folder, "."])
    } else {
      catalog.joins.layer = request.joins(in: []).layer
      catalog.joins.readsStandardInput = false
    }
    var choice = LayerChoice()
    // A hidden layer that cannot be read does not prevent opening; a query of it is an error later.
    choice.skipsHiddenUnavailable = true
    choice.skipsUnavailable = try Self.reading {
      try step.boolean("skipUnavailable") ?? false
    }
    do {
      document = try await MapDocument.open(
        FileAccess.exists(inFolder) ? inFolder : source, catalog: catalog, choice: choice
      ).styled(style, for: request)
    } catch {
      throw MapStateError(error)
    }
    let layout = asked.layout()
    let view = try await document.page(request, layout).view
    (opened, isClosed, page, told) = ((document, view), false, (layout, request.size), [])
    let layers: [JSONValue] = document.layers.map { item in
      [
        "layer": .string(item.layer.displayName), "id": .string(item.layer.id),
        "geometryType": item.layer.source.schema.geometryKind.map { .string($0.rawValue) } ?? .null,
        "features": item.unreadReason == nil ? .number(item.layer.source.rowCount) : .null,
        "visible": .boolean(item.layer.isVisible), "definition": .string(item.layer.definitionExpression),
      ]
    }
    let place = request.placeWarning(on: document.map.spatialReference).map { [JSONValue.string($0)] } ?? []
    let unused = asked.unused.map {
      JSONValue.string("\"\($0)\" has no effect: no legend is requested; add \"legend\"")
    }
    let warnings = document.warnings.map { JSONValue.string(MessageText.line("\($0)")) } + place + unused
    let notes = document.notes.map { JSONValue.string(MessageText.line($0)) }
    return [("layers", .array(layers)), ("warnings", .array(warnings))]
      + (notes.isEmpty ? [] : [("notes", .array(notes))])
  }

  private func filter(_ step: JSONNode) throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    // The names of the options, and those that only this step has.
    var request = try ViewRequest(step, ["layer", "filters", "definition", "displayFilter"])
    let asked = try Self.reading {
      (mode: try step["mode"]?.choice(FilterMode.self), display: try step["display"]?.strings() ?? [])
    }
    let mode = step["filters"] == nil ? asked.mode : request.filterMode
    request.displayFilters += asked.display.map { LayerClause($0) }
    // A step with a layer alone reads its filters.
    guard mode != nil || !(request.definitions + request.displayFilters).isEmpty || request.layer != nil
    else {
      throw MapStateError(.input, "a filter step needs \"mode\", \"definition\", \"display\" or \"layer\"")
    }
    // A mode without a layer applies to all layers.
    let changed = try request.layer.map { name throws(MapStateError) in [try document.layer(named: name)] }
    try document.applyFilters(request, mode: mode, to: changed ?? document.layers)
    let before = view.drawStatus
    _ = view.freeze()
    let status = [("drawStatus", JSONValue.array([before, view.drawStatus].map { .string($0.rawValue) }))]
    guard let layer = changed?.first?.layer else { return status }
    let active = layer.displayFilterDefinition?.form.activeClause(atScale: view.viewpoint.scale)
    return status + [
      ("definition", .string(layer.definitionExpression)), ("displayFilter", .string(active ?? "")),
    ]
  }

  private func setVisibility(_ step: JSONNode) throws(MapStateError) {
    let (document, _) = try current()
    let request = try ViewRequest(step, ["layer", "only", "hide", "show"])
    let visible = try Self.reading { try step.boolean("visible") }
    let setsOthers = !(request.only + request.hidden + request.shown).isEmpty
    guard visible != nil || setsOthers else {
      throw MapStateError(.input, "a visibility step needs \"visible\", \"only\", \"hide\" or \"show\"")
    }
    let layer = visible == nil ? nil : try document.layer(named: request.layer).layer
    try document.applyVisibility(request)
    if let layer, let visible { layer.isVisible = visible }
  }

  private func viewpoint(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    var request = try ViewRequest(step, ["viewpoint"])
    try request.readPlace(step)
    guard request.place != nil || request.rotation != nil else {
      throw MapStateError(
        .input,
        "a viewpoint step needs \"viewpoint\", \"center\" and \"scale\", \"bounds\", \"fit\" or \"rotation\"")
    }
    try await document.show(request, in: view)
    let warning = request.placeWarning(on: document.map.spatialReference)
    return place(of: view) + (warning.map { [("warnings", [.string($0)])] } ?? [])
  }

  private func move(_ kind: SessionStep, _ step: JSONNode) throws(MapStateError) -> [(String, JSONValue)] {
    let (_, view) = try current()
    let by = try Self.reading {
      guard kind == .pan else { return [try step.required("by").double()] }
      let by = try step.required("by")
      let pair = try by.elements().map { try $0.double() }
      guard pair.count == 2 else { throw by.invalid("expected [right, down] in view pixels") }
      return pair
    }
    switch kind {
    case .pan: try view.pan(right: by[0], down: by[1])
    case .zoom: try view.zoom(by: by[0])
    default: try view.rotate(by: by[0])
    }
    return place(of: view)
  }

  private func place(of view: MapView) -> [(String, JSONValue)] {
    let frozen = view.freeze()
    let corners = frozen.viewpoint.corners(width: frozen.width, height: frozen.height)
    let wkid = JSONValue.number(frozen.spatialReference.wkid)
    let ring: [JSONValue] = (corners + corners.prefix(1)).map { [.number($0.x), .number($0.y)] }
    return [
      ("scale", .number(frozen.viewpoint.scale)), ("rotation", .number(frozen.viewpoint.rotation)),
      ("extent", frozen.extent.json), ("wkid", wkid),
      ("visibleArea", ["rings": [.array(ring)], "spatialReference": ["wkid": wkid]]),
    ]
  }

  private mutating func render(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let output = try Self.reading {
      returnsData ? try step.string("output") : try step.required("output").string()
    }
    var svg = SVGOptions()
    (svg.writesText, svg.writesIDs) = try Self.reading {
      (try step.boolean("svgText") ?? false, try step.boolean("svgIds") ?? false)
    }
    let cells = try Self.cells(step)
    guard cells == nil || !svg.writesIDs else {
      throw MapStateError(.usage, "\"svgIds\" contradicts \"aggregate\", whose cells are not features")
    }
    for name in ["svgText", "svgIds"] where try Self.reading({ try step.boolean(name) ?? false }) {
      guard let output, FilePath.pathExtension(of: output) == "svg" else {
        throw MapStateError(.usage, "\"\(name)\" needs an \"output\" with the ending .svg")
      }
    }
    guard let output else {
      let shown = try await drawnPage(of: view.freeze().counting(in: cells))
      let rendered = try await shown.render(threads: threads)
      data = try Self.reading { try rendered.bitmap.pngData() }
      return [("report", rendered.report.json)] + (try await description(of: shown, step))
    }
    try PictureFile.check(output, others: MapPage.extensions)
    // Answers are written to standard output, so an image must not go there under any name.
    guard output != "-", !FileAccess.isStream(output) else {
      throw MapStateError(.usage, "\(output): standard output carries the answers; write the image to a file")
    }
    let shown = try await drawnPage(of: view.freeze().counting(in: cells))
    let rendered = try await shown.render(for: output, threads: threads)
    do {
      let image = try await shown.fileBytes(for: output, rendered, svg: svg)
      try FileAccess.write([(image, output)], keeping: document.inputs)
    } catch {
      throw MapStateError(error)
    }
    return [("report", rendered.report.json)] + (try await description(of: shown, step))
  }

  /// Returns the cells in which a step counts points; nil for symbols.
  private static func cells(_ step: JSONNode) throws(MapStateError) -> CountingCells? {
    try step["aggregate"].map { node throws(MapStateError) in try node.decoding { try CountingCells($0) } }
  }

  /// Returns the description of an image if the step asks for it.
  private func description(
    of page: MapPage, _ step: JSONNode
  ) async throws(MapStateError) -> [(String, JSONValue)] {
    guard try Self.reading({ try step.boolean("describe") ?? false }) else { return [] }
    return [("description", try await page.describe().json)]
  }

  /// Returns the page of a view, whose size is that of the map.
  private func drawnPage(of state: ViewState) async throws(MapStateError) -> MapPage {
    try await MapPage(page.layout, width: page.size.width, height: page.size.height) { width, height in
      state.resized(width: width, height: height)
    }
  }

  private func expect(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let asked = try Self.reading {
      (
        count: try step["count"].map { try Expectation($0) },
        drawn: try step["drawn"].map { try Expectation($0) },
        image: try step.string("image")
      )
    }
    guard asked.count != nil || asked.drawn != nil || asked.image != nil else {
      throw MapStateError(.input, "an expect step needs \"count\", \"drawn\" or \"image\"")
    }
    let (state, cells) = (view.freeze(), try Self.cells(step))
    guard cells == nil || asked.image != nil else {
      throw MapStateError(.input, "\"aggregate\" needs \"image\", because it describes the image")
    }
    var found: [(String, JSONValue)] = []
    if asked.count != nil || asked.drawn != nil {
      var options = CountOptions()
      options.layers = [try document.layerIndex(ViewRequest(step, ["layer", "only"]))]
      options.question = try question(step).question
      options.funnel = true
      guard let layer = try await state.counts(options).layers.first, let funnel = layer.funnel else {
        return []
      }
      let failure =
        asked.count?.failure("a count of", layer.count) ?? asked.drawn?.failure("drawn", funnel.drawn)
      if let failure { throw MapStateError(.expectation, "layer \"\(layer.name)\": \(failure)") }
      found = [("count", .number(layer.count)), ("drawn", .number(funnel.drawn))]
    }
    if let image = asked.image { try await compare(state.counting(in: cells), with: image) }
    return found
  }

  private func compare(_ state: ViewState, with image: String) async throws(MapStateError) {
    let inFolder = FilePath.join(folder, image)
    let reference: Bitmap
    do {
      reference = try Bitmap(pngData: FileAccess.read(FileAccess.exists(inFolder) ? inFolder : image))
    } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(image): \(error)")
    }
    let actual = try await drawnPage(of: state).render(threads: threads).bitmap
    switch ImageComparison(expected: reference, actual: actual, tolerance: 1) {
    case .same: return
    case .differs(let difference):
      throw MapStateError(
        .expectation, "\(image): \(difference.differing) pixels differ, by up to \(difference.largest)")
    case .sizeDiffers(let expected, let actual):
      throw MapStateError(.expectation, "\(image): size is \(expected), the rendered image is \(actual)")
    }
  }
}

extension MapSession.Answer {
  /// The answer to a step without results.
  public static let done = Self(json: ["ok": true], failure: nil)

  /// Creates the answer to a failed step.
  ///
  /// - Parameters:
  ///   - failure: the error.
  ///   - id: the `id` of the step; nil without one.
  public init(_ failure: MapStateError, id: JSONValue? = nil) {
    var object = JSONObject()
    object["ok"] = false
    object["id"] = id
    object["error"] = .string(failure.description)
    object["detail"] = failure.detail.map { .string($0) }
    object["kind"] = .string("\(failure.kind)")
    object["path"] = failure.path.map { .string($0) }
    object["suggestion"] = failure.suggestion.map { .string($0) }
    self.init(json: .object(object), failure: failure)
  }
}
