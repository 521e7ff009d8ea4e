import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

/// The answers about single features and about the document.
extension MapRequest {
  /// The features whose symbols are at a point of the view, from top to bottom, each with its explanation.
  func identify() async throws -> HTTPResponse {
    guard let x = parameters["x"]?.double, let y = parameters["y"]?.double else {
      throw HTTPFault(400, "x and y are missing; give a position in view pixels from the top left")
    }
    let tolerance = parameters["tolerance"]?.double ?? 2
    guard (0...20).contains(tolerance) else {
      throw HTTPFault(400, "tolerance is \(tolerance); it must be 0 to 20")
    }
    let state = try await state(view())
    var found: [JSONValue] = []
    for (index, layer) in state.layers.enumerated().reversed() where !(layer.source is UnreadSource) {
      try Task.checkCancellation()
      let layer = try await state.fetched(layer)
      let rows = try await state.rows(
        of: layer, hitAt: ScreenPoint(x: x, y: y), tolerance: tolerance, maximum: 3)
      guard !rows.isEmpty else { continue }
      let features = try FeatureRows(try await layer.source.whole().columns(), rows: rows, hasGeometry: false)
      for (row, id) in zip(rows, features.objectIDs) {
        var properties = JSONObject()
        for field in features.fields {
          properties[features.table.schema.fields[field].name] =
            features.table.columns[field].value(at: row).json
        }
        found.append([
          "layer": .string(layer.name), "id": .number(JSONNumber(id)), "properties": .object(properties),
          "explanation": try await state.explanation(of: index, objectID: id).json,
        ])
      }
    }
    return HTTPResponse(json: ["features": .array(found)])
  }

  /// The reasons why a feature is or is not drawn.
  func explanation() async throws -> HTTPResponse {
    guard let id = parameters["id"]?.integer else { throw HTTPFault(400, "id is missing") }
    let request = try view()
    let state = try await state(request)
    let index = try map.document.layerIndex(request)
    return HTTPResponse(json: try await state.explanation(of: index, objectID: Int64(id)).json)
  }

  /// The revision of the map, and the names of the files that its page may write.
  func revision(_ files: PreviewFiles?) -> HTTPResponse {
    HTTPResponse(json: [
      "revision": .string(map.revision),
      "saveTo": files?.document.map { .string(FilePath.name(of: $0)) } ?? .null,
      "cases": files?.cases.map { .string(FilePath.name(of: $0)) } ?? .null,
    ])
  }

  /// The findings of `mapstate lint`.
  func lint() async throws -> HTTPResponse {
    let answer = try await map.lint()
    return HTTPResponse(json: answer.json(warnings: .array(answer.warnings.map { .string($0.description) })))
  }
}
