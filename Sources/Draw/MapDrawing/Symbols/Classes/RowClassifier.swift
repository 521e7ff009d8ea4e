package import MapExpressions
package import MapFeatures
import MapFilter
import MapJSON
package import MapModel

/// The renderer class of each row of a table, used by drawing, legends and counts by class.
package struct RowClassifier: Sendable {
  /// The class of rows that match no class and get the default symbol.
  package static let defaultClass: Int32 = -1
  /// The class of rows that get no symbol and are not drawn.
  package static let notDrawn: Int32 = -2

  /// The class of every row of the table, or the first of its rules; ``notDrawn`` for rows that were not asked for.
  package let classes: [Int32]
  /// The rules that each row matches; nil for renderers with one class for each row.
  package private(set) var matches: RuleMatches?
  /// The first failure of the renderer's expression.
  package private(set) var failure: ArcadeError?

  /// Classifies rows of a table.
  ///
  /// - Parameters:
  ///   - rows: the rows to classify; nil for all.
  ///   - view: the scale and the instant that expressions use; without a view both are 0.
  /// - Cost: for a single text column, one lookup per distinct text; otherwise one per classified row. An expression
  ///   is computed for these rows.
  /// - Throws: ``RendererFieldError`` when the table lacks a field of the renderer.
  package init(
    _ renderer: RendererForm, table: FeatureColumns, rows: RowSet? = nil, view: ViewState? = nil
  ) throws(RendererFieldError) {
    let rows = rows ?? RowSet(rowCount: table.rowCount, all: true)
    if case .rules(let renderer) = renderer {
      let matches = try RuleMatches(renderer, table: table, rows: rows, now: view?.now)
      classes = matches.sets.map { matches.first(ofSet: $0) ?? Self.notDrawn }
      self.matches = matches
      return
    }
    var columns: [Column] = []
    for name in renderer.fieldNames {
      guard let index = table.schema.index(ofField: name) else {
        throw RendererFieldError(field: name, available: table.schema.fields.map(\.name))
      }
      columns.append(table.columns[index])
    }
    var values: [AttributeValue]?
    if let expression = renderer.valueExpression {
      let column = BoundArcade(expression, table: table, in: view).column(of: Array(rows))
      values = column.values
      failure = column.failure
      // The divisor of class breaks is the last of the renderer's fields.
      columns = Array(columns.dropFirst(expression.fieldNames.count))
    }
    let fallback = renderer.defaultSymbol == nil ? Self.notDrawn : Self.defaultClass
    switch renderer {
    case .simple, .heatmap, .dotDensity, .rules:
      classes = Self.classes(of: rows) { _, _ in 0 }
    case .pieChart(let renderer):
      let asked = Array(rows)
      var own = Self.classes(of: rows) { _, _ in fallback }
      for attribute in renderer.attributes {
        let column = attribute.numbers(of: asked, in: table, view: view)
        failure = failure ?? column.failure
        for (row, number) in zip(asked, column.numbers) where PieChartRenderer.hasSlice(number) {
          own[row] = 0
        }
      }
      classes = own
    case .uniqueValue(let renderer):
      let known = ValueClasses(renderer)
      if let values {
        classes = Self.classes(of: rows, by: { _, number in values[number] }) {
          known.index(of: $0, readsNumbers: false) ?? fallback
        }
      } else {
        classes = Self.classes(known, columns: columns, rows: rows, fallback: fallback)
      }
    case .classBreaks(let renderer):
      columns = columns.map(\.readingNumbers)
      let (divisors, own) = (values == nil ? columns.dropFirst().first : columns.first, columns.first)
      classes = Self.classes(of: rows) { row, number in
        let value = values?[number].readingNumber ?? own?.value(at: row) ?? .null
        return renderer.classIndex(of: value, divisor: divisors?.number(at: row)).map(Int32.init) ?? fallback
      }
    }
  }

  /// Returns whether a row is in a class, -1 for the default symbol, or matches a rule.
  package func isIn(_ classIndex: Int, row: Int) -> Bool {
    matches?.rules(ofRow: row).contains(classIndex) ?? (Int(classes[row]) == classIndex)
  }

  /// Returns the classes by the values of columns, which have one for each row of the table.
  private static func classes(
    _ known: ValueClasses, columns: [Column], rows: RowSet, fallback: Int32
  ) -> [Int32] {
    guard columns.count == 1 else {
      return classes(of: rows, by: { row, _ in columns.map { $0.value(at: row) } }) {
        known.index(of: $0) ?? fallback
      }
    }
    guard case .text(let codes, let dictionary) = columns[0].storage else {
      return classes(of: rows, by: { row, _ in columns[0].value(at: row) }) {
        known.index(of: $0) ?? fallback
      }
    }
    let classOfCode = dictionary.map { known.index(of: .text($0)) ?? fallback }
    let classOfNull = known.index(of: .null) ?? fallback
    return classes(of: rows) { row, _ in codes[row] < 0 ? classOfNull : classOfCode[Int(codes[row])] }
  }

  /// Returns the classes by a value of each row; the class of equal values is looked up once.
  @inline(__always)
  private static func classes<Value: Hashable>(
    of rows: RowSet, by valueOf: (_ row: Int, _ number: Int) -> Value, _ classOf: (Value) -> Int32
  ) -> [Int32] {
    var known: [Value: Int32] = [:]
    return classes(of: rows) { row, number in
      let value = valueOf(row, number)
      if let index = known[value] { return index }
      let index = classOf(value)
      known[value] = index
      return index
    }
  }

  @inline(__always)
  private static func classes(
    of rows: RowSet, _ classOf: (_ row: Int, _ number: Int) -> Int32
  ) -> [Int32] {
    var classes = Array(repeating: notDrawn, count: rows.rowCount)
    var number = 0
    for row in rows {
      classes[row] = classOf(row, number)
      number += 1
    }
    return classes
  }
}

/// An error of a renderer, drawing order or label class that does not match the table, such as by a missing field.
package struct RendererFieldError: Error, Hashable, CustomStringConvertible {
  /// The part of the layer that reads the field.
  package let reader: String
  /// The name of the missing field.
  package let field: String
  /// The fields of the table.
  package let available: [String]
  /// The fault of a filter, which has its own description; nil for a missing field.
  private var fault: String?

  package init(reader: String = "the renderer", field: String, available: [String]) {
    (self.reader, self.field, self.available) = (reader, field, available)
  }

  /// Creates the error of the filter of a rule.
  init(ofRule name: String, _ fault: String) {
    (reader, field, available) = ("rule \"\(name)\"", "", [])
    self.fault = fault
  }

  /// The error in one line, with the nearest field name if there is one.
  package var description: String {
    if let fault { return "\(reader): \(fault)" }
    let nearest = NearestName.of(field, among: available).map { "; did you mean \"\($0)\"?" }
    let known =
      available.isEmpty
      ? "; the table has no fields" : "; available: \(available.prefix(40).joined(separator: ", "))"
    return "\(reader) reads field \"\(field)\", which is not there\(nearest ?? known)"
  }
}
