import MapFeatures
import MapGeometry
package import MapModel
package import MapReaders
package import MapStyles

extension StyleFeatures {
  /// Creates the features of a tile's layer, with the values of the fields that expressions name.
  ///
  /// - Parameters:
  ///   - layer: the layer.
  ///   - tile: the tile.
  ///   - names: the names of the fields; nil for all.
  /// - Cost: proportional to the values of the features; geometries are read only when an expression asks for them.
  package init(_ layer: VectorTileLayer, in tile: TileIndex, fields names: Set<String>? = nil) {
    let wanted = layer.fields.indices.filter { names?.contains(layer.fields[$0]) ?? true }
    // For each value of the layer its place among the values of the current field.
    var places = [Int32](repeating: -1, count: layer.values.count)
    let columns = zip(wanted, layer.codes(ofFields: wanted)).map { field, codes in
      var (own, values): ([Int32], [StyleValue]) = (codes, [])
      for row in codes.indices where codes[row] >= 0 {
        let code = Int(codes[row])
        if places[code] < 0 {
          places[code] = Int32(truncatingIfNeeded: values.count)
          values.append(layer.values[code].styleValue)
        }
        own[row] = places[code]
      }
      for code in codes where code >= 0 { places[Int(code)] = -1 }
      return (name: layer.fields[field], codes: own, values: values)
    }
    self.init(
      kinds: layer.kinds.map(\.styleKind), coded: columns,
      ids: Column(.reals(layer.ids.map { Double($0) }), validity: layer.rowsWithID),
      tile: StyleTile(zoom: tile.zoom, x: tile.column, y: tile.row)
    ) { row in layer.styleParts(ofRow: row) }
  }
}

extension VectorTileValue {
  /// The value in expressions, whose numbers are all of double precision.
  fileprivate var styleValue: StyleValue {
    switch self {
    case .text(let text): .string(text)
    case .float(let number): .number(Double(number))
    case .double(let number): .number(number)
    case .integer(let number): .number(Double(number))
    case .unsigned(let number): .number(Double(number))
    case .boolean(let value): .boolean(value)
    }
  }
}

extension GeometryKind {
  /// The kind in expressions.
  fileprivate var styleKind: StyleGeometryKind {
    switch self {
    case .point, .multipoint: .point
    case .polyline: .line
    case .polygon: .polygon
    }
  }
}

extension VectorTileLayer {
  /// Returns the points, lines or rings of a feature in the units of expressions.
  fileprivate func styleParts(ofRow row: Int) -> [[StylePoint]] {
    guard let buffer = geometries.first(where: { !$0.isEmpty(row: row) }) else { return [] }
    let scale = StyleTile.extent / Double(extent)
    func point(_ vertex: Int) -> StylePoint { StylePoint(buffer.x[vertex] * scale, buffer.y[vertex] * scale) }
    if buffer.kind == .point { return [[point(row)]] }
    return buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0).map(point) }
  }
}
