import MapSystem

/// A parameter that is added to requests to a service.
package struct ServiceParameter: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The value, not encoded.
  package let value: String

  /// Creates a parameter.
  package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

extension [ServiceParameter] {
  /// Returns the parameters of whose names there is none in queries and forms, in capital or small letters.
  package func missing(in queries: [some StringProtocol]) -> [ServiceParameter] {
    let known = Set(
      queries.flatMap { $0.split(separator: "&") }.map { pair in
        let name = String(pair.prefix { $0 != "=" })
        return (PercentEncoding.decode(name) ?? name).lowercased()
      })
    return filter { !known.contains($0.name.lowercased()) }
  }

  /// The parameters as a query or form.
  package var query: String {
    map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
  }

  /// Returns an address with those of the parameters of whose names it has none.
  package func added(to url: String) -> String {
    let address = url.prefix { $0 != "#" }
    let path = address.prefix { $0 != "?" }
    let missing = missing(in: [address[path.endIndex...].dropFirst()])
    guard !missing.isEmpty else { return url }
    return address + (path.endIndex < address.endIndex ? "&" : "?") + missing.query + url[address.endIndex...]
  }
}
