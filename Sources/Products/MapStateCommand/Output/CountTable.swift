import MapFilter
import MapGeometry
import MapScript
import MapState
import MapSystem

/// Counts in the formats of the tool.
enum CountTable {
  /// Returns a line for each count; formats with names include the extents.
  static func text(counts: [Int], _ extents: [Envelope], format: OutputFormat) -> String {
    switch format {
    case .text: return counts.map { "\($0)\n" }.joined()
    case .json:
      let answer: JSONValue = [
        "counts": .array(counts.map { .number($0) }), "extents": .array(extents.map(asked)),
        "warnings": Warnings.json,
      ]
      return Warnings.noting(answer).text() + "\n"
    case .ndjson:
      return counts.indices.map { index in
        var object: JSONObject = ["count": .number(counts[index])]
        if extents.indices.contains(index) {
          for member in asked(extents[index]).object?.members ?? [] { object[member.name] = member.value }
        }
        return JSONValue.object(object).text() + "\n"
      }.joined()
    case .csv, .markdown:
      return RecordTable(head: ["count"], rows: counts.map { [.integer(Int64($0))] }).text(as: format) ?? ""
    }
  }

  private static func asked(_ extent: Envelope) -> JSONValue {
    ["extent": extent.json, "wkid": .number(extent.spatialReference?.wkid ?? 4326)]
  }

  /// The number for one layer, `TITLE<TAB>N` per line for several layers, a table for funnels.
  static func text(_ answer: CountAnswer, format: OutputFormat) -> String {
    switch format {
    case .json: return Warnings.noting(answer.json(warnings: Warnings.all)).text() + "\n"
    case .csv, .markdown, .ndjson:
      return table(answer, hasExactness: format == .ndjson).text(as: format) ?? ""
    case .text:
      if answer.layers.contains(where: { $0.funnel != nil }) { return funnels(answer) + classes(answer) }
      if answer.layers.contains(where: { $0.classes != nil }) { return classes(answer) }
      if answer.layers.count == 1, let layer = answer.layers.first { return "\(layer.count)\n" }
      return answer.layers.map { "\(MessageText.name($0.name))\t\($0.count)\n" }.joined()
    }
  }

  /// `CLASS<TAB>N` per line, with a funnel also the drawn number; the layer comes first for several layers.
  private static func classes(_ answer: CountAnswer) -> String {
    let lines = answer.layers.flatMap { layer in
      (layer.classes ?? []).map { item in
        (answer.layers.count == 1 ? [] : [MessageText.name(layer.name)])
          + [MessageText.name(item.label), "\(item.count)"] + (item.drawn.map { ["\($0)"] } ?? [])
      }
    }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// A row for each layer with the stages of its funnel, or a row for each class.
  ///
  /// - Parameter hasExactness: whether the last columns are the exactness of each count and the reason.
  private static func table(_ answer: CountAnswer, hasExactness: Bool) -> RecordTable {
    func exactness(_ layer: CountAnswer.Layer) -> [AttributeValue] {
      guard hasExactness else { return [] }
      return [.boolean(layer.isExact), layer.inexactReason.map { .text($0) } ?? .null]
    }
    let last = hasExactness ? ["exact", "reason"] : []
    var rows: [[AttributeValue]] = []
    guard !answer.layers.contains(where: { $0.classes != nil }) else {
      let hasDrawn = answer.layers.contains { $0.funnel != nil }
      for layer in answer.layers {
        for item in layer.classes ?? [] {
          var row: [AttributeValue] = [.text(layer.name), .text(item.label), number(item.count)]
          if hasDrawn { row.append(number(item.drawn)) }
          rows.append(row + exactness(layer))
        }
      }
      return RecordTable(
        head: ["layer", "class", "count"] + (hasDrawn ? ["drawn"] : []) + last, rows: rows)
    }
    // Only some layers have clusters or labels.
    let stages = FilterFunnel.stageNames.filter { name in
      answer.layers.contains { $0.funnel?.stages.contains { $0.name == name } ?? false }
    }
    for layer in answer.layers {
      var row: [AttributeValue] = [.text(layer.name), number(layer.count)]
      for name in stages { row.append(number(layer.funnel?.stages.first { $0.name == name }?.count)) }
      rows.append(row + exactness(layer))
    }
    return RecordTable(head: ["layer", "count"] + stages + last, rows: rows)
  }

  /// The funnels of several modes of the filters, side by side.
  static func text(
    _ answers: [(mode: FilterMode, answer: CountAnswer)], format: OutputFormat
  ) -> String {
    switch format {
    case .json:
      let modes: [JSONValue] = answers.map { item in
        var object: JSONObject = ["filters": .string(item.mode.rawValue)]
        for member in item.answer.json.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
      }
      return Warnings.noting(["modes": .array(modes), "warnings": Warnings.json]).text() + "\n"
    case .csv, .markdown, .ndjson:
      let tables = answers.map { table($0.answer, hasExactness: format == .ndjson) }
      var rows: [[AttributeValue]] = []
      for (item, table) in zip(answers, tables) {
        let mode = AttributeValue.text(item.mode.rawValue)
        for row in table.rows { rows.append([mode] + row) }
      }
      return RecordTable(head: ["filters"] + (tables.first?.head ?? []), rows: rows).text(as: format) ?? ""
    case .text:
      guard let layers = answers.first?.answer.layers else { return "" }
      return layers.indices.map { index in
        let funnels = answers.map { $0.answer.layers[index].funnel?.stages ?? [] }
        let names = (funnels.first ?? []).map(\.name)
        let rows = names.map { name -> [String] in
          let counts = funnels.map { stages in stages.first { $0.name == name }?.count }
          return [name] + counts.map { count in count.map { "\($0)" } ?? "-" }
        }
        return AlignedTable.text(
          head: [MessageText.name(layers[index].name)] + answers.map(\.mode.rawValue), rows: rows,
          isNumber: [false] + answers.map { _ in true })
      }.joined(separator: "\n")
    }
  }

  private static func number(_ count: Int?) -> AttributeValue { count.map { .integer(Int64($0)) } ?? .null }

  private static func funnels(_ answer: CountAnswer) -> String {
    var text = ""
    for layer in answer.layers {
      guard let funnel = layer.funnel else { continue }
      let largest = max(funnel.stages.compactMap(\.count).max() ?? 0, 1)
      text += "\(MessageText.name(layer.name))\n"
      for stage in funnel.stages {
        let name = stage.name + String(repeating: " ", count: 12 - stage.name.count)
        let number = stage.count.map { "\($0)" } ?? "-"
        let bar = String(repeating: "#", count: ((stage.count ?? 0) * 40 + largest - 1) / largest)
        let line = "  \(name)\(String(repeating: " ", count: max(0, 9 - number.count)))\(number)"
        text += (bar.isEmpty ? line : "\(line)  \(bar)") + "\n"
      }
    }
    return text
  }
}
