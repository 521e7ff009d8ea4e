package import MapFeatures
import MapFilter
package import MapGeometry
import Synchronization

/// A feature collection of an OGC API.
///
/// The service evaluates the conditions that it answers as MapState does: envelopes as `bbox`; filters as CQL2, if it
/// declares the classes and the fields; time spans as `datetime`, if it declares the field that they apply to.
///
/// Envelopes and time are checked again on the features received. Services also send features without geometry or time,
/// and some ignore parameters that they do not know. Object ids stay the same while the collection is open.
///
/// - Source: OGC 17-069r4, 18-058, 19-079, 23-058 (Features, parts 1, 2, 3 and 5).
package struct OGCFeatureCollection: ServiceLayer {
  /// The fields, geometry kind and spatial reference.
  package var schema: FeatureSchema { fields.schema }
  /// The envelope that the service states; nil if it states none.
  package let statedExtent: Envelope?
  /// The title of the collection and the time fields of its features.
  package let metadata: SourceMetadata
  /// Notices about conditions evaluated locally, and about gaps in the service's description.
  package let notices: [String]
  /// Whether the service states the number of matching features.
  package let canVerifyCounts: Bool

  private let client: ServiceClient
  private let collection: OGCCollection
  private let reference: OGCReference
  private let fields: OGCFields
  private let filters: OGCFilterClasses?
  private let objectIDs: OGCObjectIDs
  /// The number of features requested per page; nil leaves it to the service.
  private let pageSize: Int?
  /// Whether features without geometry may exist, which match every `bbox` and so make its count wrong.
  private let hasEmptyGeometries = Latch()

  /// The page sizes to try, largest first, until the service accepts one.
  ///
  /// A service may send smaller pages.
  ///
  /// - Source: OGC 17-069r4, 7.15.2: 10,000 is its example maximum, and a greater value is no error; some servers make
  ///   it one.
  private static let pageSizes: [Int?] = [10_000, 1_000, nil]

  /// Opens a collection by its address, `…/collections/NAME`.
  ///
  /// Reads the first page of features. If the service does not declare its fields, reads all features to find the
  /// fields.
  ///
  /// - Throws: ``ServiceError``.
  package static func open(
    _ url: String, client: ServiceClient
  ) async throws(ServiceError) -> OGCFeatureCollection {
    let client = client.begun()
    let (landingPage, id) = try OGCCollection.parts(of: url)
    return try await OGCFeatureCollection(try await OGCCollection(id, at: landingPage, client), client)
  }

  private init(_ collection: OGCCollection, _ client: ServiceClient) async throws(ServiceError) {
    guard let reference = OGCReference.best(of: collection.references, storage: collection.storageReference)
    else {
      throw ServiceError(
        "offers its features in none of CRS84, EPSG:4326 and EPSG:3857", at: collection.url)
    }
    let declared = collection.schema ?? collection.queryables
    var (pages, pageSize) = try await Self.firstPage(collection, reference, client)
    var table = try pages.columns()
    if !pages.isComplete, !OGCFields.areSettled(table, by: declared) {
      try await pages.readAll()
      table = try pages.columns()
    }
    fields = OGCFields(table, declared: declared, reference: reference)
    objectIDs = OGCObjectIDs(seen: pages.ids)
    // Features that were not read may lack geometry.
    if !pages.isComplete || table.hasEmptyGeometries { hasEmptyGeometries.close() }
    filters = try await Self.filters(
      collection, reference.spatialReference == .wgs84 ? fields.schema.geometryName : nil, client)
    statedExtent = collection.extent?.projected(to: reference.spatialReference)
    var metadata = SourceMetadata()
    (metadata.name, metadata.timeInfo) = (collection.title, declared?.timeInfo)
    self.metadata = metadata
    var notices: [String] = []
    if filters == nil {
      notices.append("filters are evaluated locally: the service does not offer CQL2 for this collection")
    }
    if declared == nil { notices.append("the service declares no fields: they are those of its features") }
    canVerifyCounts = pages.statesNumber
    if !canVerifyCounts {
      notices.append(
        "the service does not state how many features match (numberMatched): counts are of the features that it "
          + "sends and cannot be verified")
    }
    self.notices = notices
    (self.client, self.collection, self.reference, self.pageSize) = (client, collection, reference, pageSize)
  }

  /// Returns the filters that the service evaluates; sends one test query if it declares filters without a language.
  private static func filters(
    _ collection: OGCCollection, _ geometryName: String?, _ client: ServiceClient
  ) async throws(ServiceError) -> OGCFilterClasses? {
    guard let filters = OGCFilterClasses(collection, geometryName: geometryName) else { return nil }
    if collection.conformance.hasCQL2Text { return filters }
    let request = collection.items.asking(
      [("limit", "1"), ("filter", filters.plainest), ("filter-lang", "cql2-text")], for: OGCPages.types)
    do { return try await client.response(to: request).status == 200 ? filters : nil } catch {
      // A service that fails on the test query cannot filter.
      guard error.kind == .answer else { throw error }
      return nil
    }
  }

  /// Returns the first page, with the largest page size that the service accepts.
  private static func firstPage(
    _ collection: OGCCollection, _ reference: OGCReference, _ client: ServiceClient
  ) async throws(ServiceError) -> (OGCPages, Int?) {
    for pageSize in pageSizes {
      let request = collection.items.asking(parameters(pageSize, reference))
      var pages = OGCPages([request], in: reference, client)
      if try await pages.readNext(refusals: pageSize == nil ? [] : [400, 422]) { return (pages, pageSize) }
    }
    throw ServiceError("refuses every request for features", at: collection.items.url)
  }

  // MARK: Queries

  /// Returns the part of a query that the service evaluates; a geometry is replaced by the box around it.
  package func pushable(_ query: FeatureQuery) -> FeatureQuery {
    let part = query.keeping(
      filters: query.filters.filter { filterText($0) != nil || time(of: $0) != nil },
      envelopes: query.envelopes.flatMap { boxes($0) } != nil, geometry: false, objectIDs: false)
    guard query.envelopes == nil, let around = query.boxesAroundGeometry, boxes(around) != nil else {
      return part
    }
    return part.asked(in: around)
  }

  /// Returns the number of matching features, from the service's count if that count is reliable.
  ///
  /// It is reliable without an envelope, and for points that all have been seen with a geometry. Otherwise features are
  /// fetched and counted: services count features without geometry in every envelope. Some also count a feature if only
  /// its envelope meets the query's.
  package func count(_ query: FeatureQuery) async throws -> Int {
    let boxes = query.envelopes.flatMap { self.boxes($0) }
    let isPlain = query.filters.allSatisfy { filterText($0) != nil }
    let isCounted =
      boxes.map { boxes in
        schema.geometryKind == .point && boxes.areApart && !hasEmptyGeometries.isClosed
      } ?? true
    if isPlain, isCounted, let count = try await statedCount(query, boxes) { return count }
    return try await features(query).rowCount
  }

  /// Returns all matching features in the order of their ids.
  package func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    let boxes = query.envelopes.flatMap { self.boxes($0) }
    var pages = OGCPages(requests(query, boxes, limit: pageSize), in: reference, client.begun())
    try await pages.readAll()
    let found = try fitted(&pages)
    if found.hasEmptyGeometries { hasEmptyGeometries.close() }
    // Services also send features without geometry or time, and some ignore parameters that they do not know. The
    // service's evaluation of CQL2 filters is accepted.
    let asked = query.keeping(
      filters: query.filters.filter { filterText($0) == nil }, geometry: false, objectIDs: false)
    let rows = try InMemorySource(found).rows(asked)
    let ids = ObjectIDs(found)
    return found.rows(rows.sorted { ids.id(ofRow: $0) < ids.id(ofRow: $1) })
  }

  private func fitted(_ pages: inout OGCPages) throws(ServiceError) -> FeatureColumns {
    let table = try pages.columns(textFields: fields.textFields)
    guard let ids = objectIDs.objectIDs(of: pages.ids) else {
      throw ServiceError(
        "sent text ids, but all ids were integers before", at: collection.items.url)
    }
    do { return try fields.fitted(table, objectIDs: ids) } catch {
      throw ServiceError(
        "sent features that differ from those at opening: \(error.text)", at: collection.items.url)
    }
  }

  /// Nil: an OGC API computes no statistics.
  package func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? { nil }

  /// Returns the service's count of features; nil if it states none.
  private func statedCount(_ query: FeatureQuery, _ boxes: [Envelope]?) async throws(ServiceError) -> Int? {
    let client = client.begun()
    var count = 0
    for request in requests(query, boxes, limit: 1) {
      let page = try OGCFeaturePage(try await client.response(to: request.asking(for: OGCPages.types)))
      guard let number = page.numberMatched else { return nil }
      count = count.added(number)
    }
    return count
  }

  // MARK: Requests

  /// Returns one request, or one per box, because not every service supports a box across the antimeridian.
  private func requests(_ query: FeatureQuery, _ boxes: [Envelope]?, limit: Int?) -> [HTTPRequest] {
    var parameters = Self.parameters(limit, reference)
    let filters = query.filters.compactMap { filterText($0) }
    if !filters.isEmpty {
      let whole = filters.count == 1 ? filters[0] : filters.map { "(\($0))" }.joined(separator: " AND ")
      parameters += [("filter", whole), ("filter-lang", "cql2-text")]
    }
    let spans = query.filters.compactMap { time(of: $0) }
    // A service accepts only one time span; the others are checked locally.
    if let span = spans.first { parameters.append(("datetime", span.parameter)) }
    guard let boxes else { return [collection.items.asking(parameters)] }
    return boxes.map { box in
      let crs = reference.isDefault ? [] : [(name: "bbox-crs", value: reference.uri)]
      return collection.items.asking(parameters + [("bbox", reference.box(box))] + crs)
    }
  }

  private static func parameters(
    _ limit: Int?, _ reference: OGCReference
  ) -> [(name: String, value: String)] {
    (limit.map { [("limit", "\($0)")] } ?? []) + (reference.isDefault ? [] : [("crs", reference.uri)])
  }

  private func filterText(_ filter: QueryFilter) -> String? { filters?.text(filter.expression) }

  /// Returns the time span of a filter if the service declares the same time field.
  private func time(of filter: QueryFilter) -> TimeExtent? {
    guard filterText(filter) == nil, let timeInfo = metadata.timeInfo else { return nil }
    return TimeExtent(filter.expression, of: timeInfo)
  }

  /// Returns the non-empty parts of the envelopes in the service's spatial reference.
  ///
  /// Nil if features have no geometry, or if the service would interpret the envelopes differently.
  private func boxes(_ envelopes: [Envelope]) -> [Envelope]? {
    guard schema.geometryKind != nil, statedExtent.map({ $0.worldsReached == 0...0 }) ?? true else {
      return nil
    }
    var boxes: [Envelope] = []
    for envelope in envelopes {
      guard let placed = envelope.projected(to: reference.spatialReference) else { return nil }
      if let box = placed.withinTheWorld { boxes.append(box) }
    }
    return statedExtent.map(boxes.addingAntimeridian(of:)) ?? boxes
  }
}
