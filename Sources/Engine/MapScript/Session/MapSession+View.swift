import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapState

/// The steps that change the view and its layers.
extension MapSession {
  func filter(_ step: JSONNode) throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    // The names of the options, and those that only this step has.
    var request = try ViewRequest(step, ["layer", "filters", "definition", "displayFilter"])
    let asked = try MapStateError.reading {
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

  func setVisibility(_ step: JSONNode) throws(MapStateError) {
    let (document, _) = try current()
    let request = try ViewRequest(step, ["layer", "only", "hide", "show"])
    let visible = try MapStateError.reading { try step.boolean("visible") }
    let setsOthers = !(request.only + request.hidden + request.shown).isEmpty
    guard visible != nil || setsOthers else {
      throw MapStateError(.input, "a visibility step needs \"visible\", \"only\", \"hide\" or \"show\"")
    }
    let layer = visible == nil ? nil : try document.layer(named: request.layer).layer
    try document.applyVisibility(request)
    if let layer, let visible { layer.isVisible = visible }
  }

  func setTime(_ step: JSONNode) throws(MapStateError) {
    let (_, view) = try current()
    let request = try ViewRequest(step, ["time", "now"])
    if let now = request.now { view.now = now }
    // A step with `now` alone keeps the time extent.
    if request.now == nil || request.time != nil { view.timeExtent = request.time }
  }

  func viewpoint(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    var request = try ViewRequest(step, ["viewpoint"])
    try request.readPlace(step)
    guard request.place != nil || request.rotation != nil || request.zoom != nil else {
      throw MapStateError(
        .input,
        "a viewpoint step needs \"viewpoint\", \"center\" and \"scale\", \"bounds\", \"fit\", \"rotation\" or \"zoom\""
      )
    }
    try await document.show(request, in: view)
    if let zoom = request.zoom { try view.show(zoom: zoom) }
    let warning = request.placeWarning(on: document.map.spatialReference)
    return place(of: view) + (warning.map { [("warnings", [.string($0)])] } ?? [])
  }

  func move(_ kind: SessionStep, _ step: JSONNode) throws(MapStateError) -> [(String, JSONValue)] {
    let (_, view) = try current()
    let by = try MapStateError.reading {
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
}
