import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The parts in the corners of the map.
extension PageBuilder {
  mutating func addAttributionOnMap(_ text: String) {
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

  mutating func addLegendOnMap(_ legend: Legend) {
    let pad = (9 * unit).rounded()
    let block = LegendBlock(
      legend, flow: .columns, columns: layout.legendColumns, width: map.width * 0.5 - 2 * pad,
      height: map.height - 2 * (margin + pad),
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
    // Features that the plate cuts do not seem to end there.
    canvas.outline(box, tone.hairline)
    block.draw(on: &canvas, x: box.xMin + pad, y: box.yMin + pad)
    layers += canvas.finished
    legendBox = box
  }

  /// Finds the rectangle of the locator, which is drawn when the view of the map is known.
  mutating func addLocator() {
    let wide = min(132 * unit, map.width * 0.3).rounded()
    let tall = min(99 * unit, map.height * 0.3).rounded()
    guard wide >= 40, tall >= 30,
      let box = place(width: wide, height: tall, [.topRight, .topLeft, .bottomRight, .bottomLeft])
    else {
      warnings.append("the locator is left out: \(shownSize) has no room for it")
      return
    }
    locatorBox = Envelope(left: box.xMin.rounded(), top: box.yMin.rounded(), width: wide, height: tall)
  }

  mutating func addGround(_ ground: PageGround) {
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
    let pad = layout.scaleBarHasPlate ? (6 * unit).rounded() : 0
    guard
      let box = place(
        width: block.width + 2 * pad, height: block.height + 2 * pad,
        [.bottomLeft, .bottomRight, .topLeft, .topRight])
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
    if pad > 0 { canvas.fill(box, tone.plate) }
    block.draw(on: &canvas, x: box.xMin + pad, y: box.yMin + pad)
    layers += canvas.finished
    scaleBarBox = box
  }

  /// Finds room for a part in a free corner of the map, or else above or below the parts that are in a corner already.
  ///
  /// - Parameter keepsFirst: Whether the first corner is taken even if other parts are in it.
  mutating func place(
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
  /// Returns whether the insides of two rectangles meet.
  fileprivate func sharesInside(with other: Envelope) -> Bool {
    xMin < other.xMax - 1e-6 && xMax > other.xMin + 1e-6 && yMin < other.yMax - 1e-6
      && yMax > other.yMin + 1e-6
  }
}
