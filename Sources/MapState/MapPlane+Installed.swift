import MapFeatures
import MapGeometry
import MapModel
import Synchronization

extension MapPlane {
  private static let known = Mutex<[SpatialReference: Result<MapPlane, MappingError>]>([:])

  /// The plane of a reference, with the libraries of this build; kept, for every view asks at every step.
  ///
  /// - Throws: ``MappingError/impossibleReference(_:)``.
  static func of(_ reference: SpatialReference) throws(MappingError) -> MapPlane {
    if let plane = known.withLock({ $0[reference] }) { return try plane.get() }
    let plane = Result { () throws(MappingError) in try MapPlane(reference, operations: .installed) }
    known.withLock { $0[reference] = plane }
    return try plane.get()
  }

  /// The extent of a source as it is shown on the plane, in a reference that leads there; empty where nothing does.
  func extent(of source: any FeatureSource) -> Envelope {
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
}

extension LayerState {
  /// The layer with what this build has to bring its table to the map's reference, where that was made without.
  var projectable: LayerState {
    guard let table = source as? InMemorySource else { return self }
    var layer = self
    layer.source = table.using(.installed)
    return layer
  }
}

extension BasemapState {
  /// The basemap with its own layers ``LayerState/projectable``.
  var projectable: BasemapState {
    with(baseLayers: baseLayers.map(\.projectable), referenceLayers: referenceLayers.map(\.projectable))
  }
}
