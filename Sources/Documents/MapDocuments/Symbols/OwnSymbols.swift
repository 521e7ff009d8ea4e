import MapJSON
import MapModel

/// The symbols that features of a feature collection have themselves, such as those of map notes.
///
/// They become classes by object id. Features with equal symbols share a class.
struct OwnSymbols {
  private let idField: String
  private let classes: [UniqueValueRenderer.UniqueValue]
  private let areOnAllFeatures: Bool

  /// Reads the symbols of a table's features; nil without any, and where they cannot be drawn.
  ///
  /// They cannot be drawn without a field of unique object ids, and, unless all features have one, without a renderer
  /// of one symbol for the others. The reader of the features reports symbols that are not drawn.
  init?(
    of table: JSONNode, _ definition: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard let set = table["featureSet"], try definition["drawingInfo"]?.boolean("fixedSymbols") != true,
      let field = try (definition["objectIdField"] ?? set["objectIdFieldName"])?.string(), !field.isEmpty
    else { return nil }
    let features = try set.elements("features")
    guard features.contains(where: { $0["symbol"] != nil }) else { return nil }
    var ids: Set<String> = []
    var places: [JSONValue: Int] = [:]
    var found: [(symbol: JSONNode, ids: [String])] = []
    for feature in features {
      guard let id = feature["attributes"]?[field]?.value.integerText, ids.insert(id).inserted else {
        return nil
      }
      guard let symbol = feature["symbol"] else { continue }
      if let place = places[symbol.value] {
        found[place].ids.append(id)
      } else {
        places[symbol.value] = found.count
        found.append((symbol, [id]))
      }
    }
    idField = field
    areOnAllFeatures = found.reduce(0) { $0 + $1.ids.count } == features.count
    let type = try definition["drawingInfo"]?["renderer"]?.string("type")
    guard areOnAllFeatures || type == "simple" else { return nil }
    var classes: [UniqueValueRenderer.UniqueValue] = []
    for (symbol, ids) in found {
      classes.append(.init(values: ids, label: "", symbol: try EsriSymbolCodec.symbol(symbol, &report)))
    }
    self.classes = classes
  }

  /// Returns the renderer that draws the symbols, and other features by a simple renderer.
  func renderer(beside other: RendererForm?) -> RendererForm {
    var symbol: SymbolForm?
    var label = ""
    if case .simple(let simple)? = other { (symbol, label) = (simple.symbol, simple.label) }
    return .uniqueValue(
      UniqueValueRenderer(
        fieldNames: [idField], delimiter: "", uniqueValues: classes,
        defaultSymbol: areOnAllFeatures ? nil : symbol, defaultLabel: label))
  }
}

extension JSONValue {
  /// The decimal digits of a whole number, also one written as text; nil for other values.
  fileprivate var integerText: String? {
    if let text = string { return Int64(text).map { "\($0)" } }
    return double.flatMap { Int64(exactly: $0) }.map { "\($0)" }
  }
}
