import MapFeatures
import MapGeometry
import MapJSON
import MapReaders

/// Reads the features of a query page by page until there is no next page.
///
/// A query may consist of several requests, such as one per part of an extent. A feature in two answers is kept once.
struct OGCPages: Sendable {
  private let client: ServiceClient
  private let url: String
  private let reference: OGCReference
  private let form: OGCPageForm
  private var requests: ArraySlice<HTTPRequest>
  private var next: HTTPRequest?
  /// The numbers of matching features that the service has stated apart from the pages, for each request that follows.
  private var numbers: ArraySlice<Int?>
  /// The state of the current request.
  private var answer = Answer()
  /// All features so far as one GeoJSON document, whose array is still open.
  private var document: [UInt8]
  /// The range of each page's features in the document.
  private var pages: [(url: String, range: Range<Int>)] = []
  /// The ids of the features, in the service's order.
  private(set) var ids: [OGCFeatureID] = []
  private var known: Set<OGCFeatureID> = []
  /// Whether every page so far states the number of matching features; otherwise a missing page cannot be detected.
  private(set) var statesNumber = true
  /// Whether coordinates have north first; nil until an answer states it.
  private var isNorthFirst: Bool?

  /// The features received for one request so far.
  private struct Answer {
    /// The first request.
    var first: HTTPRequest?
    var visited: Set<String> = []
    var emptyPages = 0
    var pages = 0
    /// The number of matching features, from the first page that states it.
    var numberMatched: Int?
    var ids: Set<OGCFeatureID> = []
  }

  /// The number of consecutive empty pages after which an answer counts as endless.
  ///
  /// - Source: design decision; services that filter after their index lookup send a few.
  private static let emptyPageLimit = 100

  /// The number of pages after which they must have two features on average.
  ///
  /// - Source: design decision; 10,000 features are requested per page, and services send at least ten by default.
  private static let smallPageLimit = 1000

  /// The most bytes of all features together, as received.
  ///
  /// - Source: design decision; pages without end stop before memory does.
  private static let largestDocument = 1 << 30

  /// Whether a feature without an id has ended the reading.
  private(set) var lacksIDs = false
  /// The page of features without ids, by their contents.
  private var places: [Int: Int] = [:]

  /// Creates the pages for requests, with features in one spatial reference.
  ///
  /// - Parameter numbers: The number of matching features for each request, if the service has stated it already.
  init(
    _ requests: [HTTPRequest], numbers: [Int?] = [], in reference: OGCReference,
    form: OGCPageForm = OGCPageForm(), _ client: ServiceClient
  ) {
    (self.client, self.reference, self.form, self.numbers) = (client, reference, form, numbers[...])
    // Without its name, other coordinates than degrees would be a warning.
    let name = #""crs":{"type":"name","properties":{"name":"EPSG:\#(reference.spatialReference.wkid)"}},"#
    let isGeographic = reference.spatialReference == .wgs84
    document = Array(#"{"type":"FeatureCollection",\#(isGeographic ? "" : name)"features":["#.utf8)
    (next, self.requests) = (requests.first, requests.dropFirst())
    url = requests.first.map { String($0.url.prefix { $0 != "?" }) } ?? ""
  }

  /// Whether all pages have been read.
  var isComplete: Bool { next == nil }

  /// Reads the remaining pages, and compares the number of features with the service's count.
  ///
  /// - Throws: ``ServiceError``.
  mutating func readAll() async throws(ServiceError) {
    while try await readNext() {}
  }

  /// Reads the next page; returns false if there is none.
  ///
  /// - Parameter refusals: Statuses for which nothing is read and the result is false.
  /// - Throws: ``ServiceError``.
  mutating func readNext(refusals: Set<Int> = []) async throws(ServiceError) -> Bool {
    guard let request = next else { return false }
    let first = answer.first ?? request
    if answer.first == nil { (answer.first, answer.numberMatched) = (request, numbers.popFirst() ?? nil) }
    let response = try await client.response(to: request.asking(for: form.types))
    if refusals.contains(response.status) { return false }
    answer.visited.insert(request.url)
    answer.pages += 1
    let page = try form.read(response)
    try check(page, at: response.url)
    try add(page, at: response.url)
    if let following = try form.next(page, first, answer.ids.count) {
      try checkNext(following, at: response.url)
      next = following
    } else {
      try checkNumber(isEnd: true)
      answer = Answer()
      next = requests.popFirst()
    }
    return true
  }

  /// The media types requested for features.
  static let types = "application/geo+json, application/json;q=0.9, */*;q=0.1"

  private mutating func check(_ page: OGCFeaturePage, at url: String) throws(ServiceError) {
    if let number = page.numberMatched {
      if let before = answer.numberMatched, number != before {
        throw ServiceError(
          "stated \(before) matching features, and \(number) on a later page: the data changed while being read",
          at: url)
      }
      answer.numberMatched = number
    } else {
      statesNumber = false
    }
    guard let uri = page.contentReference else { return }
    guard let found = OGCReference(uri: uri), found.spatialReference == reference.spatialReference,
      isNorthFirst == nil || isNorthFirst == found.isNorthFirst
    else {
      throw ServiceError(
        "answered in the spatial reference \(uri), but \(reference.uri) was requested", at: url)
    }
    isNorthFirst = found.isNorthFirst
  }

  private mutating func add(_ page: OGCFeaturePage, at url: String) throws(ServiceError) {
    answer.emptyPages = page.features.isEmpty ? answer.emptyPages + 1 : 0
    let start = document.count
    // A large page would otherwise be moved several times as the document grows.
    if page.bytes.count > 16 << 20 { document.reserveCapacity(document.count + page.bytes.count) }
    for (range, stated) in page.features {
      guard let id = stated ?? (form.numbersFeatures ? .number(Int64(ids.count) + 1) : nil) else {
        lacksIDs = true
        throw ServiceError("sends features without an id, which is needed to distinguish them", at: url)
      }
      if stated == nil {
        // Only pages of equal features show that the service has moved some while they were read.
        let earlier = places.updateValue(answer.pages, forKey: page.bytes[range].hashValue)
        guard earlier == nil || earlier == answer.pages else {
          throw ServiceError("sent a feature without an id on two pages\(form.hint)", at: url)
        }
      }
      guard answer.ids.insert(id).inserted else {
        throw ServiceError("sent the feature \(id) twice\(form.hint)", at: url)
      }
      guard known.insert(id).inserted else { continue }
      if !ids.isEmpty { document.append(UInt8(ascii: ",")) }
      document += page.bytes[range]
      ids.append(id)
    }
    guard ids.count <= client.limits.features else {
      throw ServiceError(
        "has more features than the limit of \(client.limits.features)", at: url)
    }
    guard document.count <= Self.largestDocument else {
      throw ServiceError(
        "has more than \(Self.largestDocument >> 30) GiB of features; ask for less with a filter or an extent",
        at: url)
    }
    if document.count > start { pages.append((url, start..<document.count)) }
  }

  private func checkNext(_ following: HTTPRequest, at url: String) throws(ServiceError) {
    if answer.visited.contains(following.url) {
      throw ServiceError("its link to the next page leads back to a page already read", at: url)
    }
    if answer.emptyPages >= Self.emptyPageLimit {
      throw ServiceError("sent \(answer.emptyPages) empty pages in a row", at: url)
    }
    if answer.pages >= Self.smallPageLimit, answer.ids.count < 2 * answer.pages {
      throw ServiceError(
        "sent only \(answer.ids.count) features on \(answer.pages) pages, and names more", at: url)
    }
    try checkNumber(isEnd: false)
  }

  /// Compares the number of features received with the stated count; too many are an error even before the last page.
  private func checkNumber(isEnd: Bool) throws(ServiceError) {
    guard let numberMatched = answer.numberMatched else { return }
    if answer.ids.count > numberMatched || isEnd && answer.ids.count < numberMatched {
      throw ServiceError("stated \(numberMatched) matching features, but sent \(answer.ids.count)", at: url)
    }
  }

  // MARK: Columns

  /// Returns the features read so far as a table.
  ///
  /// - Parameter textFields: The names of fields to read as text.
  /// - Throws: ``ServiceError`` that names the page of a feature that cannot be read.
  mutating func columns(textFields: Set<String> = []) throws(ServiceError) -> FeatureColumns {
    // The document is closed only for this reading, because pages may follow. A copy would double the memory.
    document += "]}".utf8
    defer { document.removeLast(2) }
    let table: FeatureColumns
    var options = ReadingOptions()
    options.allowsSeveralKinds = false
    do { table = try GeoJSONReader.read(document, options: options, textFields: textFields) } catch {
      throw fault(error)
    }
    if let found = table.schema.spatialReference, found != reference.spatialReference {
      // Only features with their own "crs" member reach this point.
      throw ServiceError("sends features that declare EPSG:\(found.wkid)", at: url)
    }
    return table.with(
      reference: reference.spatialReference, swapsAxes: isNorthFirst ?? reference.isNorthFirst)
  }

  /// Returns the error of the first page that cannot be read alone; else an error about the features together.
  private func fault(_ error: FeatureReadError) -> ServiceError {
    for (url, range) in pages {
      let features = document[range].drop { $0 == UInt8(ascii: ",") }
      let page = Array(#"{"type":"FeatureCollection","features":["#.utf8) + features + Array("]}".utf8)
      do { _ = try GeoJSONReader.read(page) } catch {
        return ServiceError("sent a feature that cannot be read: \(error.reason)", at: url)
      }
    }
    return ServiceError("sent features that do not fit in one table: \(error.reason)", at: url)
  }
}

extension FeatureColumns {
  /// Returns the table with a spatial reference, and with x and y exchanged if requested.
  fileprivate func with(reference: SpatialReference, swapsAxes: Bool) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind,
        spatialReference: geometry == nil ? nil : reference),
      columns: columns, geometry: swapsAxes ? geometry?.withAxesExchanged : geometry, rowCount: rowCount,
      warnings: warnings)
  }
}

extension CoordinateBuffer {
  /// The same geometries with x and y exchanged.
  fileprivate var withAxesExchanged: CoordinateBuffer {
    var result = CoordinateBuffer(kind: kind)
    result.reserve(rows: rowCount, vertices: vertexCount)
    for row in 0..<rowCount {
      if kind == .point {
        result.appendPoint(x: y[row], y: x[row])
        continue
      }
      for part in parts(ofRow: row) {
        for vertex in vertices(ofPart: part) { result.appendVertex(x: y[vertex], y: x[vertex]) }
        result.endPart()
      }
      result.endRow()
    }
    return result
  }
}
