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
  let catalog: SourceCatalog
  let threads: Int
  let returnsData: Bool
  var data: [UInt8]?
  /// The current time of filters and expressions in maps whose step `open` has no `now`; nil for the system clock.
  public var now: Instant?
  var opened: (document: MapDocument, view: MapView)?
  /// The warnings of questions that earlier answers have listed.
  var told: Set<String> = []
  /// The parts of images besides the map, and the size of images.
  var page = (layout: PageLayout(), size: ViewSize(width: 0, height: 0))

  /// The request for the view that the map was opened with.
  var request = ViewRequest()
  /// The request for the appearance of images.
  var drawing = DrawingRequest()
  /// The output pixels per inch that PNG and JPEG files state; nil for none.
  var dotsPerInch: Double?
  /// Whether a step has moved the view since the map was opened.
  var isMoved = false
  /// Receives the number of images or tiles that a long step has made, and that of all; nil for nobody.
  public var progress: (@Sendable (_ done: Int, _ count: Int) -> Void)?

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
  public internal(set) var isClosed = false

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
    let name = try MapStateError.reading { try step.required("step").string() }
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
    case .add: return try await add(step)
    case .viewpoint:
      let place = try await viewpoint(step)
      isMoved = true
      return place
    case .pan, .zoom, .rotate:
      let place = try move(known, step)
      isMoved = true
      return place
    case .count: return try await count(step)
    case .visibility:
      try setVisibility(step)
      return []
    case .time:
      try setTime(step)
      return []
    case .statistics: return try await statistics(step)
    case .query: return try await query(step)
    case .select: return try await select(step)
    case .identify: return try await identify(step)
    case .explain: return try await explain(step)
    case .render: return try await render(step)
    case .legend: return try await legend(step)
    case .series: return try await series(step)
    case .tiles: return try await tiles(step)
    case .lint: return try await lint(step)
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
