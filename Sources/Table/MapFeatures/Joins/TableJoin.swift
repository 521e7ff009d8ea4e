import MapFilter
import MapJSON

/// A table whose columns are added to the rows of another table with equal keys.
///
/// A row of the layer has at most one partner; a row of the table may be the partner of many. Null keys have none.
package struct TableJoin: Sendable {
  /// The table; its geometry is ignored.
  package let table: FeatureColumns
  /// The name of the table, put before the names of fields that the layer has, too.
  package let name: String
  /// The field of the table with its keys.
  package let key: String
  /// The field of the layer with its keys.
  package let field: String
  /// Whether the first of several rows with one key is taken; otherwise they are an error.
  package let takesFirst: Bool

  /// Creates a join.
  package init(table: FeatureColumns, name: String, key: String, field: String, takesFirst: Bool) {
    (self.table, self.name, self.key, self.field) = (table, name, key, field)
    self.takesFirst = takesFirst
  }

  /// Returns a layer's table with the columns of this one, and a report.
  ///
  /// The rows, their order and their ids stay. The key of the table is left out if it has the name of the layer's
  /// field.
  ///
  /// - Throws: ``TableJoinError``.
  /// - Cost: one lookup per row of both tables, and one copy of each added value.
  package func joined(to layer: FeatureColumns) throws(TableJoinError) -> (FeatureColumns, JoinReport) {
    let own = try index(of: field, in: layer, isLayer: true)
    let other = try index(of: key, in: table, isLayer: false)
    let joined = try JoinedRows(
      layer: layer.columns[own], table: table.columns[other], takesFirst: takesFirst)
    var report = joined.report
    let names = (table.schema.fields[other].name.lowercased(), layer.schema.fields[own].name.lowercased())
    let added = table.columns.indices.filter { names.0 != names.1 || $0 != other }
    guard layer.columns.count + added.count <= FeatureSchema.fieldLimit else {
      throw .tooManyFields(layer.columns.count + added.count)
    }
    let fields = renamed(added.map { table.schema.fields[$0] }, beside: layer.schema, &report)
    report.addedCount = added.count
    let columns = added.map { table.columns[$0].rows(at: joined.rows) }
    return (layer.with(fields: layer.schema.fields + fields, layer.columns + columns), report)
  }

  private func index(
    of name: String, in table: FeatureColumns, isLayer: Bool
  ) throws(TableJoinError) -> Int {
    guard let index = table.schema.index(ofField: name) else {
      throw .missingField(name, isLayer: isLayer, available: table.schema.fields.map(\.name))
    }
    return index
  }

  /// Returns the fields with names that the layer does not have: those of the table, or with the table's name before
  /// them, and a number if this is taken, too.
  private func renamed(
    _ fields: [Field], beside layer: FeatureSchema, _ report: inout JoinReport
  ) -> [Field] {
    var taken = Set(layer.fields.map { $0.name.lowercased() })
    if layer.geometryKind != nil { taken.insert(layer.geometryName.lowercased()) }
    // A new name must not take that of another field of the table.
    let others = Set(fields.map { $0.name.lowercased() })
    let prefix = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return fields.map { field in
      var newName = field.name
      if taken.contains(newName.lowercased()) {
        newName = "\(prefix)_\(field.name)"
        var number = 2
        while taken.contains(newName.lowercased()) || others.contains(newName.lowercased()) {
          newName = "\(prefix)_\(field.name)_\(number)"
          number += 1
        }
        report.renamings.append(JoinReport.Renaming(name: field.name, newName: newName))
      }
      taken.insert(newName.lowercased())
      return field.joined(named: newName)
    }
  }
}

/// The reason why a join cannot be made.
package enum TableJoinError: Error, Hashable, CustomStringConvertible {
  /// The layer or the table lacks the field.
  case missingField(String, isLayer: Bool, available: [String])
  /// Some keys are in several rows of the table.
  case duplicateKeys(count: Int, first: [Duplicate])
  /// The joined table has too many fields.
  case tooManyFields(Int)

  /// A key in several rows of the table, with the first two rows from 1.
  package struct Duplicate: Hashable, Sendable {
    let key: String
    let firstRow: Int
    let secondRow: Int
  }

  /// The maximum number of duplicate keys that are listed.
  static let listedKeys = 5

  /// The name that was probably meant; nil if there is none.
  package var suggestion: String? {
    guard case .missingField(let name, _, let available) = self else { return nil }
    return NearestName.of(name, among: available)
  }

  /// The reason in one line.
  package var description: String {
    switch self {
    case .missingField(let name, let isLayer, let available):
      let nearest = suggestion.map { "did you mean \"\($0)\"? " } ?? ""
      let list = available.prefix(30).joined(separator: ", ")
      let more = available.count > 30 ? " and \(available.count - 30) more" : ""
      return "the \(isLayer ? "layer" : "table") has no field \"\(name)\"; \(nearest)"
        + "available: \(available.isEmpty ? "none" : list)\(more)"
    case .duplicateKeys(let count, let first):
      let list = first.map { "\"\($0.key)\" (rows \($0.firstRow) and \($0.secondRow))" }
      let keys = count == 1 ? "1 key of the table is" : "\(count) keys of the table are"
      let more = count > first.count ? ", …" : ""
      return
        "\(keys) in several rows: \(list.joined(separator: ", "))\(more); keep one row of each key, or take "
        + "the first with --join-first"
    case .tooManyFields(let count):
      return "the layer would have \(count) fields; at most \(FeatureSchema.fieldLimit) are possible"
    }
  }
}

extension Field {
  /// Returns the field as a joined one: it may be null, and holds no ids of the layer's features.
  fileprivate func joined(named name: String) -> Field {
    let type: FieldType =
      switch fieldType {
      case .oid: .int64
      case .globalID: .guid
      default: fieldType
      }
    return Field(
      name: name, alias: alias == self.name ? name : alias, type: type, domain: domain, length: length,
      isNullable: true, isEditable: isEditable)
  }
}

extension FeatureColumns {
  /// Returns the rows with other fields and columns.
  package func with(fields: [Field], _ columns: [Column]) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: fields, geometryKind: schema.geometryKind, spatialReference: schema.spatialReference,
        geometryName: schema.geometryName),
      columns: columns, geometry: geometry, otherGeometries: otherGeometries, rowCount: rowCount,
      warnings: warnings, objectIDs: objectIDs, isComplete: isComplete)
  }
}

extension Column {
  /// Returns the values of some rows in the given order; null for row -1.
  func rows(at rows: [Int32]) -> Column {
    func some<Value>(_ values: [Value], _ none: Value) -> [Value] {
      rows.map { $0 < 0 ? none : values[Int($0)] }
    }
    var validity = RowSet(rowCount: rows.count)
    for (place, row) in rows.enumerated() where row >= 0 && isValid(Int(row)) { validity.insert(place) }
    let storage: Storage =
      switch self.storage {
      case .integers(let values): .integers(some(values, 0))
      case .shortIntegers(let values): .shortIntegers(some(values, 0))
      case .reals(let values): .reals(some(values, 0))
      case .booleans(let values): .booleans(some(values, false))
      case .dates(let values): .dates(some(values, 0))
      case .instants(let values): .instants(some(values, 0))
      case .text(let codes, let dictionary): Self.text(some(codes, -1), dictionary)
      }
    return Column(storage, validity: validity.count == rows.count ? nil : validity)
  }

  /// Returns texts by dictionary, with the texts that a row has in order of first appearance.
  private static func text(_ codes: [Int32], _ dictionary: [String]) -> Storage {
    var known = [Int32](repeating: -1, count: dictionary.count)
    var texts: [String] = []
    let codes = codes.map { code -> Int32 in
      guard code >= 0 else { return -1 }
      if known[Int(code)] < 0 {
        known[Int(code)] = Int32(texts.count)
        texts.append(dictionary[Int(code)])
      }
      return known[Int(code)]
    }
    return .text(codes: codes, dictionary: texts)
  }
}
