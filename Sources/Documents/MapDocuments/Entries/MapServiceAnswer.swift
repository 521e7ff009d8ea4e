package import MapJSON

/// The answer to the question which sublayers a map service has.
package enum MapServiceAnswer: Sendable {
  /// The description of the service, with its list `layers`.
  case described(JSONValue)
  /// The reason why the service has not described itself.
  case failed(String)
}

extension MapServiceAnswer {
  /// Returns the addresses of the map services in a list of layers, also in groups, whose sublayers must be known.
  ///
  /// - Parameter includesHidden: whether hidden map services are returned.
  package static func addresses(in document: JSONValue, includesHidden: Bool) -> [String] {
    func addresses(_ layers: JSONValue?) -> [String] {
      (layers?.array ?? []).flatMap { layer -> [String] in
        guard includesHidden || layer["visibility"]?.boolean != false else { return [] }
        let type = (layer["layerType"] ?? layer["type"])?.string
        if type == "GroupLayer" { return addresses(layer["layers"]) }
        guard (layer["featureCollection"] ?? .null).isNull, let url = layer["url"]?.string,
          DocumentObject.isMapService(type: type, url: url)
        else { return [] }
        return [url]
      }
    }
    return addresses(document["operationalLayers"])
  }
}
