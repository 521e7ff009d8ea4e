import MapFeatures
import MapJSON
import MapScript
import MapState

/// A number that a case must show, independent of its image.
public struct SnapshotExpectation: Sendable {
  /// The kind of number.
  enum Question: Sendable {
    /// The stages of a layer's funnel, each with its valid range.
    case counts([(stage: String, range: ClosedRange<Int>)])
    /// A statistic over the features in the view that meet a clause, with its allowed deviation.
    case statistic(StatisticsQuery, text: String, whereClause: String, value: Double, within: Double)
  }

  let layer: String
  let question: Question

  /// The stages that a count can be expected of.
  static let stages = ["total", "definition", "extent", "time", "scale", "display", "drawn", "edge"]

  /// Reads the numbers that a case expects.
  static func all(_ node: JSONNode) throws(JSONDecodingError) -> [SnapshotExpectation] {
    try node.refuseUnknown(["counts", "statistics"])
    var all: [SnapshotExpectation] = []
    for item in try node.elements("counts") {
      try item.refuseUnknown(["layer"] + stages)
      var counts: [(stage: String, range: ClosedRange<Int>)] = []
      for stage in stages {
        if let count = item[stage] { counts.append((stage, try range(count))) }
      }
      guard !counts.isEmpty else { throw item.invalid("expected one of \(stages.joined(separator: ", "))") }
      all.append(SnapshotExpectation(layer: try item.required("layer").string(), question: .counts(counts)))
    }
    for item in try node.elements("statistics") {
      try item.refuseUnknown(["layer", "statistic", "where", "value", "within"])
      let text = try item.required("statistic").string()
      let query: StatisticsQuery
      do {
        query = try StatisticsQuery(statistics: [text], groupBy: [], orderBy: [])
      } catch {
        throw item.invalid("\(error)")
      }
      guard query.definitions.count == 1 else { throw item.invalid("expected one statistic, not \"all\"") }
      let within = try item.double("within") ?? 0
      guard within >= 0 else { throw item.invalid("\"within\" must be 0 or more") }
      all.append(
        SnapshotExpectation(
          layer: try item.required("layer").string(),
          question: .statistic(
            query, text: text, whereClause: try item.string("where") ?? "",
            value: try item.required("value").double(), within: within)))
    }
    return all
  }

  /// Reads a number, or `A..B` for the range from A to B.
  private static func range(_ node: JSONNode) throws(JSONDecodingError) -> ClosedRange<Int> {
    guard let text = node.value.string else {
      let number = try node.integer()
      return number...number
    }
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap { Int($0) }
    guard ends.count == 2, text == "\(ends[0])..\(ends[1])", ends[0] <= ends[1] else {
      throw node.invalid("expected a number or \"A..B\"")
    }
    return ends[0]...ends[1]
  }

  /// Returns the deviation in one line; nil if all numbers are as expected.
  ///
  /// - Throws: `MapStateError` for an unknown layer or field.
  func failure(in drawn: DrawnSnapshot) async throws(MapStateError) -> String? {
    guard let index = drawn.layerIndex(named: layer) else {
      let names = drawn.layerNames.map { "\"\($0)\"" }.joined(separator: ", ")
      throw MapStateError(
        .input, "expect: no layer named \"\(layer)\"; available: \(names.isEmpty ? "none" : names)")
    }
    switch question {
    case .counts(let counts):
      let stages = drawn.report.layers[index].funnel?.stages ?? []
      let wrong = counts.compactMap { stage, range -> String? in
        guard let count = stages.first(where: { $0.name == stage })?.count ?? nil, !range.contains(count)
        else {
          return nil
        }
        let wanted = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
        return "\(stage) is \(count), expected \(wanted)"
      }
      return wrong.isEmpty ? nil : "layer \"\(layer)\": \(wrong.joined(separator: "; "))"
    case .statistic(let query, let text, let whereClause, let value, let within):
      var question = FeatureQuestion()
      question.whereClause = whereClause
      let table = try await drawn.view.statistics(of: drawn.view.layers[index], query, question)
      let found = table.records.first?.statistics.first.flatMap(\.number)
      if let found, abs(found - value) <= within { return nil }
      return "layer \"\(layer)\": \(text) is \(found.map { "\($0)" } ?? "null"), expected \(value)"
        + (within > 0 ? " within \(within)" : "")
    }
  }
}

extension AttributeValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
