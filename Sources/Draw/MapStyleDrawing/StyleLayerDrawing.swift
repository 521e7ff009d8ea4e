package import MapDrawing
package import MapStyles

/// A style layer in a view, as display batches.
package struct StyleLayerDrawing: Sendable {
  /// The style layer.
  package let layer: StyleLayer
  /// The opacity of the layer as a whole, 0 to 1.
  package let opacity: Double
  /// The items in painting order.
  package let batches: [DisplayBatch]
  /// The number of different features with items.
  package let featureCount: Int
  /// The properties whose values could not be evaluated or drawn, one line each.
  package let problems: [String]
}

extension StylePainter {
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
