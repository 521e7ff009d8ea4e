internal import MapDrawing

/// What a batch is painted with in the fast way, made once for all bands.
enum PreparedBatch: Sendable {
  /// Nothing: Cairo paints it as the reference does.
  case plain
  /// Markers by masks.
  case masks(MarkerMasks)
  /// Paths by coverage.
  case paths(PreparedPaths)

  init(_ batch: DisplayBatch) throws(CairoError) {
    self = .plain
    switch batch {
    case .markers(let markers): if let masks = try MarkerMasks(markers) { self = .masks(masks) }
    case .paths(let paths): self = .paths(PreparedPaths(paths))
    case .labels: break
    }
  }
}
