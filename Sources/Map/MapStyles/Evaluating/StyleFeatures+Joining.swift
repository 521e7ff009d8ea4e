internal import MapFeatures
internal import MapFilter

extension StyleFeatures {
  /// Creates features from those of several tiles of a zoom level.
  ///
  /// - Parameters:
  ///   - rows: for each feature, the index of its tile's features and its row there.
  ///   - tiles: the features of the tiles.
  ///   - tile: the tile of the result, of the same zoom level.
  /// - Cost: linear in the features and their properties.
  package init(_ rows: [(tile: Int, row: Int)], of tiles: [StyleFeatures], tile: StyleTile?) {
    var names: [String] = []
    var known: Set<String> = []
    for source in tiles { names += source.columns.keys.sorted().filter { known.insert($0).inserted } }
    let columns = names.map { name in
      var (codes, values): ([Int32], [StyleValue]) = ([], [])
      var places: [StyleValue: Int32] = [:]
      for (source, row) in rows {
        guard let value = tiles[source].columns[name]?.value(row: row) else {
          codes.append(-1)
          continue
        }
        let code = places[value] ?? Int32(clamping: values.count)
        if places.updateValue(code, forKey: value) == nil { values.append(value) }
        codes.append(code)
      }
      return (name: name, codes: codes, values: values)
    }
    let ids = rows.map { tiles[$0.tile].ids?.value(row: $0.row)?.number }
    var withID = RowSet(rowCount: rows.count)
    for (row, id) in ids.enumerated() where id != nil { withID.insert(row) }
    self.init(
      kinds: rows.map { tiles[$0.tile].kinds[$0.row] }, coded: columns,
      ids: Column(.reals(ids.map { $0 ?? 0 }), validity: withID), tile: tile
    ) { feature in
      let (source, row) = rows[feature]
      let parts = tiles[source].parts(row: row) ?? []
      guard let tile, let own = tiles[source].tile else { return parts }
      let (x, y) = (Double(own.x - tile.x) * StyleTile.extent, Double(own.y - tile.y) * StyleTile.extent)
      return parts.map { $0.map { StylePoint($0.x + x, $0.y + y) } }
    }
  }

  /// Returns numbers for the features of several tiles; those with equal properties have equal numbers.
  package static func numbersOfValues(in tiles: [StyleFeatures]) -> [[Int]] {
    var known: [StyleObject: Int] = [:]
    return tiles.map { tile in
      (0..<tile.count).map { row in
        var properties: [(String, StyleValue)] = []
        for name in tile.columns.keys.sorted() {
          if let value = tile.columns[name]?.value(row: row) { properties.append((name, value)) }
        }
        let object = StyleObject(properties)
        let number = known[object] ?? known.count
        known[object] = number
        return number
      }
    }
  }
}
