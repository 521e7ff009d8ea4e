package import MapFeatures
import MapFilter
import MapGeometry
package import MapJSON
import MapModel
package import MapState
import MapSystem

/// The differences of the rows of two tables.
package struct TableDifference: Sendable {
  /// The way rows of two tables are matched.
  package enum Matching: Hashable, Sendable {
    /// By the ids that both tables have.
    case ids
    /// By the values of a field.
    case field(String)
    /// Equal rows first, and the others by their position between those.
    case position
  }

  /// A field or the geometry, with the rows in which it differs.
  package struct Change: Sendable {
    /// The name of the field; nil for the geometry.
    package let field: String?
    package fileprivate(set) var rows: Int
    /// The first row with its values before and after.
    package let example: (row: String, before: String, after: String)
  }

  package let matching: Matching
  /// The fields of only one table, and those of another type, as lines.
  package private(set) var structure: [String] = []
  package private(set) var (added, removed, changed, equal) = (0, 0, 0, 0)
  /// The first rows that only one table has.
  package private(set) var firstAdded: [String] = []
  package private(set) var firstRemoved: [String] = []
  /// The differing fields, in the order of the later table, and then the geometry.
  package private(set) var changes: [Change] = []
  /// Whether the matched rows are in another order.
  package private(set) var isReordered = false

  /// Whether the tables have the same fields and rows in the same order.
  package var isEqual: Bool {
    structure.isEmpty && added == 0 && removed == 0 && changed == 0 && !isReordered
  }

  /// Compares two tables.
  ///
  /// - Parameter key: the field whose values name rows; nil for ids, or else positions.
  /// - Cost: one pass over the values and vertices of both tables, and a lookup for each row.
  /// - Throws: `MapStateError` of kind usage for a field that a table lacks.
  package init(
    _ before: FeatureColumns, _ after: FeatureColumns, key: String? = nil
  ) throws(MapStateError) {
    if let key {
      for table in [before, after] where table.schema.index(ofField: key) == nil {
        let names = table.schema.fields.map(\.name)
        let nearest = NearestName.of(key, among: names)
        let advice =
          nearest.map { "did you mean \"\($0)\"?" }
          ?? "available: \(names.prefix(40).joined(separator: ", "))"
        throw MapStateError(.usage, "--key: no field named \"\(key)\"; \(advice)", suggestion: nearest)
      }
      matching = .field(key)
    } else {
      matching = before.hasOwnIDs && after.hasOwnIDs ? .ids : .position
    }
    compareStructure(before, after)
    let rows = RowComparison(before, after)
    let (oldName, newName) = (RowNames(before, matching), RowNames(after, matching))
    let pairs = rows.pairs(matching, oldName, newName)
    var (usedOld, usedNew) = (
      [Bool](repeating: false, count: before.rowCount), [Bool](repeating: false, count: after.rowCount)
    )
    var last = -1
    var places: [Int: Int] = [:]
    for (old, new) in pairs {
      (usedOld[old], usedNew[new]) = (true, true)
      if new < last { isReordered = true }
      last = max(last, new)
      let differing = rows.differing(old, new)
      guard !differing.isEmpty else {
        equal += 1
        continue
      }
      changed += 1
      for field in differing {
        if let place = places[field] {
          changes[place].rows += 1
          continue
        }
        places[field] = changes.count
        let values = rows.values(of: field, old, new)
        changes.append(
          Change(
            field: field < 0 ? nil : rows.name(of: field), rows: 1,
            example: (newName.text(new), values.before, values.after)))
      }
    }
    for row in usedOld.indices where !usedOld[row] {
      removed += 1
      if firstRemoved.count < 5 { firstRemoved.append(oldName.text(row)) }
    }
    for row in usedNew.indices where !usedNew[row] {
      added += 1
      if firstAdded.count < 5 { firstAdded.append(newName.text(row)) }
    }
    changes.sort { a, b in
      guard let first = a.field, let second = b.field else { return a.field != nil && b.field == nil }
      let names = after.schema.fields.map(\.name)
      return (names.firstIndex(of: first) ?? 0) < (names.firstIndex(of: second) ?? 0)
    }
  }

  private mutating func compareStructure(_ before: FeatureColumns, _ after: FeatureColumns) {
    let (olds, news) = (before.schema, after.schema)
    func type(_ table: FeatureColumns, _ name: String) -> String? {
      table.schema.fields.firstIndex { $0.name == name }.map { table.columns[$0].type.rawValue }
    }
    for field in news.fields {
      guard let now = type(after, field.name) else { continue }
      guard let was = type(before, field.name) else {
        structure.append("field \"\(field.name)\": none → \(now)")
        continue
      }
      if was != now { structure.append("field \"\(field.name)\": \(was) → \(now)") }
    }
    for field in olds.fields where type(after, field.name) == nil {
      structure.append("field \"\(field.name)\": \(type(before, field.name) ?? "none") → removed")
    }
    if olds.geometryKind != news.geometryKind {
      structure.append(
        "geometry: \(olds.geometryKind?.rawValue ?? "none") → \(news.geometryKind?.rawValue ?? "none")")
    }
    if let old = olds.spatialReference, let new = news.spatialReference, old != new {
      structure.append("spatial reference: \(old.wkid) → \(new.wkid)")
    }
  }

  /// The differences, a line each.
  package var lines: [String] {
    var lines = structure
    func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
    func named(_ names: [String], of count: Int) -> String {
      names.joined(separator: ", ") + (count > names.count ? " and \(count - names.count) more" : "")
    }
    if added > 0 { lines.append("\(rows(added)) added: \(named(firstAdded, of: added))") }
    if removed > 0 { lines.append("\(rows(removed)) removed: \(named(firstRemoved, of: removed))") }
    if changed > 0 { lines.append("\(rows(changed)) changed, \(equal) equal, compared by \(word)") }
    for change in changes {
      let (row, before, after) = change.example
      lines.append(
        "\(change.field.map { "field \"\($0)\"" } ?? "geometry"): \(rows(change.rows)) changed; "
          + "\(change.rows > 1 ? "first " : "")row \(row): \(before) → \(after)")
    }
    if isReordered { lines.append("rows in another order") }
    return lines
  }

  private var word: String {
    switch matching {
    case .ids: "id"
    case .field(let name): "field \"\(name)\""
    case .position: "position"
    }
  }

  /// The differences as JSON with keys in a fixed order.
  package var json: JSONValue {
    [
      "matching": .string(word), "added": .number(added), "removed": .number(removed),
      "changed": .number(changed), "equal": .number(equal), "reordered": .boolean(isReordered),
      "structure": .array(structure.map { .string($0) }),
      "fields": .array(
        changes.map { change in
          [
            "field": change.field.map { .string($0) } ?? .null, "rows": .number(change.rows),
            "row": .string(change.example.row), "before": .string(change.example.before),
            "after": .string(change.example.after),
          ]
        }),
    ]
  }
}

extension FeatureColumns {
  /// Whether the rows have ids of the source, and not only numbers.
  fileprivate var hasOwnIDs: Bool { objectIDs != nil || schema.fields.contains { $0.type == .oid } }
}

/// The names of a table's rows: ids, values of a field or numbers from 1.
private struct RowNames {
  private let ids: ObjectIDs
  private let column: Column?

  init(_ table: FeatureColumns, _ matching: TableDifference.Matching) {
    ids = ObjectIDs(table)
    if case .field(let name) = matching, let index = table.schema.index(ofField: name) {
      column = table.columns[index]
    } else {
      column = nil
    }
  }

  /// Returns the value that names a row.
  func key(_ row: Int) -> ComparedValue {
    column.map { ComparedValue($0.value(at: row)) } ?? ComparedValue(.integer(ids.id(ofRow: row)))
  }

  func text(_ row: Int) -> String {
    String((column?.value(at: row).plainText ?? "\(ids.id(ofRow: row))").prefix(60))
  }
}

/// A value that is equal to another one of the same meaning: 1 is 1.0.
private struct ComparedValue: Hashable {
  private let value: AttributeValue

  init(_ value: AttributeValue) {
    if case .integer(let number) = value, let same = Double(exactly: number) {
      self.value = .real(same)
    } else {
      self.value = value
    }
  }
}

/// The comparison of the rows of two tables by their common fields and their geometries.
private struct RowComparison {
  private let before: FeatureColumns
  private let after: FeatureColumns
  /// The columns of each common field in both tables.
  private let columns: [(name: String, before: Column, after: Column)]
  /// Whether the geometries can be compared.
  private let comparesGeometry: Bool

  init(_ before: FeatureColumns, _ after: FeatureColumns) {
    (self.before, self.after) = (before, after)
    var places: [String: Int] = [:]
    for (index, field) in before.schema.fields.enumerated() where places[field.name] == nil {
      places[field.name] = index
    }
    columns = after.schema.fields.enumerated().compactMap { index, field in
      places[field.name].map { (field.name, before.columns[$0], after.columns[index]) }
    }
    comparesGeometry = before.schema.spatialReference == after.schema.spatialReference
  }

  /// Returns the rows that belong together, in the order of the earlier table.
  func pairs(
    _ matching: TableDifference.Matching, _ oldNames: RowNames, _ newNames: RowNames
  ) -> [(before: Int, after: Int)] {
    guard matching == .position else {
      return Self.matched(
        Array(0..<before.rowCount), Array(0..<after.rowCount), oldNames.key, newNames.key)
    }
    // Unchanged files are the usual case, and need no lookups.
    var (start, end) = (0, 0)
    let shortest = min(before.rowCount, after.rowCount)
    while start < shortest, differing(start, start).isEmpty { start += 1 }
    while end < shortest - start, differing(before.rowCount - 1 - end, after.rowCount - 1 - end).isEmpty {
      end += 1
    }
    let olds = Array(start..<before.rowCount - end)
    let news = Array(start..<after.rowCount - end)
    var found = Self.matched(olds, news, { digest($0, before, true) }, { digest($0, after, false) })
      .filter { differing($0.before, $0.after).isEmpty }
    found = (0..<start).map { ($0, $0) } + found
    let matchedOlds = Set(found.map(\.before)), matchedNews = Set(found.map(\.after))
    // The other rows belong together in order, between the same equal rows.
    var groups: [Int: [Int]] = [:]
    var anchor = -1
    for new in news {
      if matchedNews.contains(new) { anchor = new } else { groups[anchor, default: []].append(new) }
    }
    for (key, group) in groups { groups[key] = group.reversed() }
    let partners = Dictionary(found.map { ($0.before, $0.after) }, uniquingKeysWith: { first, _ in first })
    anchor = -1
    for old in olds {
      if matchedOlds.contains(old) {
        anchor = partners[old] ?? anchor
      } else if let new = groups[anchor]?.popLast() {
        found.append((old, new))
      }
    }
    found += (0..<end).map { (before.rowCount - end + $0, after.rowCount - end + $0) }
    return found.sorted { $0.before < $1.before }
  }

  /// Matches rows with equal keys; those of one key in order.
  private static func matched<Key: Hashable>(
    _ olds: [Int], _ news: [Int], _ oldKey: (Int) -> Key, _ newKey: (Int) -> Key
  ) -> [(before: Int, after: Int)] {
    var places: [Key: [Int]] = [:]
    for row in news.reversed() { places[newKey(row), default: []].append(row) }
    return olds.compactMap { row in places[oldKey(row)]?.popLast().map { (row, $0) } }
  }

  /// Returns a number that equal rows share.
  private func digest(_ row: Int, _ table: FeatureColumns, _ isBefore: Bool) -> Int {
    var hasher = Hasher()
    for column in columns {
      hasher.combine(ComparedValue((isBefore ? column.before : column.after).value(at: row)))
    }
    if comparesGeometry, let buffer = table.buffer(ofRow: row) {
      for vertex in Self.vertices(buffer, row) {
        hasher.combine(buffer.x[vertex])
        hasher.combine(buffer.y[vertex])
      }
    }
    return hasher.finalize()
  }

  private static func vertices(_ buffer: CoordinateBuffer, _ row: Int) -> Range<Int> {
    guard buffer.kind != .point else { return row..<row + 1 }
    let parts = buffer.parts(ofRow: row)
    guard let first = parts.first, let last = parts.last else { return 0..<0 }
    return buffer.vertices(ofPart: first).lowerBound..<buffer.vertices(ofPart: last).upperBound
  }

  /// Returns the indexes of the common fields that differ between two rows; -1 is the geometry.
  func differing(_ old: Int, _ new: Int) -> [Int] {
    var found: [Int] = []
    for (index, column) in columns.enumerated()
    where ComparedValue(column.before.value(at: old)) != ComparedValue(column.after.value(at: new)) {
      found.append(index)
    }
    if comparesGeometry, !hasSameGeometry(old, new) { found.append(-1) }
    return found
  }

  private func hasSameGeometry(_ old: Int, _ new: Int) -> Bool {
    guard let a = before.buffer(ofRow: old), let b = after.buffer(ofRow: new) else {
      return before.buffer(ofRow: old) == nil && after.buffer(ofRow: new) == nil
    }
    guard a.kind == b.kind else { return false }
    let (first, second) = (Self.vertices(a, old), Self.vertices(b, new))
    guard first.count == second.count,
      zip(first, second).allSatisfy({ a.x[$0] == b.x[$1] && a.y[$0] == b.y[$1] })
    else { return false }
    guard a.kind != .point else { return true }
    return a.parts(ofRow: old).map { a.vertices(ofPart: $0).count }
      == b.parts(ofRow: new).map { b.vertices(ofPart: $0).count }
  }

  func name(of field: Int) -> String { columns[field].name }

  /// Returns the values of a field in two rows as text; -1 is the geometry.
  func values(of field: Int, _ old: Int, _ new: Int) -> (before: String, after: String) {
    guard field >= 0 else { return (Self.text(before, old), Self.text(after, new)) }
    func text(_ value: AttributeValue) -> String {
      value == .null ? "null" : String(value.plainText.prefix(60))
    }
    return (text(columns[field].before.value(at: old)), text(columns[field].after.value(at: new)))
  }

  private static func text(_ table: FeatureColumns, _ row: Int) -> String {
    guard let buffer = table.buffer(ofRow: row) else { return "none" }
    let vertices = vertices(buffer, row)
    guard buffer.kind == .point else { return "\(vertices.count) vertices" }
    return vertices.first.map { "\(buffer.x[$0]), \(buffer.y[$0])" } ?? "none"
  }
}
