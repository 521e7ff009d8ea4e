public import FoundationEssentials
public import MapFeatures
public import MapGeometry
import MapJSON
import MapModel

/// The description of a layer by its feature or map service, or by its stand-in.
///
/// For members that a service omits, the defaults are those of a stand-in: it can be queried but not edited,
/// without a limit on features per answer.
///
/// - Source: ArcGIS REST API, layer resource; the member names are those of the ArcGIS Maps SDK.
public struct ArcGISFeatureLayerInfo: Hashable, Sendable {
  /// The URL of the layer.
  public let url: URL
  /// The name of the layer; empty if the service gives none.
  public let serviceLayerName: String
  /// The number of the layer in its service; 0 if neither the service nor the URL contains it.
  public let serviceLayerID: Int
  /// The description of the layer; empty if there is none.
  public let description: String
  /// The attribution text required by the data source; empty if there is none.
  public let attribution: String
  /// The version of the service; empty if it is unknown.
  public let version: String
  /// The geometry kind; nil for a table without geometry.
  public let geometryType: GeometryKind?
  /// The fields, in the order of the service.
  public let fields: [Field]
  /// The extent that the service declares, else that of all features.
  public let extent: Envelope
  /// The scale denominator of the smallest scale at which the layer is drawn; 0 for no limit.
  public let minScale: Double
  /// The scale denominator of the largest scale at which the layer is drawn; 0 for no limit.
  public let maxScale: Double
  /// The time fields; nil if none are declared.
  public let timeInfo: TimeInfo?
  /// The field whose value names a feature; empty if none is declared.
  public let displayFieldName: String
  /// The field of the feature types; empty for none.
  public let typeIDFieldName: String
  /// The maximum number of features in one answer of the service; 0 for no limit.
  ///
  /// A query here reads as many answers as needed.
  public let maxRecordCount: Int
  /// Whether features may have attachments.
  public let hasAttachments: Bool
  /// Whether geometries have Z values.
  public let hasZ: Bool
  /// Whether geometries have M values.
  public let hasM: Bool
  /// Whether the service computes statistics; ``FeatureTable/queryStatistics(using:)`` works in both cases.
  public let supportsStatistics: Bool
  /// Whether the service can order features.
  public let supportsAdvancedQueries: Bool
  /// Whether the service returns features in pages.
  public let supportsPagination: Bool
  /// The operations that the service allows.
  public let capabilities: FeatureServiceCapabilities

  init(_ source: any FeatureSource, name: String, url: URL) {
    let (metadata, schema) = (source.metadata, source.schema)
    let resource = metadata.layerResource
    func text(_ name: String) -> String { resource?[name]?.string ?? "" }
    func isSo(_ name: String) -> Bool { resource?[name]?.boolean ?? false }
    func can(_ name: String) -> Bool {
      guard let resource else { return true }
      return (resource["advancedQueryCapabilities"]?[name] ?? resource[name])?.boolean ?? false
    }
    (self.url, serviceLayerName) = (url, metadata.name.isEmpty ? name : metadata.name)
    serviceLayerID = resource?["id"]?.integer ?? Int(url.lastPathComponent) ?? 0
    (description, attribution) = (text("description"), metadata.attribution)
    version = resource?["currentVersion"]?.double.map { "\($0)" } ?? ""
    (geometryType, fields, extent) = (schema.geometryKind, schema.fields, source.extent)
    (minScale, maxScale, timeInfo) = (metadata.minScale, metadata.maxScale, metadata.timeInfo)
    (displayFieldName, typeIDFieldName) = (text("displayField"), text("typeIdField"))
    maxRecordCount = resource?["maxRecordCount"]?.integer ?? 0
    (hasAttachments, hasZ, hasM) = (isSo("hasAttachments"), isSo("hasZ"), isSo("hasM"))
    (supportsStatistics, supportsPagination) = (can("supportsStatistics"), can("supportsPagination"))
    supportsAdvancedQueries = can("supportsOrderBy") || can("supportsAdvancedQueries")
    capabilities = FeatureServiceCapabilities(resource?["capabilities"]?.string ?? "Query")
  }

  /// The field of the object ids; empty for none.
  public var objectIDFieldName: String { nameOfField(.oid) }
  /// The field of the global ids; empty for none.
  public var globalIDFieldName: String { nameOfField(.globalID) }

  private func nameOfField(_ type: FieldType) -> String { fields.first { $0.fieldType == type }?.name ?? "" }
}

/// The operations that a feature service allows; this library only queries.
///
/// - Source: ArcGIS REST API, the words of `capabilities`.
public struct FeatureServiceCapabilities: Hashable, Sendable {
  /// Whether features may be queried.
  public let supportsQuery: Bool
  /// Whether features may be added.
  public let supportsCreate: Bool
  /// Whether features may be changed.
  public let supportsUpdate: Bool
  /// Whether features may be deleted.
  public let supportsDelete: Bool
  /// Whether the service accepts any edits.
  public let supportsEditing: Bool
  /// Whether a copy may be taken offline and synchronised later.
  public let supportsSync: Bool

  init(_ words: String) {
    let words = Set(words.split { $0 == "," || $0 == " " }.map { $0.lowercased() })
    (supportsQuery, supportsSync) = (words.contains("query"), words.contains("sync"))
    (supportsCreate, supportsUpdate) = (words.contains("create"), words.contains("update"))
    (supportsDelete, supportsEditing) = (words.contains("delete"), words.contains("editing"))
  }
}

extension ServiceFeatureTable {
  /// The description of the layer by its service or stand-in; nil before the table is loaded.
  public var layerInfo: ArcGISFeatureLayerInfo? {
    guard table.isLoaded, let service = cache.service else { return nil }
    return ArcGISFeatureLayerInfo(service, name: tableName, url: url)
  }
}
