public import FoundationEssentials
public import MapFeatures
public import MapGeometry
import MapJSON
import MapModel

/// What a feature or map service says of one of its layers, or a stand-in of itself.
///
/// What a service leaves out is as for a stand-in: it is asked and not written, in any number of features at once.
///
/// - Source: ArcGIS REST API, layer resource, whose members have other names here, those of the ArcGIS Maps SDK.
public struct ArcGISFeatureLayerInfo: Hashable, Sendable {
  /// The address of the layer.
  public let url: URL
  /// The name of the layer; empty where the service gives none.
  public let serviceLayerName: String
  /// The number of the layer in its service; 0 where neither service nor address says.
  public let serviceLayerID: Int
  /// What the layer is about; empty where it does not say.
  public let description: String
  /// Who is to be named beside the data; empty where it does not say.
  public let attribution: String
  /// The version of the service; empty where it does not say.
  public let version: String
  /// What the geometries are; nil for a table without.
  public let geometryType: GeometryKind?
  /// The fields, in the order of the service.
  public let fields: [Field]
  /// The envelope that the service states, else that of all features.
  public let extent: Envelope
  /// The N of the smallest scale 1:N at which it is drawn; 0 is no limit.
  public let minScale: Double
  /// The N of the largest scale 1:N at which it is drawn; 0 is no limit.
  public let maxScale: Double
  /// Where it keeps time; nil where it does not say.
  public let timeInfo: TimeInfo?
  /// The field whose value names a feature; empty where it does not say.
  public let displayFieldName: String
  /// The field of the types of features; empty for none.
  public let typeIDFieldName: String
  /// The most features of one answer of the service, 0 for no limit; a query here takes as many answers as it needs.
  public let maxRecordCount: Int
  /// True when features may have files beside them.
  public let hasAttachments: Bool
  /// True when geometries have heights.
  public let hasZ: Bool
  /// True when geometries have measures.
  public let hasM: Bool
  /// True when the service works out figures; the table answers ``FeatureTable/queryStatistics(using:)`` either way.
  public let supportsStatistics: Bool
  /// True when the service puts features in order.
  public let supportsAdvancedQueries: Bool
  /// True when the service gives out features page by page.
  public let supportsPagination: Bool
  /// What the service lets people do.
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

/// What a feature service lets people do; this library asks and writes nothing.
///
/// - Source: ArcGIS REST API, the words of `capabilities`.
public struct FeatureServiceCapabilities: Hashable, Sendable {
  /// True when features may be asked for.
  public let supportsQuery: Bool
  /// True when features may be added.
  public let supportsCreate: Bool
  /// True when features may be changed.
  public let supportsUpdate: Bool
  /// True when features may be taken out.
  public let supportsDelete: Bool
  /// True when it takes edits of some kind.
  public let supportsEditing: Bool
  /// True when a copy may be taken away and brought together with it later.
  public let supportsSync: Bool

  init(_ words: String) {
    let words = Set(words.split { $0 == "," || $0 == " " }.map { $0.lowercased() })
    (supportsQuery, supportsSync) = (words.contains("query"), words.contains("sync"))
    (supportsCreate, supportsUpdate) = (words.contains("create"), words.contains("update"))
    (supportsDelete, supportsEditing) = (words.contains("delete"), words.contains("editing"))
  }
}

extension ServiceFeatureTable {
  /// What the service says of the layer, or the stand-in of itself; nil before the table is loaded.
  public var layerInfo: ArcGISFeatureLayerInfo? {
    guard table.isLoaded, let service = cache.service else { return nil }
    return ArcGISFeatureLayerInfo(service, name: tableName, url: url)
  }
}
