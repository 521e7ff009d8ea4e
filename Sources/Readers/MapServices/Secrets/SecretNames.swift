import MapSystem

/// Names of parameters that hold secrets.
package enum SecretNames {
  /// The names, in lower case.
  ///
  /// - Source: parameters of ArcGIS, GeoServer (`authkey`), map services with keys, OAuth (RFC 6749) and signed addresses of clouds.
  private static let names: Set<String> = [
    "token", "access_token", "accesstoken", "id_token", "refresh_token", "key", "apikey", "api_key",
    "api-key",
    "x-api-key", "subscription-key", "password", "passwd", "pwd", "secret", "client_secret", "signature",
    "sig",
    "authorization", "auth", "authkey", "authtoken", "auth_token", "auth-token", "accesskey", "access_key",
    "access-key", "jwt", "sessionid", "session_id", "passphrase",
  ]
  /// Endings of names that clouds use, such as `X-Amz-Signature`.
  private static let endings = ["-signature", "-security-token", "-credential"]

  /// Returns whether the parameter with a name holds a secret.
  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  /// Returns the name and value of a pair such as `token=abc`; nil if it holds no secret.
  static func secret(in pair: Substring) -> (name: String, value: String)? {
    guard let equals = pair.firstIndex(of: "="),
      let name = PercentEncoding.decode(pair[..<equals]), isSecret(name),
      let value = PercentEncoding.decode(pair[equals...].dropFirst()), !value.isEmpty
    else { return nil }
    return (name, value)
  }

  /// Returns a query or form with every secret's value replaced, and the replaced values.
  package static func redacting(_ query: String) -> (text: String, values: [String]) {
    var values: [String] = []
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
      guard let (name, value) = secret(in: pair) else { return String(pair) }
      values.append(value)
      return PercentEncoding.encode(name) + "=" + SecretEcho.mask
    }
    return (pairs.joined(separator: "&"), values)
  }
}
