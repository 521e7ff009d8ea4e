public import MapModel

/// The classes of two fields as a square: the first field from left to right, and the second from bottom to top.
public struct ClassSquare: Hashable, Sendable {
  /// The colours of the classes by rows, from the lowest class of each field.
  public let colors: [[Color]]
  /// The titles of the two fields.
  public let titles: [String]
  /// The bounds between the classes of the two fields.
  public let bounds: [[String]]

  /// Arranges the classes of a renderer; nil unless it has a class with one colour for each combination.
  init?(_ renderer: UniqueValueRenderer, title: (String) -> String) {
    guard let relationship = renderer.relationship else { return nil }
    let classes = renderer.uniqueValues
    let letters = relationship.letters
    colors = letters.map { second in
      letters.compactMap { first in
        classes.first { $0.values.contains(first + second) }?.symbol.mainColor
      }
    }
    guard classes.count == letters.count * letters.count,
      colors.allSatisfy({ $0.count == letters.count })
    else { return nil }
    let axes = [relationship.first, relationship.second]
    titles = axes.map { $0.label.isEmpty ? title($0.fieldName) : $0.label }
    bounds = axes.map { LegendNumber.bounds(Array($0.upperBounds.dropLast())) }
  }
}
