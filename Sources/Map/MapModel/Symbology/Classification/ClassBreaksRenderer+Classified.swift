extension ClassBreaksRenderer {
  /// Creates a renderer whose classes are derived from numbers.
  ///
  /// The labels of classes are ranges with the fewest decimals that state the class of each number, such as `1–4` and
  /// `5–9`.
  /// Features without a number get the default symbol, a medium grey, with the label "No data".
  /// - Parameters:
  ///   - fieldName: the field with the numbers.
  ///   - normalization: the calculation before a number gets its class.
  ///   - values: the numbers after this calculation; NaN and infinities are ignored.
  ///   - count: the number of classes; there are fewer if the values do not allow more.
  ///   - method: the rule for the bounds.
  ///   - ramp: the colours, from the lowest class to the highest.
  ///   - symbol: the symbol, which gets the colours.
  /// - Cost: as for ``ClassificationMethod/upperBounds(of:count:)``.
  public static func classified(
    fieldName: String, normalization: Normalization? = nil, values: [Double], count: Int = 5,
    method: ClassificationMethod = .quantile, ramp: ColorRamp = .standard, symbol: any Symbol
  ) -> ClassBreaksRenderer {
    let upper = method.upperBounds(of: values, count: count)
    return classified(
      fieldName: fieldName, normalization: normalization, least: values.filter(\.isFinite).min(),
      upperBounds: upper, colors: ramp.colors(count: upper.count), symbol: symbol, values: values)
  }

  /// Creates a renderer with given bounds; parameters as in
  /// ``classified(fieldName:normalization:values:count:method:ramp:symbol:)``.
  ///
  /// - Parameters:
  ///   - least: the lower bound of the first class, which includes it; nil for no bound.
  ///   - upperBounds: the upper bounds of the classes, ascending, each part of its class.
  public static func classified(
    fieldName: String, normalization: Normalization? = nil, least: Double?, upperBounds: [Double],
    ramp: ColorRamp = .standard, symbol: any Symbol
  ) -> ClassBreaksRenderer {
    classified(
      fieldName: fieldName, normalization: normalization, least: least, upperBounds: upperBounds,
      colors: ramp.colors(count: upperBounds.count), symbol: symbol)
  }

  /// Creates a renderer with given bounds and one colour for each.
  ///
  /// - Parameters:
  ///   - openCount: the number of bounds, from the lowest, that are part of the class above them; the others are part of
  ///     their own class.
  ///   - hasExactLabels: whether labels have all digits of the bounds.
  ///   - values: the numbers whose classes the labels state.
  package static func classified(
    fieldName: String, normalization: Normalization?, least: Double?, upperBounds: [Double], colors: [Color],
    symbol: any Symbol, openCount: Int = 0, hasExactLabels: Bool = false, values: [Double] = []
  ) -> ClassBreaksRenderer {
    // A number below a bound is at most the double before it.
    let upperBounds = upperBounds.enumerated().map { $0 < openCount ? $1.nextDown : $1 }
    let labels = ClassLabels(
      least: least, upper: upperBounds, values: values.filter(\.isFinite).sorted(), isExact: hasExactLabels,
      openCount: openCount
    ).texts
    let lower = [least ?? -.infinity] + upperBounds
    let classes = zip(zip(lower, upperBounds), zip(labels, colors)).map {
      ClassBreak(minimum: $0.0, maximum: $0.1, label: $1.0, symbol: symbol.form.colored($1.1))
    }
    return ClassBreaksRenderer(
      fieldName: fieldName, normalization: normalization, classBreaks: classes, includesLowestMinimum: true,
      defaultSymbol: symbol.form.colored(Color(red: 170, green: 170, blue: 170)), defaultLabel: "No data")
  }
}

extension SymbolForm {
  /// Returns the symbol in another colour; outlines, and symbols without one colour, stay as they are.
  package func colored(_ color: Color) -> SymbolForm {
    switch self {
    case .marker(var marker):
      marker.color = color
      return .marker(marker)
    case .line(var line):
      line.color = color
      return .line(line)
    case .fill(var fill):
      fill.color = color
      return .fill(fill)
    default: return self
    }
  }
}
