package import MapFilter
import MapGeometry

/// Renderers in the words of the ArcGIS Maps SDK.
extension UniqueValueRenderer {
  /// A renderer over one to three fields, whose classes have values in the order of the fields.
  public init(
    fieldNames: [String], uniqueValues: [UniqueValue], defaultLabel: String,
    defaultSymbol: (any Symbol)?
  ) {
    self.init(
      fieldNames: fieldNames, uniqueValues: uniqueValues,
      defaultSymbol: defaultSymbol?.form, defaultLabel: defaultLabel)
  }
}

extension UniqueValueRenderer.UniqueValue {
  /// A class of one combination of values, in the order of the renderer's fields.
  ///
  /// A value of a type that no field has counts as null.
  public init(
    description: String = "", label: String = "", symbol: any Symbol, values: [any Sendable],
    alternateSymbols: [SymbolReference] = []
  ) {
    let texts = values.map { (AttributeValue(attribute: $0) ?? .null).rendererText(null: "<Null>") }
    self.init(
      values: [texts.joined(separator: UniqueValueRenderer.unitSeparator)], label: label, symbol: symbol.form)
    (self.description, self.alternateSymbols) = (description, alternateSymbols)
  }
}

extension ClassBreaksRenderer.ClassBreak {
  /// A class of the values above one bound up to another.
  public init(
    description: String = "", label: String = "", minValue: Double, maxValue: Double, symbol: any Symbol
  ) {
    self.init(minimum: minValue, maximum: maxValue, label: label, symbol: symbol.form)
    self.description = description
  }

  /// The bound below, excluded.
  public var minValue: Double {
    get { minimum }
    set { minimum = newValue }
  }
  /// The bound above, included.
  public var maxValue: Double {
    get { maximum }
    set { maximum = newValue }
  }
}

extension AttributeValue {
  /// The value as unique value renderers compare it.
  ///
  /// - Source: the ArcGIS JavaScript SDK joins values as text, numbers without a decimal part without one; ours: dates in
  ///   milliseconds, as JSON carries them.
  package func rendererText(null: String) -> String {
    switch self {
    case .null: null
    case .integer(let value): "\(value)"
    case .real(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(clamping: value))" : "\(value)"
    case .text(let value): value
    case .boolean(let value): value ? "1" : "0"
    case .date(let value): "\(Int64(value.days) * 86_400_000)"
    case .instant(let value): "\(value.microseconds / 1000)"
    // No column has durations.
    case .duration(let value): value.sqlLiteral
    }
  }
}
