import Glibc
import MapGeometry
import MapModel

extension ViewState {
  /// The zoom, as maps of vector tiles count it: at 0, the world is 512 view pixels wide.
  ///
  /// In other spatial references than Web Mercator, it is the zoom with the same resolution on the ground at the centre.
  /// Nil for a view without any position on the world.
  ///
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected.
  package func zoom() throws(MapStateError) -> Double? {
    do { return try TilePlacing(self, operations: .installed)?.zoom } catch {
      throw MapStateError(.usage, "\(error)", cause: error)
    }
  }
}

extension MapView {
  /// Changes the scale about the centre to that of a zoom.
  ///
  /// - Throws: ``MapStateError`` if the view has no zoom there.
  package func show(zoom: Double) throws(MapStateError) {
    guard viewpoint.reference != .webMercator else {
      return try move { now in
        Viewpoint(center: now.center, scale: Viewpoint.scale(ofZoom: zoom), rotation: now.rotation)
      }
    }
    // The resolution at the centre is measured over a pixel, whose size changes with the scale.
    for _ in 0..<2 {
      guard let now = try copied().state.zoom() else {
        throw MapStateError(.usage, "the view has no zoom: its centre is not on the world")
      }
      let factor = exp2(now - zoom)
      try move { now in
        Viewpoint(center: now.center, scale: now.scale * factor, rotation: now.rotation)
      }
    }
  }
}
