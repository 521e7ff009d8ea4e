public import FoundationEssentials
import MapFeatures
public import MapModel

/// Where a table of a service takes its features from.
public enum FeatureRequestMode: String, Hashable, Sendable {
  /// Before loading.
  case undefined
  /// From what was fetched where it was looked at, else from the service.
  case onInteractionCache
  /// From the service, every time.
  case onInteractionNoCache
  /// From what ``CachedFeatureTable/populateFromService(using:clearCache:outFields:)`` fetched alone.
  case manualCache
}

/// A table of a service, whose features may be fetched by hand.
public protocol CachedFeatureTable: FeatureTable {
  /// What the members of this protocol work on.
  var cache: ServiceCache { get }
}

extension CachedFeatureTable {
  /// Where the features come from; to be set before loading.
  ///
  /// On interaction with a cache, what was fetched before answers where it holds all of an answer. A mode that cannot
  /// be, because it comes after loading or the kind of table does not have it, leaves the mode as it is, and since a
  /// property cannot throw, every load, query and fill does, ``ServiceTableError/impossibleMode(_:)``, until one is set
  /// that can be, such as the one that the table has.
  public var featureRequestMode: FeatureRequestMode {
    get { cache.mode }
    set {
      cache.mode = newValue
      table.content.update { [refusal = cache.refusal] in $0.refusal = refusal }
    }
  }

  /// Fetches features into the table, which shows and answers with what was fetched alone.
  ///
  /// The definition expression of the layer does not hold. All fields come, whichever are asked for.
  /// - Parameters:
  ///   - parameters: which; nil is all.
  ///   - clearCache: true throws away what was fetched before, false adds to it by object id.
  /// - Returns: the features fetched by this call.
  /// - Throws: the error of loading, ``ServiceTableError/notManualCache(_:)``, and the errors of a query; the table
  ///   stays as it was.
  @discardableResult
  public func populateFromService(
    using parameters: QueryParameters? = nil, clearCache: Bool = false, outFields: [String] = []
  ) async throws -> FeatureQueryResult {
    try await load()
    return try await cache.populate(self, parameters ?? QueryParameters(), clearCache: clearCache)
  }
}

/// A table by the address of a layer of a feature or map service.
public final class ServiceFeatureTable: CachedFeatureTable {
  /// The address.
  public let url: URL
  /// What the members of all tables work on.
  public let table: TableState
  /// What the members of tables of services work on.
  public let cache: ServiceCache

  /// A table that is read when it is first asked for: from its stand-in, by default the environment's, else from the
  /// service.
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

  /// A table of the same service, with what is fetched of it by now.
  public func clone() -> ServiceFeatureTable { ServiceFeatureTable(self) }
}

extension ServiceFeatureTable: EditableTable {
  package var takesEdits: Bool { table.isLoaded && featureRequestMode == .manualCache }

  package func edit(_ change: (inout EditedRows) throws(FeatureEditError) -> Void) throws {
    try cache.edit(table, change)
  }
}

/// A table by the address of an OGC API and the name of a collection in it.
///
/// Its queries take CQL2; it answers with what was fetched by hand alone.
public final class OGCFeatureCollectionTable: CachedFeatureTable {
  /// The address of the API.
  public let url: URL
  /// The name of the collection.
  public let collectionID: String
  /// What the members of all tables work on.
  public let table: TableState
  /// What the members of tables of services work on.
  public let cache: ServiceCache

  /// A table that is read when it is first asked for: from its stand-in for `URL/collections/NAME`, by default the
  /// environment's, else from the service.
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

  /// A table of the same collection, with what is fetched of it by now.
  public func clone() -> OGCFeatureCollectionTable { OGCFeatureCollectionTable(self) }
}

/// A table by the address of a Web Feature Service and the name of a type of features in it.
///
/// No such service is asked: the table is what stands in for `URL#NAME`, the address without its query. Loading one
/// without a stand-in fails at once.
public final class WFSFeatureTable: CachedFeatureTable {
  /// The address of the service.
  public let url: URL
  /// What the members of all tables work on.
  public let table: TableState
  /// What the members of tables of services work on.
  public let cache: ServiceCache

  /// A table that is read when it is first asked for: from its stand-in, by default the environment's.
  public init(url: URL, tableName: String, standIns: StandInCatalog? = nil) {
    let address = "\(SourceCatalog.shown(url.absoluteString))#\(tableName)"
    self.url = url
    cache = ServiceCache(of: address, standIns: standIns, services: nil)
    table = cache.table(named: tableName, at: address)
  }

  private init(_ other: WFSFeatureTable) {
    url = other.url
    (cache, table) = other.cache.clone(other.table, named: other.tableName)
  }

  /// A table of the same features, with what is fetched of them by now.
  public func clone() -> WFSFeatureTable { WFSFeatureTable(self) }
}

/// A table of a service that cannot be used as asked.
public enum ServiceTableError: Error, Hashable, CustomStringConvertible {
  /// Fetching by hand in another mode.
  case notManualCache(FeatureRequestMode)
  /// A mode that was set after loading, or that the kind of table does not have.
  case impossibleMode(FeatureRequestMode)

  /// One line for people.
  public var description: String {
    switch self {
    case .notManualCache(let mode):
      "features are fetched by hand in the mode manualCache, and the table's is \(mode.rawValue)"
    case .impossibleMode(let mode):
      "the mode \(mode.rawValue) cannot be: a mode is set before loading, and tables of OGC collections have manualCache alone"
    }
  }
}
