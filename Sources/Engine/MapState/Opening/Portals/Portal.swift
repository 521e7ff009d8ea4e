public import FoundationEssentials
import MapFeatures
public import MapModel

/// A portal, identified by its URL.
///
/// Its items are read from the stand-ins of a ``StandInCatalog``; the portal itself is asked only if
/// ``ServiceAccess/fetchesTiles`` is true.
public struct Portal: Hashable, Sendable {
  /// The kind of sign-in.
  public enum Connection: String, Hashable, Sendable {
    /// Without an account.
    case anonymous
    /// With an account.
    case authenticated
  }

  /// The URL, `https://www.arcgis.com` for ArcGIS Online.
  public let url: String
  /// The kind of sign-in.
  public let connection: Connection

  /// Creates a portal at a URL.
  public init(url: URL, connection: Connection = .anonymous) {
    self.init(url.absoluteString, connection)
  }

  private init(_ url: String, _ connection: Connection) { (self.url, self.connection) = (url, connection) }

  /// Returns ArcGIS Online.
  public static func arcGISOnline(connection: Connection) -> Portal {
    Portal("https://www.arcgis.com", connection)
  }
}

/// An item of a portal, such as a web map or a layer.
///
/// The item is read from the stand-in for `PORTAL/sharing/rest/content/items/ID` in a ``StandInCatalog``. In the
/// file of the environment variable `MAPSTATE_SERVICES`, this is the path of a document or of data. Without a stand-in,
/// the portal is asked, if ``ServiceAccess/fetchesTiles`` is true; otherwise, loading the item fails at once.
public final class PortalItem: Loadable {
  /// The identifier of an item in its portal.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The 32 hexadecimal digits.
    public let rawValue: String

    /// Creates an id; nil unless the text has 32 hexadecimal digits.
    public init?(rawValue: String) {
      guard PortalItemAddress.isID(rawValue) else { return nil }
      self.rawValue = rawValue
    }

    /// Creates an id; nil unless the text has 32 hexadecimal digits.
    public init?(_ text: String) { self.init(rawValue: text) }

    /// The digits.
    public var description: String { rawValue }
  }

  /// The portal.
  public let portal: Portal
  /// The identifier in the portal.
  public let id: ID
  /// The loader, which holds the load status.
  public let loader: Loader
  let address: String
  let catalog: SourceCatalog

  /// Creates an item; its stand-in is in `standIns`, by default in the environment's catalogue.
  ///
  /// - Parameter services: the access to the portal and to the services that it names.
  public init(
    portal: Portal, id: ID, standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    let catalog = SourceCatalog(standIns: standIns, services: services)
    let item = PortalItemAddress(checked: id.rawValue, in: portal.url)
    (self.portal, self.id, self.address, self.catalog) = (portal, id, item.url, catalog)
    loader = Loader {
      if try catalog.standIn(for: item.url) == nil { _ = try await catalog.services.item(item) }
    }
  }
}

extension Map {
  /// Creates the map of a portal item.
  ///
  /// It is read when it is first loaded; a view loads it automatically.
  public convenience init(item: PortalItem) {
    let (address, catalog) = (item.address, item.catalog)
    self.init { try await MapDocument.open(address, catalog: catalog).map }
  }
}

extension ServiceFeatureTable {
  /// Creates a table from an item that is a feature service: its first layer, or the layer with a number.
  ///
  /// A layer with a number is listed in the catalogue as `ITEM/NUMBER`.
  public convenience init(item: PortalItem, layerID: Int? = nil) {
    let address = item.address + (layerID.map { "/\($0)" } ?? "")
    self.init(
      address: address, url: URL(string: address) ?? URL(filePath: address), standIns: item.catalog.standIns,
      services: item.catalog.services)
  }
}

extension FeatureLayer {
  /// Creates a layer from an item that is a feature service: its first layer, or the layer with a number.
  public convenience init(item: PortalItem, layerID: Int? = nil) {
    self.init(featureTable: ServiceFeatureTable(item: item, layerID: layerID))
  }
}
