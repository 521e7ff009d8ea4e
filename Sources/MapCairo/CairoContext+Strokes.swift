internal import MapDrawing
internal import MapGeometry

/// Paths whose strokes are laid down by coverage; their insides are Cairo's.
extension CairoContext {
  /// Paints the paths of a batch that show in `window`, each over the last.
  ///
  /// - Parameter raster: made when it is first needed.
  func paint(
    _ batch: PathBatch, chains: StrokeChains, window: BandWindow, raster: inout StrokeRaster?
  ) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    let geometry = batch.geometry
    let (x, y, style) = (geometry.x.span, geometry.y.span, batch.style.span)
    for item in 0..<geometry.rowCount {
      let look = looks[Int(style[item])]
      let sides = chains.sides[item]
      guard sides.isPaintable,
        window.shows(
          left: sides.left, right: sides.right, top: sides.top, bottom: sides.bottom, reach: look.reach)
      else { continue }
      if look.fill != nil || look.hatch != nil {
        newPath()
        for part in geometry.parts(ofRow: item) {
          addPart(x, y, geometry.vertices(ofPart: part), closed: true)
        }
        fillPath(look, ink: .colors, item: item, box: sides)
      }
      guard let stroke = chains.strokes[Int(style[item])] else { continue }
      if raster == nil {
        raster = StrokeRaster(width: Int(window.width), height: Int(window.bottom - window.origin))
      }
      let isClosed = geometry.kind == .polygon && !look.isOpen
      try unsafe withPixels { pixels in
        unsafe raster?.lay(
          chains.geometry, row: item, isClosed: isClosed, stroke: stroke, origin: window.origin, over: pixels)
      }
    }
  }
}
