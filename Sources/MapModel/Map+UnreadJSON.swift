import MapJSON

extension Map {
  /// The members of its document that nobody knows, once it is read; ``toJSON()`` gives them back.
  ///
  /// Texts are `String`, true and false `Bool`, numbers `Int` where they are whole and fit, else `Double`, lists and
  /// objects those of `any Sendable`; null is left out.
  public var unknownJSON: [String: any Sendable] {
    members { !WebMap.readMembers.contains($0) && !WebMap.unreadMembers.contains($0) }
  }

  /// The members of its document that a web map may have and that are not read, such as widgets; as ``unknownJSON``.
  public var unsupportedJSON: [String: any Sendable] { members { WebMap.unreadMembers.contains($0) } }

  private func members(_ isMeant: (String) -> Bool) -> [String: any Sendable] {
    let all = state.snapshot.document?.source?.object?.members ?? []
    return all.filter { isMeant($0.name) }.sendable
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
