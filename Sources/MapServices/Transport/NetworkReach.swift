import CCurl

/// How far out an address lies, from this machine to the world.
///
/// What comes from farther out never leads farther in: a document of the world could else read what only this machine
/// or its network may.
public enum NetworkReach: Int, Comparable, Hashable, Sendable {
  /// This machine.
  case loopback
  /// The wire that it hangs on, which is also where clouds keep the secrets of their machines.
  case linkLocal
  /// A network that is not the world's.
  case privateNetwork
  /// The world.
  case world

  /// The nearer one is less.
  public static func < (a: NetworkReach, b: NetworkReach) -> Bool { a.rawValue < b.rawValue }

  /// Where an address in digits lies; nil for a name.
  ///
  /// - Source: RFC 6890; IPv6 forms that hold an IPv4 address lie where that does.
  public init?(address: String) {
    self.init(rawValue: Int(unsafe ccurl_reach(address)))
  }

  /// Where a host of an address lies; nil for a name, which only the network knows.
  public init?(host: String) {
    // RFC 6761, 6.3: these names are always this machine.
    if host == "localhost" || host.hasSuffix(".localhost") {
      self = .loopback
    } else {
      self.init(address: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }
  }

  /// Where a host lies as far as it is written: also for addresses in other forms, such as 2130706433 or 0x7f.1, and for
  /// names that are never public; nil for other names.
  ///
  /// - Source: inet_aton(3); RFC 6762 (.local), RFC 8375 (home.arpa), RFC 6761 and ICANN's reservation of .internal. A name
  ///   of one word has no place in the public tree.
  init?(writtenHost host: String) {
    let words = host.split(separator: ".")
    if let reach = NetworkReach(rawValue: Int(unsafe ccurl_written_reach(host))) {
      self = reach
    } else if words.count == 1 || host.hasSuffix(".home.arpa")
      || words.last.map({
        ["local", "internal", "localdomain", "lan", "intranet", "corp", "home"].contains($0)
      }) ?? false
    {
      self = words.last == "localdomain" ? .loopback : .privateNetwork
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .loopback: "a loopback address"
    case .linkLocal: "a link-local address"
    case .privateNetwork: "a private address"
    case .world: "a public address"
    }
  }
}
