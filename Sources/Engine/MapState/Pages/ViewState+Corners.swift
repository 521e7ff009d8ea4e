import MapFeatures
import MapGeometry
import MapLayout
import MapModel

/// The corner of the map in which a legend lies.
extension ViewState {
  /// Returns a layout whose legend is in one corner of the map, and a warning if another one would cover fewer features.
  ///
  /// For ``PageLayout/LegendPosition/corner``, it is the corner with the fewest features; of several, the first of the
  /// lower right, upper right, lower left and upper left. Other positions stay. Features of services are not counted.
  ///
  /// - Parameter box: returns the rectangle of the legend of a layout in the map, in view pixels.
  /// - Cost: the drawing of the features in each corner, without painting them.
  /// - Throws: ``MapStateError``.
  func choosingCorner(
    of layout: PageLayout, box: (PageLayout) -> Envelope?
  ) async throws(MapStateError) -> (layout: PageLayout, warnings: [String]) {
    guard let asked = layout.legend, asked.isOnMap else { return (layout, []) }
    var (best, own): ((layout: PageLayout, count: Int)?, Int?)
    let corners = PageLayout.LegendPosition.corners
    for corner in asked == .corner ? corners : [asked] + corners.filter({ $0 != asked }) {
      var tried = layout
      tried.legend = corner
      guard let box = box(tried) else { continue }
      let count = try await featureCount(in: box)
      if corner == asked { own = count }
      if count < best?.count ?? .max { best = (tried, count) }
      if count == 0 { break }
    }
    guard let best, let position = best.layout.legend else { return (layout, []) }
    guard asked != .corner else { return (best.layout, []) }
    guard let own, best.count < own else { return (layout, []) }
    func features(_ count: Int) -> String {
      "\(LegendNumber.text(Double(count))) \(count == 1 ? "feature" : "features")"
    }
    let fewer = best.count == 0 ? "none" : features(best.count)
    return (
      layout,
      ["the legend covers \(features(own)); --legend \(position.rawValue) would cover \(fewer)"]
    )
  }

  /// Returns whether the map draws tiles, or a feature in a rectangle of the image, in view pixels.
  ///
  /// - Cost: the drawing of the features in the rectangle, without painting them.
  /// - Throws: ``MapStateError``.
  func needsPlate(in box: Envelope) async throws(MapStateError) -> Bool {
    if tileLayers.contains(where: { $0.isShown(atScale: viewpoint.scale) }) { return true }
    return try await featureCount(in: box, fetchesServices: true) > 0
  }

  /// Returns the number of features whose symbols reach into a rectangle of the image, in view pixels.
  ///
  /// - Parameter fetchesServices: whether the features of services are fetched; they are not counted otherwise.
  private func featureCount(
    in box: Envelope, fetchesServices: Bool = false
  ) async throws(MapStateError) -> Int {
    let view = cut(to: box)
    var count = 0
    for (index, layer) in layers.enumerated() where layer.isShown(atScale: viewpoint.scale) {
      let layer = fetchesServices ? try await view.fetched(layer) : layer
      guard let source = layer.source.inMemory, layer.source.schema.geometryKind != nil else { continue }
      guard layer.cells != nil else {
        count += try await view.drawing(of: layer, index: index).painted.count
        continue
      }
      // Cells have no features; the points in them are counted.
      count += try await naming(layer) {
        try source.rows(view.conditions(for: layer).query(for: .drawing)).count
      }
    }
    return count
  }
}
