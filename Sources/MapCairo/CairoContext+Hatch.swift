import MapDrawing
import MapModel

extension CairoContext {
  /// Hatches the path and keeps it; `box` holds the path and is within the picture's reach.
  ///
  /// The lines are anchored to the picture's top left corner, so that neighbouring areas and bands run on.
  func paint(_ hatch: Hatch, box: PathSides) {
    insidePath {
      setColor(hatch.color)
      strokeLines(of: hatch, box)
    }
  }

  /// Strokes the lines in the colour that is set, wherever they lie.
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
    // A line's middle lies half a width inside its tile, which makes level and upright lines fill whole pixels.
    let straight = HatchPlaces(every: 8 * unit, offset: unit / 2)
    let diagonal = HatchPlaces(every: 16 * unit, offset: 0)
    if hatch.style == .horizontal || hatch.style == .cross {
      for y in straight.places(from: top, to: bottom) { addLine(left, y, right, y) }
    }
    if hatch.style == .vertical || hatch.style == .cross {
      for x in straight.places(from: left, to: right) { addLine(x, top, x, bottom) }
    }
    // Forward diagonals fall to the right, x - y stays; backward ones rise, x + y stays.
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

/// Places at equal steps along an axis.
private struct HatchPlaces {
  let step: Double
  let offset: Double

  init(every step: Double, offset: Double) { (self.step, self.offset) = (step, offset) }

  /// Those between two places, and one beyond either.
  func places(from first: Double, to last: Double) -> some Sequence<Double> {
    let start = ((first - offset) / step).rounded(.down) - 1
    let end = ((last - offset) / step).rounded(.up) + 1
    return stride(from: start, through: end, by: 1).lazy.map { $0 * step + offset }
  }
}
