package import MapDrawing
import MapGeometry
import MapModel

extension LegendLayer {
  /// The smallest distance of two labels on a ramp, as a share of its length.
  ///
  /// - Source: design decision; the labels of a ramp of standard height then have free space between them.
  private static let labelDistance = 0.16

  /// Creates the entries of counts in cells: the classes if there are any, and a ramp with numbers.
  ///
  /// - Parameters:
  ///   - viewOnly: Whether only classes with a point in the view are listed.
  ///   - hasCounts: Whether classes have the number of their points.
  package init(
    of cells: CellCounts, title: String, opacity: Double, viewOnly: Bool, hasCounts: Bool
  ) {
    let name = cells.plan.grid.shape == .pixel ? "Points per square" : "Points per hexagon"
    var entries: [LegendEntry] = []
    let sums = cells.countsByClass
    for item in cells.plan.classes.prefix(Self.entryLimit) {
      let sum = sums[item.index] ?? 0
      guard !viewOnly || sum > 0 else { continue }
      entries.append(
        LegendEntry(
          .symbol(.fill(SimpleFillSymbol(style: .solid, color: item.color, outline: nil)), .polygon),
          label: item.label, classIndex: item.index, count: hasCounts ? sum : nil))
    }
    if !entries.isEmpty { entries.append(LegendEntry(.heading, label: name)) }
    let colors = CellColors(cells.plan, greatest: cells.greatest)
    if colors.greatest > 1 {
      entries.append(LegendEntry(.ramp(Self.stops(colors)), label: ""))
    } else {
      entries.append(
        LegendEntry(
          .symbol(.fill(SimpleFillSymbol(style: .solid, color: colors.color(at: 1), outline: nil)), .polygon),
          label: "1"))
    }
    self.init(
      title: title, subtitle: cells.plan.classes.isEmpty ? name : "", entries: entries, opacity: opacity)
  }

  /// Returns the stops of a ramp, with numbers at the least and the greatest count and at 1, 2 and 5 times powers of ten.
  private static func stops(_ colors: CellColors) -> [LegendEntry.RampStop] {
    var labels: [(place: Double, count: Int)] = [(0, 1), (1, colors.greatest)]
    // Powers of ten come first.
    for factor in [1, 2, 5] {
      var count = factor
      while count < colors.greatest {
        let place = colors.place(of: count)
        if labels.allSatisfy({ abs($0.place - place) >= labelDistance }) { labels.append((place, count)) }
        let (next, isOver) = count.multipliedReportingOverflow(by: 10)
        if isOver { break }
        count = next
      }
    }
    let steps = 32
    let plain = (0...steps).map { Double($0) / Double(steps) }.filter { place in
      !labels.contains { $0.place == place }
    }
    return
      (labels.map { ($0.place, LegendNumber.text(Double($0.count))) } + plain.map { ($0, "") })
      .sorted { $0.0 < $1.0 }
      .map { LegendEntry.RampStop(place: $0.0, color: colors.color(at: $0.0), label: $0.1) }
  }
}
