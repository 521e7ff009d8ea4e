import MapModel

/// The bounds of classes of numbers that are part of them.
public enum ClassEdges: String, CaseIterable, Hashable, Sendable {
  /// A number on a bound is in the class below it: each class includes its upper bound.
  ///
  /// - Source: the class breaks of Esri's web maps.
  case upper
  /// A number on a bound is in the class above it: each class includes its lower bound, and the last one both.
  case lower

  /// Returns the inner bounds that end a class with a value, where each class includes its lower bound.
  ///
  /// - Parameters:
  ///   - bounds: the upper bounds of the classes, ascending; the last one is kept.
  ///   - values: the classified numbers, ascending.
  ///   - keepsEmpty: whether classes without a value are kept, except the first.
  static func lowerBounds(
    _ bounds: [Double], of values: [Double], keepsEmpty: Bool
  ) -> [Double] {
    guard let least = values.first, let last = bounds.last else { return bounds }
    var kept: [Double] = []
    var place = 0
    for bound in bounds.dropLast() where bound > least {
      let start = place
      while place < values.count, values[place] < bound { place += 1 }
      if keepsEmpty || place > start { kept.append(bound) }
    }
    return kept + [last]
  }
}

extension ClassificationMethod {
  /// The reason why the classes do not depend on the edges of bounds; nil if they do.
  var edgesReason: String? {
    self == .naturalBreaks ? "natural breaks lie between the values of two classes" : nil
  }
}
