public import MapGeometry

/// How a query geometry must lie to a feature, read *query geometry – relation – feature*.
///
/// `contains` finds the features that the query geometry contains, `within` those that it lies within.
///
/// - Source: OGC 06-103r4, 6.1.15, by the intersections of interiors, boundaries and exteriors; the names are the map
///   SDK's.
public enum SpatialRelationship: String, Hashable, CaseIterable, Sendable {
  /// The intersections match a pattern that the condition carries.
  case relate
  /// The same places.
  case equals
  /// No place in common.
  case disjoint
  /// At least one place in common.
  case intersects
  /// Places in common, but none of both interiors.
  case touches
  /// Interiors meet in less than the larger dimension, and the one leaves the other.
  case crosses
  /// No place of the query geometry outside the feature, and interiors meet.
  case within
  /// No place of the feature outside the query geometry, and interiors meet.
  case contains
  /// Of one dimension, each with places of its own and interiors that meet in that dimension.
  case overlaps
  /// The envelopes have a place in common.
  case envelopeIntersects
  /// The index may hold the feature: the same as ``envelopeIntersects``.
  case indexIntersects
}

/// A geometry that features must lie to in some way.
public struct SpatialCondition: Hashable, Sendable {
  /// The query geometry, with its reference; without one that of the table.
  public let geometry: GeometryForm
  /// How it must lie to a feature.
  public let relationship: SpatialRelationship
  /// Nine letters of `T F * 0 1 2` for ``SpatialRelationship/relate``; nil for all others.
  ///
  /// - Source: OGC 06-103r4, 6.1.15.2, rows for the query geometry's interior, boundary and exterior.
  public let pattern: String?

  /// A condition; an empty geometry is disjoint from every feature and meets none.
  ///
  /// - Throws: ``SpatialOperationError`` for a pattern that is none, is missing, or goes with another relationship.
  public init(
    _ geometry: any Geometry, _ relationship: SpatialRelationship = .intersects, pattern: String? = nil
  ) throws(SpatialOperationError) {
    if relationship == .relate {
      guard let pattern, pattern.utf8.count == 9, pattern.allSatisfy({ "TF*012tf".contains($0) }) else {
        throw SpatialOperationError(
          "relate needs a pattern of nine letters of T F * 0 1 2, such as T*F**F***")
      }
    } else if pattern != nil {
      throw SpatialOperationError("a pattern goes with relate alone")
    }
    (self.geometry, self.relationship, self.pattern) = (geometry.form, relationship, pattern?.uppercased())
  }

  /// The same geometry under another relationship, which needs no pattern.
  func asking(_ relationship: SpatialRelationship) -> SpatialCondition {
    SpatialCondition(geometry, relationship)
  }

  private init(_ geometry: GeometryForm, _ relationship: SpatialRelationship) {
    (self.geometry, self.relationship, pattern) = (geometry, relationship, nil)
  }

  /// An envelope that must be met.
  init(meeting envelope: Envelope) {
    (geometry, relationship, pattern) = (.envelope(envelope), .intersects, nil)
  }
}

extension GeometryForm {
  /// The geometry as the protocol's value.
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

/// A relation asked of rows of a table, for the library that decides it.
///
/// While query and features lie in one world, they are compared as they are written. Otherwise they are compared on the
/// world that repeats: moved by whole worlds, parts that meet at the antimeridian joined. Only where the two together go
/// all around the world are both cut at the antimeridian, which is a boundary then.
public struct SpatialComparison: Sendable {
  /// The query geometry as the one row of a buffer, in the reference of the features.
  public let query: CoordinateBuffer
  /// The range of x that goes once around the world; nil where the reference does not.
  public let world: ClosedRange<Double>?
  /// The world copies that the features lie in, see ``Envelope/worldsReached``.
  public let worldsReached: ClosedRange<Int>
  /// How it must lie to a feature.
  public let relationship: SpatialRelationship
  /// The pattern of ``SpatialRelationship/relate``.
  public let pattern: String?
  /// The geometries.
  public let features: CoordinateBuffer
  /// The rows to look at, none of them empty.
  public let candidates: RowSet

  /// A relation asked of two geometries in one reference, each the one row of a buffer.
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
