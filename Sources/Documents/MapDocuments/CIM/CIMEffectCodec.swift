import MapJSON
import MapModel

/// A reader of the geometric effects of strokes.
enum CIMEffectCodec {
  /// Applies the effects of a list to a line.
  static func read(
    _ effects: [JSONNode], into line: inout SimpleLineSymbol, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard effects.count <= 20 else { throw effects[0].invalid("more than 20 effects") }
    for effect in effects {
      let type = try effect.string("type") ?? ""
      switch type {
      case "CIMGeometricEffectDashes": try dashes(effect, &line, &report)
      case "CIMGeometricEffectOffset":
        CIMMembers.reportUnread(
          effect, known: ["type", "primitiveName", "method", "offset", "option"], &report)
        let corners: LineEffect.Corner =
          try CIMMembers.word(
            effect, "method",
            ["Mitered": .mitered, "Bevelled": .bevelled, "Rounded": .rounded, "Square": .square], &report)
          ?? .mitered
        // - Source: the ArcGIS Maps SDK for JavaScript for the default of 1 point.
        let distance =
          effect["offset"] == nil
          ? EsriMembers.pixelsPerPoint : try EsriMembers.offset(effect, "offset")
        add(.offset(distance, corners: corners), effect, &line, &report)
      case "CIMGeometricEffectArrow":
        CIMMembers.reportUnread(
          effect, known: ["type", "primitiveName", "arrowType", "geometricEffectArrowType", "width"],
          &report)
        let name = effect["geometricEffectArrowType"] == nil ? "arrowType" : "geometricEffectArrowType"
        let arrow: LineEffect.Arrow =
          try CIMMembers.word(
            effect, name, ["OpenEnded": .open, "Block": .block, "Crossed": .crossed], &report) ?? .open
        // - Source: the ArcGIS Maps SDK for JavaScript for the default of 5 points.
        let width = try EsriMembers.length(effect, "width") ?? 5 * EsriMembers.pixelsPerPoint
        add(.arrow(arrow, width: width), effect, &line, &report)
      default: report.note(effect.path, "not applied yet: an effect of type \"\(type.prefix(200))\"")
      }
    }
  }

  private static func add(
    _ change: LineEffect, _ effect: JSONNode, _ line: inout SimpleLineSymbol, _ report: inout DocumentReport
  ) {
    if !line.dashTemplate.isEmpty {
      report.note(
        effect.path, "approximated: the changed line is dashed, not the dashes changed", .approximated)
    }
    line.effects.append(change)
  }

  /// The endings of dashes by their names.
  static let endings: [String: SimpleLineSymbol.DashEnding] = [
    "NoConstraint": .unconstrained, "HalfPattern": .halfDash, "HalfGap": .halfGap, "FullPattern": .fullDash,
    "FullGap": .fullGap,
  ]

  private static func dashes(
    _ effect: JSONNode, _ line: inout SimpleLineSymbol, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    var lengths: [Double] = []
    for length in try effect.elements("dashTemplate") {
      let points = try length.double()
      guard points >= 0, points <= EsriMembers.largestLength else {
        throw length.invalid("\(points) is impossible; 0 to 720 points can be drawn")
      }
      lengths.append(points * EsriMembers.pixelsPerPoint)
    }
    guard lengths.count <= 100 else { throw effect.invalid("more than 100 dashes and gaps") }
    line.dashTemplate = lengths.contains { $0 > 0 } ? lengths : []
    if try effect.string("lineDashEnding") == "Custom" {
      report.note(
        effect.path["lineDashEnding"], "approximated: the dashes start as for NoConstraint", .approximated)
    } else {
      line.dashEnding = try CIMMembers.word(effect, "lineDashEnding", endings, &report) ?? .unconstrained
    }
    line.dashOffset = try EsriMembers.offset(effect, "offsetAlongLine")
    if line.dashOffset != 0, line.dashEnding != .unconstrained {
      report.note(effect.path["offsetAlongLine"], "not applied: the dashes fit the line")
    }
  }
}
