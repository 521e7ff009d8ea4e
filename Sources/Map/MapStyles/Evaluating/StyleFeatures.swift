package import MapFeatures
internal import MapFilter

/// The features of one layer of a tile, in columns.
package struct StyleFeatures: Sendable {
  /// The number of features.
  package let count: Int
  /// The tile; nil for features that are in none.
  package let tile: StyleTile?
  let kinds: [StyleGeometryKind]
  let ids: StyleColumn?
  let columns: [String: StyleColumn]
  /// The names of the properties.
  package let names: [String]
  /// The rows by the values of single properties, which the filters of many layers ask for.
  let rowsByValue = RowsByValue()
  private let geometry: (@Sendable (Int) -> [[StylePoint]])?

  /// Creates features from columns by the names of the properties.
  ///
  /// - Parameters:
  ///   - kinds: The kind of each feature's geometry.
  ///   - columns: The values of each property; null rows lack it.
  ///   - ids: The ids; nil for none.
  ///   - geometry: A function that returns a feature's points, lines or rings in units of the tile.
  /// - Cost: linear in the number of values.
  package init(
    kinds: [StyleGeometryKind], columns: [(name: String, column: Column)], ids: Column? = nil,
    tile: StyleTile? = nil, geometry: (@Sendable (Int) -> [[StylePoint]])? = nil
  ) {
    (count, self.kinds, self.tile, self.geometry) = (kinds.count, kinds, tile, geometry)
    names = columns.map(\.name)
    self.columns = Dictionary(columns.map { ($0.name, StyleColumn($0.column)) }, uniquingKeysWith: { $1 })
    self.ids = ids.map { StyleColumn($0) }
  }

  /// Creates features from the codes of their values by the names of the properties.
  ///
  /// - Parameters:
  ///   - kinds: The kind of each feature's geometry.
  ///   - coded: The values of each property, and for each feature the index of its value; negative for none.
  ///   - ids: The ids; nil for none.
  ///   - geometry: A function that returns a feature's points, lines or rings in units of the tile.
  package init(
    kinds: [StyleGeometryKind], coded: [(name: String, codes: [Int32], values: [StyleValue])],
    ids: Column? = nil, tile: StyleTile? = nil, geometry: (@Sendable (Int) -> [[StylePoint]])? = nil
  ) {
    (count, self.kinds, self.tile, self.geometry) = (kinds.count, kinds, tile, geometry)
    names = coded.map(\.name)
    columns = Dictionary(
      coded.map { ($0.name, StyleColumn.coded($0.codes, $0.values)) }, uniquingKeysWith: { $1 })
    self.ids = ids.map { StyleColumn($0) }
  }

  /// Returns the properties of a feature.
  func properties(row: Int) -> StyleObject {
    StyleObject(
      names.lazy.compactMap { name in
        columns[name]?.value(row: row).map { (name, $0) }
      })
  }

  /// Returns a feature with its id, kind and properties.
  package func feature(row: Int) -> StyleFeature {
    StyleFeature(
      id: ids?.value(row: row) ?? .null, kind: kinds[row], properties: properties(row: row),
      parts: parts(row: row), tile: tile)
  }

  /// Returns the points, lines or rings of a feature; nil for features without them.
  func parts(row: Int) -> [[StylePoint]]? { geometry?(row) }
}

/// The values of one property for all features of a layer.
enum StyleColumn: Sendable {
  /// For each row the index of its value, negative for none.
  case coded([Int32], [StyleValue])
  case numbers([Double], RowSet?)

  /// Codes integers only when they are within so many of each other.
  private static let widestRange: Int64 = 1 << 10

  init(_ column: Column) {
    func isValid(_ row: Int) -> Bool { column.isValid(row) }
    switch column.storage {
    case .text(let codes, let dictionary):
      let own = column.validity.map { validity in codes.indices.map { validity.contains($0) ? codes[$0] : -1 }
      }
      self = .coded(own ?? codes, dictionary.map(StyleValue.string))
    case .booleans(let values):
      self = .coded(
        values.indices.map { isValid($0) ? (values[$0] ? 1 : 0) : -1 }, [.boolean(false), .boolean(true)])
    case .reals(let values): self = .numbers(values, column.validity)
    case .integers, .shortIntegers: self.init(column.integers ?? [], column.validity)
    case .dates, .instants:
      self = .coded(
        (0..<column.count).map { isValid($0) ? Int32(clamping: $0) : -1 },
        (0..<column.count).map { .string(column.value(at: $0).description) })
    }
  }

  private init(_ integers: [Int64], _ validity: RowSet?) {
    let least = integers.min() ?? 0
    let (range, isTooWide) = (integers.max() ?? 0).subtractingReportingOverflow(least)
    guard !isTooWide, range <= Self.widestRange else {
      self = .numbers(integers.map(Double.init), validity)
      return
    }
    self = .coded(
      integers.indices.map { validity?.contains($0) == false ? -1 : Int32(clamping: integers[$0] - least) },
      (0...range).map { .number(Double($0 + least)) })
  }

  /// Returns the value of a row; nil for none.
  @inline(__always)
  func value(row: Int) -> StyleValue? {
    switch self {
    case .coded(let codes, let values):
      let code = Int(codes[row])
      return code < 0 ? nil : values[code]
    case .numbers(let numbers, let validity):
      return validity?.contains(row) == false ? nil : .number(numbers[row])
    }
  }
}

/// Features with the columns of the properties that an expression names.
struct BoundFeatures: Sendable {
  private let features: StyleFeatures
  private let bound: [StyleColumn?]

  init(_ features: StyleFeatures, names: [String]) {
    self.features = features
    bound = names.map { features.columns[$0] }
  }

  var tile: StyleTile? { features.tile }

  func value(_ index: Int, row: Int) -> StyleValue? { bound[index]?.value(row: row) }
  func value(named name: String, row: Int) -> StyleValue? { features.columns[name]?.value(row: row) }
  func id(row: Int) -> StyleValue { features.ids?.value(row: row) ?? .null }
  func kind(row: Int) -> StyleGeometryKind { features.kinds[row] }
  func properties(row: Int) -> StyleObject { features.properties(row: row) }
  func parts(row: Int) -> [[StylePoint]]? { features.parts(row: row) }

  /// Returns the rows by the codes of a property's values; nil when the values have none.
  func rowsByCode(_ index: Int, name: String) -> RowsByCode? {
    guard case .coded(let codes, let values)? = bound[index] else { return nil }
    return features.rowsByValue.rows(of: name, codes: codes, values: values)
  }

  /// Returns the codes of a property's values and their number; nil when they have none.
  func codes(_ index: Int) -> (codes: [Int32], count: Int)? {
    guard case .coded(let codes, let values)? = bound[index] else { return nil }
    return (codes, values.count)
  }

  /// Returns the value with a code; nil for a negative code.
  func value(_ index: Int, code: Int32) -> StyleValue? {
    guard code >= 0, case .coded(_, let values)? = bound[index] else { return nil }
    return values[Int(code)]
  }

  /// Whether no feature has a property.
  func isMissing(_ index: Int) -> Bool { if case .none = bound[index] { true } else { false } }
  var kinds: [StyleGeometryKind] { features.kinds }
}
