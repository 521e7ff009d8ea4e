import MapDrawing
import MapFeatures
import MapGeometry
import MapModel

/// The view of a map whose document has no viewpoint, when nobody says where to look.
///
/// It shows the features of the layers that are named, else of all visible ones, that the definition expression, the
/// filters of the question and the time leave. A display filter never moves it. Each side has a margin and the room that
/// symbols need; the view shows no more than one copy of the world unless the features are too tall for it.
///
/// - Source: design decision; the margin is 4 % of the view's width and height.
extension MapDocument {
  private static let margin = 0.04

  /// Moves a view to the default view; with nothing to show it stays where it is.
  ///
  /// - Throws: ``MapError``.
  func showDefaultView(_ view: MapView, _ options: ViewOptions) async throws(MapError) {
    let named = try layers(named: options) ?? []
    let read = layers.indices.filter { layers[$0].unreadReason == nil }
    let asked = read.filter { named.contains($0) }
    let frozen = view.freeze()
    let shown = asked.isEmpty ? read.filter { frozen.layers[$0].isVisible } : asked
    var pieces: [GroundExtent.Piece] = []
    for index in shown {
      let layer = frozen.layers[index]
      do {
        pieces.append(try await frozen.ground(of: layer, options.question))
      } catch {
        throw MapError(LayerError(layer: layer.name, cause: error))
      }
    }
    do {
      let extent = try GroundExtent(of: pieces, on: view.plane).extent()
      guard !extent.isEmpty else { return }
      // The size of symbols may depend on the scale, so the second pass knows it better.
      var reach = 0.0
      for _ in 0..<2 {
        try view.setViewpoint(view.viewpoint(showing: extent, reach: reach, padding: options.padding))
        let state = view.freeze()
        reach = shown.map { state.symbolizer(of: state.layers[$0]).reach }.max() ?? 0
      }
    } catch {
      // Data that no view can show leave the view over the world.
      return
    }
  }

  /// The free view pixels on each side of the default view at least, without the reach of symbols.
  static func room(in side: Double, padding: Double?) -> Double { padding ?? margin * side }
}

extension ViewState {
  /// The rows of a layer that the default view shows.
  fileprivate func ground(of layer: LayerState, _ question: FeatureQuestion) async throws
    -> GroundExtent.Piece
  {
    var conditions = conditions(for: layer)
    var everywhere = question
    (everywhere.area, everywhere.geometry) = (.everywhere, nil)
    everywhere.apply(to: &conditions, in: self)
    let query = try conditions.query(for: .stage(.time))
    // A service states where its features are; to fetch them all for that would ask too much of it.
    if query.filters.isEmpty, !(layer.source is InMemorySource) {
      return .whole(try MapPlane.of(spatialReference).extent(of: layer.source))
    }
    let source = try await layer.source.fetched(for: query)
    return .rows(try await source.rows(query), try await source.shownColumns(on: spatialReference))
  }
}

extension MapView {
  /// The scale denominator of a view that is fitted to one point.
  ///
  /// - Source: design decision; it shows a town.
  static let scaleOfPoint = 50_000.0

  /// The viewpoint that shows an extent with free room on each side, the reach of symbols in view pixels included.
  fileprivate func viewpoint(
    showing extent: Envelope, reach: Double, padding: Double?
  ) throws(MappingError) -> Viewpoint {
    let box = try plane.box(of: extent, "the extent of the data")
    guard box.width > 0 || box.height > 0 else {
      return Viewpoint(center: box.center, scale: Self.scaleOfPoint, rotation: viewpoint.rotation)
    }
    func free(_ side: Double) -> Double {
      // At least a quarter of the view is left for the features.
      side - 2 * min(MapDocument.room(in: side, padding: padding) + reach, side * 3 / 8)
    }
    let tall = box.height / free(height)
    var resolution = max(box.width / free(width), tall)
    if let world = Envelope.worldWidth(of: plane.reference) {
      // A last bit more, so that places on the antimeridian are in it.
      resolution = min(resolution, max(tall, world / width * (1 + 0x1p-40)))
    }
    let center = box.center
    return Viewpoint(
      center: center, scale: resolution * plane.scalePerResolution, rotation: viewpoint.rotation)
  }
}
