internal import MapJSON

/// The problems of a document, gathered while it is read.
package struct StyleProblems {
  private(set) var list: [StyleProblem] = []
  /// The number of problems that are not in the list.
  private(set) var omittedCount = 0

  /// The greatest number of problems in the list.
  ///
  /// - Source: design decision; a style of Esri has 1,500 layers, and each may have a problem or two.
  package static let limit = 10_000

  mutating func add(
    _ kind: StyleProblem.Kind, _ message: String, at path: JSONPath, suggestion: String? = nil
  ) {
    guard list.count < Self.limit else {
      omittedCount += 1
      return
    }
    list.append(StyleProblem(path: "\(path)", kind: kind, message: message, suggestion: suggestion))
  }

  /// The number of unknown names for which the nearest one is looked up, and the number of names that are compared.
  ///
  /// - Source: design decision, so that a hostile style takes less than a second.
  private static let suggestionLimit = 200
  private var suggestionCount = 0

  mutating func addUnknown(
    _ name: String, _ noun: String, at path: JSONPath, among names: @autoclosure () -> [String]
  ) {
    let suggestion = suggestion { NearestName.of(name, among: names().prefix(Self.suggestionLimit)) }
    add(.unknown, "unknown \(noun)", at: path, suggestion: suggestion)
  }

  /// Adds an error of an expression, with the nearest name to an unknown one.
  mutating func add(_ error: StyleExpressionError, at path: JSONPath) {
    if let unknown = error.unknown, let nearest = suggestion({ unknown.nearest }) {
      add(.unknown, "unknown \(unknown.noun)", at: path, suggestion: nearest)
    } else {
      add(.invalid, error.message, at: path)
    }
  }

  /// Returns a nearest name, if not too many were looked up before.
  private mutating func suggestion(_ find: () -> String?) -> String? {
    guard list.count < Self.limit, suggestionCount < Self.suggestionLimit else { return nil }
    suggestionCount += 1
    return find()
  }

  /// Checks the names and kinds of an object's members.
  mutating func check(_ object: JSONObject, _ members: [StyleMember], _ noun: String, at path: JSONPath) {
    for member in object.members {
      let place = path[member.name]
      guard let known = members.first(where: { $0.name == member.name }) else {
        addUnknown(member.name, "member of \(noun)", at: place, among: members.map(\.name))
        continue
      }
      if !member.value.isNull, let expected = known.kind.mismatch(member.value) {
        add(.invalid, "must be \(expected)", at: place)
      }
      if case .word(let words) = known.kind, let word = member.value.string, !words.contains(word) {
        addUnknown(word, "value '\(word)'", at: place, among: words)
      }
      if !known.isDrawn, !member.value.isNull, member.value != known.defaultValue {
        add(.undrawn, "is not drawn", at: place)
      }
    }
    for member in members where member.isRequired && (object[member.name] ?? .null).isNull {
      add(.invalid, "is missing", at: path[member.name])
    }
  }
}

extension StyleUnknownName {
  /// The valid name that is nearest; nil for none.
  fileprivate var nearest: String? {
    switch self {
    case .expression(let name): NearestName.of(name, among: StyleReader.operators.sorted())
    case .interpolation(let name): NearestName.of(name, among: ["linear", "exponential", "cubic-bezier"])
    }
  }
}

extension StyleMember.Kind {
  /// Returns what the value must be; nil when it is.
  func mismatch(_ json: JSONValue) -> String? {
    switch self {
    case .number: return json.double?.isFinite == true ? nil : "a number"
    case .string, .word: return json.string == nil ? "a string" : nil
    case .boolean: return json.boolean == nil ? "true or false" : nil
    case .object: return json.object == nil ? "an object" : nil
    case .array: return json.array == nil ? "an array" : nil
    case .any: return nil
    case .numbers(let count):
      let numbers = json.array?.compactMap(\.double)
      let isComplete = numbers != nil && numbers?.count == json.array?.count
      guard isComplete, count == nil || numbers?.count == count else {
        return count.map { "an array of \($0) numbers" } ?? "an array of numbers"
      }
      return nil
    case .strings:
      return json.array.map { $0.allSatisfy { $0.string != nil } } == true ? nil : "an array of strings"
    }
  }
}
