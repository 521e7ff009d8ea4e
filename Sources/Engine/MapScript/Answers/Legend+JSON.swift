import MapGeometry
import MapDrawing
import MapImages
public import MapJSON
public import MapLayout
import MapModel
public import MapState
import MapSystem

extension Legend {
  /// Returns the legend as JSON with keys in a fixed order; symbols are PNG images in base64.
  ///
  /// - Parameter pixelRatio: the number of pixels of an image per view pixel, 1 to 4.
  /// - Throws: `MapStateError`.
  public func json(pixelRatio: Double = 1) async throws(MapStateError) -> JSONValue {
    var layers: [JSONValue] = []
    for layer in self.layers {
      var entries: [JSONValue] = []
      for entry in layer.entries { entries.append(try await entry.json(pixelRatio: pixelRatio)) }
      layers.append([
        "groups": .array(layer.groups.map { .string($0) }), "layer": .string(layer.title),
        "by": .string(layer.subtitle), "opacity": .number(layer.opacity), "entries": .array(entries),
      ])
    }
    var object = JSONObject()
    if !title.isEmpty { object["title"] = .string(title) }
    object["layers"] = .array(layers)
    object["warnings"] = .array(warnings.map { .string($0) })
    return .object(object)
  }
}

extension LegendEntry {
  fileprivate func json(pixelRatio: Double) async throws(MapStateError) -> JSONValue {
    var object = JSONObject()
    object["label"] = .string(label)
    if let classIndex { object["class"] = .number(classIndex) }
    if let count { object["count"] = .number(count) }
    switch graphic {
    case .heading: object["heading"] = true
    case .square(let square):
      object["square"] = [
        "fields": .array(square.titles.map { .string($0) }),
        "bounds": .array(square.bounds.map { .array($0.map { .string($0) }) }),
        "colors": .array(square.colors.map { .array($0.map { .string($0.hexadecimal) }) }),
      ]
    case .chart(let chart):
      object["chart"] = [
        "axis": [.number(chart.axis.lowerBound), .number(chart.axis.upperBound)],
        "counts": .array(chart.counts.map { .number($0) }),
      ]
    case .ramp(let stops):
      object["ramp"] = .array(
        stops.map { stop in
          [
            "place": .number(stop.place), "color": .string(stop.color.hexadecimal),
            "label": .string(stop.label),
          ]
        })
    case .symbol(let symbol, let kind):
      if isSize, let size = symbol.ownSize { object["size"] = .number(size) }
      try object.add(await symbol.shown(on: kind).symbol.makeSwatch(scale: pixelRatio))
    case .dots(let sample):
      object["dotsPerPixel"] = .number(sample.density)
      try object.add(await sample.makeSwatch(scale: pixelRatio))
    }
    return .object(object)
  }
}

extension JSONObject {
  /// Adds an image as PNG in base64, with its size.
  fileprivate mutating func add(_ image: Bitmap) throws(MapStateError) {
    self["width"] = .number(image.width)
    self["height"] = .number(image.height)
    do { self["png"] = .string(Base64.text(try image.pngData())) } catch { throw MapStateError(error) }
  }
}
