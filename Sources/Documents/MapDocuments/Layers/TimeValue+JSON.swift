import MapJSON
import MapModel

extension TimeValue {
  /// Reads the offset in a layer's `timeInfo.exportOptions`; nil for none and, with a warning, for an unknown unit.
  init?(exportOptions node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError) {
    guard let duration = try node.double("timeOffset"), duration != 0 else { return nil }
    let unit = try node.string("timeOffsetUnits") ?? ""
    guard unit.hasPrefix(Self.unitPrefix),
      let known = Unit(rawValue: unit.dropFirst(Self.unitPrefix.count).lowercased())
    else {
      report.note(node.path["timeOffset"], "not applied: timeOffsetUnits is missing or unknown")
      return nil
    }
    self.init(duration: duration, unit: known)
  }

  /// The offset as members of `exportOptions`.
  var exportOptions: [(String, JSONValue)] {
    let name = unit.rawValue
    return [
      ("timeOffset", .number(duration)),
      ("timeOffsetUnits", .string(Self.unitPrefix + name.prefix(1).uppercased() + name.dropFirst())),
    ]
  }

  private static let unitPrefix = "esriTimeUnits"
}
