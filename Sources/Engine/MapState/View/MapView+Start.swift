import MapGeometry
import MapModel

/// The start position of a view, and its position after its map changes to another spatial reference.
extension MapView {
  /// Returns the start position: the given viewpoint, else the map's, else the extent of its layers, else the
  /// world.
  static func start(
    of map: Map, at viewpoint: Viewpoint?, _ size: (width: Double, height: Double),
    _ insets: EdgeInsets = EdgeInsets(), padding: Double
  ) throws(MapStateError) -> ResolvedViewpoint {
    let plane: MapPlane
    do { plane = try MapPlane.of(map.spatialReference) } catch { throw MapStateError(error, kind: .usage) }
    func resolved(_ start: Viewpoint) throws(MapStateError) -> ResolvedViewpoint {
      try Self.resolved(start, on: plane, size, insets, padding: padding, current: nil)
    }
    if let asked = viewpoint ?? map.initialViewpoint { return try resolved(asked) }
    if let shown = try? resolved(Viewpoint(boundingGeometry: fullExtent(of: map, on: plane))) {
      // The scale for all data may be too large for every layer.
      guard let scale = map.featureLayers.scale(above: shown.scale) else { return shown }
      let covered = insets.inForce(width: size.width, height: size.height).middle
      let center = shown.moved(right: covered.right, down: covered.down).center
      return (try? resolved(Viewpoint(center: center, scale: scale))) ?? shown
    }
    // Data beyond the limits of a view leave it over the world. A view too small for the world shows its centre.
    if let shown = try? resolved(Viewpoint(boundingGeometry: plane.world)) { return shown }
    return try resolved(
      Viewpoint(center: plane.world.center, scale: ResolvedViewpoint.scaleLimits.upperBound))
  }

  /// Returns the position of the canvas for which the part not covered by insets shows a viewpoint.
  static func resolved(
    _ viewpoint: Viewpoint, on plane: MapPlane, _ size: (width: Double, height: Double), _ insets: EdgeInsets,
    padding: Double, current: ResolvedViewpoint?
  ) throws(MapStateError) -> ResolvedViewpoint {
    let covered = insets.inForce(width: size.width, height: size.height)
    let inSight: ResolvedViewpoint
    do {
      inSight = try ResolvedViewpoint.resolve(
        viewpoint, on: plane, width: size.width - covered.leading - covered.trailing,
        height: size.height - covered.top - covered.bottom, padding: padding, current: current)
    } catch {
      throw MapStateError(error, kind: .usage)
    }
    return inSight.moved(right: -covered.middle.right, down: -covered.middle.down)
  }

  /// The plane of the map; Web Mercator if the map changed to a spatial reference that is not supported.
  package var plane: MapPlane { (try? MapPlane.of(map.spatialReference)) ?? .webMercator }

  /// Returns the position of a view on the current plane of its map, which may have changed since the last
  /// movement.
  ///
  /// On another plane, the view shows what was last requested, else about the same centre at the same scale. A view
  /// that was never moved gets a new start position.
  func placed(_ now: Settings) -> ResolvedViewpoint {
    let plane = plane
    guard now.viewpoint.reference != plane.reference else { return now.viewpoint }
    let size = now.size.width > 0 ? now.size : (1, 1)
    let carried = plane.place(now.viewpoint.center).map {
      ResolvedViewpoint(
        center: $0, scale: now.viewpoint.scale, rotation: now.viewpoint.rotation, on: plane)
    }
    if let (asked, padding) = now.wanted,
      let shown = try? Self.resolved(asked, on: plane, size, now.insets, padding: padding, current: carried)
    {
      return shown
    }
    if !now.isAtStart, let carried { return carried }
    return (try? Self.start(of: map, at: nil, size, now.insets, padding: 0)) ?? now.viewpoint
  }

  /// Returns the extent of the map's layers, else that of its basemap, else the world.
  private static func fullExtent(of map: Map, on plane: MapPlane) -> Envelope {
    // The layers of the map decide; if they have no extent, the basemap's layers do.
    let all = [map.featureLayers, map.basemap?.featureLayers ?? []].lazy
    let extents =
      all.map { $0.map { plane.extent(of: $0.source) }.filter { !$0.isEmpty } }.first { !$0.isEmpty } ?? []
    guard let first = extents.first else { return plane.world }
    // The union is computed in the tables' own spatial reference, so that the fit includes every row.
    guard extents.contains(where: { $0.spatialReference != first.spatialReference }) else {
      let union = extents.reduce(first) { $0.union($1) }
      guard first.spatialReference == .wgs84 else { return union }
      // Latitudes beyond 90° cannot be shown.
      return Envelope(
        xMin: union.xMin, yMin: min(max(union.yMin, -90), 90), xMax: union.xMax,
        yMax: min(max(union.yMax, -90), 90), spatialReference: .wgs84)
    }
    let limit = plane.reference == .webMercator ? WebMercator.halfWorld : 90
    let union = extents.compactMap { $0.projected(to: plane.reference) }.reduce(Envelope.empty) {
      $0.union($1)
    }
    // The poles have no image in Web Mercator; one micrometre compensates rounding in projection.
    return Envelope(
      xMin: union.xMin, yMin: max(union.yMin, -limit), xMax: union.xMax, yMax: min(union.yMax, limit),
      spatialReference: plane.reference
    ).grown(by: plane.reference == .webMercator ? 1e-6 : 0)
  }
}

extension [FeatureLayer] {
  /// Returns the nearest scale denominator above one at which a layer is drawn; nil if one is drawn there, or none
  /// above it.
  ///
  /// A smaller scale still shows all data, a larger one might show none.
  fileprivate func scale(above scale: Double) -> Double? {
    let ranges = filter(\.isVisible).map { ($0.minScale, $0.maxScale) }
    guard !ranges.contains(where: { ($0 == 0 || scale <= $0) && scale >= $1 }) else { return nil }
    return ranges.filter { $1 > scale && ($0 == 0 || $0 >= $1) }.map(\.1).min()
  }
}
