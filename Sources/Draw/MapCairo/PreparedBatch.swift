internal import MapDrawing

/// The data with which the fast method paints a batch, made once for all bands.
enum PreparedBatch: Sendable {
  /// No data: Cairo paints the batch as in the reference method.
  case plain
  /// Masks for markers.
  case masks(MarkerMasks)
  /// Coverage for paths.
  case paths(PreparedPaths)
  /// Coverage for shapes, made for each band.
  case shapes
  /// Coverage for the labels of each style.
  case labels([LabelInk])
  /// Markers without masks: Cairo paints their shapes, and coverage their letters.
  case markers

  init(_ batch: DisplayBatch) throws(CairoError) {
    self = .plain
    switch batch {
    case .markers(let markers): self = try MarkerMasks(markers).map { .masks($0) } ?? .markers
    case .paths(let paths): self = .paths(PreparedPaths(paths))
    case .shapes: self = .shapes
    case .labels(let labels): self = .labels(labels.styles.map(LabelInk.init))
    case .image: break
    }
  }
}
