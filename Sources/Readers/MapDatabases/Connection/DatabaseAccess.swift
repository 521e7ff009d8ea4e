import Glibc
package import MapServices

/// The settings for access to a database, and the rules for the address that is contacted.
package struct DatabaseAccess: Sendable {
  /// Whether a document contains the address; it may then lead only to public addresses.
  package var isNamedByDocument = false
  /// Whether a document may lead to any address.
  package var allowsPrivateAddresses = false
  /// Whether other hosts than this machine may be accessed without encryption.
  package var allowsPlainConnections = false
  /// The limits of the time and the number of rows.
  package var limits = ServiceLimits()
  /// The number of rows up to which a table is read whole.
  ///
  /// - Source: design decision; so many rows take less time than the questions of one command.
  package var wholeRows = 100_000
  /// The number of rows for each cell of an image from which a database counts points by cell.
  ///
  /// - Source: measured with PostgreSQL 15: a million points in nearly as many cells take six times the processor time of
  ///   sending them, and in few cells two to three times.
  package var rowsPerCell = 16.0
  /// Receives each statement that reads a table; nil receives none.
  package var report: (@Sendable (String) -> Void)?
  /// The credentials of the caller's file.
  package var credentials = ServiceCredentials()
  /// The environment, in which libpq also reads its own variables.
  package var environment: [String: String]

  /// Creates the default settings.
  package init(environment: [String: String]) { self.environment = environment }

  /// The values of `sslmode` that refuse a connection without encryption.
  private static let encrypted: Set<String> = ["require", "verify-ca", "verify-full"]

  /// Returns libpq's parameters for an address, after it has been checked.
  ///
  /// - Throws: ``ServiceError`` for an address, or for a use of credentials, that the rules forbid.
  package func parameters(for address: DatabaseAddress) throws(ServiceError) -> [(
    name: String, value: String
  )] {
    func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: address.shown, kind: .refused) }
    let login = credentials.login(for: address.origin)
    var parameters = [
      ("client_encoding", "UTF8"), ("application_name", "mapstate"), ("host", address.host),
      ("port", address.port.map { "\($0)" } ?? ""), ("dbname", address.database),
      ("user", address.user ?? login?.user ?? ""), ("password", address.password ?? login?.password ?? ""),
    ]
    let isBound = address.password != nil || login != nil
    if isNamedByDocument, !allowsPrivateAddresses {
      let addresses = try publicAddresses(of: address)
      // libpq then contacts the addresses that were checked.
      parameters.removeAll { $0.0 == "host" }
      parameters.append(("host", addresses.map { _ in address.host }.joined(separator: ",")))
      parameters.append(("hostaddr", addresses.joined(separator: ",")))
    }
    let isOwnHost =
      environment["PGHOST"] == address.host && !address.host.isEmpty
      && (environment["PGPORT"] ?? "5432") == "\(address.port ?? 5432)"
    if isNamedByDocument, !isBound, !isOwnHost {
      for name in ["PGPASSWORD", "PGSERVICE"] where !(environment[name] ?? "").isEmpty {
        throw fault(
          "\(name) is set, and would be used for a host that a document names; set PGHOST to that host, or list the "
            + "host in the file that MAPSTATE_CREDENTIALS names")
      }
      // A line of ~/.pgpass may be meant for any host, and a ticket of Kerberos proves who the user is.
      parameters += [("passfile", "/nonexistent"), ("gssencmode", "disable")]
    }
    let requested = address.encryption ?? environment["PGSSLMODE"] ?? ""
    if !isOnThisMachine(address), !allowsPlainConnections, !Self.encrypted.contains(requested) {
      guard address.encryption == nil else {
        throw fault(
          "sslmode=\(requested) allows a connection without encryption, which others can read and change; use "
            + "require or verify-full, or allow it with --allow-http")
      }
      parameters.append(("sslmode", "require"))
    } else if let encryption = address.encryption {
      parameters.append(("sslmode", encryption))
    }
    return parameters.filter { !$0.1.isEmpty }
  }

  /// The secrets that messages must not repeat.
  package func secrets(for address: DatabaseAddress) -> [String] {
    [address.password, credentials.login(for: address.origin)?.password, environment["PGPASSWORD"]]
      .compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// Whether an address leads to this machine in any case.
  private func isOnThisMachine(_ address: DatabaseAddress) -> Bool {
    // A service may lead anywhere, and the address of a document was found to be public.
    guard (environment["PGSERVICE"] ?? "").isEmpty, !isNamedByDocument || allowsPrivateAddresses else {
      return false
    }
    let host = address.host.isEmpty ? environment["PGHOST"] ?? "" : address.host
    if let numeric = environment["PGHOSTADDR"], !numeric.isEmpty {
      return numeric.split(separator: ",").allSatisfy { NetworkReach(address: String($0)) == .loopback }
    }
    guard address.host.isEmpty || !address.isSocket else { return true }
    return host.split(separator: ",").allSatisfy {
      $0.hasPrefix("/") || $0.hasPrefix("@") || NetworkReach(host: String($0)) == .loopback
    }
  }

  /// Returns the numeric addresses of a host, which must all be public.
  private func publicAddresses(of address: DatabaseAddress) throws(ServiceError) -> [String] {
    func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: address.shown, kind: .refused) }
    let rule = "and a document may not lead there; allow it with --allow-private"
    guard !address.isSocket else { throw fault("refused: it is a socket of this machine, \(rule)") }
    let addresses: [String]
    if NetworkReach(address: address.host) != nil {
      addresses = [address.host]
    } else {
      addresses = Self.resolved(address.host)
      guard !addresses.isEmpty else { throw fault("its host has no address") }
    }
    for numeric in addresses {
      // An address with a zone, such as fe80::1%eth0, is one of the local link.
      let reach = NetworkReach(address: numeric) ?? .linkLocal
      guard reach < .world else { continue }
      let found = numeric == address.host ? "it is" : "its host resolves to \(numeric),"
      throw fault("refused: \(found) \(reach.name), \(rule)")
    }
    return addresses
  }

  /// Returns the numeric addresses of a name; none without an answer.
  private static func resolved(_ host: String) -> [String] {
    var wanted = addrinfo()
    wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &wanted, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      if getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        == 0
      {
        addresses.append(
          String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      next = entry.pointee.ai_next
    }
    return addresses
  }
}
