internal import MapDrawing
internal import MapGeometry

/// Painting of paths by coverage; Cairo paints the lines of hatches.
extension CairoContext {
  /// Paints the paths of a batch that are visible in `window`, each over the last.
  ///
  /// - Parameter raster: the raster of the band; it is created when first needed.
  func paint(
    _ batch: PathBatch, prepared: PreparedPaths, window: BandWindow, raster: inout PathRaster?
  ) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    let geometry = batch.geometry
    let shown = window.within(batch.region)
    guard !shown.isEmpty else { return }
    // A raster of the batches before has their areas.
    raster?.beginBatch(joinsAreas: prepared.joinsAreas)
    // Labels and shapes have no region.
    defer { raster?.region = nil }
    var isInside = true
    for item in 0..<geometry.rowCount {
      // Nearly all items of a band may be outside of it and take a few nanoseconds.
      if item & 63 == 0, window.isStopped { return }
      let style = Int(batch.style.span[item])
      let (look, sides) = (looks[style], prepared.sides[item])
      guard sides.isPaintable,
        shown.shows(
          left: sides.left, right: sides.right, top: sides.top, bottom: sides.bottom, reach: look.reach)
      else { continue }
      if raster == nil {
        raster = PathRaster(window)
        raster?.beginBatch(joinsAreas: prepared.joinsAreas)
      }
      // Most paths of a tile are inside its region, and need no mask.
      if let region = batch.region, window.isInside(region, sides, reach: look.reach) != isInside {
        isInside.toggle()
        raster?.region = isInside ? nil : region
      }
      if !isInside { raster?.work.maskedPaths += 1 }
      if let ink = prepared.fills[style] {
        try unsafe withPixels { pixels in
          if prepared.joinsAreas {
            unsafe raster?.fillArea(geometry, row: item, ink: ink, origin: window.origin, over: pixels)
          } else {
            unsafe raster?.fill(geometry, row: item, ink: ink, origin: window.origin, over: pixels)
          }
        }
      }
      if let hatch = look.hatch, hatch.hasOneColor, geometry.vertices(ofRow: item).count > Self.longRings {
        try raster?.paint(hatch, geometry, row: item, box: sides, window: window, on: self)
      } else if let hatch = look.hatch {
        raster?.work.vertices += geometry.vertices(ofRow: item).count
        newPath()
        for part in geometry.parts(ofRow: item) {
          addPart(geometry.x.span, geometry.y.span, geometry.vertices(ofPart: part), closed: true)
        }
        // The edge of the area mixes in a pixel more.
        try inside(batch.region, sides, reach: 1, window: window) { () throws(CairoError) in
          try paint(hatch, of: HatchedItem(batch: batch, index: item), box: sides, window: window)
        }
      }
      if prepared.joinsAreas, look.hatch != nil {
        raster?.closeArea(geometry, row: item, origin: window.origin)
      }
      guard let stroke = prepared.strokes[style] else { continue }
      let isClosed = geometry.kind == .polygon && !look.isOpen
      try unsafe withPixels { pixels in
        unsafe raster?.stroke(
          geometry, row: item, isClosed: isClosed, stroke: stroke, origin: window.origin, sides: sides,
          over: pixels)
      }
    }
  }
}
