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

  /// The class of every row of the table; ``notDrawn`` for rows that were not asked for.
  package let classes: [Int32]
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
    var columns: [Column] = []
    for name in renderer.fieldNames {
      guard let index = table.schema.index(ofField: name) else {
        throw RendererFieldError(field: name, available: table.schema.fields.map(\.name))
      }
      columns.append(table.columns[index])
    }
    let rows = rows ?? RowSet(rowCount: table.rowCount, all: true)
    let expression = renderer.valueExpression
    if let expression {
      let column = BoundArcade(expression, table: table, in: view).column(of: Array(rows))
      // The divisor of class breaks is the last of the renderer's fields.
      columns =
        [Column(arcade: column.values, for: renderer)] + columns.dropFirst(expression.fieldNames.count)
      failure = column.failure
    }
    let fallback = renderer.defaultSymbol == nil ? Self.notDrawn : Self.defaultClass
    switch renderer {
    case .simple, .heatmap, .dotDensity:
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
      classes = Self.classes(
        of: renderer, columns: columns, rows: rows, areComputed: expression != nil, fallback: fallback)
    case .classBreaks(let renderer):
      let divisors = columns.count > 1 ? columns[1] : nil
      classes = Self.classes(of: rows) { row, number in
        guard let own = columns.first?.number(at: expression == nil ? row : number),
          let value = renderer.normalized(own, divisor: divisors?.number(at: row))
        else { return fallback }
        return renderer.classIndex(of: value).map(Int32.init) ?? fallback
      }
    }
  }

  /// Returns the classes by values; computed columns have a value for each of `rows`, others for each row of the table.
  private static func classes(
    of renderer: UniqueValueRenderer, columns: [Column], rows: RowSet, areComputed: Bool, fallback: Int32
  ) -> [Int32] {
    var classOfText: [String: Int32] = [:]
    for (index, unique) in renderer.uniqueValues.enumerated() {
      for text in unique.values where classOfText[text] == nil { classOfText[text] = Int32(index) }
    }
    func lookUp(_ values: [AttributeValue]) -> Int32 {
      let key = values.map { $0.rendererText(null: "<Null>") }.joined(separator: renderer.delimiter)
      if let index = classOfText[key] { return index }
      guard values.contains(.null) else { return fallback }
      let plain = values.map { $0.rendererText(null: "null") }.joined(separator: renderer.delimiter)
      return classOfText[plain] ?? fallback
    }
    if columns.count == 1, case .text(let codes, let dictionary) = columns[0].storage {
      let classOfCode = dictionary.map { classOfText[$0] ?? fallback }
      let classOfNull = lookUp([.null])
      return classes(of: rows) { row, number in
        let code = codes[areComputed ? number : row]
        return code < 0 ? classOfNull : classOfCode[Int(code)]
      }
    }
    if columns.count == 1 {
      var known: [AttributeValue: Int32] = [:]
      return classes(of: rows) { row, number in
        let value = columns[0].value(at: areComputed ? number : row)
        if let index = known[value] { return index }
        let index = lookUp([value])
        known[value] = index
        return index
      }
    }
    var known: [[AttributeValue]: Int32] = [:]
    return classes(of: rows) { row, _ in
      let values = columns.map { $0.value(at: row) }
      if let index = known[values] { return index }
      let index = lookUp(values)
      known[values] = index
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

extension Column {
  /// Creates a column of an expression's values: numbers for class breaks; else numbers if all are, or their texts.
  ///
  /// No value's class depends on the other values, which differ from view to view.
  fileprivate init(arcade values: [AttributeValue], for renderer: RendererForm) {
    func isNumber(_ value: AttributeValue) -> Bool {
      if case .real = value { true } else { value == .null }
    }
    if case .classBreaks = renderer {
      self.init(of: values.map { isNumber($0) ? $0 : .null }, type: .float64)
      return
    }
    guard !values.allSatisfy(isNumber) else {
      self.init(of: values, type: .float64)
      return
    }
    let texts = values.map { value -> AttributeValue in
      switch value {
      case .null: .null
      // Arcade writes Booleans as words.
      case .boolean(let value): .text(value ? "true" : "false")
      default: .text(value.rendererText(null: ""))
      }
    }
    self.init(of: texts, type: .text)
  }
}

/// An error of a renderer, drawing order or label class that reads a field missing from the table.
package struct RendererFieldError: Error, Hashable, CustomStringConvertible {
  /// The part of the layer that reads the field.
  package let reader: String
  /// The name of the missing field.
  package let field: String
  /// The fields of the table.
  package let available: [String]

  package init(reader: String = "the renderer", field: String, available: [String]) {
    (self.reader, self.field, self.available) = (reader, field, available)
  }

  /// The error in one line, with the nearest field name if there is one.
  package var description: String {
    let nearest = NearestName.of(field, among: available).map { "; did you mean \"\($0)\"?" }
    let known =
      available.isEmpty
      ? "; the table has no fields" : "; available: \(available.prefix(40).joined(separator: ", "))"
    return "\(reader) reads field \"\(field)\", which is not there\(nearest ?? known)"
  }
}
