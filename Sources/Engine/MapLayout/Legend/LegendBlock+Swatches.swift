import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The symbols of entries.
extension LegendBlock {
  /// The width of the column of symbols: that of the widest symbol, except for circles that are drawn together.
  func swatchWidth(_ legend: Legend, _ setter: inout TextSetter) -> Double {
    var widest = 12 * unit
    for layer in legend.layers {
      var rest = layer.entries[...]
      while !rest.isEmpty {
        let sizes = rest.prefix { $0.isSize }
        if sizeRow(sizes, opacity: 1, swatch: 0, limit: Self.sizeWidth * unit, &setter) != nil {
          rest = rest.dropFirst(sizes.count)
        } else {
          let own = sizes.isEmpty ? rest.prefix(1) : sizes
          widest = own.reduce(widest) { max($0, swatchSize($1.graphic, setter.measurer).width) }
          rest = rest.dropFirst(own.count)
        }
      }
    }
    return widest
  }

  /// Returns the size of a graphic's box, and the factor by which its symbol is reduced.
  func swatchSize(
    _ graphic: LegendEntry.Graphic, _ measurer: TextMeasurer
  ) -> (width: Double, height: Double, factor: Double) {
    switch graphic {
    case .symbol(let symbol, let kind): symbolSize(symbol, kind, measurer)
    case .dots:
      (LegendEntry.DotSample.size.width * unit, LegendEntry.DotSample.size.height * unit, 1)
    case .ramp: (16 * unit, 0, 1)
    case .heading, .chart, .square: (0, 0, 1)
    }
  }

  /// Returns the drawing of a graphic in its box, and warns if it is smaller than on the map.
  mutating func swatch(
    _ graphic: LegendEntry.Graphic, reducedBy factor: Double, in box: Envelope, opacity: Double
  ) -> [Piece] {
    switch graphic {
    case .symbol(let symbol, let kind):
      var drawn = symbol.centred
      if factor < 1 {
        drawn = drawn.reduced(by: factor)
        // The limits are in view pixels, and smaller beside the small text of small images.
        func pixels(_ limit: Double) -> String { LegendNumber.text((limit * unit).rounded(.down)) }
        warnings.append(
          kind == .polyline
            ? "lines thicker than \(pixels(Self.thickestLine)) pixels, or with dashes longer than \(pixels(Self.longestDashes)), are drawn smaller in the legend"
            : "symbols larger than \(pixels(Self.largestSymbol)) pixels are drawn smaller in the legend")
      }
      return [Piece(content: .symbol(drawn, geometry(of: drawn, kind, in: box), opacity: opacity), box: box)]
    case .dots(let sample):
      var points = CoordinateBuffer(kind: .multipoint)
      for (x, y) in sample.points(width: box.width, height: box.height) {
        points.appendVertex(x: box.xMin + x, y: box.yMin + y)
      }
      points.endPart()
      points.endRow()
      return [
        Piece(
          content: .symbol(sample.area, geometry(of: sample.area, .polygon, in: box), opacity: opacity),
          box: box),
        Piece(content: .symbol(sample.dot, points, opacity: opacity), box: box),
      ]
    case .ramp, .heading, .chart, .square: return []
    }
  }

  /// Returns the size of a symbol's box, and the factor by which the symbol is reduced.
  private func symbolSize(
    _ symbol: SymbolForm, _ kind: GeometryKind, _ measurer: TextMeasurer
  ) -> (width: Double, height: Double, factor: Double) {
    let most = Self.largestSymbol * unit
    switch kind {
    case .point, .multipoint:
      let side = 2 * symbol.centred.reach(measurer: measurer)
      let shown = min(max(side, 1), most)
      return (shown, shown, side > most ? most / side : 1)
    case .polyline:
      let line =
        symbol.simpleParts.map { if case .line(let line) = $0 { line.width } else { 0.0 } }.max() ?? 0
      let shown = min(max(line, 2), Self.thickestLine * unit)
      var (wide, factor) = (28 * unit, line > shown ? shown / line : 1)
      if let dashes = symbol.dashes {
        // A period and the next dash, so that its gaps have an end; at least the period.
        let most = Self.longestDashes * unit
        factor *= min(1, most / (dashes.period * factor))
        let inset = max(symbol.arrowLength, symbol.capLength) * factor
        let period = dashes.period * factor
        wide = max(wide, min(period + dashes.first * factor, max(period, most)) + 2 * inset)
      }
      return (wide, max(shown, symbol.arrowLength), factor)
    case .polygon: return (22 * unit, 14 * unit, 1)
    }
  }

  private func geometry(
    of symbol: SymbolForm, _ kind: GeometryKind, in box: Envelope
  ) -> CoordinateBuffer {
    let center = box.center
    switch kind {
    case .point, .multipoint:
      var buffer = CoordinateBuffer(kind: .point)
      buffer.appendPoint(x: center.x, y: center.y)
      return buffer
    case .polyline:
      var buffer = CoordinateBuffer(kind: .polyline)
      // Arrows and caps end at the sides of the box.
      let inset = max(symbol.arrowLength, symbol.capLength)
      buffer.appendVertex(x: box.xMin + inset, y: center.y)
      buffer.appendVertex(x: box.xMax - inset, y: center.y)
      buffer.endPart()
      buffer.endRow()
      return buffer
    case .polygon:
      let edge = min((symbol.outlineWidth ?? 0) / 2, box.height / 4)
      var buffer = CoordinateBuffer(kind: .polygon)
      for (x, y) in [
        (box.xMin + edge, box.yMin + edge), (box.xMin + edge, box.yMax - edge),
        (box.xMax - edge, box.yMax - edge), (box.xMax - edge, box.yMin + edge),
        (box.xMin + edge, box.yMin + edge),
      ] { buffer.appendVertex(x: x, y: y) }
      buffer.endPart()
      buffer.endRow()
      return buffer
    }
  }
}

extension SymbolForm {
  /// The length of the caps of a line beyond its ends; 0 without round or square caps.
  fileprivate var capLength: Double {
    simpleParts.compactMap { part in
      if case .line(let line) = part, line.cap != .butt { line.width / 2 } else { nil }
    }.max() ?? 0
  }
}
