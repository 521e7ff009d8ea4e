import MapDrawing
import MapGeometry
import MapGeometryEngine
import MapImages
import MapJSON
import MapModel

extension FilterFunnel: CustomStringConvertible {
  /// The stages with their counts, such as `total 12, definition 8, extent 5, …`; `-` where a stage has no count.
  public var description: String {
    stages.map { "\($0.name) \($0.count.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
  }
}

extension CountAnswer: CustomStringConvertible {
  /// The layers with their counts, such as `Land: 1, Cities: 12`.
  public var description: String { layers.map(\.description).joined(separator: ", ") }
}

extension CountAnswer.Layer: CustomStringConvertible {
  /// Name and count, such as `Cities: 12`.
  public var description: String { "\(name): \(count)" }
}

extension MapDocument: CustomStringConvertible {
  /// The names of the layers, the lowest first, such as `MapDocument("Land", "Cities")`.
  public var description: String {
    "MapDocument(\(layers.map { "\"\($0.layer.name)\"" }.joined(separator: ", ")))"
  }
}

extension OpenedLayer: CustomStringConvertible {
  /// The name, such as `OpenedLayer("Cities")`.
  public var description: String { "OpenedLayer(\"\(layer.name)\")" }
}

extension FeatureExplanation: CustomStringConvertible {
  /// The text of `mapstate explain`.
  public var description: String { text }
}

extension RenderedMap: CustomStringConvertible {
  /// Image size and layers, such as `RenderedMap(800x600, Cities drawn)`.
  public var description: String {
    "RenderedMap(\(([ImageSize(bitmap).description] + report.layers.map(\.description)).joined(separator: ", ")))"
  }
}

extension RenderReport: CustomStringConvertible {
  /// View and layers.
  public var description: String {
    "RenderReport(\(([view.description] + layers.map(\.description)).joined(separator: ", ")))"
  }
}

extension RenderReport.Layer: CustomStringConvertible {
  /// Name and status, such as `Cities drawn`.
  public var description: String { "\(name) \(status)" }
}

extension IdentifyLayerResult: CustomStringConvertible {
  /// Layer and number of features, or the error, such as `IdentifyLayerResult("Cities", 2 features)`.
  public var description: String {
    let found = error.map { "\($0)" } ?? geoElements.count.counted("feature")
    return "IdentifyLayerResult(\"\(layerContent.name)\", \(found))"
  }
}

extension IdentifyGraphicsOverlayResult: CustomStringConvertible {
  /// The number of graphics, such as `IdentifyGraphicsOverlayResult(2 graphics)`.
  public var description: String { "IdentifyGraphicsOverlayResult(\(graphics.count.counted("graphic")))" }
}

extension ProximityResult: CustomStringConvertible {
  /// The nearest point and its distance.
  public var description: String {
    "ProximityResult(\(coordinate), distance \(JSONWriter.text(of: distance)))"
  }
}
