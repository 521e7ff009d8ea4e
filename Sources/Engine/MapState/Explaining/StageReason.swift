import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapReaders

/// The reason why a feature fails a stage of the funnel, as one line.
///
/// It describes the condition and the feature. The queries of `QueryConditions` select the features.
struct StageReason {
  let view: ViewState
  let layer: LayerState
  /// The table as the map shows it.
  let table: FeatureColumns
  let row: Int

  /// Returns the reason at the first stage that the feature fails.
  func text(_ stage: QueryConditions.Kind, _ conditions: QueryConditions) -> String {
    switch stage {
    case .definition: filter("definition expression", conditions.$definitionExpression)
    case .display:
      if conditions.hiddenIDs.contains(ObjectIDs(table).id(ofRow: row)) {
        "hidden by its object id"
      } else if let field = conditions.visibilityField, value(of: field) == .integer(0) {
        "hidden by the field \(field), which is 0"
      } else {
        filter("display filter", conditions.$displayFilter)
      }
    case .extent: extent
    case .time: time(conditions)
    case .scale: scale
    case .total, .hidden, .labels, .rule, .parameters, .having: "the feature is not in the layer"
    }
  }

  private func value(of field: String) -> AttributeValue? {
    table.schema.index(ofField: field).map { table.columns[$0].value(at: row) }
  }

  private func filter(_ name: String, _ filter: ParsedFilter) -> String {
    "\(name) is not true: \(filter.text)" + values(of: filter.fieldNames.sorted())
  }

  /// Returns the values of a condition's fields, as ` (NAME = value, …)`.
  private func values(of fields: [String]) -> String {
    let texts = fields.compactMap { name in
      table.schema.index(ofField: name).map { "\(name) = \(Self.shown(table.columns[$0].value(at: row)))" }
    }
    return texts.isEmpty ? "" : " (\(texts.joined(separator: ", ")))"
  }

  private static func shown(_ value: AttributeValue) -> String {
    switch value {
    case .null: "null"
    case .text(let text): "'\(text.count > 60 ? text.prefix(59) + "…" : text[...])'"
    default: value.plainText
    }
  }

  private var extent: String {
    guard let geometry = table.geometry, !geometry.isEmpty(row: row) else {
      return "the feature has no geometry"
    }
    let reference = table.schema.spatialReference
    let (own, shown) = (geometry.envelope(ofRow: row).with(spatialReference: reference), view.extent)
    let isMet = own.spatialReference == shown.spatialReference && own.meets(shown)
    let turn = view.viewpoint.rotation
    let sides =
      "envelope \(Self.sides(own)) of the feature, extent \(Self.sides(shown)) of the view"
      + (turn == 0 ? "" : ", which is rotated by \(turn.thousandths)°")
    return isMet ? "its geometry does not meet the view: \(sides)" : "outside the view: \(sides)"
  }

  /// Returns the sides as text, in degrees for built-in spatial references.
  private static func sides(_ envelope: Envelope) -> String {
    var sides = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    var name = envelope.spatialReference.map { " (\($0.wkid))" } ?? ""
    if envelope.spatialReference == .webMercator {
      sides = [
        WebMercator.longitude(x: sides[0]), WebMercator.latitude(y: sides[1]),
        WebMercator.longitude(x: sides[2]), WebMercator.latitude(y: sides[3]),
      ]
      name = ""
    } else if envelope.spatialReference == .wgs84 {
      name = ""
    }
    return sides.map(\.thousandths).joined(separator: ",") + name
  }

  private func time(_ conditions: QueryConditions) -> String {
    func end(_ instant: Instant?) -> String { instant?.description ?? ".." }
    let asked = conditions.viewTime.map { "\(end($0.start))/\(end($0.end))" } ?? "any"
    let fields = conditions.timeInfo.map { [$0.startField] + ($0.endField.map { [$0] } ?? []) } ?? []
    return "outside the view's time \(asked)" + values(of: fields)
  }

  private var scale: String {
    guard layer.isVisible else { return "the layer is hidden" }
    func bound(_ denominator: Double) -> String { denominator == 0 ? "any" : "1:\(denominator.thousandths)" }
    return "the view's scale 1:\(view.viewpoint.scale.thousandths) is outside the layer's range, "
      + "\(bound(layer.minScale)) to \(bound(layer.maxScale))"
  }

  /// Returns the reason why a feature that passes every filter changes no pixel of the image.
  func undrawn(classIndex: Int32, renderer: RendererForm) -> String {
    if classIndex == RowClassifier.notDrawn, renderer.hasRules {
      return "no rule matches at the view's scale 1:\(view.viewpoint.scale.thousandths)"
        + values(of: renderer.fieldNames)
    }
    if classIndex == RowClassifier.notDrawn {
      return "no class of the renderer fits and it has no default symbol" + values(of: renderer.fieldNames)
    }
    if table.geometry?.isEmpty(row: row) ?? true { return "the feature has no geometry" }
    let reason = try? view.symbolizer(of: layer).invisibility(ofRow: row, table)
    return "it is invisible: \(view.words(for: reason ?? .other, layer))"
  }
}
