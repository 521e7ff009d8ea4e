import FoundationEssentials

#if MAPSTATE_SERVICES
  public import MapServices
#endif

/// How services are asked.
public struct ServiceAccess: Sendable {
  #if MAPSTATE_SERVICES
    /// What every question may take.
    public var limits = ServiceLimits()
    /// Whether other hosts than this machine may be asked without encryption.
    ///
    /// - Source: `--allow-http`.
    public var allowsPlainHTTP = false
    private var transport: (any HTTPTransport)?
  #endif

  /// As the environment says.
  public init() {}
}

#if MAPSTATE_SERVICES
  extension ServiceAccess {
    /// Services by another way than the network, such as answers made up for a test.
    public init(transport: any HTTPTransport) { self.transport = transport }

    /// What asks a service, and its address without the secrets that a person wrote into it.
    ///
    /// - Throws: ``ServiceError`` for what is no address of the web.
    public func client(for url: String) throws(ServiceError) -> (client: ServiceClient, url: String) {
      let transport =
        self.transport
        ?? RedirectingTransport(
          over: CurlTransport(
            allowsPlainHTTP: allowsPlainHTTP, limits: limits,
            environment: ProcessInfo.processInfo.environment))
      return (ServiceClient(transport: transport, limits: limits), try WebAddress(url).description)
    }
  }
#endif
