import Glibc
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapStyles
import MapSystem

/// Lines with patterns and gradients, as one image.
extension StyleLayerPass {
  /// Whether the colour of the layer's lines depends on the position along them.
  var hasLinePixels: Bool {
    has("line-pattern") || has("line-gradient") && !has("line-dasharray")
  }

  /// Adds an image of the lines of all tiles.
  mutating func addLinePixels(of tiles: [StyledTile]) {
    let isPattern = has("line-pattern")
    let ramp = isPattern ? [] : lineRamp()
    var image = LinePixels(width: painter.width, height: painter.height)
    for tile in tiles {
      guard let part = tileLayer(tile), let lines = LinePlacing(part) else { continue }
      let rows = rows(of: part.features, sortedBy: "line-sort-key")
      guard !rows.isEmpty else { continue }
      let groups = groups(
        LineLooks.properties, wholeZoom: isPattern ? ["line-width", "line-pattern"] : [], part,
        rows: rows)
      var looks = LineLooks()
      for group in groups.groups { looks.add(group, pixelRatio: painter.pixelRatio, dashScale: nil) }
      let patterns = groups.groups.enumerated().map { index, group in
        isPattern
          ? linePattern(
            group, groups.features(of: index), pixelLimit: LinePattern.pixelLimit / groups.groups.count)
          : nil
      }
      let offset = offset(in: tile)
      let window = PlacingWindow(window(reach: looks.reach, offset: offset))
      var scratch = LinePlacing.Scratch()
      for (position, row) in rows.enumerated() {
        let group = groups[position]
        guard let look = looks.looks[group], !isPattern || patterns[group] != nil,
          let chains = lines.line(row: Int(row), look, in: window, &scratch)
        else { continue }
        let pen = LinePixels.Pen(groups.groups[group], pixelRatio: painter.pixelRatio)
        for chain in image.isExhausted ? 0..<0 : chains.parts(ofRow: 0) {
          let vertices = chains.vertices(ofPart: chain)
          let isPainted = image.paint(
            x: chains.x[vertices].map { $0 + offset.x }[...],
            y: chains.y[vertices].map { $0 + offset.y }[...],
            pen, region: tile.region
          ) { position in
            if let pattern = patterns[group] { return pattern.color(position) }
            let share = position.length > 0 ? min(max(position.along / position.length, 0), 1) : 0
            return ramp[Int(clamping: share * Double(ramp.count - 1) + 0.5)]
          }
          if isPainted { shown.insert(part.ids[Int(row)]) }
        }
        if image.isExhausted {
          problems.add(
            "\(isPattern ? "line-pattern" : "line-gradient"): lines are too wide and too many to draw",
            [part.ids[Int(row)]])
        }
      }
    }
    if shown.count > 0 {
      batches.append(.image(DisplayImage(width: painter.width, pixels: image.pixels)))
    }
  }

  /// Returns the pattern of a group of lines; nil for one without.
  private mutating func linePattern(
    _ group: AnswerGroup, _ features: @autoclosure () -> [Int32], pixelLimit: Int
  )
    -> LinePattern?
  {
    let zoom = painter.context.zoom
    let scale = painter.pixelRatio * exp2(zoom - zoom.rounded(.down))
    guard let image = pattern("line-pattern", group.atWholeZoom("line-pattern"), features()) else {
      return nil
    }
    return LinePattern(
      image, width: group.number("line-width") * painter.pixelRatio,
      wholeWidth: (group.atWholeZoom("line-width").number ?? 0) * scale, pixelLimit: pixelLimit)
  }

  /// Returns the colours of the gradient from the start of a line to its end, premultiplied.
  private func lineRamp() -> [UInt32] {
    let count = 1024
    var context = painter.context
    return (0...count).map { step in
      context.lineProgress = Double(step) / Double(count)
      return layer.value(of: "line-gradient", context)?.value.color?.premultiplied ?? 0
    }
  }
}

extension LinePixels.Pen {
  /// Creates the pen of a group of lines.
  init(_ group: AnswerGroup, pixelRatio: Double) {
    self.init(
      halfWidth: SymbolNumber.width.bounded(group.number("line-width") * pixelRatio) / 2,
      blur: SymbolNumber.width.bounded(group.number("line-blur") * pixelRatio),
      cap: group["line-cap"].string.flatMap { SimpleLineSymbol.Cap(rawValue: $0) } ?? .butt,
      opacity: min(max(group.number("line-opacity"), 0), 1))
  }
}

/// An image that is repeated along a line and as wide as the line.
private struct LinePattern {
  /// The largest number of pixels of all patterns of a tile's lines: 64 MB.
  ///
  /// - Source: design decision.
  static let pixelLimit = 1 << 24

  private let stamp: PictureStamp
  /// The length of a copy in pixels.
  private let length: Double

  /// Creates the pattern of a line.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - width: the width of the line in pixels.
  ///   - wholeWidth: the width at the whole zoom, with which copies grow along the line, in pixels.
  ///   - pixelLimit: the largest number of pixels of a copy; larger copies are enlarged from it.
  /// - Source: MapLibre GL JS 5.
  init?(_ image: PatternImage, width: Double, wholeWidth: Double, pixelLimit: Int) {
    let length = SymbolNumber.size.bounded(wholeWidth * image.width / image.height)
    let width = SymbolNumber.width.bounded(width)
    guard length > 0, width > 0 else { return nil }
    self.length = length
    let scale = min(1, (Double(pixelLimit) / (length * width)).squareRoot())
    // A side of one pixel is not shorter for a smaller scale, so the other side is limited too.
    let longest = Double(max(pixelLimit, 1))
    stamp = PictureStamp(
      image.bitmap, width: min(max((length * scale).rounded(), 1), longest),
      height: min(max((width * scale).rounded(), 1), longest))
  }

  /// Returns the premultiplied colour at a position, mixed from the nearest four pixels.
  func color(_ position: LinePixels.Position) -> UInt32 {
    let share = (position.along / length).truncatingRemainder(dividingBy: 1)
    let x = share * Double(stamp.width) - 0.5
    let y = (position.across + 1) / 2 * Double(stamp.height) - 0.5
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (right, down) = (x - left, y - top)
    guard let column = Int(exactly: left), let row = Int(exactly: top) else { return 0 }
    let pixels = stamp.pixels.span
    func pixel(_ column: Int, _ row: Int) -> SIMD4<Float> {
      SIMD4(
        pixel: pixels[
          min(max(row, 0), stamp.height - 1) * stamp.width + (column + stamp.width) % stamp.width])
    }
    let (wide, tall) = (Float(right), Float(down))
    let upper = pixel(column, row) * (1 - wide) + pixel(column + 1, row) * wide
    let lower = pixel(column, row + 1) * (1 - wide) + pixel(column + 1, row + 1) * wide
    return (upper * (1 - tall) + lower * tall).pixel
  }
}
