package import MapJSON
package import MapState
import MapStyles
import MapSystem

/// The layers of styles at a pixel as text or JSON: from top to bottom, each with its feature and the values that drew it.
package struct StylePixelExplanation: Sendable {
  private let point: ScreenPoint
  private let zoom: Double
  private let hits: [StyleHit]

  /// Finds the layers at a point of a view.
  ///
  /// - Throws: `MapStateError`.
  package init(_ view: ViewState, at point: ScreenPoint) async throws(MapStateError) {
    self.point = point
    zoom = try view.zoom() ?? 0
    hits = try await view.styleHits(at: point)
  }

  /// The answer as text.
  package var text: String {
    var lines = ["at \(text(point.x)),\(text(point.y)), zoom \(text((zoom * 1e6).rounded() / 1e6))"]
    if hits.isEmpty { lines.append("no layer of a style is drawn there") }
    var answer = lines.map { MessageText.escaped($0) + "\n" }.joined()
    for hit in hits {
      var own: [String] = []
      if let feature = hit.feature {
        let id = feature.id.isNull ? "without an id" : "id \(feature.id.json.text(style: .compact))"
        own.append("  feature     \(id)\(hit.tile.map { " in tile \($0)" } ?? "")")
        own.append("  properties  \(StyleValue.object(feature.properties).json.text(style: .compact))")
      }
      answer +=
        "\n" + StyleLayerExplanation(hit.layer, hit.context, hit.feature ?? StyleFeature()).text(of: own)
    }
    return answer
  }

  /// The answer as JSON with keys in a fixed order.
  package var json: JSONValue {
    [
      "at": [.number(point.x), .number(point.y)], "zoom": .number(zoom),
      "layers": .array(
        hits.map { hit in
          var object: JSONObject = ["mapLayer": .string(hit.mapLayer)]
          if let feature = hit.feature {
            object["feature"] = [
              "id": feature.id.json, "tile": hit.tile.map { .string($0) } ?? .null,
              "properties": StyleValue.object(feature.properties).json,
            ]
          }
          let layer = StyleLayerExplanation(hit.layer, hit.context, hit.feature ?? StyleFeature()).json
          for member in layer.object?.members ?? [] { object[member.name] = member.value }
          return .object(object)
        }),
    ]
  }

  private func text(_ number: Double) -> String { JSONValue.number(number).text(style: .compact) }
}
