import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds the background, which covers the image.
  ///
  /// - Parameter tiles: the tiles to which a pattern belongs; without any it begins at the image's corner.
  mutating func addBackground(_ tiles: [StyledTile]) {
    let opacity = constant("background-opacity")?.number ?? 1
    guard has("background-pattern") else {
      if let color = constant("background-color")?.color.flatMap({ Color($0, opacity: opacity) }) {
        cover(with: PathStyle(fill: color, stroke: nil, classIndex: -1), region: nil)
      }
      return
    }
    guard let property = layer.type.index(of: "background-pattern"),
      let value = wholeView.constant(property)?.value,
      let image = pattern("background-pattern", value, [])
    else { return }
    if tiles.isEmpty,
      let hatch = image.hatch(
        scale: painter.pixelRatio, angle: 0, origin: (0, 0), opacity: opacity)
    {
      cover(with: PathStyle(fill: nil, hatch: hatch, stroke: nil, classIndex: -1), region: nil)
    }
    for tile in tiles {
      guard let hatch = image.hatch(in: tile, painter, opacity: opacity) else { continue }
      cover(with: PathStyle(fill: nil, hatch: hatch, stroke: nil, classIndex: -1), region: tile.region)
    }
  }

  /// Adds an item that covers the image.
  private mutating func cover(with style: PathStyle, region: PixelRegion?) {
    var batch = PathBatch(styles: [style], kind: .polygon, region: region)
    // One pixel more, so that antialiasing cannot reach the image.
    let box = canvas.grown(by: 1)
    for (x, y) in [
      (box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax),
      (box.xMin, box.yMin),
    ] { batch.geometry.appendVertex(x: x, y: y) }
    batch.geometry.endPart()
    batch.geometry.endRow()
    batch.endItem(style: 0, row: 0)
    batches.append(.paths(batch))
  }
}
