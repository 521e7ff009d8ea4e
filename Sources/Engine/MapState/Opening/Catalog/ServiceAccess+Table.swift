import MapFeatures
import MapReaders

#if Services
  import MapDatabases
  import MapServices
#endif

extension ServiceAccess {
  /// Returns the table at an address: a layer of an ArcGIS service, a collection of an OGC API, or a type of features of
  /// a Web Feature Service.
  ///
  /// - Parameters:
  ///   - isNamedByDocument: whether a document contains the address.
  ///   - parameters: those that are added to each request to the host of the address.
  /// - Throws: ``MapStateError`` of kind service, or of kind input for any other address.
  func table(
    at url: String, isNamedByDocument: Bool, adding parameters: [ServiceParameter] = []
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    #if Services
      do {
        let (client, address) = try client(
          for: url, isNamedByDocument: isNamedByDocument, adding: parameters)
        let words = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map { $0.lowercased() }
        let layer: any ServiceLayer
        if WFSAddress.isOne(url) {
          // A client's address has no fragment, which names the type.
          layer = try await WFSFeatureType.open(address + url.drop { $0 != "#" }, client: client)
        } else if words.contains("featureserver") || words.contains("mapserver") {
          layer = try await ArcGISLayer.open(address, client: client)
        } else if words.contains("collections") {
          layer = try await OGCFeatureCollection.open(address, client: client)
        } else {
          throw MapStateError(
            .input,
            "\(address): is neither a layer of an ArcGIS service (…/FeatureServer/0) nor a collection of an OGC API "
              + "(…/collections/NAME) nor a type of a Web Feature Service (…?service=WFS&typeNames=NAME)")
        }
        let source = try await ServiceSource(layer, operations: .installed)
        let name = layer.metadata.name
        return (source, name.isEmpty ? StandInCatalog.name(of: address) : name)
      } catch {
        throw MapStateError(error)
      }
    #else
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): this build has no services; give a stand-in for it with --services FILE"
      )
    #endif
  }

  /// Returns the bytes at an address, within the limits of a request.
  ///
  /// - Parameters:
  ///   - isNamedByDocument: whether a document contains the address.
  ///   - parameters: the names and values that are added to the address.
  ///   - others: parameters that are added if the address has none of their names.
  /// - Throws: ``MapStateError`` of kind service.
  func data(
    at url: String, isNamedByDocument: Bool, asks parameters: [(name: String, value: String)] = [],
    adding others: [ServiceParameter] = []
  ) async throws(MapStateError) -> [UInt8] {
    #if Services
      do {
        let place = String(url.prefix { $0 != "#" })
        let (client, address) = try client(for: place, isNamedByDocument: isNamedByDocument, adding: others)
        let response = try await client.begun().response(to: HTTPRequest(get: address, parameters))
        guard response.status == 200 else {
          throw ServiceError("answered \(response.status)", at: SourceAddress.shown(place))
        }
        return response.body
      } catch {
        throw MapStateError(error)
      }
    #else
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): this build has no services; give a stand-in for it with --services FILE"
      )
    #endif
  }

  /// Returns an address without tokens and keys, as a document may contain it.
  package static func withoutSecrets(_ url: String) -> String {
    #if Services
      if SourceAddress.isOfDatabase(url) {
        return SourceAddress.parts(of: url).map {
          (try? DatabaseAddress($0))?.description ?? SourceAddress.shown($0)
        }.joined(separator: " ")
      }
      var credentials = ServiceCredentials()
      guard let address = try? credentials.take(from: url) else { return SourceAddress.shown(url) }
      // The fragment names the type of features.
      return WFSAddress.isOne(url) ? address + url.drop { $0 != "#" } : address
    #else
      return SourceAddress.shown(url)
    #endif
  }
}

#if Services
  extension ServiceAccess {
    /// Returns a client that adds parameters to the requests to the host of an address, and the address without secrets.
    ///
    /// Parameters that hold secrets are treated as those of the address: sent over https alone, and hidden in answers.
    private func client(
      for url: String, isNamedByDocument: Bool, adding parameters: [ServiceParameter]
    ) throws(ServiceError) -> (client: ServiceClient, url: String) {
      let secrets = parameters.filter { SecretNames.isSecret($0.name) }
      let (client, address) = try client(for: secrets.added(to: url), isNamedByDocument: isNamedByDocument)
      let others = parameters.filter { !SecretNames.isSecret($0.name) }
      return (client.adding(others, to: try WebAddress(address).origin), address)
    }
  }
#endif
