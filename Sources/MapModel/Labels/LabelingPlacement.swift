/// Where a label lies, seen from what it names.
///
/// - Source: Esri web map specification, `labelPlacement`; the names are the ArcGIS Maps SDK's.
public enum LabelingPlacement: String, Hashable, Sendable, CaseIterable {
  case pointAboveLeft, pointAboveCenter, pointAboveRight
  case pointCenterLeft, pointCenterCenter, pointCenterRight
  case pointBelowLeft, pointBelowCenter, pointBelowRight
  case lineAboveAlong, lineAboveBefore, lineAboveStart, lineAboveAfter, lineAboveEnd
  case lineCenterAlong, lineCenterBefore, lineCenterStart, lineCenterAfter, lineCenterEnd
  case lineBelowAlong, lineBelowBefore, lineBelowStart, lineBelowAfter, lineBelowEnd
  case polygonAlwaysHorizontal

  /// The side of a symbol on which the label lies: -1 is left and above, 0 centred, 1 right and below; nil for the
  /// placements of lines and areas.
  public var side: (x: Double, y: Double)? {
    switch self {
    case .pointAboveLeft: (-1, -1)
    case .pointAboveCenter: (0, -1)
    case .pointAboveRight: (1, -1)
    case .pointCenterLeft: (-1, 0)
    case .pointCenterCenter: (0, 0)
    case .pointCenterRight: (1, 0)
    case .pointBelowLeft: (-1, 1)
    case .pointBelowCenter: (0, 1)
    case .pointBelowRight: (1, 1)
    default: nil
    }
  }

  /// What documents call it: `esriServerPointLabelPlacementAboveRight` and so on.
  var esriName: String {
    switch rawValue {
    case let name where name.hasPrefix("point"): "esriServerPointLabelPlacement" + name.dropFirst(5)
    case let name where name.hasPrefix("line"): "esriServerLinePlacement" + name.dropFirst(4)
    default: "esriServerPolygonPlacementAlwaysHorizontal"
    }
  }

  /// The placement that documents call so.
  init?(esriName: String) {
    guard let found = Self.allCases.first(where: { $0.esriName == esriName }) else { return nil }
    self = found
  }
}
