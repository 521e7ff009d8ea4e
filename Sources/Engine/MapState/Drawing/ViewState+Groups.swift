import MapDrawing
import MapModel

/// Groups of layers that are drawn as one image.
extension ViewState {
  /// The maximum number of nested groups that are drawn as images; each takes the memory of one.
  static let mostGroups = 16
  /// The maximum distance by which the images of nested groups are larger than the view, in pixels of 1/96 inch.
  private static let largestMargin = 1024.0

  /// A layer with features or tiles, as far as groups concern it.
  private struct Member {
    let name: String
    let groups: [LayerGroup]
    let blendMode: BlendMode
    /// Whether the layer has vectors that an effect turns into an image.
    let losesVectors: Bool
    let isShown: Bool

    /// The index after the innermost group with a blend mode; the largest number for a layer with one of its own.
    var blendDepth: Int {
      blendMode != .normal ? .max : (groups.lastIndex { $0.blendMode != .normal } ?? -1) + 1
    }
  }

  private var members: [Member] {
    func member(_ layer: LayerState) -> Member {
      Member(
        name: layer.name, groups: layer.groups, blendMode: layer.blendMode,
        losesVectors: changesImage(of: layer), isShown: isPainted(layer))
    }
    return layers.map(member) + ownBasemapLayers.map { member($0.layer) }
      + tileLayers.map {
        Member(
          name: $0.name, groups: $0.groups, blendMode: $0.blendMode, losesVectors: false,
          isShown: $0.isShown(atScale: viewpoint.scale))
      }
  }

  /// Whether a layer is shown and has features to paint.
  func isPainted(_ layer: LayerState) -> Bool {
    layer.isShown(atScale: viewpoint.scale) && layer.unloadedReason == nil && !(layer.source is UnreadSource)
  }

  /// Whether a layer or group cuts out parts of others, so that the background is put below the finished layers.
  var cuts: Bool {
    members.contains { member in
      member.isShown && (member.blendMode.cuts || member.groups.contains { $0.blendMode.cuts })
    }
  }

  /// The warnings about shown layers that SVG and PDF draw as images, because they have no effects and not all blend modes.
  func vectorWarnings(_ format: String) -> [String] {
    members.filter(\.isShown).compactMap { member in
      let around = imageGroups(member.groups).groups
      let outer = around.first?.blendMode ?? member.blendMode
      let reason: String
      if !outer.isOfVectorFormats {
        reason = "no blend mode \"\(outer.rawValue)\", so an image of the layer and all below it is drawn"
      } else if let mode = (around.map(\.blendMode) + [member.blendMode]).first(where: {
        !$0.isOfVectorFormats
      }) {
        reason = "no blend mode \"\(mode.rawValue)\", so an image of the group around the layer is drawn"
      } else if around.contains(where: { !$0.functions.isEmpty }) {
        reason = "no effects, so an image of the group around the layer is drawn"
      } else if member.losesVectors {
        reason = "no effects, so an image of the layer is drawn"
      } else {
        return nil
      }
      return "layer \"\(member.name)\": \(format) has \(reason)"
    }
  }

  /// Returns the groups around a layer that are drawn as one image, the outermost first.
  ///
  /// These are groups with an effect or a blend mode, groups whose layers have blend modes, and groups of several layers
  /// with an opacity below 1. Other groups change nothing but the opacity of their layers.
  func imageGroups(_ groups: [LayerGroup]) -> (groups: [DisplayGroup], isComplete: Bool) {
    guard !groups.isEmpty else { return ([], true) }
    guard
      hasBlendModes || groups.contains(where: { $0.opacity < 1 || $0.effect != nil })
        || ownBasemapLayers.contains(where: { $0.layer.blendMode.isMixed(in: $0.layer.groups) })
    else { return ([], true) }
    let members = members.filter(\.isShown).map { (groups: $0.groups, blendDepth: $0.blendDepth) }
    guard
      groups.contains(where: { $0.opacity < 1 || $0.effect != nil })
        || members.contains(where: { $0.blendDepth > 0 })
    else { return ([], true) }
    var (found, margin) = ([DisplayGroup](), 0)
    for (depth, group) in groups.enumerated() {
      let functions = group.effect?.functions(atScale: viewpoint.scale) ?? []
      // Groups are nested, so a layer has a group at one depth only.
      let inside = members.filter { $0.groups.count > depth && $0.groups[depth].key == group.key }
      let blends = inside.contains { $0.blendDepth > depth + 1 }
      let isImage =
        !functions.isEmpty || group.blendMode != .normal || blends || group.opacity < 1 && inside.count > 1
      guard isImage else { continue }
      guard found.count < Self.mostGroups else { return (found, false) }
      let reach = functions.reduce(0) { $0 + $1.reach } * pixelRatio
      let own = Int(clamping: min(reach, Self.largestMargin * pixelRatio - Double(margin)).rounded(.up))
      margin += max(0, own)
      found.append(
        DisplayGroup(
          group.key, opacity: group.opacity, blendMode: group.blendMode, functions: functions,
          margin: max(0, own), pixelRatio: pixelRatio))
    }
    return (found, true)
  }

  /// Returns the output pixels by which the images of the groups around a layer are larger than the view.
  func groupMargin(of layer: LayerState) -> Int {
    imageGroups(layer.groups).groups.reduce(0) { $0 + $1.margin }
  }

  /// Returns the drawing of a layer in the groups around it; a hidden layer cuts nothing out.
  func addingGroups(_ groups: [DisplayGroup], to drawing: DisplayLayer, isShown: Bool) -> DisplayLayer {
    var drawing = drawing
    guard isShown else {
      drawing.blendMode = .normal
      return drawing
    }
    drawing.groups = groups
    // The opacity of a layer includes that of its groups.
    let shared = groups.reduce(1) { $0 * $1.opacity }
    drawing.opacity = shared > 0 ? min(1, drawing.opacity / shared) : 0
    return drawing
  }
}
