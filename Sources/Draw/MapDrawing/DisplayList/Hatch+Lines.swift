package import MapGeometry
import MapModel

/// The lines and shapes of hatches, anchored to the image's top left corner, so that neighbouring areas align.
extension Hatch {
  /// A straight line, by its ends.
  package typealias Line = (x0: Double, y0: Double, x1: Double, y1: Double)

  /// Returns the lines of the hatch that cross a box; none for shapes, images and gradients.
  package func lines(across box: Envelope) -> [Line] {
    let (left, right, top, bottom) = (box.xMin, box.xMax, box.yMin, box.yMax)
    switch pattern {
    case .lines(let separation, let angle): return lines(separation: separation, angle: angle, box)
    case .shapes, .image, .gradient: return []
    case nil: break
    }
    var lines: [Line] = []
    let unit = lineWidth
    // The centre of a line lies half a width inside its tile, so that horizontal and vertical lines fill whole
    // pixels.
    let straight = HatchPlaces(every: 8 * unit, offset: unit / 2)
    let diagonal = HatchPlaces(every: 16 * unit, offset: 0)
    if style == .horizontal || style == .cross {
      for y in straight.places(from: top, to: bottom) { lines.append((left, y, right, y)) }
    }
    if style == .vertical || style == .cross {
      for x in straight.places(from: left, to: right) { lines.append((x, top, x, bottom)) }
    }
    // Forward diagonals fall to the right with constant x - y; backward diagonals rise with constant x + y.
    if style == .forwardDiagonal || style == .diagonalCross {
      for c in diagonal.places(from: left - bottom, to: right - top) {
        lines.append((c + top, top, c + bottom, bottom))
      }
    }
    if style == .backwardDiagonal || style == .diagonalCross {
      for c in diagonal.places(from: left + top, to: right + bottom) {
        lines.append((c - top, top, c - bottom, bottom))
      }
    }
    return lines
  }

  /// Returns parallel lines at an angle, counter-clockwise from the horizontal, across a box.
  private func lines(separation: Double, angle: Double, _ box: Envelope) -> [Line] {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    // Along a line, and across the lines.
    let corners = [box.xMin, box.xMax].flatMap { x in
      [box.yMin, box.yMax].map { y in (along: x * cosine - y * sine, across: x * sine + y * cosine) }
    }
    let along = corners.map(\.along)
    let across = corners.map(\.across)
    guard let first = along.min(), let last = along.max(), let low = across.min(), let high = across.max()
    else { return [] }
    let (start, end) = (first - lineWidth, last + lineWidth)
    return HatchPlaces(every: separation, offset: 0).places(from: low - lineWidth, to: high + lineWidth).map {
      place in
      (
        start * cosine + place * sine, place * cosine - start * sine,
        end * cosine + place * sine, place * cosine - end * sine
      )
    }
  }

  /// Returns the points of the grid whose shapes may reach into a box, row by row; none for other hatches.
  package func shapePoints(over box: Envelope) -> [(x: Double, y: Double)] {
    guard case .shapes(let shapes, let stepX, let stepY, let shifts)? = pattern else { return [] }
    let xs = shapes.flatMap(\.x)
    let ys = shapes.flatMap(\.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
      return []
    }
    let reach = shapes.compactMap { $0.stroke?.reach }.max() ?? 0
    var points: [(x: Double, y: Double)] = []
    // The middle of the first tile is half a step from the corner.
    for y in HatchPlaces(every: stepY, offset: stepY / 2).places(
      from: box.yMin - bottom - reach, to: box.yMax - top + reach)
    {
      let row = ((y - stepY / 2) / stepY).rounded()
      let shift = shifts && row.truncatingRemainder(dividingBy: 2) != 0 ? stepX / 2 : 0
      for x in HatchPlaces(every: stepX, offset: stepX / 2 + shift).places(
        from: box.xMin - right - reach, to: box.xMax - left + reach)
      {
        points.append((x, y))
      }
    }
    return points
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
