import MapFeatures
import MapGeometry
import MapReaders

/// Writes the statements that ask a table for the rows, the number of rows or the values of a query.
struct TableQuery {
  let table: TableDescription
  let schema: FeatureSchema
  let operations: SpatialOperations
  /// The extent of all rows, in the spatial reference of the table.
  let extent: Envelope

  /// The widest and highest envelope, in degrees, that is projected to a spatial reference that is not built in.
  ///
  /// - Source: design decision; in larger ones, projections have poles and edges.
  private static let widestProjection = 30.0
  /// The latitude up to which envelopes are projected.
  private static let northernmost = 85.0
  /// A number beyond every coordinate that boxes of single precision can hold.
  private static let farthest = 1e30

  /// Returns the part of a query that the database answers; of spatial conditions, it selects candidates.
  func pushable(_ query: FeatureQuery) -> FeatureQuery {
    func isPushed(_ filter: QueryFilter) -> Bool { (try? exact.text(filter, at: query.now)) != nil }
    let filters = query.filters.flatMap { isPushed($0) ? [$0] : $0.conjuncts.filter(isPushed) }
    guard schema.geometryKind != nil else { return query.keeping(filters: filters) }
    let own = query.keeping(filters: filters, geometry: false)
    guard query.envelopes == nil, query.geometry != nil else {
      return places(query.envelopes ?? []) == nil ? own.keeping(filters: filters, envelopes: false) : own
    }
    guard let boxes = query.boxesAroundGeometry, places(boxes) != nil else { return own }
    return own.asked(in: boxes)
  }

  /// Whether the rows of a pushed query are exactly those that match, and not only candidates.
  func isExact(_ query: FeatureQuery) -> Bool {
    guard let envelopes = query.envelopes, schema.geometryKind != nil else { return true }
    return schema.geometryKind == .point && places(envelopes)?.isExact ?? false
  }

  /// Checks the filters of a query against the columns.
  ///
  /// - Throws: `QueryConditionError`.
  func check(_ query: FeatureQuery) throws {
    for filter in query.filters {
      _ = try filter.compiled(
        schema, types: table.columns.map(\.copied.form.attributeType), at: query.now)
    }
  }

  /// Returns why conditions of a query are evaluated here.
  func reasons(_ query: FeatureQuery) -> [String] {
    query.filters.flatMap { filter -> [String] in
      if (try? exact.text(filter, at: query.now)) != nil { return [] }
      return filter.conjuncts.compactMap { part in
        do throws(ExactFilter.Excluded) {
          _ = try exact.text(part, at: query.now)
          return nil
        } catch {
          return
            "\(filter.kind.name): a condition with \(error.part) is evaluated here, on the rows that the database returns"
        }
      }
    } + spatialReasons(query)
  }

  private func spatialReasons(_ query: FeatureQuery) -> [String] {
    guard schema.geometryKind != nil else { return [] }
    var reasons: [String] = []
    if query.geometry != nil {
      reasons.append("relations of geometries are evaluated here, on the rows that the database returns")
    }
    if let boxes = query.envelopes ?? (query.geometry == nil ? nil : query.boxesAroundGeometry ?? []),
      places(boxes) == nil || query.geometry != nil && query.boxesAroundGeometry == nil
    {
      reasons.append(
        "extent: the database returns rows of the whole table, because it cannot select those in the extent")
    }
    return reasons
  }

  private var exact: ExactFilter { ExactFilter(schema: schema, columns: table.columns) }

  // MARK: Conditions

  /// Returns the conditions of a pushed query with WHERE in front; empty without conditions.
  ///
  /// - Throws: ``ExactFilter/Excluded`` for a filter that ``pushable(_:)`` leaves out.
  func conditions(_ query: FeatureQuery) throws(ExactFilter.Excluded) -> String {
    var terms: [String] = []
    if let ids = query.objectIDs?.sorted() {
      let list = ids.map { "\($0)" }.joined(separator: ",")
      terms.append("\(TableName.quoted(table.key)) = ANY ('{\(list)}'::bigint[])")
    }
    if let envelopes = query.envelopes, let geometry = table.geometry, let places = places(envelopes) {
      let boxes = places.boxes.map { condition(in: $0, geometry, isExact: places.isExact) }
      terms.append(
        boxes.isEmpty ? "false" : boxes.count == 1 ? boxes[0] : "(\(boxes.joined(separator: " OR ")))")
    }
    for filter in query.filters { terms.append(try exact.text(filter, at: query.now)) }
    return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
  }

  /// Returns the condition that a geometry is near a box, or for points whether it is in it.
  ///
  /// - Source: PostGIS compares boxes in single precision, rounded outwards, so that `&&` may accept points outside.
  private func condition(in box: Envelope, _ geometry: GeometryColumn, isExact: Bool) -> String {
    func number(_ value: Double) -> String { "'\(value)'::double precision" }
    let (column, schema) = (TableName.quoted(geometry.name), TableName.quoted(geometry.schema))
    let sides = [box.xMin, box.yMin, box.xMax, box.yMax]
    let bounded = sides.map { number(min(max($0, -Self.farthest), Self.farthest)) }.joined(separator: ", ")
    var terms = [
      "\(column) OPERATOR(\(schema).&&) \(schema).ST_MakeEnvelope(\(bounded), \(geometry.referenceID ?? 0))"
    ]
    if geometry.kind == .point, isExact {
      terms += [
        "\(schema).ST_X(\(column)) BETWEEN \(number(box.xMin)) AND \(number(box.xMax))",
        "\(schema).ST_Y(\(column)) BETWEEN \(number(box.yMin)) AND \(number(box.yMax))",
      ]
    }
    return "(\(terms.joined(separator: " AND ")))"
  }

  /// Returns the boxes in the table's spatial reference that contain envelopes, and whether they are the envelopes
  /// themselves; nil if they are unknown.
  private func places(_ envelopes: [Envelope]) -> (boxes: [Envelope], isExact: Bool)? {
    var (boxes, isExact) = ([Envelope](), true)
    for envelope in envelopes {
      if let own = schema.spatialReference, let asked = envelope.spatialReference, asked != own {
        if let box = envelope.projected(to: own) {
          boxes.append(box)
        } else {
          guard let box = box(around: envelope, in: own) else { return nil }
          boxes.append(box)
          isExact = false
        }
      } else {
        boxes.append(envelope)
      }
    }
    guard boxes.allSatisfy({ !$0.xMin.isNaN && !$0.yMin.isNaN && !$0.xMax.isNaN && !$0.yMax.isNaN }) else {
      return nil
    }
    return (boxes.addingAntimeridian(of: extent), isExact)
  }

  /// Returns a box in another spatial reference around an envelope, with a margin; nil for large envelopes.
  private func box(around envelope: Envelope, in own: SpatialReference) -> Envelope? {
    guard let ground = envelope.projected(to: .wgs84), ground.width <= Self.widestProjection,
      ground.height <= Self.widestProjection, max(abs(ground.yMin), abs(ground.yMax)) <= Self.northernmost,
      let box = try? operations.box(around: ground, in: own), !box.isEmpty
    else { return nil }
    let (dx, dy) = (box.width / 32, box.height / 32)
    return Envelope(
      xMin: box.xMin - dx, yMin: box.yMin - dy, xMax: box.xMax + dx, yMax: box.yMax + dy,
      spatialReference: own)
  }

  // MARK: Statements

  /// Returns a statement that copies the rows of a pushed query in the order of the key.
  ///
  /// - Parameters:
  ///   - columns: The columns to copy.
  ///   - first: The number of rows, and the fields that decide which are the first; nil copies all.
  /// - Returns: The statement; nil if the database cannot order the rows as MapState does.
  func copy(
    _ columns: TableDescription, of query: FeatureQuery, first: (limit: Int, order: [OrderBy])? = nil
  ) throws(ExactFilter.Excluded) -> String? {
    let conditions = try conditions(query)
    let key = TableName.quoted(table.key)
    var selected = conditions
    var end = " ORDER BY \(key)"
    if let first {
      var order: [String] = []
      for field in first.order {
        guard let index = schema.index(ofField: field.fieldName), let value = table.columns[index].condition
        else {
          return nil
        }
        let isText = table.columns[index].copied.form.kind == .text
        order.append(
          value + (isText ? " COLLATE \"C\"" : "") + (field.sortOrder == .ascending ? " ASC" : " DESC")
            + (field.nullOrder == .first ? " NULLS FIRST" : " NULLS LAST"))
      }
      if order.isEmpty {
        end += " LIMIT \(first.limit)"
      } else {
        selected =
          " WHERE \(key) IN (SELECT \(key) FROM \(table.name)\(conditions) ORDER BY \(order.joined(separator: ", ")), "
          + "\(key) LIMIT \(first.limit))"
      }
    }
    return columns.copy(selected + end)
  }
}
