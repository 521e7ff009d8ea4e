import MapJSON
public import MapModel

extension Map {
  /// The unknown members of the map's document, once it is read; ``toJSON()`` writes them back.
  ///
  /// Texts are `String`, Booleans `Bool`, and numbers `Int` if they are whole and fit, otherwise `Double`. Arrays and
  /// objects contain values of `any Sendable`; nulls are left out.
  public var unknownJSON: [String: any Sendable] {
    members { $0 == nil }
  }

  /// The known members of the map's document that are not read, such as widgets, as in ``unknownJSON``.
  public var unsupportedJSON: [String: any Sendable] { members { $0?.isKept == false } }

  private func members(_ isMeant: (DocumentMember.Treatment?) -> Bool) -> [String: any Sendable] {
    let all = state.read { $0.webMap?.source?.object?.members } ?? []
    return all.filter { isMeant(DocumentObject.map.member(named: $0.name)?.treatment) }.sendable
  }
}

extension DocumentMember.Treatment {
  /// Whether the member is read into the map.
  fileprivate var isKept: Bool {
    switch self {
    case .read, .partly, .aside: true
    case .noEffect, .notDrawn: false
    }
  }
}

extension [JSONObject.Member] {
  /// The members by name, without nulls.
  fileprivate var sendable: [String: any Sendable] {
    reduce(into: [:]) { values, member in
      if let value = member.value.sendable { values[member.name] = value }
    }
  }
}

extension JSONValue {
  /// The value as a standard Swift type; nil for null.
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
