import MapJSON

/// A walk over a document before it is read: it reports unknown members, values of the wrong kind and members that are
/// not drawn, and returns the values as the codecs read them.
///
/// The document itself stays as it is written. In the result, numbers written as text are numbers, and a value of the
/// wrong kind is null where it has no effect on the image.
///
/// - Cost: O(size of the document), with one look-up for each member and one suggestion for each unknown name.
/// - Source: design decision, stricter than the fallback rules of the web map specification, by which a misspelt member
///   and an unknown word would be passed over.
struct DocumentWalk {
  /// The effect of an object on the image.
  private struct Context {
    /// False where a value of the wrong kind is a warning.
    var isRead = true
    /// False where something above is reported as a whole, or is switched off.
    var isDrawn = true
    /// True where labels are drawn.
    var showsLabels: Bool
  }

  private(set) var warnings: [DocumentWarning] = []
  private var steps: [JSONPath.Step]
  private var suggestions: [Unknown: [String]] = [:]

  /// The number of different unknown names that get a suggestion.
  private static let suggestionLimit = 1000

  private struct Unknown: Hashable {
    let object: DocumentObject
    let name: String
  }

  private init(at path: JSONPath) { steps = path.steps }

  /// Checks a value and returns it as the codecs read it.
  ///
  /// - Parameters:
  ///   - showsLabels: false where labels are not drawn unless the value says so.
  /// - Throws: ``JSONDecodingError`` for a value of the wrong kind that changes what is drawn or counted.
  static func check(
    _ node: JSONNode, as object: DocumentObject, showsLabels: Bool = false, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> JSONNode {
    var walk = DocumentWalk(at: node.path)
    let read: JSONValue?
    do throws(JSONDecodingError) {
      read = try walk.value(node.value, as: .members(object), Context(showsLabels: showsLabels))
    } catch {
      report.note(walk.warnings)
      throw error
    }
    report.note(walk.warnings)
    return JSONNode(read ?? node.value, at: node.path)
  }

  private var path: JSONPath { JSONPath(steps: steps) }

  private mutating func note(_ message: String) {
    warnings.append(DocumentWarning(path: path, message: message))
  }

  // MARK: Values

  /// Checks a value; returns what replaces it, nil for the value itself.
  private mutating func value(
    _ value: JSONValue, as shape: DocumentShape, _ context: Context
  ) throws(JSONDecodingError) -> JSONValue? {
    switch (shape, value) {
    case (_, .null), (.anything, _), (.boolean, .boolean), (.number, .number), (.coordinate, .number),
      (.text, .string), (.label, .string), (.value, .string), (.value, .number), (.word, .string),
      (.object, .object), (.array, .array),
      (.coordinate, .string("NaN")):
      return nil
    case (.number, .string(let text)), (.coordinate, .string(let text)):
      guard let number = Self.number(text) else { return try wrongKind(value, shape, context) }
      note("the text \(JSONValue.string(text).text()) is a number written as text, read as \(number.text())")
      return number
    case (.label, .number):
      note("a number where text is expected, read as \"\(value.text())\"")
      return nil
    case (.label, .boolean(let flag)), (.value, .boolean(let flag)):
      note("\(value.text()) where text is expected, read as \"\(flag ? 1 : 0)\"")
      return nil
    case (.members(let object), .object(let members)):
      guard let variant = object.variant(of: members) else { return nil }
      return try self.members(members, as: variant, context).map { .object($0) }
    case (.list(let shape), .array(let elements)):
      return try list(elements, of: shape, context)
    case (.either(let first, let second), _):
      for shape in [first, second] where shape.kinds.contains(value.kind) {
        return try self.value(value, as: shape, context)
      }
      // A number may be written as text where text itself is not allowed.
      guard first == .number, let text = value.string, Self.number(text) != nil else {
        return try wrongKind(value, shape, context)
      }
      return try self.value(value, as: first, context)
    default:
      return try wrongKind(value, shape, context)
    }
  }

  /// Reports a value of the wrong kind; without effect on the image it is read as absent.
  private mutating func wrongKind(
    _ value: JSONValue, _ shape: DocumentShape, _ context: Context
  ) throws(JSONDecodingError) -> JSONValue? {
    let message = "expected \(shape.phrase), found \(value.kind.phrase)"
    guard !context.isRead else {
      let kinds = shape.kinds
      throw JSONDecodingError(
        kinds.count == 1 ? .wrongKind(expected: kinds[0], found: value.kind) : .invalid(message), at: path)
    }
    note("\(message); it is ignored")
    return .null
  }

  private mutating func list(
    _ elements: [JSONValue], of shape: DocumentShape, _ context: Context
  ) throws(JSONDecodingError) -> JSONValue? {
    var changed: [JSONValue]?
    for (index, element) in elements.enumerated() {
      steps.append(.index(index))
      // An array of objects has no empty places: they would be left out in silence.
      if element.isNull, case .members = shape {
        _ = try wrongKind(element, shape, context)
      } else if let replaced = try value(element, as: shape, context) {
        changed = changed ?? elements
        changed?[index] = replaced
      }
      steps.removeLast()
    }
    return changed.map { .array($0) }
  }

  /// The number that a text writes as JSON does; nil for another text.
  private static func number(_ text: String) -> JSONValue? {
    guard text.utf8.count <= 64, case .number(let number)? = try? JSONValue(parsing: text),
      number.double.isFinite
    else { return nil }
    return number.integer.flatMap { Int(exactly: $0) }.map { .number($0) }
      ?? Int(exactly: number.double).map { .number($0) } ?? .number(number.double)
  }

  // MARK: Members

  private mutating func members(
    _ object: JSONObject, as kind: DocumentObject, _ context: Context
  ) throws(JSONDecodingError) -> JSONObject? {
    var context = context
    if let shows = object["showLabels"]?.boolean, kind.showsLabels { context.showsLabels = shows }
    var changed: JSONObject?
    for member in object.members where !member.value.isNull {
      steps.append(.member(member.name))
      if let known = kind.member(named: member.name) {
        if let replaced = try self.member(member.value, known, of: object, kind, context) {
          changed = changed ?? object
          changed?[member.name] = replaced
        }
      } else {
        let (message, suggestion) = unknownMember(member, of: object, kind)
        guard !kind.isStrict || !context.isRead else {
          throw JSONDecodingError(.invalid(message), at: path, suggestion: suggestion)
        }
        note(message)
      }
      steps.removeLast()
    }
    return changed
  }

  /// Checks a member that is known; returns what replaces its value, nil for the value itself.
  private mutating func member(
    _ value: JSONValue, _ member: DocumentMember, of object: JSONObject, _ kind: DocumentObject,
    _ context: Context
  ) throws(JSONDecodingError) -> JSONValue? {
    var inner = context
    if !member.treatment.isRead { inner.isRead = false }
    if let name = member.switchedOffBy, object[name]?.boolean == true {
      (inner.isRead, inner.isDrawn) = (false, false)
    }
    if kind == .drawingInfo, member.name == "labelingInfo", !context.showsLabels { inner.isDrawn = false }
    let isDrawn = inner.isDrawn
    switch member.treatment {
    case .read, .partly: break
    // The member is reported whole, or it shows nowhere.
    case .aside, .noEffect, .notDrawn: inner.isDrawn = false
    }
    let count = warnings.count
    let replaced = try self.value(value, as: member.shape, inner)
    guard replaced == nil || replaced?.isNull == false else { return replaced }
    if case .word(let words) = member.shape, case .string(let word) = value, !words.contains(word) {
      guard !kind.isStrict || !inner.isRead else {
        throw JSONDecodingError(
          .invalid(unknownWord(word, of: words)), at: path, suggestion: NearestName.of(word, among: words))
      }
      if isDrawn { note(unknownWord(word, of: words, outcome: ", the default holds")) }
      return replaced
    }
    switch member.treatment {
    case .partly(let reason, let drawn), .notDrawn(let reason, let drawn):
      guard isDrawn, !drawn.contains(where: { (replaced ?? value).means($0) }) else { break }
      // Before what is inside.
      warnings.insert(DocumentWarning(path: path, message: reason), at: count)
    case .read, .aside, .noEffect: break
    }
    return replaced
  }

  // MARK: Suggestions

  private mutating func unknownMember(
    _ member: JSONObject.Member, of object: JSONObject, _ kind: DocumentObject
  ) -> (message: String, suggestion: String?) {
    let unknown = Unknown(object: kind, name: member.name)
    let names: [String]
    if let known = suggestions[unknown] {
      names = known
    } else {
      // Thousands of different names are no slips of a hand.
      names =
        suggestions.count < Self.suggestionLimit
        ? NearestName.all(of: member.name, among: kind.memberNames) : []
      if suggestions.count < Self.suggestionLimit { suggestions[unknown] = names }
    }
    // A member that stands beside it is hardly meant.
    let absent = names.filter { object[$0] == nil }
    let meant = absent.isEmpty ? names : absent
    guard !meant.isEmpty else { return ("unknown member", nil) }
    let quoted = meant.prefix(4).map { name -> String in
      guard case .word(let words)? = kind.member(named: name)?.shape, let word = member.value.string,
        let nearest = words.contains(word) ? word : NearestName.of(word, among: words)
      else { return "\"\(name)\"" }
      return "\"\(name)\": \"\(nearest)\""
    }
    return ("unknown member; did you mean \(quoted.joined(separator: " or "))?", meant.first)
  }

  private func unknownWord(_ word: String, of words: [String], outcome: String = "") -> String {
    let nearest = NearestName.of(word, among: words).map { "; did you mean \"\($0)\"?" }
    let known = words.count <= 6 ? "; known are \(words.joined(separator: ", "))" : ""
    return "unknown value \(JSONValue.string(String(word.prefix(200))).text())\(outcome)\(nearest ?? known)"
  }
}

extension JSONValue {
  /// True when both say the same to a reader of web maps: numbers are compared by value.
  fileprivate func means(_ other: JSONValue) -> Bool {
    if let a = double, let b = other.double { return a == b }
    return self == other
  }
}

extension DocumentObject {
  /// True for an object whose `showLabels` decides for all inside it.
  fileprivate var showsLabels: Bool {
    self == .layer || self == .featureLayer || self == .featureCollection || self == .collectionLayer
  }

  /// A member by its name; nil for an unknown one.
  package func member(named name: String) -> DocumentMember? { Self.index[self]?.byName[name] }

  /// The names of the members, in the order of the list.
  package var memberNames: [String] { Self.index[self]?.names ?? [] }

  /// The members by their names, made once.
  private static let index: [DocumentObject: (names: [String], byName: [String: DocumentMember])] =
    Dictionary(
      uniqueKeysWithValues: allCases.map { object in
        let members = object.members
        return (
          object,
          (members.map(\.name), Dictionary(members.map { ($0.name, $0) }) { first, _ in first })
        )
      })
}
