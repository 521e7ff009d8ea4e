import MapJSON

extension Map {
  /// The members of its document that nobody knows, once it is read; ``toJSON()`` gives them back.
  ///
  /// Texts are `String`, true and false `Bool`, numbers `Int` where they are whole and fit, else `Double`, lists and
  /// objects those of `any Sendable`; null is left out.
  public var unknownJSON: [String: any Sendable] {
    members { $0 == nil }
  }

  /// The members of its document that a web map may have and that are not read, such as widgets; as ``unknownJSON``.
  public var unsupportedJSON: [String: any Sendable] { members { $0?.isKept == false } }

  private func members(_ isMeant: (DocumentMember.Treatment?) -> Bool) -> [String: any Sendable] {
    let all = state.snapshot.document?.source?.object?.members ?? []
    return all.filter { isMeant(DocumentObject.map.member(named: $0.name)?.treatment) }.sendable
  }
}

extension DocumentMember.Treatment {
  /// True for a member that is read into the map.
  fileprivate var isKept: Bool {
    switch self {
    case .read, .partly, .aside: true
    case .noEffect, .notDrawn: false
    }
  }
}

extension [JSONObject.Member] {
  /// The members by name, null ones left out.
  fileprivate var sendable: [String: any Sendable] {
    reduce(into: [:]) { values, member in
      if let value = member.value.sendable { values[member.name] = value }
    }
  }
}

extension JSONValue {
  /// The value in Swift's own types; nil for null.
  fileprivate var sendable: (any Sendable)? {
    switch self {
    case .null: nil
    case .boolean(let value): value
    case .number(let number): number.integer.flatMap { Int(exactly: $0) } ?? double
    case .string(let text): text
    case .array(let values): values.compactMap(\.sendable)
    case .object(let object): object.members.sendable
    }
  }
}
