public import MapGeometry

/// The common interface of the layers of a map: feature layers, layers of tiles, and groups of layers.
///
/// Do not conform other types: drawing switches over ``layerForm``, a closed set.
public protocol Layer: Loadable {
  /// The layer as a case of the closed set.
  var layerForm: LayerForm { get }
  /// The group, map or basemap that the layer belongs to.
  var home: LayerHome { get }
  /// The identifier of the layer in a document; may be empty.
  var id: String { get }
  /// The display name.
  var name: String { get set }
  /// Whether the layer and everything in it is drawn; queries ignore it.
  var isVisible: Bool { get set }
  /// The opacity, from 0 (transparent) to 1 (opaque).
  var opacity: Double { get set }
  /// The scale denominator of the smallest scale at which the layer is drawn, inclusive; 0 means no limit.
  var minScale: Double { get set }
  /// The scale denominator of the largest scale at which the layer is drawn, inclusive; 0 means no limit.
  var maxScale: Double { get set }
  /// The envelope of all features in the layer.
  var fullExtent: Envelope { get }
  /// The spatial reference of the features; nil without any.
  var spatialReference: SpatialReference? { get }
  /// The attribution text that the layer requires; empty for none.
  var attribution: String { get }
  /// Whether a legend lists the layer.
  var showsInLegend: Bool { get set }
  /// Returns a copy of the layer that belongs to no map and no group.
  ///
  /// A feature layer gets a table of its own, a group gets layers of its own.
  func clone() -> Self
}

/// The kinds of layers.
public enum LayerForm: Sendable {
  /// A layer with the features of one table.
  case features(FeatureLayer)
  /// A group of layers.
  case group(GroupLayer)
  /// A layer of tiles.
  case tiles(ImageTiledLayer)
  /// A layer of vector tiles and a style.
  case vectorTiles(VectorTiledLayer)
}

extension Layer {
  /// The error for a layer that already has an owner; nil when the layer can be added.
  var refusal: MappingError? {
    home.owner.map {
      .impossiblePlace("layer \"\(name)\" is in \($0.kind) already; remove it there first")
    }
  }

  /// Returns whether the layer is drawn at a scale denominator, as far as its own properties decide.
  public func isVisible(atScale scale: Double) -> Bool { showing.isShown(atScale: scale) }

  /// The layers in the group, starting at the bottom; empty for a feature layer.
  public var subLayerContents: [any Layer] {
    if case .group(let group) = layerForm { group.layers } else { [] }
  }

  /// The layer itself, or the feature layers in the group, in drawing order.
  package var featureLayers: [FeatureLayer] {
    switch layerForm {
    case .features(let layer): [layer]
    case .group(let group): group.layers.flatMap(\.featureLayers)
    case .tiles, .vectorTiles: []
    }
  }

  /// The layer and everything in it.
  package var withAllInside: [any Layer] { [self] + subLayerContents.flatMap(\.withAllInside) }

  /// The states of the feature layers, with the properties of their groups applied.
  package var frozenLayers: [LayerState] { frozenForms.features }

  /// The states of the feature layers and layers of tiles, with the properties of their groups applied.
  var frozenForms: [FrozenLayer] {
    switch layerForm {
    case .features(let layer): [.features(layer.frozen)]
    case .tiles(let layer): [.tiles(layer.frozen)]
    case .vectorTiles(let layer): [.tiles(layer.frozen)]
    case .group(let group): group.frozenInside
    }
  }

  var showing: LayerShowing {
    LayerShowing(isVisible: isVisible, opacity: opacity, minScale: minScale, maxScale: maxScale)
  }
}

/// The map, group or basemap that a layer belongs to; the members of every ``Layer`` use it.
///
/// Only layers create it.
public final class LayerHome: Sendable {
  struct Place: Sendable {
    weak var owner: (any LayerOwner)?
  }

  /// The owner, which the changes of the layer and of everything in it count for.
  let held = ModelState(Place())

  init() {}

  /// The map, group or basemap whose list contains the layer; nil for none.
  var owner: (any LayerOwner)? { held.read { $0.owner } }

  /// Sets the owner, which the layer is then added to.
  func join(_ owner: any LayerOwner) {
    ModelGate.withLock {
      held.update { $0.owner = owner }
      held.leave(nil)
      held.join(owner.contents)
    }
  }

  /// Removes an object as the owner.
  func leave(_ owner: any LayerOwner) {
    ModelGate.withLock {
      held.update { if $0.owner === owner { $0.owner = nil } }
      held.leave(owner.contents)
    }
  }
}

/// An object with a list of layers: a map, a group or a basemap.
protocol LayerOwner: AnyObject, Sendable {
  /// The kind of object in words, such as "a map".
  var kind: String { get }
  /// The state that changes of the layers count for.
  var contents: any ModelPart { get }
  /// The projections of the map that contains the layers, also in groups; nil for none.
  var mapProjection: MapProjection? { get }
  /// Hides other layers when a layer was made visible, if only one may be visible.
  func wasSwitchedOn(_ layer: any Layer)
}

extension LayerOwner {
  func wasSwitchedOn(_ layer: any Layer) {}
}
