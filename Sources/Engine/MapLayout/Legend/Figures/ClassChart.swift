import MapDrawing
import MapGeometry
public import MapModel
import MapSystem

/// The distribution of the numbers of a layer: bars with the number of features in intervals of equal width, above a strip
/// with the colours of the classes.
public struct ClassChart: Hashable, Sendable {
  /// A class on the strip.
  public struct Segment: Hashable, Sendable {
    /// The lower bound, within the axis.
    public let minimum: Double
    /// The upper bound, within the axis.
    public let maximum: Double
    /// The colour.
    public let color: Color
  }

  /// The numbers at the ends of the axis.
  public let axis: ClosedRange<Double>
  /// The least and the greatest number.
  public let range: ClosedRange<Double>
  /// The number of features in each interval of the axis, ascending.
  public let counts: [Int]
  /// The classes that have a part of the axis, in the order of the renderer.
  public let segments: [Segment]

  /// The largest number of intervals.
  ///
  /// - Source: design decision; bars of 6 pixels show the form of a distribution.
  private static let mostIntervals = 24

  /// Counts numbers in intervals; nil for no numbers, and for equal ones with decimals.
  ///
  /// Whole numbers are in the middle of intervals that have equally many of them.
  package init?(of numbers: [Double], _ renderer: ClassBreaksRenderer) {
    let numbers = numbers.filter(\.isFinite)
    guard let least = numbers.min(), let greatest = numbers.max(), (greatest - least).isFinite else {
      return nil
    }
    range = least...greatest
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() } && greatest - least < 0x1p50
    var (start, width, count) = (
      least, (greatest - least) / Double(Self.mostIntervals), Self.mostIntervals
    )
    if areWhole {
      width = ((greatest - least + 1) / Double(Self.mostIntervals)).rounded(.up)
      count = min(Int(clamping: ((greatest - least + 1) / width).rounded(.up)), Self.mostIntervals)
      start = least - 0.5
    }
    guard width > 0 else { return nil }
    var counts = [Int](repeating: 0, count: count)
    for number in numbers {
      counts[min(max(Int(clamping: ((number - start) / width).rounded(.down)), 0), count - 1)] += 1
    }
    self.counts = counts
    let axis = start...max(areWhole ? start + width * Double(count) : greatest, start.nextUp)
    self.axis = axis
    // Between whole numbers, a class ends in the middle.
    func end(_ bound: Double) -> Double { areWhole ? bound.rounded(.down) + 0.5 : bound }
    segments = renderer.classBreaks.compactMap { item in
      let low = item.minimum > least ? end(item.minimum) : axis.lowerBound
      let high = item.maximum < greatest ? end(item.maximum) : axis.upperBound
      guard low < high, let color = item.symbol.mainColor else { return nil }
      return Segment(minimum: low, maximum: high, color: color)
    }
  }

  /// Returns the position of a number on the axis, 0 to 1.
  func place(of number: Double) -> Double {
    (number - axis.lowerBound) / (axis.upperBound - axis.lowerBound)
  }
}

extension LegendBlock {
  /// The size of a chart, in view pixels at the normal size of text.
  ///
  /// - Source: design decision.
  private static let chart = (width: 150.0, bars: 40.0, strip: 8.0)

  /// Returns a chart with the least and the greatest number below it.
  mutating func chartRow(
    _ chart: ClassChart, _ opacity: Double, _ limit: Double, _ setter: inout TextSetter
  ) -> Row {
    let (wide, tall) = (min(Self.chart.width * unit, limit), (Self.chart.bars + Self.chart.strip + 1) * unit)
    let top = tall + 3 * unit
    var row = Row(width: wide, height: top + small.lineHeight, entries: 1)
    row.pieces = [
      Piece(
        content: .chart(chart, opacity: opacity), box: Envelope(left: 0, top: 0, width: wide, height: tall))
    ]
    let texts = LegendNumber.values([chart.range.lowerBound, chart.range.upperBound])
    for (index, text) in texts.enumerated()
    where index == 0 || chart.range.lowerBound < chart.range.upperBound {
      let block = wrapped(text, small, width: wide / 2, lines: 1, &setter)
      row.pieces.append(
        Piece(
          content: .text(block, small),
          box: Envelope(
            left: index == 0 ? 0 : wide - block.width, top: top, width: block.width, height: small.lineHeight)
        ))
    }
    return row
  }

  /// Draws the bars and the classes of a chart in its box.
  func draw(_ chart: ClassChart, _ opacity: Double, in box: Envelope, on canvas: inout PartCanvas) {
    func x(_ place: Double) -> Double { canvas.snapped(box.xMin + box.width * place) }
    let strip = Envelope(
      xMin: x(0), yMin: canvas.snapped(box.yMax - Self.chart.strip * unit), xMax: x(1),
      yMax: canvas.snapped(box.yMax))
    let base = strip.yMin - 1 / canvas.pixelRatio
    let (most, count) = (Double(chart.counts.max() ?? 1), Double(chart.counts.count))
    for (index, number) in chart.counts.enumerated() where number > 0 {
      let tall = max((base - box.yMin) * Double(number) / most, 1)
      // A free pixel separates two bars.
      let (left, right) = (x(Double(index) / count), x(Double(index + 1) / count) - 1 / canvas.pixelRatio)
      canvas.fill(Envelope(xMin: left, yMin: base - tall, xMax: right, yMax: base), tone.muted)
    }
    for segment in chart.segments {
      canvas.fill(
        Envelope(
          xMin: x(chart.place(of: segment.minimum)), yMin: strip.yMin,
          xMax: x(chart.place(of: segment.maximum)),
          yMax: strip.yMax),
        segment.color.withAlphaComponent(Double(segment.color.alpha) / 255 * opacity))
    }
    canvas.outline(strip, tone.hairline)
  }
}
