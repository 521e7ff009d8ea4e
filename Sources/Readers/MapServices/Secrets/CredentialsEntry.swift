import MapJSON

/// The members of one address in a credentials file.
struct CredentialsEntry {
  /// The address, for messages.
  let place: String
  /// The members.
  let json: JSONValue
  /// The environment variables, from which secrets may come.
  let environment: [String: String]

  /// Returns an error about the entry.
  func fault(_ reason: String) -> CredentialsError { CredentialsError("\(place): \(reason)") }

  /// Refuses members with other names.
  ///
  /// - Throws: ``CredentialsError``.
  func allowOnly(_ names: [String]) throws(CredentialsError) {
    guard let other = json.object?.members.first(where: { !names.contains($0.name) })?.name else { return }
    throw fault("\"\(other)\" is none of \(names.joined(separator: ", "))")
  }

  /// Returns the text of a member, or that of the environment variable that it names after a `$`.
  ///
  /// - Throws: ``CredentialsError`` for a variable that is not set.
  func text(_ name: String) throws(CredentialsError) -> String? {
    guard let value = json[name]?.string else { return nil }
    guard value.hasPrefix("$") else { return value }
    guard let found = environment[String(value.dropFirst())], !found.isEmpty else {
      // Do not print the name: it may be a secret that starts with `$`.
      throw fault("\"\(name)\": no environment variable has the name after its $")
    }
    return found
  }

  /// Refuses a secret that could not be masked, or that would end a field of a header.
  ///
  /// - Parameter line: the text around the secret that is sent with it; nil for none.
  /// - Throws: ``CredentialsError``.
  func check(secret: some StringProtocol, in line: String? = nil) throws(CredentialsError) {
    guard secret.utf8.count >= SecretEcho.shortest else {
      throw fault(
        "its secret has fewer than \(SecretEcho.shortest) characters, which cannot be distinguished from other text"
      )
    }
    guard !(line ?? String(secret)).utf8.contains(where: { $0 < 0x20 }) else {
      throw fault("its secret contains a line end or another control character")
    }
  }
}
