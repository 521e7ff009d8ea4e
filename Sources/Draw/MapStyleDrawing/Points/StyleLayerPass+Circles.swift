import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds a circle at each vertex of the features, in the tile that contains it.
  mutating func addCircles(of tiles: [StyledTile]) {
    for tile in tiles {
      guard let part = tileLayer(tile) else { continue }
      let rows = rows(of: part.features, sortedBy: "circle-sort-key")
      guard !rows.isEmpty else { continue }
      let (groups, looks) = circleLooks(part, rows: rows)
      guard !looks.styles.isEmpty else { continue }
      let offset = offset(in: tile)
      let window = window(reach: looks.styles.map(\.radius).max() ?? 0, offset: offset)
      var batch = MarkerBatch(styles: looks.styles)
      for (position, row) in rows.enumerated() {
        let styles = looks.ranges[groups[position]]
        guard !styles.isEmpty else { continue }
        var isShown = false
        part.forEachOwnVertex(ofRow: Int(row)) { x, y in
          guard window.contains(x: x, y: y) else { return }
          isShown = true
          for style in styles {
            batch.x.append(x + offset.x)
            batch.y.append(y + offset.y)
            batch.style.append(UInt32(clamping: style))
            batch.row.append(part.ids[Int(row)])
          }
        }
        if isShown { shown.insert(part.ids[Int(row)]) }
      }
      if !batch.row.isEmpty { batches.append(.markers(batch)) }
    }
  }

  /// Returns the groups of some rows, and how each is drawn.
  private mutating func circleLooks(
    _ part: StyledTileLayer, rows: [Int32]
  ) -> (groups: AnswerGroups, looks: CircleLooks) {
    let groups = groups(
      [
        "circle-radius", "circle-color", "circle-blur", "circle-opacity", "circle-stroke-width",
        "circle-stroke-color", "circle-stroke-opacity",
      ], part, rows: rows)
    var looks = CircleLooks()
    for (index, group) in groups.groups.enumerated()
    where !looks.add(group, pixelRatio: painter.pixelRatio, &circles) {
      problems.add(
        "circle-stroke-width: strokes of blurred circles so large or so many are not drawn blurred",
        groups.features(of: index))
    }
    return (groups, looks)
  }
}

extension StyledTileLayer {
  /// Calls a closure with the pixel of each vertex of a row that lies in the tile.
  func forEachOwnVertex(ofRow row: Int, _ body: (Double, Double) -> Void) {
    for (units, buffer) in zip(geometries, pixels) where !buffer.isEmpty(row: row) {
      for vertex in buffer.vertices(ofRow: row) {
        let (x, y) = (units.x[vertex], units.y[vertex])
        if isRound || x >= 0 && x < extent, y >= 0, y < extent { body(buffer.x[vertex], buffer.y[vertex]) }
      }
    }
  }
}

/// The styles of the groups of circles of a tile.
struct CircleLooks {
  var styles: [MarkerStyle] = []
  /// The styles of each group, the lowest first; empty for one that is not drawn.
  var ranges: [Range<Int>] = []

  /// Adds the look of the next group; returns false if its blurred stroke is left out or drawn sharp.
  ///
  /// The stroke surrounds the circle. MapLibre GL JS 5 fades the edge inwards over one pixel, so it lies half a pixel
  /// inside the radius.
  mutating func add(_ group: AnswerGroup, pixelRatio: Double, _ circles: inout BlurredCircles) -> Bool {
    let first = styles.count
    defer { ranges.append(first..<styles.count) }
    let radius = SymbolNumber.size.bounded(group.number("circle-radius") * pixelRatio)
    let width = SymbolNumber.width.bounded(group.number("circle-stroke-width") * pixelRatio)
    let fill = group.color("circle-color", opacity: group.number("circle-opacity"))
    let strokeColor = group.color("circle-stroke-color", opacity: group.number("circle-stroke-opacity"))
    // The ink of a circle smaller than its edge falls with the fourth power of the radius.
    let inner = radius < 1 ? radius * radius : 2 * radius - 1
    let blur = max(group.number("circle-blur"), 0) * (radius + width)
    let circle = BlurredCircle(
      radius: radius, strokeWidth: width, fill: fill, stroke: strokeColor, blur: blur)
    let isImage = blur > 1 && width > 0 && circles.hasRoom(for: circle)
    if isImage {
      if let style = circles.style(of: circle) { styles.append(style) }
    } else if blur > 1, let fill {
      addBlurred(radius: radius, fill, blur: blur)
    } else if width > 0, let strokeColor {
      let stroke = Stroke(color: strokeColor, width: width)
      // The fill goes on below an opaque stroke, which hides the border.
      let isOpaque = strokeColor.alpha == 255
      if !isOpaque, let fill { add(size: inner, fill: fill, stroke: nil) }
      add(size: 2 * radius - 1 + width, fill: isOpaque ? fill : nil, stroke: stroke)
    } else if let fill {
      add(size: inner, fill: fill, stroke: nil)
    }
    return isImage || !(blur > 1) || width == 0 || strokeColor == nil
  }

  /// Adds discs that fade from the edge inwards.
  private mutating func addBlurred(
    radius: Double, _ fill: Color, blur: Double
  ) {
    let steps = BlurSteps(length: blur)
    for (step, color) in steps.colors(fill).enumerated() where color.alpha > 0 {
      // Source: MapLibre GL JS 5, whose opacity is a smooth step.
      let level = (Double(step) + 0.5) / Double(steps.count)
      let share = 0.5 - sin(asin(1 - 2 * level) / 3)
      add(size: 2 * (radius - blur * share), fill: color, stroke: nil)
    }
  }

  private mutating func add(size: Double, fill: Color?, stroke: Stroke?) {
    guard size > 0, fill != nil || stroke != nil else { return }
    styles.append(MarkerStyle(shape: .circle, size: size, fill: fill, outline: stroke, classIndex: -1))
  }
}
