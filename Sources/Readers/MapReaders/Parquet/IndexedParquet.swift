package import MapFeatures
package import MapGeometry
import MapSystem

/// A GeoParquet file with boxes of its geometries, by which only the row groups near an extent are read.
package struct IndexedParquet: IndexedTable {
  private let file: ParquetFile
  private let plan: ArrowPlan
  private let boxes: ParquetBoxes
  private let bytes: @Sendable (Range<Int>) throws -> [UInt8]
  private let all: @Sendable () throws -> InMemorySource
  /// The name of the table: that of the file.
  package let name: String
  package let schema: FeatureSchema
  package let extent: Envelope

  /// The part of the row groups that is read at most; reading all of them in order is faster for more.
  ///
  /// - Source: design decision.
  private static let largestPart = 2

  /// Opens a file; nil for one without boxes, or whose metadata do not state one kind of geometries and their extent.
  ///
  /// - Parameters:
  ///   - all: Reads the whole file.
  ///   - bytes: Returns a range of the file.
  package init?(
    size: Int, name: String, fields: FieldSelection,
    all: @escaping @Sendable () throws -> InMemorySource,
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws {
    // The whole file reports its faults.
    guard let file = try? ParquetFile(size: size, bytes),
      let plan = try? ArrowPlan(file.arrowSchema, wanted: fields, options: ReadingOptions()),
      let geometry = plan.geometry, let reference = geometry.reference,
      let kind = geometry.statedKind,
      let boxes = ParquetBoxes(file, geometry), let box = geometry.statedEnvelope(reference)
    else { return nil }
    (self.file, self.plan, self.boxes, self.bytes, self.all) = (file, plan, boxes, bytes, all)
    (self.name, extent) = (name, box)
    schema = FeatureSchema(
      fields: plan.columns.map(\.values.field), geometryKind: kind, spatialReference: reference,
      geometryName: plan.geometryName)
  }

  package var rowCount: Int { file.footer.rowCount }
  package var warnings: [String] { plan.warnings }
  package func whole() throws -> InMemorySource { try all() }

  /// The number of row groups.
  package var rowGroupCount: Int { file.footer.rowGroups.count }

  /// Returns the row groups whose boxes may meet an extent, by their statistics.
  package func rowGroups(meeting box: Envelope) -> [Int] {
    file.footer.rowGroups.indices.filter { boxes.mayMeet(box, group: $0) }
  }

  package func count(meeting box: Envelope) throws -> Int? {
    guard schema.geometryKind == .point, boxes.isExact else { return nil }
    let groups = rowGroups(meeting: box)
    // Of points that are all inside, one coordinate shows which are empty.
    let inside = groups.filter { boxes.lies(in: box, group: $0) }
    guard
      let others = try count(groups.filter { !boxes.lies(in: box, group: $0) }, boxes.nodes[...], in: box),
      let all = try count(inside, boxes.nodes.prefix(1), in: box)
    else { return nil }
    return all + others
  }

  private func count(_ groups: [Int], _ nodes: ArraySlice<ParquetNode>, in box: Envelope) throws -> Int? {
    try concurrentPipeline(
      ParquetFeed(file, Array(nodes), groups: groups), next: { try $0.next(bytes) },
      work: { try ParquetBoxes.count($0, in: box) }, into: Int?(0),
      take: { sum, count in sum = sum.flatMap { sum in count.map { sum + $0 } } })
  }

  package func rows(meeting extents: [Envelope]) throws -> FeatureColumns? {
    let near = file.footer.rowGroups.indices.filter { group in
      extents.contains { boxes.mayMeet($0, group: group) }
    }
    guard near.count <= max(1, rowGroupCount / Self.largestPart), near.count < rowGroupCount else {
      return nil
    }
    let candidates = try concurrentPipeline(
      ParquetFeed(file, boxes.nodes, groups: near), next: { try $0.next(bytes) },
      work: { piece in (piece.number - 1, try ParquetBoxes.rows(piece, meeting: extents)) },
      into: [(group: Int, rows: [ParquetBoxes.Row])](), take: { if !$1.1.isEmpty { $0.append($1) } }
    )
    let table = try concurrentPipeline(
      ParquetFeed(file, plan.readFields, groups: candidates.map(\.group)),
      next: { try $0.next(bytes) },
      work: { try $0.rows(plan) }, into: ArrowRows(plan),
      take: { rows, parts in for part in parts { try rows.append(part) } }
    ).table()
    // Other rows may change the type of a field.
    guard table.schema.fields == schema.fields else { return nil }
    guard table.schema.geometryKind == schema.geometryKind || table.rowCount == 0,
      table.otherGeometries.isEmpty
    else { throw IndexFault() }
    var (kept, ids, first) = ([Int](), [Int64](), 0)
    for (group, rows) in candidates {
      for row in rows {
        guard let geometry = table.geometry, !geometry.isEmpty(row: first + row.number) else {
          continue
        }
        guard row.box.contains(geometry.envelope(ofRow: first + row.number)) else {
          throw IndexFault()
        }
        kept.append(first + row.number)
      }
      ids += (0..<file.footer.rowGroups[group].rowCount).map {
        Int64(file.firstRows[group] + $0) + 1
      }
      first += file.footer.rowGroups[group].rowCount
    }
    return FeatureColumns(
      schema: schema, columns: table.columns,
      geometry: table.geometry ?? CoordinateBuffer(kind: schema.geometryKind ?? .point),
      rowCount: table.rowCount, warnings: table.warnings, objectIDs: ids
    ).rows(kept)
  }
}

extension ArrowGeometry {
  /// The kind of all geometries, as the metadata state it; nil for several.
  fileprivate var statedKind: GeometryKind? {
    let kinds: [String: GeometryKind] = [
      "Point": .point, "MultiPoint": .multipoint, "LineString": .polyline,
      "MultiLineString": .polyline,
      "Polygon": .polygon, "MultiPolygon": .polygon,
    ]
    let stated = Set(statedTypes.map { kinds[String($0.prefix { $0 != " " })] })
    guard stated.count == 1, let kind = stated.first else { return nil }
    return kind
  }

  /// The envelope of all geometries, as the metadata state it; nil without one, or for one across the antimeridian.
  fileprivate func statedEnvelope(_ reference: SpatialReference) -> Envelope? {
    guard statedBox.count == 4 || statedBox.count == 6 else { return nil }
    let (x, y) = (statedBox[statedBox.count / 2], statedBox[statedBox.count / 2 + 1])
    guard statedBox[0] <= x, statedBox[1] <= y else { return nil }
    return Envelope(
      xMin: statedBox[0], yMin: statedBox[1], xMax: x, yMax: y, spatialReference: reference)
  }
}

/// The columns with the boxes of geometries.
struct ParquetBoxes: Sendable {
  /// The fields of the least x and y, and of the greatest.
  let nodes: [ParquetNode]
  /// For each row group, the box of all its boxes by the statistics; nil where these are missing.
  private let groups: [Envelope?]
  /// Whether the boxes are as precise as the geometries.
  let isExact: Bool

  /// Finds the columns; nil if there are none.
  init?(_ file: ParquetFile, _ geometry: ArrowGeometry) {
    guard let paths = geometry.boxPaths,
      let field = file.schema.nodes.first(where: { $0.name == paths[0][0] }),
      case .structure(let children) = field.content
    else { return nil }
    let found = paths.compactMap { path in children.first { $0.name == path[1] } }
    let leaves = found.compactMap { node -> Int? in
      if case .leaf(let index) = node.content { index } else { nil }
    }
    let types = leaves.map { file.schema.leaves[$0].type }
    guard leaves.count == 4, Set(types).count == 1, types[0] == .double || types[0] == .float else {
      return nil
    }
    nodes = found
    isExact = types[0] == .double
    groups = file.footer.rowGroups.map { group in
      let statistics = leaves.map { group.chunks[$0].statistics }
      guard let xMin = statistics[0].least?.bounds?.low,
        let yMin = statistics[1].least?.bounds?.low,
        let xMax = statistics[2].greatest?.bounds?.high,
        let yMax = statistics[3].greatest?.bounds?.high
      else { return nil }
      // A box across the antimeridian has its least x after its greatest.
      guard let lastStart = statistics[0].greatest?.bounds?.low, lastStart <= xMax,
        let firstEnd = statistics[2].least?.bounds?.high, xMin <= firstEnd
      else { return nil }
      return Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax)
    }
  }

  /// Whether a geometry of a row group may meet an extent.
  func mayMeet(_ extent: Envelope, group: Int) -> Bool {
    guard let box = groups[group] else { return true }
    return
      !(box.xMin > extent.xMax || box.xMax < extent.xMin || box.yMin > extent.yMax
      || box.yMax < extent.yMin)
  }

  /// Whether all geometries of a row group lie in an extent, by the statistics.
  func lies(in extent: Envelope, group: Int) -> Bool {
    groups[group].map { extent.contains($0) } ?? false
  }

  /// Returns the number of points of a row group in an extent, by their boxes, or by the least x alone.
  ///
  /// Nil if a box is larger than its point, whose position is then unknown.
  static func count(_ piece: ParquetPiece, in extent: Envelope) throws -> Int? {
    let columns = try piece.arrays().map { $0.0.numbers }
    guard columns.count > 1 else {
      return columns[0].count { $0 >= extent.xMin && $0 <= extent.xMax }
    }
    var count = 0
    for row in 0..<piece.rowCount {
      let (x, y) = (columns[0][row], columns[1][row])
      // A row without geometry has NaN, which is in no extent.
      guard x.isNaN || x == columns[2][row] && y == columns[3][row] else { return nil }
      if x >= extent.xMin, x <= extent.xMax, y >= extent.yMin, y <= extent.yMax { count += 1 }
    }
    return count
  }

  /// A row of a row group, and its box.
  struct Row: Sendable {
    let number: Int
    let box: Envelope
  }

  /// Returns the rows of a row group whose boxes meet an extent.
  static func rows(_ piece: ParquetPiece, meeting extents: [Envelope]) throws -> [Row] {
    let columns = try piece.arrays().map(\.0)
    let isSingle = columns.first?.type == .real(bits: 32)
    let numbers = columns.enumerated().map { index, column in
      // A number of single precision may be rounded to either side.
      isSingle ? column.numbers.map { index < 2 ? $0.singleBelow : $0.singleAbove } : column.numbers
    }
    var rows: [Row] = []
    for row in 0..<piece.rowCount {
      let crosses = numbers[0][row] > numbers[2][row]
      let box = Envelope(
        xMin: crosses ? -.infinity : numbers[0][row], yMin: numbers[1][row],
        xMax: crosses ? .infinity : numbers[2][row], yMax: numbers[3][row])
      if extents.contains(where: { box.meets($0) }) { rows.append(Row(number: row, box: box)) }
    }
    return rows
  }
}

extension ArrowArray {
  /// The numbers, NaN for nulls.
  fileprivate var numbers: [Double] {
    guard validity != nil else { return (0..<count).map { real($0) } }
    return (0..<count).map { isValid($0) ? real($0) : .nan }
  }
}

extension Double {
  /// The single-precision numbers before and after this one.
  fileprivate var singleBelow: Double { Double(Float(self).nextDown) }
  fileprivate var singleAbove: Double { Double(Float(self).nextUp) }
}

extension [UInt8] {
  /// The bounds of the number of four or eight bytes, as statistics hold it; nil for others and for NaN.
  ///
  /// A number of single precision may be rounded to either side.
  fileprivate var bounds: (low: Double, high: Double)? {
    let value: Double
    switch count {
    case 4: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: span.int32(at: 0))))
    case 8: value = Double(bitPattern: span.bits64(at: 0))
    default: return nil
    }
    if value.isNaN { return nil }
    return count == 4 ? (value.singleBelow, value.singleAbove) : (value, value)
  }
}
