import MapExpressions
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel

/// The drawn rows of a layer and the style of each, by class and visual variables.
struct RowStyles {
  /// The rows, in painting order.
  private(set) var rows: [Int] = []
  /// For each of ``rows``, the index of its symbol in ``looks``.
  private(set) var styles: [UInt32] = []
  /// The styles: one per class, then one per combination of class and visual variable values in use.
  private(set) var looks: SymbolStyles
  /// The pie charts of the rows, in their order, which replace the symbol of the style; nil for other renderers.
  private(set) var charts: PieCharts?
  /// The candidates with a class that have no size by a visual variable, so that they get no symbol.
  private(set) var sizeless: [Int] = []
  /// The first failure of an expression of a visual variable.
  private(set) var failure: ArcadeError?

  /// The largest distance that any symbol reaches beyond the geometry, in pixels.
  var reach: Double { max(looks.reach, charts?.reach ?? 0) }

  /// Selects the drawn rows among the candidates and assigns their styles.
  ///
  /// - Cost: with visual variables, one lookup of a combination per row, and the memory of a style for each
  ///   combination; for pie charts, the memory of their slices; else a copy.
  ///
  /// - Throws: ``RendererFieldError``.
  init(
    candidates: [Int], classes: [Int32], renderer: RendererForm, looks: SymbolStyles, table: FeatureColumns,
    view: ViewState
  ) throws(RendererFieldError) {
    self.looks = looks
    rows.reserveCapacity(candidates.count)
    styles.reserveCapacity(candidates.count)
    let drawn = looks.drawnClasses
    func isDrawn(_ row: Int) -> Bool {
      classes[row] != RowClassifier.notDrawn && drawn[looks.index(ofClass: Int(classes[row]))]
    }
    let overrides = renderer.overrides
    guard !renderer.visualVariables.isEmpty || !overrides.isEmpty || looks.charts != nil else {
      for row in candidates where isDrawn(row) {
        rows.append(row)
        styles.append(UInt32(looks.index(ofClass: Int(classes[row]))))
      }
      return
    }
    let variables = try VariableColumns(
      renderer.visualVariables, overrides, table: table, view: view, pixelRatio: looks.pixelRatio)
    failure = failure ?? variables.failure
    if let pies = looks.charts {
      addCharts(of: candidates.filter(isDrawn), classes, pies, variables, table: table, view: view)
      return
    }
    var known: [Combination: UInt32] = [:]
    for row in candidates where isDrawn(row) {
      let classIndex = Int(classes[row])
      let symbol = looks.symbol(ofClass: classIndex)
      guard var variation = variables.variation(of: row, symbol: symbol) else {
        sizeless.append(row)
        continue
      }
      if symbol.hasShapes { variation = variation.rounded(pixelRatio: looks.pixelRatio) }
      let values = symbol.overrides.map { variables.value(of: $0, row) }
      let combination = Combination(classIndex: classIndex, variation: variation, values: values)
      let style: UInt32
      if let index = known[combination] {
        style = index
      } else {
        let varied = symbol.applying(variation).overridden(by: values)
        style = UInt32(self.looks.append(varied, classIndex: classIndex))
        known[combination] = style
      }
      rows.append(row)
      styles.append(style)
    }
  }

  /// Adds rows with a pie chart each.
  private mutating func addCharts(
    of candidates: [Int], _ classes: [Int32], _ pies: PieChartRenderer, _ variables: VariableColumns,
    table: FeatureColumns, view: ViewState
  ) {
    var numbers: [[Double?]] = []
    for attribute in pies.attributes {
      let column = attribute.numbers(of: candidates, in: table, view: view)
      numbers.append(column.numbers)
      failure = failure ?? column.failure
    }
    var charts = PieCharts(pies, pixelRatio: looks.pixelRatio)
    for (position, row) in candidates.enumerated() {
      let classIndex = Int(classes[row])
      let isDefault = classIndex == Int(RowClassifier.defaultClass)
      let symbol = looks.symbol(ofClass: classIndex)
      guard let variation = variables.variation(of: row, symbol: symbol) else {
        sizeless.append(row)
        continue
      }
      charts.append(
        isDefault ? [pies.defaultSlice] : pies.slices(of: numbers.map { $0[position] }), size: variation.size)
      rows.append(row)
      styles.append(UInt32(looks.index(ofClass: classIndex)))
    }
    self.charts = charts
  }

  private struct Combination: Hashable {
    let classIndex: Int
    let variation: SymbolVariation
    let values: [SymbolOverride.Value?]
  }
}

/// Visual variables bound to the columns of a table and to the scale of a view.
private struct VariableColumns {
  private let variables: VisualVariables
  private let scale: Double
  private let rotation: Double
  /// The maximum size, in pixels of 1/96 inch.
  private let sizeLimit: Double
  private var columns: [String: Column] = [:]
  /// The columns of the variables, with numbers instead of texts.
  private var numberColumns: [String: Column] = [:]
  /// The numbers of expressions, by row.
  private var numbers: [ArcadeExpression: [Double?]] = [:]
  /// The values of the expressions of overrides, by row.
  private var values: [ArcadeExpression: [AttributeValue]] = [:]
  /// The first failure of an expression.
  private(set) var failure: ArcadeError?

  init(
    _ variables: VisualVariables, _ overrides: [SymbolOverride], table: FeatureColumns, view: ViewState,
    pixelRatio: Double
  ) throws(RendererFieldError) {
    (self.variables, scale, rotation) = (variables, view.viewpoint.scale, view.viewpoint.rotation)
    sizeLimit = MarkerStyle.sizeLimit / pixelRatio
    for name in variables.inputs.flatMap(\.input.fieldNames) + overrides.flatMap(\.input.fieldNames) {
      guard let index = table.schema.index(ofField: name) else {
        throw RendererFieldError(field: name, available: table.schema.fields.map(\.name))
      }
      columns[name] = table.columns[index]
    }
    for name in variables.inputs.flatMap(\.input.fieldNames) where numberColumns[name] == nil {
      numberColumns[name] = columns[name]?.readingNumbers
    }
    for expression in variables.inputs.compactMap(\.input.expression) where numbers[expression] == nil {
      let column = BoundArcade(expression, table: table, in: view).column(of: Array(0..<table.rowCount))
      numbers[expression] = column.values.map { value in
        if case .boolean(let value) = value { return value ? 1 : 0 }
        return value.readingNumber.numberOrMilliseconds
      }
      failure = failure ?? column.failure
    }
    for expression in overrides.compactMap(\.input.expression) where values[expression] == nil {
      let column = BoundArcade(expression, table: table, in: view).column(of: Array(0..<table.rowCount))
      values[expression] = column.values
      failure = failure ?? column.failure
    }
  }

  /// Returns the value of an override for a row; nil for null and for values of another kind.
  func value(of override: SymbolOverride, _ row: Int) -> SymbolOverride.Value? {
    let value: AttributeValue
    switch override.input {
    case .expression(let expression): value = values[expression]?[row] ?? .null
    case .field(let name, _): value = columns[name]?.value(at: row) ?? .null
    case .scale: value = .real(scale)
    }
    return override.value(value)
  }

  /// Returns the differences from the symbol for a row; nil when the row is not drawn.
  func variation(of row: Int, symbol: SymbolForm) -> SymbolVariation? {
    var variation = SymbolVariation()
    if let size = variables.size, symbol.hasSize {
      let byArea = symbol.isComparedByArea
      guard let size = size.size(of: value(size.input, row), scale: scale, byArea: byArea) else { return nil }
      variation.size = min(size, sizeLimit)
    }
    if let width = variables.outlineWidth {
      // Widths are lengths, so they are never compared by area.
      variation.outlineWidth = width.size(of: value(width.input, row), scale: scale, byArea: false) ?? 0
    }
    if let color = variables.color { variation.color = value(color.input, row).flatMap(color.color) }
    if let transparency = variables.transparency {
      variation.opacity = value(transparency.input, row).flatMap(transparency.opacity)
    }
    if let turn = variables.rotation {
      // A rotated view rotates the image counter-clockwise, and north with it.
      variation.angle = turn.heading(of: value(turn.input, row)) - rotation
    }
    return variation
  }

  private func value(_ input: VariableInput, _ row: Int) -> Double? {
    switch input {
    case .scale: return scale
    case .expression(let expression): return numbers[expression]?[row]
    case .field(let name, let divisor):
      guard let value = numberColumns[name]?.number(at: row) else { return nil }
      guard let divisor else { return value }
      guard let other = numberColumns[divisor]?.number(at: row), other != 0 else { return nil }
      return value / other
    }
  }
}

extension SymbolVariation {
  /// Returns the variation with a size in steps of 1/64 output pixel and an angle in steps of 1/32 degree, so that
  /// many features share the shapes of their markers.
  ///
  /// An edge moves by at most 1/256 pixel by its size, which is 1 of 255, and 25 pixels from the centre by 1/147 pixel
  /// by its angle.
  ///
  /// - Source: design decision.
  fileprivate func rounded(pixelRatio: Double) -> SymbolVariation {
    var rounded = self
    let step = 1 / (64 * pixelRatio)
    // Not to 0, because the feature is counted as drawn.
    if step.isFinite, step > 0 {
      rounded.size = size.map { $0 > 0 ? max(($0 / step).rounded(), 1) * step : $0 }
    }
    rounded.angle = angle.map { ($0 * 32).rounded() / 32 }
    return rounded
  }
}

extension SymbolForm {
  /// Whether the symbol has shapes, whose vertices are kept for each size and angle.
  fileprivate var hasShapes: Bool {
    switch self {
    case .vector: true
    case .composite(let composite): composite.parts.contains(where: \.hasShapes)
    case .placed(let placed): placed.parts.contains(where: \.hasShapes)
    default: false
    }
  }
}

extension SymbolOverride {
  /// Converts a value of a feature to a value of the property, from points to pixels.
  fileprivate func value(_ value: AttributeValue) -> Value? {
    let number: Double? =
      switch value {
      case .integer(let value): Double(value)
      case .real(let value): value
      case .text: value.readingNumber.numberOrMilliseconds
      default: nil
      }
    switch property {
    case .color:
      guard case .text(let text) = value else { return nil }
      // An expression may return a list of numbers or rgb(…), whose text has brackets.
      let plain = text.filter { !"[]() ".contains($0) }
      return Color(text: plain.hasPrefix("rgb") ? String(plain.drop { $0.isLetter }) : plain).map {
        .color($0)
      }
    case .text:
      switch value {
      case .null: return nil
      case .text(let text): return .text(text)
      case .integer(let value): return .text("\(value)")
      default: return number.map { .text(JSONWriter.text(of: $0)) }
      }
    case .size, .width, .offsetX, .offsetY:
      // - Source: CIM specification: lengths are points; a pixel is 1/96 inch.
      return number.flatMap { $0.isFinite ? .number($0 * 96 / 72) : nil }
    // - Source: CIM specification: counter-clockwise.
    case .angle: return number.flatMap { $0.isFinite ? .number(-$0) : nil }
    }
  }
}
