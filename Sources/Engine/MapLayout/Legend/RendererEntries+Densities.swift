import MapGeometry
import MapModel

/// The entries of heat maps, dot densities and pie charts.
extension RendererEntries {
  /// Adds the ramp of a heat map.
  mutating func addDensities(_ renderer: HeatmapRenderer) {
    let options = renderer.legendOptions
    guard options.showsLegend else { return }
    subtitle = options.shownTitle.isEmpty ? renderer.fieldName.map(readable) ?? "" : options.shownTitle
    let ends = (
      low: options.minLabel.isEmpty ? "Low" : options.minLabel,
      high: options.maxLabel.isEmpty ? "High" : options.maxLabel
    )
    let stops = renderer.colorStops.map(\.ratio)
    guard let low = stops.first, let high = stops.last, low < high, (high - low).isFinite else {
      warnings.append("the heat map is not in the legend: its color stops have one ratio")
      return
    }
    entries.append(
      LegendEntry(
        .ramp(
          renderer.colorStops.enumerated().map { index, stop in
            LegendEntry.RampStop(
              place: (stop.ratio - low) / (high - low), color: stop.color,
              label: index == 0 ? ends.low : index == stops.count - 1 ? ends.high : "")
          }), label: ""))
  }

  /// Adds a square for each attribute of pie charts.
  mutating func addSlices(_ renderer: PieChartRenderer) {
    subtitle = renderer.legendOptions.shownTitle
    func add(_ color: Color, _ label: String) {
      let square = SimpleMarkerSymbol(style: .square, color: color, size: 12)
      entries.append(LegendEntry(.symbol(.marker(square), .point), label: label))
    }
    if shown?.contains(0) ?? true {
      for attribute in renderer.attributes {
        add(
          attribute.color, attribute.label.isEmpty ? readable(attribute.fieldName) : attribute.label)
      }
      if renderer.othersThreshold > 0 {
        add(renderer.othersColor, renderer.othersLabel.isEmpty ? "Other" : renderer.othersLabel)
      }
    }
    if let color = renderer.defaultColor, hasOthers, shown?.contains(-1) ?? true {
      add(color, renderer.defaultLabel.isEmpty ? "No data" : renderer.defaultLabel)
    }
  }

  /// Adds dots for each attribute, and the value of a dot.
  mutating func addDots(_ renderer: DotDensityRenderer) {
    let options = renderer.legendOptions
    subtitle = options.shownTitle
    for (index, attribute) in renderer.attributes.enumerated() {
      let label = attribute.label.isEmpty ? readable(attribute.fieldName) : attribute.label
      var dot = renderer.dot(of: attribute)
      if densities.indices.contains(index) {
        let sample = LegendEntry.DotSample(
          dot: .marker(dot), area: renderer.symbol, density: densities[index])
        entries.append(LegendEntry(.dots(sample), label: label))
        continue
      }
      // A dot of the map is too small to recognise its colour.
      dot.size = max(dot.size, 8)
      entries.append(LegendEntry(.symbol(.marker(dot), .point), label: label))
    }
    let dot = options.dotLabel.isEmpty ? "dot" : options.dotLabel
    let unit = options.unit.isEmpty ? "" : " \(options.unit)"
    entries.append(
      LegendEntry(.heading, label: "1 \(dot) = \(LegendNumber.text(renderer.dotValue))\(unit)"))
  }
}
