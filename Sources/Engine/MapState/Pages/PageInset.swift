import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// A small map of another area on a page.
package struct PageInset: Sendable {
  /// The view of the area.
  let map: ViewState
  /// The rectangle in the image, in view pixels from the top left corner.
  let box: Envelope

  package init(map: ViewState, box: Envelope) { (self.map, self.box) = (map, box) }
}

extension MapPage {
  /// Returns the images of the insets with the position of their top left corners, in output pixels.
  func insetImages(
    threads: Int, method: PaintingMethod
  ) async throws(MapStateError) -> [(image: Bitmap, x: Int, y: Int)] {
    var images: [(image: Bitmap, x: Int, y: Int)] = []
    for inset in insets {
      let drawn = try await inset.map.render(threads: threads, method: method)
      images.append(
        (
          drawn.bitmap, Int(clamping: (inset.box.xMin * map.pixelRatio).rounded()),
          Int(clamping: (inset.box.yMin * map.pixelRatio).rounded())
        ))
    }
    return images
  }

  /// Returns the insets as an image of a size in output pixels, for formats without pixels; nil without insets.
  func insetLayer(width: Int, height: Int) async throws(MapStateError) -> DisplayLayer? {
    guard !insets.isEmpty else { return nil }
    let image = try DisplayImage(ofPage: width, height, try await insetImages(threads: 1, method: .fast))
    return DisplayLayer(index: -1, name: "insets", opacity: 1, batches: [.image(image)])
  }
}

extension DisplayImage {
  /// Creates an image of a size in pixels with other images at their top left corners, transparent beside them.
  init(
    ofPage width: Int, _ height: Int, _ images: [(image: Bitmap, x: Int, y: Int)]
  ) throws(MapStateError) {
    var page = try Bitmap(width: width, height: height)
    for (image, x, y) in images { page.replace(x: x, y: y, by: image) }
    var pixels = [UInt32](repeating: 0, count: width * height)
    var span = pixels.mutableSpan
    page.copy(rows: 0..<height, to: &span)
    self.init(width: width, pixels: pixels)
  }
}
