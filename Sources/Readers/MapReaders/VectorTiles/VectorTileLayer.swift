package import MapFeatures
package import MapGeometry

/// A layer of a vector tile: its features in flat arrays, and its values with their types.
///
/// A row is a feature that was kept. Questions use the values as columns (``table(in:fields:)``). Style expressions use
/// the exact values by their codes, which are indices into ``values``: a layer stores each value once, so what depends
/// on one value is computed once for it.
package struct VectorTileLayer: Sendable {
  /// The name; unique in a tile that follows the specification.
  package let name: String
  /// The version of the specification, 1 or 2.
  package let version: Int
  /// The number of units along each side of the tile, such as 4096.
  package let extent: Int
  /// The different keys, in order of first appearance.
  package let fields: [String]
  /// The table of values.
  package let values: [VectorTileValue]
  /// The values of the features.
  package let tags: VectorTileTags
  /// The ids of the features; 0 for those without.
  package let ids: [UInt64]
  /// The rows that have an id; nil if all have one.
  package let rowsWithID: RowSet?
  /// The kind of each feature's geometry.
  package let kinds: [GeometryKind]
  /// The geometries in units of the tile, to the right and downwards: a buffer for each of polygons, lines and points,
  /// each with all rows.
  ///
  /// Rings have the direction of the tile: a ring of positive area, by ``CoordinateBuffer/doubleArea(ofPart:)``, is an
  /// exterior ring. Points are a buffer of multipoints if one feature has several.
  package let geometries: [CoordinateBuffer]

  /// The number of features.
  package var rowCount: Int { kinds.count }

  /// Returns the id of a feature; nil if it has none.
  package func id(ofRow row: Int) -> UInt64? { rowsWithID?.contains(row) ?? true ? ids[row] : nil }

  /// Returns the index of a field; nil if the layer does not have it.
  package func index(ofField name: String) -> Int? {
    let name = ExactText(name)
    return fields.firstIndex { ExactText($0) == name }
  }

  /// Returns the value of a field in a row; nil if the feature does not have it.
  ///
  /// - Cost: proportional to the values of the feature; use ``codes(ofFields:)`` in loops.
  package func value(ofField field: Int, inRow row: Int) -> VectorTileValue? {
    tags.pairs(ofRow: row).last { $0.field == field }.map { values[Int($0.value)] }
  }

  /// Returns, for each of some fields, the index of every row's value in ``values``; -1 for a row without.
  ///
  /// - Cost: one pass over the values of all features.
  package func codes(ofFields wanted: [Int]) -> [[Int32]] {
    var places = [Int](repeating: -1, count: fields.count)
    for (place, field) in wanted.enumerated() { places[field] = place }
    var columns = wanted.map { _ in [Int32](repeating: -1, count: rowCount) }
    var pair = 0
    for row in 0..<rowCount {
      let end = Int(tags.ends[row])
      while pair < end {
        let place = places[Int(tags.pairs[pair].field)]
        if place >= 0 { columns[place][row] = tags.pairs[pair].value }
        pair += 1
      }
    }
    return columns
  }

  /// Returns the rings of a polygon's row as polygons, each an exterior ring and its interior rings, by their direction.
  ///
  /// Rings of the direction of the first one are exterior rings, so tiles of version 1 in either direction are read.
  ///
  /// - Source: Mapbox Vector Tile specification 2.1, 4.3.4.4; the rule for the first ring is that of MapLibre GL JS.
  package func polygons(ofRow row: Int) -> [[Int]] {
    guard kinds[row] == .polygon, let buffer = geometries.first(where: { $0.kind == .polygon }) else {
      return []
    }
    var (polygons, sign): ([[Int]], FloatingPointSign?) = ([], nil)
    for part in buffer.parts(ofRow: row) {
      let direction = buffer.doubleArea(ofPart: part).sign
      if sign ?? direction == direction {
        polygons.append([part])
      } else {
        polygons[polygons.count - 1].append(part)
      }
      sign = sign ?? direction
    }
    return polygons
  }
}
