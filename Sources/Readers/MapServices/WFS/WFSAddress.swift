import MapSystem

/// The address of a type of features of a Web Feature Service.
///
/// The type is the parameter `typeNames`, or the fragment, as in `https://host/wfs#ns:roads`. The parameters `version`,
/// `srsName` and `outputFormat` choose among what the service offers. Parameters that are not of the standard are sent
/// with each request.
package struct WFSAddress: Sendable {
  /// The address without the parameters of operations.
  let service: String
  /// The name of the type of features; nil for the only one of the service.
  let typeName: String?
  /// The version that is asked for; nil for any.
  let version: String?
  /// The spatial reference that is asked for; nil for the best one.
  let srsName: String?
  /// The format that is asked for; nil for the best one.
  let outputFormat: String?
  /// The names of parameters that would select features or properties, and that are not applied.
  let ignored: [String]

  /// The parameters of operations, in lower case.
  private static let own: Set<String> = [
    "service", "request", "version", "acceptversions", "typenames", "typename", "srsname", "outputformat",
    "namespaces", "namespace", "resulttype", "exceptions",
  ]
  private static let selecting: Set<String> = [
    "count", "maxfeatures", "startindex", "bbox", "filter", "filter_language", "resourceid", "featureid",
    "propertyname", "sortby", "storedquery_id",
  ]

  /// Whether an address is that of a Web Feature Service: by its parameter `service`, or by the end of its path.
  package static func isOne(_ url: String) -> Bool {
    let address = url.prefix { $0 != "#" }
    let path = address.prefix { $0 != "?" }
    if let query = address[path.endIndex...].dropFirst() as Substring?, !query.isEmpty {
      let pairs = Self.pairs(query)
      if let service = pairs.first(where: { $0.name == "service" }) {
        return service.value.lowercased() == "wfs"
      }
      if pairs.contains(where: { $0.name == "typenames" || $0.name == "typename" }) { return true }
    }
    let last = path.split(separator: "/").last?.lowercased()
    return last == "wfs" || last == "wfsserver"
  }

  /// Parses an address.
  ///
  /// - Throws: ``ServiceError`` for an invalid web address.
  init(_ url: String) throws(ServiceError) {
    var address = try WebAddress(url)
    var (kept, values, ignored): ([Substring], [String: String], [String]) = ([], [:], [])
    for pair in (address.query ?? "").split(separator: "&") {
      let (name, written, value) = Self.parts(of: pair)
      if Self.own.contains(name) {
        if !value.isEmpty { values[name] = value }
      } else if Self.selecting.contains(name) {
        ignored.append(written)
      } else {
        kept.append(pair)
      }
    }
    address.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    service = address.description
    let fragment = url.firstIndex(of: "#").map { String(url[url.index(after: $0)...]) }
    let named = fragment.flatMap { PercentEncoding.decode($0) ?? $0 }
    typeName = named.flatMap { $0.isEmpty ? nil : $0 } ?? values["typenames"] ?? values["typename"]
    version = values["version"] ?? values["acceptversions"]
    (srsName, outputFormat, self.ignored) = (values["srsname"], values["outputformat"], ignored)
  }

  private static func pairs(_ query: Substring) -> [(name: String, value: String)] {
    query.split(separator: "&").map { pair in
      let parts = parts(of: pair)
      return (parts.name, parts.value)
    }
  }

  /// Returns the name of a parameter in lower case and as written, and its value.
  private static func parts(of pair: Substring) -> (name: String, written: String, value: String) {
    let name = pair.prefix { $0 != "=" }
    let value = pair[name.endIndex...].dropFirst()
    return (name.lowercased(), String(name), PercentEncoding.decode(value) ?? String(value))
  }
}
