import Glibc
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapState

/// The view of a map whose document has no viewpoint, if the caller gives none.
///
/// It shows the features of the named layers, or of all visible layers if none are named. The definition
/// expression, the filters of the question and the time apply; a display filter does not. Each side has a margin
/// and the space that symbols need. The view shows at most one world copy unless the features are too tall for it.
/// Parts of features far from all others, at most 1 % of a layer, are left outside if the scale is at least a quarter
/// larger without them; see `GroundExtent.extentWithoutStrays()`.
///
/// - Source: design decision; the margin is 4 % of the view's width and height.
extension MapDocument {
  private static let margin = 0.04
  /// The least factor by which the scale is larger without the parts that are left outside.
  private static let leastGain = 1.25

  /// Moves a view to the default view.
  ///
  /// Without features to show, the view stays unchanged.
  ///
  /// - Parameter leavesStrays: whether parts of features far from all others may be left outside.
  /// - Throws: `MapStateError`.
  func showDefaultView(
    _ view: MapView, _ request: ViewRequest, leavesStrays: Bool
  ) async throws(MapStateError) {
    let named = try layers(named: request) ?? []
    let read = layers.indices.filter { layers[$0].unreadReason == nil }
    let asked = read.filter { named.contains($0) }
    let frozen = view.freeze()
    let shown = asked.isEmpty ? read.filter { frozen.layers[$0].isVisible } : asked
    var pieces: [GroundExtent.Piece] = []
    for index in shown {
      let layer = frozen.layers[index]
      do {
        pieces.append(try await frozen.ground(of: layer, request.question))
      } catch {
        throw MapStateError(error, ofLayer: layer.name)
      }
    }
    do {
      let ground = GroundExtent(of: pieces, on: view.plane)
      var extent = try ground.extent()
      guard !extent.isEmpty else { return }
      func scale(showing extent: Envelope) throws(MappingError) -> Double {
        try view.viewpoint(showing: extent, reach: 0, padding: request.padding).targetScale
      }
      var leavesOutside = false
      if leavesStrays, let main = ground.extentWithoutStrays(),
        try scale(showing: extent) >= Self.leastGain * scale(showing: main)
      {
        (extent, leavesOutside) = (main, true)
      }
      // Symbol sizes may depend on the scale, so a second pass uses the scale of the first.
      var reach = 0.0
      for _ in 0..<2 {
        try view.setViewpoint(view.viewpoint(showing: extent, reach: reach, padding: request.padding))
        let state = view.freeze()
        reach = shown.map { state.symbolizer(of: state.layers[$0]).reach }.max() ?? 0
      }
      view.leavesFeaturesOutside = leavesOutside
    } catch {
      // If no view can show the data, the view keeps showing the world.
      return
    }
  }

  /// Returns the minimum free view pixels on each side of the default view, without the space for symbols.
  static func room(in side: Double, padding: Double?) -> Double { padding ?? margin * side }
}

extension ViewState {
  /// Returns the rows of a layer that the default view shows.
  ///
  /// - Parameter reference: the spatial reference in which they are shown; nil for that of the view.
  func ground(
    of layer: LayerState, _ question: FeatureQuestion, in reference: SpatialReference? = nil
  ) async throws -> GroundExtent.Piece {
    let reference = reference ?? spatialReference
    var everywhere = question
    (everywhere.area, everywhere.geometry) = (.everywhere, nil)
    let query = try conditions(for: layer, asking: everywhere).query(for: .stage(.time))
    // A service declares its extent. Fetching all features to compute it would cost too much.
    if query.filters.isEmpty, layer.source.inMemory == nil {
      return .whole(try MapPlane.of(reference).extent(of: layer.source))
    }
    let fetched = try await layer.source.fetch(query)
    return .rows(try fetched.rows(query), try fetched.shownColumns(on: reference))
  }
}

extension MapView {
  /// The scale denominator of a view fitted to a single point.
  ///
  /// - Source: design decision; it shows a town.
  static let scaleOfPoint = 50_000.0

  /// Returns the viewpoint that shows an extent with free space on each side.
  ///
  /// `reach` is the symbols' size in view pixels.
  fileprivate func viewpoint(
    showing extent: Envelope, reach: Double, padding: Double?
  ) throws(MappingError) -> Viewpoint {
    let box = try plane.box(of: extent, "the extent of the data")
    guard box.width > 0 || box.height > 0 else {
      return Viewpoint(center: box.center, scale: Self.scaleOfPoint, rotation: viewpoint.rotation)
    }
    func free(_ side: Double) -> Double {
      // At least a quarter of the view remains for the features.
      side - 2 * min(MapDocument.room(in: side, padding: padding) + reach, side * 3 / 8)
    }
    // A rotated view shows the bounding box of the rotated extent.
    let angle = viewpoint.rotation * (.pi / 180)
    let (across, along) = (abs(cos(angle)), abs(sin(angle)))
    let tall = (box.height * across + box.width * along) / free(height)
    var resolution = max((box.width * across + box.height * along) / free(width), tall)
    if let world = Envelope.worldWidth(of: plane.reference) {
      // A tiny enlargement keeps points on the antimeridian inside the view.
      resolution = min(resolution, max(tall, world / width * (1 + 0x1p-40)))
    }
    let center = box.center
    return Viewpoint(
      center: center, scale: resolution * plane.scalePerResolution, rotation: viewpoint.rotation)
  }
}
