import MapFeatures
import MapFilter
import MapJSON
import MapReaders

/// Statistics as parameters of a service's query, with the reader of its answer.
struct ArcGISSummary: Sendable {
  /// A group with its statistics.
  struct Row {
    let group: [AttributeValue]
    let statistics: [AttributeValue]
    /// The number of features in the group.
    let count: Int
  }

  /// A statistic that the service computes.
  fileprivate struct Figure: Hashable {
    /// The service's name of the statistic.
    let type: String
    let field: Field
  }

  /// The fields of the groups, each once.
  let groups: [Field]
  private var figures: [Figure] = []
  private let definitions: [(type: StatisticDefinition.StatisticType, field: Field)]
  private let idField: Field

  /// Creates the request; nil for statistics that a service computes differently.
  init?(_ statistics: StatisticsQuery, of description: ArcGISDescription) {
    let schema = description.form.schema
    func field(_ name: String) -> Field? { schema.index(ofField: name).map { schema.fields[$0] } }
    guard let idField = description.idField.flatMap(field) else { return nil }
    var groups: [Field] = []
    for name in statistics.groupByFieldNames {
      guard let field = field(name), field.fieldType != .timestampOffset else { return nil }
      if !groups.contains(field) { groups.append(field) }
    }
    (self.groups, self.idField) = (groups, idField)
    var definitions: [(type: StatisticDefinition.StatisticType, field: Field)] = []
    for definition in statistics.definitions {
      let isOfRows = definition.fieldName == StatisticDefinition.allRows
      guard let field = isOfRows ? idField : field(definition.fieldName),
        Self.isExact(definition.statisticType, field.fieldType)
      else {
        return nil
      }
      definitions.append((definition.statisticType, field))
    }
    self.definitions = definitions
    add("count", idField)
    for (type, field) in definitions {
      switch type {
      case .count: add("count", field)
      case .minimum: add("min", field)
      case .maximum: add("max", field)
      case .sum: add("sum", field)
      case .average:
        add("sum", field)
        add("count", field)
      case .variance:
        add("var", field)
        add("count", field)
      case .standardDeviation:
        add("stddev", field)
        add("count", field)
      case .distinct, .percentile: return nil
      }
    }
  }

  private static func isExact(_ type: StatisticDefinition.StatisticType, _ field: FieldType) -> Bool {
    switch field {
    case .int16, .int32, .int64, .oid, .float64: true
    case .date: type == .count || type == .minimum || type == .maximum
    default: type == .count
    }
  }

  private mutating func add(_ type: String, _ field: Field) {
    let figure = Figure(type: type, field: field)
    if !figures.contains(figure) { figures.append(figure) }
  }

  /// The parameters that request the statistics.
  var parameters: ArcGISResource.Parameters {
    let list = figures.enumerated().map { index, figure in
      JSONValue.object([
        "statisticType": .string(figure.type), "onStatisticField": .string(figure.field.name),
        "outStatisticFieldName": .string(Self.name(index)),
      ])
    }
    var parameters: ArcGISResource.Parameters = [("outStatistics", JSONValue.array(list).text())]
    if !groups.isEmpty {
      parameters.append(("groupByFieldsForStatistics", groups.map(\.name).joined(separator: ",")))
    }
    return parameters
  }

  private static func name(_ index: Int) -> String { "figure_\(index)" }

  // MARK: The answer

  /// Reads the groups of an answer.
  func rows(_ node: JSONNode) throws(JSONDecodingError) -> [Row] {
    let features = try node.required("features").elements()
    guard let first = features.first else { return [] }
    let attributes = try first.required("attributes")
    // Databases may change the case of names.
    var spelling: [String: String] = [:]
    for member in try attributes.object().members { spelling[member.name.lowercased()] = member.name }
    func column(_ field: Field, _ name: String) throws(JSONDecodingError) -> EsriColumn {
      guard let spelled = spelling[name.lowercased()] else {
        throw JSONDecodingError(.missing, at: attributes.path[name])
      }
      return EsriColumn(field, attribute: spelled)
    }
    var columns: [EsriColumn] = []
    for group in groups { columns.append(try column(group, group.name)) }
    for (index, figure) in figures.enumerated() {
      columns.append(try column(Field(name: Self.name(index), type: figure.resultType), Self.name(index)))
    }
    let table = try EsriLayerForm(columns: columns).page(node)
    return try (0..<table.rowCount).map { row throws(JSONDecodingError) in
      let values = table.columns.map { $0.value(at: row) }
      let figures = Dictionary(uniqueKeysWithValues: zip(self.figures, values.dropFirst(groups.count)))
      guard case .integer(let count)? = figures[Figure(type: "count", field: idField)], count >= 0 else {
        throw features[row].invalid("a group without a number of features")
      }
      return Row(
        group: Array(values.prefix(groups.count)), statistics: definitions.map { Self.value($0, figures) },
        count: Int(count))
    }
  }

  private static func value(
    _ definition: (type: StatisticDefinition.StatisticType, field: Field), _ figures: [Figure: AttributeValue]
  ) -> AttributeValue {
    func figure(_ type: String) -> AttributeValue {
      figures[Figure(type: type, field: definition.field)] ?? .null
    }
    let count = if case .integer(let count) = figure("count") { count } else { Int64(0) }
    switch definition.type {
    case .count: return .integer(count)
    case .minimum: return figure("min")
    case .maximum: return figure("max")
    case .sum: return figure("sum")
    case .average:
      guard count > 0, case .real(let sum) = figure("sum") else { return .null }
      return .real(sum / Double(count))
    // Some services return 0 for a single value.
    case .variance: return count > 1 ? figure("var") : .null
    case .standardDeviation: return count > 1 ? figure("stddev") : .null
    case .distinct, .percentile: return .null
    }
  }
}

extension ArcGISSummary.Figure {
  /// The type in which the service returns the statistic.
  fileprivate var resultType: FieldType {
    switch type {
    case "count": .int64
    case "min", "max": field.fieldType
    default: .float64
    }
  }
}
