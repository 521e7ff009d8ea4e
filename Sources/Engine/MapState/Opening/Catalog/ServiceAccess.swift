import MapSystem

#if Services
  import FoundationEssentials
  import MapGeometry
  import MapJSON
  public import MapServices
#endif

/// The settings for access to services.
public struct ServiceAccess: Sendable {
  /// Whether documents, links and redirects may lead to loopback, private and link-local addresses.
  ///
  /// A service that the caller names may be anywhere.
  /// - Source: `--allow-private`.
  public var allowsPrivateAddresses = false
  /// Whether tiles, and styles with all that they name, are fetched from the network.
  ///
  /// - Source: `--online`.
  public var fetchesTiles = false
  /// Whether no request is sent: tiles come from the cache and from files alone.
  ///
  /// - Source: `--offline`.
  public var isOffline = false
  /// The address of the portal that has the items of documents; nil for ArcGIS Online.
  ///
  /// - Source: `--portal`.
  public var portal: String?
  /// The hosts that requests may reach, by name; all by default.
  ///
  /// - Source: `--allow-host` and `--deny-host`.
  public var hosts = HostRules()
  #if Services
    /// The folder in which fetched tiles are kept; nil keeps none.
    ///
    /// By default, it is `mapstate/tiles` in the folder that `XDG_CACHE_HOME` names, or else in `~/.cache`. Tiles are
    /// kept as long as their server allows, or else for seven days.
    public var tileCacheFolder = AnswerCache.userFolder(ProcessInfo.processInfo.environment)
    /// The greatest size of ``tileCacheFolder`` in bytes, 512 MiB by default; the oldest tiles are removed.
    public var tileCacheBytes = 512 << 20
    /// The rules for repeating a request.
    package var retries = RetryPolicy()
    /// The limits of each request.
    public var limits = ServiceLimits()
    /// Whether other hosts than this machine may be accessed without encryption.
    ///
    /// - Source: `--allow-http`.
    public var allowsPlainHTTP = false
    /// The greatest number of bytes that are fetched from a file on a server, whole or in parts; 256 MiB by default.
    ///
    /// - Source: `--max-download`.
    public var downloadBytes = 256 << 20
    /// Receives each statement of SQL that reads a table of a database; nil receives none.
    ///
    /// - Source: `--explain`.
    public var statementReport: (@Sendable (String) -> Void)?
    /// Receives a line about the requests for each part of a file on a server; nil receives none.
    ///
    /// - Source: `--explain`.
    public var requestReport: (@Sendable (String) -> Void)?
    /// The memory of answers in progress.
    var memory = ResponseMemory.shared
    private var transport: (any HTTPTransport)?
    private var recording: ServiceRecording?
    private var replayed: ReplayedTransport?
  #endif

  /// Creates the default settings; credentials come from the environment.
  public init() {}

  /// Returns whether a text is the address of a portal.
  package static func isPortal(_ text: String) -> Bool {
    guard ["http", "https"].contains(SourceAddress.scheme(of: text)),
      !text.contains(where: { "?#@ ".contains($0) })
    else { return false }
    return PortalItemAddress.base(text).count > "https://".count
  }

  /// Whether portals may be asked about items; an access that sends no request has the reason in its error.
  var asksPortals: Bool {
    #if Services
      fetchesTiles || isOffline || isReplayed
    #else
      false
    #endif
  }
}

#if Services
  extension ServiceAccess {
    /// Whether the answers come from a recording.
    var isReplayed: Bool { replayed != nil }

    /// Creates access through another transport than the network, such as prepared answers of a test.
    ///
    /// Tiles are kept only in a ``tileCacheFolder`` that is set afterwards.
    public init(transport: any HTTPTransport) { (self.transport, tileCacheFolder) = (transport, nil) }

    /// Saves every exchange in a folder, without secrets, for ``replay(from:)``.
    ///
    /// - Parameter isResumed: whether the folder may hold the exchanges of a run that stopped, whose answers are used.
    /// - Source: `--record`, `--resume`.
    public mutating func record(into folder: String, isResumed: Bool = false) {
      recording = ServiceRecording(folder: folder, isResumed: isResumed)
    }

    /// Answers only from a recorded folder, without a network.
    ///
    /// - Source: `--replay`.
    public mutating func replay(from folder: String) { replayed = ReplayedTransport(folder: folder) }

    /// Returns a client for a service, and the service's address without secrets.
    ///
    /// - Parameter isNamedByDocument: whether a document contains the address; it may then lead only to public
    ///   addresses, unless ``allowsPrivateAddresses`` is true.
    /// - Throws: `ServiceError` for an invalid web address, or for credentials that cannot be read.
    public func client(
      for url: String, isNamedByDocument: Bool = false
    ) throws(ServiceError) -> (client: ServiceClient, url: String) {
      try client(for: url, isNamedByDocument: isNamedByDocument, keeping: nil)
    }

    /// Returns the credentials of the file that the environment names; none without network.
    ///
    /// - Throws: `ServiceError` for a file that cannot be read.
    func credentials(
      _ environment: [String: String], for url: String
    ) throws(ServiceError) -> ServiceCredentials {
      guard transport == nil, replayed == nil, !isOffline, let file = environment["MAPSTATE_CREDENTIALS"],
        !file.isEmpty
      else { return ServiceCredentials() }
      do {
        return try ServiceCredentials(JSONValue(parsing: FileAccess.read(file)), environment: environment)
      } catch let error as FileError {
        throw ServiceError("MAPSTATE_CREDENTIALS: \(error)", at: url, kind: .refused)
      } catch {
        throw ServiceError("MAPSTATE_CREDENTIALS: \(file): \(error)", at: url, kind: .refused)
      }
    }

    /// The reason why databases cannot be asked; nil if they can.
    var databaseRefusal: String? {
      if isOffline { return "is not asked, because no request may be sent" }
      if replayed != nil || recording != nil {
        return "recordings hold the answers of web services only; export the table to a file, as in "
          + "mapstate query … -o table.arrow, and name it with --services"
      }
      return transport == nil ? nil : "is not asked, because this access has a transport of its own"
    }

    /// Returns a client for a service; with `keeping`, its answers come from the cache of tiles if they can.
    ///
    /// - Parameter keeping: whether a body may be kept; nil neither uses nor keeps answers.
    func client(
      for url: String, isNamedByDocument: Bool, keeping: (@Sendable ([UInt8]) -> Bool)?
    ) throws(ServiceError) -> (client: ServiceClient, url: String) {
      let made = try client(
        for: url, secretsOf: nil, isNamedByDocument: isNamedByDocument, keeping: keeping)
      return (made.client, made.url)
    }

    /// Returns a client that also has the secrets in another address, for that address's own host.
    ///
    /// - Parameter age: the time in seconds that a kept answer is used if its server states none.
    /// - Parameter signature: the signature of requests to the host of the address; nil for none.
    /// - Returns: The client, the address without secrets, and whether there is a secret for its host.
    func client(
      for url: String, secretsOf other: String?, isNamedByDocument: Bool,
      keeping: (@Sendable ([UInt8]) -> Bool)?, keptFor age: Int = CachedTransport.tileAge,
      signature: AWSSignature? = nil
    ) throws(ServiceError) -> (client: ServiceClient, url: String, hasSecret: Bool) {
      let environment = ProcessInfo.processInfo.environment
      var credentials = try credentials(environment, for: url)
      let address = try credentials.take(from: url)
      let origin = try WebAddress(address).origin
      // A secret of the address itself comes first.
      if let other, !credentials.hasSecret(for: origin), try WebAddress(other).origin == origin {
        _ = try credentials.take(from: other)
      }
      // The transports from the innermost: exchange, signature, credentials of the host, permission to access it, redirects,
      // retries, cache, recording.
      let now: @Sendable () -> Int = { Int(clamping: Date.now.timeIntervalSince1970) }
      var way: any HTTPTransport
      if let replayed {
        way = replayed
      } else if isOffline {
        way = OfflineTransport()
      } else if let transport {
        way = CredentialedTransport(over: transport, credentials: credentials)
      } else {
        way = CurlTransport(
          allowsPlainHTTP: allowsPlainHTTP, limits: limits, memory: memory, environment: environment)
        if let signature {
          way = SignedTransport(over: way, signature, origin: origin, now: now)
        }
        let refusal: @Sendable (String) -> String? = { [hosts] in hosts.refusal(of: $0) }
        // The user's file names the portals that give tokens.
        way = CredentialedTransport(
          over: way, credentials: credentials,
          portals: BoundedTransport(over: way, named: nil, allowsPrivate: true, refusal: refusal))
        way = BoundedTransport(
          over: way, named: isNamedByDocument ? nil : try WebAddress(address),
          allowsPrivate: allowsPrivateAddresses, refusal: refusal)
        way = RedirectingTransport(over: way)
        way = RetryingTransport(over: way, policy: retries, now: now)
      }
      if let keeping, replayed == nil {
        // A document must not lead to tiles of a private server that the user has fetched otherwise.
        way = CachedTransport(
          over: way, cache: tileCacheFolder.map { AnswerCache(folder: $0, limit: tileCacheBytes) },
          isOffline: isOffline, innermost: isNamedByDocument && !allowsPrivateAddresses ? .world : .loopback,
          age: age, isGood: keeping, now: now)
      }
      if let recording { way = RecordedTransport(base: way, recording: recording) }
      return (
        ServiceClient(transport: way, limits: limits), address, credentials.hasSecret(for: origin)
      )
    }
  }
#endif
