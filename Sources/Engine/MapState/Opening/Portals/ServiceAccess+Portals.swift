import MapJSON
import MapSystem

#if Services
  import MapServices
#endif

/// Items of portals: what a portal says of them.
extension ServiceAccess {
  /// Returns the description of an item.
  ///
  /// - Throws: ``MapStateError``, also where portals may not be asked.
  func item(_ address: PortalItemAddress) async throws(MapStateError) -> PortalItemDescription {
    PortalItemDescription(try await portalJSON(at: address.url, of: address), at: address)
  }

  /// Returns the JSON at an address of a portal, or at that of the service of an item.
  ///
  /// - Throws: ``MapStateError``, also where portals may not be asked.
  func portalJSON(
    at url: String, _ parameters: [(name: String, value: String)] = [], of item: PortalItemAddress? = nil
  ) async throws(MapStateError) -> JSONValue {
    guard asksPortals else { throw MapStateError.itemNotAsked(item?.url ?? url) }
    #if Services
      let work = CurrentWork.begin("reading \(SourceAddress.shown(url))")
      defer { CurrentWork.end(work) }
      do throws(ServiceError) {
        // A person names the portal, and the portal names its services.
        let isOfPortal = StylePlace(
          address: item?.portal ?? PortalItemAddress.base(url), isNamedByDocument: false
        ).isNamedByPerson(url)
        let (client, address, _) = try client(
          for: url, secretsOf: item?.secrets, isNamedByDocument: !isOfPortal, keeping: nil)
        return try await client.arcGISObject(at: address, parameters)
      } catch { throw MapStateError(error, kind: .service) }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(url)): this build has no services")
    #endif
  }

  /// Returns the layers of a feature service, or the one that the address of its item names.
  func layers(
    ofFeatureService item: PortalItemDescription, _ entry: JSONObject = [:]
  ) async throws(MapStateError) -> [JSONObject] {
    guard let url = item.url else { throw item.lacks("address", in: nil) }
    let settings = try await settings(of: item.address)
    let (service, number) = SourceAddress.sublayer(url)
    if let number = number ?? item.address.layer {
      var layer = entry
      layer["url"] = .string("\(service)/\(number)")
      layer.fill(from: settings[number] ?? [:])
      return [layer]
    }
    let description = try await portalJSON(at: service, of: item.address)
    let layers = (description["layers"]?.array ?? []).filter { layer in
      layer["id"]?.integer != nil && layer["subLayerIds"]?.array?.isEmpty ?? true
    }
    guard !layers.isEmpty else { throw item.lacks("layers", in: service) }
    // Services number their layers from the top.
    return layers.reversed().map { written in
      let number = written["id"]?.integer ?? 0
      var layer = entry
      layer["url"] = .string("\(service)/\(number)")
      if layers.count > 1 {
        layer["id"] = .string("\(item.address.id)_\(number)")
        layer["title"] = .string(written["name"]?.string ?? "\(item.title) \(number)")
      }
      if written["defaultVisibility"]?.boolean == false { layer["visibility"] = false }
      layer.fill(from: settings[number] ?? [:])
      return layer
    }
  }

  /// Returns what an item says of the layers of its service, by their numbers.
  ///
  /// - Throws: ``MapStateError``.
  func settings(of item: PortalItemAddress) async throws(MapStateError) -> [Int: JSONObject] {
    var settings: [Int: JSONObject] = [:]
    for layer in try await portalJSON(at: item.data, of: item)["layers"]?.array ?? [] {
      guard let number = layer["id"]?.integer, let written = layer.object else { continue }
      var kept = JSONObject()
      for name in Self.layerSettings { kept[name] = written[name] }
      settings[number] = kept
    }
    return settings
  }

  /// The members of a layer in the data of an item that a web map may have, too.
  private static let layerSettings = [
    "layerDefinition", "popupInfo", "disablePopup", "showLabels", "showLegend", "opacity", "visibility",
    "blendMode", "effect", "featureEffect", "refreshInterval",
  ]

  /// Returns the address of the table of an item: a layer of a feature service, or a file.
  ///
  /// - Throws: ``MapStateError``.
  func table(of address: PortalItemAddress) async throws(MapStateError) -> String {
    let item = try await item(address)
    guard ["Feature Service", "CSV", "GeoJson"].contains(item.type) else {
      throw item.unsuitable("a table", types: ["Feature Service", "CSV", "GeoJson"])
    }
    guard item.type == "Feature Service" else { return item.url ?? item.address.data }
    guard let url = try await layers(ofFeatureService: item).last?["url"]?.string else {
      throw item.lacks("address", in: nil)
    }
    return url
  }
}

extension PortalItemDescription {
  /// Returns the error for an item without a part.
  func lacks(_ part: String, in place: String?) -> MapStateError {
    MapStateError(
      .service, "\(address.url): the item \"\(title)\" has no \(part)" + (place.map { " at \($0)" } ?? ""))
  }
}

extension MapStateError {
  /// Returns the error for an item of a portal that may not be asked.
  static func itemNotAsked(_ address: String) -> MapStateError {
    MapStateError(
      .service,
      "\(address): portal items are asked only with --online; or map this address to a file with --services")
  }
}

extension JSONObject {
  /// Adds the members that the object lacks, also those of its layer definition.
  mutating func fill(from other: JSONObject) {
    for member in other.members where !member.value.isNull {
      let own = self[member.name] ?? .null
      if own.isNull {
        self[member.name] = member.value
      } else if member.name == "layerDefinition", var definition = own.object,
        let added = member.value.object
      {
        definition.fill(from: added)
        self[member.name] = .object(definition)
      }
    }
  }
}

extension SourceAddress {
  /// Divides the address of a layer of an Esri service into that of the service and the number; nil for a service.
  static func sublayer(_ address: String) -> (service: String, number: Int?) {
    var service = address.prefix { $0 != "?" && $0 != "#" }
    while service.hasSuffix("/") { service = service.dropLast() }
    guard let slash = service.lastIndex(of: "/"), let number = Int(service[service.index(after: slash)...]),
      number >= 0
    else { return (String(service), nil) }
    return (String(service[..<slash]), number)
  }
}
