import MapFeatures
import MapGeometry
import MapModel
import Synchronization

extension MapPlane {
  private static let known = Mutex<[SpatialReference: MapPlane]>([:])

  /// The plane of a reference, with the libraries of this build; kept, for every view asks at every step.
  ///
  /// - Throws: ``MappingError/impossibleReference(_:)``.
  static func of(_ reference: SpatialReference) throws(MappingError) -> MapPlane {
    if let plane = known.withLock({ $0[reference] }) { return plane }
    let plane = try MapPlane(reference, operations: .installed)
    known.withLock { $0[reference] = plane }
    return plane
  }

  /// The extent of a source as it is shown on the plane, in a reference that leads there; empty where nothing does.
  func extent(of source: any FeatureSource) -> Envelope {
    let own = source.extent.spatialReference == reference ? source.extent : source.shownExtent
    guard !reference.isBuiltIn else { return own }
    return (try? SpatialOperations.installed.box(around: own, in: reference)) ?? .empty
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
