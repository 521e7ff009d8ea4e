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
      index: index, name: name, opacity: opacity, batches: batches.map { $0.removing(rows: rows) })
    (layer.blendMode, layer.groups) = (blendMode, groups)
    layer.effect = effect.map { effect in
      DisplayEffect(
        parts: effect.parts.map { part in
          DisplayEffect.Part(
            batches: part.batches.map { $0.removing(rows: rows) }, functions: part.functions)
        }, functions: effect.functions, margin: effect.margin, pixelRatio: effect.pixelRatio)
    }
    return layer
  }

  /// Returns the layer with the items of one row only.
  package func keeping(row: Int) -> DisplayLayer { removing(rows: Set(paintedRows).subtracting([row])) }

  /// The layer without images of all its features, such as heat maps, and without effects and labels.
  package var itemsAlone: DisplayLayer {
    DisplayLayer(
      index: index, name: name, opacity: opacity,
      batches: batches.filter {
        switch $0 {
        case .markers, .paths, .shapes: true
        case .labels, .image: false
        }
      })
  }
}

extension DisplayBatch {
  /// Returns the batch without the items of some rows.
  fileprivate func removing(rows: Set<Int>) -> DisplayBatch {
    switch self {
    case .markers(var markers):
      let kept = markers.row.indices.filter { !rows.contains(Int(markers.row[$0])) }
      markers.x = kept.map { markers.x[$0] }
      markers.y = kept.map { markers.y[$0] }
      markers.style = kept.map { markers.style[$0] }
      markers.row = kept.map { markers.row[$0] }
      return .markers(markers)
    case .paths(let paths):
      var left = PathBatch(styles: paths.styles, kind: paths.geometry.kind, region: paths.region)
      for item in paths.row.indices where !rows.contains(Int(paths.row[item])) {
        left.geometry.appendRow(item, of: paths.geometry)
        left.style.append(paths.style[item])
        left.row.append(paths.row[item])
        if let extent = paths.extent(ofItem: item) { left.extents.append(extent) }
      }
      return .paths(left)
    case .shapes(var shapes):
      let kept = shapes.row.indices.filter { !rows.contains(Int(shapes.row[$0])) }
      shapes.x = kept.map { shapes.x[$0] }
      shapes.y = kept.map { shapes.y[$0] }
      shapes.symbol = kept.map { shapes.symbol[$0] }
      shapes.row = kept.map { shapes.row[$0] }
      return .shapes(shapes)
    case .labels(var labels):
      labels.items.removeAll { rows.contains(Int($0.row)) }
      return .labels(labels)
    case .image: return self
    }
  }
}
