import MapFilter
import MapReaders
import MapState
import MapSystem

/// A table of values under names, in the formats that other programs read.
struct RecordTable {
  let head: [String]
  let rows: [[AttributeValue]]

  /// A line with the names, and one for each row; null is empty.
  var csv: String {
    var lines: [[String]] = [head.map(DelimitedWriter.quoted)]
    lines += rows.map { row in row.map(DelimitedWriter.cell) }
    return lines.map { $0.joined(separator: ",") + "\n" }.joined()
  }

  /// A table in Markdown; columns of numbers are aligned to the right.
  ///
  /// - Source: GitHub Flavored Markdown 0.29, 4.10.
  var markdown: String {
    func cell(_ text: String) -> String {
      MessageText.line(text).replacing("\\", with: "\\\\").replacing("|", with: "\\|")
    }
    let rules = head.indices.map { column in
      rows.allSatisfy { [nil, .integer, .real].contains($0[column].type) } ? "--:" : "---"
    }
    var lines: [[String]] = [head.map(cell), rules]
    lines += rows.map { row in row.map { $0 == .null ? "" : cell($0.plainText) } }
    return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// An object in JSON for each row, one per line, with a member `geometry` if there are any.
  func ndjson(geometries: [JSONValue]? = nil) -> String {
    rows.enumerated().map { index, row in
      var object = JSONObject()
      for (name, value) in zip(head, row) { object[name] = value.json }
      if let geometries { object["geometry"] = geometries[index] }
      return JSONValue.object(object).text() + "\n"
    }.joined()
  }

  /// The table in a format; nil for text and JSON, which each answer has in a form of its own.
  func text(as format: OutputFormat) -> String? {
    switch format {
    case .csv: csv
    case .markdown: markdown
    case .ndjson: ndjson()
    case .text, .json: nil
    }
  }
}
