internal import MapDrawing

/// The data with which the fast method paints a batch, made once for all bands.
enum PreparedBatch: Sendable {
  /// No data: Cairo paints the batch as in the reference method.
  case plain
  /// Masks for markers.
  case masks(MarkerMasks)
  /// Coverage for paths.
  case paths(PreparedPaths)

  init(_ batch: DisplayBatch) throws(CairoError) {
    self = .plain
    switch batch {
    case .markers(let markers): if let masks = try MarkerMasks(markers) { self = .masks(masks) }
    case .paths(let paths): self = .paths(PreparedPaths(paths))
    case .labels, .image: break
    }
  }
}
