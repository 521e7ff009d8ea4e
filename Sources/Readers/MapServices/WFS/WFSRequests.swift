import MapGeometry
import MapJSON
import MapReaders

/// The requests for the features of a type, and the form of their answers.
struct WFSRequests: Sendable {
  /// The address without the parameters of operations.
  let service: String
  let version: String
  let typeName: String
  let reference: OGCReference
  /// The format that is asked for; nil for the service's own.
  let format: String?
  /// Whether the format is GeoJSON.
  let isJSON: Bool
  /// The declared properties; nil if the service declares none.
  let declared: OGCProperties?
  /// The number of features requested per page; nil for all in one answer.
  let pageSize: Int?
  /// Whether features have no ids that stay the same.
  var lacksIDs = false

  private var isOld: Bool { version.hasPrefix("1.") }

  /// Returns a request for features.
  ///
  /// - Parameter count: The greatest number of features; nil for no limit.
  func features(_ conditions: [(name: String, value: String)] = [], count: Int?) -> HTTPRequest {
    var parameters = base("GetFeature") + [("srsName", reference.uri)]
    if let format { parameters.append(("outputFormat", format)) }
    if let count { parameters.append((isOld ? "maxFeatures" : "count", "\(count)")) }
    return HTTPRequest(get: service, parameters + conditions)
  }

  /// Returns a request for the number of matching features.
  func number(_ conditions: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(get: service, base("GetFeature") + [("resultType", "hits")] + conditions)
  }

  /// Returns a request for the schema of the type.
  var schema: HTTPRequest {
    // Both names of the parameter are in versions of the standard.
    HTTPRequest(get: service, base("DescribeFeatureType") + (isOld ? [] : [("typeName", typeName)]))
  }

  private func base(_ operation: String) -> [(name: String, value: String)] {
    [
      ("service", "WFS"), ("version", version), ("request", operation),
      (isOld ? "typeName" : "typeNames", typeName),
    ]
  }

  /// Returns the box of an envelope.
  ///
  /// The spatial reference is written as a URN, which has one order of axes: some services take `EPSG:4326` as north
  /// first, others as east first.
  func box(_ envelope: Envelope) -> WFSBox {
    // Services round coordinates before they send them, MapServer to six decimals.
    let margin = reference.spatialReference == .wgs84 ? 1e-4 : 10.0
    let isGeographic = reference.spatialReference == .wgs84
    let (west, south) = (envelope.xMin - margin, max(envelope.yMin, isGeographic ? -90 : -1e9) - margin)
    let (east, north) = (envelope.xMax + margin, min(envelope.yMax, isGeographic ? 90 : 1e9) + margin)
    let isCRS84 = reference.uri.uppercased().contains("CRS84")
    let name = isCRS84 ? reference.uri : "urn:ogc:def:crs:EPSG::\(reference.spatialReference.wkid)"
    return isGeographic && !isCRS84
      ? WFSBox(low: "\(south) \(west)", high: "\(north) \(east)", reference: name)
      : WFSBox(low: "\(west) \(south)", high: "\(east) \(north)", reference: name)
  }

  // MARK: Answers

  /// The form of pages.
  var form: OGCPageForm {
    var form = OGCPageForm()
    form.types = isJSON ? OGCPages.types : "application/gml+xml, text/xml;q=0.9, */*;q=0.1"
    form.read = { [self] (response) throws(ServiceError) in try page(response) }
    form.numbersFeatures = lacksIDs
    form.hint = "; the service may not support pages (startIndex), or has no fixed order"
    form.next = { [pageSize] (page, first, received) throws(ServiceError) in
      // Services send fewer features than were asked for. Only the number of all or an empty page tells the end.
      guard pageSize != nil, page.count > 0, received < page.numberMatched ?? .max else { return nil }
      var request = HTTPRequest(get: first.url, [("startIndex", "\(received)")])
      request.reach = first.reach
      return request
    }
    return form
  }

  /// Reads a page of features.
  ///
  /// - Throws: ``ServiceError``.
  func page(_ response: HTTPResponse) throws(ServiceError) -> OGCFeaturePage {
    try response.checkForData("features were")
    guard !isJSON else {
      let page = try OGCFeaturePage(response, listsAll: true)
      try check(page.reference?["properties"]?["name"]?.string, at: response.url)
      return OGCFeaturePage(
        page.bytes, page.features.map { ($0.range, Self.lasting($0.id)) }, numberMatched: page.numberMatched,
        in: response)
    }
    let page = try gml(response)
    if let number = page.numberReturned, number != page.features.count {
      throw ServiceError(
        "answered with \(page.features.count) features on a page that states \(number)", at: response.url)
    }
    let features = page.features.map { feature in
      (range: feature.range, id: lacksIDs ? nil : Self.lasting(feature.id.map { .text($0) }))
    }
    return OGCFeaturePage(page.bytes, features, numberMatched: page.numberMatched, in: response)
  }

  /// Returns an id; nil for those that GeoServer makes anew for each answer if a table has no key.
  private static func lasting(_ id: OGCFeatureID?) -> OGCFeatureID? {
    if case .text(let text)? = id, text.contains(".fid--") { nil } else { id }
  }

  /// Returns the stated number of an answer without features; nil if the service does not state it.
  ///
  /// - Throws: ``ServiceError``.
  func number(in response: HTTPResponse) throws(ServiceError) -> Int? {
    try response.checkForData("a number of features was")
    let page = try gml(response)
    return page.numberMatched ?? (isOld ? page.numberOfFeatures : nil)
  }

  private func gml(_ response: HTTPResponse) throws(ServiceError) -> GMLPage {
    let page: GMLPage
    do {
      page = try GMLPage(
        response.body,
        GMLPage.Form(values: declared?.gmlValues ?? [:], geometryName: declared?.geometryName) {
          [reference] name in
          guard let name else { return reference.isNorthFirst }
          let found = OGCReference(srsName: name)
          return found?.spatialReference == reference.spatialReference ? found?.isNorthFirst : nil
        })
    } catch {
      throw ServiceError("answered with GML that cannot be read: \(error)", at: response.url)
    }
    if let exception = page.exception {
      throw ServiceError("stopped in the middle of its answer: \(exception)", at: response.url)
    }
    return page
  }

  /// Checks the name of the spatial reference in GeoJSON, whose positions have east first whatever the name.
  ///
  /// - Source: the GeoJSON specification of 2008, 3; RFC 7946, 4, knows WGS 84 only.
  private func check(_ name: String?, at url: String) throws(ServiceError) {
    let found = name.map { OGCReference(srsName: $0)?.spatialReference } ?? .wgs84
    guard found == reference.spatialReference else {
      throw ServiceError(
        "answered in the spatial reference \(name ?? "of GeoJSON"), but \(reference.uri) was requested",
        at: url)
    }
  }
}

/// A box in a request.
struct WFSBox: Sendable {
  /// The two corners, each with a space between its coordinates.
  let low: String
  let high: String
  /// The name of the spatial reference.
  let reference: String

  /// The value of the parameter `bbox`.
  var parameter: String {
    (low.split(separator: " ") + high.split(separator: " ") + [reference[...]]).joined(separator: ",")
  }
}
