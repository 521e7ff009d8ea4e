import MapDrawing
import MapGeometry

/// The tracing of a distance field's edge into closed rings.
///
/// - Source: marching squares, with linear interpolation between samples.
struct GlyphTracing {
  private let glyph: GlyphFile.Glyph
  private let field: GlyphField
  /// For each side of a cell of four samples, the side where the edge leaves the cell; -1 for none.
  private var exits: [Int32]

  private init(_ glyph: GlyphFile.Glyph) {
    (self.glyph, field) = (glyph, GlyphField(glyph))
    exits = Array(repeating: -1, count: 2 * field.values.count)
  }

  /// Returns the outline in ems, y up from the baseline.
  static func outline(of glyph: GlyphFile.Glyph) -> GlyphOutline {
    guard !glyph.field.isEmpty else { return GlyphOutline(steps: []) }
    var tracing = GlyphTracing(glyph)
    tracing.findExits()
    return GlyphOutline(steps: tracing.steps(), advance: Double(glyph.advance) / TextUnits.em)
  }

  /// Finds the sides where the edge enters and leaves each cell, with the inside on the right hand.
  private mutating func findExits() {
    let (width, edge) = (field.width, GlyphField.edge)
    for y in 0..<field.height - 1 {
      for x in 0..<width - 1 {
        let at = y * width + x
        let (a, b) = (field.values[at], field.values[at + 1])
        let (c, d) = (field.values[at + width + 1], field.values[at + width])
        let code = (a > edge ? 1 : 0) + (b > edge ? 2 : 0) + (c > edge ? 4 : 0) + (d > edge ? 8 : 0)
        guard code > 0, code < 15 else { continue }
        // Sides of the cell: even numbers are horizontal, odd ones vertical.
        let (top, left, bottom, right) = (2 * at, 2 * at + 1, 2 * (at + width), 2 * (at + 1) + 1)
        func connect(_ from: Int, _ to: Int) { exits[from] = Int32(truncatingIfNeeded: to) }
        let isJoined = (a + b + c + d) / 4 > edge
        switch code {
        case 1: connect(top, left)
        case 2: connect(right, top)
        case 4: connect(bottom, right)
        case 8: connect(left, bottom)
        case 3: connect(right, left)
        case 6: connect(bottom, top)
        case 12: connect(left, right)
        case 9: connect(top, bottom)
        case 7: connect(bottom, left)
        case 14: connect(left, top)
        case 13: connect(top, right)
        case 11: connect(right, bottom)
        case 5:
          connect(top, isJoined ? right : left)
          connect(bottom, isJoined ? left : right)
        default:
          connect(left, isJoined ? top : bottom)
          connect(right, isJoined ? bottom : top)
        }
      }
    }
  }

  /// The largest distance of a point that is left out from the ring, in ems.
  private static let tolerance = 0.02 / TextUnits.em
  /// The largest number of points of a ring whose points may be left out, which takes the square of their number.
  private static let ringLimit = 4000

  /// Returns the rings of the edge.
  private mutating func steps() -> [GlyphOutline.Step] {
    var steps: [GlyphOutline.Step] = []
    for first in exits.indices where exits[first] >= 0 {
      var side = first
      var ring = CoordinateBuffer(kind: .polygon)
      while exits[side] >= 0 {
        let point = point(side)
        ring.appendVertex(x: point.x, y: point.y)
        let next = Int(exits[side])
        exits[side] = -1
        side = next
      }
      guard ring.vertexCount > 2 else { continue }
      ring.appendVertex(x: ring.x[0], y: ring.y[0])
      ring.endPart()
      ring.endRow()
      if ring.vertexCount <= Self.ringLimit { ring = ring.generalized(tolerance: Self.tolerance) }
      steps.append(.move(x: ring.x[0], y: ring.y[0]))
      for vertex in 1..<ring.vertexCount - 1 { steps.append(.line(x: ring.x[vertex], y: ring.y[vertex])) }
      steps.append(.close)
    }
    return steps
  }

  /// Returns the point of the edge on a side of a cell, in ems.
  private func point(_ side: Int) -> (x: Double, y: Double) {
    let (at, isVertical) = (side / 2, side % 2 == 1)
    let (a, b) = (field.values[at], field.values[at + (isVertical ? field.width : 1)])
    let share = b == a ? 0.5 : (GlyphField.edge - a) / (b - a)
    let density = Double(field.density)
    let x = (Double(at % field.width) + (isVertical ? 0 : share)) / density
    let y = (Double(at / field.width) + (isVertical ? share : 0)) / density
    // The first pixel is outside the border, and the values are those of the centres.
    let origin = Double(GlyphFile.Glyph.border) + 0.5
    return (
      (Double(glyph.left) + x - origin) / TextUnits.em,
      (TextUnits.ascender + Double(glyph.top) + origin - y) / TextUnits.em
    )
  }
}
