public import MapGeometry

/// Layers that are shown, hidden and faded together.
///
/// An object with identity that may change from any thread. Its layers are drawn where it stands in its map; numbers,
/// counts and queries go by them and do not know of the group.
public final class GroupLayer: Layer {
  /// How the visibility of the layers goes together.
  ///
  /// - Source: ArcGIS Maps SDK and web map specification.
  public enum VisibilityMode: String, Hashable, CaseIterable, Sendable {
    /// Each layer has its own.
    case independent
    /// At most one is visible, the one that was switched on last.
    case exclusive
    /// All are visible when the group is.
    case inherited
  }

  private struct State: Sendable {
    var layers: [any Layer] = []
    var name: String
    var showing = LayerShowing()
    var mode = VisibilityMode.independent
    var showsInLegend = true
  }

  /// Where loading stands: it loads the layers that are in the group, which say themselves what failed.
  public let loader: Loader
  /// Which group it is in.
  public let home = LayerHome()
  /// Nothing: groups of documents are read as their layers.
  public var id: String { "" }
  private let state: ModelState<State>

  /// A group of layers, first at the bottom.
  public init(layers: [any Layer] = [], name: String = "") {
    let state = ModelState(State(name: name))
    self.state = state
    loader = Loader { await state.snapshot.layers.map { $0 as any Loadable }.load() }
    addLayers(layers)
  }

  /// Itself, in the closed family.
  public var layerForm: LayerForm { .group(self) }

  /// The layers in it, first at the bottom.
  public var layers: [any Layer] { state.snapshot.layers }

  /// Puts a layer on top; a layer stands in one group, and once.
  ///
  /// One that stands somewhere already stays there, and a group cannot be in itself; this group has then failed to load,
  /// with ``MappingError/impossiblePlace(_:)``, until it is loaded once more.
  public func addLayer(_ layer: any Layer) { insertLayer(layer, at: .max) }

  /// Puts layers on top, the last uppermost.
  public func addLayers(_ layers: [any Layer]) {
    ModelGate.withLock { for layer in layers { addLayer(layer) } }
  }

  /// Puts a layer below the one that stands at a place, or on top at the end.
  public func insertLayer(_ layer: any Layer, at place: Int) {
    ModelGate.withLock {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      guard !layer.withAllInside.contains(where: { $0 === self }) else {
        return loader.fail(MappingError.impossiblePlace("group \"\(name)\" cannot be in itself"))
      }
      layer.home.group = self
      state.update { $0.layers.insert(layer, at: min(max(place, 0), $0.layers.count)) }
      if layer.isVisible { wasSwitchedOn(layer) }
    }
  }

  /// Takes a layer out; one that is not in the group changes nothing.
  public func removeLayer(_ layer: any Layer) {
    ModelGate.withLock {
      guard layer.home.group === self else { return }
      layer.home.group = nil
      state.update { $0.layers.removeAll { $0 === layer } }
    }
  }

  /// Takes all layers out.
  public func removeAllLayers() {
    ModelGate.withLock { for layer in layers { removeLayer(layer) } }
  }

  /// How the visibility of the layers goes together; made exclusive, the uppermost visible one stays.
  public var visibilityMode: VisibilityMode {
    get { state.snapshot.mode }
    set {
      ModelGate.withLock {
        state.update { $0.mode = newValue }
        if let shown = layers.last(where: \.isVisible) { wasSwitchedOn(shown) }
      }
    }
  }

  /// The name for people.
  public var name: String {
    get { state.snapshot.name }
    set { state.update { $0.name = newValue } }
  }
  /// False hides the layers in it from drawing, not from queries.
  public var isVisible: Bool {
    get { state.snapshot.showing.isVisible }
    set {
      ModelGate.withLock {
        state.update { $0.showing.isVisible = newValue }
        if newValue { home.group?.wasSwitchedOn(self) }
      }
    }
  }
  /// 0 is clear, 1 opaque; multiplies with that of each layer in it.
  public var opacity: Double {
    get { state.snapshot.showing.opacity }
    set { state.update { $0.showing.opacity = newValue } }
  }
  /// The smallest map scale, as the N of 1:N, at which its layers are drawn, itself included; 0 is open.
  public var minScale: Double {
    get { state.snapshot.showing.minScale }
    set { state.update { $0.showing.minScale = newValue } }
  }
  /// The largest map scale, as the N of 1:N, at which its layers are drawn, itself included; 0 is open.
  public var maxScale: Double {
    get { state.snapshot.showing.maxScale }
    set { state.update { $0.showing.maxScale = newValue } }
  }
  /// The envelope of all its layers, in the reference of the first that holds anything; empty for none.
  public var fullExtent: Envelope { layers.map(\.fullExtent).combined ?? .empty }
  /// The reference of the first layer that has one.
  public var spatialReference: SpatialReference? { layers.lazy.compactMap(\.spatialReference).first }

  /// Who is to be named beside a picture of its layers, each once.
  public var attribution: String { layers.map(\.attribution).joinedOnce }
  /// False asks a legend to leave the group out.
  public var showsInLegend: Bool {
    get { state.snapshot.showsInLegend }
    set { state.update { $0.showsInLegend = newValue } }
  }

  /// A group of copies of its layers, in no map and no group.
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

  /// Switches the other layers of an exclusive group off.
  func wasSwitchedOn(_ layer: any Layer) {
    guard visibilityMode == .exclusive else { return }
    for other in layers where other !== layer && other.isVisible { other.isVisible = false }
  }

  /// The layers of features in it, as values that show as they do in the group.
  var frozenInside: [LayerState] {
    let now = state.snapshot
    return now.layers.flatMap(\.frozenLayers).map { layer in
      var layer = layer
      layer.showing = layer.showing.inside(now.showing, isInherited: now.mode == .inherited)
      return layer
    }
  }

  var changes: UInt64 { state.changes }
}

extension [String] {
  /// The texts in a line, each once and empty ones left out.
  package var joinedOnce: String {
    var seen: Set<String> = [""]
    return filter { seen.insert($0).inserted }.joined(separator: " | ")
  }
}

extension [Envelope] {
  /// The envelope of all, in the reference of the first that is not empty; nil for none.
  var combined: Envelope? {
    let extents = filter { !$0.isEmpty }
    guard let first = extents.first else { return nil }
    return extents.dropFirst().reduce(first) { union, extent in
      guard let reference = first.spatialReference, let other = extent.spatialReference, other != reference
      else { return union.union(extent) }
      return union.union(extent.projected(to: reference) ?? .empty)
    }
  }
}
