public import FoundationEssentials
import MapFeatures
public import MapModel

/// A portal by its address.
///
/// No portal is asked over the network: its items are what stands in for them in a ``StandInCatalog``.
public struct Portal: Hashable, Sendable {
  /// How one would sign in.
  public enum Connection: String, Hashable, Sendable {
    /// As nobody.
    case anonymous
    /// As somebody.
    case authenticated
  }

  /// The address, `https://www.arcgis.com` for ArcGIS Online.
  public let url: String
  /// How one would sign in.
  public let connection: Connection

  /// A portal at an address.
  public init(url: URL, connection: Connection = .anonymous) {
    self.init(url.absoluteString, connection)
  }

  private init(_ url: String, _ connection: Connection) { (self.url, self.connection) = (url, connection) }

  /// ArcGIS Online.
  public static func arcGISOnline(connection: Connection) -> Portal {
    Portal("https://www.arcgis.com", connection)
  }
}

/// An item of a portal, such as a web map or a layer.
///
/// It is what stands in for `PORTAL/sharing/rest/content/items/ID` in a ``StandInCatalog``, for the environment's
/// `MAPSTATE_SERVICES` the path of a document or of data. Loading one without a stand-in fails at once.
public final class PortalItem: Loadable {
  /// What tells items of a portal apart.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The 32 hexadecimal digits.
    public let rawValue: String

    /// An id; nil unless it is 32 hexadecimal digits.
    public init?(rawValue: String) {
      guard rawValue.utf8.count == 32, rawValue.allSatisfy(\.isHexDigit) else { return nil }
      self.rawValue = rawValue
    }

    /// An id; nil unless it is 32 hexadecimal digits.
    public init?(_ text: String) { self.init(rawValue: text) }

    /// The digits.
    public var description: String { rawValue }
  }

  /// The portal.
  public let portal: Portal
  /// What tells it from others there.
  public let id: ID
  /// Where loading stands.
  public let loader: Loader
  let address: String
  let standIns: StandInCatalog?

  /// An item, found by its stand-in; by default in the environment's.
  public init(portal: Portal, id: ID, standIns: StandInCatalog? = nil) {
    var base = portal.url
    while base.hasSuffix("/") { base.removeLast() }
    let address = base + PortalItem.path + id.rawValue
    (self.portal, self.id, self.address, self.standIns) = (portal, id, address, standIns)
    loader = Loader {
      if try SourceCatalog(standIns: standIns).standIn(for: address) == nil {
        throw SourceError.notAsked("portals", at: address)
      }
    }
  }

  static let path = "/sharing/rest/content/items/"
}

extension Map {
  /// The map of a portal's item, read when it is first asked to load; a view asks by itself.
  public convenience init(item: PortalItem) {
    let (address, catalog) = (item.address, SourceCatalog(standIns: item.standIns))
    self.init {
      switch try catalog.standIn(for: address) {
      case .file(let path): try await MapDocument.open(path, catalog: catalog).map
      case .service(let other): try await MapDocument.open(other, catalog: catalog).map
      case .source: try await MapDocument.open(address, catalog: catalog).map
      case nil: throw SourceError.notAsked("portals", at: address)
      }
    }
  }
}

extension ServiceFeatureTable {
  /// A table of an item that is a feature service: its first layer, or that of a number, `ITEM/NUMBER` among the
  /// stand-ins.
  public convenience init(item: PortalItem, layerID: Int? = nil) {
    let address = item.address + (layerID.map { "/\($0)" } ?? "")
    self.init(address: address, url: URL(string: address) ?? URL(filePath: address), standIns: item.standIns)
  }
}

extension FeatureLayer {
  /// The layer of an item that is a feature service: its first, or that of a number.
  public convenience init(item: PortalItem, layerID: Int? = nil) {
    self.init(featureTable: ServiceFeatureTable(item: item, layerID: layerID))
  }
}
