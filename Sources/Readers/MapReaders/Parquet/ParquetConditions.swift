import MapFeatures
import MapFilter

/// The conditions of a question on the columns of a file, which exclude row groups and pages.
struct ParquetConditions: Sendable {
  private let part: ParquetTable.Part
  private var columns: [(leaf: Int, condition: FieldCondition)] = []

  /// Finds the columns of conditions; those on other fields exclude nothing.
  init(_ conditions: [FieldCondition], _ table: ParquetTable, part: ParquetTable.Part) {
    self.part = part
    for condition in conditions {
      let fields = table.plan.columns.filter { column in
        let name = column.values.field.name
        return condition.hasCase ? name == condition.name : name.lowercased() == condition.name.lowercased()
      }
      guard fields.count == 1, case .node(let node) = part.contents[fields[0].field],
        case .leaf(let leaf) = node.content, part.file.schema.leaves[leaf].repetition == 0
      else { continue }
      columns.append((leaf, condition))
    }
  }

  /// Whether a row of a row group may satisfy the conditions, by statistics and bloom filters.
  func mayHold(inGroup group: Int) throws -> Bool {
    let chunks = part.file.footer.rowGroups[group].chunks
    for (index, condition) in columns {
      let leaf = part.file.schema.leaves[index]
      guard Self.mayHold(condition, leaf, chunks[index].statistics) else { return false }
      guard case .oneOf(let values) = condition.values else { continue }
      let plain = values.compactMap { leaf.plainBytes($0) }
      guard plain.count == values.count,
        let filter = try ParquetBloomFilter(chunks[index], part.source.bytes)
      else { continue }
      guard plain.contains(where: filter.mayHold) else { return false }
    }
    return true
  }

  /// Returns the rows of a row group whose pages may satisfy the conditions; nil for all rows.
  func rows(ofGroup group: Int, rowCount: Int) throws -> [Range<Int>]? {
    var rows: [Range<Int>]?
    for (leaf, condition) in columns {
      let chunk = part.file.footer.rowGroups[group].chunks[leaf]
      guard let whole = try? chunk.range(fileSize: part.file.size),
        let index = try ParquetPageIndex(chunk, whole, rowCount: rowCount, part.source.bytes),
        let bounds = try index.bounds(chunk, part.source.bytes)
      else { continue }
      let column = part.file.schema.leaves[leaf]
      let own = zip(index.pages, bounds).filter { _, bounds in
        !bounds.isOnlyNulls && Self.mayHold(condition, column, bounds)
      }.map(\.0.rows)
      rows = rows?.intersection(own) ?? own
    }
    return rows
  }

  /// Whether a value between bounds may satisfy a condition.
  private static func mayHold(
    _ condition: FieldCondition, _ leaf: ParquetLeaf, _ bounds: ParquetStatistics
  ) -> Bool {
    guard let least = bounds.least, let greatest = bounds.greatest else { return true }
    if leaf.valueType.isText {
      // Bounds may be cut. Texts that are not UTF-8 are repaired when they are read, so their order is unknown.
      guard case .oneOf(let values) = condition.values else { return true }
      let plain = values.compactMap { leaf.plainBytes($0) }
      guard plain.count == values.count else { return true }
      return plain.contains {
        !$0.lexicographicallyPrecedes(least) && !greatest.lexicographicallyPrecedes($0)
      }
    }
    guard let least = leaf.value(ofBound: least), let greatest = leaf.value(ofBound: greatest) else {
      return true
    }
    return condition.mayHold(from: least, to: greatest)
  }
}

extension ParquetLeaf {
  /// Returns the value of a bound in statistics; nil for a type whose bounds are not used.
  fileprivate func value(ofBound bytes: [UInt8]) -> AttributeValue? {
    switch (type, valueType) {
    case (.int32, .integer(let bits, let isSigned)) where bytes.count == 4 && bits <= 32:
      let number = bytes.span.int32(at: 0)
      return .integer(isSigned ? Int64(number) : Int64(UInt32(truncatingIfNeeded: number)))
    case (.int64, .integer(bits: 64, isSigned: true)) where bytes.count == 8:
      return .integer(Int64(bytes.span.int64(at: 0)))
    case (.float, .real) where bytes.count == 4:
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: bytes.span.int32(at: 0)))
      return number.isNaN ? nil : .real(Double(number))
    case (.double, .real) where bytes.count == 8:
      let number = Double(bitPattern: bytes.span.bits64(at: 0))
      return number.isNaN ? nil : .real(number)
    case (.int32, .date) where bytes.count == 4:
      return CalendarDate(arrowDays: Int64(bytes.span.int32(at: 0))).map { .date($0) }
    default: return nil
    }
  }

  /// Returns the bytes of a value in the plain encoding; nil for one that the column may hold in another form.
  fileprivate func plainBytes(_ value: AttributeValue) -> [UInt8]? {
    switch (type, valueType, value) {
    case (.bytes, .bytes(_, isText: true), .text(let text)):
      // Bytes that are not UTF-8 are read as this character.
      return text.unicodeScalars.contains("\u{FFFD}") ? nil : Array(text.utf8)
    case (.int32, .integer(let bits, let isSigned), .integer(let number)) where bits <= 32:
      let word = isSigned ? Int32(exactly: number) : UInt32(exactly: number).map { Int32(bitPattern: $0) }
      return word.map { [$0].littleEndian }
    case (.int64, .integer(bits: 64, isSigned: true), .integer(let number)): return [number].littleEndian
    default: return nil
    }
  }
}
