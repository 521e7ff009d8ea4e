import MapJSON
import MapServices
import MapTestSupport
import Testing

@Suite struct CredentialsTests {
  private static let secret = "planted/secret+4711="

  private static func credentials(
    _ json: String, _ environment: [String: String] = [:]
  ) throws -> ServiceCredentials {
    try ServiceCredentials(JSONValue(parsing: json), environment: environment)
  }

  /// The request that the server received, and the masked answer.
  private static func echo(
    _ request: HTTPRequest, _ credentials: ServiceCredentials
  ) async throws -> (HTTPResponse, JSONValue) {
    let response = try await FaultyServer.network(seconds: 600, credentials: credentials).response(
      to: request)
    return (response, try JSONValue(parsing: response.body))
  }

  /// Covers every way of sending a secret.
  @Test(
    "A secret is sent in each configured way and masked in the server's echo",
    arguments: [
      (#"{"token": "$T"}"#, "header", "x-esri-authorization", "Bearer "),
      (#"{"header": "X-API-Key", "value": "$T"}"#, "header", "x-api-key", ""),
      (
        #"{"header": "Authorization", "value": "Bearer planted/secret+4711="}"#, "header", "authorization",
        "Bearer "
      ),
      (#"{"parameter": "key", "value": "$T"}"#, "target", "", ""),
    ])
  func sentAndTakenOutAgain(json: String, member: String, field: String, before: String) async throws {
    let address = try FaultyServer.address()
    let credentials = try Self.credentials("{\"\(address)\": \(json)}", ["T": Self.secret])
    let (response, got) = try await Self.echo(HTTPRequest(get: address + "/echo?f=json"), credentials)
    let seen = member == "header" ? got["header"]?[field]?.string : got["target"]?.string
    // The mask is as long as the secret, so its length shows that the whole secret arrived.
    if member == "header" {
      let masked = String(repeating: "REDACTED", count: 4)
      let all = before + Self.secret
      #expect(
        seen == String(masked.prefix(all.utf8.count))
          || seen == before + masked.prefix(Self.secret.utf8.count))
    } else {
      #expect(seen?.hasPrefix("/echo?f=json&key=REDACTED") == true)
      #expect(seen?.utf8.count == 17 + 26)
    }
    #expect(!Self.leaks("\(response) \(String(decoding: response.body, as: UTF8.self))"))
    #expect(response.url == address + "/echo?f=json")
  }

  static func leaks(_ text: String) -> Bool { text.contains("4711") || text.contains("planted") }

  /// The server made the link from the request, so the mask is replaced by the secret again.
  @Test("A link with a masked secret is followed with the real one")
  func maskedLinksAreGoneToWithTheSecret() async throws {
    let address = try FaultyServer.address()
    let credentials = try Self.credentials(
      #"{"\#(address)": {"parameter": "key", "value": "\#(Self.secret)"}}"#)
    let link = "?f=json&key=REDACTEDREDACTEDREDACTEDRE&page=2"
    let request = try HTTPResponse(status: 200, header: [:], body: [], url: address + "/echo").request(
      following: link)
    let (_, got) = try await Self.echo(request, credentials)
    // A single key at the end, with the right length.
    #expect(got["target"]?.string == "/echo?f=json&page=2&key=REDACTEDREDACTEDREDACTEDRE")
    let stub = StubTransport { (request) throws(ServiceError) in HTTPResponse(json: "{}") }
    _ = try await CredentialedTransport(over: stub, credentials: credentials)
      .response(to: request, before: .now + .seconds(600))
    #expect(stub.requests.map(\.url) == [address + "/echo?f=json&page=2&key=planted%2Fsecret%2B4711%3D"])
  }

  @Test("A secret parameter of a form is sent in its body")
  func formsCarryParameters() async throws {
    let address = try FaultyServer.address()
    let credentials = try Self.credentials(
      #"{"\#(address)": {"parameter": "token", "value": "\#(Self.secret)"}}"#)
    let (_, got) = try await Self.echo(HTTPRequest(post: address + "/echo", [("f", "json")]), credentials)
    #expect(got["body"]?.string == "f=json&token=REDACTEDREDACTEDREDACTEDRE")
    #expect(got["target"]?.string == "/echo")
  }

  /// The other server reports everything that it received.
  @Test("A redirect to another host does not carry the secret")
  func otherHostsGetNothing() async throws {
    let address = try FaultyServer.address()
    let other = try FaultyServer.another()
    for json in [#"{"token": "$T"}"#, #"{"parameter": "key", "value": "$T"}"#] {
      let credentials = try Self.credentials("{\"\(address)\": \(json)}", ["T": Self.secret])
      let request = HTTPRequest(get: address + "/to/307?place=\(other.address)/echo?here=1")
      let (response, got) = try await Self.echo(request, credentials)
      #expect(response.url == other.address + "/echo?here=1")
      #expect(got["target"]?.string == "/echo?here=1")
      #expect(got["header"]?["x-esri-authorization"] == nil)
      #expect(!Self.leaks("\(got)"))
    }
  }

  @Test("Errors and descriptions of credentials contain no secret")
  func errorsHaveNone() async throws {
    let address = try FaultyServer.address()
    let credentials = try Self.credentials(
      #"{"\#(address)": {"parameter": "key", "value": "\#(Self.secret)"}}"#)
    let stub = StubTransport { (request) throws(ServiceError) in
      throw ServiceError("said planted%2fsecret%2b4711%3d and \(Self.secret)", at: request.url)
    }
    let error = await #expect(throws: ServiceError.self) {
      try await CredentialedTransport(over: stub, credentials: credentials)
        .response(to: HTTPRequest(get: address + "/x"), before: .now + .seconds(600))
    }
    #expect(error.map { Self.leaks("\($0) \(String(reflecting: $0))") } == false)
    var dumped = ""
    dump(credentials, to: &dumped)
    #expect(!Self.leaks("\(credentials) \(String(reflecting: credentials)) \(dumped)"))
  }

  @Test("An explanation that repeats a part of a secret is replaced as a whole, and data are not")
  func explanationsWithParts() async throws {
    let credentials = try Self.credentials(#"{"https://a.example": {"token": "\#(Self.secret)"}}"#)
    func body(_ text: String, _ status: Int) async throws -> String {
      let stub = StubTransport { (request) throws(ServiceError) in HTTPResponse(json: text, status: status) }
      let response = try await CredentialedTransport(over: stub, credentials: credentials)
        .response(to: HTTPRequest(get: "https://a.example/"), before: .now + .seconds(600))
      return String(decoding: response.body, as: UTF8.self)
    }
    let replaced =
      #"{"error":{"message":"[the answer repeats a credential]"},"title":"[the answer repeats a credential]"}"#
    for (text, status) in [
      (#"{"error":{"message":"no planted"}}"#, 200), (#"{"title":"no planted"}"#, 200), ("pl ant ed", 500),
      ("<title>planted</title>", 200), (#"{"features":[],"title":"det\u006ealp"}"#, 404),
    ] { #expect(try await body(text, status) == replaced) }
    for text in [#"{"features":[],"title":"planted"}"#, #"{"error":{"message":"other words"}}"#] {
      #expect(try await body(text, 200) == text)
    }
  }

  @Test("A mask keeps the length of a binary answer")
  func masksKeepLengths() async throws {
    let stub = StubTransport { (request) throws(ServiceError) in
      HTTPResponse(
        status: 200, header: [:],
        body: [0, 255, 20] + Array(Self.secret.utf8) + [9] + Array("planted\\/secret+4711=".utf8),
        url: request.url)
    }
    let credentials = try Self.credentials(#"{"https://a.example": {"token": "\#(Self.secret)"}}"#)
    let body = try await CredentialedTransport(over: stub, credentials: credentials)
      .response(to: HTTPRequest(get: "https://a.example/"), before: .now + .seconds(600)).body
    #expect(body.count == 45)
    #expect(!Self.leaks(String(decoding: body, as: UTF8.self)))
    #expect(body.prefix(3) == [0, 255, 20])
    #expect(body[23] == 9)
  }

  @Test("A secret in an address is removed and sent as a credential")
  func secretsInAnAddressAreTakenOut() async throws {
    let address = try FaultyServer.address()
    var credentials = ServiceCredentials()
    let clean = try credentials.take(from: address + "/echo?f=json&Token=planted%2Fsecret%2B4711%3D&x=1")
    #expect(clean == address + "/echo?f=json&x=1")
    let (_, got) = try await Self.echo(HTTPRequest(get: clean), credentials)
    #expect(got["target"]?.string == "/echo?f=json&x=1&Token=REDACTEDREDACTEDREDACTEDRE")
    let error = #expect(throws: ServiceError.self) {
      try credentials.take(from: "http://gis.example/x?token=\(Self.secret)")
    }
    #expect(error.map { Self.leaks("\($0)") } == false)
  }

  /// A secret that is too short could not be masked in a service's answer.
  @Test("A secret in an address that is too short to mask is refused")
  func shortSecretsInAddressesAreRefused() {
    var credentials = ServiceCredentials()
    let error = #expect(throws: ServiceError.self) {
      try credentials.take(from: "https://gis.example/x?key=abc123")
    }
    #expect(error.map { "\($0)".contains("abc123") } == false)
  }

  @Test(
    "A signature in an address counts as a secret",
    arguments: ["X-Amz-Signature", "x-amz-security-token", "X-Goog-Signature", "X-Goog-Credential"])
  func signedAddressesHoldSecrets(name: String) throws {
    var credentials = ServiceCredentials()
    #expect(
      try credentials.take(from: "https://b.example/x?\(name)=0123456789&y=1") == "https://b.example/x?y=1")
  }

  @Test(
    "An invalid credentials file is refused without showing its secrets",
    arguments: [
      (#"{"http://gis.example": {"token": "planted-4711"}}"#, "only sent over https"),
      (#"{"https://gis.example/arcgis": {"token": "planted-4711"}}"#, "belongs to a host"),
      (#"{"https://gis.example": {"token": "4711"}}"#, "fewer than 8"),
      (#"{"https://gis.example": {"tokn": "planted-4711"}}"#, "\"tokn\""),
      (#"{"https://gis.example": {"header": "X-Key"}}"#, "expected"), (#"["planted-4711"]"#, "not an object"),
      (#"{"https://gis.example": {"token": "$planted-4711"}}"#, "environment variable"),
      (#"{"https://gis.example": {"token": "planted\n4711"}}"#, "line end"),
      (#"{"gis.example": {"token": "planted-4711"}}"#, "not a web address"),
    ])
  func filesThatCannotBeRead(json: String, says: String) throws {
    let error = #expect(throws: CredentialsError.self) { try Self.credentials(json) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(says), "\(text)")
    #expect(!Self.leaks(text), "\(text)")
  }
}
