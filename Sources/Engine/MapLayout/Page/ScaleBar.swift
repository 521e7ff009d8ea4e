import MapGeometry
import MapModel

/// A scale bar: a length on the ground that is a round number, true at the centre of the map.
package struct ScaleBar: Hashable, Sendable {
  /// A system of units.
  package enum System: Hashable, Sendable {
    /// Metres and kilometres.
    case metric
    /// Feet of 0.3048 m and miles of 1609.344 m.
    case imperial
  }

  /// The length on the ground in metres.
  package let meters: Double
  /// The length in the image in view pixels.
  package let pixels: Double
  /// The length as text, such as `50 km`.
  package let label: String

  /// Creates the longest bar of a round length within a number of view pixels; nil if there is none.
  ///
  /// - Error: below a thousandth of a pixel.
  package init?(_ system: System, within limit: Double, on ground: PageGround) {
    // Across most of the world, a line may have no geodesic.
    let limits = [limit, limit / 2, limit / 4, limit / 8]
    guard let limit = limits.first(where: { ground.meters($0).map { $0.isFinite && $0 > 0 } ?? false }),
      let most = ground.meters(limit)
    else { return nil }
    let (unit, name): (Double, String) =
      switch system {
      case .metric: most >= 1000 ? (1000, "km") : most >= 1 ? (1, "m") : (0.01, "cm")
      case .imperial: most >= 1609.344 ? (1609.344, "mi") : most >= 0.3048 ? (0.3048, "ft") : (0.0254, "in")
      }
    guard let number = LegendNumber.round(below: most / unit) else { return nil }
    let target = number * unit
    // The distance grows with the length of the bar, but not in proportion where the scale varies.
    var (low, high) = (0.0, limit)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      guard let distance = ground.meters(middle) else { return nil }
      if distance < target { low = middle } else { high = middle }
    }
    guard high > 1, let drawn = ground.meters(high), abs(drawn / target - 1) < 1e-3 else { return nil }
    (meters, pixels) = (target, high)
    label = "\(LegendNumber.text(number)) \(name)"
  }
}

/// The drawing of scale bars: lines with ticks at both ends, and the lengths above or below.
struct ScaleBarBlock {
  let bars: [ScaleBar]
  let width: Double
  let height: Double
  private let style: TextStyle
  private let unit: Double
  private let labelWidths: [Double]

  init(_ bars: [ScaleBar], unit: Double, tone: PageTone, setter: inout TextSetter) {
    (self.bars, self.unit) = (bars, unit)
    style = TextStyle(size: 10.5 * unit, color: tone.ink, halo: tone.plate)
    var width = 0.0
    var widths: [Double] = []
    for bar in bars { widths.append(setter.width(bar.label, style)) }
    labelWidths = widths
    for (bar, label) in zip(bars, labelWidths) { width = max(width, bar.pixels, label + 4 * unit) }
    self.width = width + 2
    height = Double(bars.count) * style.lineHeight + 6 * unit
  }

  func draw(on canvas: inout PartCanvas, x: Double, y: Double) {
    let x = canvas.snapped(x) + 1
    let line = canvas.snapped(y + style.lineHeight + 3 * unit) + 0.5 / canvas.pixelRatio
    let (tick, thin) = (5 * unit, max(1.2 * unit, 1))
    var chains: [[(Double, Double)]] = []
    for (number, bar) in bars.enumerated() {
      // The second bar hangs below the line of the first.
      let way = number == 0 ? -tick : tick
      chains.append([(x, line + way), (x, line), (x + bar.pixels, line), (x + bar.pixels, line + way)])
    }
    if let halo = style.halo { canvas.stroke(chains, halo, width: thin + 3 * unit) }
    canvas.stroke(chains, style.color, width: thin)
    for (number, bar) in bars.enumerated() {
      let baseline = number == 0 ? line - 4 * unit : line + 3 * unit + style.ascent * 0.9
      // A label that is wider than its bar starts at the bar's start.
      let left = max((bar.pixels - labelWidths[number]) / 2, 0)
      canvas.text(bar.label, style, x: x + left, baseline: baseline)
    }
  }
}

/// The drawing of a north arrow: a needle with the letter N at its tip.
struct NorthArrow {
  /// The direction of north, clockwise from the top of the image in degrees.
  let north: Double
  let unit: Double
  let tone: PageTone

  /// The side of the square in which the arrow turns.
  var side: Double { 44 * unit }

  func draw(on canvas: inout PartCanvas, x: Double, y: Double, setter: inout TextSetter) {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(north)
    let (cx, cy) = (x + side / 2, y + side / 2)
    func place(_ dx: Double, _ dy: Double) -> (Double, Double) {
      (cx + (dx * cosine - dy * sine) * unit, cy + (dx * sine + dy * cosine) * unit)
    }
    let needle = [place(0, -9), place(6, 16), place(0, 11.5), place(-6, 16)]
    canvas.fill(needle, tone.ink, halo: tone.plate, haloWidth: 1.8 * unit)
    let style = TextStyle(size: 11 * unit, weight: .bold, color: tone.ink, halo: tone.plate)
    let width = setter.width("N", style)
    let (nx, ny) = place(0, -15.5)
    // Capitals are 0.714 em high.
    canvas.text("N", style, x: nx - width / 2, baseline: ny + 0.357 * style.size)
  }
}
