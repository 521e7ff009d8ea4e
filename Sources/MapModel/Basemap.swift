/// What lies under the layers of a map so that people see where they are: water, land and borders in a style, layers of
/// one's own, and layers above those of the map, such as names.
///
/// None of it is an operational layer of the map: it is not numbered, counted, filtered or identified. An object with
/// identity that may change from any thread, and that several maps may share.
public final class Basemap: Loadable {
  /// The name of a look.
  ///
  /// Open: any name can be asked for; ``drawn`` is the look that it gets.
  ///
  /// - Source: the names are those of the ArcGIS Maps SDK.
  public struct Style: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// A style by name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  private struct State: Sendable {
    var name: String
    var baseLayers: [any Layer] = []
    var referenceLayers: [any Layer] = []
    /// Its changes when it had been read from a document.
    var changesOfDocument: UInt64?
  }

  /// The style that was asked for, which lies under the base layers; nil for none.
  public let style: Style?
  /// Where loading stands: it loads its layers, which say themselves what failed.
  public let loader: Loader
  private let state: ModelState<State>

  /// A basemap in a style, with layers over it and layers above those of the map.
  package init(style: Style?, name: String? = nil, baseLayers: [any Layer], referenceLayers: [any Layer]) {
    let state = ModelState(State(name: name ?? style?.rawValue ?? ""))
    (self.style, self.state) = (style, state)
    loader = Loader {
      let now = state.snapshot
      await (now.baseLayers + now.referenceLayers).map { $0 as any Loadable }.load()
    }
    for layer in baseLayers { addBaseLayer(layer) }
    for layer in referenceLayers { addReferenceLayer(layer) }
  }

  /// A basemap in a style.
  public convenience init(style: Style) { self.init(style: style, baseLayers: [], referenceLayers: []) }

  /// A basemap of one layer.
  public convenience init(baseLayer: any Layer) { self.init(baseLayers: [baseLayer]) }

  /// A basemap of layers below those of the map and layers above them, each list first at the bottom.
  public convenience init(baseLayers: [any Layer] = [], referenceLayers: [any Layer] = []) {
    self.init(style: nil, baseLayers: baseLayers, referenceLayers: referenceLayers)
  }

  /// The name for people.
  public var name: String {
    get { state.snapshot.name }
    set { state.update { $0.name = newValue } }
  }
  /// The layers below those of the map, first at the bottom.
  public var baseLayers: [any Layer] { state.snapshot.baseLayers }
  /// The layers above those of the map, first at the bottom.
  public var referenceLayers: [any Layer] { state.snapshot.referenceLayers }

  /// Puts a layer on top of the base layers; a layer stands in one map, group or basemap, and once.
  ///
  /// One that stands somewhere already stays there; this basemap has then failed to load, with
  /// ``MappingError/impossiblePlace(_:)``, until it is loaded once more.
  public func addBaseLayer(_ layer: any Layer) { add(layer) { $0.baseLayers.append(layer) } }
  /// Puts a layer on top of the reference layers; a layer stands in one map, group or basemap, and once.
  ///
  /// One that stands somewhere already is refused as by ``addBaseLayer(_:)``.
  public func addReferenceLayer(_ layer: any Layer) { add(layer) { $0.referenceLayers.append(layer) } }

  private func add(_ layer: any Layer, _ change: (inout State) -> Void) {
    ModelGate.withLock {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      layer.home.basemap = self
      state.update(change)
    }
  }

  /// Takes a base layer out; one that is not among them changes nothing.
  public func removeBaseLayer(_ layer: any Layer) { remove(layer, \.baseLayers) }
  /// Takes a reference layer out; one that is not among them changes nothing.
  public func removeReferenceLayer(_ layer: any Layer) { remove(layer, \.referenceLayers) }
  /// Takes all base layers out.
  public func removeAllBaseLayers() {
    ModelGate.withLock { for layer in baseLayers { removeBaseLayer(layer) } }
  }
  /// Takes all reference layers out.
  public func removeAllReferenceLayers() {
    ModelGate.withLock { for layer in referenceLayers { removeReferenceLayer(layer) } }
  }

  private func remove(_ layer: any Layer, _ list: any WritableKeyPath<State, [any Layer]> & Sendable) {
    ModelGate.withLock {
      guard state.snapshot[keyPath: list].contains(where: { $0 === layer }) else { return }
      layer.home.basemap = nil
      state.update { $0[keyPath: list].removeAll { $0 === layer } }
    }
  }

  /// A basemap of the same style and of copies of its layers.
  public func clone() -> Basemap {
    ModelGate.withLock {
      Basemap(
        style: style, name: name, baseLayers: baseLayers.map { $0.clone() },
        referenceLayers: referenceLayers.map { $0.clone() })
    }
  }
}

extension Basemap {
  /// Its own layers as values: what lies below the layers of the map, and above.
  package var frozen: (base: [LayerState], reference: [LayerState]) {
    ModelGate.withLock {
      (baseLayers.flatMap(\.frozenLayers), referenceLayers.flatMap(\.frozenLayers))
    }
  }

  /// The layers of features in it, from the bottom up.
  package var featureLayers: [FeatureLayer] { (baseLayers + referenceLayers).flatMap(\.featureLayers) }

  /// Its changes and those of all that it holds, one by one.
  package var allChanges: [UInt64] {
    ModelGate.withLock { [state.changes] + (baseLayers + referenceLayers).flatMap(\.allChanges) }
  }

  /// Says that it is as its document has it.
  package func rememberDocument() {
    ModelGate.withLock { state.update { [next = state.changes + 1] in $0.changesOfDocument = next } }
  }

  /// True for one that was read and is not changed since.
  var isAsRead: Bool {
    ModelGate.withLock {
      state.snapshot.changesOfDocument == state.changes
        && featureLayers.allSatisfy { layer in
          layer.origin.map { layer.written.edits(from: $0).isEmpty } ?? false
        }
    }
  }
}

/// A basemap as a value at one moment: what is painted below and above the layers.
public struct BasemapState: Sendable {
  /// The style that is drawn; nil for none.
  public let style: Basemap.Style?
  /// The colour of water, which covers the picture and so the map's background; nil without a style.
  public let water: Color?
  /// Who is to be named beside the picture.
  public let attribution: String
  /// What the style paints on the water, first at the bottom; numbered apart from the layers of the map.
  public let layers: [LayerState]
  /// The base layers, over what the style paints.
  public let baseLayers: [LayerState]
  /// The reference layers, above the layers of the map.
  public let referenceLayers: [LayerState]

  package init(
    style: Basemap.Style?, water: Color?, attribution: String, layers: [LayerState],
    baseLayers: [LayerState] = [], referenceLayers: [LayerState] = []
  ) {
    (self.style, self.water, self.attribution, self.layers) = (style, water, attribution, layers)
    (self.baseLayers, self.referenceLayers) = (baseLayers, referenceLayers)
  }

  /// Its own layers, from the bottom up.
  package var ownLayers: [LayerState] { baseLayers + referenceLayers }

  /// The same basemap with its own layers in another state.
  package func with(baseLayers: [LayerState], referenceLayers: [LayerState]) -> BasemapState {
    BasemapState(
      style: style, water: water, attribution: attribution, layers: layers, baseLayers: baseLayers,
      referenceLayers: referenceLayers)
  }
}
