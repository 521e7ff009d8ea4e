package import MapJSON
import MapModel

/// A check of a document before it is read, which returns the values as the codecs read them.
///
/// It reports unknown members, values of the wrong kind and members that are not drawn.
///
/// The document itself stays unchanged. In the result, numbers written as text are numbers. A value of the wrong kind
/// is null where it has no effect on the image.
///
/// - Cost: O(size of the document), with one lookup for each member and one suggestion for each unknown name.
/// - Source: design decision, stricter than the fallback rules of the web map specification. Those rules ignore a
///   misspelt member or an unknown word.
struct DocumentWalk {
  /// The effect of an object on the image.
  private struct Context {
    /// Whether a value of the wrong kind is an error; otherwise it is a warning.
    var isRead = true
    /// Whether the object itself is drawn; false inside an object that is reported as a whole or disabled.
    var isDrawn = true
    /// Whether labels are drawn.
    var showsLabels: Bool
  }

  private(set) var warnings: [DocumentWarning] = []
  private var steps: [JSONPath.Step]
  private var suggestions: [Unknown: [String]] = [:]

  /// The maximum number of different unknown names that get a suggestion.
  private static let suggestionLimit = 1000

  private struct Unknown: Hashable {
    let object: DocumentObject
    let name: String
  }

  private init(at path: JSONPath) { steps = path.steps }

  /// Checks a value and returns it as the codecs read it.
  ///
  /// - Parameters:
  ///   - showsLabels: Whether labels are drawn when the value does not say so; default false.
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

  private mutating func note(_ message: String, _ outcome: DocumentOutcome = .dropped) {
    warnings.append(DocumentWarning(path: path, message: message, outcome: outcome))
  }

  private mutating func remark(_ message: String) {
    warnings.append(DocumentWarning(remark: message, path: path))
  }

  // MARK: Values

  /// Checks a value; returns its replacement, or nil to keep the value.
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
      note(
        "the text \(JSONValue.string(text).text()) is a number written as text, read as \(number.text())",
        .drawn)
      return number
    case (.label, .number):
      remark("a number where text is expected, read as \"\(value.text())\"")
      return nil
    case (.label, .boolean(let flag)), (.value, .boolean(let flag)):
      remark("\(value.text()) where text is expected, read as \"\(flag ? 1 : 0)\"")
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

  /// Reports a value of the wrong kind; one without effect on the image is read as absent.
  private mutating func wrongKind(
    _ value: JSONValue, _ shape: DocumentShape, _ context: Context
  ) throws(JSONDecodingError) -> JSONValue? {
    let message = "expected \(shape.phrase), found \(value.kind.phrase)"
    guard !context.isRead else {
      let kinds = shape.kinds
      throw JSONDecodingError(
        kinds.count == 1 ? .wrongKind(expected: kinds[0], found: value.kind) : .invalid(message), at: path)
    }
    // A placeholder of a solution template replaces a value without effect; an empty text is an absent one.
    if case .string(let text) = value, text.isEmpty || text.hasPrefix("{{") && text.hasSuffix("}}") {
      return .null
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
      // A null among objects is reported: the codecs would skip it silently.
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

  /// Returns the number that a text contains in JSON syntax; nil for any other text.
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
    if kind == .sublayer { context.showsLabels = true }
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
        let (message, suggestions) = unknownMember(member, of: object, kind)
        guard !kind.isStrict || !context.isRead else {
          throw JSONDecodingError(.invalid(message), at: path, suggestion: suggestions.first)
        }
        if suggestions.isEmpty, let program = kind.foreignType(of: object) {
          remark("not read: a member of another program, as type \"\(program.prefix(100))\" says")
        } else if !suggestions.isEmpty, suggestions.allSatisfy({ kind.member(named: $0)?.hasEffect == false })
        {
          // Whichever of these is meant, the image is the same.
          remark(message)
        } else {
          note(message)
        }
      }
      steps.removeLast()
    }
    return changed
  }

  /// Checks a known member; returns the replacement of its value, or nil to keep the value.
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
    // The member is reported as a whole, or it has no effect on the image.
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
      if isDrawn { note(unknownWord(word, of: words, outcome: "; the default applies"), .approximated) }
      return replaced
    }
    switch member.treatment {
    case .partly(let reason, let drawn), .notDrawn(let reason, let drawn):
      guard isDrawn, !drawn.contains(where: { (replaced ?? value).means($0) }) else { break }
      // The warning comes before those about the contents.
      warnings.insert(
        DocumentWarning(path: path, message: reason, outcome: member.treatment.outcome), at: count)
    case .read, .aside, .noEffect: break
    }
    return replaced
  }

  // MARK: Suggestions

  private mutating func unknownMember(
    _ member: JSONObject.Member, of object: JSONObject, _ kind: DocumentObject
  ) -> (message: String, suggestions: [String]) {
    let unknown = Unknown(object: kind, name: member.name)
    let names: [String]
    if let known = suggestions[unknown] {
      names = known
    } else {
      // Thousands of different unknown names are no typing errors.
      names =
        suggestions.count < Self.suggestionLimit
        ? NearestName.all(of: member.name, among: kind.memberNames) : []
      if suggestions.count < Self.suggestionLimit { suggestions[unknown] = names }
    }
    // A name that the object already has is an unlikely suggestion.
    let absent = names.filter { object[$0] == nil }
    let meant = absent.isEmpty ? names : absent
    guard !meant.isEmpty else { return ("unknown member", []) }
    let quoted = meant.prefix(4).map { name -> String in
      guard case .word(let words)? = kind.member(named: name)?.shape, let word = member.value.string,
        let nearest = words.contains(word) ? word : NearestName.of(word, among: words)
      else { return "\"\(name)\"" }
      return "\"\(name)\": \"\(nearest)\""
    }
    return ("unknown member; did you mean \(quoted.joined(separator: " or "))?", meant)
  }

  private func unknownWord(_ word: String, of words: [String], outcome: String = "") -> String {
    let nearest = NearestName.of(word, among: words).map { "; did you mean \"\($0)\"?" }
    let known = words.count <= 6 ? "; known values: \(words.joined(separator: ", "))" : ""
    return "unknown value \(JSONValue.string(String(word.prefix(200))).text())\(outcome)\(nearest ?? known)"
  }
}

extension JSONValue {
  /// Returns whether two values mean the same in a web map: numbers are compared by value.
  fileprivate func means(_ other: JSONValue) -> Bool {
    if let a = double, let b = other.double { return a == b }
    return self == other
  }
}

extension DocumentObject {
  /// Whether the object's `showLabels` applies to everything inside it.
  var showsLabels: Bool {
    switch self {
    case .layer, .featureLayer, .ogcFeatureLayer, .wfsLayer, .subtypeLayer, .kmlLayer, .featureCollection,
      .collectionLayer, .featureReduction, .sublayer:
      true
    default: false
    }
  }
}

extension DocumentObject {
  /// Returns the value of `type` of a layer definition that another program wrote, such as `esri-feature`; nil for
  /// those of services and web maps.
  ///
  /// - Source: ArcGIS REST API: the type of a layer is `Table`, or ends with `Layer`.
  func foreignType(of object: JSONObject) -> String? {
    guard self == .layerDefinition, let type = object["type"]?.string, !type.isEmpty else { return nil }
    let word = type.lowercased()
    return word.hasSuffix("layer") || word == "table" || word == "feature" ? nil : type
  }

  /// Returns the members that a path names, from the outside in; nil if one of them is not known.
  package func members(on path: JSONPath, in value: JSONValue) -> [DocumentMember]? {
    var (value, shape, members) = (value, DocumentShape.members(self), [DocumentMember]())
    for step in path.steps {
      switch step {
      case .member(let name):
        guard let object = value.object, let kind = shape.object?.variant(of: object),
          let member = kind.member(named: name)
        else { return nil }
        members.append(member)
        (value, shape) = (object[name] ?? .null, member.shape)
      case .index(let index):
        guard let elements = value.array, elements.indices.contains(index), let inner = shape.element else {
          return nil
        }
        (value, shape) = (elements[index], inner)
      }
    }
    return members
  }
}
