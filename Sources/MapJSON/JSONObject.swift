/// The members of a JSON object, in the order written, each name once.
///
/// - Cost: lookup walks up to eight members, above that it hashes.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public var value: JSONValue

    /// A member.
    public init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// The members in order.
  public private(set) var members: [Member] = []
  /// Place of every name, kept only above ``walkLimit`` members.
  private var places: [String: Int] = [:]

  /// Up to here a walk over the names is faster than a hash.
  private static let walkLimit = 8

  /// An object without members.
  public init() {}

  /// Number of members.
  public var count: Int { members.count }
  /// True when there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The place of a name; nil when there is none.
  public func index(of name: String) -> Int? {
    members.count > Self.walkLimit ? places[name] : members.firstIndex { $0.name == name }
  }

  /// A value by its name, `null` as it stands; setting nil takes the member out, a new name goes last.
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
  /// True when the members are the same, in the same order.
  public static func == (a: JSONObject, b: JSONObject) -> Bool { a.members == b.members }
  /// Hashes the members in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object; of members with one name the last stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { self[name] = value }
  }
}
