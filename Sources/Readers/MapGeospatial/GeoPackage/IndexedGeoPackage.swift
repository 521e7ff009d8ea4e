package import MapFeatures
package import MapGeometry
package import MapReaders

/// A table of a GeoPackage with a spatial index, by which only the rows near an extent are read.
///
/// The rows are those of ``GeoPackageRows``; a table that only GDAL can read is read as a whole.
package struct IndexedGeoPackage: IndexedTable {
  private let path: String
  private let all: @Sendable () throws -> InMemorySource
  private let table: GeoPackageSchema
  private let kind: GeometryKind
  private let rows: StoredRows
  private let index: GeoPackageIndex
  /// The counter of changes, and the identity of the file, when it was opened.
  private let changes: [UInt8]
  private let identity: [Int]
  package let rowCount: Int
  package let extent: Envelope

  /// The rows of a table in the file, without the fields that are not read.
  private struct StoredRows: Sendable {
    let layout: GeoPackageLayout
    let columns: [GeoPackageLayout.StoredColumn]
    /// The root page of the table.
    let root: Int

    init?(_ file: SQLiteFile, _ layout: GeoPackageLayout) {
      guard let root = layout.rootPage(file), let columns = layout.storedColumns(file) else { return nil }
      (self.layout, self.columns, self.root) = (layout, columns, root)
    }

    /// Reads the rows of some cells; nil if only GDAL can read them.
    func read(_ cells: [GeoPackageIndex.Cell], _ pages: SQLitePages) throws(IndexFault) -> GeoPackageRows? {
      let numbers = cells.map(\.number)
      guard let rows = GeoPackageRows.read(numbers, layout, columns, root: root, pages) else {
        guard pages.hasRows(numbers, root: root) else { throw IndexFault() }
        return nil
      }
      guard let geometry = rows.geometry.result else { return rows }
      for (row, cell) in cells.enumerated() where !geometry.isEmpty(row: row) {
        guard cell.fits(geometry.envelope(ofRow: row)) else { throw IndexFault() }
      }
      return rows
    }
  }

  /// The part of the rows that is read by the index at most; reading all of them in order is faster for more.
  ///
  /// - Source: design decision.
  private static let largestPart = 16
  /// The greatest number of rows that are read to know the sides of the extent.
  ///
  /// - Source: design decision; the sides of a grid of 10 million points have 12,600.
  private static let mostOutermost = 20_000

  /// Opens the table of a name, or the only one; nil for one that must be read as a whole.
  ///
  /// - Parameter all: Reads the whole table.
  package init?(
    _ path: String, layer name: String?, fields: FieldSelection,
    all: @escaping @Sendable () throws -> InMemorySource
  ) {
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi"), let files = try? CheckedFiles(path),
      files.geoPackage?.warnings.isEmpty == true
    else { return nil }
    let opened = GeoPackageRows.reading(path) { file, pages -> IndexedGeoPackage? in
      guard let table = GeoPackageSchema(file, layer: name, wanted: fields), let kind = table.kind,
        let rows = StoredRows(file, table.layout), let changes = pages.changeCounter,
        let shapes = StoredRows(file, table.layout.withoutFields),
        let index = GeoPackageIndex(file, table.layout),
        let count = index.rowCount(file, pages, root: rows.root),
        let cells = try? index.outermost(in: pages, limit: Self.mostOutermost),
        let outermost = try? shapes.read(cells, pages)?.geometry.result, outermost.kind == kind
      else { return nil }
      let extent = (0..<outermost.rowCount).reduce(Envelope.empty) {
        $0.union(outermost.envelope(ofRow: $1))
      }
      return IndexedGeoPackage(
        path: path, all: all, table: table, kind: kind, rows: rows, index: index, changes: changes,
        identity: pages.identity, rowCount: count,
        extent: extent.with(spatialReference: table.schema(kind).spatialReference))
    }
    guard let opened = opened else { return nil }
    self = opened
  }

  private init(
    path: String, all: @escaping @Sendable () throws -> InMemorySource, table: GeoPackageSchema,
    kind: GeometryKind, rows: StoredRows, index: GeoPackageIndex, changes: [UInt8], identity: [Int],
    rowCount: Int, extent: Envelope
  ) {
    (self.path, self.all, self.table, self.kind, self.rows) = (path, all, table, kind, rows)
    (self.index, self.changes, self.identity) = (index, changes, identity)
    (self.rowCount, self.extent) = (rowCount, extent)
  }

  package var name: String { table.layout.table }
  package var schema: FeatureSchema { table.schema(kind) }
  package var warnings: [String] { table.warnings }
  package func whole() throws -> InMemorySource { try all() }

  /// Nil: the rows of the index are counted only after they were found in the table.
  package func count(meeting box: Envelope) -> Int? { nil }

  package func rows(meeting boxes: [Envelope]) throws -> FeatureColumns? {
    let limit = max(1000, rowCount / Self.largestPart)
    let read = GeoPackageRows.reading(path) { file, pages -> Result<GeoPackageRows?, IndexFault>? in
      guard pages.changeCounter == changes, pages.identity == identity else { return nil }
      return Result { () throws(IndexFault) in
        let near = try index.cells(in: pages, limit: limit) { cell in
          boxes.contains { cell.mayMeet($0) }
        }
        guard let near else { return nil }
        return try rows.read(near, pages)
      }
    }
    guard let found = try read?.get(), found.geometry.kind ?? kind == kind else { return nil }
    return table.table(found)
  }

  /// Returns the number of rows of a table that do not fit its spatial index or the number of rows in the file.
  ///
  /// 0 without an index, and for a table that only GDAL can read.
  ///
  /// - Cost: one pass over the index.
  package static func indexFaults(_ path: String, layer name: String, _ columns: FeatureColumns) -> Int {
    guard case .integers(let ids)? = columns.columns.first?.storage, let geometry = columns.geometry,
      columns.schema.fields.first?.fieldType == .oid
    else { return 0 }
    return GeoPackageRows.reading(path) { file, pages in
      guard let table = GeoPackageSchema(file, layer: name, wanted: .all),
        let index = GeoPackageIndex(file, table.layout)
      else { return nil }
      let faults = (try? index.faults(in: pages, ids: ids, geometry)) ?? columns.rowCount
      guard let root = table.layout.rootPage(file), let count = index.rowCount(file, pages, root: root) else {
        return faults
      }
      return faults + abs(count - columns.rowCount)
    } ?? 0
  }
}
