/// An expression for one view: what features do not decide is computed.
package struct StyleProgram: Sendable {
  let root: StyleNode
  let names: [String]
  let bindings: [StyleNode]
  let context: StyleContext

  /// Computes what features do not decide.
  package init(_ expression: StyleExpression, _ context: StyleContext) {
    let machine = StyleMachine(bindings: expression.bindings, context: context)
    root = expression.root.specialised(machine)
    bindings = expression.bindings.map { $0.specialised(machine) }
    (names, self.context) = (expression.names, context)
  }

  /// Returns a machine for the rows of a tile.
  private func machine(_ features: BoundFeatures) -> StyleMachine {
    let machine = StyleMachine(bindings: bindings, context: context)
    machine.features = features
    return machine
  }

  /// Returns the answers for rows, after a function that settles each value.
  ///
  /// A part that depends on one coded property is evaluated once for each of its values.
  func answers(
    _ features: StyleFeatures, rows: [Int32],
    settle: (Result<StyleValue, StyleExpressionError>) -> StyleAnswer
  ) -> StyleAnswers {
    func answer(_ machine: StyleMachine) -> StyleAnswer {
      do throws(StyleExpressionError) {
        return settle(.success(try machine.value(root)))
      } catch {
        return settle(.failure(error))
      }
    }
    let bound = BoundFeatures(features, names: names)
    let machine = machine(bound)
    var answers: [StyleAnswer] = []
    guard let codes = RowCodes(root.fields, bound), codes.count <= rows.count else {
      answers.reserveCapacity(rows.count)
      for row in rows {
        machine.row = Int(row)
        answers.append(answer(machine))
      }
      return .coded(Array(0..<Int32(clamping: rows.count)), answers)
    }
    var indices = [Int32](repeating: -1, count: codes.count)
    let result = rows.map { row in
      let code = codes[Int(row)]
      if indices[code] < 0 {
        machine.row = Int(row)
        indices[code] = Int32(clamping: answers.count)
        answers.append(answer(machine))
      }
      return indices[code]
    }
    return answers.count == 1 ? .constant(answers[0]) : .coded(result, answers)
  }

  /// Returns the rows with some codes of a property for which a condition on it is true, in ascending order.
  func rows(
    of bound: BoundFeatures, where node: StyleNode, _ byCode: RowsByCode, _ places: [Int]
  ) -> [Int32] {
    let truths = StyleTruths(features: bound, machine: machine(bound))
    var found: [ArraySlice<Int32>] = []
    for place in places {
      let rows = byCode[place]
      if let first = rows.first, truths.truth(node, row: Int(first)) == .yes { found.append(rows) }
    }
    return found.count == 1 ? Array(found[0]) : found.flatMap { $0 }.sorted()
  }

  /// Returns the rows, of some, for which a condition is true; those for which it fails are not among them.
  package func passing(_ features: StyleFeatures, rows: [Int32]) -> [Int32] {
    let bound = BoundFeatures(features, names: names)
    var filter = StyleTruths(features: bound, machine: machine(bound))
    let truths = filter.truths(root, rows)
    var passing: [Int32] = []
    for (position, row) in rows.enumerated() where truths[position] == .yes { passing.append(row) }
    return passing
  }
}

/// The codes of what a part needs of each row, from 0.
struct RowCodes {
  private let codes: [Int32]
  private let kinds: [StyleGeometryKind]
  /// The number of codes.
  let count: Int

  /// Returns the codes; nil when a part needs more than one coded property or kind.
  init?(_ fields: StyleFields, _ features: BoundFeatures) {
    switch fields {
    case .none: (codes, kinds, count) = ([], [], 1)
    case .kind: (codes, kinds, count) = ([], features.kinds, 4)
    case .property(let index):
      if features.isMissing(index) {
        (codes, kinds, count) = ([], [], 1)
      } else if let found = features.codes(index) {
        (codes, kinds, count) = (found.codes, [], found.count + 1)
      } else {
        return nil
      }
    case .many: return nil
    }
  }

  /// The code of a row.
  @inline(__always)
  subscript(row: Int) -> Int {
    if !codes.isEmpty { return Int(codes[row]) + 1 }
    return kinds.isEmpty ? 0 : Int(kinds[row].rawValue)
  }
}

/// An evaluation of a condition for many rows.
struct StyleTruths {
  enum Truth: UInt8 { case no, yes, failed, unknown }

  let features: BoundFeatures
  let machine: StyleMachine

  /// Returns the truth of a condition for each row.
  mutating func truths(_ node: StyleNode, _ rows: [Int32]) -> [Truth] {
    switch node.form {
    case .literal(let value): return Array(repeating: value.isTrue ? .yes : .no, count: rows.count)
    case .call(.all, let nodes) where node.fields == .many: return joined(nodes, rows, until: .no)
    case .call(.any, let nodes) where node.fields == .many: return joined(nodes, rows, until: .yes)
    case .call(.not, let nodes) where node.fields == .many:
      return truths(nodes[0], rows).map { $0 == .yes ? .no : $0 == .no ? .yes : $0 }
    default: break
    }
    guard let codes = RowCodes(node.fields, features), codes.count <= 2 * rows.count + 16 else {
      return rows.map { truth(node, row: Int($0)) }
    }
    var known = [Truth](repeating: .unknown, count: codes.count)
    return rows.map { row in
      let code = codes[Int(row)]
      if known[code] == .unknown { known[code] = truth(node, row: Int(row)) }
      return known[code]
    }
  }

  /// Returns the truth of a condition for a row.
  func truth(_ node: StyleNode, row: Int) -> Truth {
    machine.row = row
    guard let value = try? machine.value(node) else { return .failed }
    return value.isTrue ? .yes : .no
  }

  /// Returns the truth of conditions, each asked only for the rows that the one before does not decide.
  private mutating func joined(_ nodes: [StyleNode], _ rows: [Int32], until decisive: Truth) -> [Truth] {
    let open: Truth = decisive == .no ? .yes : .no
    var result = [Truth](repeating: open, count: rows.count)
    var (rest, positions) = (rows, Array(rows.indices))
    for node in nodes where !rest.isEmpty {
      let truths = truths(node, rest)
      var (nextRows, nextPositions): ([Int32], [Int]) = ([], [])
      nextRows.reserveCapacity(rest.count)
      nextPositions.reserveCapacity(rest.count)
      for (index, truth) in truths.enumerated() {
        if truth == open {
          nextRows.append(rest[index])
          nextPositions.append(positions[index])
        } else {
          result[positions[index]] = truth
        }
      }
      (rest, positions) = (nextRows, nextPositions)
    }
    return result
  }
}
