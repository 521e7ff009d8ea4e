package import MapFeatures
import MapFilter

/// The effect on the image of a layer, the same at all scales or changing with the scale.
///
/// - Source: web map specification, `effect`.
package enum LayerEffect: Hashable, Sendable {
  /// The functions that apply at a scale denominator.
  package struct Stop: Hashable, Sendable {
    /// The scale denominator.
    package let scale: Double
    /// The functions, applied in order.
    package let functions: [EffectFunction]

    /// Creates a stop.
    package init(scale: Double, functions: [EffectFunction]) {
      (self.scale, self.functions) = (scale, functions)
    }
  }

  /// The same functions at all scales, applied in order.
  case everywhere([EffectFunction])
  /// Functions at scales, the smallest denominator first.
  case byScale([Stop])

  /// The lists of functions.
  package var lists: [[EffectFunction]] {
    switch self {
    case .everywhere(let functions): [functions]
    case .byScale(let stops): stops.map(\.functions)
    }
  }

  /// Returns the functions at a scale denominator, in order.
  ///
  /// Between two stops, the numbers are interpolated by the scale denominator. A shorter list is filled with functions
  /// that change nothing. Lists of different kinds do not mix: the list of the smaller denominator applies.
  package func functions(atScale scale: Double) -> [EffectFunction] {
    switch self {
    case .everywhere(let functions): return functions
    case .byScale(let stops):
      guard let first = stops.first, let last = stops.last else { return [] }
      guard let above = stops.first(where: { $0.scale >= scale }) else { return last.functions }
      guard let below = stops.last(where: { $0.scale < scale }) else { return first.functions }
      return Self.mixed(
        below.functions, above.functions, at: (scale - below.scale) / (above.scale - below.scale))
        ?? below.functions
    }
  }

  /// Returns the functions between two lists; nil if their kinds differ.
  static func mixed(
    _ first: [EffectFunction], _ second: [EffectFunction], at share: Double
  ) -> [EffectFunction]? {
    var mixed: [EffectFunction] = []
    for index in 0..<max(first.count, second.count) {
      let a = first.indices.contains(index) ? first[index] : second[index].identity
      let b = second.indices.contains(index) ? second[index] : first[index].identity
      guard let function = a.mixed(with: b, at: share) else { return nil }
      mixed.append(function)
    }
    return mixed
  }

  /// Whether all neighbouring lists can be mixed.
  package var mixes: Bool {
    zip(lists, lists.dropFirst()).allSatisfy { Self.mixed($0, $1, at: 0.5) != nil }
  }
}

/// Different effects on the features that a filter selects and on all others.
///
/// - Source: web map specification, `featureEffect`.
package struct FeatureEffect: Hashable, Sendable {
  /// The SQL condition that selects the included features; blank selects all.
  @ParsedFilter package var whereClause = ""
  /// The spatial relation that the selected features have to a geometry; nil for none.
  package var geometry: SpatialCondition?
  /// The object ids of the selected features; nil for any.
  package var objectIDs: [Int64]?
  /// The effect on the selected features; nil for none.
  package var includedEffect: LayerEffect?
  /// The effect on the other features, which are drawn first; nil for none.
  package var excludedEffect: LayerEffect?

  /// Creates a feature effect.
  package init(
    where clause: String, geometry: SpatialCondition? = nil, objectIDs: [Int64]? = nil,
    included: LayerEffect?, excluded: LayerEffect?
  ) {
    (whereClause, self.geometry, self.objectIDs) = (clause, geometry, objectIDs)
    (includedEffect, excludedEffect) = (included, excluded)
  }
}
