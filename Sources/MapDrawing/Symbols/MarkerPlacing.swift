import MapFeatures
import MapGeometry

/// The step that converts styled point rows into markers at pixel positions.
struct MarkerPlacing: Sendable {
  let transform: ViewTransform
  /// The world copies that the view shows.
  let worlds: ClosedRange<Int>
  /// The rows that meet the view's bounding box.
  let visible: RowSet
  /// Whether the view is rotated, so that its bounding box is larger than the view.
  let isTurned: Bool

  /// Markers, the drawn rows, and the rows outside the view whose symbol is visible.
  struct Part: Sendable {
    var batch: MarkerBatch
    var drawn: [Int32] = []
    var edge: [Int32] = []
  }

  /// Places the markers of some styled rows.
  func place(_ styled: RowStyles, _ range: Range<Int>, of geometry: CoordinateBuffer) -> Part {
    var part = Part(batch: MarkerBatch(styles: []))
    part.batch.reserve(range.count)
    part.drawn.reserveCapacity(range.count)
    let (looks, canvas) = (styled.looks.markers, transform.canvas)
    let places = looks.map { $0.places(on: canvas) }
    // Plain arrays, because a style is too large to be read a million times.
    let (symbols, isBlock) = (styled.looks.looks, looks.map { $0.block != nil })
    let (x, y) = (geometry.x.span, geometry.y.span)
    for index in range {
      let (row, symbol) = (styled.rows[index], symbols[Int(styled.styles[index])])
      var isDrawn = !isTurned && visible.contains(row)
      let first = part.batch.row.count
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: x[vertex], y: y[vertex], world: world)
          if isTurned, canvas.contains(x: pixel.x, y: pixel.y) { isDrawn = true }
          for style in symbol {
            guard let (inside, near) = places[style] else { continue }
            let place = isBlock[style] ? looks[style].sharpest(x: pixel.x, y: pixel.y) : pixel
            guard
              inside.contains(x: place.x, y: place.y)
                || (near.contains(x: place.x, y: place.y)
                  && looks[style].paints(canvas, x: place.x, y: place.y))
            else { continue }
            part.batch.x.append(place.x)
            part.batch.y.append(place.y)
            part.batch.style.append(UInt32(style))
            part.batch.row.append(Int32(row))
          }
        }
      }
      if isDrawn {
        part.drawn.append(Int32(row))
      } else if part.batch.row.count > first {
        part.edge.append(Int32(row))
      }
    }
    return part
  }
}
