import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds the lines of all tiles, and the outlines of areas.
  mutating func addLines(of tiles: [StyledTile]) {
    for tile in tiles {
      guard let part = tileLayer(tile) else { continue }
      let indices = [GeometryKind.polygon, .polyline].compactMap { part.index(of: $0) }
      guard !indices.isEmpty else { continue }
      let rows = rows(of: part.features, sortedBy: "line-sort-key")
      guard !rows.isEmpty else { continue }
      let (groups, looks) = lineLooks(part.features, rows: rows)
      guard !looks.styles.isEmpty else { continue }
      let offset = offset(in: tile)
      let window = window(reach: looks.reach, offset: offset)
      var batch = PathBatch(styles: looks.styles.styles, kind: .polyline)
      batch.region = tile.region
      var placing = LinePlacing(window: window, part: part)
      for (position, row) in rows.enumerated() {
        guard let look = looks.looks[groups[position]],
          let index = indices.first(where: { !part.pixels[$0].isEmpty(row: Int(row)) }),
          placing.place(row: Int(row), index, look, into: &batch)
        else { continue }
        shown.insert(part.ids[Int(row)])
      }
      batch.move(by: offset)
      if !batch.row.isEmpty { batches.append(.paths(batch)) }
    }
  }

  /// Returns the groups of some rows, and how each is drawn.
  private mutating func lineLooks(
    _ features: StyleFeatures, rows: [Int32]
  ) -> (groups: AnswerGroups, looks: LineLooks) {
    let hasDashes = has("line-dasharray")
    let groups = groups(
      [
        "line-color", "line-opacity", "line-width", "line-gap-width", "line-offset", "line-blur", "line-cap",
        "line-join", "line-miter-limit",
      ], wholeZoom: hasDashes ? ["line-width", "line-dasharray"] : [], features, rows: rows)
    let zoom = painter.context.zoom
    var looks = LineLooks()
    for group in groups.groups {
      looks.add(group, pixelRatio: painter.pixelRatio, dashScale: exp2(zoom - zoom.rounded(.down)))
    }
    return (groups, looks)
  }
}

/// How the groups of lines of a tile are drawn.
struct LineLooks {
  /// How a group of lines is drawn, in output pixels.
  struct Look {
    /// The styles of the strokes, the lowest first.
    let styles: [Int]
    /// The distances of parallel lines to the left; 0 for the line itself.
    let offsets: [Double]
    let corners: LineEffect.Corner
    let dash: DashPattern?
    /// The farthest distance of paint from the line.
    let reach: Double
  }

  var styles = GroupStyles()
  /// The look of each group; nil for one that is not drawn.
  var looks: [Look?] = []
  /// The farthest distance of paint from a line.
  var reach = 0.0

  /// Adds the look of the next group.
  ///
  /// - Parameter dashScale: the growth of dashes since the whole zoom.
  mutating func add(_ group: AnswerGroup, pixelRatio: Double, dashScale: Double) {
    let width = SymbolNumber.width.bounded(group.number("line-width") * pixelRatio)
    let dash = DashPattern(group, pixelRatio: pixelRatio, scale: dashScale)
    guard width > 0, let color = group.color("line-color", opacity: group.number("line-opacity")) else {
      return looks.append(nil)
    }
    let gap = SymbolNumber.width.bounded(group.number("line-gap-width") * pixelRatio)
    let offset = SymbolNumber.offset.bounded(group.number("line-offset") * pixelRatio)
    let join = group["line-join"].string.flatMap { SimpleLineSymbol.Join(rawValue: $0) } ?? .miter
    let cap = group["line-cap"].string.flatMap { SimpleLineSymbol.Cap(rawValue: $0) } ?? .butt
    let limit = group.number("line-miter-limit")
    let stroke = Stroke(
      color: color, width: width,
      // The ends of dashes are never square.
      cap: dash != nil && cap == .square ? .butt : cap, join: join,
      miterLimit: limit > 1 ? min(limit, Stroke.miterLimit) : 1)
    let offsets = gap > 0 ? [-offset + (gap + width) / 2, -offset - (gap + width) / 2] : [-offset]
    let corners: LineEffect.Corner =
      switch join {
      case .miter: .mitered
      case .round: .rounded
      case .bevel: .bevelled
      }
    let effects = PathEffects(offsets.map { .offset($0, corners: corners) })
    let reach = stroke.reach + effects.reach
    self.reach = max(self.reach, reach)
    let blur = SymbolNumber.width.bounded(group.number("line-blur") * pixelRatio)
    let strokes = stroke.blurred(by: blur).map { stroke in
      styles.index(of: PathStyle(fill: nil, stroke: stroke, isOpen: true, classIndex: -1))
    }
    looks.append(Look(styles: strokes, offsets: offsets, corners: corners, dash: dash, reach: reach))
  }
}

extension DashPattern {
  /// The shortest pattern that is drawn as dashes, in output pixels.
  ///
  /// - Source: design decision; each dash of it is far smaller than a pixel.
  private static let shortest = 1.0 / 16

  /// Creates the dashes of a group of lines, in widths of the line at the whole zoom; nil for a continuous line.
  ///
  /// - Source: MapLibre GL JS 5. With an odd number of lengths, the last dash continues in the first one.
  init?(_ group: AnswerGroup, pixelRatio: Double, scale: Double) {
    guard let numbers = group.atWholeZoom("line-dasharray").numberArray, numbers.count > 1 else { return nil }
    let width = (group.atWholeZoom("line-width").number ?? 0) * pixelRatio * scale
    var lengths = numbers.map { SymbolNumber.size.bounded($0 * width) }
    var start = 0.0
    if !lengths.count.isMultiple(of: 2) {
      start = lengths.removeLast()
      lengths[0] += start
    }
    let period = lengths.reduce(0, +)
    // A line without gaps or of very short dashes is continuous.
    guard period >= Self.shortest,
      stride(from: 1, to: lengths.count, by: 2).contains(where: { lengths[$0] > 0 })
    else { return nil }
    self.init(lengths: lengths, start: start)
  }
}

/// The step that converts the lines of a tile into items.
struct LinePlacing {
  private let window: Envelope
  private let part: StyledTileLayer
  /// Rows of one line, kept from line to line, because allocations take time.
  private var chains = CoordinateBuffer(kind: .polyline)
  private var dashes = CoordinateBuffer(kind: .polyline)

  init(window: Envelope, part: StyledTileLayer) { (self.window, self.part) = (window, part) }

  /// Adds the line of a row; returns false when it is not in the image.
  mutating func place(row: Int, _ index: Int, _ look: LineLooks.Look, into batch: inout PathBatch) -> Bool {
    let buffer = part.pixels[index]
    guard window.meets(buffer.envelope(ofRow: row)) else { return false }
    if buffer.kind == .polyline, look.offsets == [0], look.dash == nil {
      for style in look.styles {
        batch.geometry.appendRow(row, of: buffer, clippedTo: window)
        batch.endItem(style: style, row: part.ids[row])
      }
      return true
    }
    chains.removeAll()
    part.appendChains(ofRow: row, index, to: &chains)
    guard !chains.isEmpty(row: 0) else { return false }
    if look.offsets != [0] { moveAside(look) }
    if let dash = look.dash { cut(dash) }
    for style in look.styles {
      batch.geometry.appendRow(0, of: chains, clippedTo: window)
      batch.endItem(style: style, row: part.ids[row])
    }
    return true
  }

  /// Replaces the line by those parallel to it.
  private mutating func moveAside(_ look: LineLooks.Look) {
    var moved = CoordinateBuffer(kind: .polyline)
    for offset in look.offsets {
      let line = PathEffects([.offset(offset, corners: look.corners)]).applied(to: chains)
      for part in line.parts(ofRow: 0) {
        moved.appendVertices(line.vertices(ofPart: part), of: line)
        moved.endPart()
      }
    }
    moved.endRow()
    chains = moved
  }

  /// Replaces the line by its dashes.
  private mutating func cut(_ dash: DashPattern) {
    let cutter = DashedPath(pattern: dash, window: window)
    dashes.removeAll()
    for part in chains.parts(ofRow: 0) {
      let range = chains.vertices(ofPart: part)
      cutter.append(x: chains.x[range], y: chains.y[range], to: &dashes)
    }
    dashes.endRow()
    swap(&chains, &dashes)
  }
}
