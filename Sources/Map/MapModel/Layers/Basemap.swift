/// The background of a map: a style with water, land and borders, base layers, and reference layers.
///
/// Base layers lie below the layers of the map. Reference layers, such as place names, lie above them. A basemap is
/// not an operational layer: it is not numbered, counted, filtered or identified.
///
/// A reference type that is safe to change from any thread. Several maps may share it.
public final class Basemap: Loadable {
  /// The name of a basemap style.
  ///
  /// Any name is allowed; ``drawn`` is the style that is drawn for it.
  ///
  /// - Source: names of the ArcGIS Maps SDK.
  public struct Style: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a style with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  struct State: Sendable {
    var name: String
    var baseLayers: [any Layer] = []
    var referenceLayers: [any Layer] = []
    var showsNames = false
    var showsGraticule = false
    /// Whether the basemap itself has not changed since it was read from a document.
    var isAsRead = false
  }

  /// The requested style, drawn below the base layers; nil for none.
  public let style: Style?
  /// The load state of the basemap.
  ///
  /// Loading loads its layers; each layer reports its own failure.
  public let loader: Loader
  let state: ModelState<State>

  /// Creates a basemap with a style, base layers above it, and reference layers above the layers of the map.
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

  /// Creates a basemap with a style.
  public convenience init(style: Style) { self.init(style: style, baseLayers: [], referenceLayers: []) }

  /// Creates a basemap with one base layer.
  public convenience init(baseLayer: any Layer) { self.init(baseLayers: [baseLayer]) }

  /// Creates a basemap with base layers below the layers of the map and reference layers above them.
  ///
  /// Both lists start with the bottom layer.
  public convenience init(baseLayers: [any Layer] = [], referenceLayers: [any Layer] = []) {
    self.init(style: nil, baseLayers: baseLayers, referenceLayers: referenceLayers)
  }

  /// The display name.
  public var name: String {
    get { state.read { $0.name } }
    set { state.update { ($0.name, $0.isAsRead) = (newValue, false) } }
  }
  /// Whether the bundled names of countries, seas and cities are drawn above the layers; false by default.
  ///
  /// They have the colours of the style, or else those of ``Style/arcGISLightGray``. Their number depends on the scale.
  public var showsNames: Bool {
    get { state.read { $0.showsNames } }
    set { state.update { ($0.showsNames, $0.isAsRead) = (newValue, false) } }
  }
  /// Whether meridians and parallels are drawn below the layers; false by default.
  ///
  /// Their distance depends on the scale.
  public var showsGraticule: Bool {
    get { state.read { $0.showsGraticule } }
    set { state.update { ($0.showsGraticule, $0.isAsRead) = (newValue, false) } }
  }
  /// The layers below those of the map, starting with the bottom layer.
  public var baseLayers: [any Layer] { state.read { $0.baseLayers } }
  /// The layers above those of the map, starting with the bottom layer.
  public var referenceLayers: [any Layer] { state.read { $0.referenceLayers } }

  /// Adds a layer above the other base layers.
  ///
  /// A layer belongs to one map, group or basemap at most, and cannot be added twice. A layer that was added before
  /// stays there. The basemap then fails to load, with a ``MapStateError``, until it is loaded
  /// again.
  public func addBaseLayer(_ layer: any Layer) { add(layer) { $0.baseLayers.append(layer) } }
  /// Adds a layer above the other reference layers.
  ///
  /// A layer that was added before is refused, as by ``addBaseLayer(_:)``.
  public func addReferenceLayer(_ layer: any Layer) { add(layer) { $0.referenceLayers.append(layer) } }

  private func add(_ layer: any Layer, _ change: (inout State) -> Void) {
    ModelGate.withLock {
      if let refusal = layer.refusal { return loader.fail(refusal) }
      layer.home.join(self)
      state.update {
        change(&$0)
        $0.isAsRead = false
      }
    }
  }

  /// Removes a base layer; does nothing when it is not in the list.
  public func removeBaseLayer(_ layer: any Layer) { remove(layer, \.baseLayers) }
  /// Removes a reference layer; does nothing when it is not in the list.
  public func removeReferenceLayer(_ layer: any Layer) { remove(layer, \.referenceLayers) }
  /// Removes all base layers.
  public func removeAllBaseLayers() {
    ModelGate.withLock { for layer in baseLayers { removeBaseLayer(layer) } }
  }
  /// Removes all reference layers.
  public func removeAllReferenceLayers() {
    ModelGate.withLock { for layer in referenceLayers { removeReferenceLayer(layer) } }
  }

  private func remove(_ layer: any Layer, _ list: any WritableKeyPath<State, [any Layer]> & Sendable) {
    ModelGate.withLock {
      guard state.read({ $0[keyPath: list].contains { $0 === layer } }) else { return }
      layer.home.leave(self)
      state.update {
        $0[keyPath: list].removeAll { $0 === layer }
        $0.isAsRead = false
      }
    }
  }

  /// Returns a basemap of the same style with copies of the layers.
  public func clone() -> Basemap {
    ModelGate.withLock {
      let copy = Basemap(
        style: style, name: name, baseLayers: baseLayers.map { $0.clone() },
        referenceLayers: referenceLayers.map { $0.clone() })
      (copy.showsNames, copy.showsGraticule) = (showsNames, showsGraticule)
      return copy
    }
  }
}

extension Basemap {
  /// The feature layers in the basemap, starting at the bottom.
  package var featureLayers: [FeatureLayer] { (baseLayers + referenceLayers).flatMap(\.featureLayers) }

  /// The bundled parts that are drawn.
  package var parts: BasemapParts {
    var parts = BasemapParts(style: style, showsNames: showsNames, showsGraticule: showsGraticule)
    if let layer = streets, layer.style != nil, layer.isVisible {
      parts.streets = OpenedStreets(name: layer.place, extent: layer.fullExtent)
    }
    return parts
  }

  /// The layer that draws the style over tiles of streets; nil for none.
  package var streets: VectorTiledLayer? {
    baseLayers.lazy.compactMap { $0 as? VectorTiledLayer }.first { $0.streets != nil }
  }

  /// Marks the present state as the one that its document describes.
  package func rememberDocument() { state.update { $0.isAsRead = true } }

  /// Whether the basemap was read from a document and has not changed since.
  package var isAsRead: Bool {
    ModelGate.withLock {
      state.read { $0.isAsRead }
        && featureLayers.allSatisfy { layer in
          layer.origin.map { layer.definition == $0.definition } ?? false
        }
    }
  }
}

extension Basemap: LayerOwner {
  var kind: String { "a basemap" }
  var contents: any ModelPart { state }
  /// Several maps may share a basemap, so it has the projections of none.
  var mapProjection: MapProjection? { nil }
}

/// The parts of a basemap that come from the bundled data.
package struct BasemapParts: Sendable {
  /// The requested style; nil for none.
  package var style: Basemap.Style?
  package var showsNames = false
  package var showsGraticule = false
  /// The tiles of streets over which the style is drawn; nil for none.
  package var streets: OpenedStreets?

  package init(style: Basemap.Style?, showsNames: Bool = false, showsGraticule: Bool = false) {
    (self.style, self.showsNames, self.showsGraticule) = (style, showsNames, showsGraticule)
  }
}

/// An immutable snapshot of a basemap, painted below and above the layers of the map.
public struct BasemapState: Sendable {
  /// The style that is drawn; nil for none.
  public let style: Basemap.Style?
  /// The colour of water, which covers the image and thus the map's background; nil without a style.
  public let water: Color?
  /// The colour of land; nil without a style.
  package let land: Color?
  /// The attribution text that the data source requires.
  public let attribution: String
  /// The tiles of streets over which the style is drawn; nil for none.
  package var streets: OpenedStreets?
  /// The layers of the style, painted over the water, starting at the bottom.
  ///
  /// They are numbered separately from the layers of the map.
  public let layers: [LayerState]
  /// The base layers, above the layers of the style.
  public let baseLayers: [LayerState]
  /// The reference layers, above the layers of the map.
  public let referenceLayers: [LayerState]

  package init(
    style: Basemap.Style?, water: Color?, land: Color? = nil, attribution: String, layers: [LayerState],
    baseLayers: [LayerState] = [], referenceLayers: [LayerState] = []
  ) {
    (self.style, self.water, self.land) = (style, water, land)
    (self.attribution, self.layers) = (attribution, layers)
    (self.baseLayers, self.referenceLayers) = (baseLayers, referenceLayers)
  }

  /// The base layers and then the reference layers, starting at the bottom.
  package var ownLayers: [LayerState] { baseLayers + referenceLayers }

  /// Returns the same basemap with other base and reference layers.
  package func with(baseLayers: [LayerState], referenceLayers: [LayerState]) -> BasemapState {
    var basemap = BasemapState(
      style: style, water: water, land: land, attribution: attribution, layers: layers,
      baseLayers: baseLayers, referenceLayers: referenceLayers)
    basemap.streets = streets
    return basemap
  }
}
