internal import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// The data with which the paths of a batch are painted by coverage.
struct PreparedPaths {
  /// The bounding sides of each item.
  private(set) var sides: [PathSides] = []
  /// The stroke of each style; nil for none.
  let strokes: [SolidStroke?]
  /// The fill colour of each style; nil for none.
  let fills: [CoverageInk?]
  /// Whether areas are painted beside their neighbours, so that nothing below shows along their borders.
  let joinsAreas: Bool

  /// - Parameter areNeighbours: false for shapes of markers, which lie over each other.
  init(_ batch: PathBatch, areNeighbours: Bool = true) {
    let looks = batch.styles.map(Look.init)
    strokes = looks.map { SolidStroke($0) }
    fills = looks.map { look in look.fill.map(CoverageInk.init) }
    let geometry = batch.geometry
    // An opaque outline as wide as the diagonal of a pixel on either side hides each border.
    joinsAreas =
      areNeighbours && geometry.kind == .polygon && geometry.rowCount > 1
      && looks.contains { $0.fill != nil && !($0.stroke?.alpha == 255 && !$0.isOpen && $0.width >= 3) }
    let pieces = geometry.pieces()
    let parts = concurrentMap(pieces.count) { piece in
      let (x, y) = (geometry.x.span, geometry.y.span)
      return pieces[piece].map { PathSides(x, y, geometry.vertices(ofRow: $0)) }
    }
    sides.reserveCapacity(geometry.rowCount)
    for part in parts { sides += part }
  }
}

/// The stroke of a style in one colour.
struct SolidStroke {
  let outline: StrokeOutline
  let ink: CoverageInk
  /// The largest distance of paint from the path, in pixels.
  let reach: Double
  /// Whether it is the halo of letters, whose small rings are close together and are painted as one.
  let isHalo: Bool

  /// Creates the stroke of a style; nil when the style has none.
  init?(_ look: Look, isHalo: Bool = false) {
    guard let color = look.stroke else { return nil }
    (outline, ink, reach) = (StrokeOutline(look), CoverageInk(color), look.reach)
    self.isHalo = isHalo
  }
}
