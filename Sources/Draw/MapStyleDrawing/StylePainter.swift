package import MapDrawing
package import MapStyles

/// One style layer in a view, as display batches.
package struct StyleLayerDrawing: Sendable {
  /// The style layer.
  package let layer: StyleLayer
  /// The opacity of the layer as a whole, 0 to 1.
  package let opacity: Double
  /// The items in painting order.
  package let batches: [DisplayBatch]
  /// The number of different features with items.
  package let featureCount: Int
  /// The properties whose values could not be had or drawn, one line each.
  package let problems: [String]
}

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

  /// Creates a drawer for a view; expressions find the images of the sprites.
  package init(
    context: StyleContext, pixelRatio: Double, width: Int, height: Int, images: StyleImages = StyleImages()
  ) {
    var context = context
    if context.images == nil { context.images = Set(images.names) }
    (self.context, self.pixelRatio) = (context, pixelRatio)
    (self.width, self.height, self.images) = (width, height, images)
  }

  /// Returns the items of a layer; none for a layer that is hidden at the zoom.
  ///
  /// - Parameters:
  ///   - layer: the layer.
  ///   - tiles: the tiles of the layer's source; for a background any tiles that cover the image, to which its pattern
  ///     belongs.
  package func drawing(of layer: StyleLayer, tiles: [StyledTile]) -> StyleLayerDrawing {
    var pass = StyleLayerPass(layer, self)
    if layer.isVisible(context) {
      switch layer.type {
      case .background: pass.addBackground(tiles)
      case .fill, .fillExtrusion: pass.addFills(of: tiles)
      case .line: pass.addLines(of: tiles)
      case .circle: pass.addCircles(of: tiles)
      case .heatmap: pass.addHeatmap(of: tiles)
      case .symbol, .raster, .hillshade, .colorRelief: break
      }
    }
    return StyleLayerDrawing(
      layer: layer, opacity: pass.layerOpacity, batches: pass.batches, featureCount: pass.shown.count,
      problems: pass.problems.lines)
  }
}
