import MapJSON
import MapModel
import MapState
import Testing

extension MapDocument {
  /// Opens the text of a document that causes no warning.
  static func withoutWarnings(_ json: String) async throws -> MapDocument {
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    return document
  }

  /// Returns a view of the feature layers on white ground.
  ///
  /// - Parameters:
  ///   - x: the centre in Web Mercator, with `y`.
  ///   - resolution: metres for each pixel of the view.
  func view(
    width: Double, height: Double, pixelRatio: Double = 1, x: Double = 0, y: Double = 0,
    resolution: Double = 1, rotation: Double = 0
  ) -> ViewState {
    ViewState(
      width: width, height: height, pixelRatio: pixelRatio,
      viewpoint: ResolvedViewpoint(
        center: Point(x: x, y: y, spatialReference: .webMercator), resolution: resolution, rotation: rotation),
      background: .white, timeExtent: nil,
      layers: map.operationalLayers.compactMap { ($0 as? FeatureLayer)?.frozen })
  }
}
