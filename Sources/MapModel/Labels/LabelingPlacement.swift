/// The position of a label relative to its feature.
///
/// - Source: Esri web map specification, `labelPlacement`. The names are those of the ArcGIS Maps SDK.
public enum LabelingPlacement: String, Hashable, Sendable, CaseIterable {
  /// Above a point: to its left, centred, or to its right.
  case pointAboveLeft, pointAboveCenter, pointAboveRight
  /// At the height of a point: to its left, centred on it, or to its right.
  case pointCenterLeft, pointCenterCenter, pointCenterRight
  /// Below a point: to its left, centred, or to its right.
  case pointBelowLeft, pointBelowCenter, pointBelowRight
  /// Above a line: along it, before it, at its start, after it, or at its end.
  case lineAboveAlong, lineAboveBefore, lineAboveStart, lineAboveAfter, lineAboveEnd
  /// On a line: along it, before it, at its start, after it, or at its end.
  case lineCenterAlong, lineCenterBefore, lineCenterStart, lineCenterAfter, lineCenterEnd
  /// Below a line: along it, before it, at its start, after it, or at its end.
  case lineBelowAlong, lineBelowBefore, lineBelowStart, lineBelowAfter, lineBelowEnd
  /// Inside a polygon, horizontal.
  case polygonAlwaysHorizontal

  /// The side of a symbol where the label lies; nil for placements of lines and polygons.
  ///
  /// -1 is left or above, 0 is centred, 1 is right or below.
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

  /// The name in documents, such as `esriServerPointLabelPlacementAboveRight`.
  package var esriName: String {
    switch rawValue {
    case let name where name.hasPrefix("point"): "esriServerPointLabelPlacement" + name.dropFirst(5)
    case let name where name.hasPrefix("line"): "esriServerLinePlacement" + name.dropFirst(4)
    default: "esriServerPolygonPlacementAlwaysHorizontal"
    }
  }

  /// Finds the placement with a name in documents.
  package init?(esriName: String) {
    guard let found = Self.allCases.first(where: { $0.esriName == esriName }) else { return nil }
    self = found
  }
}
