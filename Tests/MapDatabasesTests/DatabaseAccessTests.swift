import MapJSON
import MapServices
import Testing

import MapDatabases

/// The rules for the host that is contacted, its encryption and the credentials that it receives.
@Suite struct DatabaseAccessTests {
  private func parameters(
    _ text: String, _ environment: [String: String] = [:], _ change: (inout DatabaseAccess) -> Void = { _ in }
  ) throws -> [String: String] {
    var access = DatabaseAccess(environment: environment)
    change(&access)
    let pairs = try access.parameters(for: DatabaseAddress(text))
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
  }

  private func reason(
    _ text: String, _ environment: [String: String] = [:], _ change: (inout DatabaseAccess) -> Void = { _ in }
  ) -> String? {
    do {
      _ = try parameters(text, environment, change)
      return nil
    } catch {
      return (error as? ServiceError)?.reason ?? "\(error)"
    }
  }

  @Test("Only other hosts than this machine must encrypt")
  func encryption() throws {
    for host in ["db.example.com", "10.1.2.3", "[2001:db8::1]"] {
      #expect(try parameters("postgresql://\(host)/d#t")["sslmode"] == "require")
      #expect(try parameters("postgresql://\(host)/d?sslmode=verify-full#t")["sslmode"] == "verify-full")
      #expect(try parameters("postgresql://\(host)/d#t", ["PGSSLMODE": "prefer"])["sslmode"] == "require")
      // libpq reads the variable itself.
      #expect(try parameters("postgresql://\(host)/d#t", ["PGSSLMODE": "verify-ca"])["sslmode"] == nil)
      #expect(
        try parameters("postgresql://\(host)/d#t", [:]) { $0.allowsPlainConnections = true }["sslmode"] == nil
      )
      let refused = reason("postgresql://\(host)/d?sslmode=disable#t") ?? ""
      #expect(refused.hasPrefix("sslmode=disable allows a connection without encryption"))
      #expect(refused.hasSuffix("allow it with --allow-http"))
    }
    for host in [
      "localhost", "127.0.0.1", "[::1]", "%2Frun%2Fpostgresql", "",
    ] {
      #expect(try parameters("postgresql://\(host)/d#t")["sslmode"] == nil, "\(host)")
      #expect(try parameters("postgresql://\(host)/d?sslmode=disable#t")["sslmode"] == "disable", "\(host)")
    }
    // The environment may lead elsewhere.
    #expect(try parameters("postgresql:///d#t", ["PGHOST": "db.example.com"])["sslmode"] == "require")
    #expect(try parameters("postgresql:///d#t", ["PGHOST": "/run/postgresql"])["sslmode"] == nil)
    #expect(try parameters("postgresql://localhost/d#t", ["PGHOSTADDR": "10.0.0.1"])["sslmode"] == "require")
  }

  @Test("A document may lead only to public addresses, unless that is allowed")
  func documents() throws {
    for host in [
      "localhost", "127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "[fe80::1%25lo]", "%2Frun", "",
    ] {
      let text = "postgresql://\(host)/d#t"
      let refused = reason(text) { $0.isNamedByDocument = true } ?? "none"
      #expect(refused.hasPrefix("refused: "), "\(host): \(refused)")
      #expect(refused.hasSuffix("a document may not lead there; allow it with --allow-private"), "\(refused)")
      #expect(reason(text) == nil)
      #expect(
        reason(text) {
          $0.isNamedByDocument = true
          $0.allowsPrivateAddresses = true
        } == nil)
    }
    let open = try parameters("postgresql://8.8.8.8:5433/d#t") { $0.isNamedByDocument = true }
    #expect(open["host"] == "8.8.8.8" && open["hostaddr"] == "8.8.8.8" && open["port"] == "5433")
    #expect(open["sslmode"] == "require")
  }

  @Test("A password of the environment is not sent to a host that only a document names")
  func environmentPasswords() {
    let text = "postgresql://8.8.8.8/d#t"
    for name in ["PGPASSWORD", "PGSERVICE"] {
      let refused = reason(text, [name: "open-sesame"]) { $0.isNamedByDocument = true } ?? "none"
      #expect(
        refused.hasPrefix("\(name) is set, and would be used for a host that a document names; set PGHOST"))
      #expect(!refused.contains("open-sesame"))
      // libpq reads the environment for an empty password.
      for empty in ["postgresql://u:@8.8.8.8/d#t", "postgresql://8.8.8.8/d?password=#t"] {
        #expect(reason(empty, [name: "open-sesame"]) { $0.isNamedByDocument = true } == refused)
      }
      #expect(
        reason(text, [name: "open-sesame", "PGHOST": "9.9.9.9"]) { $0.isNamedByDocument = true } != nil)
      #expect(
        reason(text, [name: "open-sesame", "PGHOST": "8.8.8.8"]) { $0.isNamedByDocument = true } == nil)
      #expect(reason(text, [name: "open-sesame"]) == nil)
    }
  }

  @Test("The credentials file gives user and password to the host and port that it names")
  func credentials() throws {
    let json = try JSONValue(
      parsing:
        #"{"postgresql://DB.example.com": {"user": "anna", "password": "$WORD"}, "postgresql://h:7": {"password": "x9"}}"#
    )
    let credentials = try ServiceCredentials(json, environment: ["WORD": "open-sesame"])
    #expect("\(credentials)" == "secrets for 2 hosts")
    func login(_ text: String) throws -> [String?] {
      let found = try parameters(text, [:]) { $0.credentials = credentials }
      return [found["user"], found["password"]]
    }
    #expect(try login("postgresql://db.example.com/d#t") == ["anna", "open-sesame"])
    #expect(try login("postgresql://db.example.com:5432/d#t") == ["anna", "open-sesame"])
    #expect(try login("postgresql://db.example.com:5433/d#t") == [nil, nil])
    #expect(try login("postgresql://bob:b0b@h:7/d#t") == ["bob", "b0b"])
    #expect(try login("postgresql://h:7/d#t") == [nil, "x9"])
    // The file lists this host, so a document may use it.
    #expect(
      try parameters("postgresql://8.8.8.8/d#t", ["PGPASSWORD": "other"]) {
        $0.isNamedByDocument = true
        $0.credentials =
          (try? ServiceCredentials(
            JSONValue(parsing: #"{"postgresql://8.8.8.8": {"password": "own"}}"#), environment: [:]))
          ?? credentials
      }["password"] == "own")
  }

  @Test(
    "A wrong entry of the credentials file is refused without its secret",
    arguments: [
      (#"{"postgresql://h/d": {"password": "sesame"}}"#, "belongs to a host"),
      (#"{"postgresql://a:sesame@h": {"password": "b"}}"#, "belongs to a host"),
      (
        #"{"postgresql://h": {"token": "sesame"}}"#,
        #"postgresql://h:5432: "token" is none of user, password"#
      ),
      (#"{"postgresql://h": {"user": "a"}}"#, #"expected "password""#),
      (#"{"postgresql://h": {"password": "$sesame"}}"#, "no environment variable has the name after its $"),
    ])
  func wrongCredentials(_ text: String, _ reason: String) throws {
    let json = try JSONValue(parsing: text)
    #expect {
      try ServiceCredentials(json, environment: [:])
    } throws: {
      "\($0)".contains(reason) && !"\($0)".contains("sesame")
    }
  }
}
