package import MapGeometry
import MapModel
import MapSystem

extension MarkerStyle {
  /// The maximum size that visual variables give, in output pixels; larger sizes are drawn with this size.
  ///
  /// - Source: design decision: twice the longest side of an image, the largest size passed to Cairo.
  static let sizeLimit = SymbolNumber.size.limit

  private var isCircle: Bool { block == nil && shape == .circle }

  /// The largest distance of ink from the point before the offset, in pixels.
  package var reach: Double {
    guard !isCircle else { return (size + (outline?.width ?? 0)) / 2 }
    // The sharpest corner is the triangle's; its miter is twice the line width long.
    return radius + (outline?.width ?? 0)
  }

  /// Whether the offset moves the marker off its point.
  var isMovedOff: Bool { max(abs(offsetX), abs(offsetY)) > reach }

  /// Returns the points at which a marker lies fully inside the canvas, and those at which it may paint part of it; nil
  /// when it paints nothing.
  func places(on canvas: Envelope) -> (inside: Envelope, near: Envelope)? {
    guard hasInk else { return nil }
    let reach = reach
    // A pixel more than the reach covers the rounding of the sums.
    return (
      canvas.grown(by: -reach).moved(x: -offsetX, y: -offsetY),
      canvas.grown(by: reach + 1).moved(x: -offsetX, y: -offsetY)
    )
  }

  /// Returns whether the marker at a point paints part of the canvas.
  package func paints(_ canvas: Envelope, x: Double, y: Double) -> Bool {
    guard hasInk else { return false }
    let (x, y) = (x + offsetX, y + offsetY)
    let inner = canvas.grown(by: -reach)
    if inner.contains(x: x, y: y) { return true }
    guard canvas.grown(by: reach).contains(x: x, y: y) else { return false }
    guard isCircle else {
      return chains.contains { chain in
        let (xs, ys) = (chain.map { $0.x + x }, chain.map { $0.y + y })
        if fill != nil || block != nil, canvas.sharesArea(withConvex: Array(zip(xs, ys))) { return true }
        guard let outline else { return false }
        return StrokeReach(canvas: canvas, stroke: outline).paints(
          x: xs[...], y: ys[...], closed: !isOpen)
      }
    }
    let hole = fill == nil ? max((size - (outline?.width ?? 0)) / 2, 0) : 0
    return canvas.meetsRing(x: x, y: y, hole: hole, reach: reach)
  }
}

extension Envelope {
  /// Returns whether a ring around a point, between two distances from it, paints part of the rectangle.
  ///
  /// A rectangle inside the hole is not painted.
  func meetsRing(x: Double, y: Double, hole: Double, reach: Double) -> Bool {
    let near = (x: max(xMin - x, 0, x - xMax), y: max(yMin - y, 0, y - yMax))
    let far = (x: max(x - xMin, xMax - x), y: max(y - yMin, yMax - y))
    return near.x * near.x + near.y * near.y < reach * reach && far.x * far.x + far.y * far.y > hole * hole
  }
}
