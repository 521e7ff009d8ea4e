package import MapDrawing
package import MapGeometry
import MapModel
import MapSystem

/// The positions and the drawing of all parts of an image around and on its map.
package struct PageArrangement: Sendable {
  /// The rectangle of the map, in whole view pixels from the image's top left corner.
  package private(set) var map: Envelope
  /// The parts in output pixels of the image, first painted first.
  package private(set) var layers: [DisplayLayer] = []
  /// The rectangles of the parts on the map, in output pixels from the map's top left corner.
  package private(set) var covered: [Envelope] = []
  /// The rectangle of a legend on the map, in view pixels from the map's top left corner; nil for none.
  package private(set) var legendBox: Envelope?
  /// The parts that are left out or cut.
  package private(set) var warnings: [String] = []
  /// The characters of the texts without a glyph in any font, ascending.
  package private(set) var missingGlyphs: [Unicode.Scalar] = []

  /// Arranges the parts of an image.
  ///
  /// - Parameters:
  ///   - width: the width of the image in view pixels.
  ///   - height: the height of the image in view pixels.
  ///   - legend: the legend; nil for none.
  ///   - attribution: the text that the data require; empty for none.
  ///   - ground: the distances and directions on the map; nil while the map has no view yet.
  ///   - tone: the colours.
  package init(
    _ layout: PageLayout, width: Double, height: Double, pixelRatio: Double, legend: Legend?,
    attribution: String, ground: PageGround?, tone: PageTone, measurer: TextMeasurer?
  ) {
    map = Envelope(xMin: 0, yMin: 0, xMax: width, yMax: height)
    guard let measurer else {
      if layout.hasText || !attribution.isEmpty {
        warnings.append(
          "titles, legends and attribution are not drawn: this build has no fonts (package trait Labels)")
      }
      return
    }
    var builder = PageBuilder(
      layout: layout, size: (width, height), pixelRatio: pixelRatio, tone: tone, measurer: measurer)
    builder.arrange(legend: legend, attribution: layout.attribution ? attribution : "", ground: ground)
    (map, layers, warnings) = (builder.map, builder.layers, builder.warnings)
    missingGlyphs = builder.setter.missing.sorted { $0.value < $1.value }
    legendBox = builder.legendBox?.moved(-builder.map.xMin, -builder.map.yMin)
    covered = builder.taken.map { box in
      box.moved(-builder.map.xMin, -builder.map.yMin).multiplied(by: pixelRatio)
    }
  }

  /// The size of text relative to its normal size, by the size of the image.
  ///
  /// Text of large images grows with the square root of their size, because they are viewed reduced.
  ///
  /// - Source: design decision: normal at 800 by 600 view pixels.
  static func unit(width: Double, height: Double) -> Double {
    min(max((min(width, height * 4 / 3) / 800).squareRoot(), 0.8), 2.5)
  }
}

extension PageLayout {
  /// Whether any part needs fonts.
  var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || legend != nil || scaleBar != nil || northArrow }
}

/// The parts of a page while they are arranged, in view pixels.
private struct PageBuilder {
  let layout: PageLayout
  let size: (width: Double, height: Double)
  let pixelRatio: Double
  let tone: PageTone
  let unit: Double
  var map: Envelope
  var layers: [DisplayLayer] = []
  /// The rectangles of the parts on the map.
  var taken: [Envelope] = []
  /// The rectangle of a legend on the map.
  var legendBox: Envelope?
  var warnings: [String] = []
  private(set) var setter: TextSetter
  private let measurer: TextMeasurer
  /// The corners of the map, in the order in which a part tries them.
  private enum Corner { case topLeft, topRight, bottomLeft, bottomRight }

  init(
    layout: PageLayout, size: (width: Double, height: Double), pixelRatio: Double, tone: PageTone,
    measurer: TextMeasurer
  ) {
    (self.layout, self.size, self.pixelRatio, self.tone) = (layout, size, pixelRatio, tone)
    (self.measurer, setter) = (measurer, TextSetter(measurer))
    unit = PageArrangement.unit(width: size.width, height: size.height)
    map = Envelope(xMin: 0, yMin: 0, xMax: size.width, yMax: size.height)
  }

  private var margin: Double { (10 * unit).rounded() }

  private func canvas(_ name: String) -> PartCanvas {
    PartCanvas(name, size: size, pixelRatio: pixelRatio, measurer: measurer)
  }

  mutating func arrange(legend: Legend?, attribution: String, ground: PageGround?) {
    let hasLegend = layout.legend != nil && !(legend?.isEmpty ?? true)
    let isPage = !layout.title.isEmpty || !layout.subtitle.isEmpty || (layout.hasLegendBeside && hasLegend)
    var below = attribution
    if isPage {
      let padding = (14 * unit).rounded()
      map = Envelope(
        xMin: padding, yMin: padding, xMax: size.width - padding, yMax: size.height - padding)
      if !hasRoom(map) { map = Envelope(xMin: 0, yMin: 0, xMax: size.width, yMax: size.height) }
      addTitles()
      if !attribution.isEmpty, addAttributionBelow(attribution) { below = "" }
      if let legend, layout.hasLegendBeside, hasLegend { addLegendBeside(legend) }
    }
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
    if let ground { addGround(ground) }
  }

  // MARK: Beside the map

  /// Returns whether a rectangle is large enough for a map.
  private func hasRoom(_ box: Envelope) -> Bool {
    box.width >= max(0.4 * size.width, 60) && box.height >= max(0.4 * size.height, 45)
  }

  private mutating func addTitles() {
    let title = TextStyle(size: (20 * unit).rounded(), weight: .bold, color: tone.ink)
    let subtitle = TextStyle(size: 13 * unit, color: tone.muted)
    var canvas = canvas("title")
    for (name, text, style, most) in [
      ("title", layout.title, title, 3), ("subtitle", layout.subtitle, subtitle, 3),
    ] where !text.isEmpty {
      var block = setter.wrap(text, style, width: size.width - 2 * max(map.xMin, 4), lines: most)
      // Fewer lines leave room for a map.
      while !block.lines.isEmpty, !hasRoom(map.with(top: map.yMin + block.height(style) + 8 * unit)) {
        block = setter.wrap(
          text, style, width: size.width - 2 * max(map.xMin, 4), lines: block.lines.count - 1)
      }
      if block.lines.isEmpty {
        warnings.append("the \(name) is left out: \(shownSize) has no room for it")
        continue
      }
      if block.isCut {
        warnings.append(
          "the \(name) is cut after \(block.lines.joined(separator: " ").count) of \(text.count) characters")
      }
      canvas.text(block, style, x: max(map.xMin, 4), y: map.yMin - 2 * unit)
      map = map.with(top: map.yMin + block.height(style) + (name == "title" ? 1 : 2) * unit)
    }
    if !canvas.finished.isEmpty { map = map.with(top: map.yMin + 6 * unit) }
    layers += canvas.finished
  }

  private var shownSize: String {
    "an image of \(LegendNumber.text(size.width)) by \(LegendNumber.text(size.height)) view pixels"
  }

  private var small: TextStyle { TextStyle(size: 9.5 * unit, color: tone.muted) }

  /// Draws the attribution below the map; returns false if there is no room.
  private mutating func addAttributionBelow(_ text: String) -> Bool {
    let block = setter.wrap(text, small, width: map.width, lines: 3)
    let needed = block.height(small) + 4 * unit
    guard !block.isCut, hasRoom(map.with(bottom: map.yMax - needed)) else { return false }
    var canvas = canvas("attribution")
    canvas.text(block, small, x: map.xMin, y: map.yMax - block.height(small) + 5 * unit)
    layers += canvas.finished
    map = map.with(bottom: map.yMax - needed)
    return true
  }

  private mutating func addLegendBeside(_ legend: Legend) {
    let gap = 16 * unit
    let isBand = layout.legend == .top || layout.legend == .bottom
    let block = LegendBlock(
      legend, flow: isBand ? .rows : .columns, width: isBand ? map.width : map.width * 0.42,
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

  private mutating func report(_ block: LegendBlock, of legend: Legend) {
    for warning in block.warnings where !warnings.contains(warning) { warnings.append(warning) }
    guard block.leftOut > 0 else { return }
    warnings.append(
      "the legend shows \(legend.entryCount - block.leftOut) of \(legend.entryCount) entries: \(shownSize) has no room "
        + "for more")
  }

  // MARK: On the map

  private mutating func addAttributionOnMap(_ text: String) {
    let style = TextStyle(size: 9 * unit, color: tone.ink)
    let (padX, padY) = (5 * unit, 2 * unit)
    var block = setter.wrap(text, style, width: map.width * 0.6 - 2 * padX, lines: 1)
    if block.isCut { block = setter.wrap(text, style, width: map.width - 2 * padX, lines: 4) }
    let (wide, tall) = (block.width + 2 * padX, block.height(style) + 2 * padY)
    guard !block.lines.isEmpty, tall <= map.height / 2 else {
      warnings.append("the required attribution is left out: \(shownSize) has no room for it")
      return
    }
    if block.isCut { warnings.append("the required attribution is cut: \(shownSize) has no room for it") }
    let inset = layout.frame ? 1.0 : 0
    let box = Envelope(
      left: map.xMax - wide - inset, top: map.yMax - tall - inset, width: wide, height: tall)
    var canvas = canvas("attribution")
    canvas.fill(box, tone.plate)
    canvas.text(block, style, x: box.xMin + padX, y: box.yMin + padY)
    layers += canvas.finished
    taken.append(box)
  }

  private mutating func addLegendOnMap(_ legend: Legend) {
    let pad = (9 * unit).rounded()
    let block = LegendBlock(
      legend, flow: .columns, width: map.width * 0.5 - 2 * pad, height: map.height - 2 * (margin + pad),
      unit: unit, tone: tone, setter: &setter)
    let corners: [Corner] =
      switch layout.legend {
      case .topLeft: [.topLeft, .bottomLeft, .topRight, .bottomRight]
      case .topRight: [.topRight, .bottomRight, .topLeft, .bottomLeft]
      case .bottomLeft: [.bottomLeft, .topLeft, .bottomRight, .topRight]
      default: [.bottomRight, .topRight, .bottomLeft, .topLeft]
      }
    let (wide, tall) = (block.width + 2 * pad, block.height + 2 * pad)
    guard !block.isEmpty, wide * tall <= map.width * map.height * 0.6,
      let box = place(width: wide, height: tall, corners, keepsFirst: true)
    else {
      warnings.append("the legend is left out: \(shownSize) has no room for it")
      return
    }
    report(block, of: legend)
    var canvas = canvas("legend")
    canvas.fill(box, tone.plate)
    block.draw(on: &canvas, x: box.xMin + pad, y: box.yMin + pad)
    layers += canvas.finished
    legendBox = box
  }

  private mutating func addGround(_ ground: PageGround) {
    if let units = layout.scaleBar { addScaleBar(units, ground) }
    guard layout.northArrow else { return }
    guard let north = ground.north else {
      warnings.append("the north arrow is left out: the centre of the map has no direction of north")
      return
    }
    let arrow = NorthArrow(north: north, unit: unit, tone: tone)
    guard
      let box = place(
        width: arrow.side, height: arrow.side, [.topRight, .topLeft, .bottomRight, .bottomLeft])
    else {
      warnings.append("the north arrow is left out: \(shownSize) has no room for it")
      return
    }
    if let variation = ground.northVariation, variation > 10 {
      warnings.append(
        "the north arrow is true at the centre of the map only: north differs by up to "
          + "\(Int(clamping: variation.rounded())) degrees across the map")
    }
    var canvas = canvas("north arrow")
    arrow.draw(on: &canvas, x: box.xMin, y: box.yMin, setter: &setter)
    layers += canvas.finished
  }

  private mutating func addScaleBar(_ units: PageLayout.ScaleBarUnits, _ ground: PageGround) {
    let systems: [ScaleBar.System] =
      switch units {
      case .metric: [.metric]
      case .imperial: [.imperial]
      case .both: [.metric, .imperial]
      }
    let limit = min(max(map.width * 0.22, 56 * unit), map.width * 0.45, 180 * unit)
    let bars = systems.compactMap { ScaleBar($0, within: limit, on: ground) }
    guard bars.count == systems.count else {
      warnings.append("the scale bar is left out: the centre of the map has no scale")
      return
    }
    let block = ScaleBarBlock(bars, unit: unit, tone: tone, setter: &setter)
    guard
      let box = place(
        width: block.width, height: block.height, [.bottomLeft, .bottomRight, .topLeft, .topRight])
    else {
      warnings.append("the scale bar is left out: \(shownSize) has no room for it")
      return
    }
    if let variation = ground.variation, variation > 0.1 {
      let percent = variation.isFinite ? Int(clamping: (variation * 100).rounded()) : .max
      let amount = percent > 1000 ? "more than 1,000" : "up to \(percent)"
      warnings.append(
        "the scale bar is true at the centre of the map only: the scale differs by \(amount) % across the map"
      )
    }
    var canvas = canvas("scale bar")
    block.draw(on: &canvas, x: box.xMin, y: box.yMin)
    layers += canvas.finished
  }

  /// Finds room for a part in a free corner of the map, or else above or below the parts that are in a corner already.
  ///
  /// - Parameter keepsFirst: Whether the first corner is taken even if other parts are in it.
  private mutating func place(
    width: Double, height: Double, _ corners: [Corner], keepsFirst: Bool = false
  ) -> Envelope? {
    let inner = map.grown(by: -margin)
    guard width <= inner.width, height <= inner.height else { return nil }
    let tries =
      corners.prefix(keepsFirst ? 1 : 0).map { ($0, true) } + corners.map { ($0, false) }
      + corners.map { ($0, true) }
    for (corner, isStacked) in tries {
      let x = corner == .topLeft || corner == .bottomLeft ? inner.xMin : inner.xMax - width
      let isTop = corner == .topLeft || corner == .topRight
      var y = isTop ? inner.yMin : inner.yMax - height
      // Each step passes one part, so there are at most as many steps as parts.
      for _ in 0...taken.count {
        let box = Envelope(left: x, top: y, width: width, height: height)
        guard let other = taken.first(where: { $0.grown(by: 0.6 * margin).sharesInside(with: box) }) else {
          guard box.yMin >= inner.yMin - 1e-6, box.yMax <= inner.yMax + 1e-6 else { break }
          taken.append(box)
          return box
        }
        guard isStacked else { break }
        y = isTop ? other.yMax + 0.6 * margin : other.yMin - 0.6 * margin - height
      }
    }
    return nil
  }
}

extension Envelope {
  fileprivate func with(
    left: Double? = nil, top: Double? = nil, right: Double? = nil, bottom: Double? = nil
  ) -> Envelope {
    Envelope(xMin: left ?? xMin, yMin: top ?? yMin, xMax: right ?? xMax, yMax: bottom ?? yMax)
  }

  fileprivate func multiplied(by factor: Double) -> Envelope {
    Envelope(xMin: xMin * factor, yMin: yMin * factor, xMax: xMax * factor, yMax: yMax * factor)
  }

  /// Returns whether the insides of two rectangles meet.
  fileprivate func sharesInside(with other: Envelope) -> Bool {
    xMin < other.xMax - 1e-6 && xMax > other.xMin + 1e-6 && yMin < other.yMax - 1e-6
      && yMax > other.yMin + 1e-6
  }
}

/// An image of a legend alone.
package struct LegendPage: Sendable {
  /// The width in view pixels.
  package let width: Double
  /// The height in view pixels.
  package let height: Double
  /// The drawing, in output pixels.
  package let layers: [DisplayLayer]
  /// The entries that are left out.
  package let warnings: [String]
  /// The characters of the labels without a glyph in any font, ascending.
  package private(set) var missingGlyphs: [Unicode.Scalar] = []

  /// The largest size of an image of a legend, in view pixels.
  ///
  /// - Source: design decision.
  private static let largest = (width: 1_200.0, height: 1_600.0)

  /// Lays out a legend in columns; the image has the size of the legend.
  package init(_ legend: Legend, pixelRatio: Double, tone: PageTone, measurer: TextMeasurer?) {
    guard let measurer else {
      (width, height, layers) = (1, 1, [])
      warnings = ["the legend is not drawn: this build has no fonts (package trait Labels)"]
      return
    }
    var setter = TextSetter(measurer)
    let pad = 12.0
    let block = LegendBlock(
      legend, flow: .columns, width: Self.largest.width - 2 * pad, height: Self.largest.height - 2 * pad,
      unit: 1,
      tone: tone, setter: &setter)
    (width, height) = ((block.width + 2 * pad).rounded(.up), (block.height + 2 * pad).rounded(.up))
    var canvas = PartCanvas(
      "legend", size: (width, height), pixelRatio: pixelRatio, measurer: measurer)
    block.draw(on: &canvas, x: pad, y: pad)
    layers = canvas.finished
    missingGlyphs = setter.missing.sorted { $0.value < $1.value }
    warnings =
      block.warnings
      + (block.leftOut > 0
        ? ["the legend shows \(legend.entryCount - block.leftOut) of \(legend.entryCount) entries"] : [])
  }
}
