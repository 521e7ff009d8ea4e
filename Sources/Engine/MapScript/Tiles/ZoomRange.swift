package import MapJSON
package import MapState

/// Zoom levels as text, such as `0-5`.
package struct ZoomRange: Hashable, Sendable, RequestText {
  /// The levels.
  package let range: ClosedRange<Int>

  package init(text: String) throws(MapStateError) {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers[numbers.count - 1],
      0 <= first, first <= last, last <= 24
    else {
      throw MapStateError(
        .usage, "\"\(text)\" is not a range of zoom levels such as 0-5, within 0-24")
    }
    range = first...last
  }

  /// Reads the text form, a level, or the first and the last level.
  package init(_ node: JSONNode) throws {
    if node.value.string != nil {
      try self.init(text: node.string())
    } else if node.value.array != nil {
      let levels = try node.elements().map { try $0.integer() }
      guard levels.count == 2 else { throw node.invalid("expected [first, last], or \"0-5\"") }
      try self.init(text: "\(levels[0])-\(levels[1])")
    } else {
      try self.init(text: "\(node.integer())")
    }
  }
}
