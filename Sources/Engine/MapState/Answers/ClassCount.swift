package import MapDrawing
public import MapFeatures
import MapJSON
public import MapModel

/// The number of features in one class of a layer's renderer, or of those that match one rule.
public struct ClassCount: Hashable, Sendable {
  /// The index of the class; -1 for the default symbol, nil for features without a symbol.
  public let classIndex: Int?
  /// The label of the class; without one, its values or bounds, and `(no label)` for a simple renderer.
  ///
  /// `(other)` for a default symbol without a label, and `(no class)` or `(no rule)` for features without a symbol.
  public let label: String
  /// The number of features.
  public let count: Int
  /// The number of these features that are drawn; nil if it was not requested.
  public let drawn: Int?

  /// The label of a default symbol without one.
  static let otherLabel = "(other)"
  /// The label of features without a symbol.
  static let unclassedLabel = "(no class)"
  /// The label of features that match no rule.
  static let unruledLabel = "(no rule)"

  /// Returns the counts of several layers as those of one; features without a symbol stay last.
  static func joined(_ layers: [[ClassCount]]) -> [ClassCount] {
    var places: [ClassCount: Int] = [:]
    var joined: [ClassCount] = []
    for next in layers.joined() {
      let key = ClassCount(classIndex: next.classIndex, label: next.label, count: 0, drawn: nil)
      if let place = places[key] {
        let drawn = joined[place].drawn.flatMap { sum in next.drawn.map { sum + $0 } }
        joined[place] = ClassCount(
          classIndex: next.classIndex, label: next.label, count: joined[place].count + next.count,
          drawn: drawn)
      } else {
        places[key] = joined.count
        joined.append(next)
      }
    }
    return joined.filter { $0.classIndex != nil } + joined.filter { $0.classIndex == nil }
  }

  /// Returns the members of a layer's classes, with `"overlapping": true` if a feature may be in several.
  static func add(_ classes: [ClassCount]?, to object: inout JSONObject) {
    guard let classes else { return }
    object["classes"] = .array(classes.map(\.json))
    if classes.last?.classIndex == nil, classes.last?.label == unruledLabel { object["overlapping"] = true }
  }

  /// The class as JSON, with keys in a fixed order.
  var json: JSONValue {
    var object: JSONObject = [
      "class": classIndex.map { .number($0) } ?? .null, "label": .string(label), "count": .number(count),
    ]
    if let drawn { object["drawn"] = .number(drawn) }
    return .object(object)
  }
}

/// The counts of the classes of a layer.
struct CountedClasses: Sendable {
  let counts: [ClassCount]
  /// The number of features, which may match several rules.
  let rowCount: Int
  /// The notes about values below the lowest class and above the highest.
  let notes: [String]
}

/// Rows of a table with the class of each.
package struct ClassifiedRows: Sendable {
  package let table: FeatureColumns
  package let rows: RowSet
  package let classifier: RowClassifier
}

extension RendererForm {
  /// The labels of the classes; a class without one has its values or bounds.
  package var countedLabels: [String] {
    if case .rules(let renderer) = self { return renderer.ruleNames }
    return classLabels.enumerated().map { index, label in
      guard label.isEmpty else { return label }
      switch self {
      case .simple, .heatmap, .dotDensity, .pieChart, .rules: return "(no label)"
      case .uniqueValue(let renderer):
        let values = renderer.uniqueValues[index].values.map {
          renderer.delimiter.isEmpty ? $0 : $0.replacing(renderer.delimiter, with: ", ")
        }
        return values.prefix(5).joined(separator: "; ") + (values.count > 5 ? " …" : "")
      case .classBreaks(let renderer):
        let (low, high) = (renderer.classBreaks[index].minimum, renderer.classBreaks[index].maximum)
        if !low.isFinite || low <= -Double.greatestFiniteMagnitude { return "up to \(Self.text(high))" }
        if !high.isFinite || high >= Double.greatestFiniteMagnitude { return "over \(Self.text(low))" }
        return "\(Self.text(low)) to \(Self.text(high))"
      }
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

extension RowClassifier {
  /// Counts rows by class: the classes in order, then the default symbol if there is one, then rows without a symbol.
  ///
  /// Their sum is the number of rows, except that a row counts in each of its rules.
  /// - Parameter drawn: the drawn rows, to be counted too; nil to leave them out.
  public func counts(of rows: RowSet, drawn: RowSet? = nil, renderer: RendererForm) -> [ClassCount] {
    let labels = renderer.countedLabels
    if let matches {
      let all = matches.counts(of: rows, ruleCount: labels.count)
      let shown = drawn.map { matches.counts(of: $0, ruleCount: labels.count) }
      let byRule = labels.enumerated().map { index, label in
        ClassCount(
          classIndex: index, label: label, count: all.byRule[index], drawn: shown?.byRule[index])
      }
      return byRule + [
        ClassCount(classIndex: nil, label: ClassCount.unruledLabel, count: all.none, drawn: shown?.none)
      ]
    }
    // The last two places are the default symbol and no symbol.
    func numbers(_ rows: RowSet) -> [Int] {
      var numbers = [Int](repeating: 0, count: labels.count + 2)
      for row in rows {
        switch classes[row] {
        case Self.defaultClass: numbers[labels.count] += 1
        case Self.notDrawn: numbers[labels.count + 1] += 1
        case let index: numbers[Int(index)] += 1
        }
      }
      return numbers
    }
    let (all, shown) = (numbers(rows), drawn.map(numbers))
    func count(_ place: Int, _ index: Int?, _ label: String) -> ClassCount {
      ClassCount(classIndex: index, label: label, count: all[place], drawn: shown?[place])
    }
    var counts = labels.enumerated().map { count($0, $0, $1) }
    if renderer.defaultSymbol != nil {
      let label = renderer.defaultLabel
      counts.append(count(labels.count, -1, label.isEmpty ? ClassCount.otherLabel : label))
    }
    return counts + [count(labels.count + 1, nil, ClassCount.unclassedLabel)]
  }
}

extension ViewState {
  /// Counts the features of a layer that a question is about, by the class that drawing gives them.
  ///
  /// The last item counts features without a symbol, so that the sum is the count, unless features match several rules.
  /// Display filter and visibility are ignored, as in a count.
  /// - Cost: the rows of a service are fetched.
  /// - Throws: ``MapStateError``.
  public func countsByClass(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion()
  ) async throws(MapStateError) -> [ClassCount] {
    try await classes(of: layer, question).counts
  }

  /// Counts the features of a layer that a question is about by class, with notes about values outside all classes.
  func classes(
    of layer: LayerState, _ question: FeatureQuestion
  ) async throws(MapStateError) -> CountedClasses {
    let found = try await classified(layer, question)
    return CountedClasses(
      counts: found.classifier.counts(of: found.rows, renderer: layer.renderer), rowCount: found.rows.count,
      notes: outsideNotes(of: layer, counted: found.rows, found.table))
  }

  /// Returns notes about values of counted rows below the lowest class and above the highest.
  private func outsideNotes(of layer: LayerState, counted rows: RowSet, _ table: FeatureColumns) -> [String] {
    outsideNotes(of: layer, table, rows) { renderer in
      guard renderer.defaultSymbol != nil else { return "counted as \"\(ClassCount.unclassedLabel)\"" }
      return "counted as \"\(renderer.defaultLabel.isEmpty ? ClassCount.otherLabel : renderer.defaultLabel)\""
    }
  }

  /// Returns the features of a layer that a question is about, with the class that drawing gives each.
  ///
  /// - Throws: ``MapStateError``.
  package func classified(
    _ layer: LayerState, _ question: FeatureQuestion
  ) async throws(MapStateError) -> ClassifiedRows {
    try await naming(layer) {
      try layer.requireRows()
      let query = try conditions(for: layer, asking: question).query(for: .query)
      let fetched = try await layer.source.fetch(query)
      let table = fetched.columns()
      return ClassifiedRows(
        table: table, rows: try fetched.rows(query), classifier: try classifier(of: layer, table))
    }
  }

  /// Counts the features of a layer in the view by class, and those of them that are drawn.
  func classes(
    of layer: LayerState, drawing: LayerDrawing, _ question: FeatureQuestion
  ) async throws(MapStateError) -> CountedClasses {
    try await naming(layer) {
      let features = try await layer.source.whole()
      let rows = try features.rows(conditions(for: layer, asking: question).query(for: .stage(.extent)))
      let drawn = try await painted(in: drawing, of: layer, question).drawn
      let counts = try classifier(of: layer, features.columns()).counts(
        of: rows, drawn: drawn, renderer: layer.renderer)
      return CountedClasses(
        counts: counts, rowCount: rows.count,
        notes: outsideNotes(of: layer, counted: rows, features.columns()))
    }
  }

  /// Counts the features of a layer elsewhere by class, and those of them that have a symbol.
  func classesElsewhere(
    of layer: LayerState, _ question: FeatureQuestion
  ) async throws(MapStateError) -> CountedClasses {
    try await naming(layer) {
      let conditions = conditions(for: layer, asking: question)
      let query = try conditions.query(for: .stage(.extent))
      let fetched = try await layer.source.fetch(query)
      let shown = try fetched.rows(conditions.query(for: .stage(.display)))
      let drawn = try symbolizer(of: layer).symbolised(
        shown, of: try fetched.shownColumns(on: spatialReference))
      let rows = try fetched.rows(query)
      let counts = try classifier(of: layer, fetched.columns()).counts(
        of: rows, drawn: drawn, renderer: layer.renderer)
      return CountedClasses(
        counts: counts, rowCount: rows.count,
        notes: outsideNotes(of: layer, counted: rows, fetched.columns()))
    }
  }

  /// Returns the classes of a table's rows at the view's scale.
  private func classifier(of layer: LayerState, _ table: FeatureColumns) throws(RendererFieldError)
    -> RowClassifier
  {
    try RowClassifier(layer.renderer.resolved(atScale: viewpoint.scale), table: table, view: self)
  }
}
