import MapFeatures

#if Services
  import MapDatabases
  import MapServices
#endif

extension ServiceAccess {
  /// Returns the table at an address: a layer of an ArcGIS service, or a collection of an OGC API.
  ///
  /// - Parameter isNamedByDocument: whether a document contains the address.
  /// - Throws: ``MapStateError`` of kind service, or of kind input for any other address.
  func table(
    at url: String, isNamedByDocument: Bool
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    #if Services
      do {
        let (client, address) = try client(for: url, isNamedByDocument: isNamedByDocument)
        let words = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map { $0.lowercased() }
        let layer: any ServiceLayer
        if words.contains("featureserver") || words.contains("mapserver") {
          layer = try await ArcGISLayer.open(address, client: client)
        } else if words.contains("collections") {
          layer = try await OGCFeatureCollection.open(address, client: client)
        } else {
          throw MapStateError(
            .input,
            "\(address): is neither a layer of an ArcGIS service (…/FeatureServer/0) nor a collection of an OGC API "
              + "(…/collections/NAME)")
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
  /// - Throws: ``MapStateError`` of kind service.
  func data(
    at url: String, isNamedByDocument: Bool, asks parameters: [(name: String, value: String)] = []
  ) async throws(MapStateError) -> [UInt8] {
    #if Services
      do {
        let place = String(url.prefix { $0 != "#" })
        let (client, address) = try client(for: place, isNamedByDocument: isNamedByDocument)
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
      return (try? credentials.take(from: url)) ?? SourceAddress.shown(url)
    #else
      return SourceAddress.shown(url)
    #endif
  }
}
