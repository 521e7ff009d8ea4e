import MapFilter

/// The row of a table for each row of a layer, found by equal keys.
struct JoinedRows: Sendable {
  /// For each row of the layer, the row of the table; -1 for none.
  let rows: [Int32]
  /// The rows without a partner and the differences that explain them.
  private(set) var report = JoinReport()

  /// Finds the rows.
  ///
  /// - Parameter takesFirst: Whether the first of several rows of the table with one key is taken.
  /// - Throws: ``TableJoinError/duplicateKeys(count:first:)`` if a key is in several rows of the table, unless the first is
  ///   taken.
  init(layer: Column, table: Column, takesFirst: Bool) throws(TableJoinError) {
    let keys = JoinKeys(layer: layer, table: table)
    var rowOfKey = [Int32](repeating: -1, count: keys.count)
    var (repeated, repeatedRows) = ([Int32: Int32](), 0)
    for row in keys.table.indices {
      let key = Int(keys.table[row])
      guard key >= 0 else { continue }
      if rowOfKey[key] < 0 {
        rowOfKey[key] = Int32(row)
      } else {
        repeatedRows += 1
        if !takesFirst, repeated[Int32(key)] == nil { repeated[Int32(key)] = Int32(row) }
      }
    }
    guard repeated.isEmpty else {
      let first = repeated.sorted { $0.value < $1.value }.prefix(TableJoinError.listedKeys).map { key, row in
        TableJoinError.Duplicate(
          key: table.value(at: Int(row)).keyText, firstRow: Int(rowOfKey[Int(key)]) + 1,
          secondRow: Int(row) + 1)
      }
      throw .duplicateKeys(count: repeated.count, first: first)
    }
    rows = keys.layer.map { $0 < 0 ? -1 : rowOfKey[Int($0)] }
    var isInLayer = [Bool](repeating: false, count: keys.count)
    for key in keys.layer where key >= 0 { isInLayer[Int(key)] = true }
    report.repeatedCount = repeatedRows
    report.layer = Self.side(keys.layer, layer, count: keys.count) { rowOfKey[$0] >= 0 }
    report.table = Self.side(keys.table, table, count: keys.count) { isInLayer[$0] }
    if let texts = keys.texts, report.layer.unmatchedCount > report.layer.nullCount {
      report.nearMatches = Self.nearMatches(keys, texts, rowOfKey: rowOfKey)
    }
  }

  /// Returns the number of rows without a partner, and the first of their keys.
  private static func side(
    _ keys: [Int32], _ column: Column, count: Int, _ isMatched: (Int) -> Bool
  ) -> JoinReport.Side {
    var side = JoinReport.Side()
    side.rowCount = keys.count
    var listed: Set<Int32> = []
    for row in keys.indices {
      let key = keys[row]
      guard key >= 0 else {
        side.unmatchedCount += 1
        side.nullCount += 1
        continue
      }
      guard !isMatched(Int(key)) else { continue }
      side.unmatchedCount += 1
      guard !side.hasMoreKeys, !listed.contains(key) else { continue }
      guard listed.count < JoinReport.listedKeys else {
        side.hasMoreKeys = true
        continue
      }
      listed.insert(key)
      side.unmatchedKeys.append(column.value(at: row).keyText)
    }
    return side
  }

  /// Returns the rows of the layer without a partner whose keys are those of a table's row in another writing.
  private static func nearMatches(
    _ keys: JoinKeys, _ texts: TextTable, rowOfKey: [Int32]
  ) -> [JoinReport.NearMatch] {
    var unmatched = [Int](repeating: 0, count: keys.count)
    var order: [Int] = []
    for key in keys.layer where key >= 0 && rowOfKey[Int(key)] < 0 {
      if unmatched[Int(key)] == 0 { order.append(Int(key)) }
      unmatched[Int(key)] += 1
    }
    // Texts that differ in code points alone are equal as keys of a dictionary.
    var known: [String: Int] = [:]
    for key in rowOfKey.indices where rowOfKey[key] >= 0 {
      let loose = KeyWriting(texts.text(key)).loose()
      if known[loose] == nil { known[loose] = key }
    }
    var found: [JoinReport.NearMatch] = []
    for key in order {
      let own = KeyWriting(texts.text(key))
      guard let other = known[own.loose()].map({ KeyWriting(texts.text($0)) }) else { continue }
      let differences = own.differences(from: other)
      if let place = found.firstIndex(where: { $0.differences == differences }) {
        found[place].rowCount += unmatched[key]
      } else {
        found.append(
          JoinReport.NearMatch(
            differences: differences, rowCount: unmatched[key], layerKey: own.text, tableKey: other.text))
      }
    }
    return found
  }
}

/// A key as text, and forms of it without some differences in writing.
private struct KeyWriting {
  let text: String

  init(_ text: String) { self.text = text }

  /// Returns the text without differences in writing, except in one of them.
  func loose(keeping kept: JoinReport.Difference? = nil) -> String {
    var text = self.text[...]
    if kept != .blanks {
      text = text.drop(while: \.isWhitespace)
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    if kept != .leadingZeros {
      // The last zero, and one before a point, are digits of a number.
      while text.first == "0", let next = text.dropFirst().first, next.isLetter || next.isNumber {
        text.removeFirst()
      }
    }
    return kept == .letterCase ? String(text) : text.lowercased()
  }

  /// Returns the differences between two texts that are alike without them.
  func differences(from other: KeyWriting) -> [JoinReport.Difference] {
    JoinReport.Difference.allCases.filter { difference in
      let (own, others) = (loose(keeping: difference), other.loose(keeping: difference))
      return difference == .unicodeForm ? !own.utf8.elementsEqual(others.utf8) : own != others
    }
  }
}
