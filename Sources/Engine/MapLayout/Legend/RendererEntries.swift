import MapFeatures
import MapGeometry
import MapModel

/// The entries of one renderer.
struct RendererEntries {
  let renderer: RendererForm
  let kind: GeometryKind
  let fields: [Field]
  let scale: Double
  let rotation: Double
  /// The classes that are listed; nil for all.
  let shown: Set<Int>?
  let counts: [Int: Int]?
  /// Whether a feature has the default symbol.
  let hasOthers: Bool
  let hasBars: Bool
  /// The range of the values in view by the input of a variable; none if they are unknown.
  let ranges: [VariableInput: ClosedRange<Double>]
  /// The number of dots of each attribute per square view pixel; empty if it is unknown.
  let densities: [Double]
  var entries: [LegendEntry] = []
  var subtitle = ""
  var warnings: [String] = []

  init(
    renderer: RendererForm, kind: GeometryKind, fields: [Field], scale: Double, rotation: Double,
    shown: Set<Int>?, counts: [Int: Int]?, hasOthers: Bool, hasBars: Bool,
    ranges: [VariableInput: ClosedRange<Double>], densities: [Double]
  ) {
    (self.renderer, self.kind, self.fields, self.scale) = (renderer, kind, fields, scale)
    (self.rotation, self.ranges, self.densities) = (rotation, ranges, densities)
    (self.shown, self.counts, self.hasOthers, self.hasBars) = (shown, counts, hasOthers, hasBars)
  }

  var variables: VisualVariables { renderer.visualVariables }

  /// Whether the only class says nothing that the variables do not say.
  var isOneVariedClass: Bool {
    guard renderer.classSymbols.count == 1, counts == nil else { return false }
    if case .uniqueValue = renderer, renderer.defaultSymbol != nil { return false }
    return hasRamp || (variables.size?.legendOptions.showsLegend ?? false && kind != .polygon)
  }
  var hasRamp: Bool {
    guard let color = variables.color else { return false }
    return color.stops.count > 1 && color.input != .scale && color.legendOptions.showsLegend
  }

  /// Adds an entry for each class and for the default symbol.
  mutating func addClasses(title: String) {
    let symbols = renderer.classSymbols
    if let bar = classBar {
      entries.append(bar)
    } else if counts == nil, case .uniqueValue(let crossed) = renderer,
      let square = ClassSquare(crossed, title: { readable($0) })
    {
      entries.append(LegendEntry(.square(square), label: ""))
    } else if !isOneVariedClass {
      let labels = classLabels()
      let headings = headings
      var (listed, left, heading) = (0, 0, "")
      for index in classOrder {
        let symbol = symbols[index]
        guard shown?.contains(index) ?? true, symbol != CompositeSymbol().form else { continue }
        guard listed < LegendLayer.entryLimit else {
          left += 1
          continue
        }
        if let headings, headings[index] != heading {
          heading = headings[index]
          if !heading.isEmpty { entries.append(LegendEntry(.heading, label: heading)) }
        }
        let before = entries.count
        add(symbol, label: labels[index], classIndex: index)
        listed += entries.count - before
      }
      if left > 0 {
        warnings.append(
          "the legend lists \(listed) of \(listed + left) classes; the others are left out")
        entries.append(LegendEntry(.heading, label: "and \(LegendNumber.text(Double(left))) more"))
      }
    }
    if !renderer.legendOptions.shownTitle.isEmpty, !isOneVariedClass {
      subtitle = renderer.legendOptions.shownTitle
      if subtitle == title { subtitle = "" }
    } else if !renderer.fieldNames.isEmpty, !isOneVariedClass, !renderer.hasRules {
      // A name without an alias is for machines, and the labels of the classes say enough.
      let hasAliases = renderer.fieldNames.allSatisfy { alias($0) != $0 }
      let names = hasAliases ? renderer.fieldNames.map(alias) : []
      subtitle = names.joined(separator: isNormalized ? " / " : ", ")
      if subtitle == title { subtitle = "" }
    }
    if hasOthers, let symbol = renderer.defaultSymbol, shown?.contains(-1) ?? true {
      let label: String =
        switch renderer {
        case .uniqueValue(let renderer): renderer.defaultLabel
        case .classBreaks(let renderer): renderer.defaultLabel
        case .pieChart(let renderer): renderer.defaultLabel
        case .simple, .heatmap, .dotDensity, .rules: ""
        }
      add(symbol, label: label.isEmpty ? fallbackLabel : label, classIndex: -1)
    }
  }

  /// The indexes of the listed classes in the order of the legend.
  private var classOrder: [Int] {
    switch renderer {
    case .uniqueValue(let renderer):
      let listed = renderer.uniqueValues.indices.filter { renderer.uniqueValues[$0].showsInLegend }
      let numbers = listed.map { Double(renderer.uniqueValues[$0].values.first ?? "") }
      guard let order = renderer.legendOptions.order, headings == nil, !numbers.contains(nil) else {
        return listed
      }
      return Self.ordered(zip(listed, numbers.compactMap { $0 }), order)
    case .classBreaks(let renderer):
      let listed = renderer.classBreaks.indices.filter { renderer.classBreaks[$0].showsInLegend }
      guard let order = renderer.legendOptions.order else { return listed }
      return Self.ordered(zip(listed, listed.map { renderer.classBreaks[$0].maximum }), order)
    case .rules(let renderer):
      let rules = renderer.rules
      return rules.indices.filter { rules[$0].showsInLegend }
    case .simple, .heatmap, .dotDensity, .pieChart: return Array(renderer.classSymbols.indices)
    }
  }

  private static func ordered(
    _ classes: some Sequence<(Int, Double)>, _ order: LegendOptions.Order
  ) -> [Int] {
    let ascending = classes.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    return order == .ascending ? ascending : ascending.reversed()
  }

  /// The headings of the groups of all classes; nil if there is none.
  private var headings: [String]? {
    guard case .uniqueValue(let renderer) = renderer else { return nil }
    let headings = renderer.uniqueValues.map(\.heading)
    return headings.allSatisfy(\.isEmpty) ? nil : headings
  }

  /// The label of the default symbol without a label of its own.
  var fallbackLabel: String {
    if case .classBreaks = renderer { "No data" } else { "Other" }
  }

  var isNormalized: Bool {
    if case .classBreaks(let renderer) = renderer, case .field = renderer.normalization {
      true
    } else {
      false
    }
  }

  /// A bar with a step of each class and a number at each break.
  ///
  /// Nil if it is not requested, or unless all classes are listed without counts, adjacent, and differ in colour only.
  var classBar: LegendEntry? {
    guard hasBars, counts == nil, case .classBreaks(let renderer) = renderer else { return nil }
    let classes = renderer.classBreaks
    var gray = SymbolVariation()
    gray.color = .gray
    guard classes.count > 1, classes.allSatisfy(\.showsInLegend),
      classes.indices.allSatisfy({ shown?.contains($0) ?? true }),
      zip(classes, classes.dropFirst()).allSatisfy({ $0.maximum == $1.minimum && $0.minimum < $0.maximum }),
      Set(classes.map { $0.symbol.applying(gray) }).count == 1, case .fill(let fill) = classes[0].symbol,
      fill.style == .solid
    else { return nil }
    let colors = classes.compactMap(\.symbol.mainColor)
    guard colors.count == classes.count else { return nil }
    let unit = classes.allSatisfy { $0.label.contains("%") } ? " %" : ""
    let bounds = [classes[0].minimum] + classes.map(\.maximum)
    let known = bounds.filter(Self.isBound)
    let texts = Dictionary(zip(known, LegendNumber.bounds(known))) { first, _ in first }
    // The ends have a number where the label of their class has it.
    func end(_ bound: Double, _ label: String) -> String {
      let text = texts[bound] ?? ""
      let words = label.split { !$0.isNumber && $0 != "." && $0 != "," }.map { $0.replacing(",", with: "") }
      return label.isEmpty && bound.isFinite && abs(bound) < 1e15 || words.contains { Double($0) == bound }
        ? text : ""
    }
    let large = Self.boundsOfLargeNumbers(classes.map(\.label))
    let share = 1 / Double(classes.count)
    let stops = zip(classes, colors).enumerated().flatMap { index, step -> [LegendEntry.RampStop] in
      let (item, color) = step
      let isLast = index == classes.count - 1
      let start = index > 0 ? "" : large?.start ?? end(item.minimum, item.label)
      let stop = large?.ends[index] ?? (isLast ? end(item.maximum, item.label) : texts[item.maximum] ?? "")
      return [
        LegendEntry.RampStop(
          place: Double(index) * share, color: color, label: start.isEmpty ? "" : start + unit),
        LegendEntry.RampStop(
          place: isLast ? 1 : Double(index + 1) * share, color: color, label: stop.isEmpty ? "" : stop + unit),
      ]
    }
    return LegendEntry(.ramp(stops), label: "")
  }

  /// Returns the bounds in labels such as `over 2.5 to 6.9 million`; nil unless all have one such unit.
  private static func boundsOfLargeNumbers(_ labels: [String]) -> (start: String, ends: [String])? {
    let words = labels.map { $0.split(separator: " ") }
    guard let unit = words.first?.last, unit == "million" || unit == "billion",
      words.allSatisfy({ $0.last == unit && $0.count > 1 }), let first = words.first?.first
    else { return nil }
    let start = first.first?.isNumber == true && words[0].count > 2 ? "\(first) \(unit)" : ""
    return (start, words.map { $0.suffix(2).joined(separator: " ") })
  }

  mutating func add(_ symbol: SymbolForm, label: String, classIndex: Int) {
    let own = renderer.hasRules ? symbol.ofRule(on: kind) : nil
    let suited = (own ?? symbol.shown(on: kind)).onScreen(rotation: rotation)
    let count = counts.map { $0[classIndex] ?? 0 }
    let graphic = LegendEntry.Graphic.symbol(suited, kind)
    // Classes that look and read the same are one entry, in each group.
    let group = entries.lastIndex { $0.graphic == .heading }.map { $0 + 1 } ?? 0
    if let same = entries[group...].firstIndex(where: { $0.graphic == graphic && $0.label == label }) {
      if let own = entries[same].count, let count { entries[same].count = own + count }
      return
    }
    entries.append(LegendEntry(graphic, label: label, classIndex: classIndex, count: count))
  }

  /// The labels of all classes; a class without a label has its values or bounds.
  func classLabels() -> [String] {
    switch renderer {
    case .simple(let renderer): return [renderer.label]
    case .heatmap, .dotDensity, .pieChart: return renderer.classLabels
    case .rules(let renderer):
      return zip(renderer.rules, renderer.ruleNames).map { rule, name in
        guard rule.title.allSatisfy(\.isWhitespace) else { return name }
        return rule.isElse ? fallbackLabel : rule.filter.isEmpty ? "" : name
      }
    case .uniqueValue(let renderer):
      return renderer.uniqueValues.map { unique in
        guard unique.label.allSatisfy(\.isWhitespace) || Self.isNull(unique.label) else {
          return unique.label
        }
        let values = unique.values.prefix(5).map { value in
          let parts = renderer.delimiter.isEmpty ? [value] : value.split(renderer.delimiter)
          return parts.map(Self.name(ofValue:)).joined(separator: ", ")
        }
        return values.joined(separator: "; ") + (unique.values.count > 5 ? " …" : "")
      }
    case .classBreaks(let renderer):
      let unnamed = renderer.classBreaks.filter { $0.label.allSatisfy(\.isWhitespace) }
      let bounds = Array(Set(unnamed.flatMap { [$0.minimum, $0.maximum] }.filter(Self.isBound)))
      // The numbers of all classes have the same decimals.
      let texts = Dictionary(uniqueKeysWithValues: zip(bounds, LegendNumber.bounds(bounds)))
      let lowest = renderer.classBreaks.map(\.minimum).min()
      return renderer.classBreaks.map { item in
        guard item.label.allSatisfy(\.isWhitespace) else { return item.label }
        let (low, high) = (texts[item.minimum], texts[item.maximum])
        guard let low else { return high.map { "up to \($0)" } ?? "All values" }
        let isIncluded = renderer.includesLowestMinimum && item.minimum == lowest
        if item.minimum == item.maximum { return low }
        return high.map { "\(isIncluded ? "" : "over ")\(low) to \($0)" } ?? "over \(low)"
      }
    }
  }

  /// Whether a text stands for null in documents.
  private static func isNull(_ text: String) -> Bool { ["<Null>", "null"].contains(text) }

  /// Returns a value of a class as its name; null and texts without letters have one, too.
  private static func name(ofValue value: String) -> String {
    if isNull(value) { return "No data" }
    return value.allSatisfy(\.isWhitespace) ? "(empty)" : value
  }

  /// Whether a bound of a class is shown; ArcGIS Online writes ±(2^53 − 1) for an open one.
  private static func isBound(_ number: Double) -> Bool {
    number.isFinite && ![0x1p53 - 1, .greatestFiniteMagnitude].contains(number.magnitude)
  }

  func alias(_ name: String) -> String {
    fields.first { $0.name == name }?.alias ?? fields.first { $0.name.lowercased() == name.lowercased() }?
      .alias
      ?? name
  }

  func name(of input: VariableInput, _ options: LegendOptions) -> String {
    if !options.shownTitle.isEmpty { return options.shownTitle }
    return switch input {
    case .scale: "Scale"
    case .expression: "Value"
    case .field(let name, let other): FieldTitle.text(of: [name, other].compactMap { $0 }, in: fields)
    }
  }

  /// Returns the alias of a field, or its name as words.
  func readable(_ name: String) -> String { FieldTitle.text(of: [name], in: fields) }
}

extension String {
  /// Returns the parts between the occurrences of a text.
  fileprivate func split(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension SymbolForm {
  /// The symbol with the angles that its parts have on the screen, and without overrides, which need a feature.
  func onScreen(rotation: Double) -> SymbolForm {
    guard rotation != 0 || !overrides.isEmpty else { return self }
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
      composite.overrides = []
      return .composite(composite)
    case .placed(var placed):
      placed.parts = placed.parts.map { $0.onScreen(rotation: rotation) }
      return .placed(placed)
    case .line, .fill, .pattern: return self
    }
  }
}
