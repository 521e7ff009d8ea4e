import MapModel
import MapStyles
import MapSystem

/// Rows in groups that have the same answers for some properties.
struct AnswerGroups {
  /// The group of each row, by its position; empty when there is one group.
  private let codes: [Int32]
  /// The answers of each group.
  let groups: [AnswerGroup]
  /// The numbers of the features, those of a group after each other, and where each group ends.
  private let features: [Int32]
  private let ends: [Int]

  /// Groups rows by the answers for them.
  ///
  /// - Parameter features: the number of the feature of each row.
  /// - Cost: one pass over the rows for each property that features decide.
  init(names: [String], _ columns: [StyleAnswers], features: [Int32]) {
    let count = features.count
    var codes: [Int32] = []
    /// The position of a row of each group.
    var members = count > 0 ? [0] : []
    for case .coded(let own, let answers) in columns where count > 0 {
      if codes.isEmpty { codes = Array(repeating: 0, count: count) }
      (codes, members) = Self.split(codes, members.count, by: own, answers.count)
    }
    self.codes = codes
    var ends = Array(repeating: 0, count: members.count)
    for position in 0..<count { ends[codes.isEmpty ? 0 : Int(codes[position])] += 1 }
    for group in ends.indices.dropFirst() { ends[group] += ends[group - 1] }
    var (sorted, next) = (features, [0] + ends.dropLast())
    for position in codes.indices {
      let group = Int(codes[position])
      sorted[next[group]] = features[position]
      next[group] += 1
    }
    (self.features, self.ends) = (sorted, ends)
    groups = members.map { position in
      AnswerGroup(names: names, answers: columns.map { $0[position].value })
    }
  }

  /// Returns the group of a row by its position.
  @inline(__always)
  subscript(position: Int) -> Int { codes.isEmpty ? 0 : Int(codes[position]) }

  /// Returns the numbers of the features of a group.
  func features(of group: Int) -> [Int32] {
    Array(features[(group > 0 ? ends[group - 1] : 0)..<ends[group]])
  }

  /// Returns groups split by the answers for one more property, in order of first appearance.
  private static func split(
    _ codes: [Int32], _ groupCount: Int, by own: [Int32], _ answerCount: Int
  ) -> (codes: [Int32], members: [Int]) {
    var (next, members) = (codes, [Int]())
    func visit(_ find: (Int) -> Int32?, _ set: (Int, Int32) -> Void) {
      for position in codes.indices {
        let key = Int(codes[position]) * answerCount + Int(own[position])
        if let known = find(key) {
          next[position] = known
        } else {
          let code = Int32(truncatingIfNeeded: members.count)
          set(key, code)
          members.append(position)
          next[position] = code
        }
      }
    }
    let (size, isHuge) = groupCount.multipliedReportingOverflow(by: answerCount)
    if !isHuge, size <= 4 * codes.count + 1024 {
      var table = [Int32](repeating: -1, count: size)
      visit({ table[$0] < 0 ? nil : table[$0] }, { table[$0] = $1 })
    } else {
      var table: [Int: Int32] = [:]
      visit({ table[$0] }, { table[$0] = $1 })
    }
    return (next, members)
  }
}

/// The values of some properties that a group of rows shares.
struct AnswerGroup {
  fileprivate let names: [String]
  fileprivate let answers: [StyleValue]

  fileprivate init(names: [String], answers: [StyleValue]) { (self.names, self.answers) = (names, answers) }

  /// Returns the value of a property.
  subscript(name: String) -> StyleValue {
    names.firstIndex(of: name).map { answers[$0] } ?? .null
  }

  /// Returns the value of a property that was asked for at the whole part of the zoom.
  func atWholeZoom(_ name: String) -> StyleValue { self["\(name) at the whole zoom"] }

  /// Returns the number of a property; 0 for none.
  func number(_ name: String) -> Double { self[name].number ?? 0 }

  /// Returns the colour of a property with its opacity times another; nil for a transparent one.
  func color(_ name: String, opacity: Double = 1) -> Color? {
    self[name].color.flatMap { Color($0, opacity: opacity) }
  }
}

extension StyleValue {
  /// The numbers of an array; nil for another value.
  var numberArray: [Double]? {
    switch self {
    case .array(let elements):
      let numbers = elements.compactMap(\.number)
      return numbers.count == elements.count ? numbers : nil
    case .numbers(let numbers): return numbers
    default: return nil
    }
  }
}

extension Color {
  /// Creates the colour of a style with its opacity times another; nil for a transparent one.
  init?(_ color: StyleColor, opacity: Double = 1) {
    let found = Color(color, times: opacity)
    if found.alpha == 0 { return nil }
    self = found
  }
}
