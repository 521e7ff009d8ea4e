import CCurl

/// The reach of an address, from this machine to the internet.
///
/// Content from farther out never leads farther in. Otherwise a public document could read data that only this machine
/// or its network may access.
public enum NetworkReach: Int, Comparable, Hashable, Sendable {
  /// This machine.
  case loopback
  /// The local link, which is also where clouds offer the secrets of their machines.
  case linkLocal
  /// A private network.
  case privateNetwork
  /// The internet.
  case world

  /// Whether `a` is nearer to this machine than `b`.
  public static func < (a: NetworkReach, b: NetworkReach) -> Bool { a.rawValue < b.rawValue }

  /// Creates the reach of a numeric address; nil for a name.
  ///
  /// - Source: RFC 6890; IPv6 forms that contain an IPv4 address have its reach.
  public init?(address: String) {
    self.init(rawValue: Int(unsafe ccurl_reach(address)))
  }

  /// Creates the reach of a host in an address; nil for a name that only the network can resolve.
  public init?(host: String) {
    // RFC 6761, 6.3: these names always mean this machine.
    if host == "localhost" || host.hasSuffix(".localhost") {
      self = .loopback
    } else {
      self.init(address: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }
  }

  /// Creates the reach of a host by its spelling alone; nil for names that may be public.
  ///
  /// Includes other forms of numeric addresses, such as 2130706433 or 0x7f.1, and names that are never public.
  ///
  /// - Source: inet_aton(3); RFC 6762 (.local), RFC 8375 (home.arpa), RFC 6761 and ICANN's reservation of .internal.
  ///   Names of one word are not public.
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

  /// The words for an address of this reach, in messages.
  package var name: String {
    switch self {
    case .loopback: "a loopback address"
    case .linkLocal: "a link-local address"
    case .privateNetwork: "a private address"
    case .world: "a public address"
    }
  }
}
