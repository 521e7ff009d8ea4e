package import MapFeatures
import MapFilter
import MapModel

/// The rules that each row of a table matches.
///
/// Rows that match the same rules share a set. A set is another set with one more rule, so that long sets take no more
/// memory than short ones.
///
/// - Cost: one evaluation of each filter, then a step for each pair of a row and a rule that it matches.
package struct RuleMatches: Sendable {
  /// The set of each row of the table; 0 is the empty set, which rows have that were not asked for.
  package private(set) var sets: [Int32]
  /// For each set, the set without its last rule.
  private var parents: [Int32] = [0]
  /// For each set, its last rule; the rules of a set ascend.
  private var lasts: [Int32] = [-1]
  /// For each set, its first rule; -1 for the empty set.
  private var firsts: [Int32] = [-1]

  /// Matches rows of a table.
  ///
  /// - Parameters:
  ///   - renderer: the renderer at the scale of the map.
  ///   - now: the instant that filters use as the current time.
  /// - Throws: ``RendererFieldError`` for a filter that does not match the table.
  init(
    _ renderer: RuleRenderer, table: FeatureColumns, rows: RowSet, now: Instant?
  ) throws(RendererFieldError) {
    sets = Array(repeating: 0, count: table.rowCount)
    var first = 0
    for pass in renderer.passes {
      var left = rows
      var found: [RowSet?] = []
      for (index, rule) in pass.rules.enumerated() {
        guard rule.isInScale, !rule.isElse else {
          found.append(nil)
          continue
        }
        do {
          let passing = try table.rows(passing: rule.$filter, .rule, among: rows, at: now)
          left.subtract(passing)
          found.append(passing)
        } catch {
          var fault = "\(error)"
          if let error = error as? QueryConditionError {
            switch error.cause {
            case .syntax(let error): fault = "\(error)"
            case .meaning(let error): fault = "\(error)"
            }
          }
          throw RendererFieldError(ofRule: renderer.ruleNames[first + index], fault)
        }
      }
      for (index, rule) in pass.rules.enumerated() where rule.isInScale {
        add(Int32(clamping: first + index), to: found[index] ?? left)
      }
      first += pass.rules.count
    }
  }

  /// Adds a rule that follows all others to the sets of rows.
  private mutating func add(_ rule: Int32, to rows: RowSet) {
    var known: [Int32: Int32] = [:]
    var latest: (from: Int32, to: Int32) = (-1, -1)
    for row in rows {
      let set = sets[row]
      if set != latest.from {
        latest = (set, known[set] ?? Int32(clamping: parents.count))
        if known.updateValue(latest.to, forKey: set) == nil {
          parents.append(set)
          lasts.append(rule)
          firsts.append(set == 0 ? rule : firsts[Int(set)])
        }
      }
      sets[row] = latest.to
    }
  }

  /// The number of sets; a few may have no row.
  var setCount: Int { parents.count }

  /// Returns the first rule of a set; nil for the empty set.
  func first(ofSet set: Int32) -> Int32? { set == 0 ? nil : firsts[Int(set)] }

  /// Returns the rules of a set, ascending.
  func rules(ofSet set: Int32) -> [Int] {
    var (rules, next) = ([Int](), Int(set))
    while next != 0 {
      rules.append(Int(lasts[next]))
      next = Int(parents[next])
    }
    return rules.reversed()
  }

  /// Returns the distinct sets of rules that some rows match, each ascending, with their numbers of rows.
  package func distinct(among rows: RowSet) -> [(rules: [Int], rowCount: Int)] {
    var bySet = [Int](repeating: 0, count: setCount)
    for row in rows { bySet[Int(sets[row])] += 1 }
    return bySet.indices.filter { bySet[$0] > 0 }.map { (rules(ofSet: Int32(clamping: $0)), bySet[$0]) }
  }

  /// Returns the rules that a row matches, ascending.
  package func rules(ofRow row: Int) -> [Int] { rules(ofSet: sets[row]) }

  /// Returns the number of rows that match each rule, and of those that match none.
  package func counts(of rows: RowSet, ruleCount: Int) -> (byRule: [Int], none: Int) {
    var bySet = [Int](repeating: 0, count: setCount)
    for row in rows { bySet[Int(sets[row])] += 1 }
    let none = bySet[0]
    var byRule = [Int](repeating: 0, count: ruleCount)
    // A set follows the one that it extends, whose rules its rows match, too.
    for set in bySet.indices.reversed() where set > 0 && bySet[set] > 0 {
      byRule[Int(lasts[set])] += bySet[set]
      if parents[set] != 0 { bySet[Int(parents[set])] += bySet[set] }
    }
    return (byRule, none)
  }
}
