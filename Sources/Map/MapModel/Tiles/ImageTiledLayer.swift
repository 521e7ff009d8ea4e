public import MapGeometry
import MapSystem

/// A layer that draws images from a set of tiles.
///
/// A reference type that is safe to change from any thread. It has no features: counts, layer numbers and filters
/// ignore it. Until it is loaded it draws nothing.
public final class ImageTiledLayer: Layer {
  struct State: Sendable {
    var source: (any TileSource)?
    var name: String
    var attribution = ""
    var showing = LayerShowing()
    var showsInLegend = true
    var missing = MissingTiles.blank
    var blendMode = BlendMode.normal
    var effect: LayerEffect?
    var groups: [LayerGroup] = []
  }

  /// The load state of the layer; loading opens the tiles.
  public let loader: Loader
  /// The group, map or basemap that the layer belongs to.
  public let home = LayerHome()
  /// The identifier of the layer in a document; may be empty.
  public let id: String
  /// The path, address or template of the tiles, without secrets.
  public let place: String
  /// The member of the document that the layer was read from; nil for a layer made in code.
  package let origin: (any Sendable)?
  private let open: @Sendable () async throws -> any TileSource
  let state: ModelState<State>

  /// Creates a layer that opens its tiles when it is loaded.
  package init(
    place: String, id: String = "", name: String = "", origin: (any Sendable)? = nil,
    open: @escaping @Sendable () async throws -> any TileSource
  ) {
    let state = ModelState(State(name: name))
    (self.place, self.id, self.origin, self.state, self.open) = (place, id, origin, state, open)
    loader = Loader {
      let source = try await open()
      state.update {
        $0.source = source
        if $0.name.isEmpty { $0.name = source.name }
      }
    }
    state.join(home.held)
  }

  /// The layer as a case of ``LayerForm``.
  public var layerForm: LayerForm { .tiles(self) }

  /// The tiles; nil before the layer is loaded.
  public var source: (any TileSource)? { state.read { $0.source } }

  /// The treatment of tiles that are missing or cannot be read; blank by default.
  public var missingTiles: MissingTiles {
    get { state.read { $0.missing } }
    set { state.update { $0.missing = newValue } }
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
  /// The opacity, from 0 (transparent) to 1 (opaque).
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
  /// Whether a legend lists the layer.
  public var showsInLegend: Bool {
    get { state.read { $0.showsInLegend } }
    set { state.update { $0.showsInLegend = newValue } }
  }
  /// The extent of the tiles; empty before the layer is loaded.
  public var fullExtent: Envelope { source?.scheme.extent ?? .empty }
  /// The spatial reference of the tiles; nil before the layer is loaded.
  public var spatialReference: SpatialReference? { source?.scheme.reference }
  /// The attribution text of the document, or else of the tiles; empty for none.
  public var attribution: String {
    get { state.read { $0.attribution.isEmpty ? $0.source?.attribution ?? "" : $0.attribution } }
    set { state.update { $0.attribution = newValue } }
  }

  /// Returns a copy of the layer that belongs to no map and no group.
  public func clone() -> ImageTiledLayer {
    let copy = ImageTiledLayer(place: place, id: id, open: open)
    let now = state.snapshot
    copy.state.update {
      $0 = now
      // The copy opens its tiles when it is loaded.
      $0.source = nil
    }
    return copy
  }

  /// The current state.
  var frozen: TileLayerState {
    let now = state.snapshot
    return TileLayerState(
      name: now.name.isEmpty ? id : now.name, key: .object(ObjectIdentifier(self)),
      content: now.source.map { .images($0) }, missing: now.missing,
      unloadedReason: now.source == nil ? loadError?.description ?? "it is not loaded" : nil,
      attribution: attribution, showing: now.showing, blendMode: now.blendMode, effect: now.effect,
      groups: now.groups)
  }
}
