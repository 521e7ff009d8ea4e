import MapState
import MapSystem

/// A text table: columns of numbers aligned to the right, others to the left.
enum AlignedTable {
  /// The longest cell that is not cut, in characters.
  private static let widest = 60

  /// Head, rule and rows, with two spaces between columns.
  static func text(head: [String], rows: [[String]], isNumber: [Bool]) -> String {
    let cells = ([head] + rows).map { $0.map(shown) }
    let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      head.indices.map { column in
        let blank = String(repeating: " ", count: widths[column] - row[column].count)
        return isNumber[column] ? blank + row[column] : row[column] + blank
      }.joined(separator: "  ")
    }
    lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
    return lines.map { line in
      line.replacing(#/ +$/#, with: "") + "\n"
    }.joined()
  }

  /// A cell on one line, cut to the limit, with control characters escaped.
  private static func shown(_ text: String) -> String {
    let line = MessageText.escaped(
      String(text.prefix(widest + 1).map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    return line.count > widest ? line.prefix(widest - 1) + "…" : line
  }
}
