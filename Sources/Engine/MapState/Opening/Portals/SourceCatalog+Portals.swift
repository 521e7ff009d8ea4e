import MapDocuments
import MapJSON
import MapSystem

extension SourceCatalog {
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
    var map = try await services.portalJSON(at: item.address.data, of: item.address)
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
      "id": .string(item.address.id), "title": .string(item.title), "layerType": .string(type),
    ]
    switch item.type {
    case "Feature Service": return try await services.layers(ofFeatureService: item, entry)
    case "Vector Tile Service": entry["styleUrl"] = .string(try await style(of: item).address)
    case "CSV", "GeoJson", "KML": entry["url"] = .string(item.url ?? item.address.data)
    case "Feature Collection":
      let data = try await services.portalJSON(at: item.address.data, of: item.address)
      guard data["layers"]?.array != nil else { throw item.lacks("\"layers\"", in: item.address.data) }
      entry["featureCollection"] = data
    default:
      // The layers of a group may name its item again.
      if type == "GroupLayer" { entry["itemId"] = .string(item.address.id) }
      let data = try await services.portalJSON(at: item.address.data, of: item.address)
      if let url = item.url { entry["url"] = .string(url) }
      entry.fill(from: data.object ?? [:])
      guard entry["url"] != nil || entry["layers"] != nil else { throw item.lacks("address", in: nil) }
    }
    return [entry]
  }

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
    guard let url = item.url else { throw item.lacks("style", in: own) }
    let address = SourceAddress.folder(url) + "resources/styles/root.json"
    guard let style = try await servedStyle(at: address, isNamedByDocument: true) else {
      throw item.lacks("style", in: address)
    }
    return (address, style)
  }
}
