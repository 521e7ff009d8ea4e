public import MapFeatures
import MapFilter
public import MapJSON
import MapReaders

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
