public import MapGeometry
import MapStyles
import MapSystem

/// A layer that draws vector tiles by a style.
///
/// A reference type that is safe to change from any thread. Its features are pieces of tiles, so counts, layer numbers
/// and filters ignore it. Until it is loaded it draws nothing.
public final class VectorTiledLayer: Layer {
  struct State: Sendable {
    var style: MapStyle?
    var name: String
    var attribution = ""
    var showing = LayerShowing()
    var showsInLegend = true
    var hiddenLayers: Set<String> = []
    var entersIDImages = false
    var missing = MissingTiles.blank
    var blendMode = BlendMode.normal
    var effect: LayerEffect?
    var groups: [LayerGroup] = []
  }

  /// The load state of the layer; loading opens the style and its sources.
  public let loader: Loader
  /// The group, map or basemap that the layer belongs to.
  public let home = LayerHome()
  /// The identifier of the layer in a document; may be empty.
  public let id: String
  /// The path or address of the style, without secrets.
  public let place: String
  /// The member of the document that the layer was read from; nil for a layer made in code.
  package let origin: (any Sendable)?
  /// The tiles of streets over which the layer draws the style of its basemap; nil for another layer.
  package let streets: StreetTiles?
  private let open: @Sendable () async throws -> MapStyle
  let state: ModelState<State>

  /// Creates a layer that opens its style when it is loaded.
  package init(
    place: String, id: String = "", name: String = "", origin: (any Sendable)? = nil,
    streets: StreetTiles? = nil, open: @escaping @Sendable () async throws -> MapStyle
  ) {
    let state = ModelState(State(name: name))
    (self.place, self.id, self.origin, self.state, self.open) = (place, id, origin, state, open)
    self.streets = streets
    loader = Loader {
      let style = try await open()
      state.update {
        $0.style = style
        if $0.name.isEmpty { $0.name = style.document.name ?? "" }
      }
    }
    state.join(home.held)
  }

  /// The layer as a case of ``LayerForm``.
  public var layerForm: LayerForm { .vectorTiles(self) }

  /// The style; nil before the layer is loaded.
  package var style: MapStyle? { state.read { $0.style } }

  /// The ids of the layers of the style, starting at the bottom; empty before the layer is loaded.
  public var styleLayerIDs: [String] { style?.document.layers.map(\.id) ?? [] }

  /// The ids of the layers of the style that are hidden in addition to those that the style itself hides.
  public var hiddenStyleLayerIDs: Set<String> {
    get { state.read { $0.hiddenLayers } }
    set { state.update { $0.hiddenLayers = newValue } }
  }

  /// The treatment of tiles that are missing or cannot be read: blank by default; a placeholder is blank, too.
  public var missingTiles: MissingTiles {
    get { state.read { $0.missing } }
    set { state.update { $0.missing = newValue } }
  }

  /// Whether features of the style's layers own pixels of id images, as those of feature layers do.
  package var entersIDImages: Bool {
    get { state.read { $0.entersIDImages } }
    set { state.update { $0.entersIDImages = newValue } }
  }

  /// The way in which the colours are mixed with those below the layer.
  package var blendMode: BlendMode {
    get { state.read { $0.blendMode } }
    set { state.update { $0.blendMode = newValue } }
  }
  /// The effect on the image of the layer; nil for none.
  package var effect: LayerEffect? {
    get { state.read { $0.effect } }
    set { state.update { $0.effect = newValue } }
  }

  /// The groups of a document around the layer, the outermost first.
  package var groups: [LayerGroup] {
    get { state.read { $0.groups } }
    set { state.update { $0.groups = newValue } }
  }

  /// The display name.
  public var name: String {
    get { state.read { $0.name } }
    set { state.update { $0.name = newValue } }
  }
  /// Whether the layer is drawn.
  public var isVisible: Bool {
    get { state.read { $0.showing.isVisible } }
    set {
      ModelGate.withLock {
        state.update { $0.showing.isVisible = newValue }
        if newValue { home.owner?.wasSwitchedOn(self) }
      }
    }
  }
  /// The opacity of the image of all layers of the style, from 0 (transparent) to 1 (opaque).
  public var opacity: Double {
    get { state.read { $0.showing.opacity } }
    set { state.update { $0.showing.opacity = newValue } }
  }
  /// The scale denominator of the smallest scale at which the layer is drawn, inclusive; 0 means no limit.
  public var minScale: Double {
    get { state.read { $0.showing.minScale } }
    set { state.update { $0.showing.minScale = newValue } }
  }
  /// The scale denominator of the largest scale at which the layer is drawn, inclusive; 0 means no limit.
  public var maxScale: Double {
    get { state.read { $0.showing.maxScale } }
    set { state.update { $0.showing.maxScale = newValue } }
  }
  /// Whether a legend lists the layer; the legends of this version list no style.
  public var showsInLegend: Bool {
    get { state.read { $0.showsInLegend } }
    set { state.update { $0.showsInLegend = newValue } }
  }
  /// The extent of the sources, in Web Mercator; empty before the layer is loaded, and if no source states it.
  public var fullExtent: Envelope { style?.extent ?? .empty }
  /// The spatial reference of the tiles, Web Mercator; nil before the layer is loaded.
  public var spatialReference: SpatialReference? { style == nil ? nil : .webMercator }
  /// The attribution text that was set, or else those of the sources; empty for none.
  public var attribution: String {
    get { state.read { $0.attribution.isEmpty ? $0.style?.attribution ?? "" : $0.attribution } }
    set { state.update { $0.attribution = newValue } }
  }

  /// Returns a copy of the layer that belongs to no map and no group.
  public func clone() -> VectorTiledLayer {
    let copy = VectorTiledLayer(place: place, id: id, streets: streets, open: open)
    let now = state.snapshot
    copy.state.update {
      $0 = now
      // The copy opens its style when it is loaded.
      $0.style = nil
    }
    return copy
  }

  /// The current state.
  var frozen: TileLayerState {
    let now = state.snapshot
    let content = now.style.map { TileLayerState.Content.style($0, hidden: now.hiddenLayers) }
    var frozen = TileLayerState(
      name: now.name.isEmpty ? (id.isEmpty ? place : id) : now.name,
      key: .object(ObjectIdentifier(self)), content: content,
      unloadedReason: content == nil ? loadError?.description ?? "it is not loaded" : nil,
      attribution: attribution, showing: now.showing, blendMode: now.blendMode, effect: now.effect,
      groups: now.groups)
    (frozen.entersIDImages, frozen.missing) = (now.entersIDImages, now.missing)
    return frozen
  }
}
