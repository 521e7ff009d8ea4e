import MapFilter

/// An array of each row, whose elements are values or arrays.
indirect enum BoundArray: Sendable {
  case value(BoundValue)
  case array([BoundArray])

  /// How the array of each row lies to another's; unknown where an element is null.
  func truth(_ predicate: ArrayPredicate, _ other: BoundArray, _ block: RowBlock) -> TruthWords {
    let (first, second) = (worked(block), other.worked(block))
    return TruthWords(rowCount: block.rowCount) { row in
      guard let first = first.elements(row), let second = second.elements(row) else { return nil }
      return switch predicate {
      case .equals: first == second
      case .contains: first.isSuperset(of: second)
      case .containedBy: first.isSubset(of: second)
      case .overlaps: !first.isDisjoint(with: second)
      }
    }
  }

  /// With the values of a block worked out; arrays of literals are made sets once.
  private func worked(_ block: RowBlock) -> WorkedArray {
    switch self {
    case .value(.literal(let value)): WorkedElement(value).map { .constant($0) } ?? .null
    case .value(let value): .values(value.values(in: block))
    case .array(let elements):
      WorkedArray(elements.map { $0.worked(block) })
    }
  }
}

/// An element of an array in the form by which elements are equal.
private indirect enum WorkedElement: Hashable {
  case value(AttributeValue)
  case array(Set<WorkedElement>)

  /// Numbers equal by value are one, and a day is its start, as with `=`; nil for null.
  init?(_ value: AttributeValue) {
    switch value {
    case .null: return nil
    case .real(let number): self = .value(Int64(exactly: number).map(AttributeValue.integer) ?? value)
    case .date(let date): self = .value(.instant(date.start))
    default: self = .value(value)
    }
  }
}

/// The elements of an array for the rows of a block.
private indirect enum WorkedArray {
  case null
  case constant(WorkedElement)
  case values(ValueBlock)
  case array([WorkedArray])

  init(_ elements: [WorkedArray]) {
    var set = Set<WorkedElement>()
    for element in elements {
      guard case .constant(let value) = element else { self = .array(elements); return }
      set.insert(value)
    }
    self = .constant(.array(set))
  }

  /// The set of a row; nil where an element is null, and for what is no array.
  func elements(_ row: Int) -> Set<WorkedElement>? {
    if case .array(let set)? = element(row) { set } else { nil }
  }

  private func element(_ row: Int) -> WorkedElement? {
    switch self {
    case .null: return nil
    case .constant(let element): return element
    case .values(let block): return WorkedElement(block.value(row))
    case .array(let elements):
      var set = Set<WorkedElement>()
      for element in elements {
        guard let value = element.element(row) else { return nil }
        set.insert(value)
      }
      return .array(set)
    }
  }
}
