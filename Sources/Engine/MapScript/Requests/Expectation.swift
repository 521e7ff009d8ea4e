package import MapJSON
package import MapState

/// An expected number: `N`, or `A..B` for the range from A to B.
public struct Expectation: Hashable, Sendable, CustomStringConvertible {
  /// The expected numbers.
  public let range: ClosedRange<Int>

  /// Creates an expectation of one of some numbers.
  public init(_ range: ClosedRange<Int>) { self.range = range }

  /// The form in which it is written.
  public var description: String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
  }

  /// Returns the deviation of a number, such as `expected a count of 3..5, found 6`; nil if it is as expected.
  package func failure(_ noun: String, _ found: Int) -> String? {
    range.contains(found) ? nil : "expected \(noun) \(self), found \(found)"
  }
}

extension Expectation: RequestText {
  package init(text: String) throws(MapStateError) {
    if let count = Int(text), count >= 0 {
      range = count...count
    } else if let dots = text.firstRange(of: ".."), let low = Int(text[..<dots.lowerBound]),
      let high = Int(text[dots.upperBound...]), low >= 0, low <= high
    {
      range = low...high
    } else {
      throw MapStateError(.input, "expected a count or a range, for example 5 or 1..10")
    }
  }

  /// Reads a number, or the text `A..B`.
  package init(_ node: JSONNode) throws(JSONDecodingError) {
    guard let text = node.value.string else {
      let count = try node.integer()
      range = count...count
      return
    }
    guard Int(text) == nil, let range = try? Expectation(text: text) else {
      throw node.invalid("expected a number or \"A..B\"")
    }
    self = range
  }
}
