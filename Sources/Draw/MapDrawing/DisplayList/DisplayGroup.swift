package import MapModel

/// A group of layers that is painted as one image.
package struct DisplayGroup: Hashable, Sendable {
  /// The identity of the group, by which adjacent layers share it.
  package let key: LayerGroup.Key
  /// The opacity of the image, 0 to 1.
  package let opacity: Double
  /// The way in which the image is mixed with what is below it.
  package let blendMode: BlendMode
  /// The functions for the image, applied in order.
  package let functions: [EffectFunction]
  /// The distance by which the painted image is larger on each side than that around it, in output pixels.
  package let margin: Int
  /// Output pixels per view pixel.
  package let pixelRatio: Double

  /// Creates a group.
  package init(
    _ key: LayerGroup.Key, opacity: Double, blendMode: BlendMode, functions: [EffectFunction] = [],
    margin: Int = 0, pixelRatio: Double = 1
  ) {
    (self.key, self.opacity, self.blendMode) = (key, opacity, blendMode)
    (self.functions, self.margin, self.pixelRatio) = (functions, margin, pixelRatio)
  }
}

extension DisplayLayer {
  /// Whether SVG and PDF can draw the layer and the groups around it by their own groups.
  package var hasVectorGroups: Bool {
    groups.allSatisfy { $0.functions.isEmpty && $0.margin == 0 && $0.blendMode.isOfVectorFormats }
      && blendMode.isOfVectorFormats
  }
}

/// The groups that a writer of layers has opened, the outermost first.
package struct OpenGroups {
  private var open: [DisplayGroup] = []

  package init() {}

  /// Returns the groups to close, the innermost first, and those to open then, the outermost first, before a layer in
  /// some groups is written; at the end, none.
  package mutating func move(to groups: [DisplayGroup]) -> (closed: [DisplayGroup], opened: [DisplayGroup]) {
    let shared = zip(open, groups).prefix { $0 == $1 }.count
    let closed = Array(open.dropFirst(shared).reversed())
    open = groups
    return (closed, Array(groups.dropFirst(shared)))
  }
}

extension DisplayList {
  /// Whether a layer or group cuts out parts of others, so that the background is put below the finished layers.
  package var cuts: Bool {
    (basemap + layers + overlays).contains { layer in
      layer.blendMode.cuts || layer.groups.contains { $0.blendMode.cuts }
    }
  }
}
