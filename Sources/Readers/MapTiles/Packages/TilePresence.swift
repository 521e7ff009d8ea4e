package import MapJSON
package import MapModel

/// The index of the tiles of a vector tile package or service.
///
/// It is a tree of arrays of four: upper left, upper right, lower left and lower right. The number 0 stands for no data,
/// 1 for a tile without smaller ones, and 2 for another index, which is not read.
///
/// - Source: Esri, vector tile packages, `tilemap/root.json`; ArcGIS REST API, vector tilemap.
package struct TilePresence: Sendable {
  private let index: JSONValue

  /// Creates an index from its file; nil for other JSON.
  package init?(_ json: JSONValue) {
    guard let index = json["index"], index.array?.count == 4 else { return nil }
    self.index = index
  }

  /// Returns whether the index says that a tile has no tile of its own, because one of a smaller zoom has its data.
  package func isBelowLeaf(_ tile: TileIndex) -> Bool {
    var node = index
    for step in (0..<max(0, tile.zoom)).reversed() {
      guard let children = node.array else { return node.double == 1 }
      let number = (tile.row >> step & 1) << 1 | tile.column >> step & 1
      guard children.count == 4 else { return false }
      node = children[number]
    }
    return false
  }

  /// Returns whether the index says that there is no data in the area of a tile.
  package func hasNoData(_ tile: TileIndex) -> Bool {
    var node = index
    for step in (0..<max(0, tile.zoom)).reversed() {
      guard let children = node.array else { break }
      let number = (tile.row >> step & 1) << 1 | tile.column >> step & 1
      guard children.count == 4 else { return false }
      node = children[number]
    }
    return node.double == 0
  }
}
