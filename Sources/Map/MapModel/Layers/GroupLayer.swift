import MapFeatures
public import MapGeometry

/// A group of layers that share visibility, opacity and scale limits.
///
/// A reference type that is safe to change from any thread. The layers are drawn at the group's position in the map.
/// Layer numbers, counts and queries refer to the layers and ignore the group.
public final class GroupLayer: Layer {
  /// The way the group controls the visibility of its layers.
  ///
  /// - Source: ArcGIS Maps SDK and web map specification.
  public enum VisibilityMode: String, Hashable, CaseIterable, Sendable {
    /// Each layer has its own visibility.
    case independent
    /// At most one layer is visible: the last one that was made visible.
    case exclusive
    /// All layers are visible whenever the group is.
    case inherited
  }

  struct State: Sendable {
    var layers: [any Layer] = []
    var name: String
    var showing = LayerShowing()
    var mode = VisibilityMode.independent
    var showsInLegend = true
  }

  /// The load state of the group.
  ///
  /// Loading loads the layers in the group; each layer reports its own failure.
  public let loader: Loader
  /// The group, map or basemap that the layer belongs to.
  public let home = LayerHome()
  /// An empty text: groups in documents are read as their layers.
  public var id: String { "" }
  let state: ModelState<State>

  /// Creates a group of layers, starting at the bottom.
  public init(layers: [any Layer] = [], name: String = "") {
    let state = ModelState(State(name: name))
    self.state = state
    state.join(home.held)
    loader = Loader { await state.read { $0.layers }.map { $0 as any Loadable }.load() }
    addLayers(layers)
  }

  /// The layer as a case of ``LayerForm``.
  public var layerForm: LayerForm { .group(self) }

  /// The layers in the group, starting at the bottom.
  public var layers: [any Layer] { state.read { $0.layers } }

  /// Adds a layer on top.
  ///
  /// A layer belongs to one map, group or basemap at most, and cannot be added twice. A layer that was added before
  /// stays there, and a group cannot contain itself. The group then fails to load, with
  /// a ``MapStateError``, until it is loaded again.
  public func addLayer(_ layer: any Layer) { insertLayer(layer, at: .max) }

  /// Adds layers on top, the last one uppermost.
  public func addLayers(_ layers: [any Layer]) {
    ModelGate.withLock { for layer in layers { addLayer(layer) } }
  }

  /// Inserts a layer below the layer at an index; an index past the end adds it on top.
  public func insertLayer(_ layer: any Layer, at place: Int) {
    ModelGate.withLock {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      guard !layer.withAllInside.contains(where: { $0 === self }) else {
        return loader.fail(MappingError.impossiblePlace("group \"\(name)\" cannot be in itself"))
      }
      layer.home.join(self)
      state.update { $0.layers.insert(layer, at: min(max(place, 0), $0.layers.count)) }
      if layer.isVisible { wasSwitchedOn(layer) }
    }
  }

  /// Removes a layer; does nothing when it is not in the group.
  public func removeLayer(_ layer: any Layer) {
    ModelGate.withLock {
      guard layer.home.owner === self else { return }
      layer.home.leave(self)
      state.update { $0.layers.removeAll { $0 === layer } }
    }
  }

  /// Removes all layers.
  public func removeAllLayers() {
    ModelGate.withLock { for layer in layers { removeLayer(layer) } }
  }

  /// The way the group controls the visibility of its layers.
  ///
  /// A change to `exclusive` leaves only the uppermost visible layer visible.
  public var visibilityMode: VisibilityMode {
    get { state.read { $0.mode } }
    set {
      ModelGate.withLock {
        state.update { $0.mode = newValue }
        if let shown = layers.last(where: \.isVisible) { wasSwitchedOn(shown) }
      }
    }
  }

  /// The display name.
  public var name: String {
    get { state.read { $0.name } }
    set { state.update { $0.name = newValue } }
  }
  /// Whether the layers in the group are drawn; queries ignore it.
  public var isVisible: Bool {
    get { state.read { $0.showing.isVisible } }
    set {
      ModelGate.withLock {
        state.update { $0.showing.isVisible = newValue }
        if newValue { home.owner?.wasSwitchedOn(self) }
      }
    }
  }
  /// The opacity from 0 (transparent) to 1 (opaque) of the image of all layers in the group.
  public var opacity: Double {
    get { state.read { $0.showing.opacity } }
    set { state.update { $0.showing.opacity = newValue } }
  }
  /// The scale denominator of the smallest scale at which the layers are drawn, inclusive; 0 means no limit.
  public var minScale: Double {
    get { state.read { $0.showing.minScale } }
    set { state.update { $0.showing.minScale = newValue } }
  }
  /// The scale denominator of the largest scale at which the layers are drawn, inclusive; 0 means no limit.
  public var maxScale: Double {
    get { state.read { $0.showing.maxScale } }
    set { state.update { $0.showing.maxScale = newValue } }
  }
  /// The envelope of all layers; empty for none.
  ///
  /// Layers in several spatial references have an envelope in that of the map: the union of their projected envelopes.
  /// A group outside a map uses the spatial reference of its first layer.
  public var fullExtent: Envelope {
    let tables = featureLayers.map(\.source.operations)
    return layers.map(\.fullExtent).combined(on: mapProjection, or: tables) ?? .empty
  }
  /// The spatial reference of the first layer that has one.
  public var spatialReference: SpatialReference? { layers.lazy.compactMap(\.spatialReference).first }

  /// The attribution texts that the layers require, each once.
  public var attribution: String { layers.map(\.attribution).joinedOnce }
  /// Whether a legend lists the group.
  public var showsInLegend: Bool {
    get { state.read { $0.showsInLegend } }
    set { state.update { $0.showsInLegend = newValue } }
  }

  /// Returns a copy of the group with copies of its layers, in no map and no group.
  public func clone() -> GroupLayer {
    ModelGate.withLock {
      let now = state.snapshot
      let copy = GroupLayer(layers: now.layers.map { $0.clone() }, name: now.name)
      let inside = copy.layers
      copy.state.update { copy in
        copy = now
        copy.layers = inside
      }
      return copy
    }
  }

  /// The states of the layers in the group, with the group's visibility, opacity and scales applied.
  var frozenInside: [FrozenLayer] {
    let now = state.snapshot
    let group = LayerGroup(.object(ObjectIdentifier(self)), opacity: now.showing.opacity)
    func inside(_ showing: LayerShowing) -> LayerShowing {
      showing.inside(now.showing, isInherited: now.mode == .inherited)
    }
    return now.layers.flatMap(\.frozenForms).map { form in
      switch form {
      case .features(var layer):
        layer.showing = inside(layer.showing)
        layer.groups.insert(group, at: 0)
        layer.showsInLegend = layer.showsInLegend && now.showsInLegend
        if !now.name.isEmpty { layer.definition.groupTitles.insert(now.name, at: 0) }
        return .features(layer)
      case .tiles(var layer):
        layer.showing = inside(layer.showing)
        layer.groups.insert(group, at: 0)
        return .tiles(layer)
      }
    }
  }
}

extension GroupLayer: LayerOwner {
  var kind: String { "a group" }
  var contents: any ModelPart { state }
  var mapProjection: MapProjection? { home.owner?.mapProjection }

  /// Hides the other layers of an exclusive group.
  func wasSwitchedOn(_ layer: any Layer) {
    guard visibilityMode == .exclusive else { return }
    for other in layers where other !== layer && other.isVisible { other.isVisible = false }
  }
}

extension [String] {
  /// The texts in one line, each once, without empty ones.
  package var joinedOnce: String {
    var seen: Set<String> = [""]
    return filter { seen.insert($0).inserted }.joined(separator: " | ")
  }
}
