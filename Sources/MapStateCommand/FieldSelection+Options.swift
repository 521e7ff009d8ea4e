import MapState

extension FieldSelection {
  /// The fields that a command asks for, beside those of a document's layers.
  ///
  /// - Parameter names: those of the command's own options.
  init(_ map: MapOptions, _ question: QuestionOptions? = nil, names: [String] = []) {
    // Of plain data time goes by the one field of dates, which all fields together tell.
    guard map.time == nil else {
      self = .all
      return
    }
    let clauses =
      (map.definition + map.displayFilter).flatMap(LayerClause.readings)
      + [question?.whereClause].compactMap { $0 }
    self = clauses.reduce(FieldSelection(names)) { $0.union(FieldSelection(where: $1)) }
    if let cql2 = question?.cql2 { self = union(FieldSelection(cql2: cql2)) }
  }
}
