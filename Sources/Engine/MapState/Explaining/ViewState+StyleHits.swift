import MapCairo
import MapDrawing
import MapGeometry
import MapJSON
import MapModel
package import MapStyles
import MapSystem

/// A layer of a style at a pixel of an image.
package struct StyleHit: Sendable {
  /// The name of the layer of the map.
  package let mapLayer: String
  /// The layer of the style.
  package let layer: StyleLayer
  /// The values of the view that expressions ask for.
  package let context: StyleContext
  /// The feature; nil for a background and for images.
  package let feature: StyleFeature?
  /// The tile with the feature's first piece, such as `14/9326/4741`; nil for features that are in no tiles.
  package let tile: String?
}

extension ViewState {
  /// Returns the layers of styles at a point of the view, from top to bottom, each with a feature that owns the pixel.
  ///
  /// - Parameter maximum: the greatest number of results.
  /// - Throws: ``MapStateError``.
  package func styleHits(
    at point: ScreenPoint, maximum: Int = 200, threads: Int = 1
  ) async throws(MapStateError) -> [StyleHit] {
    let (x, y) = (
      Int(clamping: (point.x * pixelRatio).rounded(.down)),
      Int(clamping: (point.y * pixelRatio).rounded(.down))
    )
    guard (0..<pictureWidth).contains(x), (0..<pictureHeight).contains(y) else {
      throw MapStateError(
        .usage,
        "the point is outside the view, which is \(Int(clamping: width)) by \(Int(clamping: height)) pixels")
    }
    var hits: [StyleHit] = []
    let styled = try await placedStyles(threads: threads)
    for section in [TileLayerState.Section.reference, .operational, .base] {
      for layer in tileLayers.reversed()
      where layer.section == section && layer.isShown(atScale: viewpoint.scale) {
        guard case .style(let style, let hidden)? = layer.content else { continue }
        let drawing: StyleDrawing
        if let placed = styled.drawing(of: layer) {
          drawing = placed
        } else {
          drawing = try await styleDrawing(of: layer, style, hidden: hidden, threads: threads)
        }
        guard let context = drawing.context else { continue }
        for item in drawing.layers.reversed() where hits.count < maximum {
          let found: [StyleDrawing.Feature?]
          do { found = try features(of: item, in: drawing, style, x: x, y: y) } catch {
            throw MapStateError(error)
          }
          for feature in found.prefix(maximum - hits.count) {
            hits.append(
              StyleHit(
                mapLayer: layer.name, layer: item.layer, context: context, feature: feature?.feature,
                tile: feature?.tile))
          }
        }
      }
    }
    return hits
  }

  /// Returns the features of a layer that own a pixel, the topmost first; nil for paint that is of no feature.
  private func features(
    of item: StyleDrawing.Layer, in drawing: StyleDrawing, _ style: MapStyle, x: Int, y: Int
  ) throws -> [StyleDrawing.Feature?] {
    for case .image(let image) in item.batches {
      let place = y * image.width + x
      return image.pixels.indices.contains(place) && image.pixels[place] >> 24 > 0 ? [nil] : []
    }
    guard item.layer.source != nil else { return item.batches.isEmpty ? [] : [nil] }
    var left = DisplayLayer(index: 0, name: item.layer.id, opacity: item.opacity, batches: item.batches)
    var found: [StyleDrawing.Feature?] = []
    while true {
      let owners = try IDPainter.owners(
        of: [(x, y)], in: left, width: pictureWidth, height: pictureHeight)
      guard !owners.isEmpty, found.count < 50 else { return found }
      for number in owners.sorted() {
        if let feature = drawing.feature(number, of: item.layer, style) { found.append(feature) }
      }
      left = left.removing(rows: owners)
    }
  }
}
