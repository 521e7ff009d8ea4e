import MapFeatures
import MapGeometry

/// The spatial index of a GeoPackage table: an R-tree whose nodes are rows of an ordinary table, read in part for each query.
///
/// All nodes that are read are checked: their levels, their sizes, that each has cells inside the cell above it, and that no
/// node or row occurs twice.
///
/// - Source: OGC 12-128r18, F.3; SQLite, "The SQLite R*Tree Module", and the description of nodes in its `rtree.c`: the
///   depth of the tree in the root, the number of cells, and cells of a number and two ranges, most significant byte first.
struct GeoPackageIndex: Sendable {
  /// A cell of a node: a node below it, or a row of the table.
  struct Cell: Sendable {
    let number: Int64
    let xMin, xMax, yMin, yMax: Float

    /// The cell of the root.
    static let root = Cell(
      number: 1, xMin: -.infinity, xMax: .infinity, yMin: -.infinity, yMax: .infinity)

    /// Whether the sides are numbers in order.
    var isSound: Bool {
      xMin <= xMax && yMin <= yMax && xMin.isFinite && xMax.isFinite && yMin.isFinite && yMax.isFinite
    }

    func contains(_ other: Cell) -> Bool {
      xMin <= other.xMin && other.xMax <= xMax && yMin <= other.yMin && other.yMax <= yMax
    }

    // SQLite rounds the sides of a box outwards to 32 bits, by up to 4 steps. Other writers may round them to the nearest
    // number, which lies inside by less than one step.

    /// Whether the row may meet an envelope.
    func mayMeet(_ box: Envelope) -> Bool {
      Double(xMin.nextDown) <= box.xMax && Double(xMax.nextUp) >= box.xMin
        && Double(yMin.nextDown) <= box.yMax && Double(yMax.nextUp) >= box.yMin
    }

    /// Whether the cell is that of a row with an envelope.
    ///
    /// A larger box does not fit: it may be the box of a node that a damaged index lists as a row.
    func fits(_ box: Envelope) -> Bool {
      func isNear(_ side: Float, _ value: Double, outwards: Float) -> Bool {
        let (step, excess) = (Float(value).ulp, (side - Float(value)) * outwards)
        return excess >= -step && excess <= Float(GeoPackageIndex.greatestRounding) * step
      }
      return isNear(xMin, box.xMin, outwards: -1) && isNear(xMax, box.xMax, outwards: 1)
        && isNear(yMin, box.yMin, outwards: -1) && isNear(yMax, box.yMax, outwards: 1)
    }
  }

  /// The steps by which a side may differ from the nearest number of 32 bits.
  ///
  /// - Source: SQLite's `rtree.c` multiplies a side that was rounded inwards by 1 - 2^-23 or 1 + 2^-23, and rounds again: at
  ///   most 3 steps.
  private static let greatestRounding = 4

  /// The name of the R-tree.
  private let name: String
  private let table: String
  /// The root pages of the tables of nodes and of rows.
  private let nodes, rows: Int

  /// Finds the index of a table; nil for a table without a registered one.
  init?(_ file: SQLiteFile, _ layout: GeoPackageLayout) {
    guard let column = layout.geometryColumn else { return nil }
    let name = "rtree_\(layout.table)_\(column)"
    (self.name, table) = (name, layout.table)
    var isRegistered = false
    let registration =
      "SELECT lower(column_name) FROM gpkg_extensions WHERE extension_name = 'gpkg_rtree_index' AND lower(table_name) = lower(?)"
    _ = file.query(registration, text: layout.table) { row in
      isRegistered = isRegistered || row.string(0) == column.lowercased()
      return true
    }
    var sql = ""
    _ = file.query("SELECT lower(sql) FROM sqlite_master WHERE type = 'table' AND name = ?", text: name) {
      sql = $0.string(0) ?? ""
      return true
    }
    guard isRegistered, Self.isOfTwoDimensions(sql), let nodes = file.rootPage(of: name + "_node"),
      let rows = file.rootPage(of: name + "_rowid")
    else { return nil }
    (self.nodes, self.rows) = (nodes, rows)
  }

  /// Returns whether an R-tree has the columns of the format, as decimal numbers.
  private static func isOfTwoDimensions(_ sql: String) -> Bool {
    guard let using = sql.firstRange(of: " using rtree"),
      let open = sql[using.upperBound...].firstIndex(of: "("),
      let close = sql.lastIndex(of: ")"), open < close,
      sql[using.upperBound..<open].allSatisfy({ $0.isWhitespace })
    else { return false }
    let names = sql[sql.index(after: open)..<close].split(separator: ",").map { name in
      name.filter { !$0.isWhitespace && $0 != "\"" }
    }
    return names.count == 5 && names.dropFirst() == ["minx", "maxx", "miny", "maxy"]
  }

  // MARK: Trust

  /// Returns the number of rows in the table if the index has been kept up to date, as far as can be known without reading it.
  ///
  /// The triggers of the index and of the number of rows must exist, and the last row must be the last one of the index.
  func rowCount(_ file: SQLiteFile, _ pages: SQLitePages, root: Int) -> Int? {
    var triggers: [String] = []
    let sql =
      "SELECT lower(name) FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = lower(?)"
    let isRead = file.query(sql, text: table) { row in
      triggers += row.string(0).map { [$0] } ?? []
      return true
    }
    let (tree, table) = (name.lowercased(), table.lowercased())
    let needed = [
      tree + "_insert", tree + "_delete", "trigger_insert_feature_count_" + table,
      "trigger_delete_feature_count_" + table,
    ]
    // Versions of the format have four or five triggers for changed rows.
    let updates = triggers.count { $0.hasPrefix(tree + "_update") }
    guard isRead, updates >= 4, needed.allSatisfy(triggers.contains) else { return nil }
    var count: Int64?
    _ = file.query(
      "SELECT feature_count FROM gpkg_ogr_contents WHERE lower(table_name) = lower(?)", text: table
    ) {
      count = $0.integer(0)
      return true
    }
    guard let last = pages.lastNumber(root: root), last == pages.lastNumber(root: rows), let count,
      1...max(1, last) ~= count
    else { return nil }
    return Int(count)
  }

  // MARK: Questions

  /// Returns the cells of rows that `isNear` accepts, by row number; nil for more than `limit`.
  ///
  /// - Parameter isNear: also accepts each cell above an accepted one.
  func cells(
    in pages: SQLitePages, limit: Int, where isNear: (Cell) -> Bool
  ) throws(IndexFault) -> [Cell]? {
    var level = [Cell.root]
    var height: Int?
    while true {
      let numbers = level.map(\.number)
      guard let leaves = pages.leaves(root: nodes, of: numbers) else { throw IndexFault() }
      var reader = SQLiteRowReader(pages, leaves: leaves[...], of: numbers)
      var (below, index, isOver) = ([Cell](), 0, false)
      let isRead = reader.forEachRow { _, bytes, range in
        let parent = level[index]
        index += 1
        guard let node = Node(bytes.span, range) else { return false }
        if height == nil { height = node.depth }
        // Only the root may be without cells.
        guard node.count > 0 || parent.number == 1 else { return false }
        for place in 0..<node.count {
          let cell = node.cell(place, bytes.span)
          guard cell.isSound, parent.contains(cell) else { return false }
          if isNear(cell) { below.append(cell) }
        }
        isOver = below.count > limit
        return !isOver
      }
      if isOver { return nil }
      guard isRead, index == level.count, let left = height, left <= Self.greatestDepth else {
        throw IndexFault()
      }
      below.sort { $0.number < $1.number }
      guard zip(below, below.dropFirst()).allSatisfy({ $0.number < $1.number }) else { throw IndexFault() }
      if left == 0 || below.isEmpty { return below }
      (level, height) = (below, left - 1)
    }
  }

  /// The limit of SQLite.
  private static let greatestDepth = 40

  /// Returns the cells of rows among which are those at the sides of the table; nil for more than `limit`.
  func outermost(in pages: SQLitePages, limit: Int) throws(IndexFault) -> [Cell]? {
    var (west, east, south, north) = (Float.infinity, -Float.infinity, Float.infinity, -Float.infinity)
    // No cell is accepted, so only those of the root are seen, which are around all others.
    _ = try cells(in: pages, limit: 0) { cell in
      (west, east) = (min(west, cell.xMin), max(east, cell.xMax))
      (south, north) = (min(south, cell.yMin), max(north, cell.yMax))
      return false
    }
    // The rounded side of one row may lie beyond that of a row further out, by a few steps of each.
    for _ in 0..<2 * Self.greatestRounding {
      (west, east, south, north) = (west.nextUp, east.nextDown, south.nextUp, north.nextDown)
    }
    return try cells(in: pages, limit: limit) { cell in
      cell.xMin <= west || cell.xMax >= east || cell.yMin <= south || cell.yMax >= north
    }
  }

  /// Returns the number of rows whose geometry is not in their cell, and of cells without a row.
  func faults(in pages: SQLitePages, ids: [Int64], _ geometry: CoordinateBuffer) throws(IndexFault) -> Int {
    guard let cells = try cells(in: pages, limit: .max, where: { _ in true }) else { throw IndexFault() }
    var (faults, next) = (0, 0)
    for (row, id) in ids.enumerated() {
      while next < cells.count, cells[next].number < id { (faults, next) = (faults + 1, next + 1) }
      let cell = next < cells.count && cells[next].number == id ? cells[next] : nil
      if cell != nil { next += 1 }
      let isSound =
        geometry.isEmpty(row: row) ? cell == nil : cell?.fits(geometry.envelope(ofRow: row)) ?? false
      if !isSound { faults += 1 }
    }
    return faults + cells.count - next
  }
}

/// A node of an R-tree.
private struct Node {
  private let start: Int
  /// The number of levels below the root; meaningless in other nodes.
  let depth: Int
  /// The number of cells.
  let count: Int

  /// Finds a node in its record; nil for one of another form.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard var record = SQLiteRecord(bytes, range),
      // The number of the node is stored as null, because it is the row number.
      let number = record.next(bytes), number.type == 0, let data = record.next(bytes)?.blob,
      record.isAtEnd, data.count >= 4
    else { return nil }
    start = data.lowerBound + 4
    depth = bytes.number(at: data.lowerBound, size: 2)
    count = bytes.number(at: data.lowerBound + 2, size: 2)
    guard 4 + count * 24 <= data.count else { return nil }
  }

  func cell(_ index: Int, _ bytes: Span<UInt8>) -> GeoPackageIndex.Cell {
    let place = start + index * 24
    func side(_ index: Int) -> Float {
      Float(bitPattern: UInt32(truncatingIfNeeded: bytes.number(at: place + 8 + 4 * index, size: 4)))
    }
    return GeoPackageIndex.Cell(
      number: Int64(bytes.number(at: place, size: 8)), xMin: side(0), xMax: side(1), yMin: side(2),
      yMax: side(3))
  }
}
