/// The filter of a layer for one view, which finds rows by the values of single properties.
///
/// Styles of Esri have hundreds of layers that each show one value of `_symbol`.
struct StyleRowFilter: Sendable {
  /// A condition on one property, without which no row passes.
  private struct Selector: Sendable {
    let node: StyleNode
    /// The index of the property among the names of the program.
    let property: Int
    /// The numbers that the property may have; nil for another condition.
    let numbers: [Double]?
  }

  private let program: StyleProgram
  private let selectors: [Selector]

  init(_ program: StyleProgram) {
    self.program = program
    selectors = program.root.conjuncts.compactMap { node in
      guard case .property(let index) = node.fields else { return nil }
      return Selector(node: node, property: index, numbers: node.numbers)
    }
  }

  /// Returns the rows of all for which the filter is true; those for which it fails are not among them.
  ///
  /// - Cost: a condition on the values of one property is evaluated once for each value, an equality with a number only for
  ///   that number. Only the rows with such values are asked for other conditions.
  func rows(of features: StyleFeatures) -> [Int32] {
    let bound = BoundFeatures(features, names: program.names)
    for selector in selectors {
      guard !bound.isMissing(selector.property) else {
        if selector.numbers != nil { return [] }
        continue
      }
      guard let byCode = bound.rowsByCode(selector.property, name: program.names[selector.property]),
        byCode.count <= features.count
      else { continue }
      let places = byCode.places(of: selector.numbers)
      if places.isEmpty { return [] }
      let rows = program.rows(of: bound, where: selector.node, byCode, places)
      if rows.isEmpty { return [] }
      // Where most rows pass, the others are not worth a list.
      guard rows.count <= features.count / 2 else { continue }
      // A filter of one condition needs no second look.
      return selectors.count == 1 && !program.root.isConjunction
        ? rows : program.passing(features, rows: rows)
    }
    return program.passing(features, rows: Array(0..<Int32(clamping: features.count)))
  }
}

extension StyleNode {
  /// Whether several conditions must be true.
  fileprivate var isConjunction: Bool { if case .call(.all, _) = form { true } else { false } }

  /// The conditions that must all be true.
  fileprivate var conjuncts: [StyleNode] {
    if case .call(.all, let nodes) = form { return nodes.flatMap(\.conjuncts) }
    return [self]
  }

  /// The numbers that a property may have; nil for another condition.
  fileprivate var numbers: [Double]? {
    switch form {
    case .propertyTest(let test) where test.relation == .equal || test.relation == .isIn:
      let numbers = test.values.compactMap(\.number)
      return numbers.count == test.values.count ? numbers : nil
    case .call(.comparison(.equal), let nodes) where nodes.count == 2:
      for (property, value) in [(nodes[0], nodes[1]), (nodes[1], nodes[0])] {
        if case .property = property.form, let number = value.literal?.number { return [number] }
      }
      return nil
    default: return nil
    }
  }
}
