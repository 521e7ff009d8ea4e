import MapDrawing
package import MapStyles

/// A drawer of style layers: from features of tiles to items in pixels.
///
/// Items are in the order of painting: tile by tile, in a tile by sort key, then in the order of the tile.
///
/// - Source: MapLibre Style Specification; where it is silent, MapLibre GL JS 5.
package struct StylePainter: Sendable {
  /// The zoom, and the other values that expressions ask for.
  package let context: StyleContext
  /// Output pixels per CSS pixel.
  package let pixelRatio: Double
  /// The width of the image in output pixels.
  package let width: Int
  /// The height of the image in output pixels.
  package let height: Int
  /// The images of the style's sprites.
  package let images: StyleImages
  /// The largest number of vertices of the dashes of a layer.
  package var dashLimit = PathBatch.largestShapes

  /// Creates a drawer for a view; expressions find the images of the sprites.
  package init(
    context: StyleContext, pixelRatio: Double, width: Int, height: Int, images: StyleImages = StyleImages()
  ) {
    var context = context
    if context.images == nil { context.images = Set(images.names) }
    (self.context, self.pixelRatio) = (context, pixelRatio)
    (self.width, self.height, self.images) = (width, height, images)
  }
}
