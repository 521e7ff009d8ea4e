import MapFeatures
import MapGeometry

/// The spatial reference in which a map is drawn, and the projections to it.
struct MapProjection: Sendable {
  let reference: SpatialReference
  let operations: SpatialOperations
}

extension [Envelope] {
  /// Returns the union of the envelopes; nil if all are empty.
  ///
  /// Envelopes in several spatial references have a union in that of the map, or else in that of the first non-empty
  /// envelope. The projections are those of the map, or else the first of the others.
  ///
  /// - Error: as for the box of ``SpatialOperations``; an envelope that cannot be projected is left out.
  func combined(on map: MapProjection?, or others: [SpatialOperations] = []) -> Envelope? {
    let extents = filter { !$0.isEmpty }
    guard let first = extents.first else { return nil }
    guard extents.contains(where: { $0.spatialReference != first.spatialReference }),
      let target = map?.reference ?? first.spatialReference
    else { return extents.dropFirst().reduce(first) { $0.union($1) } }
    let known = (map.map { [$0.operations] } ?? []) + others
    let operations = known.first(where: \.hasLibrary) ?? .builtIn
    return extents.reduce(Envelope.empty) { union, extent in
      union.union((try? operations.box(around: extent, in: target)) ?? .empty)
    }
    .with(spatialReference: target)
  }
}
