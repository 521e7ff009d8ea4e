package import MapJSON
package import MapReaders

/// The answer to the question which sublayers a map service has.
package enum MapServiceAnswer: Sendable {
  /// The description of the service, with its list `layers`.
  case described(JSONValue)
  /// The reason why the service has not described itself.
  case failed(String)
}

extension MapServiceAnswer {
  /// Returns the addresses of the map services in a list of layers, also in groups, whose sublayers must be known, with
  /// the parameters that are added to requests.
  ///
  /// - Parameter includesHidden: whether hidden map services are returned.
  package static func addresses(
    in document: JSONValue, includesHidden: Bool
  ) -> [(url: String, parameters: [ServiceParameter])] {
    func addresses(_ layers: JSONValue?) -> [(url: String, parameters: [ServiceParameter])] {
      (layers?.array ?? []).flatMap { layer -> [(url: String, parameters: [ServiceParameter])] in
        guard includesHidden || layer["visibility"]?.boolean != false else { return [] }
        let type = (layer["layerType"] ?? layer["type"])?.string
        if type == "GroupLayer" { return addresses(layer["layers"]) }
        guard (layer["featureCollection"] ?? .null).isNull, let url = layer["url"]?.string,
          DocumentObject.isMapService(type: type, url: url)
        else { return [] }
        return [(url, CustomParameters.list(layer["customParameters"]))]
      }
    }
    return addresses(document["operationalLayers"])
  }
}
