import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The step that places vector markers and pie charts at points.
struct ShapePlacing {
  let transform: ViewTransform
  /// The world copies that the view shows.
  let worlds: ClosedRange<Int>
  /// The test of markers that surely change a pixel.
  let ink: CertainInk

  /// Places the markers of styled rows that paint part of the image, and adds them to the rows of the layer.
  func place(
    _ styled: RowStyles, of geometry: CoordinateBuffer, rows: inout PaintedRows
  ) -> ShapeBatch {
    let symbols = symbols(of: styled)
    let pieces = (0..<styled.rows.count).pieces(of: 1 << 13)
    let parts = concurrentMap(pieces.count) { place(styled, pieces[$0], symbols, of: geometry) }
    var batch = ShapeBatch(symbols: symbols)
    for part in parts { batch.append(part) }
    let isCertain: [Bool] =
      switch symbols {
      case .markers(let markers): markers.map(ink.isCertain)
      case .charts(let charts): (0..<charts.count).map { charts.isCertain($0, opacity: ink.opacity) }
      }
    for (item, row) in batch.row.enumerated() {
      let isSure = isCertain[Int(batch.symbol[item])] && transform.canvas.contains(batch.box(ofItem: item))
      rows.addItem(ofRow: Int(row), isSure ? .certain : .doubtful)
    }
    return batch
  }

  /// Returns the charts of styled rows, or a marker for each style.
  private func symbols(of styled: RowStyles) -> ShapeBatch.Symbols {
    if let charts = styled.charts { return .charts(charts) }
    return .markers(
      styled.looks.vectorLooks.map { styles in
        ShapeSymbol(
          styles.compactMap { styled.looks.shapes[$0] },
          classIndex: styles.first.map { styled.looks.paths[$0].classIndex } ?? 0)
      })
  }

  private func place(
    _ styled: RowStyles, _ piece: Range<Int>, _ symbols: ShapeBatch.Symbols, of geometry: CoordinateBuffer
  ) -> ShapeBatch {
    var batch = ShapeBatch(symbols: symbols)
    let canvas = transform.canvas
    for item in piece {
      let (row, style) = (styled.rows[item], Int(styled.styles[item]))
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
          switch symbols {
          case .charts(let charts):
            guard charts.paints(canvas, chart: item, x: pixel.x, y: pixel.y) else { continue }
            batch.append(x: pixel.x, y: pixel.y, symbol: item, row: row)
          case .markers(let markers):
            guard markers[style].paints(canvas, x: pixel.x, y: pixel.y) else { continue }
            batch.append(x: pixel.x, y: pixel.y, symbol: style, row: row)
          }
        }
      }
    }
    return batch
  }
}
