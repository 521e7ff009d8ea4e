import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The parts of a page while they are arranged, in view pixels.
struct PageBuilder {
  let layout: PageLayout
  let size: (width: Double, height: Double)
  let pixelRatio: Double
  let tone: PageTone
  let unit: Double
  /// The page inside its margin.
  private let area: Envelope
  var map: Envelope
  var layers: [DisplayLayer] = []
  /// The rectangles of the parts on the map.
  var taken: [Envelope] = []
  /// The rectangle of a legend on the map.
  var legendBox: Envelope?
  /// Whether the map leaves room for degrees along its frame.
  var hasDegrees = false
  /// The rectangles of the insets; nil for those that are left out.
  var insets: [Envelope?] = []
  /// The rectangle of the locator.
  var locatorBox: Envelope?
  /// The rectangle of the scale bar.
  var scaleBarBox: Envelope?
  var warnings: [String] = []
  var setter: TextSetter
  private let measurer: TextMeasurer
  /// The corners of the map, in the order in which a part tries them.
  enum Corner { case topLeft, topRight, bottomLeft, bottomRight }

  init(
    layout: PageLayout, size: (width: Double, height: Double), pixelRatio: Double, tone: PageTone,
    measurer: TextMeasurer
  ) {
    (self.layout, self.size, self.pixelRatio, self.tone) = (layout, size, pixelRatio, tone)
    (self.measurer, setter) = (measurer, TextSetter(measurer))
    unit = PageArrangement.unit(width: size.width, height: size.height)
    area = layout.area(width: size.width, height: size.height)
    map = area
  }

  var margin: Double { (10 * unit).rounded() }

  func canvas(_ name: String) -> PartCanvas {
    PartCanvas(name, size: size, pixelRatio: pixelRatio, measurer: measurer)
  }

  mutating func arrange(legend: Legend?, attribution: String, ground: PageGround?) {
    let hasLegend = layout.legend != nil && !(legend?.isEmpty ?? true)
    let isPage = !layout.title.isEmpty || !layout.subtitle.isEmpty || (layout.hasLegendBeside && hasLegend)
    var below = attribution
    if isPage {
      // A margin that is asked for replaces the usual one.
      if layout.margin == nil { map = area.grown(by: -(14 * unit).rounded()) }
      if !hasRoom(map) { map = area }
      addTitles()
      if !attribution.isEmpty, addAttributionBelow(attribution) { below = "" }
      if let legend, layout.hasLegendBeside, hasLegend { addLegendBeside(legend) }
    }
    if layout.frame, layout.frameHasDegrees { reserveDegrees() }
    map = Envelope(
      xMin: map.xMin.rounded(), yMin: map.yMin.rounded(), xMax: map.xMax.rounded(), yMax: map.yMax.rounded())
    if layout.frame {
      var canvas = canvas("frame")
      canvas.outline(map, tone.hairline)
      layers += canvas.finished
    }
    // The attribution is required, so it is placed before the parts that may be left out.
    if !below.isEmpty { addAttributionOnMap(below) }
    if let legend, !layout.hasLegendBeside, hasLegend { addLegendOnMap(legend) }
    if layout.locator { addLocator() }
    addInsets()
    guard let ground else { return }
    addGround(ground)
    if let degrees = ground.degrees { addDegrees(degrees) }
  }

  /// Returns whether a rectangle is large enough for a map.
  private func hasRoom(_ box: Envelope) -> Bool {
    box.width >= max(0.4 * area.width, 60) && box.height >= max(0.4 * area.height, 45)
  }

  private mutating func addTitles() {
    let title = TextStyle(size: (20 * unit).rounded(), weight: .bold, color: tone.ink)
    let subtitle = TextStyle(size: 13 * unit, color: tone.muted)
    var canvas = canvas("title")
    // A margin that is asked for leaves the titles above the side of the map.
    let left = layout.margin == nil ? max(map.xMin, 4) : map.xMin
    for (name, text, style, most) in [
      ("title", layout.title, title, 3), ("subtitle", layout.subtitle, subtitle, 3),
    ] where !text.isEmpty {
      var block = setter.wrap(text, style, width: size.width - 2 * left, lines: most)
      // Fewer lines leave room for a map.
      while !block.lines.isEmpty, !hasRoom(map.with(top: map.yMin + block.height(style) + 8 * unit)) {
        block = setter.wrap(
          text, style, width: size.width - 2 * left, lines: block.lines.count - 1)
      }
      if block.lines.isEmpty {
        warnings.append("the \(name) is left out: \(shownSize) has no room for it")
        continue
      }
      if block.isCut {
        warnings.append(
          "the \(name) is cut after \(block.lines.joined(separator: " ").count) of \(text.count) characters")
      }
      canvas.text(block, style, x: left, y: map.yMin - 2 * unit)
      map = map.with(top: map.yMin + block.height(style) + (name == "title" ? 1 : 2) * unit)
    }
    if !canvas.finished.isEmpty { map = map.with(top: map.yMin + 6 * unit) }
    layers += canvas.finished
  }

  var shownSize: String {
    "an image of \(LegendNumber.text(size.width)) by \(LegendNumber.text(size.height)) view pixels"
  }

  private var small: TextStyle { TextStyle(size: 9.5 * unit, color: tone.muted) }

  /// Draws the attribution below the map; returns false if there is no room.
  private mutating func addAttributionBelow(_ text: String) -> Bool {
    let block = setter.wrap(text, small, width: map.width, lines: 3)
    let needed = block.height(small) + 4 * unit
    guard !block.isCut, hasRoom(map.with(bottom: map.yMax - needed)) else { return false }
    var canvas = canvas("attribution")
    // It reaches into the usual margin, but not into one that is asked for.
    let shift = layout.margin == nil ? 5 * unit : 0
    canvas.text(block, small, x: map.xMin, y: map.yMax - block.height(small) + shift)
    layers += canvas.finished
    map = map.with(bottom: map.yMax - needed)
    return true
  }

  private mutating func addLegendBeside(_ legend: Legend) {
    let gap = 16 * unit
    let isBand = layout.legend == .top || layout.legend == .bottom
    let block = LegendBlock(
      legend, flow: isBand ? .rows : .columns, columns: layout.legendColumns,
      width: isBand ? map.width : map.width * 0.42,
      height: isBand ? map.height * 0.4 : map.height, unit: unit, tone: tone, setter: &setter)
    var left = map
    switch layout.legend {
    case .left: left = map.with(left: map.xMin + block.width + gap)
    case .right: left = map.with(right: map.xMax - block.width - gap)
    case .top: left = map.with(top: map.yMin + block.height + 10 * unit)
    default: left = map.with(bottom: map.yMax - block.height - 10 * unit)
    }
    guard !block.isEmpty, hasRoom(left) else {
      warnings.append("the legend is left out: \(shownSize) has no room for it")
      return
    }
    report(block, of: legend)
    var canvas = canvas("legend")
    switch layout.legend {
    case .right: block.draw(on: &canvas, x: map.xMax - block.width, y: map.yMin)
    case .bottom: block.draw(on: &canvas, x: map.xMin, y: map.yMax - block.height)
    default: block.draw(on: &canvas, x: map.xMin, y: map.yMin)
    }
    layers += canvas.finished
    map = left
  }

  mutating func report(_ block: LegendBlock, of legend: Legend) {
    for warning in block.warnings where !warnings.contains(warning) { warnings.append(warning) }
    guard block.leftOut > 0 else { return }
    warnings.append(
      "the legend shows \(legend.entryCount - block.leftOut) of \(legend.entryCount) entries: \(shownSize) has no room "
        + "for more")
  }
}

extension Envelope {
  fileprivate func with(
    left: Double? = nil, top: Double? = nil, right: Double? = nil, bottom: Double? = nil
  ) -> Envelope {
    Envelope(xMin: left ?? xMin, yMin: top ?? yMin, xMax: right ?? xMax, yMax: bottom ?? yMax)
  }
}
