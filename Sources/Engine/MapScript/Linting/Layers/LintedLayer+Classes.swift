import MapDrawing
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapState
import MapSystem

/// Findings about the classes of a renderer and the rows in them.
extension LintedLayer {
  /// Returns the findings of the rules about classes.
  ///
  /// - Parameters:
  ///   - rows: the rows of the layer with their classes; nil checks only the renderer.
  ///   - all: the same without the definition expression, which may hide the rows of a class on purpose; nil without
  ///     one.
  func classFindings(_ rows: ClassifiedRows?, all: ClassifiedRows?) -> [LintFinding] {
    let values = rows.map { ClassedValues($0, state.renderer) }
    var findings: [LintFinding] = []
    var unreachable: Set<Int> = []
    switch state.renderer {
    case .simple, .heatmap, .dotDensity, .pieChart: return []
    case .rules(let renderer): return ruleFindings(renderer, rows, all: all)
    case .classBreaks(let renderer):
      findings += breakFindings(renderer, values, &unreachable)
    case .uniqueValue(let renderer):
      findings += valueFindings(renderer, &unreachable)
    }
    guard let values else { return findings }
    findings += missingClassFindings(values)
    let whole = all.map { ClassedValues($0, state.renderer) } ?? values
    // An empty table says nothing about its classes.
    guard whole.total > 0 else { return findings }
    let labels = state.renderer.countedLabels
    var known = 0
    for (index, count) in whole.counts.enumerated() where count == 0 && !unreachable.contains(index) {
      known += 1
      findings.append(
        LintFinding(
          .classWithoutRows, at: path(ofClass: index), layer: name,
          "\(named(index, labels)) has none of the \(LintText.rows(whole.total)) of the data",
          // The search for a similar value takes time in long lists.
          suggestion: known <= 100
            ? correction(ofEmptyClass: index, whole) : "correct its values or remove the class",
          numbers: [("rows", 0)]))
    }
    return findings
  }

  /// Returns the label of a class, and its values if the label is another text.
  private func named(_ index: Int, _ labels: [String]) -> String {
    let name = "class \"\(labels[index])\""
    guard case .uniqueValue(let renderer) = state.renderer else { return name }
    let values = renderer.uniqueValues[index].values
    guard values != [labels[index]] else { return name }
    return "\(name) (\(values.count == 1 ? "value" : "values") \"\(values.joined(separator: "\", \""))\")"
  }

  private func correction(ofEmptyClass index: Int, _ values: ClassedValues) -> String {
    if case .uniqueValue(let renderer) = state.renderer {
      for value in renderer.uniqueValues[index].values {
        if let near = NearestName.of(value, among: values.unclassed.prefix(1000).map(\.value)) {
          return "the data have \"\(near)\", which no class lists; correct the value or remove the class"
        }
      }
    }
    return "correct its values or remove the class"
  }

  // MARK: Class breaks

  private func breakFindings(
    _ renderer: ClassBreaksRenderer, _ values: ClassedValues?, _ unreachable: inout Set<Int>
  ) -> [LintFinding] {
    var findings: [LintFinding] = []
    let labels = state.renderer.countedLabels
    let breaks = renderer.classBreaks
    let lowest = breaks.map(\.minimum).min()
    func isEmpty(_ item: ClassBreaksRenderer.ClassBreak) -> Bool {
      let includesMinimum = renderer.includesLowestMinimum && item.minimum == lowest
      return item.maximum < item.minimum || item.maximum == item.minimum && !includesMinimum
    }
    func rowCount(above low: Double, upTo high: Double) -> [(String, Double)] {
      let count = values?.numbers.map { Self.count(above: low, upTo: high, in: $0) }
      return count.map { [("rows", Double($0))] } ?? []
    }
    func rows(_ numbers: [(String, Double)]) -> String {
      numbers.first.map { " (\(LintText.rows(Int(clamping: $0.1))))" } ?? ""
    }
    for (index, item) in breaks.enumerated() where isEmpty(item) {
      unreachable.insert(index)
      findings.append(
        LintFinding(
          .unreachableClass, at: path(ofClass: index), layer: name,
          "class \"\(labels[index])\" is empty: no number is above \(LintText.number(item.minimum)) and up to "
            + LintText.number(item.maximum),
          suggestion: "raise classMaxValue above classMinValue, or remove the class",
          numbers: [("minimum", item.minimum), ("maximum", item.maximum)]))
    }
    let ascending = breaks.indices.filter { !isEmpty(breaks[$0]) }.sorted {
      (breaks[$0].minimum, $0) < (breaks[$1].minimum, $1)
    }
    guard var highest = ascending.first else { return findings }
    for index in ascending.dropFirst() {
      let (reach, item) = (breaks[highest].maximum, breaks[index])
      if item.minimum > reach, !holdsNoValue(above: reach, upTo: item.minimum, renderer) {
        let numbers = rowCount(above: reach, upTo: item.minimum)
        findings.append(
          LintFinding(
            .classGap, at: path(ofClass: index), layer: name,
            "no class contains \(LintText.range(above: reach, upTo: item.minimum))\(rows(numbers)), between "
              + "\"\(labels[highest])\" and \"\(labels[index])\"",
            suggestion: "set classMinValue of \"\(labels[index])\" to \(LintText.number(reach))",
            numbers: [("above", reach), ("upTo", item.minimum)] + numbers))
      } else if item.minimum < reach {
        let end = min(reach, item.maximum)
        let first = min(highest, index)
        let numbers = rowCount(above: item.minimum, upTo: end)
        findings.append(
          LintFinding(
            .classOverlap, at: path(ofClass: index), layer: name,
            "\"\(labels[highest])\" and \"\(labels[index])\" both contain "
              + "\(LintText.range(above: item.minimum, upTo: end))\(rows(numbers)); the class listed first, "
              + "\"\(labels[first])\", gets them",
            suggestion: item.maximum <= reach
              ? "remove one of the classes, or separate their bounds"
              : "set classMinValue of \"\(labels[index])\" to \(LintText.number(reach))",
            numbers: [("above", item.minimum), ("upTo", end)] + numbers))
      }
      if item.maximum > reach { highest = index }
    }
    for index in coveredBreaks(breaks, ascending) {
      unreachable.insert(index)
      findings.append(
        LintFinding(
          .unreachableClass, at: path(ofClass: index), layer: name,
          "class \"\(labels[index])\" gets no value: classes listed before it contain all its values",
          suggestion: "remove the class, or move it before them"))
    }
    return findings
  }

  /// Returns how many of sorted numbers lie above one bound and up to another.
  private static func count(above low: Double, upTo high: Double, in numbers: [Double]) -> Int {
    func countUpTo(_ bound: Double) -> Int {
      var (first, end) = (0, numbers.count)
      while first < end {
        let middle = (first + end) / 2
        if numbers[middle] <= bound { first = middle + 1 } else { end = middle }
      }
      return first
    }
    return max(0, countUpTo(high) - countUpTo(low))
  }

  /// Whether no value of an integer field lies in a range.
  private func holdsNoValue(above low: Double, upTo high: Double, _ renderer: ClassBreaksRenderer) -> Bool {
    guard renderer.valueExpression == nil, renderer.normalization == nil,
      let index = state.source.schema.index(ofField: renderer.fieldName)
    else { return false }
    switch state.source.schema.fields[index].fieldType {
    case .int16, .int32, .int64, .oid: return high.rounded(.down) <= low
    default: return false
    }
  }

  /// Returns the classes whose range earlier classes of the list contain.
  ///
  /// - Cost: O(classes * overlapping classes); at most 1,000 classes are compared.
  private func coveredBreaks(_ breaks: [ClassBreaksRenderer.ClassBreak], _ ascending: [Int]) -> [Int] {
    let known = ascending.filter { $0 < 1000 }
    return known.filter { index in
      var reach = breaks[index].minimum
      // A class of the lowest number alone.
      if breaks[index].maximum == reach {
        return known.contains { $0 < index && breaks[$0].minimum == reach }
      }
      for other in known where other < index && breaks[other].minimum <= reach {
        reach = max(reach, breaks[other].maximum)
      }
      return reach >= breaks[index].maximum
    }.sorted()
  }

  // MARK: Unique values

  private func valueFindings(
    _ renderer: UniqueValueRenderer, _ unreachable: inout Set<Int>
  ) -> [LintFinding] {
    var findings: [LintFinding] = []
    let labels = state.renderer.countedLabels
    var owners: [[AttributeValue]: Int] = [:]
    for (index, unique) in renderer.uniqueValues.enumerated() {
      var used = 0
      for value in unique.values {
        let shown = shown(value, renderer)
        let keys = possible(value, renderer)
        if let owner = keys.lazy.compactMap({ owners[$0] }).first {
          findings.append(
            LintFinding(
              .duplicateValue, at: path(ofClass: index), layer: name,
              owner == index
                ? "class \"\(labels[index])\" lists \"\(shown)\" twice"
                : "value \"\(shown)\" is in \"\(labels[owner])\" and in \"\(labels[index])\"; the first gets all its rows",
              suggestion: "remove the value from one of them"))
          continue
        }
        for key in keys { owners[key] = index }
        if let reason = impossible(value, renderer) {
          findings.append(
            LintFinding(
              .unreachableClass, at: path(ofClass: index), layer: name,
              "class \"\(labels[index])\" lists \"\(shown)\", which no row can have: \(reason)",
              suggestion: "write the value as the field stores it"))
        } else {
          used += 1
        }
      }
      if used == 0 { unreachable.insert(index) }
    }
    return findings
  }

  private func shown(_ value: String, _ renderer: UniqueValueRenderer) -> String {
    renderer.delimiter.isEmpty ? value : value.replacing(renderer.delimiter, with: ", ")
  }

  /// Returns the reason why no row can have a value; nil if a row can.
  private func impossible(_ value: String, _ renderer: UniqueValueRenderer) -> String? {
    guard renderer.valueExpression == nil else { return nil }
    let fields = renderer.fieldNames
    guard fields.count > 1 else {
      return fields.first.flatMap { impossible(value, inField: $0) }
    }
    guard !renderer.delimiter.isEmpty else { return nil }
    let parts = value.split(separator: renderer.delimiter, omittingEmptySubsequences: false).map {
      String($0)
    }
    if parts.count < fields.count {
      return "it has \(parts.count) of \(fields.count) parts between \"\(renderer.delimiter)\""
    }
    guard parts.count == fields.count else { return nil }
    return zip(parts, fields).lazy.compactMap { impossible($0, inField: $1) }.first
  }

  private func impossible(_ value: String, inField name: String) -> String? {
    guard let field = field(name), ValueClasses.values(of: value).allSatisfy({ !field.fieldType.canHold($0) })
    else { return nil }
    switch field.fieldType {
    case .int16, .int32, .int64, .oid:
      let isNumber = DecimalText.number(value) != nil
      return "field \"\(field.name)\" holds \(isNumber ? "whole numbers" : "numbers")"
    case .float32, .float64: return "field \"\(field.name)\" holds numbers"
    default: return "field \"\(field.name)\" holds dates"
    }
  }

  /// Returns the combinations of values that a text of a class stands for, and that rows may have.
  private func possible(_ value: String, _ renderer: UniqueValueRenderer) -> [[AttributeValue]] {
    guard renderer.valueExpression == nil else { return [[.text(value)]] }
    let types = renderer.fieldNames.map { field($0)?.fieldType }
    let combinations = ValueClasses.combinations(of: value, renderer).filter { values in
      zip(values, types).allSatisfy { value, type in type?.canHold(value) ?? true }
    }
    return combinations.isEmpty ? [[.text(value)]] : combinations
  }

  private func field(_ name: String) -> Field? {
    state.source.schema.index(ofField: name).map { state.source.schema.fields[$0] }
  }

  // MARK: Rows without a class

  private func missingClassFindings(_ values: ClassedValues) -> [LintFinding] {
    let hasDefault = state.renderer.defaultSymbol != nil
    let fate = hasDefault ? "get the default symbol" : "are not drawn"
    switch state.renderer {
    case .simple, .heatmap, .dotDensity, .pieChart, .rules: return []
    case .classBreaks(let renderer):
      // Null belongs to the default symbol, and an expression may return null.
      if hasDefault, values.numbers == nil { return [] }
      let count = values.missing - (hasDefault ? values.missingNulls : 0)
      guard count > 0 else { return [] }
      var parts: [String] = []
      var numbers = [("rows", Double(count))]
      if values.missingNulls > 0, !hasDefault {
        parts.append("\(values.missingNulls) without a number")
        numbers.append(("null", Double(values.missingNulls)))
      }
      let numbersAreKnown = values.numbers != nil
      let low = renderer.classBreaks.map(\.minimum).min() ?? .infinity
      let high = renderer.classBreaks.map(\.maximum).max() ?? -.infinity
      let below = values.missingNumbers.count { $0 <= low }
      let above = values.missingNumbers.count { $0 > low && $0 > high }
      let between = values.missingNumbers.count - below - above
      for (count, word, key) in [
        (below, "not above \(LintText.number(low))", "below"),
        (above, "above \(LintText.number(high))", "above"),
        (between, "between classes", "between"),
      ] where count > 0 && numbersAreKnown {
        parts.append("\(count) \(word)")
        numbers.append((key, Double(count)))
      }
      let detail = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
      return [
        LintFinding(
          .valueWithoutClass, at: rendererPath, layer: name,
          "\(count) of \(LintText.rows(values.total)) have no class and \(fate)\(detail)",
          suggestion: hasDefault
            ? "extend the classes to these values"
            : "extend the classes, or add a default symbol with a label",
          numbers: numbers)
      ]
    case .uniqueValue(let renderer):
      guard renderer.valueExpression == nil else {
        guard values.missing > 0, !hasDefault else { return [] }
        return [
          LintFinding(
            .valueWithoutClass, at: rendererPath, layer: name,
            "\(values.missing) of \(LintText.rows(values.total)) have no class and \(fate)",
            suggestion: "add classes, or a default symbol", numbers: [("rows", Double(values.missing))])
        ]
      }
      let listed = renderer.uniqueValues.flatMap(\.values)
      var unclassed = values.unclassed
      if hasDefault, !renderer.defaultLabel.allSatisfy(\.isWhitespace) {
        // A default symbol with a label is a class of its own, except for misspelt values.
        let known = Set(listed.map(Self.folded))
        unclassed = unclassed.filter { known.contains(Self.folded($0.value)) }
      }
      let count = unclassed.reduce(0) { $0 + $1.count }
      guard count > 0 else { return [] }
      let first = unclassed.prefix(5).map { "\"\(shown($0.value, renderer))\" (\($0.count))" }
      let more = unclassed.count > 5 ? " and \(unclassed.count - 5) more" : ""
      // A class without rows is probably the misspelt one.
      let empty = renderer.uniqueValues.indices.filter { values.counts[$0] == 0 }
      let unused = empty.prefix(1000).flatMap { renderer.uniqueValues[$0].values }
      let near = unclassed.prefix(20).lazy.compactMap { item in
        NearestName.of(item.value, among: unused.prefix(1000)).map { (item.value, $0) }
      }.first
      let advice =
        near.map { "\"\($0.0)\" resembles \"\($0.1)\", which no row has; " } ?? ""
      return [
        LintFinding(
          .valueWithoutClass, at: rendererPath, layer: name,
          "\(count) of \(LintText.rows(values.total)) have no class and \(fate): "
            + first.joined(separator: ", ") + more,
          suggestion: advice
            + (hasDefault
              ? "add classes, or a label of the default symbol" : "add classes, or a default symbol"),
          numbers: [("rows", Double(count)), ("values", Double(unclassed.count))])
      ]
    }
  }

  /// The value without case and outer blanks.
  private static func folded(_ value: String) -> String {
    let scalars = value.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last]).lowercased()
  }
}

extension FieldType {
  /// Whether a field of the type can hold one of the values that the text of a class stands for.
  fileprivate func canHold(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    // Booleans of files are 16-bit integers, and dates may be milliseconds.
    case (.int16, .boolean), (.int16, .integer), (.int32, .integer), (.int64, .integer), (.oid, .integer):
      true
    case (.float32, .integer), (.float32, .real), (.float64, .integer), (.float64, .real): true
    case (.date, .integer), (.date, .instant), (.timestampOffset, .integer), (.timestampOffset, .instant):
      true
    case (.dateOnly, .integer), (.dateOnly, .date): true
    case (.text, .text), (.guid, .text), (.globalID, .text), (.timeOnly, .text), (.xml, .text): true
    case (.blob, _), (.geometry, _), (.raster, _): true
    default: false
    }
  }
}
