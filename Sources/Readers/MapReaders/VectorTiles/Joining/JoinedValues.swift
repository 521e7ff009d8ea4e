/// The fields and values of all tiles of a layer, each once.
struct JoinedValues: Sendable {
  /// The different fields, in order of first appearance.
  private(set) var fields: [String] = []
  /// The different values, in order of first appearance.
  private(set) var values: [VectorTileValue] = []
  /// The number of fields and values.
  var count: Int { fields.count + values.count }
  private var fieldCodes: [ExactText: Int32] = [:]
  private var valueCodes: [Value: Int32] = [:]

  /// A value as a key that distinguishes all bytes of texts.
  private enum Value: Hashable {
    case text(ExactText)
    case other(VectorTileValue)

    init(_ value: VectorTileValue) {
      self = if case .text(let text) = value { .text(ExactText(text)) } else { .other(value) }
    }
  }

  /// The indices that the fields and values of a tile's layer have here.
  struct Codes {
    fileprivate let fields: [Int32]
    /// The indices of the values; -1 for one that no feature had so far.
    fileprivate var values: [Int32]
  }

  /// Adds the fields of a tile's layer.
  mutating func codes(of layer: VectorTileLayer) -> Codes {
    Codes(
      fields: layer.fields.map { code($0) }, values: Array(repeating: -1, count: layer.values.count))
  }

  /// Adds the values of a feature, and returns them in the order of the fields.
  mutating func pairs(
    ofRow row: Int, in layer: VectorTileLayer, _ codes: inout Codes
  ) -> [VectorTileTags.Pair] {
    var pairs: [VectorTileTags.Pair] = []
    for pair in layer.tags.pairs(ofRow: row) {
      let value = Int(pair.value)
      if codes.values[value] < 0 { codes.values[value] = code(layer.values[value]) }
      pairs.append(VectorTileTags.Pair(field: codes.fields[Int(pair.field)], value: codes.values[value]))
    }
    return pairs.sorted { $0.field < $1.field }
  }

  private mutating func code(_ field: String) -> Int32 {
    let (exact, new) = (ExactText(field), Int32(truncatingIfNeeded: fields.count))
    if let code = fieldCodes[exact] { return code }
    fields.append(field)
    fieldCodes[exact] = new
    return new
  }

  private mutating func code(_ value: VectorTileValue) -> Int32 {
    let (exact, new) = (Value(value), Int32(truncatingIfNeeded: values.count))
    if let code = valueCodes[exact] { return code }
    values.append(value)
    valueCodes[exact] = new
    return new
  }
}
