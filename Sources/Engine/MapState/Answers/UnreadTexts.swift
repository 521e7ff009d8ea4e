import MapDrawing
import MapFeatures
import MapFilter
import MapJSON
import MapModel

/// The texts of a field that a filter or a renderer reads as numbers or times, and that are none.
package struct UnreadTexts: Hashable, Sendable, CustomStringConvertible {
  /// The part that reads the field, such as `CAST of the field v`.
  let reader: String
  let cast: TextCast
  /// The number of rows with such a text.
  let count: Int
  /// The number of rows with a text.
  let total: Int
  /// The first of the texts.
  let example: String

  /// The sentence for notes.
  package var description: String {
    let verb = count == 1 ? "is" : "are"
    let fault: String =
      switch cast.type {
      case .integer, .real: "\(verb) no number"
      default: "\(verb) not of the form yyyy-mm-dd or yyyy-mm-dd hh:mm:ss"
      }
    return
      "\(reader): \(count) of \(total) \(total == 1 ? "text" : "texts") \(fault) and became null, such as "
      + "'\(example.prefix(60))'"
  }

  /// Counts the texts of a field that a cast does not read; nil if it reads all, and for a field of another type.
  ///
  /// - Cost: one conversion for each distinct text, and a pass over the rows.
  fileprivate init?(_ reader: String, _ cast: TextCast, _ table: FeatureColumns) {
    guard let index = table.schema.index(ofField: cast.field),
      case .text(let codes, let dictionary) = table.columns[index].storage
    else { return nil }
    let isRead = dictionary.map(cast.reads)
    guard isRead.contains(false) else { return nil }
    var (count, total, first) = (0, 0, -1)
    for code in codes where code >= 0 {
      total += 1
      guard !isRead[Int(code)] else { continue }
      count += 1
      if first < 0 { first = Int(code) }
    }
    guard count > 0 else { return nil }
    (self.reader, self.cast, self.count, self.total) = (reader, cast, count, total)
    example = dictionary[first]
  }
}

extension ViewState {
  /// Returns the texts that the filters of a layer and of a question make null by CAST, and those that the layer's
  /// renderer does not read as numbers.
  ///
  /// Layers whose rows are not in memory have none.
  /// - Parameters:
  ///   - drawing: whether the display filter and the renderer apply.
  ///   - statistics: the statistics of the question, which may read texts as numbers, too.
  package func unreadTexts(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(), drawing: Bool,
    statistics: [StatisticDefinition] = []
  ) -> [UnreadTexts] {
    let conditions = conditions(for: layer, asking: question)
    var filters = [conditions.$definitionExpression, question.$whereClause, question.$cql2]
    if drawing { filters.append(conditions.$displayFilter) }
    var readers = filters.compactMap { (try? $0.read())?.expression }.flatMap(\.textCasts).map {
      (name: "CAST of the field \($0.field)", cast: $0)
    }
    for definition in statistics where definition.statisticType.needsNumbers {
      let cast = TextCast(field: definition.fieldName, type: .real)
      readers.append(("the statistics of the field \(cast.field)", cast))
    }
    for field in drawing ? layer.renderer.numberFieldNames : [] {
      readers.append(("the field \(field) of the renderer", TextCast(field: field, type: .real)))
    }
    readers.removeAll { reader in
      layer.source.schema.index(ofField: reader.cast.field).map { index in
        layer.source.schema.fields[index].fieldType.attributeType != .text
      } ?? true
    }
    guard !readers.isEmpty,
      let table = (layer.source.inMemory ?? (try? (layer.source as? PartlyReadSource)?.all()))?.columns()
    else { return [] }
    var found: [UnreadTexts] = []
    for (name, cast) in readers {
      if let texts = UnreadTexts(name, cast, table), !found.contains(texts) { found.append(texts) }
    }
    return found
  }

  /// Returns a remark for each field of texts that are mostly numbers, if its least or its greatest text is asked.
  package func textOrderRemarks(of layer: LayerState, _ statistics: [StatisticDefinition]) -> [String] {
    guard let table = layer.source.inMemory?.columns() else { return [] }
    var known: Set<String> = []
    return statistics.filter { [.minimum, .maximum].contains($0.statisticType) }.compactMap { definition in
      let name = definition.fieldName
      guard known.insert(name.lowercased()).inserted,
        let texts = UnreadTexts("", TextCast(field: name, type: .real), table), texts.count * 2 < texts.total
      else { return nil }
      return "the field \(name) has texts, whose order is not that of numbers ('10' is before '9'); "
        + "\(texts.count) of \(texts.total) \(texts.count == 1 ? "is" : "are") no number, such as "
        + "'\(texts.example.prefix(60))'"
    }
  }

  /// Returns the name of a field with numbers that looks like that of the ids, where ids are the numbers of rows; nil for
  /// none.
  package func fieldLikeIDs(of layer: LayerState) -> String? {
    let fields = layer.source.schema.fields
    guard !fields.contains(where: { $0.fieldType == .oid }), layer.source.inMemory?.columns().objectIDs == nil
    else { return nil }
    return fields.first {
      FilterError.idNames.contains($0.name.lowercased()) && [.int16, .int32, .int64].contains($0.fieldType)
    }?.name
  }
}

extension RendererForm {
  /// The names of the fields whose texts are read as numbers, each once.
  package var numberFieldNames: [String] {
    var names = visualVariables.inputs.filter { $0.input.expression == nil }.flatMap(\.input.fieldNames)
    switch self {
    case .simple, .uniqueValue, .rules: break
    case .classBreaks(let renderer) where renderer.valueExpression != nil: break
    case .dotDensity(let renderer):
      names += renderer.attributes.filter { $0.valueExpression == nil }.map(\.fieldName)
    case .pieChart(let renderer):
      names += renderer.attributes.filter { $0.valueExpression == nil }.map(\.fieldName)
    case .classBreaks, .heatmap: names += fieldNames
    }
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }
}
