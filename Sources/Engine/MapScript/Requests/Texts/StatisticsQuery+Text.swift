public import MapFeatures
public import MapFilter
import MapJSON
public import MapState
import MapSystem

extension StatisticsQuery {
  /// Reads statistics and their groups from the arguments of the tool or of session steps.
  ///
  /// - Parameters:
  ///   - statistics: `TYPE:FIELD[:ALIAS]`, `percentile:P:FIELD[:ALIAS]`, `count` for all rows, or `all:FIELD` for the
  ///     seven statistics of the map SDK. `min`, `max`, `avg`, `std` and `var` are short names.
  ///   - groupBy: the field names.
  ///   - orderBy: the order of the records, by group fields and aliases.
  ///   - having: the condition on the records in SQL; blank for none.
  ///   - top: the maximum number of records; 0 for all.
  /// - Throws: `MapStateError` of kind `usage` that quotes the malformed text.
  public init(
    statistics: [String], groupBy: [String], orderBy: [OrderBy] = [], having: ParsedFilter = .none,
    top: Int = 0
  ) throws(MapStateError) {
    var definitions: [StatisticDefinition] = []
    for text in statistics { definitions += try StatisticDefinition.all(text) }
    self.init(definitions: definitions, groupByFieldNames: groupBy, orderByFields: orderBy)
    ($havingClause, maxRecords) = (having, top)
  }

  /// Reads the fields of the step `statistics`.
  ///
  /// - Throws: `MapStateError` with the JSON path.
  init(_ node: JSONNode) throws(MapStateError) {
    let asked = try MapStateError.reading {
      (
        statistics: try (node["statistic"] ?? node.required("statistics")).strings(),
        groupBy: try node["groupBy"]?.names() ?? [], orderBy: try node["orderBy"].map(OrderBy.all) ?? [],
        having: ParsedFilter(try node.string("having") ?? ""), top: try node.integer("top") ?? 0
      )
    }
    guard asked.top >= 0 else {
      throw MapStateError(.usage, "\"top\" is \(asked.top); it must be 0 or more")
    }
    try self.init(
      statistics: asked.statistics, groupBy: asked.groupBy, orderBy: asked.orderBy, having: asked.having,
      top: asked.top)
  }
}

extension StatisticDefinition {
  private static let shortNames: [(name: String, type: StatisticType)] = [
    ("min", .minimum), ("max", .maximum), ("avg", .average), ("std", .standardDeviation), ("var", .variance),
  ]
  /// The names of other programs.
  private static let otherNames = [
    "mean": "average", "total": "sum", "stddev": "standardDeviation", "stdev": "standardDeviation",
    "sd": "standardDeviation", "nunique": "distinct", "unique": "distinct", "quantile": "percentile",
    "n": "count",
  ]
  /// The names of statistics, in order.
  package static let typeNames =
    (StatisticType.all.map(\.rawValue) + ["distinct", "median", "percentile"]).sorted()
    + shortNames.map(\.name) + ["all"]

  /// Reads the definitions that one text states: one, or seven for `all`.
  fileprivate static func all(_ text: String) throws(MapStateError) -> [StatisticDefinition] {
    var words = QuotedNames.split(text, at: ":").map(QuotedNames.unquoted)[...]
    let name = words.removeFirst()
    let form =
      name == "percentile"
      ? "percentile:P:FIELD or percentile:P:FIELD:ALIAS" : "TYPE:FIELD or TYPE:FIELD:ALIAS"
    let malformed = MapStateError(.usage, "\"\(text)\": expected \(form)")
    var type: StatisticType?
    switch name {
    case "all": break
    case "percentile":
      let share = words.popFirst() ?? ""
      guard let number = DecimalNumbers.read(share, counts: 1...1)?.first, (0...100).contains(number) else {
        throw MapStateError(
          .usage,
          "\"\(text)\": expected percentile:P:FIELD with a percentage P from 0 to 100, not \"\(share)\"")
      }
      type = .percentile(number)
    default:
      type = StatisticType(rawValue: name) ?? shortNames.first { $0.name == name }?.type
      guard type != nil else {
        let nearest = otherNames[name.lowercased()] ?? NearestName.of(name, among: typeNames)
        throw MapStateError(
          .usage,
          "\"\(text)\": no statistic named \"\(name)\"; "
            + (nearest.map { "did you mean \"\($0)\"? " } ?? "")
            + "available: \(typeNames.joined(separator: ", "))", suggestion: nearest)
      }
    }
    if words.isEmpty, type == .count { words = [allRows] }
    guard let field = words.popFirst(), !field.isEmpty, words.count < 2, words.first != "" else {
      throw malformed
    }
    guard let type else {
      guard words.isEmpty else { throw MapStateError(.usage, "\"\(text)\": all takes no alias") }
      return StatisticType.all.map { StatisticDefinition(fieldName: field, statisticType: $0) }
    }
    return [StatisticDefinition(fieldName: field, statisticType: type, outputAlias: words.first ?? "")]
  }
}

extension OrderBy {
  /// Reads `FIELD[:asc|desc][:nulls-first|nulls-last]`; without a position, nulls are last in both directions, so that
  /// they do not take the first places of a list of the largest values.
  ///
  /// - Throws: `MapStateError` of kind `usage`.
  public convenience init(text: String) throws(MapStateError) {
    var words = QuotedNames.split(text, at: ":").map(QuotedNames.unquoted)[...]
    let name = words.removeFirst()
    var sortOrder: SortOrder?
    var nullOrder: NullOrder?
    for word in words {
      switch word {
      case "asc" where sortOrder == nil && nullOrder == nil: sortOrder = .ascending
      case "desc" where sortOrder == nil && nullOrder == nil: sortOrder = .descending
      case "nulls-first" where nullOrder == nil: nullOrder = .first
      case "nulls-last" where nullOrder == nil: nullOrder = .last
      default:
        let nearest = NearestName.of(word, among: ["asc", "desc", "nulls-first", "nulls-last"])
        throw MapStateError(
          .usage,
          "\"\(text)\": unexpected \"\(word)\"; the order is asc or desc, then nulls-first or nulls-last",
          suggestion: nearest)
      }
    }
    guard !name.isEmpty else {
      throw MapStateError(.usage, "\"\(text)\": no field; write FIELD[:asc|desc][:nulls-first|nulls-last]")
    }
    self.init(fieldName: name, sortOrder: sortOrder ?? .ascending, nullOrder: nullOrder ?? .last)
  }

  /// Reads an order: texts between commas, or an array of texts and of objects such as
  /// `{"field": "POP", "order": "desc", "nulls": "last"}`.
  static func all(_ node: JSONNode) throws -> [OrderBy] {
    if let text = node.value.string {
      return try QuotedNames.split(text, at: ",").map(OrderBy.init(text:))
    }
    return try node.elements().map { item in
      guard item.value.object != nil else { return try OrderBy(text: item.string()) }
      try item.refuseUnknown(["field", "order", "nulls"])
      return OrderBy(
        fieldName: try item.required("field").string(),
        sortOrder: try item["order"]?.choice(Direction.self).order ?? .ascending,
        nullOrder: try item["nulls"]?.choice(Nulls.self) == .first ? .first : .last)
    }
  }

  private enum Direction: String, CaseIterable {
    case asc, desc, ascending, descending

    var order: SortOrder { self == .asc || self == .ascending ? .ascending : .descending }
  }

  private enum Nulls: String, CaseIterable {
    case first, last
  }
}
