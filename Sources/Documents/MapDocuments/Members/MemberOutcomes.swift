package import MapJSON
package import MapModel

/// The result for each member of a document, from its warnings and the table of members.
///
/// Features of the document are not listed one by one.
package struct MemberOutcomes {
  /// A member with its result.
  package struct Member {
    /// The path of the member.
    package let path: JSONPath
    /// The result.
    package var outcome: DocumentOutcome
    /// The reason for the result, in one line.
    package var reason: String
  }

  /// The members, each before those inside it.
  package private(set) var members: [Member] = []
  private let warnings: [JSONPath: DocumentWarning]
  private var steps: [JSONPath.Step] = []

  /// Creates the results for the members of a document that was read with some warnings.
  package init(of document: JSONValue, warnings: [DocumentWarning]) {
    // The worst outcome of a path wins, and the first of several.
    self.warnings = Dictionary(
      warnings.compactMap { warning in warning.path.map { ($0, warning) } },
      uniquingKeysWith: { $1.outcome.rank > $0.outcome.rank ? $1 : $0 })
    _ = add(document, .members(.map), State())
  }

  /// The decisions of the objects around a value about everything inside.
  private struct State {
    /// The result that applies to everything inside; nil for none.
    var inherited: (outcome: DocumentOutcome, reason: String)?
    /// Whether the walk lists the members of objects that the table does not know, such as CIM symbols.
    var isUnknown = false
    /// Whether labels are drawn.
    var showsLabels = false
  }

  /// Adds the members inside a value; returns how many of them are lost.
  private mutating func add(_ value: JSONValue, _ shape: DocumentShape?, _ state: State) -> Int {
    switch value {
    case .array(let elements):
      // Numbers and words have no members, and features are data.
      guard elements.contains(where: { $0.array != nil || $0.object != nil }) else { return 0 }
      var lost = 0
      for (index, element) in elements.enumerated() {
        steps.append(.index(index))
        var inner = state
        if let own = warnings[JSONPath(steps: steps)], own.outcome != .drawn {
          lost += 1
          if own.outcome == .dropped { inner.inherited = inherited(own.outcome) }
        }
        lost += add(element, shape?.element, inner)
        steps.removeLast()
      }
      return lost
    case .object(let object):
      return add(object, shape?.object?.variant(of: object), shape, state)
    default: return 0
    }
  }

  private mutating func add(
    _ object: JSONObject, _ kind: DocumentObject?, _ shape: DocumentShape?, _ state: State
  ) -> Int {
    // An object without a table is one value, unless its codec reports on its members.
    let isListed = kind != nil || state.isUnknown || shape?.object == .symbol
    guard isListed, kind != .feature else { return 0 }
    var state = state
    state.isUnknown = kind == nil
    if kind == .sublayer { state.showsLabels = true }
    if let shows = object["showLabels"]?.boolean, kind?.showsLabels ?? false { state.showsLabels = shows }
    var lost = 0
    let type = JSONPath(steps: steps + [.member("type")])
    if state.inherited == nil, let own = warnings[type], own.outcome != .drawn {
      // Another kind of object is drawn, or none.
      state.inherited = (.dropped, "its object is not drawn as written: see \(type)")
    }
    for member in object.members where !member.value.isNull {
      steps.append(.member(member.name))
      lost += add(member, kind?.member(named: member.name), of: object, kind, state)
      steps.removeLast()
    }
    return lost
  }

  private mutating func add(
    _ member: JSONObject.Member, _ known: DocumentMember?, of object: JSONObject, _ kind: DocumentObject?,
    _ state: State
  ) -> Int {
    let path = JSONPath(steps: steps)
    let (place, own) = (members.count, warnings[path])
    var (result, inner) = (Member(path: path, outcome: .drawn, reason: "drawn as written"), state)
    if let own {
      (result.outcome, result.reason) = (own.outcome, own.message)
      if own.outcome == .dropped { inner.inherited = inherited(.dropped) }
    } else if let outer = state.inherited {
      (result.outcome, result.reason) = (outer.outcome, outer.reason)
    } else if let off = known?.switchedOffBy, object[off]?.boolean == true {
      result.reason = "switched off by \(off)"
      inner.inherited = (.drawn, result.reason)
    } else if kind == .drawingInfo, member.name == "labelingInfo", !state.showsLabels {
      result.reason = "labels are switched off"
      inner.inherited = (.drawn, result.reason)
    } else if let known {
      switch known.treatment {
      case .noEffect, .aside: result.reason = "has no effect on images"
      case .notDrawn, .partly, .read: break
      }
    }
    members.append(result)
    let hasFeatures = kind == .featureSet && member.name == "features"
    let lost = hasFeatures ? 0 : add(member.value, known?.shape, inner)
    if lost > 0, own == nil, members[place].outcome == .drawn {
      members[place].outcome = .approximated
      members[place].reason = "\(lost) \(lost == 1 ? "part" : "parts") inside not drawn as written"
    }
    return lost + (result.outcome == .drawn ? 0 : 1)
  }

  private func inherited(_ outcome: DocumentOutcome) -> (outcome: DocumentOutcome, reason: String) {
    (outcome, "inside \(JSONPath(steps: steps)), which is not drawn")
  }
}

extension DocumentOutcome {
  fileprivate var rank: Int {
    switch self {
    case .drawn: 0
    case .approximated: 1
    case .dropped: 2
    }
  }
}
