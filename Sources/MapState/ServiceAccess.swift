#if MAPSTATE_SERVICES
  import FoundationEssentials
  import MapGeometry
  import MapJSON
  public import MapServices
#endif

/// How services are asked.
public struct ServiceAccess: Sendable {
  /// Whether documents, links and redirects may lead to loopback, private and link-local addresses.
  ///
  /// A service that the caller names may lie anywhere.
  /// - Source: `--allow-private`.
  public var allowsPrivateAddresses = false
  #if MAPSTATE_SERVICES
    /// What every question may take.
    public var limits = ServiceLimits()
    /// Whether other hosts than this machine may be asked without encryption.
    ///
    /// - Source: `--allow-http`.
    public var allowsPlainHTTP = false
    private var transport: (any HTTPTransport)?
    private var recording: ServiceRecording?
    private var replayed: ReplayedTransport?
  #endif

  /// As the environment says.
  public init() {}
}

#if MAPSTATE_SERVICES
  extension ServiceAccess {
    /// Services by another way than the network, such as answers made up for a test.
    public init(transport: any HTTPTransport) { self.transport = transport }

    /// Keeps every exchange in a folder, without secrets, for ``replay(from:)``.
    ///
    /// - Source: `--record`.
    public mutating func record(into folder: String) { recording = ServiceRecording(folder: folder) }

    /// Answers from a recorded folder alone, without a network.
    ///
    /// - Source: `--replay`.
    public mutating func replay(from folder: String) { replayed = ReplayedTransport(folder: folder) }

    /// What asks a service, and its address without the secrets that a person wrote into it.
    ///
    /// - Parameter isNamedByDocument: true for an address of a document, which may only lead to public addresses unless
    ///   ``allowsPrivateAddresses``.
    /// - Throws: ``ServiceError`` for what is no address of the web, or credentials that cannot be read.
    public func client(
      for url: String, isNamedByDocument: Bool = false
    ) throws(ServiceError) -> (client: ServiceClient, url: String) {
      let environment = ProcessInfo.processInfo.environment
      var credentials = ServiceCredentials()
      if transport == nil, replayed == nil, let file = environment["MAPSTATE_CREDENTIALS"], !file.isEmpty {
        do {
          credentials = try ServiceCredentials(
            JSONValue(parsing: FileAccess.read(file)), environment: environment)
        } catch let error as FileError {
          throw ServiceError("MAPSTATE_CREDENTIALS: \(error)", at: url, kind: .refused)
        } catch {
          throw ServiceError("MAPSTATE_CREDENTIALS: \(file): \(error)", at: url, kind: .refused)
        }
      }
      let address = try credentials.take(from: url)
      // From the inside: an exchange, the secrets of its host, whether it may be asked, where it leads, another try, what is kept of it.
      var way: any HTTPTransport
      if let replayed {
        way = replayed
      } else if let transport {
        way = CredentialedTransport(over: transport, credentials: credentials)
      } else {
        way = CurlTransport(allowsPlainHTTP: allowsPlainHTTP, limits: limits, environment: environment)
        way = CredentialedTransport(over: way, credentials: credentials)
        way = BoundedTransport(
          over: way, named: isNamedByDocument ? nil : try WebAddress(address),
          allowsPrivate: allowsPrivateAddresses)
        way = RedirectingTransport(over: way)
        way = RetryingTransport(over: way, now: { Int(clamping: Date.now.timeIntervalSince1970) })
      }
      if let recording { way = RecordedTransport(base: way, recording: recording) }
      return (ServiceClient(transport: way, limits: limits), address)
    }
  }
#endif
