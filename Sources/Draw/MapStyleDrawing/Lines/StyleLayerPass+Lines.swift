import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds the lines of all tiles, and the outlines of areas.
  mutating func addLines(of tiles: [StyledTile]) {
    guard !hasLinePixels else { return addLinePixels(of: tiles) }
    for tile in tiles {
      guard let part = tileLayer(tile), let lines = LinePlacing(part) else { continue }
      let rows = rows(of: part.features, sortedBy: "line-sort-key")
      guard !rows.isEmpty else { continue }
      let (groups, looks) = lineLooks(part.features, rows: rows)
      guard !looks.styles.isEmpty else { continue }
      let offset = offset(in: tile)
      let window = PlacingWindow(window(reach: looks.reach, offset: offset))
      var batch = PathBatch(styles: looks.styles.styles, kind: .polyline)
      batch.region = tile.region
      var scratch = LinePlacing.Scratch()
      for (position, row) in rows.enumerated() {
        guard let look = looks.looks[groups[position]],
          lines.place(row: Int(row), look, in: window, &scratch, into: &batch)
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
      LineLooks.properties, wholeZoom: hasDashes ? ["line-width", "line-dasharray"] : [], features, rows: rows
    )
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
    let corners: ParallelCorners
    let dash: DashPattern?
    /// The farthest distance of paint from the line.
    let reach: Double
    /// Whether the vertices of the line are those of its items.
    var isPlain: Bool { dash == nil && offsets == [0] }
  }

  /// The properties on which looks depend.
  static let properties = [
    "line-color", "line-opacity", "line-width", "line-gap-width", "line-offset", "line-blur", "line-cap",
    "line-join", "line-miter-limit",
  ]

  var styles = GroupStyles()
  /// The look of each group; nil for one that is not drawn.
  var looks: [Look?] = []
  /// The farthest distance of paint from a line.
  var reach = 0.0

  /// Adds the look of the next group.
  ///
  /// - Parameter dashScale: the growth of dashes since the whole zoom; nil for lines whose colour depends on the position.
  mutating func add(_ group: AnswerGroup, pixelRatio: Double, dashScale: Double?) {
    let width = SymbolNumber.width.bounded(group.number("line-width") * pixelRatio)
    let dash = dashScale.flatMap { DashPattern(group, pixelRatio: pixelRatio, scale: $0) }
    let color =
      dashScale == nil ? Color.black : group.color("line-color", opacity: group.number("line-opacity"))
    guard width > 0, let color else { return looks.append(nil) }
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
    let corners = ParallelCorners(join, miterLimit: stroke.miterLimit)
    let reach = stroke.reach + corners.reach * (offsets.map(abs).max() ?? 0)
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

/// The part of the image for which items are made, with a margin.
struct PlacingWindow {
  let envelope: Envelope
  let box: PixelBox

  init(_ envelope: Envelope) { (self.envelope, box) = (envelope, PixelBox(envelope)) }
}

/// The lines of a tile's layer, and its areas as lines, from which items are made.
struct LinePlacing {
  /// Rows of one line, kept from line to line, because allocations take time.
  struct Scratch {
    fileprivate var chains = CoordinateBuffer(kind: .polyline)
    fileprivate var dashes = CoordinateBuffer(kind: .polyline)
  }

  private let lines: TileShapes
  private let areas: TileShapes
  private let ids: [Int32]

  /// Creates the lines of a layer; nil when it has points only.
  init?(_ part: StyledTileLayer) {
    let (lines, areas) = (part.shapes(of: .polyline), part.shapes(of: .polygon))
    guard lines != nil || areas != nil else { return nil }
    self.lines = lines ?? TileShapes(kind: .polyline)
    self.areas = areas ?? TileShapes(kind: .polygon)
    ids = part.ids
  }

  /// Adds the line of a row; returns false when it is not in the image.
  func place(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch,
    into batch: inout PathBatch
  ) -> Bool {
    guard look.isPlain, row < lines.boxes.count, lines.boxes[row].meets(window.box) else {
      guard line(row: row, look, in: window, &scratch) else { return false }
      for style in look.styles {
        batch.geometry.appendRow(0, of: scratch.chains, clippedTo: window.envelope)
        batch.endItem(style: style, row: ids[row])
      }
      return true
    }
    for style in look.styles {
      if lines.boxes[row].isInside(window.box) {
        batch.geometry.appendRow(row, of: lines.pixels)
      } else {
        batch.geometry.appendRow(row, of: lines.pixels, clippedTo: window.envelope)
      }
      batch.endItem(style: style, row: ids[row])
    }
    return true
  }

  /// Returns the line of a row, or those parallel to it, as the only row; nil outside the image.
  func line(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch
  ) -> CoordinateBuffer? {
    line(row: row, look, in: window, &scratch) ? scratch.chains : nil
  }

  /// Makes the line of a row, or those parallel to it, or their dashes; returns false outside the image.
  private func line(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch
  ) -> Bool {
    scratch.chains.removeAll()
    if row < lines.boxes.count, lines.boxes[row].meets(window.box) {
      scratch.chains.appendRow(row, of: lines.pixels)
    } else if row < areas.boxes.count, areas.boxes[row].meets(window.box) {
      areas.appendChains(ofRow: row, to: &scratch.chains)
    } else {
      return false
    }
    guard !scratch.chains.isEmpty(row: 0) else { return false }
    if look.offsets != [0] { Self.moveAside(&scratch.chains, look) }
    if let dash = look.dash { Self.cut(&scratch, dash, in: window.envelope) }
    return true
  }

  /// Replaces a line by those parallel to it.
  private static func moveAside(_ chains: inout CoordinateBuffer, _ look: LineLooks.Look) {
    var moved = CoordinateBuffer(kind: .polyline)
    for offset in look.offsets {
      for part in chains.parts(ofRow: 0) {
        let range = chains.vertices(ofPart: part)
        look.corners.append(x: chains.x[range], y: chains.y[range], at: offset, to: &moved)
      }
    }
    moved.endRow()
    chains = moved
  }

  /// Replaces a line by its dashes.
  private static func cut(_ scratch: inout Scratch, _ dash: DashPattern, in window: Envelope) {
    let cutter = DashedPath(pattern: dash, window: window)
    scratch.dashes.removeAll()
    for part in scratch.chains.parts(ofRow: 0) {
      let range = scratch.chains.vertices(ofPart: part)
      cutter.append(x: scratch.chains.x[range], y: scratch.chains.y[range], to: &scratch.dashes)
    }
    scratch.dashes.endRow()
    swap(&scratch.chains, &scratch.dashes)
  }
}
