import MapFeatures
import MapGeometry
import MapModel

/// The step that places the shapes of symbols at points, as paths.
struct ShapePlacing {
  let transform: ViewTransform
  /// The world copies that the view shows.
  let worlds: ClosedRange<Int>

  /// The largest number of vertices of all shapes of a layer.
  ///
  /// - Source: design decision: they take 320 MB.
  static let largestCount = 20_000_000

  /// Places the shapes of styled rows, and adds the rows outside the view whose shapes are visible to `edge`.
  ///
  /// Also returns the number of shapes that are left out, because all have too many vertices.
  func place(
    _ styled: RowStyles, of geometry: CoordinateBuffer, drawn: RowSet, edge: inout RowSet
  ) -> (batch: PathBatch, left: Int) {
    var left = 0
    var batch = PathBatch(styles: styled.looks.paths, kind: .polygon)
    for (row, look) in zip(styled.rows, styled.styles) {
      let styles = styled.looks.vectorLooks[Int(look)]
      guard !styles.isEmpty else { continue }
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
          for style in styles {
            guard let shape = styled.looks.shapes[style], meets(shape, x: pixel.x, y: pixel.y) else {
              continue
            }
            guard batch.geometry.vertexCount + shape.x.count <= Self.largestCount else {
              left += 1
              continue
            }
            for part in shape.parts where part.count > 1 {
              for index in part {
                batch.geometry.appendVertex(x: pixel.x + shape.x[index], y: pixel.y + shape.y[index])
              }
              batch.geometry.endPart()
            }
            batch.geometry.endRow()
            batch.style.append(UInt32(style))
            batch.row.append(Int32(row))
            if !drawn.contains(row) { edge.insert(row) }
          }
        }
      }
    }
    return (batch, left)
  }

  /// Returns whether the box of a shape at a point meets the image.
  private func meets(_ shape: PatternShape, x: Double, y: Double) -> Bool {
    guard shape.fill != nil || shape.stroke != nil, let left = shape.x.min(), let right = shape.x.max(),
      let top = shape.y.min(), let bottom = shape.y.max()
    else { return false }
    let reach = shape.stroke.map { $0.width / 2 } ?? 0
    let canvas = transform.canvas
    return x + right + reach > canvas.xMin && x + left - reach < canvas.xMax
      && y + bottom + reach > canvas.yMin && y + top - reach < canvas.yMax
  }
}
