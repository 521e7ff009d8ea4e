import MapDrawing
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapReaders

extension ClassChoice {
  /// Creates the choice of a renderer, which adds the properties that it needs.
  ///
  /// - Parameter classes: the class of each row of the table, as images have it.
  init(_ renderer: RendererForm, classes: [Int32], _ properties: inout WrittenProperties) {
    var used = Array(renderer.classSymbols.indices.map { Int32(clamping: $0) })
    if renderer.defaultSymbol != nil { used.append(RowClassifier.defaultClass) }
    let rule: Rule
    switch renderer {
    case .simple, .heatmap, .dotDensity, .pieChart, .rules: rule = .one
    case .uniqueValue(let renderer):
      rule = Self.lists(renderer, classes, properties) ?? Self.computed(classes, used, &properties)
    case .classBreaks(let renderer):
      rule = Self.ranges(renderer, &properties)
    }
    self.init(rule, classes: used)
  }

  /// Returns the rule that reads the class from an added property.
  private static func computed(
    _ classes: [Int32], _ used: [Int32], _ properties: inout WrittenProperties
  ) -> Rule {
    let values = classes.map { $0 < 0 ? AttributeValue.null : .integer(Int64($0)) }
    let name = properties.add("class", .int32, values)
    return .match(
      StyleJSON.get(name), lists: used.filter { $0 >= 0 }.map { [.number(Int($0))] }, null: nil)
  }

  /// Returns the rule of unique values of one field of texts, numbers or booleans; nil for others.
  ///
  /// The lists have the values of the document, and the values of the features that the document writes in another way.
  private static func lists(
    _ renderer: UniqueValueRenderer, _ classes: [Int32], _ properties: WrittenProperties
  ) -> Rule? {
    guard renderer.valueExpression == nil, renderer.fieldNames.count == 1,
      let field = renderer.fieldNames.first,
      let name = properties.plainName(field, [.text, .integer, .real, .boolean]),
      let column = properties.column(name)
    else { return nil }
    let known = ValueClasses(renderer)
    var lists = renderer.uniqueValues.enumerated().map { index, unique in
      unique.values.flatMap(ValueClasses.values).filter { value in
        isWritten(value, as: column.type) && known.index(of: value) == Int32(clamping: index)
      }.map(\.json)
    }
    var listed = Set(lists.flatMap { $0 })
    for row in properties.rows where classes[row] >= 0 {
      let value = column.value(at: row)
      guard value != .null, listed.insert(value.json).inserted else { continue }
      lists[Int(classes[row])].append(value.json)
    }
    return .match(StyleJSON.get(name), lists: lists, null: known.index(of: .null))
  }

  /// Whether a value may be that of a feature in a column of a type.
  private static func isWritten(_ value: AttributeValue, as column: AttributeType) -> Bool {
    switch (value, column) {
    case (.text, .text), (.boolean, .boolean), (.integer, .integer), (.integer, .real), (.real, .real): true
    default: false
    }
  }

  /// Returns the rule of class breaks.
  private static func ranges(
    _ renderer: ClassBreaksRenderer, _ properties: inout WrittenProperties
  ) -> Rule {
    let ranges = renderer.classBreaks.map { (minimum: $0.minimum, maximum: $0.maximum) }
    var lowest: (bound: Double, class: Int)?
    if renderer.includesLowestMinimum, let bound = ranges.map(\.minimum).min(),
      let index = ranges.firstIndex(where: { $0.minimum == bound })
    {
      lowest = (bound, index)
    }
    let input: VariableInput =
      renderer.valueExpression.map { .expression($0) } ?? .field(renderer.fieldName)
    guard let normalization = renderer.normalization else {
      return .ranges(properties.number(of: input, name: "value"), ranges, lowest: lowest)
    }
    var divisors: [Double?] = []
    if case .field(let name) = normalization { divisors = properties.numbers(of: .field(name)) }
    let numbers = properties.numbers(of: input).enumerated().map { row, number in
      number.flatMap { renderer.normalized($0, divisor: divisors.isEmpty ? nil : divisors[row]) }
    }
    let name = properties.add("value", .float64, numbers.map { $0.map { .real($0) } ?? .null })
    return .ranges(StyleJSON.get(name), ranges, lowest: lowest)
  }
}
