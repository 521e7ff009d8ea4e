import MapDrawing
import MapFeatures
import MapFilter
import MapModel
import MapState

/// The values of a layer's rows by class.
struct ClassedValues {
  /// The number of rows of each class.
  private(set) var counts: [Int]
  /// The number of rows.
  let total: Int
  /// The number of rows in no class, and of those without a value.
  private(set) var missing = 0
  private(set) var missingNulls = 0
  /// The sorted numbers of rows with one, of class breaks on a field; nil for an expression.
  private(set) var numbers: [Double]?
  /// The numbers of rows in no class.
  private(set) var missingNumbers: [Double] = []
  /// The values of rows in no class, the most frequent first; without null.
  private(set) var unclassed: [(value: String, count: Int)] = []

  init(_ rows: ClassifiedRows, _ renderer: RendererForm) {
    counts = Array(repeating: 0, count: renderer.classSymbols.count)
    total = rows.rows.count
    var columns = renderer.fieldNames.compactMap { name in
      rows.table.schema.index(ofField: name).map { rows.table.columns[$0] }
    }
    if case .classBreaks = renderer { columns = columns.map(\.readingNumbers) }
    let hasValues = renderer.valueExpression == nil && !columns.isEmpty
    // Texts are distinguished by code point.
    var texts: [AttributeValue: Int] = [:]
    if case .classBreaks = renderer, hasValues { numbers = [] }
    for row in rows.rows {
      let index = Int(rows.classifier.classes[row])
      if counts.indices.contains(index) { counts[index] += 1 } else { missing += 1 }
      guard hasValues else { continue }
      switch renderer {
      case .simple, .heatmap, .dotDensity, .pieChart, .rules: break
      case .classBreaks(let renderer):
        let divisor = columns.count > 1 ? columns[1].number(at: row) : nil
        let number = columns[0].number(at: row).flatMap { renderer.normalized($0, divisor: divisor) }
        if let number { numbers?.append(number) }
        guard index < 0 else { continue }
        if let number { missingNumbers.append(number) } else { missingNulls += 1 }
      case .uniqueValue(let renderer):
        guard index < 0 else { continue }
        let values = columns.map { $0.value(at: row) }
        guard values.contains(where: { $0 != .null }) else {
          missingNulls += 1
          continue
        }
        let text = values.map { $0.rendererText(null: "<Null>") }.joined(separator: renderer.delimiter)
        texts[.text(text), default: 0] += 1
      }
    }
    numbers?.sort()
    unclassed = texts.compactMap { key, count in
      if case .text(let text) = key { (text, count) } else { nil }
    }.sorted { first, second in
      first.1 != second.1
        ? first.1 > second.1 : ValueOrdering(text: first.0, second.0) == .less
    }
    if case .uniqueValue = renderer, missingNulls > 0, renderer.defaultSymbol == nil {
      unclassed.append(("<Null>", missingNulls))
    }
  }
}
