import MapFeatures
import MapFilter
import MapJSON
import MapReaders
import MapSystem

/// The values of a column in short: the range of numbers and times, or the first texts.
struct ColumnSummary {
  /// The least and the greatest number, date or instant; nil for other types, and without a value.
  let range: (least: AttributeValue, greatest: AttributeValue)?
  /// The number of distinct texts; nil for other types.
  let distinct: Int?
  /// The first distinct texts, in the order of the rows.
  let samples: [String]

  /// The number of texts that are shown.
  private static let sampleCount = 3

  init(_ column: Column, rowCount: Int) {
    let rows = (0..<rowCount).lazy.filter { column.isValid($0) }
    func ends<Value: Comparable>(
      _ number: (Int) -> Value?, _ value: (Value) -> AttributeValue
    ) -> (least: AttributeValue, greatest: AttributeValue)? {
      var ends: (least: Value, greatest: Value)?
      for row in rows {
        guard let next = number(row) else { continue }
        let before = ends ?? (least: next, greatest: next)
        ends = (least: min(before.least, next), greatest: max(before.greatest, next))
      }
      return ends.map { (least: value($0.least), greatest: value($0.greatest)) }
    }
    var (distinct, samples): (Int?, [String]) = (nil, [])
    switch column.storage {
    case .integers(let values): range = ends({ values[$0] }, { .integer($0) })
    case .shortIntegers(let values): range = ends({ values[$0] }, { .integer(Int64($0)) })
    // NaN is no part of a range.
    case .reals(let values): range = ends({ values[$0].isNaN ? nil : values[$0] }, { .real($0) })
    case .dates(let values): range = ends({ values[$0] }, { .date(CalendarDate(days: $0)) })
    case .instants(let values): range = ends({ values[$0] }, { .instant(Instant(microseconds: $0)) })
    case .booleans: range = nil
    case .text(let codes, let dictionary):
      range = nil
      var seen = [Bool](repeating: false, count: dictionary.count)
      var count = 0
      for row in rows where codes[row] >= 0 && !seen[Int(codes[row])] {
        seen[Int(codes[row])] = true
        count += 1
        if samples.count < Self.sampleCount { samples.append(dictionary[Int(codes[row])]) }
      }
      distinct = count
    }
    (self.distinct, self.samples) = (distinct, samples)
  }

  /// The values in a few words, such as `1 to 7`; nil without a value.
  var text: String? {
    if let range {
      return range.least == range.greatest
        ? "all \(range.least.plainText)" : "\(range.least.plainText) to \(range.greatest.plainText)"
    }
    guard let distinct, distinct > 0 else { return nil }
    let shown = samples.map { "\"\(MessageText.name(String($0.prefix(30))))\($0.count > 30 ? "…" : "")\"" }
    let list = shown.joined(separator: ", ")
    if distinct <= samples.count { return list }
    return "\(distinct) values such as \(list)"
  }

  /// The members for JSON.
  var json: [(String, JSONValue)] {
    if let range { return [("minimum", range.least.json), ("maximum", range.greatest.json)] }
    guard let distinct else { return [] }
    return [("distinct", .number(distinct)), ("samples", .array(samples.map { .string($0) }))]
  }
}
