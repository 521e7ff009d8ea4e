import Glibc
import MapFeatures
import MapGeometry
import MapModel

/// The directions of the letters of point labels, by row.
struct LabelDirections {
  /// The text of the angle; nil for a fixed direction.
  private let angle: LabelText?
  private let isGeographic: Bool
  /// Whether letters are never upside down.
  private let isUpright: Bool
  /// The clockwise turn of all labels in degrees.
  private let turn: Double
  /// The counter-clockwise rotation of the view in degrees.
  private let rotation: Double

  /// Binds the angles of a class; nil when all its labels are horizontal.
  ///
  /// - Throws: ``RendererFieldError``, `LabelExpressionError`.
  init?(_ definition: LabelDefinition, table: FeatureColumns, rows: RowSet, view: ViewState) throws {
    let isAcross = definition.textLayout == .perpendicular
    guard definition.textLayout != .horizontal, isAcross || definition.angle != nil else { return nil }
    angle = try definition.angle.map { angle in
      try LabelText(angle.expression.parsed(), stacking: nil, table: table, rows: rows, view: view)
    }
    isGeographic = definition.angle?.rotationType == .geographic
    isUpright = definition.textOrientation == .page
    turn = isAcross ? 90 : 0
    rotation = definition.angle == nil ? 0 : view.viewpoint.rotation
  }

  /// Returns the direction of a row's letters, y down, of length 1.
  ///
  /// Unless the class keeps the direction, it is never upside down, and upwards where vertical.
  func direction(ofRow row: Int) -> (x: Double, y: Double) {
    var heading = 90.0 - turn
    if let angle {
      let value = angle.lines(ofRow: row).first.flatMap { Double($0) } ?? 0
      let degrees = value.isFinite ? value.truncatingRemainder(dividingBy: 360) : 0
      heading = (isGeographic ? degrees : 90 - degrees) - turn - rotation
    }
    let radians = heading * Double.pi / 180
    let (x, y) = (sin(radians), -cos(radians))
    if abs(x) < 1e-9 { return (0, isUpright || y < 0 ? -1 : 1) }
    if abs(y) < 1e-9 { return (isUpright || x > 0 ? 1 : -1, 0) }
    return isUpright && x < 0 ? (-x, -y) : (x, y)
  }
}

extension LabelLayout {
  /// Returns the glyphs of the block at a corner, turned around a point into a direction, and the boxes of their ink
  /// and halo.
  func turned(
    at corner: (x: Double, y: Double), around center: (x: Double, y: Double),
    to direction: (x: Double, y: Double),
    _ style: LabelStyle, outlines: [GlyphOutline]
  ) -> (glyphs: [LabelItem.Glyph], boxes: [LabelBox]) {
    func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let (dx, dy) = (corner.x + x - center.x, corner.y + y - center.y)
      return (
        center.x + dx * direction.x - dy * direction.y, center.y + dx * direction.y + dy * direction.x
      )
    }
    let turnedGlyphs = glyphs.map { glyph in
      let origin = turned(glyph.x, glyph.y)
      return LabelItem.Glyph(
        outline: glyph.outline, character: glyph.character, x: origin.x, y: origin.y,
        directionX: direction.x, directionY: direction.y)
    }
    let boxes = glyphBoxes(style, outlines: outlines).map { box in
      let middle = turned(box.center.x, box.center.y)
      let (width, height) = ((box.xMax - box.xMin) / 2, (box.yMax - box.yMin) / 2)
      let (right, down) = (
        width * abs(direction.x) + height * abs(direction.y),
        width * abs(direction.y) + height * abs(direction.x)
      )
      return LabelBox(
        xMin: middle.x - right, yMin: middle.y - down, xMax: middle.x + right, yMax: middle.y + down)
    }
    return (turnedGlyphs, boxes)
  }
}
