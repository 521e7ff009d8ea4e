import MapJSON
import MapServices
import MapTestSupport
import Synchronization
import Testing

/// Tokens of portals: how they are asked for, sent and replaced.
@Suite struct PortalTokenTests {
  private static let password = "planted/secret+4711="

  /// Requests over a stub for a portal and its servers, and the stub.
  private static func client(
    _ credentials: String, _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws -> (client: CredentialedTransport, stub: StubTransport) {
    let stub = StubTransport { (request) throws(ServiceError) in answer(request) }
    let credentials = try ServiceCredentials(
      JSONValue(parsing: credentials), environment: ["PW": Self.password])
    return (CredentialedTransport(over: stub, credentials: credentials), stub)
  }

  private static func get(_ url: String, _ client: CredentialedTransport) async throws -> HTTPResponse {
    try await client.response(to: HTTPRequest(get: url), before: .now + .seconds(60))
  }

  private static func token(_ value: String, end: Int = 4_102_444_800_000) -> HTTPResponse {
    HTTPResponse(json: #"{"token": "\#(value)", "expires": \#(end), "ssl": true}"#)
  }

  @Test("The token of a sign-in is asked for once, and sent to the portal and to the listed hosts alone")
  func origins() async throws {
    let (client, stub) = try Self.client(
      #"""
      {"https://one.example/portal/": {"user": "anna", "password": "$PW",
        "servers": ["https://gis.one.example", "https://maps.one.example:8443"]}}
      """#
    ) { request in
      request.url.hasSuffix("/generateToken") ? Self.token("token-of-one") : HTTPResponse(json: "{}")
    }
    for url in [
      "https://one.example/portal/sharing/rest/content/items/a", "https://one.example/other",
      "https://gis.one.example/arcgis/rest/services", "https://maps.one.example:8443/x",
    ] { _ = try await Self.get(url, client) }
    for url in ["https://maps.one.example/x", "https://two.example/x", "http://one.example/x"] {
      _ = try await Self.get(url, client)
    }
    let sent = stub.requests
    #expect(sent.count == 8)
    #expect(sent[0].url == "https://one.example/portal/sharing/rest/generateToken" && sent[0].method == .post)
    #expect(
      sent[0].parameters == [
        "username": "anna", "password": Self.password, "client": "referer",
        "referer": "https://one.example/portal", "expiration": "60", "f": "json",
      ])
    for request in sent[1...4] {
      #expect(request.header["X-Esri-Authorization"] == "Bearer token-of-one", "\(request.url)")
      #expect(request.header["Referer"] == "https://one.example/portal")
    }
    for request in sent[5...] { #expect(request.header.isEmpty, "\(request.url)") }
  }

  @Test("An application gets a token by OAuth 2.0, without a referer")
  func application() async throws {
    let (client, stub) = try Self.client(
      #"{"https://app.example": {"client": "id-of-app", "secret": "$PW"}}"#
    ) { request in
      request.url.hasSuffix("/oauth2/token")
        ? HTTPResponse(json: #"{"access_token": "token-of-app", "expires_in": 7200}"#)
        : HTTPResponse(json: #"{"echo": "token-of-app"}"#)
    }
    let answer = try await Self.get("https://app.example/x", client)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"echo": "REDACTEDREDA"}"#)
    _ = try await Self.get("https://app.example/y", client)
    #expect(
      stub.requests.map(\.url) == [
        "https://app.example/sharing/rest/oauth2/token", "https://app.example/x", "https://app.example/y",
      ])
    #expect(
      stub.requests[0].parameters == [
        "client_id": "id-of-app", "client_secret": Self.password, "grant_type": "client_credentials",
        "expiration": "60", "f": "json",
      ])
    #expect(stub.requests[1].header == ["X-Esri-Authorization": "Bearer token-of-app"])
  }

  @Test(
    "A refused token is replaced once",
    arguments: [
      HTTPResponse(json: #"{"error": {"code": 498, "message": "Invalid token."}}"#),
      HTTPResponse(json: #"{"error": {"code": 499, "message": "Token Required."}}"#),
      HTTPResponse(json: "", status: 498),
    ])
  func refused(refusal: HTTPResponse) async throws {
    let count = Mutex(0)
    let host = "https://h\(refusal.hashValue.magnitude).example"
    let (client, stub) = try Self.client(#"{"\#(host)": {"user": "a", "password": "$PW"}}"#) { request in
      guard request.url.hasSuffix("/generateToken") else {
        // The second token is valid, unless the request is never permitted.
        let isGood = request.header["X-Esri-Authorization"] == "Bearer token-no-2"
        return isGood && !request.url.hasSuffix("/never") ? HTTPResponse(json: "{}") : refusal
      }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return Self.token("token-no-\(number)")
    }
    #expect(try await Self.get(host + "/x", client).body == Array("{}".utf8))
    #expect(stub.requests.count == 4)
    _ = try await Self.get(host + "/x", client)
    #expect(stub.requests.count == 5)
    #expect(try await Self.get(host + "/never", client).status == refusal.status)
    #expect(stub.requests.count == 8)
  }

  @Test("A token that ends within a minute is replaced before the next request")
  func ends() async throws {
    let (client, stub) = try Self.client(#"{"https://short.example": {"user": "a", "password": "$PW"}}"#) {
      request in
      request.url.hasSuffix("/generateToken")
        ? Self.token("short-token", end: 1000) : HTTPResponse(json: "{}")
    }
    for _ in 0..<3 { _ = try await Self.get("https://short.example/x", client) }
    #expect(stub.requests.count == 6)
  }

  @Test("Concurrent requests wait for one token")
  func together() async throws {
    let (client, stub) = try Self.client(#"{"https://many.example": {"user": "a", "password": "$PW"}}"#) {
      request in
      request.url.hasSuffix("/generateToken") ? Self.token("token-of-many") : HTTPResponse(json: "{}")
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await Self.get("https://many.example/x", client) } }
    }
    #expect(stub.requests.count == 21)
  }

  @Test(
    "A portal that gives no token is an error without the password",
    arguments: [
      (#"{"error": {"code": 400, "message": "No user anna with planted/secret+4711=", "details": []}}"#, 200),
      ("<html><title>planted/secret+4711=</title></html>", 200), ("{}", 200), ("", 503),
      (#"{"token": "a\nb: planted/secret+4711="}"#, 200),
    ])
  func noToken(body: String, status: Int) async throws {
    let host = "https://n\(body.hashValue.magnitude).example"
    let (client, stub) = try Self.client(#"{"\#(host)": {"user": "anna", "password": "$PW"}}"#) { _ in
      HTTPResponse(json: body, status: status)
    }
    let error = await #expect(throws: ServiceError.self) { try await Self.get(host + "/x", client) }
    let text = error?.description ?? ""
    #expect(text.contains("gave no token for the sign-in of MAPSTATE_CREDENTIALS"), "\(text)")
    #expect(!text.contains("planted") && !text.contains("4711"), "\(text)")
    #expect(stub.requests.count == 1)
  }

  @Test(
    "A wrong sign-in is an error that names the host",
    arguments: [
      (#"{"http://one.example": {"user": "a", "password": "$PW"}}"#, "only sent over https"),
      (#"{"https://one.example": {"user": "a"}}"#, "expected \"user\" with \"password\""),
      (#"{"https://one.example": {"client": "a", "password": "$PW"}}"#, "or \"client\" with \"secret\""),
      (#"{"https://one.example": {"user": "a", "password": "short"}}"#, "fewer than 8 characters"),
      (#"{"https://one.example": {"user": "a", "password": "$NONE"}}"#, "no environment variable"),
      (#"{"https://one.example": {"user": "a", "password": "$PW", "token": "b"}}"#, "\"token\" is none of"),
      (
        #"{"https://one.example": {"user": "a", "password": "$PW", "servers": ["http://gis.example"]}}"#,
        "\"servers\" lists the hosts"
      ),
      (
        #"{"https://one.example": {"user": "a", "password": "$PW", "servers": ["https://gis.example/arcgis"]}}"#,
        "\"servers\" lists the hosts"
      ),
    ])
  func wrong(json: String, reason: String) throws {
    let error = #expect(throws: CredentialsError.self) {
      try ServiceCredentials(JSONValue(parsing: json), environment: ["PW": Self.password])
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    #expect(
      error?.description.contains("one.example") == true && error?.description.contains("4711") == false)
  }
}
