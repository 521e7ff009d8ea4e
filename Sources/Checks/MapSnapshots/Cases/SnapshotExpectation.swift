import MapFeatures
import MapJSON
package import MapScript
import MapState

/// A number that a case must show, independent of its image.
public struct SnapshotExpectation: Sendable {
  /// The kind of number.
  enum Question: Sendable {
    /// The stages of a layer's funnel, each with its valid range.
    case counts([(stage: String, expected: Expectation)])
    /// A statistic over some features, by default those in the view, with its allowed deviation.
    case statistic(StatisticsQuery, text: String, QuestionRequest, value: Double, within: Double)
  }

  let layer: String
  let question: Question

  /// The features of an expected statistic; nil for counts.
  package var request: QuestionRequest? {
    if case .statistic(_, _, let request, _, _) = question { request } else { nil }
  }

  /// The stages that a count can be expected of.
  package static let stages = [
    "total", "definition", "extent", "time", "scale", "display", "invisible", "drawn", "labelled",
    "edge",
  ]

  /// The keys of an expected statistic: those of a question, and its own.
  package static let statisticKeys = QuestionRequest.names + ["layer", "statistic", "value", "within"]

  /// Reads the numbers that a case expects.
  static func all(_ node: JSONNode) throws(MapStateError) -> [SnapshotExpectation] {
    do { return try read(node) } catch { throw MapStateError(error) }
  }

  private static func read(_ node: JSONNode) throws -> [SnapshotExpectation] {
    try node.refuseUnknown(["counts", "statistics"])
    var all: [SnapshotExpectation] = []
    for item in try node.elements("counts") {
      try item.refuseUnknown(["layer"] + stages)
      var counts: [(stage: String, expected: Expectation)] = []
      for stage in stages {
        if let count = item[stage] { counts.append((stage, try Expectation(count))) }
      }
      guard !counts.isEmpty else { throw item.invalid("expected one of \(stages.joined(separator: ", "))") }
      all.append(SnapshotExpectation(layer: try item.required("layer").string(), question: .counts(counts)))
    }
    for item in try node.elements("statistics") {
      try item.refuseUnknown(statisticKeys)
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
            query, text: text, try QuestionRequest(item),
            value: try item.required("value").double(), within: within)))
    }
    return all
  }

  /// Returns the deviation in one line; nil if all numbers are as expected.
  ///
  /// - Parameter folder: The folder of a query geometry.
  ///
  /// - Throws: `MapStateError` for an unknown layer or field.
  func failure(in drawn: DrawnSnapshot, folder: String) async throws(MapStateError) -> String? {
    guard let index = drawn.layerIndex(named: layer) else {
      let names = drawn.layerNames.map { "\"\($0)\"" }.joined(separator: ", ")
      throw MapStateError(
        .input, "expect: no layer named \"\(layer)\"; available: \(names.isEmpty ? "none" : names)")
    }
    switch question {
    case .counts(let counts):
      let stages = drawn.report.layers[index].funnel?.stages ?? []
      let wrong = counts.compactMap { stage, expected -> String? in
        // A layer without labels has no such stage.
        let found = stages.first { $0.name == stage }?.count ?? (stage == "labelled" ? 0 : nil)
        guard let count = found, !expected.range.contains(count)
        else {
          return nil
        }
        return "\(stage) is \(count), expected \(expected)"
      }
      return wrong.isEmpty ? nil : "layer \"\(layer)\": \(wrong.joined(separator: "; "))"
    case .statistic(let query, let text, let request, let value, let within):
      let question = try request.question(folder: folder)
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
