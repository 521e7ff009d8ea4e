import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

/// The decoded parameters of a request about a map.
struct MapRequest {
  let map: ServedMap
  let parameters: JSONObject
  let limits: ServerLimits
  /// The object ids that a question allows; nil for any.
  var objectIDs: [Int64]?

  var node: JSONNode { JSONNode(.object(parameters)) }

  /// Decodes with the decoders of MapScript; their errors begin with the path of the parameter.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let fault as HTTPFault { throw fault } catch {
      let error = MapStateError(error)
      throw HTTPFault(
        400, ParameterSpelling.text(error.description.replacing("$: ", with: "").replacing("$.", with: "")),
        suggestion: error.suggestion
      )
    }
  }

  /// The names of the view's fields; those of reading files belong to the documents.
  private static let viewNames =
    (RequestParameter.view + RequestParameter.area + RequestParameter.file
    + [RequestParameter.condition, RequestParameter.time]).map(\.name)

  /// Returns the request for the view.
  func view() throws -> ViewRequest {
    try reading {
      var request = try ViewRequest(node, Self.viewNames)
      try setCenter(of: &request)
      try checkZoom(of: request)
      try setDrawing(of: &request)
      for clause in request.definitions + request.conditions + request.displayFilters
      where clause.text.allSatisfy(\.isWhitespace) {
        throw HTTPFault(400, "a filter is empty; give a condition, or leave the parameter out")
      }
      return try checked(request)
    }
  }

  /// Reads the centre, which goes with a scale or a zoom.
  private func setCenter(of request: inout ViewRequest) throws {
    let (center, scale) = (parameters["center"]?.string, parameters["scale"]?.double)
    guard let center else {
      guard scale == nil else { throw HTTPFault(400, "scale goes with center, which is missing") }
      return
    }
    guard request.place == nil else {
      throw HTTPFault(400, "center, viewpoint, bounds and fit exclude each other; give one of them")
    }
    guard (scale == nil) != (request.zoom == nil) else {
      throw HTTPFault(
        400,
        scale == nil ? "center needs scale or zoom" : "scale and zoom exclude each other; give one of them")
    }
    request.show(try ViewpointText(text: center + (scale.map { ",\($0)" } ?? "")))
  }

  /// Refuses a zoom beside another scale.
  private func checkZoom(of request: ViewRequest) throws(HTTPFault) {
    guard request.zoom != nil else { return }
    switch request.place {
    case .center(_, let scale) where !scale.isNaN:
      throw HTTPFault(400, "zoom contradicts the scale of viewpoint; give one of them")
    case .bounds, .fit, .everything:
      throw HTTPFault(
        400, "zoom cannot be combined with bounds or fit: each sets the scale; give one of them")
    default: break
    }
  }

  /// Refuses a request for more pixels than the server draws.
  func checked(_ request: ViewRequest) throws -> ViewRequest {
    let pixels = request.size.width * request.size.height * request.pixelRatio * request.pixelRatio
    guard pixels <= Double(limits.pixels) else {
      throw HTTPFault(400, "the image has more than \(limits.pixels) pixels; ask for a smaller size")
    }
    return request
  }

  /// Returns the state of a view with the changed classes of the request.
  func state(_ request: ViewRequest) async throws -> ViewState {
    try await map.state(request, styling(for: request))
  }

  /// Returns the request for the parts around the map.
  func layout() throws -> LayoutRequest { try reading { try LayoutRequest(node) } }

  /// Returns the question, its view and the layers to ask.
  ///
  /// - Parameter needsView: whether the answer uses the view in any case.
  func question(needsView: Bool = false) async throws -> AskedMap {
    // With inView, the bounds are those of the view, as in an image.
    var members = parameters
    if boolean("inView") { for name in ["bounds", "extent"] { members[name] = nil } }
    let asked = try reading { try QuestionRequest(JSONNode(.object(members))) }
    for filter in [asked.whereClause, asked.cql2].compactMap({ $0 })
    where filter.text.allSatisfy(\.isWhitespace) {
      throw HTTPFault(400, "a condition is empty; give one, or leave the parameter out")
    }
    if case .file = asked.geometry { throw HTTPFault(400, "geometry: a request names no file") }
    let hasPlace = ["viewpoint", "center", "fit"].contains { parameters[$0] != nil }
    let area: FeatureQuestion.Area? = hasPlace ? .view : map.document.isPlainData ? .everywhere : nil
    var question = try reading { try asked.question(area: area) }
    if let objectIDs { question.objectIDs = objectIDs }
    var request = try questionView()
    let usesView = needsView || question.area == .view
    if boolean("inView"), request.place != nil, try viewBounds() != nil {
      throw HTTPFault(
        400, "bounds cannot be combined with inView and another place: each sets the view; give one")
    }
    if usesView, let bounds = try boolean("inView") ? viewBounds() : asked.bounds {
      request.place = .bounds(bounds)
    }
    (request.question, request.fitsDefaultView) = (question, usesView)
    let state = try await map.state(request, styling(for: request))
    return AskedMap(
      document: map.document, state: state, question: question, request: request,
      asksExtent: asked.asksExtent)
  }

  /// Returns the bounds of the view, which a question may call `extent`.
  private func viewBounds() throws -> Envelope? {
    try reading { try QuestionRequest(JSONNode(.object(bounds))) }.bounds
  }

  private var bounds: JSONObject {
    var members = JSONObject()
    for name in ["bounds", "extent"] { members[name] = parameters[name] }
    return members
  }

  /// Returns the request for the view of a question, whose area, time and condition belong to the question.
  private func questionView() throws -> ViewRequest {
    var members = parameters
    for name in ["bounds", "extent", "time", "where"] { members[name] = nil }
    return try MapRequest(map: map, parameters: members, limits: limits).view()
  }

  func boolean(_ name: String) -> Bool { parameters[name]?.boolean ?? false }
  func text(_ name: String) -> String? { parameters[name]?.string }
  func texts(_ name: String) -> [String] { parameters[name]?.array?.compactMap(\.string) ?? [] }

  /// Returns the texts between commas.
  func list(_ name: String) -> [String] {
    text(name).map { QuotedNames.split($0, at: ",") } ?? []
  }

  /// Returns a whole number of 0 or more.
  func count(_ name: String) throws -> Int? {
    guard let number = parameters[name]?.integer else { return nil }
    guard number >= 0 else { throw HTTPFault(400, "\(name) is \(number); it must be 0 or more") }
    return number
  }
}

/// A question with its view.
struct AskedMap {
  let document: MapDocument
  let state: ViewState
  let question: FeatureQuestion
  let request: ViewRequest
  let asksExtent: Bool

  /// The layers that a count is about; nil for all.
  var layers: [Int]? { get throws { try document.layers(named: request) } }

  /// The table that a question about one table is about, and the warnings about the question.
  func table() throws -> (layer: LayerState, layers: [Int], warnings: [String]) {
    let layers = try document.tableLayers(request)
    let layer = document.asked(layers, in: state)
    return (layer, layers, try state.check(question, asking: [layer], asksExtent: asksExtent))
  }
}
