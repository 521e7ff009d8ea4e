import Glibc
package import MapGeometry
import MapModel

/// A test of whether the stroke of a line or ring paints part of the canvas.
///
/// It checks the same pieces that a painter fills: segments as rectangles, joins as wedges (miters up to the limit,
/// else bevels), and caps. So a feature just outside the view is counted in `edge` exactly when its stroke is
/// visible.
package struct StrokeReach {
  private let canvas: Envelope
  private let stroke: Stroke
  private let halfWidth: Double

  package init(canvas: Envelope, stroke: Stroke) {
    (self.canvas, self.stroke, halfWidth) = (canvas, stroke, stroke.width / 2)
  }

  /// Returns whether a part's stroke has area inside the canvas; `closed` joins its end to its start.
  package func paints(x: ArraySlice<Double>, y: ArraySlice<Double>, closed: Bool) -> Bool {
    var vertices: [(x: Double, y: Double)] = []
    for (px, py) in zip(x, y) where vertices.isEmpty || vertices[vertices.count - 1] != (px, py) {
      vertices.append((px, py))
    }
    if closed, vertices.count > 1, vertices[0] == vertices[vertices.count - 1] { vertices.removeLast() }
    if stroke.cap == .round || stroke.join == .round, paintsDisc(vertices, closed: closed) { return true }
    guard vertices.count > 1 else { return false }
    let segmentCount = closed && vertices.count > 2 ? vertices.count : vertices.count - 1
    for index in 0..<segmentCount {
      let (a, b) = (vertices[index], vertices[(index + 1) % vertices.count])
      // Far segments cannot paint, because their joins stay within the miter's length.
      let far = stroke.reach
      let box = Envelope(xMin: min(a.x, b.x), yMin: min(a.y, b.y), xMax: max(a.x, b.x), yMax: max(a.y, b.y))
      guard box.grown(by: far).meets(canvas) else { continue }
      let n = normal(a, b)
      // A square cap extends the line by half its width, which is the rotated normal.
      let isFirst = !closed && index == 0, isLast = !closed && index == segmentCount - 1
      let c = stroke.cap == .square && isFirst ? (x: a.x - n.y, y: a.y + n.x) : a
      let d = stroke.cap == .square && isLast ? (x: b.x + n.y, y: b.y - n.x) : b
      if canvas.sharesArea(withConvex: [
        (c.x + n.x, c.y + n.y), (d.x + n.x, d.y + n.y), (d.x - n.x, d.y - n.y), (c.x - n.x, c.y - n.y),
      ]) {
        return true
      }
      if index + 1 < segmentCount || (closed && segmentCount == vertices.count) {
        let c = vertices[(index + 2) % vertices.count]
        if canvas.sharesArea(withConvex: join(b, n, normal(b, c))) { return true }
      }
    }
    return false
  }

  private func normal(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let length = hypot(b.x - a.x, b.y - a.y)
    return (-(b.y - a.y) / length * halfWidth, (b.x - a.x) / length * halfWidth)
  }

  /// Returns the wedge on the outer side of a join at `b`: a kite up to the miter limit, else the bevel's triangle.
  private func join(
    _ b: (x: Double, y: Double), _ n: (x: Double, y: Double), _ m: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    let turn = n.x * m.y - n.y * m.x
    // The outer side of a left turn is on the right.
    let side: Double = turn > 0 ? -1 : 1
    let p = (x: b.x + side * n.x, y: b.y + side * n.y)
    let q = (x: b.x + side * m.x, y: b.y + side * m.y)
    // With φ between the normals, miter length over line width is 1 / cos(φ/2), and cos²(φ/2) = (1 + cos φ) / 2.
    let cosine = (n.x * m.x + n.y * m.y) / (halfWidth * halfWidth)
    let half = (1 + cosine) / 2
    let limit = stroke.miterLimit
    guard stroke.join == .miter, half * limit * limit >= 1 else { return [b, p, q] }
    let tip = (x: b.x + side * (n.x + m.x) / (2 * half), y: b.y + side * (n.y + m.y) / (2 * half))
    return [b, p, tip, q]
  }

  /// Returns whether the disc of a round cap or join has area inside the canvas.
  private func paintsDisc(_ vertices: [(x: Double, y: Double)], closed: Bool) -> Bool {
    vertices.indices.contains { index in
      let isEnd = !closed && (index == 0 || index == vertices.count - 1)
      guard isEnd ? stroke.cap == .round : stroke.join == .round else { return false }
      let (x, y) = vertices[index]
      let dx = max(canvas.xMin - x, 0, x - canvas.xMax), dy = max(canvas.yMin - y, 0, y - canvas.yMax)
      return dx * dx + dy * dy < halfWidth * halfWidth
    }
  }
}

extension Envelope {
  /// Returns whether a convex polygon and the envelope share area, by the separating axis test.
  func sharesArea(withConvex polygon: [(x: Double, y: Double)]) -> Bool {
    let xs = polygon.map(\.x), ys = polygon.map(\.y)
    guard let x0 = xs.min(), let x1 = xs.max(), let y0 = ys.min(), let y1 = ys.max(), x0 < xMax,
      x1 > xMin, y0 < yMax, y1 > yMin
    else { return false }
    let corners = [
      (xMin, yMin), (xMax, yMin), (xMax, yMax),
      (xMin, yMax),
    ]
    for index in polygon.indices {
      let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
      let axis = (x: -(b.y - a.y), y: b.x - a.x)
      let own = polygon.map { $0.x * axis.x + $0.y * axis.y }
      let other = corners.map { $0.0 * axis.x + $0.1 * axis.y }
      guard let ownMin = own.min(), let ownMax = own.max(), let otherMin = other.min(),
        let otherMax = other.max()
      else { return false }
      if ownMin == ownMax { continue }
      if ownMax <= otherMin || ownMin >= otherMax { return false }
    }
    return true
  }
}
