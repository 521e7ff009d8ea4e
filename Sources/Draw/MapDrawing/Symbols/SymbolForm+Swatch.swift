import MapFeatures
package import MapGeometry
package import MapModel

extension SymbolForm {
  /// The geometry kind that shows the symbol.
  package var swatchKind: GeometryKind {
    switch simpleParts.first {
    case .line: .polyline
    case .fill, .pattern: .polygon
    case .placed(let placed): placed.needsPolygon ? .polygon : .polyline
    default: .point
    }
  }

  /// The symbol without offset and, for text, with centred alignment; parts keep their offsets.
  package var centred: SymbolForm {
    switch self {
    case .marker(var marker):
      (marker.offsetX, marker.offsetY) = (0, 0)
      return .marker(marker)
    case .picture(var picture):
      (picture.offsetX, picture.offsetY) = (0, 0)
      return .picture(picture)
    case .text(var text):
      (text.offsetX, text.offsetY) = (0, 0)
      (text.horizontalAlignment, text.verticalAlignment) = (.center, .middle)
      return .text(text)
    case .vector(var vector):
      (vector.offsetX, vector.offsetY) = (0, 0)
      return .vector(vector)
    case .line, .fill, .pattern, .placed, .composite: return self
    }
  }

  /// The widest outline of an area; nil for none.
  package var outlineWidth: Double? { outlineWidths.max() }

  /// The longest period of the dashes of a line, and its first dash, in view pixels; nil for solid lines.
  package var dashes: (period: Double, first: Double)? {
    simpleParts.compactMap { part in
      guard case .line(let line) = part else { return nil }
      let lengths = line.dashes(pixelRatio: 1).lengths
      return lengths.isEmpty ? nil : (lengths.reduce(0, +), lengths[0])
    }.max { $0.period < $1.period }
  }

  /// The length of arrows beyond a line, plus one pixel; 0 without arrows.
  package var arrowLength: Double {
    simpleParts.compactMap { part in
      if case .line(let line) = part, line.markerStyle == .arrow { 1 + 1.25 * line.width } else { nil }
    }.max() ?? 0
  }
}

/// A symbol at a position of an image that is not a map, as in legends.
package struct SymbolSwatch {
  /// The symbol.
  let symbol: SymbolForm
  /// The geometry in view pixels from the image's top left corner, as the only row.
  let geometry: CoordinateBuffer

  package init(_ symbol: SymbolForm, at geometry: CoordinateBuffer) {
    (self.symbol, self.geometry) = (symbol, geometry)
  }

  /// Returns the items of the symbol, made as for a feature of a map.
  ///
  /// - Parameters:
  ///   - width: the width of the image in view pixels.
  ///   - height: the height of the image in view pixels.
  package func batches(
    width: Double, height: Double, pixelRatio: Double, measurer: TextMeasurer?
  ) -> [DisplayBatch] {
    // One unit of the map is one view pixel, so the map's centre is that of the image.
    var ground = geometry
    ground.moveVertices { x, y in
      for vertex in 0..<x.count { (x[vertex], y[vertex]) = (x[vertex] - width / 2, height / 2 - y[vertex]) }
    }
    let table = FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: geometry.kind, spatialReference: .webMercator),
      columns: [], geometry: ground, rowCount: 1)
    let layer = LayerState(
      id: "", title: "", source: InMemorySource(table),
      renderer: .simple(SimpleRenderer(symbol: symbol.symbol)))
    let view = ViewState(
      width: width, height: height, pixelRatio: pixelRatio,
      viewpoint: ResolvedViewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), resolution: 1, rotation: 0),
      background: nil, timeExtent: nil, layers: [])
    let row = RowSet(rowCount: 1, all: true)
    let drawing = try? LayerSymbolizer(view: view, layer: layer, measurer: measurer)
      .drawing(index: 0, table: table, candidates: row, visible: row)
    return drawing?.layer.batches ?? []
  }
}
