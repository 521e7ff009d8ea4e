import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// The fills of SVG that have patterns: elements in whose tiles an area is filled.
enum SVGPattern {
  /// Returns the element of a hatch for every area; nil for a gradient, which each area has its own.
  static func element(_ hatch: Hatch, id: String) -> String? {
    switch hatch.pattern {
    case nil: return styled(hatch, id)
    case .lines(let separation, let angle):
      // Half a line is at each edge of a tile.
      let side = separation.thousandths
      let lines = "M-1 0H\(side)M-1 \(side)H\((separation + 1).thousandths)"
      return tile(id, separation, separation, turn: -angle)
        + "<path d=\"\(lines)\" fill=\"none\"\(VectorText.paint("stroke", hatch.color)) "
        + "stroke-width=\"\(hatch.lineWidth.thousandths)\"/></pattern>"
    case .shapes(let shapes, let stepX, let stepY, let shifts):
      return grid(shapes, stepX, stepY, shifts, id)
    case .image(let picture, let image):
      let (width, height) =
        image.isExact
        ? (image.width, image.height) : (max(image.width.rounded(), 1), max(image.height.rounded(), 1))
      return
        "<pattern id=\"\(id)\" patternUnits=\"userSpaceOnUse\" width=\"\(width.thousandths)\" "
        + "height=\"\(height.thousandths)\" patternTransform=\"translate(\(image.offsetX.thousandths) "
        + "\(image.offsetY.thousandths)) rotate(\(image.angle.thousandths))\"><image "
        + "width=\"\(width.thousandths)\" height=\"\(height.thousandths)\" preserveAspectRatio=\"none\""
        + (image.opacity < 1 ? " opacity=\"\(image.opacity.thousandths)\"" : "")
        + " xlink:href=\"data:image/png;base64,\(Base64.text(picture.pngData))\"/></pattern>"
    case .gradient: return nil
    }
  }

  /// Returns the element of a gradient for one area, as an image of its pixels; nil when nothing is visible.
  static func element(
    _ hatch: Hatch, of batch: PathBatch, item: Int, width: Int, height: Int, id: String
  ) -> String? {
    let box = batch.geometry.envelope(ofRow: item)
    let shown = Envelope(
      xMin: max(box.xMin, 0) - 1, yMin: max(box.yMin, 0) - 1, xMax: min(box.xMax, Double(width)) + 1,
      yMax: min(box.yMax, Double(height)) + 1)
    guard let fill = try? FillPixels(hatch, of: batch, item: item, in: shown),
      var bitmap = try? Bitmap(width: fill.width, height: fill.height)
    else { return nil }
    bitmap.replaceRows(from: 0, premultiplied: fill.pixels.span)
    guard let png = try? bitmap.pngData() else { return nil }
    return
      "<pattern id=\"\(id)\" patternUnits=\"userSpaceOnUse\" x=\"\(fill.x)\" y=\"\(fill.y)\" "
      + "width=\"\(fill.width)\" height=\"\(fill.height)\"><image width=\"\(fill.width)\" "
      + "height=\"\(fill.height)\" xlink:href=\"data:image/png;base64,\(Base64.text(png))\"/></pattern>"
  }

  private static func tile(_ id: String, _ width: Double, _ height: Double, turn: Double = 0) -> String {
    "<pattern id=\"\(id)\" patternUnits=\"userSpaceOnUse\" width=\"\(width.thousandths)\" "
      + "height=\"\(height.thousandths)\""
      + (turn == 0 ? "" : " patternTransform=\"rotate(\(turn.thousandths))\"") + ">"
  }

  /// Returns a pattern of shapes; a tile shows the shapes of neighbours that reach into it.
  private static func grid(
    _ shapes: [PatternShape], _ stepX: Double, _ stepY: Double, _ shifts: Bool, _ id: String
  ) -> String {
    let rows = shifts ? 2 : 1
    var text = tile(id, stepX, stepY * Double(rows))
    for row in -1...rows {
      // Every second row moves by half a step.
      let shift = shifts && !row.isMultiple(of: 2) ? stepX / 2 : 0
      for column in -2...1 {
        let (x, y) = (stepX * (Double(column) + 0.5) + shift, stepY * (Double(row) + 0.5))
        for shape in shapes {
          var path = VectorText()
          for part in shape.parts {
            for (number, index) in part.enumerated() {
              path += number == 0 ? "M" : "L"
              path.add(x + shape.x[index])
              path += " "
              path.add(y + shape.y[index])
            }
            if shape.isClosed { path += "z" }
          }
          text +=
            "<path d=\"\(String(decoding: path.bytes, as: UTF8.self))\" fill-rule=\"evenodd\""
            + VectorText.paint("fill", shape.fill) + VectorText.stroke(shape.stroke) + "/>"
        }
      }
    }
    return text + "</pattern>"
  }

  /// Returns the pattern of a fill style, whose tiles start at the map's top left corner.
  private static func styled(_ hatch: Hatch, _ id: String) -> String {
    let unit = hatch.lineWidth
    let isDiagonal = [.forwardDiagonal, .backwardDiagonal, .diagonalCross].contains(hatch.style)
    let side = (isDiagonal ? 16 : 8) * unit
    var lines = ""
    func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
      lines += "M\(x1.thousandths) \(y1.thousandths)L\(x2.thousandths) \(y2.thousandths)"
    }
    if hatch.style == .horizontal || hatch.style == .cross { line(0, unit / 2, side, unit / 2) }
    if hatch.style == .vertical || hatch.style == .cross { line(unit / 2, 0, unit / 2, side) }
    // Lines through the corners continue in the neighbouring tiles.
    for shift in [-1.0, 0, 1] where hatch.style == .forwardDiagonal || hatch.style == .diagonalCross {
      line(shift * side - unit, -unit, (shift + 1) * side + unit, side + unit)
    }
    for shift in [0.0, 1, 2] where hatch.style == .backwardDiagonal || hatch.style == .diagonalCross {
      line(shift * side + unit, -unit, (shift - 1) * side - unit, side + unit)
    }
    return tile(id, side, side)
      + "<path d=\"\(lines)\" fill=\"none\"\(VectorText.paint("stroke", hatch.color)) "
      + "stroke-width=\"\(unit.thousandths)\"/></pattern>"
  }
}
