import MapFeatures
import MapJSON

/// What a layer's service can do beside giving features.
///
/// - Source: ArcGIS REST API, layer resource; what is not said is taken for not possible.
struct ArcGISAbilities: Sendable {
  /// The most features of one answer.
  let maxRecordCount: Int
  let canPage: Bool
  let canOrder: Bool
  let canSummarize: Bool
  let canPageGroups: Bool
  /// The relations of geometries by their names; nil where it does not say.
  let relations: Set<String>?
  /// True where filters are SQL-92 whatever the database behind.
  let isStandardized: Bool
  /// True where dates are in UTC.
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
    // Older services say it in a word for all of SQL.
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
    if !canPage { notices.append("it has no pages: features are fetched by their ids") }
    if !isStandardized {
      notices.append("filters with functions are worked out here, since it has no standard ones")
    }
    if !isUTC { notices.append("filters on dates are worked out here, since it takes dates in \(zone)") }
    if !canSummarize { notices.append("statistics are worked out here, since it has none") }
    self.notices = notices
  }

  /// What is left to this side.
  let notices: [String]
}
