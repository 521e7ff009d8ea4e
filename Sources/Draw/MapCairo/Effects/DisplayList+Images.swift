package import MapDrawing
import MapModel

extension DisplayList {
  /// Returns the list with an image instead of each layer or group with effects, for formats without effects of their
  /// own.
  ///
  /// A layer or group with a blend mode that these formats do not have becomes one image with all below it.
  ///
  /// - Throws: ``PaintError``.
  package func applyingEffects() throws(PaintError) -> DisplayList {
    var list = self
    if let last = lastWithoutVectors {
      var below = DisplayList(width: width, height: height, background: background)
      below.basemap = Array((basemap + layers + overlays).prefix(through: last))
      let image = DisplayImage(width: width, pixels: try CairoPainter.pixels(of: below))
      let own = DisplayLayer(index: 0, name: "image", opacity: 1, batches: [.image(image)])
      let kept = last + 1
      list.basemap = [own] + basemap.dropFirst(kept)
      list.layers = Array(layers.dropFirst(max(0, kept - basemap.count)))
      list.overlays = Array(overlays.dropFirst(max(0, kept - basemap.count - layers.count)))
    }
    list.basemap = try drawn(list.basemap)
    list.layers = try drawn(list.layers)
    list.overlays = try drawn(list.overlays)
    return list
  }

  /// The index among all layers of the last one whose mode needs an image of all below it; nil for none.
  private var lastWithoutVectors: Int? {
    let all = basemap + layers + overlays
    guard
      let last = all.lastIndex(where: { !($0.groups.first?.blendMode ?? $0.blendMode).isOfVectorFormats })
    else { return nil }
    // The group is laid down after its last layer.
    guard let group = all[last].groups.first else { return last }
    return last + all[last...].prefix { $0.groups.first == group }.count - 1
  }

  /// Returns layers with an image instead of each layer and group with effects.
  private func drawn(_ layers: [DisplayLayer]) throws(PaintError) -> [DisplayLayer] {
    var (drawn, rest) = ([DisplayLayer](), layers[...])
    while let first = rest.first {
      guard let group = first.groups.first else {
        drawn.append(try first.applyingEffect(width: width, height: height, threads: 1, method: .fast))
        rest = rest.dropFirst()
        continue
      }
      // The group's opacity and blend mode apply to its image.
      let plain = DisplayGroup(
        group.key, opacity: 1, blendMode: .normal, functions: group.functions, margin: group.margin,
        pixelRatio: group.pixelRatio)
      let members = rest.prefix { $0.groups.first == group }
      rest = rest.dropFirst(members.count)
      if members.allSatisfy(\.hasVectorGroups) {
        for layer in members {
          drawn.append(try layer.applyingEffect(width: width, height: height, threads: 1, method: .fast))
        }
        continue
      }
      var list = DisplayList(width: width, height: height, background: nil)
      list.layers = members.map { layer in
        var layer = layer
        layer.groups[0] = plain
        return layer
      }
      var image = DisplayLayer(
        index: first.index, name: first.name, opacity: group.opacity,
        batches: [.image(DisplayImage(width: width, pixels: try CairoPainter.pixels(of: list)))])
      image.blendMode = group.blendMode
      drawn.append(image)
    }
    return drawn
  }
}
