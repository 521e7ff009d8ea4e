import MapJSON
import MapModel

/// A codec for the rules of `sizeInfo` in web map JSON; documents use points, rules use pixels.
enum EsriSizeCodec {
  /// Reads the rule that the members define; nil for none.
  static func rule(_ node: JSONNode) throws(JSONDecodingError) -> SizeVariable.Rule? {
    if node["stops"] != nil { return .stops(try stops(node)) }
    if let minimum = try node.double("minDataValue"), let smallest = try size(node, "minSize") {
      let largest = try size(node, "maxSize")
      guard let maximum = try node.double("maxDataValue") else {
        return .proportional(minimum: minimum, smallest: smallest, largest: largest)
      }
      guard let largest else { return nil }
      return .bounded(minimum: minimum, maximum: maximum, smallest: smallest, largest: largest)
    }
    // "unknown" marks values without a unit of measurement.
    guard let name = try node.string("valueUnit"), let unit = GroundMeasure.Unit(rawValue: name) else {
      return nil
    }
    let part = try node.string("valueRepresentation").map(GroundMeasure.Part.init) ?? .diameter
    return part.map { .ground(GroundMeasure(unit: unit, part: $0)) }
  }

  private static func stops(_ node: JSONNode) throws(JSONDecodingError) -> [VariableStop<Double>] {
    var stops: [VariableStop<Double>] = []
    for stop in try node.required("stops").elements() {
      guard let size = try EsriMembers.length(stop, "size") else {
        throw JSONDecodingError(.missing, at: stop.path["size"])
      }
      stops.append(
        VariableStop(
          try stop.required("value").double(), size, label: EsriMembers.text(stop["label"])))
    }
    return stops
  }

  /// Reads a number of points, or stops by scale.
  private static func size(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> ScaledSize? {
    guard let member = node[name] else { return nil }
    guard member.value.object != nil else { return .fixed(try EsriMembers.length(node, name) ?? 0) }
    let expression = try (member["valueExpression"] ?? member["expression"])?.string() ?? ""
    guard EsriVisualVariableCodec.isViewScale(expression) else {
      throw member.invalid("expected a number of points, or stops with the expression \"view.scale\"")
    }
    return .byScale(try stops(member).ascending())
  }

  static func members(_ rule: SizeVariable.Rule) -> [(String, JSONValue)] {
    switch rule {
    case .stops(let stops): return [("stops", json(stops))]
    case .bounded(let minimum, let maximum, let smallest, let largest):
      return [
        ("minDataValue", .number(minimum)), ("maxDataValue", .number(maximum)), ("minSize", json(smallest)),
        ("maxSize", json(largest)),
      ]
    case .proportional(let minimum, let smallest, let largest):
      return [("minDataValue", .number(minimum)), ("minSize", json(smallest))]
        + (largest.map { [("maxSize", json($0))] } ?? [])
    case .ground(let measure):
      return [
        ("valueUnit", .string(measure.unit.rawValue)),
        ("valueRepresentation", .string(measure.part.rawValue)),
      ]
    }
  }

  private static func json(_ stops: [VariableStop<Double>]) -> JSONValue {
    .array(
      stops.map {
        EsriVisualVariableCodec.json($0, "size", .number($0.output / EsriMembers.pixelsPerPoint))
      })
  }

  private static func json(_ size: ScaledSize) -> JSONValue {
    switch size {
    case .fixed(let pixels): .number(pixels / EsriMembers.pixelsPerPoint)
    case .byScale(let stops): ["type": "sizeInfo", "expression": "view.scale", "stops": json(stops)]
    }
  }
}
