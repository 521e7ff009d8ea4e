import MapCairo
package import MapDrawing
package import MapGeometry
package import MapImages
import MapModel
import MapSystem

/// Several maps on one page, in the place of its map.
extension MapPage {
  /// The rectangles of the maps of a grid, row by row, in whole view pixels from the top left corner of the page.
  ///
  /// - Parameter gap: the distance of two maps in view pixels.
  package func cells(columns: Int, rows: Int, gap: Double) -> [Envelope] {
    let width = ((mapBox.width + gap) / Double(columns)).rounded(.down) - gap
    let height = ((mapBox.height + gap) / Double(rows)).rounded(.down) - gap
    return (0..<columns * rows).map { index in
      let left = mapBox.xMin + Double(index % columns) * (width + gap)
      let top = mapBox.yMin + Double(index / columns) * (height + gap)
      return Envelope(xMin: left, yMin: top, xMax: left + width, yMax: top + height)
    }
  }

  /// Returns the page with images in the place of its map.
  ///
  /// - Parameter images: the images, each with its rectangle as ``cells(columns:rows:gap:)`` returns it.
  /// - Throws: ``MapStateError``.
  package func drawn(
    with images: [(box: Envelope, image: Bitmap)], threads: Int = 1, method: PaintingMethod = .fast
  ) throws(MapStateError) -> Bitmap {
    let ratio = map.pixelRatio
    func pixels(_ length: Double) -> Int { Int(clamping: (length * ratio).rounded()) }
    do {
      var area = try CairoPainter(
        width: pixels(mapBox.width), height: pixels(mapBox.height), background: tone.paper
      ).finish()
      for (box, image) in images {
        area.replace(x: pixels(box.xMin - mapBox.xMin), y: pixels(box.yMin - mapBox.yMin), by: image)
      }
      return try arrangement.drawn(
        around: area, width: width, height: height, pixelRatio: ratio, tone: tone, threads: threads,
        method: method)
    } catch {
      throw MapStateError(error)
    }
  }
}
