package import MapGeometry

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

  /// The position along a line: its side, -1 above, 0 on the line, 1 below, and the part of the line; nil for
  /// placements of points and polygons.
  package var line: (side: Double, part: LinePart)? {
    let name = rawValue
    guard name.hasPrefix("line") else { return nil }
    let side = name.hasPrefix("lineAbove") ? -1.0 : name.hasPrefix("lineBelow") ? 1.0 : 0.0
    let parts: [(String, LinePart)] = [
      ("Before", .before), ("Start", .start), ("After", .after), ("End", .end),
    ]
    return (side, parts.first { name.hasSuffix($0.0) }?.1 ?? .along)
  }

  /// The part of a line where a label lies.
  package enum LinePart: Sendable {
    /// Anywhere along the line, or at its ends: inside or beyond them.
    case along, before, start, after, end
  }

  /// Returns whether the placement is for geometries of a kind.
  package func suits(_ kind: GeometryKind) -> Bool {
    switch kind {
    case .point, .multipoint: side != nil
    case .polyline: line != nil
    case .polygon: self == .polygonAlwaysHorizontal
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
