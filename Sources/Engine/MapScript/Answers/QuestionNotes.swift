package import MapFeatures
import MapFilter
package import MapModel
import MapState

extension ViewState {
  /// Returns notes on what a question about a layer did not find or read as one may think: texts that a CAST makes null,
  /// texts in the order of texts, ids that are numbers of rows or that no row has, decimals that no 32-bit number equals,
  /// and if the answer has no row, the texts in the filters that no row has.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the answer.
  ///   - drawing: whether the answer depends on the display filter and the renderer.
  package func notes(
    of layer: LayerState, _ question: FeatureQuestion, count: Int, drawing: Bool = false,
    statistics: [StatisticDefinition] = []
  ) -> [String] {
    let filters = [layer.definition.$definitionExpression, question.$whereClause, question.$cql2]
    var notes = unreadTexts(of: layer, question, drawing: drawing, statistics: statistics).map(\.description)
    notes += textOrderRemarks(of: layer, statistics)
    if let ids = question.objectIDs { notes += idNotes(of: layer, ids) }
    notes += filters.compactMap { (try? $0.read())?.expression }
      .flatMap { $0.singleNotes(in: layer.source.schema) }
    if count == 0 { notes += UnmatchedText.all(in: filters, of: layer).prefix(3).map(\.description) }
    return notes
  }

  /// Returns notes on ids that are numbers of rows beside a field of a usual name for ids, and on ids that no row has.
  private func idNotes(of layer: LayerState, _ ids: [Int64]) -> [String] {
    var notes: [String] = []
    if let field = fieldLikeIDs(of: layer) {
      notes.append(
        "ids of features are numbers of rows here; the condition \"\(field) IN (\(ids.first ?? 1))\" asks for the field "
          + field)
    }
    guard let table = layer.source.inMemory?.columns() else { return notes }
    let objectIDs = ObjectIDs(table)
    let found = Set(objectIDs.rows(with: Set(ids), rowCount: table.rowCount).map { objectIDs.id(ofRow: $0) })
    var known = found
    let missing = ids.filter { known.insert($0).inserted }
    if !missing.isEmpty {
      let rest = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      let list = missing.prefix(5).map(String.init).joined(separator: ", ")
      notes.append("no row has the \(missing.count == 1 ? "id" : "ids") \(list)\(rest)")
    }
    return notes
  }
}

extension FilterExpression {
  /// Notes on fields of 32-bit numbers that are compared for equality with a number that none of them is.
  fileprivate func singleNotes(in schema: FeatureSchema) -> [String] {
    var notes: [String] = []
    func compare(_ name: String, _ parts: [FilterExpression]) {
      guard let index = schema.index(ofField: name), schema.fields[index].fieldType == .float32 else {
        return
      }
      for case .literal(.real(let number)) in parts
      where Double(Float(number)) != number && Float(number).isFinite {
        notes.append(
          "the field \(schema.fields[index].name) has 32-bit numbers, and none of them is \(number); the nearest is "
            + "\(Double(Float(number)))")
      }
    }
    switch self {
    case .and(let terms), .or(let terms): return terms.flatMap { $0.singleNotes(in: schema) }
    case .not(let term): return term.singleNotes(in: schema)
    case .comparison(let comparison, .property(let name), let value)
    where [.equal, .notEqual].contains(comparison):
      compare(name, [value])
    case .comparison(let comparison, let value, .property(let name))
    where [.equal, .notEqual].contains(comparison):
      compare(name, [value])
    case .isIn(.property(let name), let elements): compare(name, elements)
    default: break
    }
    return notes
  }
}

extension StatisticsTable {
  /// Whether no row was found: there is no group, or every statistic is null or 0.
  package var isOfNoRows: Bool {
    records.allSatisfy { $0.group.isEmpty && $0.statistics.allSatisfy { [.null, .integer(0)].contains($0) } }
  }
}
