public import MapFeatures
public import MapGeometry

/// A map: its layers in drawing order, what lies under them, and where a view of it starts.
///
/// An object with identity that may change from any thread; views freeze it into a ``ViewState``.
public final class Map: Loadable {
  fileprivate struct State: Sendable {
    var layers: [FeatureLayer] = []
    var initialViewpoint: Viewpoint?
    var initialTimeExtent: TimeExtent?
    var backgroundColor: Color? = .white
    var minScale = 0.0
    var maxScale = 0.0
    var basemap: Basemap?
  }

  fileprivate let state: ModelState<State>
  /// Where loading stands; a map that was not read from somewhere has nothing to load but its layers, which a view
  /// loads.
  public let loader: Loader
  /// True for a map that is read when it loads.
  package let isReadLater: Bool

  /// An empty map in Web Mercator on white.
  public init() {
    (state, loader, isReadLater) = (ModelState(State()), Loader(), false)
  }

  /// A map that is read when it is first asked to load: its layers below those added before, all else as it says where
  /// nothing was set.
  package init(open: @escaping @Sendable () async throws -> Map) {
    let state = ModelState(State())
    (self.state, isReadLater) = (state, true)
    loader = Loader {
      let read = try await open().state.snapshot
      state.update { now in
        now.layers = read.layers + now.layers
        now.initialViewpoint = now.initialViewpoint ?? read.initialViewpoint
        now.initialTimeExtent = now.initialTimeExtent ?? read.initialTimeExtent
        now.basemap = now.basemap ?? read.basemap
        now.backgroundColor = read.backgroundColor
        if now.minScale == 0 { now.minScale = read.minScale }
        if now.maxScale == 0 { now.maxScale = read.maxScale }
      }
    }
  }

  /// A map over a basemap.
  public convenience init(basemap: Basemap) {
    self.init()
    self.basemap = basemap
  }

  /// A map over a basemap in a style.
  public convenience init(basemapStyle: Basemap.Style) {
    self.init(basemap: Basemap(style: basemapStyle))
  }

  /// What lies below the layers, over the background; nil is nothing.
  public var basemap: Basemap? {
    get { state.snapshot.basemap }
    set { state.update { $0.basemap = newValue } }
  }

  /// The layers, first at the bottom.
  public var operationalLayers: [FeatureLayer] { state.snapshot.layers }

  /// Puts a layer on top; a layer stands in a map once.
  public func addOperationalLayer(_ layer: FeatureLayer) {
    state.update { state in
      precondition(!state.layers.contains { $0 === layer }, "the layer is in this map already")
      state.layers.append(layer)
    }
  }

  /// Puts layers on top, the last uppermost.
  public func addOperationalLayers(_ layers: [FeatureLayer]) {
    update { for layer in layers { addOperationalLayer(layer) } }
  }

  /// Puts a layer below the one that stands at a place, or on top at the end.
  public func insertOperationalLayer(_ layer: FeatureLayer, at place: Int) {
    state.update { state in
      precondition(!state.layers.contains { $0 === layer }, "the layer is in this map already")
      state.layers.insert(layer, at: min(max(place, 0), state.layers.count))
    }
  }

  /// Takes a layer out; one that is not in the map changes nothing.
  public func removeOperationalLayer(_ layer: FeatureLayer) {
    state.update { $0.layers.removeAll { $0 === layer } }
  }

  /// Takes layers out; those that are not in the map change nothing.
  public func removeOperationalLayers(_ layers: [FeatureLayer]) {
    state.update { $0.layers.removeAll { layer in layers.contains { $0 === layer } } }
  }

  /// Takes all layers out.
  public func removeAllOperationalLayers() { state.update { $0.layers = [] } }

  /// Moves the layer at a place to another, counted without it.
  public func moveOperationalLayer(from place: Int, to target: Int) {
    state.update { state in
      precondition(state.layers.indices.contains(place), "there is no layer at this place")
      let layer = state.layers.remove(at: place)
      state.layers.insert(layer, at: min(max(target, 0), state.layers.count))
    }
  }

  /// The reference that the map is drawn in.
  public var spatialReference: SpatialReference { .webMercator }

  /// Where a view starts; nil shows the extent of the layers.
  public var initialViewpoint: Viewpoint? {
    get { state.snapshot.initialViewpoint }
    set { state.update { $0.initialViewpoint = newValue } }
  }

  /// The time that a view starts with; nil is any.
  public var initialTimeExtent: TimeExtent? {
    get { state.snapshot.initialTimeExtent }
    set { state.update { $0.initialTimeExtent = newValue } }
  }

  /// What lies under everything, so also under a basemap, whose water covers it; nil is transparent.
  public var backgroundColor: Color? {
    get { state.snapshot.backgroundColor }
    set { state.update { $0.backgroundColor = newValue } }
  }

  /// The smallest scale of a view, as the N of 1:N; 0 is open.
  public var minScale: Double {
    get { state.snapshot.minScale }
    set { state.update { $0.minScale = newValue } }
  }

  /// The largest scale of a view, as the N of 1:N; 0 is open.
  ///
  /// Where it contradicts ``minScale`` it holds.
  public var maxScale: Double {
    get { state.snapshot.maxScale }
    set { state.update { $0.maxScale = newValue } }
  }

  /// Makes several changes one: no view sees some of them without the others.
  public func update<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) {
    try ModelGate.withLock(changes)
  }
}

extension Map {
  /// The layers under a second name, for a module that gives the first one another type.
  package var layers: [FeatureLayer] { operationalLayers }

  /// The changes of the map and of each layer so far: equal lists stand for the same picture.
  package var changes: [UInt64] {
    ModelGate.withLock { [state.changes] + operationalLayers.map(\.changes) }
  }

  /// The map as it is now: what lies under, and the layers.
  package var frozen: (background: Color?, basemap: Basemap?, layers: [LayerState]) {
    ModelGate.withLock { (backgroundColor, basemap, operationalLayers.map(\.frozen)) }
  }
}
