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
  /// - Throws: ``MappingError/impossibleReference(_:)``.
  package static func of(_ reference: SpatialReference) throws(MappingError) -> MapPlane {
    if let plane = known.withLock({ $0[reference] }) { return try plane.get() }
    let plane = Result { () throws(MappingError) in try MapPlane(reference, operations: .installed) }
    known.withLock { $0[reference] = plane }
    return try plane.get()
  }

  /// Returns the extent of a source as shown on the plane; empty if it cannot be projected there.
  package func extent(of source: any FeatureSource) -> Envelope {
    if let table = source as? InMemorySource,
      let extent = try? table.using(.installed).shownExtent(on: reference)
    {
      return extent
    }
    if reference.isBuiltIn, source.shownExtent.spatialReference?.isBuiltIn ?? true {
      return source.shownExtent
    }
    return (try? SpatialOperations.installed.box(around: source.extent, in: reference)) ?? .empty
  }

  /// Whether ``extent(of:)`` needs no projection of a table.
  func knowsExtent(of source: any FeatureSource) -> Bool {
    (source as? InMemorySource)?.knowsShownExtent(on: reference) ?? true
  }
}

extension LayerState {
  /// The layer with the projections of this build, if its table was created without them.
  var projectable: LayerState {
    guard let table = source as? InMemorySource else { return self }
    var layer = self
    layer.source = table.using(.installed)
    return layer
  }
}

extension BasemapState {
  /// The basemap with its own layers made ``LayerState/projectable``.
  var projectable: BasemapState {
    with(baseLayers: baseLayers.map(\.projectable), referenceLayers: referenceLayers.map(\.projectable))
  }
}
