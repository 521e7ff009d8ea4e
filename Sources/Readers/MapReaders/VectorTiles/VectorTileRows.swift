import MapFeatures
import MapGeometry

/// The rows of a layer while it is read.
struct VectorTileRows {
  var tags = VectorTileTags()
  var geometries: VectorTileGeometries
  private(set) var ids: [UInt64] = []
  private(set) var kinds: [GeometryKind] = []
  private var rowsWithoutID: [Int] = []

  init(vertexRoom: Int) { geometries = VectorTileGeometries(vertexRoom: vertexRoom) }

  /// Removes all rows, and keeps the memory for the next layer.
  mutating func removeAll() {
    tags.removeAll()
    geometries.removeAll()
    ids.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    rowsWithoutID.removeAll(keepingCapacity: true)
  }

  /// Adds a row, whose tags and geometry are added by themselves.
  mutating func append(id: UInt64?, _ kind: GeometryKind) {
    if id == nil { rowsWithoutID.append(ids.count) }
    ids.append(id ?? 0)
    kinds.append(kind)
  }

  /// The rows that have an id; nil if all have one.
  var rowsWithID: RowSet? {
    guard !rowsWithoutID.isEmpty else { return nil }
    var rows = RowSet(rowCount: ids.count, all: rowsWithoutID.count < ids.count)
    if rowsWithoutID.count < ids.count { for row in rowsWithoutID { rows.remove(row) } }
    return rows
  }
}
