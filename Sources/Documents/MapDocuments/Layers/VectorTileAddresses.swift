import MapJSON

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
