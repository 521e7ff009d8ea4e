import MapDrawing
import MapFeatures
import MapFilter
import MapJSON
import MapModel

/// The class of a feature as a part of an expression, which gives each class an output.
///
/// The classes are those of ``RowClassifier``: the same values belong to them as in images.
struct ClassChoice {
  /// The way in which a style finds the class of a feature.
  enum Rule {
    /// All features have one class.
    case one
    /// The value is in a list.
    case match(JSONValue, lists: [[JSONValue]], null: Int32?)
    /// The number is in a range, above the lower bound and up to the upper one.
    case ranges(JSONValue, [(minimum: Double, maximum: Double)], lowest: (bound: Double, class: Int)?)
  }

  /// The classes that get a symbol; ``RowClassifier/defaultClass`` is that of the default symbol.
  let classes: [Int32]
  private let rule: Rule

  /// Creates the choice among classes.
  init(_ rule: Rule, classes: [Int32]) { (self.rule, self.classes) = (rule, classes) }

  /// Returns an expression with the output of each class, and another output for features without a class.
  ///
  /// Equal outputs of all classes are the output itself.
  ///
  /// - Parameter rest: the output without a class; nil if it does not matter.
  func expression(rest: JSONValue? = nil, _ output: (Int32) -> JSONValue) -> JSONValue {
    let outputs = Dictionary(uniqueKeysWithValues: classes.map { ($0, output($0)) })
    let other = outputs[RowClassifier.defaultClass] ?? rest
    let all = Set(outputs.values).union(other.map { [$0] } ?? [])
    guard let any = all.first, all.count > 1 else { return all.first ?? .null }
    func of(_ index: Int) -> JSONValue { outputs[Int32(clamping: index)] ?? other ?? any }
    switch rule {
    case .one: return of(0)
    case .match(let input, let lists, let null):
      let items = lists.enumerated().map { ($1, of($0)) }
      return Self.match(input, items, null: null.map { of(Int($0)) }, other ?? items.first?.1 ?? any)
    case .ranges(let input, let ranges, let lowest):
      return Self.ranges(
        input, ranges.enumerated().map { ($1.minimum, $1.maximum, of($0)) },
        lowest: lowest.map { ($0.bound, of($0.class)) }, other)
    }
  }

  /// Returns a filter that passes the features of some classes; nil if it passes all, and false if it passes none.
  func filter(_ isShown: (Int32) -> Bool) -> JSONValue? {
    let filter = expression(rest: false) { .boolean(isShown($0)) }
    return filter == true ? nil : filter
  }

  /// Returns an expression that looks a value up in lists; an earlier list takes precedence.
  private static func match(
    _ input: JSONValue, _ lists: [([JSONValue], JSONValue)], null: JSONValue?, _ other: JSONValue
  ) -> JSONValue {
    var known: Set<JSONValue> = []
    let lists = lists.map { list in (list.0.filter { known.insert($0).inserted }, list.1) }
    // Lists with one output are one list, in the order of the first.
    var merged: [(labels: [JSONValue], output: JSONValue)] = []
    for (labels, output) in lists where !labels.isEmpty && output != other {
      if let index = merged.firstIndex(where: { $0.output == output }) {
        merged[index].labels += labels
      } else {
        merged.append((labels, output))
      }
    }
    var expression = other
    if !merged.isEmpty {
      let all = merged.flatMap(\.labels)
      // Source: MapLibre Style Specification: labels are all texts or all whole numbers.
      if all.allSatisfy({ $0.string != nil }) || all.allSatisfy({ isWhole($0) }) {
        expression = .array(
          ["match", input] + merged.flatMap { [.array($0.labels), $0.output] } + [other])
      } else {
        let cases = merged.flatMap { item -> [JSONValue] in
          item.labels.flatMap { label -> [JSONValue] in [["==", input, label], item.output] }
        }
        expression = .array(["case"] + cases + [other])
      }
    }
    guard let null, null != other else { return expression }
    return ["case", ["==", input, .null], null, expression]
  }

  private static func isWhole(_ label: JSONValue) -> Bool {
    label.double.map { $0 == $0.rounded() && abs($0) < 0x1p53 } ?? false
  }

  /// Returns an expression that finds the range of a number; the first one counts.
  ///
  /// - Parameter other: the output outside the ranges; nil if it does not matter.
  private static func ranges(
    _ input: JSONValue, _ ranges: [(minimum: Double, maximum: Double, output: JSONValue)],
    lowest: (bound: Double, output: JSONValue)?, _ other: JSONValue?
  ) -> JSONValue {
    var cases: [(test: JSONValue, output: JSONValue)] = []
    if let other { cases.append((["!=", ["typeof", input], "number"], other)) }
    let isContiguous =
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.maximum == $1.minimum }
      && ranges.allSatisfy { $0.minimum <= $0.maximum }
    let includesBound = lowest.map { $0.bound == ranges[0].minimum && $0.output == ranges[0].output } ?? true
    if isContiguous, includesBound {
      if let other { cases.append(([lowest == nil ? "<=" : "<", input, .number(ranges[0].minimum)], other)) }
      for (index, range) in ranges.enumerated()
      where index + 1 == ranges.count || ranges[index + 1].output != range.output {
        cases.append((["<=", input, .number(range.maximum)], range.output))
      }
    } else {
      for range in ranges {
        cases.append(
          (
            ["all", [">", input, .number(range.minimum)], ["<=", input, .number(range.maximum)]], range.output
          ))
      }
      if let lowest { cases.append((["==", input, .number(lowest.bound)], lowest.output)) }
    }
    let rest = other ?? cases.last?.output ?? .null
    while cases.last?.output == rest { cases.removeLast() }
    guard !cases.isEmpty else { return rest }
    return .array(["case"] + cases.flatMap { [$0.test, $0.output] } + [rest])
  }
}
