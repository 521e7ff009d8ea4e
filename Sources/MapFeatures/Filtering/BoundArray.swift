import MapFilter

/// An array per row, whose elements are values or arrays.
indirect enum BoundArray: Sendable {
  case value(BoundValue)
  case array([BoundArray])

  /// Compares the array of each row with another's; the result is unknown if an element is null.
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

  /// Evaluates the elements for a block; arrays of literals become sets once.
  private func worked(_ block: RowBlock) -> WorkedArray {
    switch self {
    case .value(.literal(let value)): WorkedElement(value).map { .constant($0) } ?? .null
    case .value(let value): .values(value.values(in: block))
    case .array(let elements):
      WorkedArray(elements.map { $0.worked(block) })
    }
  }
}

/// An element of an array, normalised so that equal elements compare equal.
private indirect enum WorkedElement: Hashable {
  case value(AttributeValue)
  case array(Set<WorkedElement>)

  /// Normalises a value: numbers of equal value are equal, and a date equals its start, as with `=`; nil for null.
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

  /// Returns the set of a row; nil if an element is null or the value is not an array.
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
