import MapJSON
import MapModel

/// A layer of a style without its source, its zooms and the filter of its display filter.
struct StyleLayerDraft {
  /// The end of the id; empty for the first layer of a source.
  let suffix: String
  let type: String
  var layout: [(String, JSONValue)] = []
  var paint: [(String, JSONValue)] = []
  /// The conditions that features pass.
  var conditions: [JSONValue] = []
  /// The scale denominators of label classes; 0 for no limit.
  var scales = (smallest: 0.0, largest: 0.0)
  /// The place of a label class, 0 first.
  var priority = 0

  init(_ suffix: String, _ type: String) { (self.suffix, self.type) = (suffix, type) }

  /// Sets a property unless it has its default.
  mutating func set(paint name: String, _ value: JSONValue, default standard: JSONValue? = nil) {
    if value != standard { paint.append((name, value)) }
  }

  /// Sets a property unless it has its default.
  mutating func set(layout name: String, _ value: JSONValue, default standard: JSONValue? = nil) {
    if value != standard { layout.append((name, value)) }
  }

  /// Returns the layer for a slice of scales; nil if no zoom and no feature shows it.
  ///
  /// - Parameters:
  ///   - id: the id of the layer.
  ///   - isVisible: whether the layer is drawn.
  func json(
    id: String, source: String, slice: ScaleSlice, condition: JSONValue?, isVisible: Bool
  ) -> JSONValue? {
    guard !conditions.contains(false),
      let zooms = slice.within(minScale: scales.smallest, maxScale: scales.largest).members
    else { return nil }
    var json: JSONObject = ["id": .string(id), "type": .string(type), "source": .string(source)]
    for (name, value) in zooms { json[name] = value }
    if let filter = StyleJSON.all(conditions + (condition.map { [$0] } ?? [])) { json["filter"] = filter }
    let layout = layout + (isVisible ? [] : [("visibility", "none")])
    for (name, properties) in [("layout", layout), ("paint", paint)] where !properties.isEmpty {
      var object = JSONObject()
      for (property, value) in properties { object[property] = value }
      json[name] = .object(object)
    }
    return .object(json)
  }
}
