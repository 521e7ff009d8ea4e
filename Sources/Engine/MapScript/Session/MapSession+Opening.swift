import MapJSON
import MapModel
import MapReaders
import MapState
import MapSystem

/// The step that opens a map.
extension MapSession {
  mutating func open(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let source = try MapStateError.reading { try step.required("source").string() }
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
    if !request.styleTiles.isEmpty { catalog.styleTiles = request.styleTiles(in: [folder, "."]) }
    if request.joins != TableJoins() {
      catalog.joins = request.joins(in: [folder, "."])
    } else {
      catalog.joins.layer = request.joins(in: []).layer
      catalog.joins.readsStandardInput = false
    }
    var choice = LayerChoice()
    // A hidden layer that cannot be read does not prevent opening; a query of it is an error later.
    choice.skipsHiddenUnavailable = true
    choice.skipsUnavailable = try MapStateError.reading {
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
}
