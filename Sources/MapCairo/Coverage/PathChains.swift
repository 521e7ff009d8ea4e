internal import MapDrawing
internal import MapGeometry

/// What the paths of a batch are laid down by: colours, and the chains that strokes follow, which are the paths with fewer
/// vertices where that shows nowhere.
struct PathChains {
  /// A row for each item of the batch; empty when it has no stroke, or a coordinate is not finite or out of range.
  private(set) var geometry: CoordinateBuffer
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
    let strokes = strokes
    let pieces = batch.geometry.pieces()
    let parts = concurrentMap(pieces.count) { piece in
      var chains = CoordinateBuffer(kind: batch.geometry.kind)
      var sides: [PathSides] = []
      let style = batch.style.span
      for row in pieces[piece] {
        let isStroked = strokes[Int(style[row])] != nil
        sides.append(chains.appendStraightened(row, of: batch.geometry, isStroked: isStroked))
      }
      return (chains: chains, sides: sides)
    }
    geometry = CoordinateBuffer(kind: batch.geometry.kind)
    geometry.reserve(
      rows: batch.geometry.rowCount, vertices: parts.reduce(0) { $0 + $1.chains.vertexCount })
    for part in parts {
      geometry.append(part.chains)
      sides += part.sides
    }
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

extension CoordinateBuffer {
  /// Adds a row of another buffer without the vertices that ``StraightRun`` leaves out, or an empty one.
  fileprivate mutating func appendStraightened(
    _ row: Int, of source: CoordinateBuffer, isStroked: Bool
  ) -> PathSides {
    let (x, y) = (source.x.span, source.y.span)
    let sides = PathSides(x, y, source.vertices(ofRow: row))
    if sides.isPaintable, isStroked {
      let tolerance = kind == .polygon ? 1.0 / 16 : 1.0 / 64
      for part in source.parts(ofRow: row) {
        let vertices = source.vertices(ofPart: part)
        guard let first = vertices.first else { continue }
        var run = StraightRun(from: Place(x[first], y[first]), tolerance: tolerance)
        appendVertex(x: x[first], y: y[first])
        for vertex in vertices.dropFirst() {
          let place = Place(x[vertex], y[vertex])
          if run.take(place) { continue }
          appendVertex(x: run.end.x, y: run.end.y)
          run.restart()
          _ = run.take(place)
        }
        // A part that is one place has one vertex.
        if run.hasLength { appendVertex(x: run.end.x, y: run.end.y) }
        endPart()
      }
    }
    endRow()
    return sides
  }
}
