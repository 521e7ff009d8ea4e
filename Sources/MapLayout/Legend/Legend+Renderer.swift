public import MapFeatures
public import MapGeometry
public import MapModel

extension LegendLayer {
  /// The largest number of entries that a legend lists for one layer.
  ///
  /// - Source: design decision: more do not fit any image.
  public static let entryLimit = 400

  /// Creates the entries of a renderer.
  ///
  /// - Parameters:
  ///   - renderer: the renderer at the scale of the map.
  ///   - fields: the fields of the table, whose aliases name the values.
  ///   - scale: the scale denominator.
  ///   - rotation: the counterclockwise rotation of the map in degrees, which rotates symbols with a direction, too.
  ///   - counts: the number of drawn features by class; nil if unknown.
  ///   - showsAll: Whether classes without a drawn feature are listed, too.
  ///   - hasCounts: Whether entries have their counts.
  ///   - hasBars: Whether class breaks are a bar with numbers at the breaks, if they have no counts and differ in
  ///     colour only.
  /// - Returns: the entries, and warnings about what they do not show.
  public static func of(
    _ renderer: RendererForm, title: String, kind: GeometryKind, opacity: Double = 1, fields: [Field],
    scale: Double, rotation: Double = 0, counts: [Int: Int]? = nil, showsAll: Bool = true,
    hasCounts: Bool = false, hasBars: Bool = false
  ) -> (layer: LegendLayer, warnings: [String]) {
    var builder = RendererEntries(
      renderer: renderer, kind: kind, fields: fields, scale: scale, rotation: rotation,
      shown: showsAll ? nil : Set((counts ?? [:]).filter { $0.value > 0 }.keys),
      counts: hasCounts ? counts : nil, hasBars: hasBars)
    switch renderer {
    case .heatmap(let renderer): builder.addDensities(renderer)
    case .dotDensity(let renderer): builder.addDots(renderer)
    case .simple, .uniqueValue, .classBreaks:
      builder.addClasses(title: title)
      builder.addVariables()
    }
    var layer = LegendLayer(
      title: title, subtitle: builder.subtitle, entries: builder.entries, opacity: opacity)
    if case .classBreaks = renderer, kind == .polygon { layer.isSequence = true }
    // The label of the only symbol says what the title would say.
    if case .simple = renderer, layer.entries.count == 1, !layer.entries[0].label.isEmpty {
      layer.showsTitle = false
    }
    return (layer, builder.warnings)
  }
}

/// The entries of one renderer.
private struct RendererEntries {
  let renderer: RendererForm
  let kind: GeometryKind
  let fields: [Field]
  let scale: Double
  let rotation: Double
  /// The classes that are listed; nil for all.
  let shown: Set<Int>?
  let counts: [Int: Int]?
  let hasBars: Bool
  var entries: [LegendEntry] = []
  var subtitle = ""
  var warnings: [String] = []

  init(
    renderer: RendererForm, kind: GeometryKind, fields: [Field], scale: Double, rotation: Double,
    shown: Set<Int>?, counts: [Int: Int]?, hasBars: Bool
  ) {
    (self.renderer, self.kind, self.fields, self.scale) = (renderer, kind, fields, scale)
    self.rotation = rotation
    (self.shown, self.counts, self.hasBars) = (shown, counts, hasBars)
  }

  private var variables: VisualVariables { renderer.visualVariables }

  /// Whether the only class says nothing that the variables do not say.
  private var isOneVariedClass: Bool {
    guard renderer.classSymbols.count == 1, counts == nil else { return false }
    if case .uniqueValue = renderer, renderer.defaultSymbol != nil { return false }
    return hasRamp || (variables.size != nil && kind != .polygon)
  }
  private var hasRamp: Bool {
    guard let color = variables.color else { return false }
    return color.stops.count > 1 && color.input != .scale
  }

  /// Adds an entry for each class and for the default symbol.
  mutating func addClasses(title: String) {
    let symbols = renderer.classSymbols
    if let bar = classBar {
      entries.append(bar)
    } else if !isOneVariedClass {
      let labels = classLabels()
      var left = 0
      for (index, symbol) in symbols.enumerated() {
        guard shown?.contains(index) ?? true, symbol != CompositeSymbol().form else { continue }
        guard entries.count < LegendLayer.entryLimit else {
          left += 1
          continue
        }
        add(symbol, label: labels[index], classIndex: index)
      }
      if left > 0 {
        warnings.append(
          "the legend lists \(entries.count) of \(entries.count + left) classes; the others are left out")
        entries.append(LegendEntry(.heading, label: "and \(LegendNumber.text(Double(left))) more"))
      }
    }
    if !renderer.fieldNames.isEmpty, !isOneVariedClass {
      // A name without an alias is for machines, and the labels of the classes say enough.
      let hasAliases = renderer.fieldNames.allSatisfy { alias($0) != $0 }
      let names = hasAliases ? renderer.fieldNames.map(alias) : []
      subtitle = names.joined(separator: isNormalized ? " / " : ", ")
      if subtitle == title { subtitle = "" }
    }
    if let symbol = renderer.defaultSymbol, shown?.contains(-1) ?? true {
      let label: String =
        switch renderer {
        case .uniqueValue(let renderer): renderer.defaultLabel
        case .classBreaks(let renderer): renderer.defaultLabel
        case .simple, .heatmap, .dotDensity: ""
        }
      add(symbol, label: label.isEmpty ? fallbackLabel : label, classIndex: -1)
    }
  }

  /// The label of the default symbol without a label of its own.
  private var fallbackLabel: String {
    if case .classBreaks = renderer { "No data" } else { "Other" }
  }

  private var isNormalized: Bool {
    if case .classBreaks(let renderer) = renderer, case .field = renderer.normalization {
      true
    } else {
      false
    }
  }

  /// A bar with a step of each class and a number at each break.
  ///
  /// Nil if it is not requested, or unless all classes are listed without counts, adjacent, and differ in colour only.
  private var classBar: LegendEntry? {
    guard hasBars, counts == nil, case .classBreaks(let renderer) = renderer else { return nil }
    let classes = renderer.classBreaks
    var gray = SymbolVariation()
    gray.color = .gray
    guard classes.count > 1, classes.indices.allSatisfy({ shown?.contains($0) ?? true }),
      zip(classes, classes.dropFirst()).allSatisfy({ $0.maximum == $1.minimum && $0.minimum < $0.maximum }),
      Set(classes.map { $0.symbol.applying(gray) }).count == 1, case .fill(let fill) = classes[0].symbol,
      fill.style == .solid
    else { return nil }
    let colors = classes.compactMap(\.symbol.mainColor)
    guard colors.count == classes.count else { return nil }
    let unit = classes.allSatisfy { $0.label.contains("%") } ? " %" : ""
    // The ends have a number where the label of their class has it.
    func end(_ bound: Double, _ label: String) -> String {
      let text = LegendNumber.text(bound)
      let words = label.split { !$0.isNumber && $0 != "." && $0 != "," }
      return label.isEmpty && bound.isFinite && abs(bound) < 1e15 || words.contains(Substring(text))
        ? text : ""
    }
    let share = 1 / Double(classes.count)
    let stops = zip(classes, colors).enumerated().flatMap { index, step -> [LegendEntry.RampStop] in
      let (item, color) = step
      let isLast = index == classes.count - 1
      let start = index == 0 ? end(item.minimum, item.label) : ""
      let stop = isLast ? end(item.maximum, item.label) : LegendNumber.text(item.maximum)
      return [
        LegendEntry.RampStop(
          place: Double(index) * share, color: color, label: start.isEmpty ? "" : start + unit),
        LegendEntry.RampStop(
          place: isLast ? 1 : Double(index + 1) * share, color: color, label: stop.isEmpty ? "" : stop + unit),
      ]
    }
    return LegendEntry(.ramp(stops), label: "")
  }

  private mutating func add(_ symbol: SymbolForm, label: String, classIndex: Int) {
    let suited = symbol.shown(on: kind).onScreen(rotation: rotation)
    entries.append(
      LegendEntry(
        .symbol(suited, kind), label: label, classIndex: classIndex,
        count: counts.map { $0[classIndex] ?? 0 }))
  }

  /// The labels of all classes; a class without a label has its values or bounds.
  private func classLabels() -> [String] {
    switch renderer {
    case .simple(let renderer): return [renderer.label]
    case .heatmap, .dotDensity: return renderer.classLabels
    case .uniqueValue(let renderer):
      return renderer.uniqueValues.map { unique in
        guard unique.label.isEmpty else { return unique.label }
        let values = unique.values.prefix(5).map {
          renderer.delimiter.isEmpty ? $0 : $0.replacing(renderer.delimiter, with: ", ")
        }
        return values.joined(separator: "; ") + (unique.values.count > 5 ? " …" : "")
      }
    case .classBreaks(let renderer):
      return renderer.classBreaks.map { item in
        guard item.label.isEmpty else { return item.label }
        return range(item.minimum, item.maximum)
      }
    }
  }

  private func range(_ low: Double, _ high: Double) -> String {
    if !low.isFinite || low <= -Double.greatestFiniteMagnitude { return "up to \(LegendNumber.text(high))" }
    if !high.isFinite || high >= Double.greatestFiniteMagnitude { return "over \(LegendNumber.text(low))" }
    return "\(LegendNumber.text(low)) – \(LegendNumber.text(high))"
  }

  private func alias(_ name: String) -> String {
    fields.first { $0.name == name }?.alias ?? fields.first { $0.name.lowercased() == name.lowercased() }?
      .alias
      ?? name
  }

  private func name(of input: VariableInput) -> String {
    switch input {
    case .scale: "Scale"
    case .expression: "Value"
    case .field(let name, let other): other.map { "\(readable(name)) / \(readable($0))" } ?? readable(name)
    }
  }

  /// Returns the alias of a field, or its name with spaces.
  private func readable(_ name: String) -> String {
    let alias = alias(name)
    return alias == name ? name.replacing("_", with: " ") : alias
  }

  // MARK: Densities

  /// Adds the ramp of a heat map.
  mutating func addDensities(_ renderer: HeatmapRenderer) {
    subtitle = renderer.fieldName.map(readable) ?? ""
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
              label: index == 0 ? "Low" : index == stops.count - 1 ? "High" : "")
          }), label: ""))
  }

  /// Adds a dot for each attribute, and the value of a dot.
  mutating func addDots(_ renderer: DotDensityRenderer) {
    for attribute in renderer.attributes {
      let label = attribute.label.isEmpty ? readable(attribute.fieldName) : attribute.label
      var dot = renderer.dot(of: attribute)
      // A dot of the map is too small to recognise its colour.
      dot.size = max(dot.size, 8)
      entries.append(LegendEntry(.symbol(.marker(dot), .point), label: label))
    }
    entries.append(LegendEntry(.heading, label: "1 dot = \(LegendNumber.text(renderer.dotValue))"))
  }

  // MARK: Visual variables

  /// Adds ramps and sizes.
  mutating func addVariables() {
    let fallback = entries.filter { $0.classIndex == -1 && isOneVariedClass }
    if isOneVariedClass { entries.removeAll { $0.classIndex == -1 } }
    if hasRamp, let color = variables.color {
      addHeading(of: color.input)
      entries.append(LegendEntry(.ramp(ramp(color)), label: ""))
    }
    if let transparency = variables.transparency, transparency.stops.count > 1, transparency.input != .scale {
      addHeading(of: transparency.input)
      entries.append(LegendEntry(.ramp(ramp(transparency)), label: ""))
    }
    if let size = variables.size, size.input != .scale, kind != .polygon { addSizes(size) }
    if let width = variables.outlineWidth, width.input != .scale, kind != .polyline {
      addOutlineWidths(width)
    }
    if let rotation = variables.rotation, rotation.input != .scale, kind.isPoints { addRotations(rotation) }
    entries += fallback
  }

  private mutating func addHeading(of input: VariableInput) {
    let name = name(of: input)
    if entries.isEmpty, subtitle.isEmpty {
      subtitle = name
    } else if subtitle != name {
      entries.append(LegendEntry(.heading, label: name))
    }
  }

  private func ramp(_ variable: ColorVariable) -> [LegendEntry.RampStop] {
    let values = variable.stops.map(\.value)
    return places(of: values).map { place, value, label in
      LegendEntry.RampStop(place: place, color: variable.color(of: value) ?? .clear, label: label)
    }
  }

  private func ramp(_ variable: TransparencyVariable) -> [LegendEntry.RampStop] {
    let base = renderer.classSymbols.first?.mainColor ?? .gray
    return places(of: variable.stops.map(\.value)).map { place, value, label in
      let alpha = (variable.opacity(of: value) ?? 1) * Double(base.alpha) / 255
      return LegendEntry.RampStop(place: place, color: base.withAlphaComponent(alpha), label: label)
    }
  }

  /// Returns a ramp's stops with labels at the ends and at up to three stops between.
  private func places(of values: [Double]) -> [(place: Double, value: Double, label: String)] {
    guard let first = values.first, let last = values.last, last > first, (last - first).isFinite else {
      return values.prefix(1).map { (0, $0, LegendNumber.text($0)) }
    }
    let shares = values.map { ($0 - first) / (last - first) }
    var labelled: Set<Int> = [0, values.count - 1]
    for index in values.indices.dropFirst().dropLast()
    where labelled.allSatisfy({ abs(shares[$0] - shares[index]) >= 0.16 }) { labelled.insert(index) }
    return values.indices.map { index in
      (shares[index], values[index], labelled.contains(index) ? LegendNumber.text(values[index]) : "")
    }
  }

  private mutating func addSizes(_ variable: SizeVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) && $0.hasSize }) else { return }
    let values = exampleValues(variable, symbol)
    guard !values.isEmpty else {
      warnings.append(
        "sizes by \(variable.input.summary) are not in the legend: they are sizes on the ground")
      add(symbol, label: renderer.classLabels.first ?? "", classIndex: 0)
      return
    }
    addHeading(of: variable.input)
    let sizes = values.compactMap { value in
      variable.size(of: value, scale: scale, byArea: symbol.isComparedByArea).map { (value, $0) }
    }
    // The largest symbol is on top, also where small values have large symbols.
    let isAscending = (sizes.first?.1 ?? 0) < (sizes.last?.1 ?? 0)
    for (value, size) in isAscending ? sizes.reversed() : sizes {
      var variation = SymbolVariation()
      variation.size = size
      // Where a ramp or several classes show the colours, sizes are neutral.
      if hasRamp || renderer.classSymbols.count > 1 {
        variation.color = Color(red: 160, green: 160, blue: 160)
      }
      entries.append(
        LegendEntry(
          .symbol(symbol.applying(variation).onScreen(rotation: rotation), kind),
          label: LegendNumber.text(value)))
    }
  }

  private mutating func addOutlineWidths(_ variable: SizeVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) }) else { return }
    let values = exampleValues(variable, symbol)
    guard !values.isEmpty else {
      warnings.append("outline widths by \(variable.input.summary) are not in the legend")
      return
    }
    addHeading(of: variable.input)
    for value in values {
      guard let width = variable.size(of: value, scale: scale, byArea: false) else { continue }
      var variation = SymbolVariation()
      variation.outlineWidth = width
      entries.append(
        LegendEntry(
          .symbol(symbol.applying(variation).onScreen(rotation: rotation), kind),
          label: LegendNumber.text(value)))
    }
  }

  /// Adds the symbol in four directions, as on the map.
  private mutating func addRotations(_ variable: RotationVariable) {
    guard let symbol = renderer.classSymbols.first(where: { $0.suits(kind) }) else { return }
    addHeading(of: variable.input)
    for value in [0.0, 90, 180, 270] {
      var variation = SymbolVariation()
      variation.angle = variable.heading(of: value) - rotation
      entries.append(
        LegendEntry(.symbol(symbol.applying(variation), kind), label: "\(LegendNumber.text(value))°"))
    }
  }

  /// Returns up to four values that show the sizes of a variable, the largest first.
  private func exampleValues(_ variable: SizeVariable, _ symbol: SymbolForm) -> [Double] {
    let ends: (Double, Double)
    switch variable.rule {
    case .stops(let stops):
      guard let first = stops.first, let last = stops.last else { return [] }
      if stops.count <= 4 { return stops.map(\.value).reversed() }
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

extension SymbolForm {
  /// The colour of the first part; nil for images.
  fileprivate var mainColor: Color? {
    switch simpleParts.first {
    case .marker(let marker): marker.color
    case .line(let line): line.color
    case .fill(let fill): fill.color
    case .text(let text): text.color
    case .vector(let vector): vector.shapes.lazy.compactMap(\.color).first
    case .placed(let placed): placed.parts.lazy.compactMap(\.mainColor).first
    case .picture, .pattern, .composite, nil: nil
    }
  }
}

extension SymbolForm {
  /// The symbol with the angles that its parts have on the screen.
  fileprivate func onScreen(rotation: Double) -> SymbolForm {
    guard rotation != 0 else { return self }
    switch self {
    case .marker(var marker):
      marker.angle = marker.angleAlignment.onScreen(marker.angle, rotation: rotation)
      marker.angleAlignment = .screen
      return .marker(marker)
    case .picture(var picture):
      picture.angle = picture.angleAlignment.onScreen(picture.angle, rotation: rotation)
      picture.angleAlignment = .screen
      return .picture(picture)
    case .text(var text):
      text.angle = text.angleAlignment.onScreen(text.angle, rotation: rotation)
      text.angleAlignment = .screen
      return .text(text)
    case .vector(var vector):
      vector.angle = vector.angleAlignment.onScreen(vector.angle, rotation: rotation)
      vector.angleAlignment = .screen
      return .vector(vector)
    case .composite(var composite):
      composite.parts = composite.parts.map { $0.onScreen(rotation: rotation) }
      return .composite(composite)
    case .placed(var placed):
      placed.parts = placed.parts.map { $0.onScreen(rotation: rotation) }
      return .placed(placed)
    case .line, .fill, .pattern: return self
    }
  }
}

extension GeometryKind {
  fileprivate var isPoints: Bool { self == .point || self == .multipoint }
}
