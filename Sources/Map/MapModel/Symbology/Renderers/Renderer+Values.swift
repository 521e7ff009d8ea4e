import MapFilter
import MapGeometry
import MapSystem

/// Initialisers and properties with the names of the ArcGIS Maps SDK.
extension UniqueValueRenderer {
  /// Creates a renderer for one to three fields; the values of each class follow the order of the fields.
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
  /// Creates a class for one combination of values, in the order of the renderer's fields.
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
  /// Creates a class for the values above `minValue` and up to `maxValue`.
  public init(
    description: String = "", label: String = "", minValue: Double, maxValue: Double, symbol: any Symbol
  ) {
    self.init(minimum: minValue, maximum: maxValue, label: label, symbol: symbol.form)
    self.description = description
  }

  /// The lower bound, exclusive.
  public var minValue: Double {
    get { minimum }
    set { minimum = newValue }
  }
  /// The upper bound, inclusive.
  public var maxValue: Double {
    get { maximum }
    set { maximum = newValue }
  }
}
