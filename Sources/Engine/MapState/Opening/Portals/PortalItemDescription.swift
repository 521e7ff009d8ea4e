import MapJSON
import MapModel

/// An item of a portal as the portal describes it.
struct PortalItemDescription: Sendable {
  /// The address of the item.
  let address: PortalItemAddress
  /// The type, such as `Web Map`.
  let type: String
  /// The title.
  let title: String
  /// The address of the service; nil for an item without one.
  let url: String?
  /// The keywords of the type.
  let keywords: [String]
  /// The extent in degrees as a list of two corners; nil without one.
  let extent: JSONValue?

  /// Reads the answer of a portal.
  init(_ json: JSONValue, at address: PortalItemAddress) {
    self.address = address
    (type, title) = (json["type"]?.string ?? "", json["title"]?.string ?? "")
    url = json["url"]?.string.flatMap { url in
      // The address of a service may be relative to the portal.
      url.isEmpty ? nil : (try? StylePlace.resolved(url, at: address.url)) ?? url
    }
    (extent, keywords) = (json["extent"], json["typeKeywords"]?.array?.compactMap(\.string) ?? [])
  }

  /// The types of items that are layers, with their values of `layerType` in web maps.
  ///
  /// - Source: ArcGIS REST API, "Items and item types"; Esri web map specification, operational layers.
  static let layerTypes: [(item: String, layer: String)] = [
    ("Feature Service", "ArcGISFeatureLayer"), ("Map Service", "ArcGISMapServiceLayer"),
    ("Vector Tile Service", "VectorTileLayer"), ("Image Service", "ArcGISImageServiceLayer"),
    ("Feature Collection", "Feature Collection"), ("Group Layer", "GroupLayer"), ("CSV", "CSV"),
    ("GeoJson", "GeoJSON"), ("OGCFeatureServer", "OGCFeatureLayer"), ("WMS", "WMS"),
    ("WMTS", "WebTiledLayer"),
    ("WFS", "WFS"), ("KML", "KML"),
  ]

  /// The types of layers of services that have only tiles, by the keyword of their items.
  private static let tiled = [
    "Map Service": ("Hosted Service", "ArcGISTiledMapServiceLayer"),
    "Image Service": ("Tiled Imagery", "ArcGISTiledImageServiceLayer"),
  ]

  /// The value of `layerType` for the item; nil for an item that is no layer.
  var layerType: String? {
    if let (keyword, layer) = Self.tiled[type], keywords.contains(keyword) { return layer }
    return Self.layerTypes.first { $0.item == type }?.layer
  }

  /// Whether the item is a map.
  var isMap: Bool { type == "Web Map" }

  /// Returns the error for an item whose type is not one of those that can be used.
  func unsuitable(_ use: String, types: [String]) -> MapStateError {
    MapStateError(
      .input,
      "\(address.url): the item\(title.isEmpty ? "" : " \"\(title)\"") is of the type \"\(type)\", which is not \(use); "
        + "possible types: \(types.joined(separator: ", "))")
  }

  /// The extent as the viewpoint of a web map; nil without a valid one.
  ///
  /// - Source: ArcGIS REST API, item: two corners in WGS 84; the least longitude and latitude first.
  var viewpoint: JSONValue? {
    let corners = extent?.array?.map { $0.array?.compactMap(\.double) ?? [] } ?? []
    guard corners.count == 2, corners.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isFinite) }),
      corners[0][0] < corners[1][0], corners[0][1] < corners[1][1]
    else { return nil }
    return [
      "targetGeometry": [
        "xmin": .number(corners[0][0]), "ymin": .number(corners[0][1]), "xmax": .number(corners[1][0]),
        "ymax": .number(corners[1][1]), "spatialReference": ["wkid": 4326],
      ]
    ]
  }
}
