import ArgumentParser
import MapHTTP
import MapState
import MapSystem

/// The options for web pages, proxies, tokens and caches.
struct WebOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Origin whose pages may read answers, such as https://example.org, or * for all; may be repeated.",
      valueName: "origin"))
  var allowOrigin: [String] = []
  @Option(
    help: ArgumentHelp(
      "Address of this server for its clients, for links in answers; default: that of each request.",
      valueName: "url"))
  var publicUrl: String?
  @Option(
    help: ArgumentHelp(
      "Address of a proxy whose headers Forwarded and X-Forwarded-* name the address; may be repeated.",
      valueName: "address"))
  var trustedProxy: [String] = []
  @Option(
    help: ArgumentHelp(
      "Token that requests need, as Authorization: Bearer TOKEN or as the parameter token.",
      valueName: "token"))
  var token: String?
  @Option(
    help: ArgumentHelp("File with the token in its first line.", valueName: "file"), completion: .file())
  var tokenFile: String?
  @Option(
    help: ArgumentHelp(
      "Seconds that caches may use an answer without asking the server.",
      valueName: "seconds"))
  var maxAge = 0

  func validate() throws {
    guard (0...31_536_000).contains(maxAge) else {
      throw ValidationError("--max-age is \(maxAge); it must be 0 to 31536000.")
    }
    if token != nil, tokenFile != nil {
      throw ValidationError("--token contradicts --token-file; give one of them.")
    }
  }

  /// The check of requests.
  func check(hosts: [String]) throws(MapStateError) -> OriginCheck {
    var proxies: [NetworkRange] = []
    for text in trustedProxy { proxies.append(try NetworkRange(text: text)) }
    return OriginCheck(
      hosts: hosts, readingToken: try readingToken(), origins: try AllowedOrigins(allowOrigin),
      publicAddress: try publicUrl.map { text throws(MapStateError) in try PublicAddress(text: text) },
      proxies: proxies)
  }

  private func readingToken() throws(MapStateError) -> AccessToken? {
    var text = token
    if let tokenFile {
      let bytes: [UInt8]
      do { bytes = try FileAccess.read(tokenFile) } catch { throw MapStateError(error) }
      text = String(String(decoding: bytes.prefix(4096), as: UTF8.self).prefix { !$0.isNewline })
    }
    guard let text else { return nil }
    let token = try AccessToken(option: text)
    if token.isShort {
      RunningServer.write("warning: the token is short; 16 random characters or more cannot be guessed")
    }
    return token
  }
}
