import MapFeatures
public import MapGeometry

/// The common interface of the layers of a map: feature layers and groups of layers.
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
}

extension Layer {
  /// The error for a layer that already has an owner; nil when the layer can be added.
  var refusal: MappingError? {
    home.place.map {
      .impossiblePlace("layer \"\(name)\" is in \($0) already; remove it there first")
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
    }
  }

  /// The layer and everything in it.
  package var withAllInside: [any Layer] { [self] + subLayerContents.flatMap(\.withAllInside) }

  /// The states of the feature layers, with the properties of their groups applied.
  package var frozenLayers: [LayerState] {
    switch layerForm {
    case .features(let layer): [layer.frozen]
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
    weak var map: Map?
    weak var group: GroupLayer?
    weak var basemap: Basemap?
  }

  /// The owner, which the changes of the layer and of everything in it count for.
  let held = ModelState(Place())

  init() {}

  /// The group that contains the layer; nil for none.
  var group: GroupLayer? {
    get { held.read { $0.group } }
    set { move(to: newValue?.state) { $0.group = newValue } }
  }

  /// The map whose list contains the layer; nil for none, and for a layer in a group.
  var map: Map? {
    get { held.read { $0.map } }
    set { move(to: newValue?.state) { $0.map = newValue } }
  }

  /// The basemap that contains the layer; nil for none.
  var basemap: Basemap? {
    get { held.read { $0.basemap } }
    set { move(to: newValue?.state) { $0.basemap = newValue } }
  }

  private func move(to owner: (any ModelPart)?, _ change: (inout Place) -> Void) {
    ModelGate.withLock {
      held.update(change)
      held.leave(nil)
      if let owner { held.join(owner) }
    }
  }

  /// The map that contains the layer, also in groups; nil for none, and for a layer of a basemap.
  var shownMap: Map? { map ?? group?.home.shownMap }

  /// The kind of owner in words; nil for a layer without an owner.
  var place: String? {
    group != nil ? "a group" : map != nil ? "a map" : basemap != nil ? "a basemap" : nil
  }
}

/// The visibility, opacity and scale limits of a layer.
package struct LayerShowing: Hashable, Sendable {
  package var isVisible = true
  /// The opacity, from 0 (transparent) to 1 (opaque).
  package var opacity = 1.0
  /// The scale denominator of the smallest scale, inclusive; 0 means no limit.
  package var minScale = 0.0
  /// The scale denominator of the largest scale, inclusive; 0 means no limit.
  package var maxScale = 0.0

  package init(isVisible: Bool = true, opacity: Double = 1, minScale: Double = 0, maxScale: Double = 0) {
    (self.isVisible, self.opacity, self.minScale, self.maxScale) = (isVisible, opacity, minScale, maxScale)
  }

  /// Returns whether the layer is drawn at a scale denominator.
  ///
  /// - Source: web map `layerDefinition`, both bounds inclusive.
  package func isShown(atScale scale: Double) -> Bool {
    isVisible && (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }

  /// Returns the visibility, opacity and scale limits that result in a group.
  ///
  /// A hidden group hides the layer, opacities multiply, and the layer is drawn at the scales of both.
  ///
  /// - Parameter isInherited: Whether the layer is visible whenever the group is.
  /// - Source: web map specification.
  package func inside(_ group: LayerShowing, isInherited: Bool) -> LayerShowing {
    var shown = self
    shown.isVisible = group.isVisible && (isVisible || isInherited)
    shown.opacity *= group.opacity
    if group.minScale > 0 { shown.minScale = minScale > 0 ? min(minScale, group.minScale) : group.minScale }
    shown.maxScale = max(maxScale, group.maxScale)
    return shown
  }
}

extension LayerState {
  /// Returns the layer with a map's projections, if its table has none.
  func projected(with operations: SpatialOperations) -> LayerState {
    guard let table = source.inMemory else { return self }
    var layer = self
    layer.source = table.using(operations)
    return layer
  }
}
