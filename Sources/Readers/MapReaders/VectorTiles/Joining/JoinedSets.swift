/// Sets of numbers that are joined two by two.
///
/// - Source: Galler and Fischer, An improved equivalence algorithm (1964).
struct JoinedSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// Returns the least number of the set with a number.
  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Joins the sets with two numbers.
  mutating func join(_ first: Int, _ second: Int) {
    let (first, second) = (self.first(of: first), self.first(of: second))
    parents[max(first, second)] = min(first, second)
  }
}
