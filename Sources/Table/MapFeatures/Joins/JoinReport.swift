/// The rows of a join that found no partner, and its other effects.
package struct JoinReport: Hashable, Sendable {
  /// The rows of the layer or of the table.
  package struct Side: Hashable, Sendable {
    /// The number of rows.
    package var rowCount = 0
    /// The number of rows whose key is not in the other table, or null.
    package var unmatchedCount = 0
    /// The number of rows with a null key, which are part of ``unmatchedCount``.
    package var nullCount = 0
    /// The first distinct keys without a partner.
    package var unmatchedKeys: [String] = []
    /// Whether there are more such keys.
    package var hasMoreKeys = false
  }

  /// A difference in writing that keeps keys from matching.
  package enum Difference: String, Hashable, Sendable, CaseIterable {
    /// Blanks before or after the key.
    case blanks
    /// Upper and lower case.
    case letterCase = "upper and lower case"
    /// Zeros before the first other digit.
    case leadingZeros = "leading zeros"
    /// Equal characters in different code points.
    case unicodeForm = "Unicode forms"
  }

  /// Rows of the layer whose keys differ from keys of the table only in writing.
  package struct NearMatch: Hashable, Sendable {
    /// The differences between the keys; removing all of them makes the keys equal.
    package let differences: [Difference]
    /// The number of rows.
    package var rowCount: Int
    /// A key of the layer.
    package let layerKey: String
    /// The similar key of the table.
    package let tableKey: String
  }

  /// A field of the table that got another name.
  package struct Renaming: Hashable, Sendable {
    package let name: String
    package let newName: String
  }

  /// The maximum number of keys without a partner that are listed for each side.
  package static let listedKeys = 5

  /// The rows of the layer.
  package internal(set) var layer = Side()
  /// The rows of the table.
  package internal(set) var table = Side()
  /// The number of the table's rows that were left out, because earlier rows have their keys.
  package internal(set) var repeatedCount = 0
  /// The rows of the layer that would match if keys were written alike.
  package internal(set) var nearMatches: [NearMatch] = []
  /// The fields that got another name, because the layer has theirs.
  package internal(set) var renamings: [Renaming] = []
  /// The number of added fields.
  package internal(set) var addedCount = 0
}

extension JoinReport {
  /// Returns the lines of a note: rows without a partner, renamed fields and rows that were left out.
  package func notes(layer layerName: String, table tableName: String) -> [String] {
    let sides = [layer.text("layer \"\(layerName)\""), table.text(tableName)]
    var notes = ["join \(tableName): \(sides.joined(separator: "; "))"]
    if !renamings.isEmpty {
      let list = renamings.prefix(Self.listedKeys).map { "\"\($0.name)\" to \"\($0.newName)\"" }
      let more = renamings.count - list.count
      notes.append(
        "join \(tableName): the layer has fields with the same names, so renamed: "
          + list.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }
    if repeatedCount > 0 {
      notes.append(
        "join \(tableName): \(repeatedCount) \(repeatedCount == 1 ? "row is" : "rows are") left out, because "
          + "earlier rows have the same keys")
    }
    return notes
  }

  /// Returns warnings about keys that do not match because they are written differently, and about joins without an
  /// effect.
  package func warnings(layer layerName: String, table tableName: String) -> [String] {
    var warnings = nearMatches.map { match in
      let rows = "\(match.rowCount) \(match.rowCount == 1 ? "row" : "rows") of layer \"\(layerName)\""
      return "join \(tableName): \(rows) would match without differences in "
        + match.differences.map(\.rawValue).joined(separator: " and ")
        + ", such as \"\(match.layerKey)\" and \"\(match.tableKey)\"; write the keys alike"
    }
    let isEmpty = layer.rowCount == 0 || table.rowCount == 0
    if nearMatches.isEmpty, !isEmpty, layer.unmatchedCount == layer.rowCount {
      warnings.append("join \(tableName): no row of layer \"\(layerName)\" has a partner")
    }
    if addedCount == 0 {
      warnings.append("join \(tableName): adds no field, because the table has only its key")
    }
    return warnings
  }
}

extension JoinReport.Side {
  /// The number of rows without a partner, and some of their keys.
  fileprivate func text(_ name: String) -> String {
    guard rowCount > 0 else { return "\(name) has no rows" }
    guard unmatchedCount > 0 else {
      return rowCount == 1
        ? "the row of \(name) has a partner" : "all \(rowCount) rows of \(name) have a partner"
    }
    let verb = unmatchedCount == 1 ? "has" : "have"
    let rows = rowCount == 1 ? "the row" : "\(unmatchedCount) of \(rowCount) rows"
    var text = "\(rows) of \(name) \(verb) no partner"
    if !unmatchedKeys.isEmpty {
      text += ": " + unmatchedKeys.map { "\"\($0)\"" }.joined(separator: ", ") + (hasMoreKeys ? ", …" : "")
    }
    if nullCount > 0 { text += " (\(nullCount) without a key)" }
    return text
  }
}
