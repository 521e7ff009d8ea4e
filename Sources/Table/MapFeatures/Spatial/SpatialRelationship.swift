public import MapGeometry
public import MapSystem

/// A spatial relationship, read as *query geometry – relationship – feature*.
///
/// `contains` finds the features that the query geometry contains, `within` those that contain the query geometry.
///
/// - Source: OGC 06-103r4, 6.1.15, by the intersections of interiors, boundaries and exteriors; the names are the map
///   SDK's.
public enum SpatialRelationship: String, Hashable, CaseIterable, Sendable {
  /// The intersections match the condition's pattern.
  case relate
  /// Both geometries consist of the same points.
  case equals
  /// The geometries have no point in common.
  case disjoint
  /// The geometries have at least one point in common.
  case intersects
  /// The geometries have points in common, but their interiors do not.
  case touches
  /// The interiors meet in a lower dimension than the larger geometry has, and neither geometry contains the other.
  case crosses
  /// The query geometry has no point outside the feature, and the interiors meet.
  case within
  /// The feature has no point outside the query geometry, and the interiors meet.
  case contains
  /// Both have the same dimension and points outside the other, and their interiors meet in that dimension.
  case overlaps
  /// The envelopes have a point in common.
  case envelopeIntersects
  /// The index may contain the feature; the same as ``envelopeIntersects``.
  case indexIntersects
}

/// A geometry with the spatial relationship that features must have to it.
public struct SpatialCondition: Hashable, Sendable {
  /// The query geometry; without a spatial reference it uses the table's.
  public let geometry: GeometryForm
  /// The relationship of the query geometry to a feature.
  public let relationship: SpatialRelationship
  /// Nine letters of `T F * 0 1 2` for ``SpatialRelationship/relate``; nil for all others.
  ///
  /// - Source: OGC 06-103r4, 6.1.15.2, with rows for the query geometry's interior, boundary and exterior.
  public let pattern: String?

  /// Creates a condition; an empty geometry is disjoint from every feature and meets none.
  ///
  /// - Throws: ``MapStateError`` for a pattern that is invalid, missing, or given with another relationship.
  public init(
    _ geometry: any Geometry, _ relationship: SpatialRelationship = .intersects, pattern: String? = nil
  ) throws(MapStateError) {
    if relationship == .relate {
      guard let pattern, pattern.utf8.count == 9, pattern.allSatisfy({ "TF*012tf".contains($0) }) else {
        throw MapStateError(
          .input, "relate needs a pattern of nine letters of T F * 0 1 2, such as T*F**F***")
      }
    } else if pattern != nil {
      throw MapStateError(.input, "a pattern is only valid with relate")
    }
    (self.geometry, self.relationship, self.pattern) = (geometry.form, relationship, pattern?.uppercased())
  }

  /// Returns the condition with another relationship, which must not need a pattern.
  func asking(_ relationship: SpatialRelationship) -> SpatialCondition {
    SpatialCondition(geometry, relationship)
  }

  /// Creates a condition with a relationship that needs no pattern.
  init(_ geometry: GeometryForm, _ relationship: SpatialRelationship) {
    (self.geometry, self.relationship, pattern) = (geometry, relationship, nil)
  }

  /// Creates the condition that features meet an envelope.
  init(meeting envelope: Envelope) {
    (geometry, relationship, pattern) = (.envelope(envelope), .intersects, nil)
  }
}

extension GeometryForm {
  /// The geometry as a value of the protocol.
  public var geometry: any Geometry {
    switch self {
    case .point(let point): point
    case .multipoint(let multipoint): multipoint
    case .polyline(let polyline): polyline
    case .polygon(let polygon): polygon
    case .envelope(let envelope): envelope
    }
  }
}

/// A comparison of a query geometry with rows of a table, for the library that evaluates it.
///
/// If query and features lie in one world copy, they are compared as written. Otherwise they are compared on a
/// repeating world: moved by whole worlds, with parts that meet at the antimeridian joined. If the two together span
/// the whole world, both are cut at the antimeridian, which then is a boundary.
package struct SpatialComparison: Sendable {
  /// The query geometry as the only row of a buffer, in the spatial reference of the features.
  package let query: CoordinateBuffer
  /// The range of x that spans the world once; nil if the spatial reference does not repeat.
  package let world: ClosedRange<Double>?
  /// The world copies that contain the features, see ``Envelope/worldsReached``.
  package let worldsReached: ClosedRange<Int>
  /// The relationship of the query geometry to a feature.
  package let relationship: SpatialRelationship
  /// The pattern of ``SpatialRelationship/relate``.
  package let pattern: String?
  /// The geometries of the features.
  package let features: CoordinateBuffer
  /// The rows to compare, all with a geometry.
  package let candidates: RowSet

  /// Creates a comparison of two geometries in one spatial reference, each the only row of a buffer.
  package init(_ query: CoordinateBuffer, _ relationship: SpatialRelationship, _ feature: CoordinateBuffer) {
    self.init(
      query: query, world: nil, worldsReached: 0...0, relationship: relationship, pattern: nil,
      features: feature, candidates: RowSet(rowCount: feature.rowCount, all: true))
  }

  init(
    query: CoordinateBuffer, world: ClosedRange<Double>?, worldsReached: ClosedRange<Int>,
    relationship: SpatialRelationship, pattern: String?, features: CoordinateBuffer, candidates: RowSet
  ) {
    (self.query, self.world, self.worldsReached) = (query, world, worldsReached)
    (self.relationship, self.pattern) = (relationship, pattern)
    (self.features, self.candidates) = (features, candidates)
  }
}
