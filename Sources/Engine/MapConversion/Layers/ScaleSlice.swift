import MapFeatures
import MapFilter
import MapJSON
import MapModel

/// A range of scales in which a layer is drawn with one display filter, as a range of zooms.
struct ScaleSlice {
  /// The scale denominator of the smallest scale, inclusive; infinite for no limit.
  var smallest = Double.infinity
  /// The scale denominator of the largest scale; 0 for no limit.
  var largest = 0.0
  /// Whether the slice contains ``largest``.
  var includesLargest = true
  /// The display filter; nil for none.
  var filter: DisplayFilter?

  /// Returns the members of a style's layer for the zooms; nil if no zoom shows the layer.
  ///
  /// A layer of a style is drawn from `minzoom` on and below `maxzoom`.
  var members: [(String, JSONValue)]? {
    guard smallest > largest || smallest == largest && includesLargest else { return nil }
    var members: [(String, JSONValue)] = []
    // The zoom of a scale is rounded, so the limits are wider by much less than a pixel.
    if smallest.isFinite {
      let zoom = StyleZoom.zoom(ofScale: smallest) - Self.slack
      guard zoom < StyleZoom.limits.upperBound else { return nil }
      if zoom > StyleZoom.limits.lowerBound { members.append(("minzoom", .number(zoom))) }
    }
    if largest > 0 {
      let zoom = StyleZoom.zoom(ofScale: largest) + (includesLargest ? Self.slack : -Self.slack)
      guard zoom > StyleZoom.limits.lowerBound else { return nil }
      if zoom <= StyleZoom.limits.upperBound { members.append(("maxzoom", .number(zoom))) }
    }
    return members
  }

  /// - Source: design decision: 1e-9 of a zoom is 1e-9 of the scale.
  private static let slack = 1e-9

  /// Returns the part of the slice within the scales of a layer or label class, whose limits of 0 are none.
  func within(minScale: Double, maxScale: Double) -> ScaleSlice {
    var part = self
    if minScale > 0 { part.smallest = min(smallest, minScale) }
    if maxScale > largest { (part.largest, part.includesLargest) = (maxScale, true) }
    return part
  }

  /// Returns the slices of a layer's scales, from the smallest scale on.
  static func slices(of layer: LayerState) -> [ScaleSlice] {
    let whole = ScaleSlice().within(minScale: layer.minScale, maxScale: layer.maxScale)
    switch layer.displayFilter {
    case nil: return [whole]
    case .manual:
      var slice = whole
      slice.filter = layer.displayFilter?.activeFilter(atScale: 1)
      return [slice]
    case .scale(let definition):
      let limits = Set(definition.filters.flatMap { [$0.minScale, $0.maxScale] }.filter { $0 > 0 })
        .filter { $0 < whole.smallest && $0 > whole.largest }.sorted(by: >)
      return zip([whole.smallest] + limits, limits + [whole.largest]).map { smallest, largest in
        ScaleSlice(
          smallest: smallest, largest: largest,
          includesLargest: largest == whole.largest && whole.includesLargest,
          // A filter applies up to its smallest scale, inclusive.
          filter: definition.activeFilter(atScale: smallest.isFinite ? smallest : largest * 2)?.filter)
      }.joined()
    }
  }
}

extension [ScaleSlice] {
  /// Returns the slices without limits between slices of one filter.
  fileprivate func joined() -> [ScaleSlice] {
    reduce(into: []) { slices, slice in
      guard let last = slices.last, last.filter == slice.filter else { return slices.append(slice) }
      slices[slices.count - 1].largest = slice.largest
      slices[slices.count - 1].includesLargest = slice.includesLargest
    }
  }
}
