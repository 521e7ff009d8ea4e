import MapGeometry
import MapReaders
import MapState
import MapSystem

/// Counts as text, JSON or CSV.
enum CountTable {
  /// One count per line; JSON includes the extents.
  static func text(counts: [Int], _ extents: [Envelope], format: OutputFormat) -> String {
    switch format {
    case .text: return counts.map { "\($0)\n" }.joined()
    case .json:
      let asked: [JSONValue] = extents.map {
        ["extent": $0.json, "wkid": .number($0.spatialReference?.wkid ?? 4326)]
      }
      let answer: JSONValue = [
        "counts": .array(counts.map { .number($0) }), "extents": .array(asked), "warnings": Warnings.json,
      ]
      return Warnings.noting(answer).text() + "\n"
    case .csv: return "count\n" + counts.map { "\($0)\n" }.joined()
    }
  }

  /// The number for one layer, `TITLE<TAB>N` per line for several layers, a table for funnels.
  static func text(_ answer: CountAnswer, format: OutputFormat) -> String {
    switch format {
    case .json: return Warnings.noting(answer.json(warnings: Warnings.all)).text() + "\n"
    case .csv: return csv(answer)
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

  private static func classesCSV(_ answer: CountAnswer) -> String {
    let hasDrawn = answer.layers.contains { $0.funnel != nil }
    let head = ["layer", "class", "count"] + (hasDrawn ? ["drawn"] : [])
    let rows = answer.layers.flatMap { layer in
      (layer.classes ?? []).map { item in
        [DelimitedWriter.quoted(layer.name), DelimitedWriter.quoted(item.label), "\(item.count)"]
          + (item.drawn.map { ["\($0)"] } ?? [])
      }
    }
    return ([head] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func csv(_ answer: CountAnswer) -> String {
    if answer.layers.contains(where: { $0.classes != nil }) { return classesCSV(answer) }
    let stages = answer.layers.first?.funnel?.stages.map(\.name) ?? []
    let head = (["layer", "count"] + stages).joined(separator: ",")
    let rows = answer.layers.map { layer in
      ([DelimitedWriter.quoted(layer.name), "\(layer.count)"]
        + (layer.funnel?.stages.map { $0.count.map { "\($0)" } ?? "" } ?? []))
        .joined(separator: ",")
    }
    return ([head] + rows).map { $0 + "\n" }.joined()
  }

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
