import MapJSON
import MapState

/// A change that cases have in common, with its number in the report.
struct SnapshotCause {
  /// The first change with the cause.
  let change: SnapshotChange
  /// The number in the report, from 1.
  private(set) var number = 0
  /// The largest number of features with the change in one case.
  private(set) var featureCount: Int
  /// The names of the cases, in order.
  private(set) var cases: [String]
  /// The names of those with an image to accept.
  private(set) var accepted: [String]

  /// The layer, class, property and values in one line.
  var text: String { change.cause }

  /// Returns the causes of failed cases, each once, those of most cases first.
  static func all(of entries: [SnapshotReportEntry]) -> [SnapshotCause] {
    var (found, places) = ([SnapshotCause](), [String: Int]())
    for entry in entries where entry.result.outcome.isFailure {
      for change in causes(of: entry.result) {
        let place = places[change.cause] ?? found.count
        if place == found.count {
          places[change.cause] = place
          found.append(SnapshotCause(change: change, featureCount: 0, cases: [], accepted: []))
        }
        found[place].featureCount = max(found[place].featureCount, change.featureCount)
        found[place].cases.append(entry.result.name)
        if entry.acceptCommand != nil { found[place].accepted.append(entry.result.name) }
      }
    }
    var sorted = found.sorted { $0.cases.count > $1.cases.count }
    for index in sorted.indices { sorted[index].number = index + 1 }
    return sorted
  }

  /// Returns the changes that cause the failure of a case, each once: all that follow from no other one, and the counts
  /// that none of them explains.
  static func causes(of result: SnapshotResult) -> [SnapshotChange] {
    var known: Set<String> = []
    let own = result.changes.filter { !$0.isEffect }
    var counts = own.isEmpty || own.contains(where: \.changesCounts) ? [] : result.numbers
    // A symbol of another size reaches the image from other features beyond its edge.
    if own.contains(where: { $0.scope == .symbol }) { counts.removeAll { $0.contains("\": edge ") } }
    return (own + counts.map { SnapshotChange(counts: $0) }).filter { known.insert($0.cause).inserted }
  }

  func json(report: String) -> JSONValue {
    let words = ["mapstate", "snapshot", "accept", "--cause", "\(number)", "--report-dir", report]
    let parts = [
      ("layer", change.layer), ("class", change.className), ("property", change.property),
      ("before", change.before), ("after", change.after),
    ]
    var object: JSONObject = ["number": .number(number), "cause": .string(text)]
    for (name, value) in parts { object[name] = value.map { .string($0) } ?? .null }
    object["labels"] = .boolean(change.isLabels)
    object["featureCount"] = .number(featureCount)
    object["cases"] = .array(cases.map { .string($0) })
    object["accept"] =
      accepted.isEmpty
      ? .null : .string(words.map(SnapshotReportEntry.quoted).joined(separator: " "))
    return .object(object)
  }
}

extension SnapshotChange {
  /// Creates the change of counts that a line names.
  fileprivate init(counts line: String) {
    self.init(
      layer: nil, isLabels: false, className: nil, summary: "counts: \(line)", featureCount: 0, features: [])
  }

  /// Whether the change may select or draw other features, so that counts follow from it.
  fileprivate var changesCounts: Bool {
    switch scope {
    case .symbol, .labels: false
    case .layer: !["opacity", "title", "order", "blendMode"].contains(key)
    case .view: key != "background" && !(key?.hasPrefix("page") ?? false)
    case .rule: key != "label"
    case .style: true
    // Data: features that are drawn no longer, newly or in another class.
    case nil: !isOfDrawing && property == nil
    }
  }
}
