public import FoundationEssentials
import MapFeatures
public import MapModel
import MapReaders

/// The mode that determines where the features of a service table come from.
public enum FeatureRequestMode: String, Hashable, Sendable {
  /// The mode before loading.
  case undefined
  /// From the features already fetched for the area, else from the service.
  case onInteractionCache
  /// From the service, every time.
  case onInteractionNoCache
  /// Only from the features fetched by ``CachedFeatureTable/populateFromService(using:clearCache:outFields:)``.
  case manualCache
}

/// A service table whose features may be fetched by hand.
public protocol CachedFeatureTable: FeatureTable {
  /// The fetched features, used by the members of this protocol.
  var cache: ServiceCache { get }
}

extension CachedFeatureTable {
  /// The mode that determines where the features come from; set it before loading.
  ///
  /// On interaction with a cache, fetched features are used if they contain the whole answer. A mode is invalid
  /// after loading, or if the kind of table does not support it. An invalid mode leaves the property unchanged. A
  /// property cannot throw, so every load, query and fill throws a ``MapStateError`` of kind usage until a
  /// valid mode is set; the current mode is valid.
  public var featureRequestMode: FeatureRequestMode {
    get { cache.mode }
    set {
      cache.mode = newValue
      table.content.update { [refusal = cache.refusal] in $0.refusal = refusal }
    }
  }

  /// Fetches features into the table, which then shows and returns only fetched features.
  ///
  /// The definition expression of the layer is ignored. All fields are fetched, whichever are requested.
  /// - Parameters:
  ///   - parameters: the query of the features; nil fetches all.
  ///   - clearCache: true discards the features fetched before, false adds to them by object id.
  /// - Returns: the features fetched by this call.
  /// - Throws: ``MapStateError``, of kind usage in another mode than `manualCache`; the table then stays unchanged.
  @discardableResult
  public func populateFromService(
    using parameters: QueryParameters? = nil, clearCache: Bool = false, outFields: [String] = []
  ) async throws(MapStateError) -> FeatureQueryResult {
    try await load()
    do {
      return try await cache.populate(self, parameters ?? QueryParameters(), clearCache: clearCache)
    } catch {
      throw MapStateError(error)
    }
  }
}

/// A table for a layer of a feature or map service, given by its URL.
public final class ServiceFeatureTable: CachedFeatureTable {
  /// The URL of the layer.
  public let url: URL
  /// The content of the table, used by the members of all tables.
  public let table: TableState
  /// The fetched features, used by the members of service tables.
  public let cache: ServiceCache

  /// Creates a table, which is read at its first query.
  ///
  /// It is read from its stand-in in `standIns`, by default in the environment's catalogue, else from the service.
  public convenience init(
    url: URL, standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    self.init(address: url.absoluteString, url: url, standIns: standIns, services: services)
  }

  init(
    address: String, url: URL, standIns: StandInCatalog?, services: ServiceAccess = ServiceAccess()
  ) {
    self.url = url
    cache = ServiceCache(of: address, standIns: standIns, services: services)
    table = cache.table(named: "", at: ServiceAccess.withoutSecrets(address))
  }

  private init(_ other: ServiceFeatureTable) {
    url = other.url
    (cache, table) = other.cache.clone(other.table, named: "")
  }

  /// Returns a table of the same service with the features fetched so far.
  public func clone() -> ServiceFeatureTable { ServiceFeatureTable(self) }
}

extension ServiceFeatureTable: EditableTable {
  package var takesEdits: Bool { table.isLoaded && featureRequestMode == .manualCache }

  package func edit(_ change: (inout EditedRows) throws(FeatureEditError) -> Void) throws {
    try cache.edit(table, change)
  }
}

/// A table for a collection of an OGC API, given by the API's URL and the collection's name.
///
/// Its queries support CQL2. It returns only features that were fetched by hand.
public final class OGCFeatureCollectionTable: CachedFeatureTable {
  /// The URL of the API.
  public let url: URL
  /// The name of the collection.
  public let collectionID: String
  /// The content of the table, used by the members of all tables.
  public let table: TableState
  /// The fetched features, used by the members of service tables.
  public let cache: ServiceCache

  /// Creates a table, which is read at its first query.
  ///
  /// It is read from the stand-in for `URL/collections/NAME` in `standIns`, by default in the environment's
  /// catalogue, else from the service.
  public init(
    url: URL, collectionID: String, standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    let address = url.appending(component: "collections").appending(component: collectionID).absoluteString
    (self.url, self.collectionID) = (url, collectionID)
    cache = ServiceCache(of: address, standIns: standIns, services: services, isManualAlone: true)
    table = cache.table(named: collectionID, at: ServiceAccess.withoutSecrets(address))
  }

  private init(_ other: OGCFeatureCollectionTable) {
    (url, collectionID) = (other.url, other.collectionID)
    (cache, table) = other.cache.clone(other.table, named: other.collectionID)
  }

  /// Returns a table of the same collection with the features fetched so far.
  public func clone() -> OGCFeatureCollectionTable { OGCFeatureCollectionTable(self) }
}

/// A table for a feature type of a Web Feature Service, given by the service's URL and the type's name.
///
/// Its queries are SQL. The features that the service sends are selected again, so that all rules are those of MapState.
public final class WFSFeatureTable: CachedFeatureTable {
  /// The URL of the service.
  public let url: URL
  /// The content of the table, used by the members of all tables.
  public let table: TableState
  /// The fetched features, used by the members of service tables.
  public let cache: ServiceCache

  /// Creates a table, which is read at its first query.
  ///
  /// It is read from the stand-in for `URL#NAME` in `standIns`, where the URL has no query, by default in the
  /// environment's catalogue; else from the service.
  public init(
    url: URL, tableName: String, standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    // The path of a service need not say what it is.
    let service = [ServiceParameter(name: "service", value: "WFS")].added(to: url.absoluteString)
    let address = "\(service.prefix { $0 != "#" })#\(tableName)"
    self.url = url
    cache = ServiceCache(of: address, standIns: standIns, services: services)
    table = cache.table(
      named: tableName, at: "\(ServiceAccess.withoutSecrets(address).prefix { $0 != "#" })#\(tableName)")
  }

  private init(_ other: WFSFeatureTable) {
    url = other.url
    (cache, table) = other.cache.clone(other.table, named: other.tableName)
  }

  /// Returns a table of the same features with those fetched so far.
  public func clone() -> WFSFeatureTable { WFSFeatureTable(self) }
}

extension MapStateError {
  /// Returns the error for fetching or editing features by hand in another mode than `manualCache`.
  package static func notManualCache(_ mode: FeatureRequestMode) -> MapStateError {
    MapStateError(
      .usage,
      "features can be fetched or edited by hand only in the mode manualCache; the table's mode is \(mode.rawValue)"
    )
  }

  /// Returns the error for a mode that was set after loading, or that the kind of table does not support.
  package static func impossibleMode(_ mode: FeatureRequestMode) -> MapStateError {
    MapStateError(
      .usage,
      "cannot use the request mode \(mode.rawValue); set it before loading; OGC collections support only manualCache"
    )
  }
}
