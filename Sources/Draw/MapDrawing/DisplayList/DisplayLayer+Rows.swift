import MapGeometry

extension DisplayLayer {
  /// The row of each item, in painting order.
  package var paintedRows: [Int] {
    batches.flatMap { batch -> [Int] in
      switch batch {
      case .markers(let markers): markers.row.map { Int($0) }
      case .paths(let paths): paths.row.map { Int($0) }
      case .shapes(let shapes): shapes.row.map { Int($0) }
      case .labels, .image: []
      }
    }
  }

  /// Returns the layer without the items of some rows.
  package func removing(rows: Set<Int>) -> DisplayLayer {
    var layer = DisplayLayer(
      index: index, name: name, opacity: opacity,
      batches: batches.map { batch in
        switch batch {
        case .markers(var markers):
          let kept = markers.row.indices.filter { !rows.contains(Int(markers.row[$0])) }
          markers.x = kept.map { markers.x[$0] }
          markers.y = kept.map { markers.y[$0] }
          markers.style = kept.map { markers.style[$0] }
          markers.row = kept.map { markers.row[$0] }
          return .markers(markers)
        case .paths(let paths):
          var left = PathBatch(styles: paths.styles, kind: paths.geometry.kind)
          for item in paths.row.indices where !rows.contains(Int(paths.row[item])) {
            left.geometry.appendRow(item, of: paths.geometry)
            left.style.append(paths.style[item])
            left.row.append(paths.row[item])
          }
          return .paths(left)
        case .shapes(var shapes):
          let kept = shapes.row.indices.filter { !rows.contains(Int(shapes.row[$0])) }
          shapes.x = kept.map { shapes.x[$0] }
          shapes.y = kept.map { shapes.y[$0] }
          shapes.symbol = kept.map { shapes.symbol[$0] }
          shapes.row = kept.map { shapes.row[$0] }
          return .shapes(shapes)
        case .labels, .image: return batch
        }
      })
    layer.blendMode = blendMode
    return layer
  }

  /// Returns the layer with the items of one row only.
  package func keeping(row: Int) -> DisplayLayer { removing(rows: Set(paintedRows).subtracting([row])) }
}
