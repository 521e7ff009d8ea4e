package import MapFeatures
package import MapGeometry
import MapJSON
import MapSystem

/// GeoParquet files with boxes of their geometries, by which only the rows near an extent are read.
///
/// Row groups are excluded by the statistics of the boxes and of other columns and by bloom filters, pages by their
/// index, and rows by the boxes themselves.
package struct IndexedParquet: IndexedTable {
  private let table: ParquetTable
  /// The boxes of each file.
  private let boxes: [ParquetBoxes]
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
    guard
      let table = try? ParquetTable(
        [ParquetTable.File(size: size, bytes: bytes)], fields: fields, options: ReadingOptions())
    else { return nil }
    self.init(table, name: name, all: all)
  }

  /// Creates a table of files; nil if one has no boxes, or metadata that do not state one kind of geometries and their
  /// extent.
  package init?(_ table: ParquetTable, name: String, all: @escaping @Sendable () throws -> InMemorySource) {
    guard let reference = table.plan.geometry?.reference else { return nil }
    var (boxes, extent, kinds) = ([ParquetBoxes](), Envelope?.none, Set<GeometryKind>())
    for part in table.parts {
      guard let geometry = part.geometry, let kind = geometry.statedKind,
        let own = ParquetBoxes(part.file, geometry), let box = geometry.statedEnvelope(reference)
      else { return nil }
      boxes.append(own)
      kinds.insert(kind)
      extent = extent?.union(box) ?? box
    }
    guard let extent, let kind = kinds.first, kinds.count == 1 else { return nil }
    (self.table, self.boxes, self.all, self.name, self.extent) = (table, boxes, all, name, extent)
    schema = FeatureSchema(
      fields: table.plan.columns.map(\.values.field), geometryKind: kind, spatialReference: reference,
      geometryName: table.plan.geometryName)
  }

  package var rowCount: Int { table.rowCount }
  package var warnings: [String] { table.plan.warnings }
  package func whole() throws -> InMemorySource { try all() }

  /// The number of row groups.
  package var rowGroupCount: Int { table.groups.count }

  /// Returns the row groups whose boxes may meet an extent, by their statistics.
  package func rowGroups(meeting box: Envelope) -> [Int] { rowGroups(meeting: [box]) }

  private func rowGroups(meeting extents: [Envelope]) -> [Int] {
    table.groups.indices.filter { index in
      let group = table.groups[index]
      return group.rowCount > 0
        && extents.contains { boxes[group.part].mayMeet($0, group: group.number) }
    }
  }

  // MARK: Counts

  package func count(meeting box: Envelope) throws -> Int? {
    guard let count = try count(meeting: [box]), count.undecided == nil else { return nil }
    return count.decided
  }

  package func count(meeting extents: [Envelope]) throws -> IndexedCount? {
    let near = rowGroups(meeting: extents)
    // Of rows that are all inside, one coordinate shows which have no geometry.
    let inside = near.filter { index in
      let group = table.groups[index]
      return extents.contains { boxes[group.part].lies(in: $0, group: group.number) }
    }
    let whole = try pass(
      boxes.map { $0.contents.prefix(1).map { $0 } }, inside.map { ($0, nil) },
      work: { try ParquetBoxes.count($0) }, into: 0, take: { $0 += $1 })
    // Where one coordinate of all boxes lies inside, the other decides.
    var crossed: [ParquetBoxes.Sides: [Int]] = [:]
    for index in Set(near).subtracting(inside).sorted() {
      let group = table.groups[index]
      crossed[boxes[group.part].sides(extents, group: group.number), default: []].append(index)
    }
    var parts: [BoxedRows] = []
    for sides in ParquetBoxes.Sides.allCases {
      guard let groups = crossed[sides] else { continue }
      parts += try pass(
        boxes.map { $0.contents(sides) },
        try groups.map { ($0, try rows(ofGroup: $0, meeting: extents)) },
        work: { piece in
          let group = table.groups[piece.group]
          return try boxes[group.part].split(piece, by: extents, sides, group: group.number)
        }, into: [BoxedRows](), take: { $0.append($1) })
    }
    parts.sort { $0.group < $1.group }
    let decided = whole + parts.reduce(0) { $0 + $1.inside }
    let undecided = parts.filter { !$0.crossing.isEmpty }
    let left = undecided.reduce(0) { $0 + $1.crossing.count }
    guard left > 0 else { return IndexedCount(decided: decided, undecided: nil) }
    guard left <= rowCount / Self.largestPart,
      let rows = try? read(
        undecided, try ArrowPlan(table.schema, wanted: FieldSelection([]), options: ReadingOptions()))
    else { return nil }
    return IndexedCount(decided: decided, undecided: rows)
  }

  // MARK: Rows

  package func rows(meeting extents: [Envelope]) throws -> FeatureColumns? {
    try rows(meeting: extents, where: [])
  }

  package func rows(
    meeting extents: [Envelope]?, where conditions: [FieldCondition]
  ) throws -> FeatureColumns? {
    let limits = table.parts.map { ParquetConditions(conditions, table, part: $0) }
    let near = try (extents.map { rowGroups(meeting: $0) } ?? Array(table.groups.indices)).filter { index in
      try limits[table.groups[index].part].mayHold(inGroup: table.groups[index].number)
    }
    let chosen = try near.map { index in
      let group = table.groups[index]
      var rows = try limits[group.part].rows(ofGroup: group.number, rowCount: group.rowCount)
      if let extents, let own = try self.rows(ofGroup: index, meeting: extents) {
        rows = rows?.intersection(own) ?? own
      }
      return (group: index, rows: rows)
    }
    let count = chosen.reduce(0) { sum, part in
      sum + (part.rows.map { $0.reduce(0) { $0 + $1.count } } ?? table.groups[part.group].rowCount)
    }
    guard count <= rowCount / Self.largestPart else { return nil }
    let rows: FeatureColumns?
    if let extents {
      let found = try pass(
        boxes.map(\.contents), chosen, work: { try ParquetBoxes.rows($0, meeting: extents) },
        into: [BoxedRows](), take: { if !$1.crossing.isEmpty { $0.append($1) } })
      rows = try read(found, table.plan)
    } else {
      rows = try read(chosen)
    }
    // Other rows may change the type of a field.
    guard let rows, rows.schema.fields == schema.fields else { return nil }
    return FeatureColumns(
      schema: schema, columns: rows.columns,
      geometry: rows.geometry
        ?? CoordinateBuffer(kind: schema.geometryKind ?? .point, emptyRows: rows.rowCount),
      rowCount: rows.rowCount, warnings: rows.warnings, objectIDs: rows.objectIDs)
  }

  /// Reads rows of row groups, also those without geometry, with their ids; nil for values that cannot be read.
  private func read(_ chosen: [(group: Int, rows: [Range<Int>]?)]) throws -> FeatureColumns? {
    let rows: FeatureColumns
    do { rows = try table.read(table.plan, table.readContents, chosen) } catch is ArrowError { return nil }
    guard rows.schema.geometryKind == schema.geometryKind || rows.rowCount == 0, rows.otherGeometries.isEmpty
    else { throw IndexFault() }
    let ids = chosen.flatMap { part in
      let group = table.groups[part.group]
      return (part.rows ?? [0..<group.rowCount]).joined().map { Int64(group.firstRow + $0) + 1 }
    }
    return FeatureColumns(
      schema: rows.schema, columns: rows.columns, geometry: rows.geometry, rowCount: rows.rowCount,
      warnings: rows.warnings, objectIDs: ids)
  }

  /// Reads rows of row groups, with their ids; nil for values that cannot be read, which the whole file reports.
  ///
  /// - Throws: ``IndexFault`` for boxes that do not hold their geometries.
  private func read(_ found: [BoxedRows], _ plan: ArrowPlan) throws -> FeatureColumns? {
    let fields = plan.readFields
    let rows: FeatureColumns
    do {
      rows = try table.read(
        plan, table.parts.map { part in fields.map { part.contents[$0] } },
        found.map { ($0.group, [Range<Int>](of: $0.crossing.map(\.number))) })
    } catch is ArrowError { return nil }
    guard rows.schema.geometryKind == schema.geometryKind || rows.rowCount == 0, rows.otherGeometries.isEmpty
    else { throw IndexFault() }
    var (kept, ids, row) = ([Int](), [Int64](), 0)
    for part in found {
      let firstRow = table.groups[part.group].firstRow
      for (number, box) in part.crossing {
        ids.append(Int64(firstRow + number) + 1)
        if let geometry = rows.geometry, !geometry.isEmpty(row: row) {
          guard box.contains(geometry.envelope(ofRow: row)) else { throw IndexFault() }
          kept.append(row)
        }
        row += 1
      }
    }
    return FeatureColumns(
      schema: rows.schema, columns: rows.columns, geometry: rows.geometry, rowCount: rows.rowCount,
      warnings: rows.warnings, objectIDs: ids
    ).rows(kept)
  }

  /// Passes through boxes; those that cannot be read are an index that does not fit the rows.
  private func pass<Output: Sendable, Sink: Sendable>(
    _ contents: [[ParquetTable.Content]], _ groups: [(group: Int, rows: [Range<Int>]?)],
    work: @Sendable (ParquetPiece) throws -> Output, into sink: Sink,
    take: @Sendable (inout Sink, Output) throws -> Void
  ) throws -> Sink {
    do { return try table.pass(contents, groups, work: work, into: sink, take: take) } catch is ArrowError {
      throw IndexFault()
    }
  }

  /// Returns the rows of the pages whose boxes may meet an extent, by the index of the pages; nil for all rows.
  private func rows(ofGroup index: Int, meeting extents: [Envelope]) throws -> [Range<Int>]? {
    let group = table.groups[index]
    return try boxes[group.part].rows(
      table.parts[group.part], group: group.number, meeting: extents, rowCount: group.rowCount)
  }
}

/// The rows of a row group by their boxes.
struct BoxedRows: Sendable {
  let group: Int
  /// The number of rows whose box lies in an extent, if these are counted apart.
  var inside = 0
  /// The other rows whose boxes meet an extent, in ascending order.
  var crossing: [(number: Int, box: Envelope)] = []
}

extension ArrowGeometry {
  /// The kind of all geometries, as the metadata state it; nil for several.
  var statedKind: GeometryKind? {
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
  let contents: [ParquetTable.Content]
  /// The indices of their columns.
  private let leaves: [Int]
  /// For each row group, the box of all its boxes by the statistics; nil where these are missing.
  private let groups: [Envelope?]

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
    contents = found.map { .node($0) }
    self.leaves = leaves
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

  /// Returns the box of all boxes of a row group; nil where the statistics are missing.
  func box(ofGroup group: Int) -> Envelope? { groups[group] }

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

  /// Returns the rows of the pages whose boxes may meet an extent, in ascending ranges; nil without an index.
  func rows(
    _ part: ParquetTable.Part, group: Int, meeting extents: [Envelope], rowCount: Int
  ) throws -> [Range<Int>]? {
    let row = part.file.footer.rowGroups[group]
    var sides: [(index: ParquetPageIndex, bounds: [ParquetStatistics])] = []
    for leaf in leaves {
      let chunk = row.chunks[leaf]
      guard let whole = try? chunk.range(fileSize: part.file.size),
        let index = try ParquetPageIndex(chunk, whole, rowCount: rowCount, part.source.bytes),
        let bounds = try index.bounds(chunk, part.source.bytes)
      else { return nil }
      sides.append((index, bounds))
    }
    // A box across the antimeridian has its least x after its greatest; its page is found by the statistics alone.
    guard groups[group] != nil else { return nil }
    var found: Set<Int> = []
    var ranges: [Range<Int>] = []
    for extent in extents {
      var rows = [0..<rowCount]
      for (side, limit) in zip(sides.indices, [extent.xMax, extent.yMax, extent.xMin, extent.yMin]) {
        let (index, bounds) = sides[side]
        rows = rows.intersection(
          zip(index.pages, bounds).compactMap { page, bound in
            if bound.isOnlyNulls { return nil }
            let bound = side < 2 ? bound.least?.bounds?.low : bound.greatest?.bounds?.high
            guard let bound else { return page.rows }
            return (side < 2 ? bound <= limit : bound >= limit) ? page.rows : nil
          })
      }
      if extents.count == 1 { return rows }
      found.formUnion(rows.joined())
    }
    ranges = [Range<Int>](of: found.sorted())
    return ranges
  }

  /// The sides of the boxes that decide whether rows of a row group meet an extent.
  enum Sides: CaseIterable { case all, x, y }

  /// Returns the sides that decide about the rows of a row group, by its statistics.
  func sides(_ extents: [Envelope], group: Int) -> Sides {
    guard extents.count == 1, let box = groups[group] else { return .all }
    if box.yMin >= extents[0].yMin, box.yMax <= extents[0].yMax { return .x }
    return box.xMin >= extents[0].xMin && box.xMax <= extents[0].xMax ? .y : .all
  }

  /// Returns the fields of some sides.
  func contents(_ sides: Sides) -> [ParquetTable.Content] {
    switch sides {
    case .all: contents
    case .x: [contents[0], contents[2]]
    case .y: [contents[1], contents[3]]
    }
  }

  /// Returns the number of rows of a row group that have a box, by the least x.
  static func count(_ piece: ParquetPiece) throws -> Int {
    let (bytes, start) = try piece.arrays()[0].0.doubles
    let span = bytes.span
    var count = 0
    for row in 0..<piece.rowCount { count &+= Double(span, at: start + 8 * row).isNaN ? 0 : 1 }
    return count
  }

  /// Returns the rows of a row group whose boxes meet an extent.
  static func rows(_ piece: ParquetPiece, meeting extents: [Envelope]) throws -> BoxedRows {
    try split(piece, by: extents, countsInside: false)
  }

  /// Returns the number of rows whose boxes lie in an extent, and the other rows whose boxes meet one.
  ///
  /// - Parameter sides: the sides of the boxes that were read.
  func split(
    _ piece: ParquetPiece, by extents: [Envelope], _ sides: Sides, group: Int
  ) throws -> BoxedRows {
    guard sides != .all, let box = groups[group] else { return try Self.split(piece, by: extents) }
    let columns = try Self.columns(piece)
    let (low, high) =
      sides == .x ? (extents[0].xMin, extents[0].xMax) : (extents[0].yMin, extents[0].yMax)
    let (a, b) = (columns[0].bytes, columns[1].bytes)
    let first = a.span
    let second = b.span
    var (found, row) = (BoxedRows(group: piece.group), 0)
    for range in piece.rows ?? [0..<piece.rowCount] {
      for number in range {
        let least = Double(first, at: columns[0].start + 8 * row)
        let greatest = Double(second, at: columns[1].start + 8 * row)
        row += 1
        if least >= low, greatest <= high, least <= greatest {
          found.inside += 1
        } else if least <= high && greatest >= low || sides == .x && least > greatest {
          let isX = sides == .x
          let crosses = least > greatest
          found.crossing.append(
            (
              number,
              Envelope(
                xMin: isX ? crosses ? -.infinity : least : box.xMin, yMin: isX ? box.yMin : least,
                xMax: isX ? crosses ? .infinity : greatest : box.xMax, yMax: isX ? box.yMax : greatest)
            ))
        }
      }
    }
    return found
  }

  private static func split(
    _ piece: ParquetPiece, by extents: [Envelope], countsInside: Bool = true
  ) throws -> BoxedRows {
    let columns = try columns(piece)
    let (a, b, c, d) = (columns[0].bytes, columns[1].bytes, columns[2].bytes, columns[3].bytes)
    let first = a.span
    let second = b.span
    let third = c.span
    let fourth = d.span
    var (found, row) = (BoxedRows(group: piece.group), 0)
    for range in piece.rows ?? [0..<piece.rowCount] {
      for number in range {
        var x0 = Double(first, at: columns[0].start + 8 * row)
        let y0 = Double(second, at: columns[1].start + 8 * row)
        var x1 = Double(third, at: columns[2].start + 8 * row)
        let y1 = Double(fourth, at: columns[3].start + 8 * row)
        if x0 > x1 { (x0, x1) = (-.infinity, .infinity) }
        row += 1
        // Rows without geometry have NaN, which meets nothing.
        var (meets, lies) = (false, false)
        for extent in extents
        where x0 <= extent.xMax && x1 >= extent.xMin && y0 <= extent.yMax && y1 >= extent.yMin {
          meets = true
          lies = lies || x0 >= extent.xMin && x1 <= extent.xMax && y0 >= extent.yMin && y1 <= extent.yMax
        }
        if countsInside, lies {
          found.inside += 1
        } else if meets {
          found.crossing.append((number, Envelope(xMin: x0, yMin: y0, xMax: x1, yMax: y1)))
        }
      }
    }
    return found
  }

  /// Returns the columns of a piece as doubles; of numbers of single precision, those below the least sides and above
  /// the greatest, because they may be rounded to either side.
  private static func columns(_ piece: ParquetPiece) throws -> [(bytes: [UInt8], start: Int)] {
    let arrays = try piece.arrays().map(\.0)
    return arrays.enumerated().map { index, array in
      guard array.type == .real(bits: 32) else { return array.doubles }
      let isLeast = index < arrays.count / 2
      let numbers = array.numbers.map { isLeast ? $0.singleBelow : $0.singleAbove }
      return (numbers.map(\.bitPattern).littleEndian, 0)
    }
  }
}

extension Double {
  /// Reads a number from bytes, the lowest first.
  @inline(__always)
  fileprivate init(_ bytes: Span<UInt8>, at place: Int) {
    self.init(bitPattern: ByteWord(bytes, at: place).bits)
  }
}

extension ArrowArray {
  /// The numbers, NaN for nulls.
  fileprivate var numbers: [Double] { (0..<count).map { isValid($0) ? real($0) : .nan } }

  /// The bytes of doubles, NaN for nulls, and the offset of the first one.
  fileprivate var doubles: (bytes: [UInt8], start: Int) {
    guard type == .real(bits: 64), validity == nil else {
      return (numbers.map(\.bitPattern).littleEndian, 0)
    }
    return (buffers[0].bytes, buffers[0].range.lowerBound)
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
