import MapFilter
import MapGeometry
import MapSystem

extension InMemorySource {
  /// Returns the rows with the condition's relationship to its geometry; all rows of a table without geometry.
  ///
  /// Two cases are decided exactly without a library: intersection with an envelope or a point, and relationships of a
  /// table's points to a polygon. The library of ``SpatialOperations`` decides the others, for the candidates of the
  /// index. Disjoint rows are those with a geometry that do not intersect.
  ///
  /// In WGS 84 and Web Mercator the world repeats: a relationship holds if it holds for the query geometry in any world
  /// copy. Parts of a geometry that meet at the antimeridian are one, see ``SpatialComparison``.
  ///
  /// - Throws: ``SpatialOperationError``.
  func rows(_ condition: SpatialCondition) throws(SpatialOperationError) -> RowSet {
    var rows = try ownRows(condition)
    for other in others { rows.formUnion(try other.rows(condition)) }
    return rows
  }

  /// Returns the rows whose geometry is of the table's first kind.
  private func ownRows(_ condition: SpatialCondition) throws(SpatialOperationError) -> RowSet {
    guard let own else { return RowSet(rowCount: rowCount, all: true) }
    if condition.relationship == .disjoint {
      var rows = RowSet(
        rowCount: rowCount, rows: (0..<rowCount).lazy.filter { !own.geometry.isEmpty(row: $0) })
      rows.subtract(try ownRows(condition.asking(.intersects)))
      return rows
    }
    guard !condition.geometry.geometry.isEmpty else { return RowSet(rowCount: rowCount) }
    if condition.relationship == .intersects, let envelopes = condition.geometry.envelopes,
      let rows = try indexedRows(meeting: envelopes)
    {
      return rows
    }
    let (asked, query, reference) = try placed(condition.geometry, own)
    return try rows(condition, query: query, in: reference, of: asked)
  }

  /// Returns the geometries to compare, with the query geometry in their spatial reference.
  private func placed(
    _ geometry: GeometryForm, _ own: IndexedGeometries
  ) throws(SpatialOperationError) -> (IndexedGeometries, CoordinateBuffer, SpatialReference?) {
    let source = geometry.geometry.spatialReference
    let query = try CoordinateBuffer(query: geometry)
    if query.kind == .polygon { try operations.validate(query) }
    guard let reference = schema.spatialReference, let source, source != reference else {
      return (own, query, schema.spatialReference ?? source)
    }
    if let shown, source.isBuiltIn {
      guard source != .webMercator else { return (shown, query, source) }
      return (shown, try operations.projected(query: query, from: source, to: .webMercator), .webMercator)
    }
    return (own, try operations.projected(query: query, from: source, to: reference), reference)
  }

  private func rows(
    _ condition: SpatialCondition, query: CoordinateBuffer, in reference: SpatialReference?,
    of asked: IndexedGeometries
  ) throws(SpatialOperationError) -> RowSet {
    let extent = query.envelope(ofRow: 0)
    let world = reference?.world
    let turns = try Self.turns(of: extent, world: world, data: world == nil ? 0...0 : worldsReached)
    let envelopes = turns.map(extent.moved(east:))
    switch condition.relationship {
    case .envelopeIntersects, .indexIntersects:
      let columns = EnvelopeColumns(of: asked.geometry)
      var rows = RowSet(rowCount: rowCount)
      for envelope in envelopes {
        rows.formUnion(RowSet(rowCount: rowCount, words: columns.rows(meeting: envelope)))
      }
      return rows
    case .relate:
      let all = (0..<rowCount).lazy.filter { !asked.geometry.isEmpty(row: $0) }
      return try compare(condition, query, world, asked, RowSet(rowCount: rowCount, rows: all))
    default:
      if query.kind == .polygon, asked.geometry.kind == .point {
        return places(condition.relationship, of: asked, query: query, turns: turns)
      }
      var words = RowSet(rowCount: rowCount).words
      for envelope in envelopes {
        asked.index.insertRows(meeting: envelope, of: asked.geometry, into: &words)
      }
      return try compare(condition, query, world, asked, RowSet(rowCount: rowCount, words: words))
    }
  }

  /// Returns the distances in x that move the query's world copies onto each world copy that contains features.
  private static func turns(
    of extent: Envelope, world: ClosedRange<Double>?, data: ClosedRange<Int>
  ) throws(SpatialOperationError) -> [Double] {
    guard let world else { return [0] }
    let span = world.upperBound - world.lowerBound
    var first = ((extent.xMin - world.lowerBound) / span).rounded(.down)
    var last = ((extent.xMax - world.lowerBound) / span).rounded(.up) - 1
    // A query that ends at the edge of the main world copy meets features there too, as an envelope does.
    if extent.xMin == world.upperBound { first = 0 }
    if extent.xMax == world.lowerBound { last = 0 }
    guard last - first < 3, abs(first) < 1e6 else {
      throw SpatialOperationError("the query geometry spans the world more than twice")
    }
    let (west, east) = (Double(data.lowerBound) - max(first, last), Double(data.upperBound) - first)
    return stride(from: west, through: east, by: 1).map { $0 * span }
  }

  /// Returns the points with a relationship to a polygon; a point has no boundary and no extent, so most never hold.
  private func places(
    _ relationship: SpatialRelationship, of places: IndexedGeometries, query: CoordinateBuffer,
    turns: [Double]
  ) -> RowSet {
    var inside = RowSet(rowCount: rowCount).words
    var boundary = inside
    for turn in turns {
      var moved = query
      if turn != 0 {
        moved.moveVertices { x, _ in
          for vertex in 0..<x.count { x[vertex] = Envelope.moved(x: x[vertex], by: turn) }
        }
      }
      places.index.insertPlaces(
        in: PointLocator(row: 0, of: moved), movedEast: 0, inside: &inside, boundary: &boundary)
    }
    var rows = RowSet(rowCount: rowCount, words: boundary)
    let interior = RowSet(rowCount: rowCount, words: inside)
    switch relationship {
    case .intersects: rows.formUnion(interior)
    case .contains: rows = interior
    case .touches: rows.subtract(interior)
    default: rows = RowSet(rowCount: rowCount)
    }
    return rows
  }

  private func compare(
    _ condition: SpatialCondition, _ query: CoordinateBuffer, _ world: ClosedRange<Double>?,
    _ asked: IndexedGeometries,
    _ candidates: RowSet
  ) throws(SpatialOperationError) -> RowSet {
    guard !candidates.isEmpty else { return candidates }
    return try operations.compare(
      SpatialComparison(
        query: query, world: world, worldsReached: world == nil ? 0...0 : worldsReached,
        relationship: condition.relationship, pattern: condition.pattern, features: asked.geometry,
        candidates: candidates))
  }
}

extension GeometryForm {
  /// The geometry as envelopes, if it is an envelope or a point.
  fileprivate var envelopes: [Envelope]? {
    switch self {
    case .envelope(let envelope): envelope.splitAtAntimeridian()
    case .point(let point): point.extent.splitAtAntimeridian()
    case .multipoint, .polyline, .polygon: nil
    }
  }
}

extension InMemorySource {
  /// Returns the rows for which a spatial condition is true.
  ///
  /// - Throws: ``SpatialOperationError``.
  func rows(_ question: SpatialQuestion) throws(SpatialOperationError) -> RowSet {
    guard let first = question.first else {
      var rows = try rows(question.predicate, question.second)
      for other in others { rows.formUnion(try other.rows(question)) }
      return rows
    }
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
      for form in literal.forms { rows.formUnion(try self.rows(SpatialCondition(form, .intersects))) }
      return rows
    case .equals, .touches, .within, .contains, .crosses, .overlaps:
      return try rows(
        SpatialCondition(literal.oneForm(for: predicate), predicate.relationshipOfQuery))
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

extension InMemorySource {
  /// Returns those rows whose geometry meets a rotated rectangle, compared as the map of the rectangle shows them.
  ///
  /// Straight edges between projected vertices are compared, as they are drawn. The sides are included.
  ///
  /// - Cost: a test of each row, on all cores; 0.1 µs for a point in degrees.
  /// - Throws: ``SpatialOperationError``.
  func rows(
    _ candidates: RowSet, meeting rectangle: RotatedRectangle
  ) throws(SpatialOperationError) -> RowSet {
    guard own != nil else { return candidates }
    var found = RowSet(rowCount: rowCount)
    for other in others { found.formUnion(try other.rows(candidates, meeting: rectangle)) }
    let map = rectangle.envelope.spatialReference
    let shown = schema.spatialReference.flatMap { own in map.map { own.shown(on: $0) } }
    guard let geometries = try shown.map(geometries(in:)) ?? own else { return found }
    let projection = BuiltInProjection(from: shown, to: map)
    let places = copies(of: rectangle, meeting: projection.envelope(geometries.extent))
    let (geometry, rows) = (geometries.geometry, Array(candidates))
    let pieces = rows.indices.pieces(of: 1 << 14)
    let parts = concurrentMap(pieces.count) { piece -> [Int] in
      var placed = CoordinateBuffer(kind: geometry.kind)
      return rows[pieces[piece]].filter { row in
        guard !geometry.isEmpty(row: row) else { return false }
        if geometry.kind == .point {
          let point = projection.point(x: geometry.x[row], y: geometry.y[row])
          return places.contains { $0.contains(x: point.x, y: point.y) }
        }
        guard projection != .none else { return places.contains { geometry.row(row, meets: $0) } }
        placed.removeAll()
        placed.appendRow(row, of: geometry, projection)
        return places.contains { placed.row(0, meets: $0) }
      }
    }
    for part in parts { for row in part { found.insert(row) } }
    return found
  }

  /// Returns the rectangle in each world copy in which it may meet data of an extent, the nearest first.
  private func copies(of rectangle: RotatedRectangle, meeting data: Envelope) -> [RotatedRectangle] {
    let box = rectangle.envelope
    guard let world = Envelope.worldWidth(of: box.spatialReference) else { return [rectangle] }
    // The scale's upper limit keeps both values far inside the range of Int. One more copy at each end holds the data
    // that only touch the antimeridian.
    let first = worldsReached.lowerBound - Int(clamping: ((box.xMax + world / 2) / world).rounded(.down)) - 1
    let last = worldsReached.upperBound - Int(clamping: ((box.xMin + world / 2) / world).rounded(.down)) + 1
    guard !data.isEmpty, first <= last else { return [] }
    let nearest = (data.center.x - box.center.x) / world
    return (first...last).sorted { abs(Double($0) - nearest) < abs(Double($1) - nearest) }
      .map { rectangle.moved(east: Double($0) * world) }.filter { $0.envelope.meets(data) }
  }
}

extension CoordinateBuffer {
  /// Adds a copy of a row of another buffer of the same kind, not points, with its vertices projected.
  fileprivate mutating func appendRow(
    _ row: Int, of other: CoordinateBuffer, _ projection: BuiltInProjection
  ) {
    appendRow(row, of: other) { x, y, columns, rows in
      for vertex in x.indices {
        let point = projection.point(x: x[vertex], y: y[vertex])
        columns.append(point.x)
        rows.append(point.y)
      }
    }
  }
}
