package import MapJSON
package import MapModel

/// A member that a document object may have: its name, its values and its effect.
///
/// - Source: Esri web map specification 2.x and ArcGIS REST API. Members that are design decisions are marked in the
///   lists.
package struct DocumentMember: Hashable, Sendable {
  /// The treatment of a member.
  package enum Treatment: Hashable, Sendable {
    /// A member that is read and changes what is drawn or counted.
    ///
    /// A value of the wrong kind is an error.
    case read
    /// A member that is read, although values other than those in `drawn` are not drawn as written.
    ///
    /// Those values are reported with the reason.
    case partly(reason: String, drawn: [JSONValue])
    /// A member that is read without effect on the image.
    ///
    /// A value of the wrong kind is a warning.
    case aside
    /// A member that is known and has no effect on the image.
    case noEffect
    /// A member that is not drawn: values other than those in `drawn` are reported with the reason.
    ///
    /// The values in `drawn` match what is drawn anyway.
    case notDrawn(reason: String, drawn: [JSONValue])

    /// The result for a value that is reported.
    package var outcome: DocumentOutcome {
      switch self {
      case .partly: .approximated
      case .notDrawn(let reason, _): reason.hasPrefix("approximated") ? .approximated : .dropped
      case .read, .aside, .noEffect: .drawn
      }
    }

    /// Whether a value of the wrong kind changes what is drawn or counted.
    package var isRead: Bool {
      switch self {
      case .read, .partly: true
      case .aside, .noEffect, .notDrawn: false
      }
    }
  }

  /// The name.
  package let name: String
  /// The values that are allowed.
  package let shape: DocumentShape
  /// The treatment.
  package let treatment: Treatment
  /// Whether a value of the member can change what is drawn or counted.
  var hasEffect: Bool {
    switch treatment {
    case .read, .partly, .notDrawn: true
    case .aside, .noEffect: false
    }
  }
  /// The member of the same object that disables this one when it is true; nil for none.
  package var switchedOffBy: String?
}

extension [DocumentMember] {
  /// Returns members that are read and change what is drawn or counted.
  static func read(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .read) }
  }

  /// Returns members that are read without effect on the image.
  static func aside(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .aside) }
  }

  /// Returns members that are known and have no effect on the image.
  static func noEffect(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .noEffect) }
  }

  /// Returns a member with some values that are not drawn as written.
  static func partly(
    _ shape: DocumentShape, _ name: String, _ reason: String, drawn: JSONValue...
  ) -> [DocumentMember] {
    partly(shape, name, reason, drawn: drawn)
  }

  /// Returns a member with some values that are not drawn as written.
  static func partly(
    _ shape: DocumentShape, _ name: String, _ reason: String, drawn: [JSONValue]
  ) -> [DocumentMember] {
    [DocumentMember(name: name, shape: shape, treatment: .partly(reason: reason, drawn: drawn))]
  }

  /// Returns a member that is not drawn, except for values that match what is drawn anyway.
  static func notDrawn(
    _ shape: DocumentShape, _ name: String, _ reason: String, drawn: JSONValue...
  ) -> [DocumentMember] {
    [DocumentMember(name: name, shape: shape, treatment: .notDrawn(reason: reason, drawn: drawn))]
  }

  /// Returns the member `type` of a renderer or symbol that is not drawn; its codec warns of the type.
  static func undrawnType(_ type: String, _ reason: String) -> [DocumentMember] {
    [DocumentMember(name: "type", shape: .text, treatment: .notDrawn(reason: reason, drawn: [.string(type)]))]
  }

  /// Returns the same members, disabled while the named member is true.
  func switchedOff(by name: String) -> [DocumentMember] {
    map { member in
      var member = member
      member.switchedOffBy = name
      return member
    }
  }

  /// Returns the concatenation of several lists.
  static func of(_ lists: [DocumentMember]...) -> [DocumentMember] { lists.flatMap { $0 } }

  /// Returns the members of several lists, each name once.
  static func merged(_ lists: [[DocumentMember]]) -> [DocumentMember] {
    var seen: Set<String> = []
    return lists.flatMap { $0 }.filter { seen.insert($0.name).inserted }
  }
}
