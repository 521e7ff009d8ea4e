public import MapFeatures
import MapFilter
public import MapJSON
import MapReaders
public import MapState

extension StatisticsTable {
  /// The records as JSON, with keys in the order of fields and statistics; null values are omitted.
  public var json: JSONValue {
    let records: [JSONValue] = records.map { record in
      [
        "group": Self.object(groupFieldNames, record.group),
        "statistics": Self.object(aliases, record.statistics),
      ]
    }
    return ["records": .array(records)]
  }

  private static func object(_ names: [String], _ values: [AttributeValue]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in zip(names, values) where value != .null { object[name] = value.json }
    return .object(object)
  }
}

extension StatisticsQuery {
  /// Reads statistics, group fields and order from the arguments of the tool or of session steps.
  ///
  /// - Parameters:
  ///   - statistics: `TYPE:FIELD[:ALIAS]`, or `all:FIELD` for all seven.
  ///   - groupBy: the field names.
  ///   - orderBy: `FIELD`, `FIELD:asc` or `FIELD:desc`.
  /// - Throws: `MapStateError` of kind `usage` that quotes the malformed text.
  public init(statistics: [String], groupBy: [String], orderBy: [String]) throws(MapStateError) {
    var definitions: [StatisticDefinition] = []
    for text in statistics {
      let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map {
        String($0)
      }
      let known = StatisticDefinition.StatisticType.all.map(\.rawValue)
      guard parts.count >= 2, !parts[1].isEmpty, parts.count == 2 || !parts[2].isEmpty else {
        throw MapStateError(.usage, "\"\(text)\": expected TYPE:FIELD or TYPE:FIELD:ALIAS")
      }
      if parts[0] == "all", parts.count == 2 {
        definitions += StatisticDefinition.StatisticType.all.map {
          StatisticDefinition(fieldName: parts[1], statisticType: $0)
        }
        continue
      }
      guard let type = StatisticDefinition.StatisticType(rawValue: parts[0]) else {
        throw MapStateError(
          .usage,
          "\"\(text)\": no statistic named \"\(parts[0])\"; available: \(known.joined(separator: ", "))"
            + (parts[0] == "all" ? ", and all without an alias" : " and all"))
      }
      definitions.append(
        StatisticDefinition(
          fieldName: parts[1], statisticType: type, outputAlias: parts.count == 3 ? parts[2] : ""))
    }
    self.init(
      definitions: definitions, groupByFieldNames: groupBy,
      orderByFields: try orderBy.map(OrderBy.init(text:)))
  }
}

extension OrderBy {
  /// Reads `FIELD[:asc|desc][:nulls-first|nulls-last]`.
  ///
  /// - Throws: `MapStateError` of kind `usage`.
  public convenience init(text: String) throws(MapStateError) {
    var words = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }[...]
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
        throw MapStateError(
          .usage,
          "\"\(text)\": unexpected \"\(word)\"; the order is asc or desc, then nulls-first or nulls-last")
      }
    }
    guard !name.isEmpty else {
      throw MapStateError(.usage, "\"\(text)\": no field; write FIELD[:asc|desc][:nulls-first|nulls-last]")
    }
    self.init(fieldName: name, sortOrder: sortOrder ?? .ascending, nullOrder: nullOrder)
  }
}
