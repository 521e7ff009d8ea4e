import MapModel

/// The bounds of classes of numbers that are part of them.
public enum ClassEdges: String, CaseIterable, Hashable, Sendable {
  /// A number on a bound is in the class below it: each class includes its upper bound.
  ///
  /// - Source: the class breaks of Esri's web maps.
  case upper
  /// A number on a bound is in the class above it: each class includes its lower bound, and the last one both.
  case lower

  /// Returns the bounds of classes that include their lower bounds, ascending; the last is the greatest value.
  ///
  /// Quantiles are those of the opposite numbers, so that each class has a value. Other bounds are those of classes that
  /// include their upper bounds, without a bound at the least value, which would end a class without a value.
  /// - Parameters:
  ///   - values: the classified numbers, ascending.
  ///   - count: the number of classes.
  static func lowerBounds(
    of values: [Double], count: Int, _ method: ClassificationMethod
  ) -> [Double] {
    guard let least = values.first, let greatest = values.last else { return [] }
    // A difference, because the opposite of 0 is not -0.
    let inner =
      method == .quantile
      ? method.upperBounds(of: values.map { 0 - $0 }, count: count).dropLast().reversed().map { 0 - $0 }
      : Array(method.upperBounds(of: values, count: count).dropLast())
    return inner.filter { $0 > least } + [greatest]
  }
}

extension ClassificationMethod {
  /// The reason why the classes do not depend on the edges of bounds; nil if they do.
  var edgesReason: String? {
    self == .naturalBreaks ? "natural breaks lie between the values of two classes" : nil
  }
}
