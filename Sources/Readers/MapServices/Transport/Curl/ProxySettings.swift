/// The selection of a proxy for a host, from the environment.
///
/// - Source: the variables that curl and most tools read: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`.
///   `HTTP_PROXY` is ignored, because a server's environment holds a client's header `Proxy` under that name. As in Go,
///   this machine is never contacted through a proxy.
struct ProxySettings: Sendable {
  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  /// Returns the address of the proxy; nil without one.
  func proxy(for address: WebAddress) -> String? {
    guard NetworkReach(host: address.host) != .loopback, !isExempt(address) else { return nil }
    let names =
      address.scheme == "https"
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
    return names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }

  private func isExempt(_ address: WebAddress) -> Bool {
    let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    return list.split { $0 == "," || $0 == " " }.contains { entry in
      if entry == "*" { return true }
      var name = entry.lowercased()
      let port = address.port ?? (address.scheme == "https" ? 443 : 80)
      if name.hasSuffix(":\(port)") { name.removeLast(":\(port)".count) }
      if name.hasPrefix(".") { name.removeFirst() }
      return address.host == name || address.host.hasSuffix("." + name) || address.host == "[\(name)]"
    }
  }
}
