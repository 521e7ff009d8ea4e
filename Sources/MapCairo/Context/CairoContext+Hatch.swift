import MapDrawing
import MapModel

extension CairoContext {
  /// Hatches the path and keeps it; `box` contains the path and is within the coordinate limit.
  ///
  /// The lines are anchored to the image's top left corner, so that neighbouring areas and bands align.
  func paint(_ hatch: Hatch, box: PathSides) {
    insidePath {
      setColor(hatch.color)
      strokeLines(of: hatch, box)
    }
  }

  /// Strokes the lines in the current colour, without clipping.
  func strokeLines(of hatch: Hatch, _ box: PathSides) {
    setLineWidth(hatch.lineWidth)
    setLineEnds(cap: .square, join: .miter, miterLimit: Stroke.miterLimit)
    newPath()
    addLines(of: hatch, box)
    stroke()
  }

  private func addLines(of hatch: Hatch, _ box: PathSides) {
    let (left, right, top, bottom) = (box.left, box.right, box.top, box.bottom)
    let unit = hatch.lineWidth
    // The centre of a line lies half a width inside its tile, so that horizontal and vertical lines fill whole
    // pixels.
    let straight = HatchPlaces(every: 8 * unit, offset: unit / 2)
    let diagonal = HatchPlaces(every: 16 * unit, offset: 0)
    if hatch.style == .horizontal || hatch.style == .cross {
      for y in straight.places(from: top, to: bottom) { addLine(left, y, right, y) }
    }
    if hatch.style == .vertical || hatch.style == .cross {
      for x in straight.places(from: left, to: right) { addLine(x, top, x, bottom) }
    }
    // Forward diagonals fall to the right with constant x - y; backward diagonals rise with constant x + y.
    if hatch.style == .forwardDiagonal || hatch.style == .diagonalCross {
      for c in diagonal.places(from: left - bottom, to: right - top) {
        addLine(c + top, top, c + bottom, bottom)
      }
    }
    if hatch.style == .backwardDiagonal || hatch.style == .diagonalCross {
      for c in diagonal.places(from: left + top, to: right + bottom) {
        addLine(c - top, top, c - bottom, bottom)
      }
    }
  }

  private func addLine(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    move(x: x0, y: y0)
    line(x: x1, y: y1)
  }
}

/// Positions at equal steps along an axis.
private struct HatchPlaces {
  let step: Double
  let offset: Double

  init(every step: Double, offset: Double) { (self.step, self.offset) = (step, offset) }

  /// Returns the positions between two coordinates, and one more on either side.
  func places(from first: Double, to last: Double) -> some Sequence<Double> {
    let start = ((first - offset) / step).rounded(.down) - 1
    let end = ((last - offset) / step).rounded(.up) + 1
    return stride(from: start, through: end, by: 1).lazy.map { $0 * step + offset }
  }
}
