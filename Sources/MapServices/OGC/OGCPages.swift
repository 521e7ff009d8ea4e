import MapFeatures
import MapGeometry
import MapJSON

/// The features of a question, page by page, each found by a link of the one before until there is no next.
///
/// A question may be several requests, such as one for each part of an extent: what answers two of them comes once.
struct OGCPages: Sendable {
  private let client: ServiceClient
  private let url: String
  private let reference: OGCReference
  private var requests: ArraySlice<HTTPRequest>
  private var next: HTTPRequest?
  /// What the request under way gave.
  private var answer = Answer()
  /// All features so far as one document, still open.
  private var document = Array(#"{"type":"FeatureCollection","features":["#.utf8)
  /// Where each page's features stand in it.
  private var pages: [(url: String, range: Range<Int>)] = []
  /// What the features are called, in the service's order.
  private(set) var ids: [OGCFeatureID] = []
  private var known: Set<OGCFeatureID> = []
  /// False once a page did not state how many features match, so that a missing page cannot be seen.
  private(set) var statesNumber = true
  /// True where coordinates come with north first; nil until an answer says so.
  private var isNorthFirst: Bool?

  /// What one request gave so far.
  private struct Answer {
    var visited: Set<String> = []
    var emptyPages = 0
    /// How many features answer, by the first page that says so.
    var numberMatched: Int?
    var ids: Set<OGCFeatureID> = []
  }

  /// Pages with none in a row after which an answer counts as endless.
  ///
  /// - Source: ours; services that filter behind their index send a few.
  private static let emptyPageLimit = 100

  /// The pages of requests for a collection's features in a reference.
  init(_ requests: [HTTPRequest], in reference: OGCReference, _ client: ServiceClient) {
    (self.client, self.reference) = (client, reference)
    (next, self.requests) = (requests.first, requests.dropFirst())
    url = requests.first.map { String($0.url.prefix { $0 != "?" }) } ?? ""
  }

  /// True when all pages were read.
  var isComplete: Bool { next == nil }

  /// Reads what is left, and holds the number of features against what the service says.
  ///
  /// - Throws: ``ServiceError``.
  mutating func readAll() async throws(ServiceError) {
    while try await readNext() {}
  }

  /// Reads the next page; false where there was none.
  ///
  /// - Parameter refusals: statuses at which nothing is read and the answer is false.
  /// - Throws: ``ServiceError``.
  mutating func readNext(refusals: Set<Int> = []) async throws(ServiceError) -> Bool {
    guard let request = next else { return false }
    let response = try await client.response(to: request.asking(for: Self.types))
    if refusals.contains(response.status) { return false }
    answer.visited.insert(request.url)
    let page = try OGCFeaturePage(response)
    try check(page, at: response.url)
    try add(page, at: response.url)
    if let following = try page.links.request(to: "next") {
      try checkNext(following, at: response.url)
      next = following
    } else {
      try checkNumber(isEnd: true)
      answer = Answer()
      next = requests.popFirst()
    }
    return true
  }

  /// What features are asked for as.
  static let types = "application/geo+json, application/json;q=0.9, */*;q=0.1"

  private mutating func check(_ page: OGCFeaturePage, at url: String) throws(ServiceError) {
    if let number = page.numberMatched {
      if let before = answer.numberMatched, number != before {
        throw ServiceError(
          "said that \(before) features answer and on a later page \(number): they changed while they were read",
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
      throw ServiceError("answered in the reference \(uri) where \(reference.uri) was asked for", at: url)
    }
    isNorthFirst = found.isNorthFirst
  }

  private mutating func add(_ page: OGCFeaturePage, at url: String) throws(ServiceError) {
    answer.emptyPages = page.features.isEmpty ? answer.emptyPages + 1 : 0
    let start = document.count
    for (range, id) in page.features {
      guard let id else {
        throw ServiceError("sends features without an id, by which alone they are told apart", at: url)
      }
      guard answer.ids.insert(id).inserted else {
        throw ServiceError("sent the feature \(id) twice", at: url)
      }
      guard known.insert(id).inserted else { continue }
      if !ids.isEmpty { document.append(UInt8(ascii: ",")) }
      document += page.bytes[range]
      ids.append(id)
    }
    guard ids.count <= client.limits.features else {
      throw ServiceError(
        "has more than the \(client.limits.features) features that are fetched at most", at: url)
    }
    if document.count > start { pages.append((url, start..<document.count)) }
  }

  private func checkNext(_ following: HTTPRequest, at url: String) throws(ServiceError) {
    if answer.visited.contains(following.url) {
      throw ServiceError("its link to the next page leads back to one that was read", at: url)
    }
    if answer.emptyPages >= Self.emptyPageLimit {
      throw ServiceError("sent \(answer.emptyPages) pages without a feature one after the other", at: url)
    }
    try checkNumber(isEnd: false)
  }

  /// Holds how many features came against how many answer; too many are a fault before the end too.
  private func checkNumber(isEnd: Bool) throws(ServiceError) {
    guard let numberMatched = answer.numberMatched else { return }
    if answer.ids.count > numberMatched || isEnd && answer.ids.count < numberMatched {
      throw ServiceError("said that \(numberMatched) features answer and sent \(answer.ids.count)", at: url)
    }
  }

  // MARK: Columns

  /// The features read so far as a table, the fields named as text.
  ///
  /// - Throws: ``ServiceError`` that names the page of a feature that cannot be read.
  mutating func columns(textFields: Set<String> = []) throws(ServiceError) -> FeatureColumns {
    // Closed for this reading alone, since pages may follow; a copy would take the room twice.
    document += "]}".utf8
    defer { document.removeLast(2) }
    let table: FeatureColumns
    do { table = try GeoJSONReader.read(document, textFields: textFields) } catch { throw fault(error) }
    if let found = table.schema.spatialReference, found != .wgs84 {
      // Only features with a "crs" of their own get here.
      throw ServiceError("sends features that say they are in EPSG:\(found.wkid)", at: url)
    }
    return table.with(
      reference: reference.spatialReference, swapsAxes: isNorthFirst ?? reference.isNorthFirst)
  }

  /// The fault of a feature by its own page, where it has one there.
  private func fault(_ error: FeatureReadError) -> ServiceError {
    for (url, range) in pages {
      let features = document[range].drop { $0 == UInt8(ascii: ",") }
      let page = Array(#"{"type":"FeatureCollection","features":["#.utf8) + features + Array("]}".utf8)
      do { _ = try GeoJSONReader.read(page) } catch {
        return ServiceError("sent a feature that cannot be read: \(error.reason)", at: url)
      }
    }
    return ServiceError("sent features that do not go together: \(error.reason)", at: url)
  }
}

extension FeatureColumns {
  /// The same table under a reference, east and north exchanged where they came so.
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
