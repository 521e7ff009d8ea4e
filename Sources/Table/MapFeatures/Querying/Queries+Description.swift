import MapFilter
import MapGeometry

extension TimeExtent: CustomStringConvertible {
  /// Start and end in ISO 8601, `..` for an open end, such as `2020-01-01T00:00:00Z/..`.
  public var description: String {
    [start, end].map { $0?.description ?? ".." }.joined(separator: "/")
  }
}

extension TimeInfo: CustomStringConvertible {
  /// The time fields, such as `TimeInfo(opened, closed)`.
  public var description: String {
    "TimeInfo(\(([startField] + [endField].compactMap { $0 }).joined(separator: ", ")))"
  }
}

extension OrderBy: CustomStringConvertible {
  /// Field, direction and position of nulls, such as `POP descending, nulls first`.
  public var description: String { "\(fieldName) \(sortOrder), nulls \(nullOrder)" }
}

extension StatisticDefinition: CustomStringConvertible {
  /// Type, field and alias as the command line writes them, such as `average:POP:AVG_POP`.
  public var description: String { "\(statisticType.rawValue):\(fieldName):\(outputAlias)" }
}

extension StatisticsTable: CustomStringConvertible {
  /// A line of names and a line for each record, with tabs between the columns.
  public var description: String {
    let rows = records.map { ($0.group + $0.statistics).map(\.description) }
    return ([groupFieldNames + aliases] + rows).map { $0.joined(separator: "\t") }.joined(separator: "\n")
  }
}

extension StatisticsTable.Record: CustomStringConvertible {
  /// The values of the group and the statistics, with tabs between them.
  public var description: String { (group + statistics).map(\.description).joined(separator: "\t") }
}

extension SpatialCondition: CustomStringConvertible {
  /// Relation and geometry, such as `intersects Point(5, 45, WKID 4326)`.
  public var description: String {
    "\(relationship)\(pattern.map { ":\($0)" } ?? "") \(geometry)"
  }
}

extension FeatureQuestion: CustomStringConvertible {
  /// Area and conditions, such as `FeatureQuestion(everywhere, POP > 1000)`.
  public var description: String {
    let filters = [whereClause, cql2].filter { !$0.isEmpty }
    let words = ["\(area)"] + filters + [geometry?.description, time?.description].compactMap { $0 }
    return "FeatureQuestion(\(words.joined(separator: ", ")))"
  }
}

extension FeatureQuestion.Area: CustomStringConvertible {
  /// `view`, `everywhere` or the envelopes.
  public var description: String {
    switch self {
    case .view: "view"
    case .everywhere: "everywhere"
    case .envelopes(let envelopes): envelopes.map(\.description).joined(separator: ", ")
    }
  }
}
