import MapDrawing
import MapGeometry
import MapModel
import MapSystem

extension LegendBlock {
  /// Draws the block with its top left corner at a position.
  func draw(on canvas: inout PartCanvas, x: Double, y: Double) {
    let (x, y) = (canvas.snapped(x), canvas.snapped(y))
    for piece in pieces {
      let box = piece.box.moved(x, y)
      switch piece.content {
      case .text(let block, let style): canvas.text(block, style, x: box.xMin, y: box.yMin)
      case .symbol(let symbol, var geometry, let opacity):
        let isArea = geometry.kind == .polygon
        geometry.moveVertices { xs, ys in
          for vertex in 0..<xs.count {
            (xs[vertex], ys[vertex]) = (xs[vertex] + x, ys[vertex] + y)
            // The sides of areas lie on whole pixels.
            if isArea { (xs[vertex], ys[vertex]) = (canvas.snapped(xs[vertex]), canvas.snapped(ys[vertex])) }
          }
        }
        canvas.draw(symbol, at: geometry, opacity: opacity)
      case .leader(let points):
        let center = 0.5 / canvas.pixelRatio
        canvas.stroke(
          [points.map { ($0.0 + x, canvas.snapped($0.1 + y) + center) }], tone.muted, width: 0.75)
      case .ramp(let stops, let opacity, let isHorizontal):
        drawRamp(stops, opacity, isHorizontal, in: box, on: &canvas)
      case .chart(let chart, let opacity): draw(chart, opacity, in: box, on: &canvas)
      }
    }
  }

  /// Draws a ramp in steps of one output pixel, the lowest value at the bottom or at the left.
  private func drawRamp(
    _ stops: [LegendEntry.RampStop], _ opacity: Double, _ isHorizontal: Bool, in box: Envelope,
    on canvas: inout PartCanvas
  ) {
    let variable = ColorVariable(
      input: .scale, stops: stops.map { VariableStop($0.place, $0.color) })
    let (start, end) =
      isHorizontal
      ? (canvas.snapped(box.xMin), canvas.snapped(box.xMax))
      : (canvas.snapped(box.yMax), canvas.snapped(box.yMin))
    func strip(_ from: Double, _ to: Double) -> Envelope {
      isHorizontal
        ? Envelope(xMin: from, yMin: box.yMin, xMax: to, yMax: box.yMax)
        : Envelope(xMin: box.xMin, yMin: to, xMax: box.xMax, yMax: from)
    }
    let count = min(max(Int(clamping: (abs(end - start) * canvas.pixelRatio).rounded()), 1), 2_000)
    func place(_ step: Int) -> Double { start + (end - start) * Double(step) / Double(count) }
    // Steps of one colour are one rectangle.
    var run = (first: 0, color: variable.color(of: 0.5 / Double(count)) ?? .clear)
    for step in 1...count {
      let color = variable.color(of: (Double(step) + 0.5) / Double(count)) ?? .clear
      guard step == count || color != run.color else { continue }
      canvas.fill(
        strip(place(run.first), place(step)),
        run.color.withAlphaComponent(Double(run.color.alpha) / 255 * opacity))
      run = (step, color)
    }
    for stop in stops where !stop.label.isEmpty {
      let along = canvas.snapped(start + (end - start) * stop.place)
      let tick =
        isHorizontal
        ? [(along, box.yMax + 1), (along, box.yMax + 4)] : [(box.xMax + 1, along), (box.xMax + 4, along)]
      canvas.stroke([tick], tone.hairline, width: 1)
    }
  }
}
