import MapSystem

/// The address of an item of a portal.
struct PortalItemAddress: Hashable, Sendable {
  /// The portal of an item without another one.
  static let arcGISOnline = "https://www.arcgis.com"

  /// The path of the items of a portal.
  static let items = "/sharing/rest/content/items/"

  /// The address of the portal, without a slash at its end.
  let portal: String
  /// The identifier of the item.
  let id: String
  /// The number of a layer of the item's service; nil for the item itself.
  private(set) var layer: Int?
  /// The address that was given, whose secrets are for its own host; nil for none.
  private(set) var secrets: String?

  /// Returns whether a text is the identifier of an item: 32 hexadecimal digits.
  static func isID(_ text: String) -> Bool { text.utf8.count == 32 && text.allSatisfy(\.isHexDigit) }

  /// Creates the address of an item; nil for a text that is no identifier.
  init?(_ id: String, in portal: String?) {
    guard Self.isID(id) else { return nil }
    self.init(checked: id, in: portal)
  }

  /// Creates the address of an item with a valid identifier.
  init(checked id: String, in portal: String?) {
    (self.portal, self.id) = (Self.base(portal ?? Self.arcGISOnline), id)
  }

  /// Reads a source that names an item; nil for another source.
  ///
  /// It is `item:ID` for the portal of the option, the address of the item, or that of a page of a portal that shows it,
  /// such as `https://HOST/home/item.html?id=ID`.
  init?(source: String, portal: String?) {
    if let id = SourceAddress.item(source) {
      self.init(id, in: portal)
      return
    }
    guard ["http", "https"].contains(SourceAddress.scheme(of: source)) else { return nil }
    let path = source.prefix { $0 != "?" && $0 != "#" }
    if let items = path.firstRange(of: Self.items) {
      let steps = path[items.upperBound...].split(separator: "/").map { String($0) }
      guard let first = steps.first, steps.count < 3 else { return nil }
      self.init(first, in: String(path[..<items.lowerBound]))
      if steps.count == 2 {
        guard let number = Int(steps[1]), number >= 0 else { return nil }
        layer = number
      }
      if path.endIndex < source.endIndex { secrets = source }
      return
    }
    guard let page = ["/home/", "/apps/"].lazy.compactMap({ path.firstRange(of: $0) }).first else {
      return nil
    }
    let pairs = source[path.endIndex...].dropFirst().prefix { $0 != "#" }.split(separator: "&")
    let ids = pairs.compactMap { pair in
      ["id=", "webmap="].first(where: pair.hasPrefix).map { String(pair.dropFirst($0.count)) }
    }
    guard let id = ids.first(where: { Self.isID($0) }) else { return nil }
    self.init(id, in: String(path[..<page.lowerBound]))
  }

  /// The address of the item.
  var url: String { portal + Self.items + id }

  /// The address of the item, or of its layer.
  var place: String { url + (layer.map { "/\($0)" } ?? "") }

  /// The address of the content of the item: the JSON of a map, of a collection or of layers, or a file.
  var data: String { url + "/data" }

  /// The address of the style of an item with vector tiles.
  var style: String { url + "/resources/styles/root.json" }

  /// Returns the address of a portal without its pages and services.
  static func base(_ portal: String) -> String {
    var base = portal[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    for end in ["/rest", "/sharing", "/home"] where base.hasSuffix(end) { base = base.dropLast(end.count) }
    while base.hasSuffix("/") { base = base.dropLast() }
    return String(base)
  }
}
