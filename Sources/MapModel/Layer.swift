public import MapGeometry

/// What the layers of a map have in common: layers of features, and groups of layers.
///
/// Closed: drawing switches over ``layerForm``.
public protocol Layer: Loadable {
  /// The case it is of the closed family.
  var layerForm: LayerForm { get }
  /// Which group it is in.
  var home: LayerHome { get }
  /// What tells it from others in a document; may be empty.
  var id: String { get }
  /// The name for people.
  var name: String { get set }
  /// False hides it, and all that is in it, from drawing, not from queries.
  var isVisible: Bool { get set }
  /// 0 is clear, 1 opaque.
  var opacity: Double { get set }
  /// The smallest map scale, as the N of 1:N, at which it is drawn, itself included; 0 is open.
  var minScale: Double { get set }
  /// The largest map scale, as the N of 1:N, at which it is drawn, itself included; 0 is open.
  var maxScale: Double { get set }
  /// The envelope of all that it holds.
  var fullExtent: Envelope { get }
  /// The reference of what it holds; nil without any.
  var spatialReference: SpatialReference? { get }
  /// Who is to be named beside a picture of it; empty for nobody.
  var attribution: String { get }
  /// False asks a legend to leave it out.
  var showsInLegend: Bool { get set }
  /// A layer that is as this one, in no map and no group: features with tables of their own, groups with layers of
  /// their own.
  func clone() -> Self
}

/// The kinds of layer that there are.
public enum LayerForm: Sendable {
  /// Features of one table.
  case features(FeatureLayer)
  /// Layers in it.
  case group(GroupLayer)
}

extension Layer {
  /// Why it cannot be put somewhere: it stands somewhere already; nil when it can.
  var refusal: MappingError? {
    home.place.map {
      .impossiblePlace("layer \"\(name)\" is in \($0) already, where it stays; take it out first")
    }
  }

  /// True when it is drawn at a map scale, the N of 1:N, as far as it decides itself.
  public func isVisible(atScale scale: Double) -> Bool { showing.isShown(atScale: scale) }

  /// The layers in it, first at the bottom; none for a layer of features.
  public var subLayerContents: [any Layer] {
    if case .group(let group) = layerForm { group.layers } else { [] }
  }

  /// The layers of features that it is or holds, in drawing order.
  package var featureLayers: [FeatureLayer] {
    switch layerForm {
    case .features(let layer): [layer]
    case .group(let group): group.layers.flatMap(\.featureLayers)
    }
  }

  /// Itself and all that it holds.
  package var withAllInside: [any Layer] { [self] + subLayerContents.flatMap(\.withAllInside) }

  /// The layers of features that it is or holds, as values that show as they do inside it.
  package var frozenLayers: [LayerState] {
    switch layerForm {
    case .features(let layer): [layer.frozen]
    case .group(let group): group.frozenInside
    }
  }

  /// The changes of itself and of all that it holds, one by one.
  package var allChanges: [UInt64] {
    switch layerForm {
    case .features(let layer): [layer.changes]
    case .group(let group): [group.changes] + group.layers.flatMap(\.allChanges)
    }
  }

  var showing: LayerShowing {
    LayerShowing(isVisible: isVisible, opacity: opacity, minScale: minScale, maxScale: maxScale)
  }
}

/// Which map, group or basemap a layer is in: what the members of every ``Layer`` work on.
///
/// Made by the layers themselves.
public final class LayerHome: Sendable {
  private struct Place: Sendable {
    weak var map: Map?
    weak var group: GroupLayer?
    weak var basemap: Basemap?
  }

  private let held = ModelState(Place())

  init() {}

  /// The group that holds the layer; nil for none.
  var group: GroupLayer? {
    get { held.snapshot.group }
    set { held.update { $0.group = newValue } }
  }

  /// The map whose list holds the layer; nil for none, and for a layer in a group.
  var map: Map? {
    get { held.snapshot.map }
    set { held.update { $0.map = newValue } }
  }

  /// The basemap that holds the layer; nil for none.
  var basemap: Basemap? {
    get { held.snapshot.basemap }
    set { held.update { $0.basemap = newValue } }
  }

  /// The owner of the layer; nil for a layer that is in no map.
  var place: String? {
    group != nil ? "a group" : map != nil ? "a map" : basemap != nil ? "a basemap" : nil
  }
}

/// Whether, how strongly and at which scales a layer shows.
struct LayerShowing: Hashable, Sendable {
  var isVisible = true
  /// 0 is clear, 1 opaque.
  var opacity = 1.0
  /// The N of the smallest scale, itself included, 0 open.
  var minScale = 0.0
  /// The N of the largest scale, itself included, 0 open.
  var maxScale = 0.0

  /// True when it shows at a scale.
  ///
  /// - Source: web map `layerDefinition`, both bounds included.
  func isShown(atScale scale: Double) -> Bool {
    isVisible && (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }

  /// How it shows in a group: a hidden group hides it, opacities multiply, it shows at the scales of both.
  ///
  /// - Parameter isInherited: true shows it whenever the group does.
  /// - Source: web map specification.
  func inside(_ group: LayerShowing, isInherited: Bool) -> LayerShowing {
    var shown = self
    shown.isVisible = group.isVisible && (isVisible || isInherited)
    shown.opacity *= group.opacity
    if group.minScale > 0 { shown.minScale = minScale > 0 ? min(minScale, group.minScale) : group.minScale }
    shown.maxScale = max(maxScale, group.maxScale)
    return shown
  }
}

extension LayerState {
  /// Whether, how strongly and at which scales it shows.
  var showing: LayerShowing {
    get { LayerShowing(isVisible: isVisible, opacity: opacity, minScale: minScale, maxScale: maxScale) }
    set {
      (isVisible, opacity) = (newValue.isVisible, newValue.opacity)
      (minScale, maxScale) = (newValue.minScale, newValue.maxScale)
    }
  }
}

extension WebMapLayer {
  /// Whether, how strongly and at which scales it shows.
  var showing: LayerShowing {
    get { LayerShowing(isVisible: isVisible, opacity: opacity, minScale: minScale, maxScale: maxScale) }
    set {
      (isVisible, opacity) = (newValue.isVisible, newValue.opacity)
      (minScale, maxScale) = (newValue.minScale, newValue.maxScale)
    }
  }
}
