import MapFeatures
import MapGeometry
import MapModel

/// The ramps, sizes and rotations of visual variables.
extension RendererEntries {
  /// Adds ramps and sizes.
  mutating func addVariables() {
    let fallback = entries.filter { $0.classIndex == -1 && isOneVariedClass }
    if isOneVariedClass { entries.removeAll { $0.classIndex == -1 } }
    if hasRamp, let color = variables.color {
      addHeading(of: color.input, color.legendOptions)
      warnOfOrder(color.legendOptions)
      entries.append(LegendEntry(.ramp(ramp(color)), label: ""))
    }
    if let transparency = variables.transparency, transparency.stops.count > 1, transparency.input != .scale,
      transparency.legendOptions.showsLegend
    {
      addHeading(of: transparency.input, transparency.legendOptions)
      warnOfOrder(transparency.legendOptions)
      entries.append(LegendEntry(.ramp(ramp(transparency)), label: ""))
    }
    if let size = variables.size, size.input != .scale, kind != .polygon, size.legendOptions.showsLegend {
      addSizes(size)
    }
    if let width = variables.outlineWidth, width.input != .scale, kind != .polyline,
      width.legendOptions.showsLegend
    {
      addOutlineWidths(width)
    }
    if let rotation = variables.rotation, rotation.input != .scale, kind.isPoints,
      rotation.legendOptions.showsLegend
    {
      addRotations(rotation)
    }
    entries += fallback
  }

  private mutating func addHeading(of input: VariableInput, _ options: LegendOptions) {
    let name = name(of: input, options)
    if entries.isEmpty, subtitle.isEmpty {
      subtitle = name
    } else if subtitle != name {
      entries.append(LegendEntry(.heading, label: name))
    }
  }

  private mutating func warnOfOrder(_ options: LegendOptions) {
    guard options.order == .ascending else { return }
    warnings.append(
      "legendOptions.order is not applied: the lowest value of a ramp is at the bottom or at the left")
  }

  private func ramp(_ variable: ColorVariable) -> [LegendEntry.RampStop] {
    places(of: variable.stops).map { place, value, label in
      LegendEntry.RampStop(place: place, color: variable.color(of: value) ?? .clear, label: label)
    }
  }

  private func ramp(_ variable: TransparencyVariable) -> [LegendEntry.RampStop] {
    let base = renderer.classSymbols.first?.mainColor ?? .gray
    return places(of: variable.stops).map { place, value, label in
      let alpha = (variable.opacity(of: value) ?? 1) * Double(base.alpha) / 255
      return LegendEntry.RampStop(place: place, color: base.withAlphaComponent(alpha), label: label)
    }
  }

  /// Returns a ramp's stops with labels at the ends and at some stops between, those with a text first.
  private func places<Output>(
    of stops: [VariableStop<Output>]
  ) -> [(place: Double, value: Double, label: String)] {
    let values = stops.map(\.value)
    func text(_ stop: VariableStop<Output>) -> String {
      stop.label.isEmpty ? LegendNumber.text(stop.value) : stop.label
    }
    guard let first = values.first, let last = values.last, last > first, (last - first).isFinite else {
      return stops.prefix(1).map { (0, $0.value, text($0)) }
    }
    let shares = values.map { ($0 - first) / (last - first) }
    var labelled: Set<Int> = [0, values.count - 1]
    let between = Array(values.indices.dropFirst().dropLast())
    for index in between.filter({ !stops[$0].label.isEmpty }) + between
    where labelled.allSatisfy({ abs(shares[$0] - shares[index]) >= 0.16 }) { labelled.insert(index) }
    // Numbers have the same decimals.
    let numbers = labelled.sorted().filter { stops[$0].label.isEmpty }
    let texts = Dictionary(
      uniqueKeysWithValues: zip(numbers, LegendNumber.values(numbers.map { values[$0] })))
    return values.indices.map { index in
      let label = labelled.contains(index) ? texts[index] ?? stops[index].label : ""
      return (shares[index], values[index], label)
    }
  }

  private mutating func addSizes(_ variable: SizeVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) && $0.hasSize }) else { return }
    let values = exampleValues(variable, symbol)
    let areStated = variable.hasStatedLabels
    guard !values.isEmpty else {
      warnings.append(
        "sizes by \(variable.input.summary) are not in the legend: they are sizes on the ground")
      add(symbol, label: renderer.classLabels.first ?? "", classIndex: 0)
      return
    }
    addHeading(of: variable.input, variable.legendOptions)
    let sizes = values.compactMap { value, label in
      variable.size(of: value, scale: scale, byArea: symbol.isComparedByArea).map { (label, $0) }
    }
    // The largest symbol is on top, also where small values have large symbols, unless the document has an order.
    let isAscending =
      variable.legendOptions.order.map { $0 == .ascending }
      ?? ((sizes.first?.1 ?? 0) < (sizes.last?.1 ?? 0))
    for (label, size) in isAscending ? sizes.reversed() : sizes {
      var variation = SymbolVariation()
      variation.size = size
      // Where a ramp or several classes show the colours, sizes are neutral.
      if hasRamp || entries.contains(where: { $0.classIndex != nil }) {
        variation.color = Color(red: 160, green: 160, blue: 160)
      }
      var entry = LegendEntry(
        .symbol(symbol.applying(variation).onScreen(rotation: rotation), kind), label: label)
      entry.isSize = !areStated
      entries.append(entry)
    }
  }

  private mutating func addOutlineWidths(_ variable: SizeVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) }) else { return }
    let values = exampleValues(variable, symbol)
    guard !values.isEmpty else {
      warnings.append("outline widths by \(variable.input.summary) are not in the legend")
      return
    }
    addHeading(of: variable.input, variable.legendOptions)
    for (value, label) in values {
      guard let width = variable.size(of: value, scale: scale, byArea: false) else { continue }
      var variation = SymbolVariation()
      variation.outlineWidth = width
      entries.append(
        LegendEntry(
          .symbol(symbol.applying(variation).onScreen(rotation: rotation), kind), label: label))
    }
  }

  /// Adds the symbol in four directions, as on the map.
  private mutating func addRotations(_ variable: RotationVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) }) else { return }
    addHeading(of: variable.input, variable.legendOptions)
    for value in [0.0, 90, 180, 270] {
      var variation = SymbolVariation()
      variation.angle = variable.heading(of: value) - rotation
      entries.append(
        LegendEntry(.symbol(symbol.applying(variation), kind), label: "\(LegendNumber.text(value))°"))
    }
  }

  /// Returns the values that show the sizes of a variable, the largest first, and their texts.
  ///
  /// These are the stops with a text, or else up to four values.
  private func exampleValues(
    _ variable: SizeVariable, _ symbol: SymbolForm
  ) -> [(value: Double, label: String)] {
    if case .stops(let stops) = variable.rule {
      let labelled = stops.filter { !$0.label.isEmpty }
      if !labelled.isEmpty {
        return labelled.prefix(LegendLayer.entryLimit).reversed().map { ($0.value, $0.label) }
      }
    }
    let numbers = exampleNumbers(variable, symbol)
    return zip(numbers, LegendNumber.texts(numbers)).map { ($0, $1) }
  }

  /// Returns up to four values that show the sizes of a variable, the largest first.
  private func exampleNumbers(_ variable: SizeVariable, _ symbol: SymbolForm) -> [Double] {
    let ends: (Double, Double)
    if case .stops(let stops) = variable.rule, (1...4).contains(stops.count) {
      return stops.map(\.value).reversed()
    }
    if let range = ranges[variable.input], case let numbers = roundNumbers(in: range, variable, symbol),
      !numbers.isEmpty
    {
      return numbers
    }
    switch variable.rule {
    case .stops(let stops):
      guard let first = stops.first, let last = stops.last else { return [] }
      ends = (first.value, last.value)
    case .bounded(let minimum, let maximum, _, _): ends = (min(minimum, maximum), max(minimum, maximum))
    case .proportional(let minimum, let smallest, let largest):
      let factor =
        (largest?.pixels(atScale: scale) ?? 4 * smallest.pixels(atScale: scale))
        / smallest.pixels(atScale: scale)
      guard factor.isFinite, factor > 1 else { return [minimum] }
      ends = (minimum, minimum * (symbol.isComparedByArea ? factor * factor : factor))
    case .ground: return []
    }
    guard ends.0 < ends.1, (ends.1 - ends.0).isFinite else { return [ends.0] }
    // Across a wide range, round numbers are easier to read than the least and the largest value.
    if ends.0 >= 0, ends.1 >= 20 * ends.0 {
      var values: [Double] = []
      for share in [1, 0.5, 0.25, 0.05] {
        guard let round = LegendNumber.round(below: ends.1 * share), round > ends.0,
          values.last.map({ round < $0 }) ?? true
        else { continue }
        values.append(round)
      }
      if values.count > 1 { return values }
    }
    var values = [ends.1]
    for share in [2.0 / 3, 1.0 / 3] {
      let value = ends.0 + (ends.1 - ends.0) * share
      if let round = LegendNumber.round(below: abs(value)).map({ value < 0 ? -$0 : $0 }), round > ends.0,
        round < values[values.count - 1]
      {
        values.append(round)
      }
    }
    return values + [ends.0]
  }
}

extension RendererEntries {
  /// The smallest difference of two sizes in a legend, as a share of the difference of all.
  ///
  /// - Source: design decision; three or four sizes show how a size grows.
  private static let leastStep = 0.2

  /// Returns up to four round numbers in a range of values above 0, the largest first: the largest and the smallest whose
  /// sizes differ clearly from those of 0, and those between that divide the sizes most evenly.
  private func roundNumbers(
    in range: ClosedRange<Double>, _ variable: SizeVariable, _ symbol: SymbolForm
  ) -> [Double] {
    func size(_ value: Double) -> Double {
      variable.size(of: value, scale: scale, byArea: symbol.isComparedByArea) ?? 0
    }
    guard range.lowerBound >= 0, range.upperBound.isFinite,
      let largest = LegendNumber.roundest(below: range.upperBound)
    else { return [] }
    // Between values that are close, no number is round.
    guard largest >= range.lowerBound else { return [range.upperBound] }
    let floor = size(0).isZero ? size(range.lowerBound) : size(0)
    let step = abs(size(range.upperBound) - size(range.lowerBound)) * Self.leastStep
    var numbers: [Double] = []
    var next = LegendNumber.round(below: largest)
    while let number = next, number >= range.lowerBound, number > 0, numbers.count < Self.mostRoundNumbers {
      // The smallest size may stand for smaller values, too.
      if number < largest, abs(size(number) - size(largest)) >= max(step, 0.5),
        abs(size(number) - floor) >= step / 2, abs(size(number) - floor) > 1e-9
      {
        numbers.append(number)
      }
      next = LegendNumber.round(below: number * 0.99)
    }
    guard let smallest = numbers.last else { return [largest] }
    var found = [largest]
    for share in [1.0 / 3, 2.0 / 3] {
      let wanted = size(largest) + (size(smallest) - size(largest)) * share
      let between = numbers.dropLast().filter { number in
        number < found[found.count - 1]
          && [found[found.count - 1], smallest].allSatisfy {
            abs(size($0) - size(number)) >= max(step / 2, 0.5)
          }
      }
      if let best = between.min(by: { abs(size($0) - wanted) < abs(size($1) - wanted) }) {
        found.append(best)
      }
    }
    return found + [smallest]
  }

  /// The number of round numbers that are looked at; the sizes of more differ by less than anyone sees.
  private static let mostRoundNumbers = 60
}

extension SizeVariable {
  /// Whether a document has texts for some sizes, which stay a list.
  fileprivate var hasStatedLabels: Bool {
    if case .stops(let stops) = rule { stops.contains { !$0.label.isEmpty } } else { false }
  }
}
