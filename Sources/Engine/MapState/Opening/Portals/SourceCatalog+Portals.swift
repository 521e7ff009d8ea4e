import MapDocuments
import MapJSON
import MapSystem

#if Services
  import MapServices
#endif

extension SourceCatalog {
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
    guard services.asksPortals else { throw MapStateError.itemNotAsked(item?.url ?? url) }
    #if Services
      let work = CurrentWork.begin("reading \(SourceAddress.shown(url))")
      defer { CurrentWork.end(work) }
      do throws(ServiceError) {
        // A person names the portal, and the portal names its services.
        let isOfPortal = StylePlace(
          address: item?.portal ?? PortalItemAddress.base(url), isNamedByDocument: false
        ).isNamedByPerson(url)
        let (client, address, _) = try services.client(
          for: url, secretsOf: item?.secrets, isNamedByDocument: !isOfPortal, keeping: nil)
        return try await client.arcGISObject(at: address, parameters)
      } catch { throw MapStateError(error, kind: .service) }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(url)): this build has no services")
    #endif
  }

  /// Returns the web map that an item is, or that shows the layers of an item.
  ///
  /// - Throws: ``MapStateError``, also for items of other types.
  func webMap(of item: PortalItemDescription) async throws(MapStateError) -> JSONValue {
    guard item.isMap else {
      guard item.layerType != nil else {
        throw item.unsuitable(
          "opened", types: ["Web Map"] + PortalItemDescription.layerTypes.map(\.item))
      }
      return ["operationalLayers": .array(try await layers(of: item).map { .object($0) })]
    }
    var map = try await portalJSON(at: item.address.data, of: item.address)
    guard WebMap.isWebMap(map), var object = map.object else {
      throw MapStateError(.service, "\(item.address.data): is not a web map: it has no \"operationalLayers\"")
    }
    // Maps without a viewpoint of their own show the extent of their item.
    if object["initialState"]?["viewpoint"]?.object == nil, let viewpoint = item.viewpoint {
      var state = object["initialState"]?.object ?? [:]
      state["viewpoint"] = viewpoint
      object["initialState"] = .object(state)
      map = .object(object)
    }
    return map
  }

  /// Returns the layers of an item as entries of a web map, starting at the bottom.
  ///
  /// - Throws: ``MapStateError``, also for items that are no layers.
  func layers(of item: PortalItemDescription) async throws(MapStateError) -> [JSONObject] {
    guard let type = item.layerType else {
      throw item.unsuitable("a layer", types: PortalItemDescription.layerTypes.map(\.item))
    }
    var entry: JSONObject = [
      "id": .string(item.address.id.rawValue), "title": .string(item.title), "layerType": .string(type),
    ]
    switch item.type {
    case "Feature Service": return try await sublayers(of: item, entry)
    case "Vector Tile Service": entry["styleUrl"] = .string(try await style(of: item).address)
    case "CSV", "GeoJson", "KML": entry["url"] = .string(item.url ?? item.address.data)
    case "Feature Collection":
      let data = try await portalJSON(at: item.address.data, of: item.address)
      guard data["layers"]?.array != nil else { throw item.lacks("\"layers\"", in: item.address.data) }
      entry["featureCollection"] = data
    default:
      let data = try await portalJSON(at: item.address.data, of: item.address)
      if let url = item.url { entry["url"] = .string(url) }
      entry.fill(from: data.object ?? [:])
      guard entry["url"] != nil || entry["layers"] != nil else { throw item.lacks("an address", in: nil) }
    }
    return [entry]
  }

  /// Returns the layers of a feature service, or the one that the address of its item names.
  private func sublayers(
    of item: PortalItemDescription, _ entry: JSONObject
  ) async throws(MapStateError) -> [JSONObject] {
    guard let url = item.url else { throw item.lacks("an address", in: nil) }
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

  /// Returns the address of the style of an item with vector tiles, and the style: that of the item, or else that of its
  /// service.
  ///
  /// - Throws: ``MapStateError``.
  func style(
    of item: PortalItemDescription
  ) async throws(MapStateError) -> (address: String, style: ServedStyle) {
    let own = item.address.style
    do {
      if let style = try await servedStyle(at: own) { return (own, style) }
    } catch { if item.url == nil { throw error } }
    guard let url = item.url else { throw item.lacks("a style", in: own) }
    let address = SourceAddress.folder(url) + "resources/styles/root.json"
    guard let style = try await servedStyle(at: address, isNamedByDocument: true) else {
      throw item.lacks("a style", in: address)
    }
    return (address, style)
  }

  /// Returns the address of the table of an item: a layer of a feature service, or a file.
  ///
  /// - Throws: ``MapStateError``.
  func table(of address: PortalItemAddress) async throws(MapStateError) -> String {
    let item = try await item(address)
    guard ["Feature Service", "CSV", "GeoJson"].contains(item.type) else {
      throw item.unsuitable("a table", types: ["Feature Service", "CSV", "GeoJson"])
    }
    guard let url = try await layers(of: item).last?["url"]?.string else {
      throw item.lacks("an address", in: nil)
    }
    return url
  }
}

extension PortalItemDescription {
  /// Returns the error for an item without a part.
  fileprivate func lacks(_ part: String, in place: String?) -> MapStateError {
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
