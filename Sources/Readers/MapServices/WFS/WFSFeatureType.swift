package import MapFeatures
import MapFilter
package import MapGeometry
import MapReaders

/// A type of features of a Web Feature Service.
///
/// Features are read page by page until the service has sent as many as it states, as GeoJSON if it offers that, else as
/// GML. The service is asked for the features in a box, and for those that match simple filters. All conditions are
/// decided by MapState on the features received.
///
/// - Source: OGC 09-025r2 (WFS 2.0); OGC 04-094 (WFS 1.1), without pages and filters.
package struct WFSFeatureType: ServiceLayer {
  /// The fields, geometry kind and spatial reference.
  package var schema: FeatureSchema { fields.schema }
  /// The envelope that the service states; nil if it states none.
  package let statedExtent: Envelope?
  /// The title of the type.
  package let metadata: SourceMetadata
  /// Whether the service states the number of matching features.
  package let canVerifyCounts: Bool

  private let client: ServiceClient
  private let requests: WFSRequests
  private let fields: OGCFields
  private let filters: WFSFilter?
  private let objectIDs: OGCObjectIDs
  /// Whether pages state the number of matching features; otherwise it is asked for.
  private let pagesStateNumber: Bool
  /// Whether the service finds its features in boxes.
  private let hasBoxes: Bool
  private let descriptionNotices: [String]
  /// Set when the service has refused a filter.
  private let refusesFilters = Latch()

  /// The number of features requested per page; a service may send fewer.
  ///
  /// - Source: design decision, as for OGC APIs.
  private static let pageSize = 10_000

  /// Opens a type of features by its address; see ``WFSAddress``.
  ///
  /// Reads the first page of features, or all of them if the service does not declare their properties.
  ///
  /// - Throws: ``ServiceError``.
  package static func open(
    _ url: String, client: ServiceClient
  ) async throws(ServiceError) -> WFSFeatureType {
    let client = client.begun()
    let address = try WFSAddress(url)
    let capabilities = try await WFSCapabilities(address, client)
    let type = try capabilities.type(named: address.typeName)
    let reference = try reference(type, wanted: address.srsName, at: capabilities.url)
    var declared: OGCProperties?
    var fault: ServiceError?
    // GML is asked for if GeoJSON is refused, or lacks ids, dates or the order of axes.
    for format in capabilities.formats(of: type, wanted: address.outputFormat) {
      var requests = WFSRequests(
        service: address.service, version: capabilities.version, typeName: type.name, reference: reference,
        format: format.name, isJSON: format.isJSON, declared: declared,
        pageSize: capabilities.canPage ? pageSize : nil)
      if declared == nil {
        declared = try await self.declared(requests, client)
        requests = requests.with(declared)
      }
      do {
        return try await WFSFeatureType(requests, type, capabilities, address, client)
      } catch {
        guard error.kind == .answer else { throw error }
        fault = error
      }
    }
    throw fault ?? ServiceError("offers no format that is read", at: capabilities.url)
  }

  /// Returns the spatial reference in which to request features.
  private static func reference(
    _ type: WFSCapabilities.FeatureType, wanted: String?, at url: String
  ) throws(ServiceError) -> OGCReference {
    if let wanted {
      guard let reference = OGCReference(srsName: wanted) else {
        throw ServiceError("srsName is none of CRS84, EPSG:4326 and EPSG:3857", at: url, kind: .refused)
      }
      return reference
    }
    let known = type.references.compactMap { OGCReference(srsName: $0) }
    if let first = known.first, first.uri == type.references.first { return first }
    let best = known.first { $0.isDefault } ?? known.first { $0.spatialReference == .wgs84 } ?? known.first
    // Services transform to more spatial references than they list.
    return best ?? OGCReference(srsName: "urn:ogc:def:crs:EPSG::4326") ?? .crs84
  }

  /// Returns the declared properties; nil if the service does not declare them.
  private static func declared(
    _ requests: WFSRequests, _ client: ServiceClient
  ) async throws(ServiceError) -> OGCProperties? {
    let response = try await client.response(to: requests.schema)
    try response.checkForData("a schema was")
    do { return try WFSSchema.properties(response.body, of: requests.typeName) } catch {
      throw ServiceError(
        "answered with a schema that cannot be read: \(FeatureReadError(error, in: response.body))",
        at: response.url)
    }
  }

  private init(
    _ written: WFSRequests, _ type: WFSCapabilities.FeatureType, _ capabilities: WFSCapabilities,
    _ address: WFSAddress, _ client: ServiceClient
  ) async throws(ServiceError) {
    let (requests, first) = try await Self.firstPage(written, client)
    var pages = first
    let (reference, declared) = (requests.reference, requests.declared)
    let texts = declared?.texts ?? []
    var total: Int?
    if !pages.statesNumber {
      total = try await Self.number(requests, client)
    }
    var table = try pages.columns(textFields: texts)
    // The form that the address names is trusted more than the stated extent.
    try WFSChecks.order(
      of: table, reference, address.srsName == nil ? type.bounds : nil, at: capabilities.url)
    if !pages.isComplete, !OGCFields.areSettled(table, by: declared) {
      try await pages.readAll()
      table = try pages.columns(textFields: texts)
    }
    if pages.isComplete, let total, total != pages.ids.count {
      throw ServiceError(
        "stated \(total) matching features, but sent \(pages.ids.count)", at: capabilities.url)
    }
    fields = OGCFields(table, declared: declared, reference: reference)
    if requests.isJSON, let name = fields.unreadDate(declared) {
      throw ServiceError("writes the date \(name) with a time zone", at: capabilities.url)
    }
    objectIDs = OGCObjectIDs(seen: pages.ids)
    pagesStateNumber = pages.statesNumber
    canVerifyCounts = pagesStateNumber || total != nil
    filters = requests.lacksIDs ? nil : WFSFilter(declared, capabilities)
    hasBoxes =
      requests.lacksIDs ? false : try await WFSChecks.findsFeatures(of: table, requests, client)
    statedExtent = Self.extent(type.bounds)?.projected(to: reference.spatialReference)
    var metadata = SourceMetadata()
    metadata.name = type.title.isEmpty ? WFSCapabilities.local(type.name) : type.title
    self.metadata = metadata
    (self.client, self.requests) = (client, requests)
    descriptionNotices = Self.notices(
      requests, address, hasBoxes: hasBoxes || table.rowCount == 0 || table.geometry == nil,
      hasFilters: filters != nil, canVerify: canVerifyCounts)
  }

  /// Reads the first page; finds out whether features have ids.
  private static func firstPage(
    _ requests: WFSRequests, _ client: ServiceClient
  ) async throws(ServiceError) -> (WFSRequests, OGCPages) {
    let request = requests.features(count: requests.pageSize)
    var pages = OGCPages([request], in: requests.pageReference, form: requests.form, client)
    do {
      _ = try await pages.readNext()
      return (requests, pages)
    } catch {
      // GML may have ids where GeoJSON has none.
      guard pages.lacksIDs, !requests.isJSON else { throw error }
      var requests = requests
      requests.lacksIDs = true
      pages = OGCPages([request], in: requests.pageReference, form: requests.form, client)
      _ = try await pages.readNext()
      return (requests, pages)
    }
  }

  /// Returns the number of all features; nil if the service does not state it.
  private static func number(
    _ requests: WFSRequests, _ client: ServiceClient
  ) async throws(ServiceError) -> Int? {
    do { return try requests.number(in: try await client.response(to: requests.number())) } catch {
      guard error.kind == .answer else { throw error }
      return nil
    }
  }

  private static func extent(_ bounds: [Double]?) -> Envelope? {
    bounds.map {
      Envelope(xMin: $0[0], yMin: $0[1], xMax: $0[2], yMax: $0[3], spatialReference: .wgs84)
    }
  }

  private static func notices(
    _ requests: WFSRequests, _ address: WFSAddress, hasBoxes: Bool, hasFilters: Bool, canVerify: Bool
  ) -> [String] {
    var notices = address.ignored.map {
      "the parameter \($0) of the address is not applied: all features are read"
    }
    if requests.declared == nil {
      notices.append("the service declares no fields: they are those of its features")
    }
    if requests.lacksIDs {
      notices.append("the features have no lasting ids: all are fetched, and numbered in the service's order")
    } else if !hasBoxes {
      notices.append(
        "extents are evaluated locally: the service does not find its own features in a box around them")
    }
    if !requests.lacksIDs, !hasFilters {
      notices.append(
        requests.version.hasPrefix("1.")
          ? "filters are evaluated locally: those of WFS 1.1 are not sent"
          : "filters are evaluated locally: the service offers none")
    }
    if !canVerify {
      notices.append(
        "the service does not state how many features match (numberMatched): counts are of the features that it "
          + "sends and cannot be verified")
    }
    return notices
  }

  /// Notices about conditions evaluated locally, and about gaps in the service's description.
  package var notices: [String] {
    descriptionNotices
      + (refusesFilters.isClosed ? ["filters are evaluated locally: the service has refused one"] : [])
  }

  // MARK: Queries

  /// Returns the part of a query that the service is asked for; a geometry is replaced by the box around it.
  package func pushable(_ query: FeatureQuery) -> FeatureQuery {
    func isSent(_ filter: QueryFilter) -> Bool { filters?.text(filter.expression) != nil }
    let part = query.keeping(
      filters: query.filters.flatMap { isSent($0) ? [$0] : $0.conjuncts.filter(isSent) },
      envelopes: query.envelopes.flatMap { boxes($0) } != nil, geometry: false, objectIDs: false)
    guard query.envelopes == nil, let around = query.boxesAroundGeometry, boxes(around) != nil else {
      return part
    }
    return part.asked(in: around)
  }

  /// Whether the query has no conditions: only then is the service's number that of MapState's rules.
  package func answersExactly(_ query: FeatureQuery) -> Bool {
    query.filters.isEmpty && query.envelopes == nil
  }

  /// Returns the number of features, as stated by the service; if it states none, they are fetched.
  package func count(_ query: FeatureQuery) async throws -> Int {
    let client = client.begun()
    if answersExactly(query) {
      if pagesStateNumber, requests.pageSize != nil {
        let request = requests.features(count: 1).asking(for: requests.form.types)
        if let number = try requests.page(try await client.response(to: request)).numberMatched {
          return number
        }
      } else if canVerifyCounts, let number = try await number([], client) {
        return number
      }
    }
    return try await features(query).rowCount
  }

  private func number(
    _ conditions: [(name: String, value: String)], _ client: ServiceClient
  ) async throws(ServiceError) -> Int? {
    try requests.number(in: try await client.response(to: requests.number(conditions)))
  }

  /// Returns all matching features in the order of their ids.
  package func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    let texts = refusesFilters.isClosed ? [] : query.filters.compactMap { filters?.text($0.expression) }
    let found: FeatureColumns
    do throws(ServiceError) {
      found = try await fetched(query, texts)
    } catch {
      guard error.kind == .answer, !texts.isEmpty else { throw error }
      // The features are selected below, so that more of them may be asked for.
      found = try await fetched(query, [])
      refusesFilters.close()
    }
    let rows = try InMemorySource(found).rows(
      query.keeping(filters: query.filters, geometry: false, objectIDs: false))
    let ids = ObjectIDs(found)
    return found.rows(rows.sorted { ids.id(ofRow: $0) < ids.id(ofRow: $1) })
  }

  private func fetched(_ query: FeatureQuery, _ filters: [String]) async throws(ServiceError)
    -> FeatureColumns
  {
    let client = client.begun()
    let boxes = query.envelopes.flatMap { self.boxes($0) }?.map { requests.box($0) }
    let conditions: [[(name: String, value: String)]]
    switch (filters.isEmpty, boxes) {
    case (true, nil): conditions = [[]]
    case (true, let boxes?): conditions = boxes.map { [("bbox", $0.parameter)] }
    case (false, nil): conditions = [[("filter", WFSFilter.document(filters, nil))]]
    // A request has a filter or a box.
    case (false, let boxes?): conditions = boxes.map { [("filter", WFSFilter.document(filters, $0))] }
    }
    var numbers: [Int?] = []
    if !pagesStateNumber, canVerifyCounts {
      for condition in conditions { numbers.append(try await number(condition, client)) }
    }
    var pages = OGCPages(
      conditions.map { requests.features($0, count: requests.pageSize) }, numbers: numbers,
      in: requests.pageReference, form: requests.form, client)
    try await pages.readAll()
    let table = try pages.columns(textFields: fields.textFields)
    guard let ids = objectIDs.objectIDs(of: pages.ids) else {
      throw ServiceError("sent text ids, but all ids were integers before", at: requests.service)
    }
    do { return try fields.fitted(table, objectIDs: ids) } catch {
      throw ServiceError(
        "sent features that differ from those at opening: \(error.text)", at: requests.service)
    }
  }

  /// Nil: a Web Feature Service computes no statistics.
  package func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? { nil }

  /// Returns the non-empty parts of the envelopes in the service's spatial reference; nil if the service is not asked
  /// for boxes.
  private func boxes(_ envelopes: [Envelope]) -> [Envelope]? {
    guard hasBoxes, statedExtent.map({ $0.worldsReached == 0...0 }) ?? true else { return nil }
    var boxes: [Envelope] = []
    for envelope in envelopes {
      guard let placed = envelope.projected(to: requests.reference.spatialReference) else { return nil }
      if let box = placed.withinTheWorld { boxes.append(box) }
    }
    return statedExtent.map(boxes.addingAntimeridian(of:)) ?? boxes
  }
}

extension WFSRequests {
  /// The spatial reference of pages, whose positions have east first: GML is rewritten, and GeoJSON has that order.
  fileprivate var pageReference: OGCReference { reference.withEastFirst }

  /// Returns the requests of a type with known properties.
  fileprivate func with(_ declared: OGCProperties?) -> WFSRequests {
    WFSRequests(
      service: service, version: version, typeName: typeName, reference: reference, format: format,
      isJSON: isJSON, declared: declared, pageSize: pageSize)
  }
}

extension OGCFields {
  /// Returns the name of a field that is declared as a date and has other text; nil without one.
  fileprivate func unreadDate(_ declared: OGCProperties?) -> String? {
    declared?.properties.first { property in
      property.type == .dateOnly && textFields.contains(property.name)
    }?.name
  }
}
