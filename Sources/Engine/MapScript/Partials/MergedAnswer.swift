public import MapFeatures
public import MapImages
public import MapJSON
package import MapLayout
public import MapState
import MapSystem

/// The answer to a question, joined from the answers for all parts of the rows.
///
/// Counts and statistics are those of the whole table, bit by bit. An image has the same bytes for the same parts, in
/// whatever order they were computed.
public struct MergedAnswer: Sendable {
  /// The number of parts.
  public let partitionCount: Int
  /// The number of rows of all parts.
  public let rowCount: Int
  /// Whether no row is known to be missing.
  public let isExact: Bool
  /// The counts by layer; nil if the question asks none.
  public let count: CountAnswer?
  /// The counts in each extent of the question; nil if it has no list of extents.
  public let counts: [Int]?
  /// The statistics; nil if the question asks none.
  public let statistics: StatisticsTable?
  /// The question of the statistics; nil if the question asks none.
  public let statisticsQuery: StatisticsQuery?
  /// Whether the question asks an image; see ``bitmap(threads:)``.
  public let hasImage: Bool
  /// The warnings about the states.
  public let warnings: [String]
  private let images: [PartialImage]
  private let pixelRatio: Double

  /// The counts of layers that are drawn as a density; empty for symbols.
  package let cells: [CellSummary]
  /// The properties of the image; nil if the question asks none.
  package var canvas: PartialImage.Canvas? { images.first?.canvas }

  /// Joins the states of all parts.
  ///
  /// - Parameters:
  ///   - states: the states with their names for messages, in any order.
  ///   - expected: the number of parts.
  /// - Throws: `MapStateError` unless there is exactly one state for each of the ordinals 0 to `expected` - 1, and all
  ///   answer the same question.
  public init(
    _ states: [(name: String, state: PartialState)], expecting expected: Int
  ) throws(MapStateError) {
    guard expected > 0 else {
      throw MapStateError(.usage, "\(expected) partitions are impossible; give 1 or more")
    }
    let ordered = states.sorted { ($0.state.ordinal, $0.name) < ($1.state.ordinal, $1.name) }
    try Self.check(ordered, expected)
    guard let first = ordered.first else { throw MapStateError(.input, "there is no state") }
    let question = try PartialQuestion(text: first.state.question)
    partitionCount = expected
    rowCount = ordered.reduce(0) { sum, item in item.state.rows.reduce(sum) { $0 + $1.count } }
    isExact = ordered.allSatisfy(\.state.answers.isExact)
    do {
      count = try CountAnswer.joining(ordered.compactMap(\.state.answers.count))
      counts = ordered.compactMap(\.state.answers.counts).reduce(nil) { sums, next in
        zip(sums ?? next.map { _ in 0 }, next).map { $0 + $1 }
      }
      let filled = ordered.filter { $0.state.rows.contains { $0.count > 0 } }
      var joined = (filled.first ?? first).state.answers.statistics
      for item in filled.dropFirst() {
        guard let more = item.state.answers.statistics else { continue }
        do { try joined?.add(more) } catch { throw MapStateError(.input, "\(item.name): \(error)") }
      }
      statistics = try question.statistics.flatMap { asked in try joined?.table(asked.query) }
    } catch {
      throw MapStateError(error)
    }
    statisticsQuery = question.statistics?.query
    images = ordered.compactMap(\.state.answers.image)
    (hasImage, pixelRatio) = (question.image, question.view.pixelRatio)
    cells = PartialImage.cellSummaries(of: images)
    warnings = Self.warnings(about: ordered)
  }

  /// Refuses states that are not one for each ordinal, and states of other questions and layers.
  private static func check(
    _ states: [(name: String, state: PartialState)], _ expected: Int
  ) throws(MapStateError) {
    for (item, next) in zip(states, states.dropFirst()) where item.state.ordinal == next.state.ordinal {
      throw MapStateError(
        .input, "partition \(item.state.ordinal) is given twice: \(item.name) and \(next.name)")
    }
    for item in states where item.state.ordinal >= expected {
      throw MapStateError(
        .input,
        "\(item.name): is partition \(item.state.ordinal), but \(expected) partitions have the ordinals 0 to "
          + "\(expected - 1)")
    }
    let known = Set(states.map(\.state.ordinal))
    let missing = (0..<expected).lazy.filter { !known.contains($0) }
    if known.count < expected {
      let shown = missing.prefix(10).map { "\($0)" }.joined(separator: ", ")
      let count = expected - known.count
      throw MapStateError(
        .input,
        "\(count) of \(expected) partitions \(count == 1 ? "is" : "are") missing: \(shown)\(count > 10 ? ", …" : "")"
      )
    }
    guard let first = states.first else { return }
    for item in states.dropFirst() {
      guard item.state.digest == first.state.digest, item.state.question == first.state.question else {
        func short(_ state: PartialState) -> String { String(SHA256.hexadecimal(state.digest).prefix(12)) }
        throw MapStateError(
          .input,
          "\(item.name): answers another question (\(short(item.state))) than \(first.name) (\(short(first.state)))"
        )
      }
      try check(item, against: first)
    }
    for index in first.state.rows.indices { try checkFields(ofLayer: index, in: states) }
    // A row at ±180° is also found one world copy further if another row of the table is beyond.
    for index in first.state.rows.indices {
      for side in 0..<2 {
        let rim = states.first { $0.state.rows[index].reach[side] == .rim }
        let beyond = states.first { $0.state.rows[index].reach[side] == .beyond }
        guard let rim, let beyond else { continue }
        throw MapStateError(
          .input,
          "\(rim.name) has rows at exactly 180 degrees and \(beyond.name) beyond, which cannot be merged exactly; "
            + "put these rows into one partition")
      }
    }
  }

  /// Refuses partitions whose fields have other types: a filter would compare otherwise than in the whole table.
  private static func checkFields(
    ofLayer index: Int, in states: [(name: String, state: PartialState)]
  ) throws(MapStateError) {
    // Without rows, the types of a text file are unknown.
    let filled = states.filter { $0.state.rows[index].count > 0 }
    guard let first = filled.first else { return }
    let types = first.state.rows[index].types
    for item in filled.dropFirst() {
      let others = item.state.rows[index].types
      guard types != others else { continue }
      let names = Set(types.keys).union(others.keys).sorted()
      guard let name = names.first(where: { types[$0] != others[$0] }) else { continue }
      throw MapStateError(
        .input,
        "the field \"\(name)\" is \(types[name] ?? "missing") in \(first.name) and "
          + "\(others[name] ?? "missing") in \(item.name); write the same types to all partitions")
    }
  }

  private static func check(
    _ item: (name: String, state: PartialState), against first: (name: String, state: PartialState)
  ) throws(MapStateError) {
    let (own, others) = (item.state.answers, first.state.answers)
    guard item.state.rows.count == first.state.rows.count else {
      throw MapStateError(
        .input,
        "\(item.name): has \(item.state.rows.count) layers, and \(first.name) has \(first.state.rows.count); "
          + "the kinds of geometries must be the same")
    }
    guard own.image?.canvas == others.image?.canvas else {
      throw MapStateError(.input, "\(item.name): has an image of other layers than \(first.name)")
    }
    guard (own.count == nil) == (others.count == nil), own.counts?.count == others.counts?.count,
      (own.statistics == nil) == (others.statistics == nil)
    else { throw MapStateError(.input, "\(item.name): has other answers than \(first.name)") }
  }

  /// Returns a warning for each two states that are the same but for their ordinals.
  private static func warnings(about states: [(name: String, state: PartialState)]) -> [String] {
    var (known, warnings) = ([[UInt8]: String](), [String]())
    for item in states where item.state.rows.contains(where: { $0.count > 0 }) {
      if let other = known.updateValue(item.name, forKey: item.state.answerDigest) {
        warnings.append("\(other) and \(item.name) have equal answers: check that they are of different rows")
      }
    }
    return warnings
  }

  /// Lays the images of all parts over each other, the first at the bottom; nil if the question asks no image.
  ///
  /// - Throws: `MapStateError`.
  public func bitmap(threads: Int = 1) throws(MapStateError) -> Bitmap? {
    try PartialImage.joined(images, threads: threads)
  }

  /// Returns the image with a legend of counts, and warnings about the legend; nil if the question asks no image.
  ///
  /// - Throws: `MapStateError`, also for an image of symbols, whose classes the states do not have.
  package func page(
    _ layout: PageLayout, threads: Int
  ) throws(MapStateError) -> (bitmap: Bitmap, warnings: [String])? {
    guard !hasImage || !cells.isEmpty else {
      throw MapStateError(
        .usage,
        "only images of counts have a legend, whose question has \"aggregate\"; draw the legend of symbols with "
          + "mapstate legend")
    }
    return try PartialImage.page(images, layout, pixelRatio: pixelRatio, threads: threads)
  }

  /// The answer as JSON with keys in a fixed order.
  public func json(warnings: [String]) -> JSONValue {
    var object: JSONObject = ["partitions": .number(partitionCount), "rows": .number(rowCount)]
    object.set(inexactReason: isExact ? nil : "the rows of a partition are not complete")
    object["count"] = count?.json
    object["counts"] = counts.map { .array($0.map { .number($0) }) }
    object["statistics"] = statistics?.json
    if !cells.isEmpty { object["aggregate"] = .array(cells.map(\.json)) }
    object["warnings"] = .array(warnings.map { .string($0) })
    return .object(object)
  }
}
