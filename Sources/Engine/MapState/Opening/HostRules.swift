/// The hosts that requests may reach, by name.
///
/// A rule is a name, or `*.` and a domain for all names below it. A host with a rule in ``denied`` is refused; with rules
/// in ``allowed``, so is every host without one. A numeric address is a name of its own.
public struct HostRules: Hashable, Sendable {
  /// The rules of hosts that requests may reach; empty for all.
  public var allowed: [String]
  /// The rules of hosts that requests may not reach.
  public var denied: [String]

  /// Creates rules; none allow every host.
  public init(allowed: [String] = [], denied: [String] = []) {
    (self.allowed, self.denied) = (allowed, denied)
  }

  /// Returns the reason why a host is refused; nil if it may be reached.
  public func refusal(of host: String) -> String? {
    if denied.contains(where: { Self.names($0, host) }) { return "refused: --deny-host names \(host)" }
    guard !allowed.isEmpty, !allowed.contains(where: { Self.names($0, host) }) else { return nil }
    return "refused: \(host) is not among the hosts of --allow-host"
  }

  /// Returns whether a rule is a host name, or `*.` and a domain.
  public static func isRule(_ text: String) -> Bool {
    let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
    return !name.isEmpty && !name.contains { "*/@?# ".contains($0) }
  }

  private static func names(_ rule: String, _ host: String) -> Bool {
    let (rule, host) = (rule.lowercased(), host.lowercased())
    return rule.hasPrefix("*.") ? host.hasSuffix(rule.dropFirst()) : rule == host
  }
}
