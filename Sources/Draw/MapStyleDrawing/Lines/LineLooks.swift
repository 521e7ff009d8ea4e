import MapDrawing
import MapModel
import MapStyles

/// The styles of the groups of lines of a tile.
struct LineLooks {
  /// The style of a group of lines, in output pixels.
  struct Look {
    /// The styles of the strokes, the lowest first.
    let styles: [Int]
    /// The distances of parallel lines to the left; 0 for the line itself.
    let offsets: [Double]
    let corners: ParallelCorners
    let dash: DashPattern?
    /// The length by which the ends of a dashed line are longer if they are dashes.
    let endLength: Double
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
    let cap = group["line-cap"].string.flatMap { SimpleLineSymbol.Cap(rawValue: $0) } ?? .butt
    let dash = dashScale.flatMap { scale in
      DashPattern(
        group.atWholeZoom("line-dasharray").numberArray ?? [],
        wholeWidth: (group.atWholeZoom("line-width").number ?? 0) * pixelRatio * scale,
        roundWidth: cap == .round ? width : nil)
    }
    let color =
      dashScale == nil ? Color.black : group.color("line-color", opacity: group.number("line-opacity"))
    guard width > 0, let color else { return looks.append(nil) }
    let gap = SymbolNumber.width.bounded(group.number("line-gap-width") * pixelRatio)
    let offset = SymbolNumber.offset.bounded(group.number("line-offset") * pixelRatio)
    let join = group["line-join"].string.flatMap { SimpleLineSymbol.Join(rawValue: $0) } ?? .miter
    let limit = group.number("line-miter-limit")
    let stroke = Stroke(
      color: color, width: Self.drawnWidth(width),
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
    looks.append(
      Look(
        styles: strokes, offsets: offsets, corners: corners, dash: dash,
        endLength: dash != nil && cap == .square ? width / 2 : 0, reach: reach))
  }

  /// Returns the width of the stroke that has the ink of a line.
  ///
  /// - Source: MapLibre GL JS 5, whose antialiasing gives a line of less than one pixel the opacity `(width + 1) / 2` in
  ///   its middle, which falls to 0 over as many pixels.
  static func drawnWidth(_ width: Double) -> Double {
    width < 1 ? (width + 1) * (width + 1) / 4 : width
  }
}

extension DashPattern {
  /// The shortest pattern that is drawn as dashes, in output pixels.
  ///
  /// - Source: design decision; its dashes cannot be distinguished, and would take much memory.
  private static let shortest = 0.5

  /// Creates the dashes of a line from lengths in widths; nil for a continuous line.
  ///
  /// With an odd number of lengths, the last dash continues in the first one.
  ///
  /// - Parameters:
  ///   - numbers: the lengths of dash, gap, dash, gap …
  ///   - wholeWidth: the width at the whole zoom, with which dashes have grown since, in pixels.
  ///   - roundWidth: the width of a stroke with round ends; nil for others. The ends grow along the line as dashes do.
  /// - Source: MapLibre GL JS 5.
  init?(_ numbers: [Double], wholeWidth: Double, roundWidth: Double?) {
    guard numbers.count > 1 else { return nil }
    var lengths = numbers.map { SymbolNumber.size.bounded($0 * wholeWidth) }
    var start = 0.0
    if !lengths.count.isMultiple(of: 2) {
      start = lengths.removeLast()
      lengths[0] += start
    }
    if let roundWidth {
      let longer = SymbolNumber.size.bounded(wholeWidth) - roundWidth
      start += longer / 2
      for index in lengths.indices {
        // A dash without length is a dot.
        lengths[index] = max(
          lengths[index] + (index.isMultiple(of: 2) ? longer : -longer),
          index.isMultiple(of: 2) ? Self.dotLength : 0)
      }
    }
    let period = lengths.reduce(0, +)
    // A line without gaps or of very short dashes is continuous.
    guard period >= Self.shortest,
      stride(from: 1, to: lengths.count, by: 2).contains(where: { lengths[$0] > 0 })
    else { return nil }
    self.init(lengths: lengths, start: start)
  }

  /// The length of a dash between round ends that are all of it, in pixels.
  private static let dotLength = 0.01
}
