package import MapJSON
package import MapModel
import MapSystem

/// A layer of tiles as a document describes it, before it is opened.
package struct WebMapTileLayer: Sendable {
  /// The path in the document, for messages.
  package let path: JSONPath
  /// The template of tiles, the path of a file or folder, or the address of a service or of a style.
  package let place: String
  /// The addresses whose stand-in has the content of the layer, in the order of preference; the first is ``place``.
  package let addresses: [String]
  /// Whether the layer shows vector tiles by a style.
  package let hasStyle: Bool
  /// Whether a service draws the layer for each view.
  package let isDrawnByService: Bool
  /// The identifier of the layer; may be empty.
  package let id: String
  /// The title; may be empty.
  package let title: String
  /// The attribution text of the document; empty for none.
  package let attribution: String
  /// The texts that replace `{subDomain}` in the template.
  package let subdomains: [String]
  /// The layer as written, whose `tileInfo` and `fullExtent` describe the grid of a template.
  package let written: JSONValue
  /// Whether the layer belongs to a basemap and lies above the layers of the map.
  package var isReference: Bool
  /// The number of layers with features below it in its list.
  package var below = 0
  /// The visibility, opacity and scales, with those of the groups around the layer.
  package var showing: LayerShowing
  /// The groups around the layer, the outermost first.
  var groups: [LayerGroup] = []
  private let blendMode: BlendMode
  private let effect: LayerEffect?

  /// The types of layers that are drawn from tiles, if these can be had.
  private static let types = [
    "WebTiledLayer", "ArcGISTiledMapServiceLayer", "ArcGISTiledImageServiceLayer", "OpenStreetMap",
    VectorTileAddresses.layerType,
  ]
  /// The types of layers that a service draws for each view.
  static let imageTypes: Set<String> = ["WMS", "ArcGISImageServiceLayer"]
  /// The type of a layer that a service draws for each view if its sublayers are not drawn from their features.
  static let mapServices = "ArcGISMapServiceLayer"

  /// Reads a layer of tiles; nil for other types, and where the tiles cannot be had.
  ///
  /// - Parameter takesMapServices: whether a map service is a layer of images.
  init?(
    _ node: JSONNode, takesMapServices: Bool = false, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard let hasTiles = report.hasTiles,
      let addresses = try Self.addresses(node, takesMapServices: takesMapServices),
      let place = addresses.first, addresses.contains(where: hasTiles)
    else { return nil }
    (self.path, self.place, self.addresses, written) = (node.path, place, addresses, node.value)
    let type = try Self.type(node) ?? ""
    hasStyle = type == VectorTileAddresses.layerType
    isDrawnByService = Self.imageTypes.contains(type) || type == Self.mapServices
    (id, title) = (try node.string("id") ?? "", try node.string("title") ?? "")
    let copyright = try (node["copyright"] ?? node["attribution"])?.string()
    let isStandard = place == Self.standardTiles
    attribution = copyright ?? (isStandard ? "© OpenStreetMap contributors" : "")
    var subdomains: [String] = []
    for element in try node.elements("subDomains") { subdomains.append(try element.string()) }
    self.subdomains = subdomains
    isReference = try node.boolean("isReference") ?? false
    showing = LayerShowing(
      isVisible: try node.boolean("visibility") ?? true,
      opacity: try WebMapLayer.fraction(node, "opacity") ?? 1,
      minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
    blendMode = try node.string("blendMode").flatMap(BlendMode.init) ?? .normal
    effect = try EsriEffectCodec.effect(of: node, &report)
    if isDrawnByService { try Self.noteUnsent(node, &report) }
  }

  /// Reports the members of an image service that its requests do not have.
  private static func noteUnsent(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard try type(node) == "ArcGISImageServiceLayer" else { return }
    for renderer in [node["renderer"], node["layerDefinition"]?["drawingInfo"]] {
      if let renderer {
        report.note(renderer.path, "approximated: the service draws the image", .approximated)
      }
    }
    for name in ["pixelFilter", "multidimensionalDefinition", "multidimensionalSubset"] {
      if let member = node[name] { report.note(member.path, "not sent to the service") }
    }
  }

  /// The tiles of the type `OpenStreetMap`.
  private static let standardTiles = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"

  private static func type(_ node: JSONNode) throws(JSONDecodingError) -> String? {
    try (node["layerType"] ?? node["type"])?.string()
  }

  /// Returns the addresses of the content of a layer, its own first; nil for other types and without an address.
  private static func addresses(
    _ node: JSONNode, takesMapServices: Bool = false
  ) throws(JSONDecodingError) -> [String]? {
    guard let type = try type(node) else { return nil }
    if imageTypes.contains(type) || takesMapServices && type == mapServices {
      return try (node["url"] ?? node["mapUrl"])?.string().nonEmpty.map { [$0] }
    }
    guard types.contains(type) else { return nil }
    guard type != VectorTileAddresses.layerType else { return try VectorTileAddresses(node)?.all }
    if let address = try (node["templateUrl"] ?? node["url"])?.string() { return [address] }
    if type == "OpenStreetMap" { return [standardTiles] }
    return try capabilities(node["wmtsInfo"]).map { [$0] }
  }

  /// Returns the address of the capabilities of a WMTS service, with the layer after `#`; nil without an address.
  ///
  /// - Source: web map specification, `wmtsInfo`; OGC 07-057r7, 7.1.1, for the parameters.
  private static func capabilities(_ info: JSONNode?) throws(JSONDecodingError) -> String? {
    guard let info, let url = try info.string("url")?.nonEmpty else { return nil }
    var address = String(url.prefix { $0 != "#" })
    let lower = address.lowercased()
    if !lower.prefix(while: { $0 != "?" }).hasSuffix(".xml"), !lower.contains("request=getcapabilities") {
      address += lower.contains("?") ? "&" : "?"
      address += "SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0"
    }
    for member in info["customParameters"]?.value.object?.members ?? [] where !member.value.isNull {
      address += address.contains("?") ? "&" : "?"
      let value = member.value.string ?? member.value.text()
      address += PercentEncoding.encode(member.name) + "=" + PercentEncoding.encode(value)
    }
    return address + (try info.string("layerIdentifier")?.nonEmpty.map { "#\($0)" } ?? "")
  }

  /// Returns whether a layer has tiles that only a service has, which is not asked.
  static func needsNetwork(_ node: JSONNode, _ report: DocumentReport) throws(JSONDecodingError) -> Bool {
    guard let hasTiles = report.hasTiles, let addresses = try addresses(node) else { return false }
    return !addresses.contains(where: hasTiles)
  }

  /// Returns the layer of vector tiles of the map, which opens its style when it is loaded.
  package func vectorLayer(open: @escaping @Sendable () async throws -> MapStyle) -> VectorTiledLayer {
    let layer = VectorTiledLayer(place: place, id: id, name: title, origin: path, open: open)
    (layer.isVisible, layer.opacity, layer.attribution) = (showing.isVisible, showing.opacity, attribution)
    (layer.minScale, layer.maxScale) = (showing.minScale, showing.maxScale)
    (layer.blendMode, layer.effect, layer.groups) = (blendMode, effect, groups)
    return layer
  }

  /// Returns the layer of images of the map, which opens its tiles when it is loaded.
  package func layer(open: @escaping @Sendable () async throws -> any TileSource) -> ImageTiledLayer {
    let layer = ImageTiledLayer(place: place, id: id, name: title, origin: path, open: open)
    (layer.isVisible, layer.opacity, layer.attribution) = (showing.isVisible, showing.opacity, attribution)
    (layer.minScale, layer.maxScale) = (showing.minScale, showing.maxScale)
    (layer.blendMode, layer.effect, layer.groups) = (blendMode, effect, groups)
    return layer
  }
}

extension ImageTiledLayer {
  /// Whether the layer was read from a document, which keeps its entry as it was read.
  var isOfDocument: Bool { origin != nil }

  /// The layer as a `WebTiledLayer` of a document.
  var json: JSONValue {
    var object: JSONObject = [
      "layerType": "WebTiledLayer", "templateUrl": .string(place), "title": .string(name),
      "visibility": .boolean(isVisible), "opacity": .number(opacity),
    ]
    if !attribution.isEmpty { object["copyright"] = .string(attribution) }
    if blendMode != .normal { object["blendMode"] = .string(blendMode.rawValue) }
    if let effect { object["effect"] = EsriEffectCodec.json(effect) }
    if minScale != 0 { object["minScale"] = .number(minScale) }
    if maxScale != 0 { object["maxScale"] = .number(maxScale) }
    if !showsInLegend { object["showLegend"] = false }
    return .object(object)
  }
}

extension VectorTiledLayer {
  /// Whether a document has the layer as it was read, or as a member of its basemap.
  var isOfDocument: Bool { origin != nil || streets != nil }

  /// The layer as a `VectorTileLayer` of a document.
  var json: JSONValue {
    var object: JSONObject = [
      "layerType": .string(VectorTileAddresses.layerType), "styleUrl": .string(place), "title": .string(name),
      "visibility": .boolean(isVisible), "opacity": .number(opacity),
    ]
    if blendMode != .normal { object["blendMode"] = .string(blendMode.rawValue) }
    if let effect { object["effect"] = EsriEffectCodec.json(effect) }
    if minScale != 0 { object["minScale"] = .number(minScale) }
    if maxScale != 0 { object["maxScale"] = .number(maxScale) }
    if !showsInLegend { object["showLegend"] = false }
    return .object(object)
  }
}

/// The addresses of the style of a `VectorTileLayer`.
///
/// - Source: Esri web map specification, `vectorTileLayer`: `styleUrl` is the style of an item
///   (`…/items/ID/resources/styles/root.json`) or of a service (`…/VectorTileServer/resources/styles`); older documents
///   have the `url` of the service, or only the `itemId`.
struct VectorTileAddresses {
  /// The value of `layerType`.
  static let layerType = "VectorTileLayer"

  /// The addresses whose stand-in has the style, without repetition: the layer's own first, then those of the services and
  /// items that contain it.
  private(set) var all: [String] = []

  /// Reads the members of a layer; nil without an address.
  init?(_ node: JSONNode) throws(JSONDecodingError) {
    let (style, url) = (try node.string("styleUrl") ?? "", try node.string("url") ?? "")
    for address in [style, url] where !address.isEmpty {
      add(address)
      for owner in Self.owners(of: address) { add(owner) }
    }
    let item = try node.string("itemId") ?? Self.item(in: style) ?? ""
    if !item.isEmpty { add("https://www.arcgis.com/sharing/rest/content/items/\(item)") }
    if all.isEmpty { return nil }
  }

  private mutating func add(_ address: String) { if !all.contains(address) { all.append(address) } }

  /// Returns the addresses that contain the style at an address: of a folder of styles, and of a service or item.
  private static func owners(of address: String) -> [String] {
    guard address.contains("://") else { return [] }
    var (owners, rest) = ([String](), address.prefix { $0 != "?" })
    for end in ["/root.json", "/styles", "/resources"] where rest.hasSuffix(end) {
      rest = rest.dropLast(end.count)
      owners.append(String(rest))
    }
    return owners
  }

  /// Returns the identifier of the item that an address names; nil for none.
  private static func item(in address: String) -> String? {
    let steps = address.split(separator: "/")
    guard let place = steps.firstIndex(of: "items"), place + 1 < steps.count,
      steps[place + 1].utf8.count == 32, steps[place + 1].allSatisfy(\.isHexDigit)
    else { return nil }
    return String(steps[place + 1])
  }
}

extension String {
  /// The text; nil if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
