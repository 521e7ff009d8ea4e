import MapFeatures
import MapJSON

/// The capabilities of a layer's service beyond returning features.
///
/// - Source: ArcGIS REST API, layer resource. A capability that is not stated counts as missing.
struct ArcGISAbilities: Sendable {
  /// The maximum number of features in one answer.
  let maxRecordCount: Int
  let canPage: Bool
  let canOrder: Bool
  let canSummarize: Bool
  let canPageGroups: Bool
  /// The names of the supported spatial relationships; nil if the service does not state them.
  let relations: Set<String>?
  /// Whether filters use standardized SQL-92, whichever database stores the data.
  let isStandardized: Bool
  /// Whether dates are in UTC.
  let isUTC: Bool
  let hasBuffers: Bool

  init(_ node: JSONNode) throws(JSONDecodingError) {
    let advanced = node["advancedQueryCapabilities"]
    func can(_ name: String) throws(JSONDecodingError) -> Bool {
      if let stated = try advanced?.boolean(name) { return stated }
      return try node.boolean(name) ?? false
    }
    let limit = try node.integer("maxRecordCount") ?? 1000
    guard limit > 0 else { throw node.invalid("maxRecordCount is \(limit)") }
    maxRecordCount = limit
    canPage = try can("supportsPagination")
    // Older services declare one capability for all of advanced SQL.
    let isAdvanced = try node.boolean("supportsAdvancedQueries") ?? false
    canOrder = try can("supportsOrderBy") || isAdvanced
    canSummarize = try can("supportsStatistics")
    canPageGroups = try can("supportsPaginationOnAggregatedQueries")
    var relations: Set<String>?
    if let list = node["supportedSpatialRelationships"] {
      relations = []
      for element in try list.elements() { relations?.insert(try element.string()) }
      if try can("supportsDisjointSpatialRel") { relations?.insert("esriSpatialRelDisjoint") }
    }
    self.relations = relations
    isStandardized = try node.boolean("useStandardizedQueries") ?? false
    let zone = try node["dateFieldsTimeReference"]?.string("timeZone") ?? "UTC"
    isUTC = ["UTC", "Etc/UTC", "GMT"].contains(zone)
    let formats = try node.string("supportedQueryFormats") ?? "JSON"
    hasBuffers = formats.lowercased().split(separator: ",").contains { $0.trimming { $0 == " " } == "pbf" }
    var notices: [String] = []
    if !canPage { notices.append("the service has no pages: features are fetched by their ids") }
    if !isUTC { notices.append("filters on dates are evaluated locally: the service uses dates in \(zone)") }
    if !canSummarize { notices.append("statistics are computed locally: the service has none") }
    self.notices = notices
  }

  /// Notices about evaluation that is done locally.
  let notices: [String]
}
