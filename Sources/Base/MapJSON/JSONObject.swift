/// The members of a JSON object, in the order written, with unique names.
///
/// - Cost: a lookup compares the names one by one up to eight members, and hashes above that.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// The members in the order written.
  public private(set) var members: [Member] = []
  /// The index of every name, kept only above ``walkLimit`` members.
  private var places: [String: Int] = [:]

  /// The number of members up to which comparing the names one by one is faster than hashing.
  private static let walkLimit = 8

  /// Creates an object without members.
  public init() {}

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// Returns the index of the member with a name; nil when there is none.
  public func index(of name: String) -> Int? {
    members.count > Self.walkLimit ? places[name] : members.firstIndex { $0.name == name }
  }

  /// The value of the member with a name, which may be `null`.
  ///
  /// Setting nil removes the member. A new name is added at the end.
  public subscript(name: String) -> JSONValue? {
    get { index(of: name).map { members[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let place?, let value?): members[place].value = value
      case (nil, let value?): append(Member(name: name, value: value))
      case (let place?, nil):
        members.remove(at: place)
        places = [:]
        if members.count > Self.walkLimit { rebuildPlaces() }
      case (nil, nil): break
      }
    }
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    if members.count == Self.walkLimit + 1 {
      rebuildPlaces()
    } else if members.count > Self.walkLimit {
      places[member.name] = members.count - 1
    }
  }

  private mutating func rebuildPlaces() {
    for (place, member) in members.enumerated() { places[member.name] = place }
  }
}

extension JSONObject: Hashable {
  /// Returns whether the members are the same, in the same order.
  public static func == (a: JSONObject, b: JSONObject) -> Bool { a.members == b.members }
  /// Hashes the members in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object; of members with the same name, the last one is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { self[name] = value }
  }
}
