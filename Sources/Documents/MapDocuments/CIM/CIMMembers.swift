import MapJSON
import MapModel
import MapSystem

/// Members of CIM objects: those without effect, those that are not read, and words of closed lists.
enum CIMMembers {
  /// The members that all symbol layers have, without effect in two dimensions.
  static let ofLayers: Set<String> = [
    "type", "enable", "name", "colorLocked", "primitiveName", "overprint", "effects", "billboardMode3D",
    "dominantSizeAxis3D", "lineStyle3D", "scaleZ", "depth3D", "verticalOrientation3D", "offsetZ",
    "verticalScaleFactor", "rotateClockwise", "height3D", "anchor3D", "closeCaps3D", "angleX", "angleY",
  ]

  /// Reports the members of an object that are neither read nor known to have no effect.
  static func reportUnread(_ node: JSONNode, known: Set<String>, _ report: inout DocumentReport) {
    for member in node.value.object?.members ?? [] where !member.value.isNull && !known.contains(member.name)
    {
      report.note(node.path[member.name], "not drawn: unknown here")
    }
  }

  /// Reports the members of a fill or marker that are not read, and its effects.
  ///
  /// - Parameter known: the members that are read, besides those of all symbol layers.
  static func reportRest(of layer: JSONNode, known: Set<String>, _ report: inout DocumentReport) {
    reportUnread(layer, known: ofLayers.union(known), &report)
    reportEffects(of: layer, &report)
  }

  /// Reports the effects of a symbol layer that has none here.
  static func reportEffects(of layer: JSONNode, _ report: inout DocumentReport) {
    if let effects = layer["effects"], !(effects.value.array ?? []).isEmpty {
      report.note(effects.path, "not applied: only effects of strokes are drawn")
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
