/// A marker at places of a line or a polygon.
///
/// - Units: pixels of 1/96 inch.
/// - Source: Esri CIM specification, marker placements. The places along lines follow the ArcGIS Maps SDK for
///   JavaScript.
public struct PlacedMarkerSymbol: Hashable, Sendable {
  /// The places of the markers.
  public enum Placement: Hashable, Sendable {
    /// Places at distances along each line; after the last distance the first one follows again.
    case alongLine(distances: [Double], ending: Ending, start: Double)
    /// The ends of each line, moved into the line by a distance.
    case ends(Ends, distance: Double)
    /// The vertices of each line.
    case vertices(inner: Bool, ends: Bool)
    /// A distance from one point of each line.
    case onLine(Origin, distance: Double)
    /// Parts from 0 to 1 of each line without a length at its begin and its end; the first marker may be rotated by 180°.
    case ratios([Double], begin: Double, end: Double, flipsFirst: Bool)
    /// The centre of each polygon.
    case center(Center)
  }

  /// The way in which a pattern of places fits a line.
  public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// The places start at the first vertex, and their distances are not stretched.
    case none
    /// The distances are stretched: half the last one before the first marker, and after the last.
    case halfGap
    /// The distances are stretched: the last one before the first marker, and after the last.
    case fullGap
    /// The distances are stretched: a marker at each end.
    case markers
  }

  /// The ends of a line.
  public enum Ends: String, Hashable, Sendable, CaseIterable {
    /// The first vertex, the last vertex, or both.
    case begin, end, both
  }

  /// The point of a line from which a distance is measured.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// The first vertex, the middle, the last vertex, or the middle of each segment.
    case begin, middle, end, segmentMiddle
  }

  /// The kinds of centres of a polygon.
  public enum Center: String, Hashable, Sendable, CaseIterable {
    /// A point inside the polygon: its centre of mass, or the point farthest from the edge if that is outside.
    case inside
    /// The centre of mass.
    case mass
    /// The centre of the extent.
    case extent
  }

  /// The parts of the marker, in painting order: markers, images, text or shapes.
  public var parts: [SymbolForm]
  /// The places of the markers.
  public var placement: Placement
  /// Whether the markers are rotated to the direction of the line.
  public var followsLine: Bool
  /// The distance from the line to the left, seen in its direction.
  public var offset: Double

  /// Creates a marker at places of lines or polygons.
  public init(
    symbols: [any Symbol], placement: Placement, followsLine: Bool = true, offset: Double = 0
  ) {
    parts = symbols.map(\.form)
    (self.placement, self.followsLine, self.offset) = (placement, followsLine, offset)
  }

  /// Whether the places are those of polygons only.
  package var needsPolygon: Bool { if case .center = placement { true } else { false } }
}

extension PlacedMarkerSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .placed(self) }

  /// Returns the symbol with changed parts.
  package func mapParts(_ change: (SymbolForm) -> SymbolForm) -> PlacedMarkerSymbol {
    var changed = self
    changed.parts = parts.map(change)
    return changed
  }
}
