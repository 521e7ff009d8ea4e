import MapDrawing

/// The tracing of a distance field's edge into closed rings.
///
/// - Source: marching squares, with linear interpolation between the centres of pixels.
struct GlyphTracing {
  private let glyph: GlyphFile.Glyph
  /// The columns and rows of the field, with one more on each side that is outside.
  private let width: Int
  private let height: Int
  private let field: [UInt8]
  /// For each side of a cell of four pixels, the side where the edge leaves the cell; -1 for none.
  private var exits: [Int32]

  /// The value at the edge.
  private static let edge = 191.25

  init(_ glyph: GlyphFile.Glyph) {
    self.glyph = glyph
    let (columns, rows) = (
      glyph.width + 2 * GlyphFile.Glyph.border, glyph.height + 2 * GlyphFile.Glyph.border
    )
    (width, height) = (columns + 2, rows + 2)
    var field = [UInt8](repeating: 0, count: width * height)
    for (index, value) in glyph.field.enumerated() {
      field[(index / columns + 1) * width + index % columns + 1] = value
    }
    self.field = field
    exits = Array(repeating: -1, count: 2 * width * height)
  }

  /// Returns the outline in ems, y up from the baseline.
  static func outline(of glyph: GlyphFile.Glyph) -> GlyphOutline {
    guard !glyph.field.isEmpty else { return GlyphOutline(steps: []) }
    var tracing = GlyphTracing(glyph)
    tracing.findExits()
    return GlyphOutline(steps: tracing.steps())
  }

  /// Finds the sides where the edge enters and leaves each cell, with the inside on the right hand.
  private mutating func findExits() {
    for y in 0..<height - 1 {
      for x in 0..<width - 1 {
        let at = y * width + x
        let values = [field[at], field[at + 1], field[at + width + 1], field[at + width]].map(Double.init)
        let inside = values.map { $0 > Self.edge }
        let code = (0..<4).reduce(0) { $0 | (inside[$1] ? 1 << $1 : 0) }
        guard code > 0, code < 15 else { continue }
        // Sides of the cell: even numbers are horizontal, odd ones vertical.
        let (top, left, bottom, right) = (2 * at, 2 * at + 1, 2 * (at + width), 2 * (at + 1) + 1)
        func connect(_ from: Int, _ to: Int) { exits[from] = Int32(truncatingIfNeeded: to) }
        let isJoined = values.reduce(0, +) / 4 > Self.edge
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

  /// Returns the rings of the edge.
  private mutating func steps() -> [GlyphOutline.Step] {
    var steps: [GlyphOutline.Step] = []
    for first in exits.indices where exits[first] >= 0 {
      var side = first
      var points: [(x: Double, y: Double)] = []
      while exits[side] >= 0 {
        points.append(point(side))
        let next = Int(exits[side])
        exits[side] = -1
        side = next
      }
      guard points.count > 2 else { continue }
      steps.append(.move(x: points[0].x, y: points[0].y))
      for point in points.dropFirst() { steps.append(.line(x: point.x, y: point.y)) }
      steps.append(.close)
    }
    return steps
  }

  /// Returns the point of the edge on a side of a cell, in ems.
  private func point(_ side: Int) -> (x: Double, y: Double) {
    let (at, isVertical) = (side / 2, side % 2 == 1)
    let (a, b) = (Double(field[at]), Double(field[at + (isVertical ? width : 1)]))
    let share = b == a ? 0.5 : (Self.edge - a) / (b - a)
    let x = Double(at % width) + (isVertical ? 0 : share)
    let y = Double(at / width) + (isVertical ? share : 0)
    // The first pixel is outside the border, and the values are those of the centres.
    let origin = Double(GlyphFile.Glyph.border) + 0.5
    return (
      (Double(glyph.left) + x - origin) / TextUnits.em,
      (TextUnits.ascender + Double(glyph.top) + origin - y) / TextUnits.em
    )
  }
}
