internal import MapDrawing
internal import MapGeometry

/// What the paths of a batch are laid down by.
struct PreparedPaths {
  /// The sides of each item.
  private(set) var sides: [PathSides] = []
  /// How each look is stroked, if it is.
  let strokes: [SolidStroke?]
  /// The colour that each look is filled with, if it is.
  let fills: [CoverageInk?]

  init(_ batch: PathBatch) {
    let looks = batch.styles.map(Look.init)
    strokes = looks.map(SolidStroke.init)
    fills = looks.map { look in look.fill.map(CoverageInk.init) }
    let geometry = batch.geometry
    let pieces = geometry.pieces()
    let parts = concurrentMap(pieces.count) { piece in
      let (x, y) = (geometry.x.span, geometry.y.span)
      return pieces[piece].map { PathSides(x, y, geometry.vertices(ofRow: $0)) }
    }
    sides.reserveCapacity(geometry.rowCount)
    for part in parts { sides += part }
  }
}

/// A look's stroke in one colour.
struct SolidStroke {
  let outline: StrokeOutline
  let ink: CoverageInk
  /// How far paint may lie from the path.
  let reach: Double

  /// Nil when the look has none.
  init?(_ look: Look) {
    guard let color = look.stroke else { return nil }
    (outline, ink, reach) = (StrokeOutline(look), CoverageInk(color), look.reach)
  }
}
