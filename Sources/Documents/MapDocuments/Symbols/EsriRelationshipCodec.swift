import MapJSON
import MapModel

/// A codec for the two fields of a renderer in `authoringInfo`, which say how a legend arranges its classes.
enum EsriRelationshipCodec {
  /// Reads the fields; nil for other information, and for fields that a legend cannot show.
  static func relationship(_ renderer: JSONNode) -> ClassRelationship? {
    let info = renderer.value["authoringInfo"]
    guard info?["type"]?.string == "relationship", let first = info?["field1"].flatMap(axis),
      let second = info?["field2"].flatMap(axis)
    else { return nil }
    return ClassRelationship(first: first, second: second)
  }

  private static func axis(_ value: JSONValue) -> ClassRelationship.Axis? {
    let classes = value["classBreakInfos"]?.array ?? []
    let bounds = classes.compactMap { $0["maxValue"]?.double }
    guard let field = value["field"]?.string, let minimum = classes.first?["minValue"]?.double,
      bounds.count == classes.count, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    return ClassRelationship.Axis(
      fieldName: field, normalizationFieldName: value["normalizationField"]?.string,
      label: value["label"]?.string ?? "", minimum: minimum, upperBounds: bounds)
  }

  /// Returns the member for the fields; none without them.
  static func members(_ relationship: ClassRelationship?) -> [(String, JSONValue)] {
    guard let relationship else { return [] }
    return [
      (
        "authoringInfo",
        [
          "type": "relationship", "field1": json(relationship.first), "field2": json(relationship.second),
          "numClasses": .number(relationship.letters.count),
        ]
      )
    ]
  }

  private static func json(_ axis: ClassRelationship.Axis) -> JSONValue {
    let lower = [axis.minimum] + axis.upperBounds
    var object: JSONObject = [
      "field": .string(axis.fieldName),
      "classBreakInfos": .array(
        zip(lower, axis.upperBounds).map { ["minValue": .number($0), "maxValue": .number($1)] }),
    ]
    if !axis.label.isEmpty { object["label"] = .string(axis.label) }
    if let divisor = axis.normalizationFieldName { object["normalizationField"] = .string(divisor) }
    return .object(object)
  }
}
