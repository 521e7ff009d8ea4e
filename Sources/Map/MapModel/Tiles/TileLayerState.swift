import Glibc

/// An immutable snapshot of a layer of tiles.
public struct TileLayerState: Sendable {
  /// The part of a map that lists a layer.
  package enum Section: Hashable, Sendable {
    case base, operational, reference
  }

  /// The content of a layer.
  package enum Content: Sendable {
    /// Tiles of images.
    case images(any TileSource)
    /// A style with its sources, and the ids of its hidden layers.
    case style(MapStyle, hidden: Set<String>)
  }

  /// The name in messages: the title, or else the id.
  public let name: String
  /// The identity of the layer.
  package let key: LayerGroup.Key
  /// The tiles or the style; nil if they could not be opened.
  package let content: Content?
  /// The treatment of missing tiles.
  public var missing = MissingTiles.blank
  /// The reason why there are no tiles; nil for an opened layer.
  public let unloadedReason: String?
  /// The attribution text that the layer requires; empty for none.
  public let attribution: String
  package var showing: LayerShowing
  /// The way in which the colours are mixed with those below the layer.
  package var blendMode = BlendMode.normal
  /// The effect on the image of the layer; nil for none.
  package var effect: LayerEffect?
  /// The groups around the layer, the outermost first.
  package var groups: [LayerGroup] = []
  /// Whether features of a style's layers own pixels of id images.
  package var entersIDImages = false
  /// The part of the map, and the number of its feature layers that are below this layer.
  package var section = Section.operational
  package var below = 0

  /// The tiles of images; nil for a style, and if they could not be opened.
  public var source: (any TileSource)? { if case .images(let source)? = content { source } else { nil } }
  /// The opacity, 0 to 1.
  public var opacity: Double { showing.opacity }

  /// Returns whether the layer is visible at a scale denominator.
  public func isShown(atScale scale: Double) -> Bool { showing.isShown(atScale: scale) }

  /// Returns the opaque colour with which a style below all layers with features covers the image at a scale denominator;
  /// nil if it covers nothing, or with a pattern.
  package func background(atScale scale: Double) -> Color? {
    guard section != .reference, below == 0, isShown(atScale: scale), opacity > 0.5,
      case .style(let style, let hidden)? = content
    else { return nil }
    return style.background(atZoom: log2(Viewpoint.scale(ofZoom: 0) / scale), without: hidden)
  }
}

/// A layer as drawn: its features or its tiles.
package enum FrozenLayer: Sendable {
  case features(LayerState)
  case tiles(TileLayerState)
}

extension [FrozenLayer] {
  /// The layers with features.
  var features: [LayerState] {
    compactMap { if case .features(let layer) = $0 { layer } else { nil } }
  }

  /// The layers of tiles, each with the number of layers with features below it.
  func tiles(in section: TileLayerState.Section) -> [TileLayerState] {
    var (tiles, below): ([TileLayerState], Int) = ([], 0)
    for layer in self {
      switch layer {
      case .features: below += 1
      case .tiles(var layer):
        (layer.section, layer.below) = (section, below)
        tiles.append(layer)
      }
    }
    return tiles
  }
}
