import MapReaders
import MapScript
import MapState

extension FieldSelection {
  /// The fields that a command needs in addition to those of a document's layers.
  ///
  /// - Parameter names: fields that the command's own options name.
  init(_ map: MapOptions, _ question: QuestionOptions? = nil, names: [String] = []) {
    // For plain data, time uses the only date field, which can be found from all fields alone.
    guard map.filters.time == nil else {
      self = .all
      return
    }
    let filters =
      (map.filters.definition + map.filters.displayFilter).flatMap(\.readings)
      + [question?.whereClause, question?.cql2].compactMap { $0 }
    self.init(names + filters.flatMap(\.fieldNames))
  }

  /// The fields that a command needs for the symbols and labels of a style, too.
  init(
    _ map: MapOptions, _ style: StyleRequest, _ question: QuestionOptions? = nil, names: [String] = []
  ) {
    if style.readsAllFields { self = .all } else { self.init(map, question, names: names + style.fieldNames) }
  }
}
