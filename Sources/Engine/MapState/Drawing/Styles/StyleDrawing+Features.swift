import MapDrawing
import MapModel
import MapStyles
import MapTiles

extension StyleDrawing {
  /// A feature, and the tile with its first piece.
  typealias Feature = (feature: StyleFeature, tile: String?)

  /// Returns the features of the layer of tiles that a layer shows; nil for a layer without any.
  private func features(of layer: StyleLayer, _ style: MapStyle) -> (
    source: String, name: String, pieces: [(tile: Int, row: Int)]
  )? {
    guard let source = layer.source else { return nil }
    let isTiled = if case .tiles? = style.sources[source] { true } else { false }
    let name = isTiled ? layer.sourceLayer ?? "" : ""
    return numbers[StyleFeatureNumbers.Key(source: source, layer: name)].map { (source, name, $0.pieces) }
  }

  /// Returns the number of features in the layer of tiles that a layer shows.
  func count(of layer: StyleLayer, _ style: MapStyle) -> Int { features(of: layer, style)?.pieces.count ?? 0 }

  /// Returns the feature with a number among those of a layer.
  func feature(_ number: Int, of layer: StyleLayer, _ style: MapStyle) -> Feature? {
    guard let (source, name, pieces) = features(of: layer, style), pieces.indices.contains(number) else {
      return nil
    }
    let piece = pieces[number]
    switch style.sources[source] {
    case .tiles?:
      guard let tile = tiles[source]?.places[piece.tile] else { return nil }
      return tile.content.layers[name].map {
        ($0.features.feature(row: piece.row), "\(tile.place.tile)")
      }
    case .features(let features)?:
      return features.content(atZoom: Int(clamping: (zoom ?? 0).rounded(.down))).layers[""].map {
        ($0.features.feature(row: piece.row), nil)
      }
    case .images?, .image?, nil: return nil
    }
  }
}
