import MapJSON
import MapModel

/// A reader of the places of markers along lines and in polygons.
///
/// - Source: Esri CIM specification, marker placements. Absent members have the values that the ArcGIS Maps SDK for
///   JavaScript gives them.
enum CIMPlacementCodec {
  private static let members: Set<String> = [
    "type", "name", "primitiveName", "placePerPart", "angleToLine", "offset",
  ]

  /// Reads a placement with its marker; nil, with a warning, for one that is not drawn.
  static func placed(
    _ parts: [SymbolForm], _ node: JSONNode, isPolygon: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm? {
    let type = try node.string("type") ?? ""
    let own: Set<String>
    let placement: PlacedMarkerSymbol.Placement
    switch type {
    case "CIMMarkerPlacementAlongLineSameSize":
      own = [
        "placementTemplate", "endings", "offsetAlongLine", "controlPointPlacement", "customEndingOffset",
      ]
      guard let found = try alongLine(node, &report) else { return nil }
      placement = found
    case "CIMMarkerPlacementAtExtremities":
      own = ["extremityPlacement", "offsetAlongLine"]
      if try node.string("extremityPlacement") == "None" { return .composite(CompositeSymbol()) }
      let ends: PlacedMarkerSymbol.Ends =
        try CIMMembers.word(
          node, "extremityPlacement", ["Both": .both, "JustBegin": .begin, "JustEnd": .end], &report) ?? .both
      placement = .ends(ends, distance: try EsriMembers.offset(node, "offsetAlongLine"))
    case "CIMMarkerPlacementOnVertices":
      own = ["placeOnControlPoints", "placeOnEndPoints", "placeOnRegularVertices"]
      placement = .vertices(
        inner: try node.boolean("placeOnRegularVertices") ?? true,
        ends: try node.boolean("placeOnEndPoints") ?? true)
    case "CIMMarkerPlacementOnLine":
      own = ["relativeTo", "startPointOffset"]
      let origin: PlacedMarkerSymbol.Origin =
        try CIMMembers.word(
          node, "relativeTo",
          [
            "LineMiddle": .middle, "LineBeginning": .begin, "LineEnd": .end,
            "SegmentMidpoint": .segmentMiddle,
          ], &report) ?? .middle
      placement = .onLine(origin, distance: try EsriMembers.offset(node, "startPointOffset"))
    case "CIMMarkerPlacementAtRatioPositions":
      own = ["positionArray", "beginPosition", "endPosition", "flipFirst"]
      var ratios: [Double] = []
      for place in try node.elements("positionArray") {
        let ratio = try place.double()
        guard (0...1).contains(ratio) else { throw place.invalid("\(ratio) is not between 0 and 1") }
        ratios.append(ratio)
      }
      guard ratios.count <= 1000 else { throw node.invalid("more than 1000 positions") }
      guard !ratios.isEmpty else {
        report.note(node.path["positionArray"], "missing: the markers are not drawn")
        return nil
      }
      placement = .ratios(
        ratios, begin: max(0, try EsriMembers.offset(node, "beginPosition")),
        end: max(0, try EsriMembers.offset(node, "endPosition")),
        flipsFirst: try node.boolean("flipFirst") ?? false)
    case "CIMMarkerPlacementPolygonCenter" where isPolygon:
      own = ["method", "offsetX", "offsetY", "clipAtBoundary"]
      let center: PlacedMarkerSymbol.Center =
        try CIMMembers.word(
          node, "method", ["OnPolygon": .inside, "CenterOfMass": .mass, "BoundingBoxCenter": .extent],
          &report) ?? .inside
      placement = .center(center)
      if try node.boolean("clipAtBoundary") ?? false {
        report.note(node.path["clipAtBoundary"], "not applied: the whole marker is drawn", .approximated)
      }
    default:
      report.note(node.path["type"], "not drawn: a marker with the placement \"\(type.prefix(200))\"")
      return nil
    }
    CIMMembers.reportUnread(node, known: members.union(own), &report)
    var symbol = PlacedMarkerSymbol(symbols: [], placement: placement)
    symbol.parts = parts
    if case .center = placement {
      let (x, y) = (try EsriMembers.offset(node, "offsetX"), try EsriMembers.offset(node, "offsetY"))
      symbol.parts = parts.map { $0.moved(x: x, y: y) }
    } else {
      symbol.followsLine = try node.boolean("angleToLine") ?? true
      symbol.offset = try EsriMembers.offset(node, "offset")
    }
    return .placed(symbol)
  }

  private static func alongLine(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PlacedMarkerSymbol.Placement? {
    var distances: [Double] = []
    for length in try node.elements("placementTemplate") {
      let points = try length.double()
      guard points >= 0, points <= EsriMembers.largestLength else {
        throw length.invalid("\(points) is impossible; 0 to 720 points can be drawn")
      }
      distances.append(points * EsriMembers.pixelsPerPoint)
    }
    guard distances.count <= 100 else { throw node.invalid("more than 100 distances") }
    guard distances.contains(where: { $0 > 0 }) else {
      report.note(node.path["placementTemplate"], "missing: the markers are not drawn")
      return nil
    }
    if try node.string("endings") == "Custom" {
      report.note(node.path["endings"], "approximated: the markers start as for NoConstraint", .approximated)
    }
    let ending: PlacedMarkerSymbol.Ending =
      try CIMMembers.word(
        node, "endings",
        [
          "NoConstraint": .none, "WithHalfGap": .halfGap, "WithFullGap": .fullGap, "WithMarkers": .markers,
          "Custom": .none,
        ], &report) ?? .halfGap
    return .alongLine(
      distances: distances, ending: ending, start: try EsriMembers.offset(node, "offsetAlongLine"))
  }
}

extension SymbolForm {
  /// Returns a marker moved to the right and upwards.
  fileprivate func moved(x: Double, y: Double) -> SymbolForm {
    switch self {
    case .picture(var picture):
      (picture.offsetX, picture.offsetY) = (picture.offsetX + x, picture.offsetY + y)
      return .picture(picture)
    case .vector(var vector):
      (vector.offsetX, vector.offsetY) = (vector.offsetX + x, vector.offsetY + y)
      return .vector(vector)
    default: return self
    }
  }
}
