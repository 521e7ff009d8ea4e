internal import MapFeatures
internal import MapFilter
internal import MapGeometry
internal import MapSystem

/// The inputs of an expression: the columns of a table, the scale of the view and the instant of the question.
struct ArcadeInputs: Sendable {
  /// The fields that the expression names, bound to columns; nil for a missing field.
  private let bound: [Column?]
  private let table: FeatureColumns?
  /// The scale denominator of the view.
  let scale: Double
  /// Milliseconds since 1970-01-01T00:00:00Z.
  let now: Double

  /// Binds the fields of an expression to a table; without a table, all fields are null.
  init(fieldNames: [String], table: FeatureColumns?, scale: Double, now: Instant) {
    bound = fieldNames.map { name in
      table.flatMap { table in table.schema.index(ofField: name).map { table.columns[$0] } }
    }
    (self.table, self.scale) = (table, scale)
    self.now = (Double(now.microseconds) / 1000).rounded(.down)
  }

  /// The names of all fields.
  var names: [String] { table?.schema.fields.map(\.name) ?? [] }

  func value(_ index: Int, row: Int) -> ArcadeValue { bound[index].map { Self.value($0, row) } ?? .null }

  /// Returns the values of a field for some rows.
  func block(_ index: Int, rows: ArraySlice<Int>) -> ArcadeBlock {
    guard let column = bound[index] else { return .constant(.null) }
    guard column.validity == nil else { return .values(rows.map { Self.value(column, $0) }) }
    switch column.storage {
    case .integers(let values): return .numbers(rows.map { Double(values[$0]) })
    case .shortIntegers(let values): return .numbers(rows.map { Double(values[$0]) })
    case .reals(let values): return .numbers(rows.map { values[$0] })
    default: return .values(rows.map { Self.value(column, $0) })
    }
  }

  func value(named name: String, row: Int) -> ArcadeValue? {
    guard let table, let index = table.schema.index(ofField: name) else { return nil }
    return Self.value(table.columns[index], row)
  }

  @inline(__always)
  private static func value(_ column: Column, _ row: Int) -> ArcadeValue {
    guard column.isValid(row) else { return .null }
    switch column.storage {
    case .integers(let values): return .number(Double(values[row]))
    case .shortIntegers(let values): return .number(Double(values[row]))
    case .reals(let values): return .number(values[row])
    case .booleans(let values): return .boolean(values[row])
    case .text(let codes, let dictionary):
      let code = Int(codes[row])
      return code < 0 ? .null : .text(dictionary[code])
    case .dates(let values): return .date(Double(values[row]) * 86_400_000)
    case .instants(let values): return .date((Double(values[row]) / 1000).rounded(.down))
    }
  }

  /// Returns the domain of a field; nil for none.
  func domain(of name: String) -> FieldDomain? {
    guard let table, let index = table.schema.index(ofField: name) else { return nil }
    return table.schema.fields[index].domain
  }

  // MARK: Geometry

  /// A row's geometry; nil without one.
  func shape(row: Int) -> ArcadeShape? {
    guard let geometry = table?.geometry, row < geometry.rowCount, !geometry.isEmpty(row: row) else {
      return nil
    }
    return ArcadeShape(geometry, row: row, inDegrees: table?.schema.spatialReference == .wgs84)
  }

  /// The coordinates of a row with a point.
  func point(row: Int) -> (x: Double, y: Double)? {
    table?.geometry?.kind == .point ? shape(row: row)?.place(row) : nil
  }

  // MARK: Text

  /// Returns a value as text, as `+` and templates write it; null is empty.
  func text(_ value: ArcadeValue, machine: ArcadeMachine) throws(ArcadeError) -> String {
    switch value {
    case .null: return ""
    case .boolean(let value): return value ? "true" : "false"
    case .number(let value): return ArcadeValue.text(of: value)
    case .text(let text): return text
    case .date(let value): return ArcadeDate(value)?.isoText ?? ""
    case .array(let array):
      var parts: [String] = []
      for item in array.items { parts.append(try json(item, machine, depth: 1)) }
      let text = "[" + parts.joined(separator: ",") + "]"
      try machine.charge(text.utf8.count)
      return text
    case .dictionary, .feature, .geometry: return try json(value, machine, depth: 0)
    case .function: return "object, Function"
    }
  }

  /// Returns a value as JSON.
  private func json(
    _ value: ArcadeValue, _ machine: ArcadeMachine, depth: Int
  ) throws(ArcadeError) -> String {
    guard depth <= 16 else { throw ArcadeError("a value is nested too deeply for text", at: 0) }
    let text: String
    switch value {
    case .null, .function: text = "null"
    case .boolean, .number: text = try self.text(value, machine: machine)
    case .date(let value): text = ArcadeValue.text(of: value)
    case .text(let plain): text = Self.quoted(plain)
    case .array(let array):
      var parts: [String] = []
      for item in array.items { parts.append(try json(item, machine, depth: depth + 1)) }
      text = "[" + parts.joined(separator: ",") + "]"
    case .dictionary(let dictionary):
      var parts: [String] = []
      for key in dictionary.keys {
        parts.append(
          Self.quoted(key) + ":" + (try json(dictionary[key] ?? .null, machine, depth: depth + 1)))
      }
      text = "{" + parts.joined(separator: ",") + "}"
    case .feature:
      var parts: [String] = []
      for name in names {
        parts.append(
          Self.quoted(name) + ":"
            + (try json(self.value(named: name, row: machine.row) ?? .null, machine, depth: depth + 1)))
      }
      text = "{\"attributes\":{" + parts.joined(separator: ",") + "}}"
    case .geometry(.point(let x, let y)):
      text = "{\"x\":\(ArcadeValue.text(of: x)),\"y\":\(ArcadeValue.text(of: y))}"
    case .geometry(.ofFeature):
      guard let (x, y) = point(row: machine.row) else {
        throw ArcadeError("only points are written as text", at: 0)
      }
      text = try json(.geometry(.point(x: x, y: y)), machine, depth: depth)
    }
    try machine.charge(text.utf8.count)
    return text
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
