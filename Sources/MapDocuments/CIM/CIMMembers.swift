import MapJSON
import MapModel
import MapSystem

/// Members of CIM objects: those without effect, those that are not read, and words of closed lists.
enum CIMMembers {
  /// The members that all symbol layers have, without effect in two dimensions.
  static let ofLayers: Set<String> = [
    "type", "enable", "name", "colorLocked", "primitiveName", "overprint", "effects", "billboardMode3D",
    "dominantSizeAxis3D", "lineStyle3D", "scaleZ", "depth3D", "verticalOrientation3D", "offsetZ",
    "verticalScaleFactor", "rotateClockwise",
  ]

  /// Reports the members of an object that are neither read nor known to have no effect.
  static func reportUnread(_ node: JSONNode, known: Set<String>, _ report: inout DocumentReport) {
    for member in node.value.object?.members ?? [] where !member.value.isNull && !known.contains(member.name)
    {
      report.note(node.path[member.name], "not drawn: unknown here")
    }
  }

  /// Reads a word of a closed list; nil for none and, with a warning, for an unknown one.
  static func word<Value>(
    _ node: JSONNode, _ name: String, _ words: [String: Value], _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Value? {
    guard let word = try node.string(name) else { return nil }
    guard let value = words[word] else {
      let meant = NearestName.of(word, among: words.keys.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
      report.note(
        node.path[name], "unknown value \"\(word.prefix(200))\"; the default applies\(meant)", .approximated)
      return nil
    }
    return value
  }
}
