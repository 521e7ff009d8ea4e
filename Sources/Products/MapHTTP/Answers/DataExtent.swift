import MapModel
import MapState

extension LayerState {
  /// Returns the extent of the layer's rows in a spatial reference; empty without geometries, and for rows that have no
  /// position there.
  func extent(in reference: SpatialReference) -> Envelope {
    guard source.schema.geometryKind != nil, let plane = try? MapPlane.of(reference) else { return .empty }
    let extent = plane.extent(of: source)
    return extent.isEmpty ? .empty : (try? plane.box(of: extent, "the extent of the data")) ?? .empty
  }
}
