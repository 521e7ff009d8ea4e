import MapFeatures
import MapGeometry
import MapModel
import Synchronization

extension MapPlane {
  private static let known = Mutex<[SpatialReference: Result<MapPlane, MappingError>]>([:])

  /// Returns the plane of a spatial reference with the libraries of this build.
  ///
  /// Planes are cached, because every view needs its plane at every step.
  ///
  /// - Throws: `MappingError.impossibleReference`.
  package static func of(_ reference: SpatialReference) throws(MappingError) -> MapPlane {
    if let plane = known.withLock({ $0[reference] }) { return try plane.get() }
    let plane = Result { () throws(MappingError) in try MapPlane(reference, operations: .installed) }
    known.withLock { $0[reference] = plane }
    return try plane.get()
  }

  /// Returns the extent of a source as shown on the plane; empty if it cannot be projected there.
  package func extent(of source: any FeatureSource) -> Envelope {
    if let table = source.inMemory, let extent = try? table.using(operations).shownExtent(on: reference) {
      return extent
    }
    if reference.isBuiltIn, source.shownExtent.spatialReference?.isBuiltIn ?? true {
      return source.shownExtent
    }
    return (try? operations.box(around: source.extent, in: reference)) ?? .empty
  }

  /// Whether ``extent(of:)`` needs no projection of a table.
  func knowsExtent(of source: any FeatureSource) -> Bool {
    source.inMemory?.knowsShownExtent(on: reference) ?? true
  }
}
