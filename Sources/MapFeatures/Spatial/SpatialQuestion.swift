public import MapFilter
import MapGeometry

/// A spatial condition of a filter: a predicate on two geometries.
///
/// The first is the geometry of each row, or one in the filter. The second is one in the filter.
public struct SpatialQuestion: Hashable, Sendable {
  /// The relationship of the first geometry to the second.
  public let predicate: SpatialPredicate
  /// The first geometry; nil for the geometry of each row.
  public let first: GeometryLiteral?
  /// The second geometry.
  public let second: GeometryLiteral

  init(_ predicate: SpatialPredicate, of first: GeometryLiteral?, _ second: GeometryLiteral) {
    (self.predicate, self.first, self.second) = (predicate, first, second)
  }

  /// Whether the result depends on the row.
  public var isAboutRows: Bool { first == nil }
}

extension InMemorySource {
  /// Returns the rows for which a spatial condition is true.
  ///
  /// - Throws: ``SpatialOperationError``.
  func rows(_ question: SpatialQuestion) throws(SpatialOperationError) -> RowSet {
    guard let first = question.first else { return try rows(question.predicate, question.second) }
    return RowSet(rowCount: rowCount, all: try answer(question.predicate, first, question.second))
  }

  /// Returns the rows whose geometry satisfies a predicate with another; uses the index first.
  private func rows(
    _ predicate: SpatialPredicate, _ literal: GeometryLiteral
  ) throws(SpatialOperationError) -> RowSet {
    switch predicate {
    case .disjoint:
      var rows = RowSet(rowCount: rowCount)
      if let own { for row in 0..<rowCount where !own.geometry.isEmpty(row: row) { rows.insert(row) } }
      rows.subtract(try self.rows(.intersects, literal))
      return rows
    case .intersects:
      var rows = RowSet(rowCount: rowCount)
      for form in literal.forms { rows.formUnion(try self.rows(SpatialCondition(form.geometry))) }
      return rows
    case .equals, .touches, .within, .contains, .crosses, .overlaps:
      return try rows(
        SpatialCondition(literal.oneForm(for: predicate).geometry, predicate.relationshipOfQuery))
    }
  }

  /// Evaluates a predicate on two geometries of a filter, with the first as the only feature of a table.
  private func answer(
    _ predicate: SpatialPredicate, _ first: GeometryLiteral, _ second: GeometryLiteral
  ) throws(SpatialOperationError) -> Bool {
    if predicate == .disjoint { return try !answer(.intersects, first, second) }
    let features = predicate == .intersects ? first.forms : [try first.oneForm(for: predicate)]
    for feature in features {
      let buffer = try CoordinateBuffer(feature: feature)
      let table = FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: buffer.kind, spatialReference: .wgs84), columns: [],
        geometry: buffer, rowCount: 1)
      if try !InMemorySource(table, operations: operations).rows(predicate, second).isEmpty { return true }
    }
    return false
  }
}

extension SpatialPredicate {
  /// The relationship of a query geometry to the features that satisfy the predicate with it.
  fileprivate var relationshipOfQuery: SpatialRelationship {
    switch self {
    case .intersects: .intersects
    case .disjoint: .disjoint
    case .equals: .equals
    case .touches: .touches
    case .crosses: .crosses
    case .overlaps: .overlaps
    case .within: .contains
    case .contains: .within
    }
  }
}

extension GeometryLiteral {
  /// The geometries for queries: one, or several for a collection.
  fileprivate var forms: [GeometryForm] {
    let reference = SpatialReference.wgs84
    switch self {
    case .point(let place): return [.point(Point(x: place.x, y: place.y, spatialReference: reference))]
    case .multipoint(let places):
      return [.multipoint(Multipoint(points: places, spatialReference: reference))]
    case .line(let places): return [.polyline(Polyline(parts: [places], spatialReference: reference))]
    case .multiline(let lines): return [.polyline(Polyline(parts: lines, spatialReference: reference))]
    case .polygon(let rings): return [.polygon(Polygon(parts: rings, spatialReference: reference))]
    case .multipolygon(let polygons):
      return [.polygon(Polygon(parts: polygons.flatMap { $0 }, spatialReference: reference))]
    case .collection(let members): return members.flatMap(\.forms)
    case .box(let west, let south, let east, let north):
      return [
        .envelope(
          Envelope(xMin: west, yMin: south, xMax: east, yMax: north, spatialReference: reference))
      ]
    }
  }

  /// Returns the geometry as one; a collection of one kind becomes a geometry of several parts.
  ///
  /// - Throws: ``SpatialOperationError`` for a collection of several kinds.
  fileprivate func oneForm(for predicate: SpatialPredicate) throws(SpatialOperationError) -> GeometryForm {
    let forms = forms
    if forms.count == 1 { return forms[0] }
    var (points, lines, rings) = ([Point](), [[Point]](), [[Point]]())
    for form in forms {
      switch form {
      case .point(let point): points.append(point)
      case .multipoint(let multipoint): points += multipoint.points
      case .polyline(let polyline): lines += polyline.parts
      case .polygon(let polygon): rings += polygon.parts
      case .envelope: break
      }
    }
    switch (points.isEmpty, lines.isEmpty, rings.isEmpty) {
    case (false, true, true): return .multipoint(Multipoint(points: points, spatialReference: .wgs84))
    case (true, false, true): return .polyline(Polyline(parts: lines, spatialReference: .wgs84))
    case (true, true, false): return .polygon(Polygon(parts: rings, spatialReference: .wgs84))
    default:
      throw SpatialOperationError(
        "\(predicate.textName) does not support a collection of several kinds of geometry; S_INTERSECTS and S_DISJOINT do"
      )
    }
  }
}

extension CoordinateBuffer {
  /// Creates the only feature of a table from a geometry; a box across the antimeridian becomes its two parts.
  fileprivate init(feature: GeometryForm) throws(SpatialOperationError) {
    guard case .envelope(let box) = feature, box.xMin > box.xMax else {
      self = try CoordinateBuffer(query: feature)
      return
    }
    let rings = box.splitAtAntimeridian().map { part in
      [(part.xMin, part.yMin), (part.xMax, part.yMin), (part.xMax, part.yMax), (part.xMin, part.yMax)]
        .map { Point(x: $0.0, y: $0.1) }
    }
    self = try CoordinateBuffer(query: .polygon(Polygon(parts: rings, spatialReference: .wgs84)))
  }
}
