import MapFilter
import MapGeometry
import MapTestSupport

/// Random filters with every part of CQL2 over the fields of ``FilterGenerator``, the same for the same seed.
struct CQL2Generator {
  var random: SeededGenerator
  /// False excludes parts that a table without geometry cannot evaluate.
  let hasGeometry: Bool
  /// The number of times that each kind of condition was made.
  private(set) var histogram: [Int: Int] = [:]

  init(seed: UInt64, hasGeometry: Bool) {
    (random, self.hasGeometry) = (SeededGenerator(seed: seed), hasGeometry)
  }

  private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func condition(depth: Int) -> FilterExpression {
    let kind = Int.random(in: (depth > 0 ? 0 : 4)...(hasGeometry ? 13 : 12), using: &random)
    histogram[kind, default: 0] += 1
    switch kind {
    case 0, 1:
      let terms = (0..<Int.random(in: 2...4, using: &random)).map { _ in condition(depth: depth - 1) }
      return kind == 0 ? .and(terms) : .or(terms)
    case 2, 3: return .not(condition(depth: depth - 1))
    case 4: return .comparison(comparison(), number(2), number(2))
    case 5: return .comparison(comparison(), text(2), text(1))
    case 6:
      return chance(3)
        ? .comparison(pick([.equal, .notEqual]), .property("flag"), .literal(.boolean(chance(2))))
        : .comparison(comparison(), moment(), moment())
    case 7:
      var pattern = FilterExpression.literal(
        .text(pick(["a%", "_", "a\\_b", "\\\\", "%'%", "", "é%", "\t\n%", "\\a\\%"])))
      if chance(3) { pattern = .call(pick(["CASEI", "ACCENTI"]), [pattern]) }
      return .like(text(2), pattern: pattern, escape: "\\")
    case 8: return .between(number(1), lower: number(1), upper: number(1))
    case 9:
      let count = Int.random(in: 1...4, using: &random)
      return chance(2)
        ? .isIn(number(1), (0..<count).map { _ in number(1) })
        : .isIn(text(1), (0..<count).map { _ in text(1) })
    case 10: return .isNull(pick([number(1), text(1), moment(), interval()]))
    case 11:
      let predicate = pick(TemporalPredicate.allCases)
      return predicate.takesIntervalsOnly
        ? .temporal(predicate, interval(), interval())
        : .temporal(predicate, chance(2) ? moment() : interval(), chance(2) ? moment() : interval())
    case 12:
      switch Int.random(in: 0...2, using: &random) {
      case 0: return .literal(.boolean(chance(2)))
      case 1: return .call("COALESCE", [.property("flag"), .literal(.boolean(chance(2)))])
      default: return .arrays(pick(ArrayPredicate.allCases), array(2), array(2))
      }
    default: return .spatial(pick(SpatialPredicate.allCases), geometry(2), geometry(2))
    }
  }

  private mutating func comparison() -> ComparisonOperator {
    pick([.equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual])
  }

  private mutating func number(_ depth: Int) -> FilterExpression {
    switch Int.random(in: 0...(depth > 0 ? 7 : 3), using: &random) {
    case 0: return .literal(.integer(pick([0, 1, -1, 2, 7, -7, .max, .min])))
    case 1: return .literal(.real(pick([0, 0.5, -2.5, 2, 1e300, 1e-7, 0x1p53])))
    case 2, 3: return .property(pick(["small", "Count", "half", "extreme"]))
    case 4: return .arithmetic(.multiply, .literal(.integer(-1)), number(depth - 1))
    case 5: return .call("ABS", [number(depth - 1)])
    default: return .arithmetic(pick(ArithmeticOperator.allCases), number(depth - 1), number(depth - 1))
    }
  }

  private mutating func text(_ depth: Int) -> FilterExpression {
    switch Int.random(in: 0...(depth > 0 ? 4 : 2), using: &random) {
    case 0:
      return .literal(
        .text(
          pick(["a", "A", "é", "", "O'Neil", "a\\", "\\n", "\u{8}\\\u{C}", "%", "Straße", "\"x\"", "\\'"])))
    case 1, 2: return .property(pick(["word", "Text"]))
    default: return .call(pick(["CASEI", "ACCENTI", "UPPER"]), [text(depth - 1)])
    }
  }

  private mutating func momentLiteral() -> FilterExpression {
    let day = CalendarDate(days: Int32.random(in: -3...6, using: &random))
    return .literal(
      chance(2)
        ? .date(day)
        : .instant(Instant(microseconds: day.start.microseconds + pick([0, 0, 1, 3_600_000_000]))))
  }

  private mutating func moment() -> FilterExpression {
    chance(2) ? momentLiteral() : .property(pick(["day", "date", "moment", "end"]))
  }

  private mutating func interval() -> FilterExpression {
    .interval(start: chance(5) ? nil : moment(), end: chance(5) ? nil : moment())
  }

  private mutating func array(_ depth: Int) -> FilterExpression {
    .array(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        switch Int.random(in: 0...(depth > 0 ? 4 : 3), using: &random) {
        case 0: number(1)
        case 1: text(1)
        case 2: moment()
        case 3: .literal(.boolean(chance(2)))
        default: array(depth - 1)
        }
      })
  }

  // MARK: Geometries

  private mutating func geometry(_ depth: Int) -> FilterExpression {
    chance(2) ? .property("geometry") : .geometry(literal(depth))
  }

  private mutating func literal(_ depth: Int) -> GeometryLiteral {
    switch Int.random(in: 0...(depth > 1 ? 7 : 5), using: &random) {
    case 0: .point(place())
    case 1: .multipoint([place(), place()])
    case 2: .line([place(), place()])
    case 3: .multiline([[place(), place()], [place(), place(), place()]])
    case 4: .polygon([ring(), ring()])
    case 5: .multipolygon([[ring()], [ring(), ring()]])
    case 6: .collection([literal(1), literal(1)])
    default: .box(west: place().x, south: -10.5, east: place().x, north: 20)
    }
  }

  private mutating func place() -> Point {
    Point(
      x: Double(Int.random(in: -1800...1800, using: &random)) / 10,
      y: Double.random(in: -90...90, using: &random))
  }

  private mutating func ring() -> [Point] {
    let first = place()
    return [first, place(), place(), first]
  }
}
