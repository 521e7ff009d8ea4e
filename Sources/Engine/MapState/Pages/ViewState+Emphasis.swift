import MapDrawing
import MapFeatures
import MapGeometry
import MapLayout
import MapModel

extension ViewState {
  /// The opacity of the veil over other features.
  ///
  /// - Source: design decision.
  private static let veilOpacity = 0.72
  /// The width of the outline of an emphasised area in view pixels.
  ///
  /// - Source: design decision.
  private static let outlineWidth = 1.8

  /// Returns the drawing of the emphasised feature, over all layers and below the labels; empty for none.
  ///
  /// An area has an outline, and the veil leaves it free. Points and lines are drawn again with their symbols.
  func emphasisDrawing() async throws(MapStateError) -> [DisplayLayer] {
    guard let emphasis, layers.indices.contains(emphasis.layer) else { return [] }
    var layer = layers[emphasis.layer]
    // The feature is drawn with its symbol, also where others are counted.
    layer.cells = nil
    layer = try await fetched(layer)
    let isArea = layer.source.schema.geometryKind == .polygon
    if isArea { layer.renderer = .standard(for: .polygon) }
    let shown = layer
    return try await naming(shown) {
      let table = try await shown.source.whole().shownColumns(on: spatialReference)
      let rows = ObjectIDs(table).rows(with: Set(emphasis.objectIDs), rowCount: table.rowCount)
      let drawing = try symbolizer(of: shown).drawing(
        index: -1, table: table, candidates: rows, visible: rows
      ).layer
      var area = CoordinateBuffer(kind: .polygon)
      for batch in drawing.batches where isArea {
        guard case .paths(let paths) = batch else { continue }
        for row in 0..<paths.geometry.rowCount {
          for part in paths.geometry.parts(ofRow: row) {
            area.appendVertices(paths.geometry.vertices(ofPart: part), of: paths.geometry)
            area.endPart()
          }
        }
      }
      area.endRow()
      var result: [DisplayLayer] = []
      if emphasis.mutesOthers { result.append(veil(around: area)) }
      guard isArea else { return result + [drawing] }
      let stroke = Stroke(
        color: PageTone(self).ink, width: Self.outlineWidth * pixelRatio, join: .round)
      return result + [
        overlay("emphasis", PathStyle(fill: nil, stroke: stroke, classIndex: -1), area)
      ]
    }
  }

  /// Returns a translucent layer over the whole image, with a hole.
  private func veil(around area: CoordinateBuffer) -> DisplayLayer {
    let (right, bottom) = (Double(pictureWidth), Double(pictureHeight))
    var shape = CoordinateBuffer(kind: .polygon)
    for (x, y) in [(0, 0), (right, 0), (right, bottom), (0, bottom), (0, 0)] {
      shape.appendVertex(x: x, y: y)
    }
    shape.endPart()
    for part in area.rowCount > 0 ? area.parts(ofRow: 0) : 0..<0 {
      shape.appendVertices(area.vertices(ofPart: part), of: area)
      shape.endPart()
    }
    shape.endRow()
    let color = (groundColor ?? .white).withAlphaComponent(Self.veilOpacity)
    return overlay("veil", PathStyle(fill: color, stroke: nil, classIndex: -1), shape)
  }

  private func overlay(_ name: String, _ style: PathStyle, _ shape: CoordinateBuffer) -> DisplayLayer {
    var batch = PathBatch(styles: [style], kind: .polygon)
    (batch.geometry, batch.style, batch.row) = (shape, [0], [0])
    return DisplayLayer(index: -1, name: name, opacity: 1, batches: [.paths(batch)])
  }
}
