package import MapJSON

/// A member that an object of a document may have: its name, its values and its effect.
///
/// - Source: Esri web map specification 2.x and ArcGIS REST API; members of our own say so in the lists.
package struct DocumentMember: Hashable, Sendable {
  /// The treatment of a member.
  package enum Treatment: Hashable, Sendable {
    /// It is read and changes what is drawn or counted. A value of the wrong kind is an error.
    case read
    /// It is read, and some values are not drawn as written: all but those listed are reported with the reason.
    case partly(reason: String, drawn: [JSONValue])
    /// It is read without effect on the image. A value of the wrong kind is a warning.
    case aside
    /// It is known and has no effect on the image.
    case noEffect
    /// It is not drawn: all values but those listed, which equal what is drawn anyway, are reported with the reason.
    case notDrawn(reason: String, drawn: [JSONValue])

    /// True where a value of the wrong kind changes what is drawn or counted.
    var isRead: Bool {
      switch self {
      case .read, .partly: true
      case .aside, .noEffect, .notDrawn: false
      }
    }
  }

  /// The name.
  package let name: String
  /// The values that it may have.
  package let shape: DocumentShape
  /// Its treatment.
  package let treatment: Treatment
  /// The member of the same object that switches this one off when it is true; nil for none.
  package var switchedOffBy: String?
}

extension [DocumentMember] {
  /// Members that are read and change what is drawn or counted.
  static func read(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .read) }
  }

  /// Members that are read without effect on the image.
  static func aside(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .aside) }
  }

  /// Members that are known and have no effect on the image.
  static func noEffect(_ shape: DocumentShape, _ names: String...) -> [DocumentMember] {
    names.map { DocumentMember(name: $0, shape: shape, treatment: .noEffect) }
  }

  /// A member of which some values are not drawn as written.
  static func partly(
    _ shape: DocumentShape, _ name: String, _ reason: String, drawn: JSONValue...
  ) -> [DocumentMember] {
    [DocumentMember(name: name, shape: shape, treatment: .partly(reason: reason, drawn: drawn))]
  }

  /// A member that is not drawn, unless it has one of the values that equal what is drawn anyway.
  static func notDrawn(
    _ shape: DocumentShape, _ name: String, _ reason: String, drawn: JSONValue...
  ) -> [DocumentMember] {
    [DocumentMember(name: name, shape: shape, treatment: .notDrawn(reason: reason, drawn: drawn))]
  }

  /// The same members, switched off by another that is true.
  func switchedOff(by name: String) -> [DocumentMember] {
    map { member in
      var member = member
      member.switchedOffBy = name
      return member
    }
  }

  /// A list of several.
  static func of(_ lists: [DocumentMember]...) -> [DocumentMember] { lists.flatMap { $0 } }

  /// The members of several lists, each name once.
  static func merged(_ lists: [[DocumentMember]]) -> [DocumentMember] {
    var seen: Set<String> = []
    return lists.flatMap { $0 }.filter { seen.insert($0.name).inserted }
  }
}
