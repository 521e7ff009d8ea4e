import MapJSON

/// A page of features: the byte ranges of its features, and its counts, links and spatial reference.
struct OGCFeaturePage: Sendable {
  /// The content.
  let bytes: [UInt8]
  /// The byte range and the id of each feature, in the page's order; the id is nil if it is missing.
  private(set) var features: [(range: Range<Int>, id: OGCFeatureID?)] = []
  /// The number of features of the page; features after the first one without an id are only counted.
  private(set) var count = 0
  /// The number of matching features on all pages; nil if the service does not state it.
  private(set) var numberMatched: Int?
  /// The number of features on this page; nil if the service does not state it.
  private(set) var numberReturned: Int?
  /// The links of the page.
  private(set) var links: OGCLinks
  /// The address of the spatial reference in the header `Content-Crs`; nil without one.
  let contentReference: String?
  /// The member `crs` of the document; nil without one.
  private(set) var reference: JSONValue?
  /// Whether all features are listed, also those without an id.
  private let listsAll: Bool

  /// Creates a page of features that have been read already.
  init(
    _ bytes: [UInt8], _ features: [(range: Range<Int>, id: OGCFeatureID?)], numberMatched: Int?,
    in response: HTTPResponse
  ) {
    (self.bytes, self.features, count, self.numberMatched) = (bytes, features, features.count, numberMatched)
    (links, contentReference, listsAll) = (OGCLinks(nil, in: response), nil, true)
  }

  /// Reads a page of features.
  ///
  /// - Parameter listsAll: Whether all features are listed, also those without an id.
  /// - Throws: ``ServiceError`` if the answer is not a page of features, or if it states another number than it
  ///   contains.
  init(_ response: HTTPResponse, listsAll: Bool = false) throws(ServiceError) {
    try response.checkForJSON()
    (bytes, self.listsAll) = (response.body, listsAll)
    contentReference = response.header["content-crs"]?.trimmingBrackets
    links = OGCLinks(nil, in: response)
    let isComplete: Bool
    do { isComplete = try read(response) } catch {
      throw ServiceError("answered with invalid JSON: \(error)", at: response.url)
    }
    guard isComplete else {
      let fault = (try? response.json()).flatMap { OGCFault.text(of: $0) }
      throw ServiceError(
        fault.map { "answered with status 200 but an error: \($0)" }
          ?? "answered without the array \"features\"", at: response.url)
    }
    if let numberReturned, numberReturned != count {
      throw ServiceError(
        "answered with \(count) features on a page that states \(numberReturned)",
        at: response.url)
    }
  }

  /// Reads the members of the document; returns false if it has no features.
  private mutating func read(_ response: HTTPResponse) throws(JSONSyntaxError) -> Bool {
    var scanner = JSONScanner(bytes)
    var hasFeatures = false
    guard try scanner.peekKind() == .object else { return false }
    try scanner.beginObject()
    while let name = try scanner.nextMember() {
      switch name.text(in: bytes) {
      case "features":
        guard !hasFeatures else { throw scanner.error(.duplicateMember("features"), at: name.start - 1) }
        guard try scanner.peekKind() == .array else { return false }
        try readFeatures(&scanner)
        hasFeatures = true
      case "crs": reference = try scanner.readValue(limits: response.limits)
      case "links": links = OGCLinks(try scanner.readValue(limits: response.limits), in: response)
      case "numberMatched": numberMatched = try scanner.readValue(limits: response.limits).count
      case "numberReturned": numberReturned = try scanner.readValue(limits: response.limits).count
      default: try scanner.skipValue()
      }
    }
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
    return hasFeatures
  }

  private mutating func readFeatures(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    try scanner.beginArray()
    let first = scanner.offset
    while try scanner.nextElement() {
      scanner.skipWhitespace()
      let start = scanner.offset
      let id = try Self.id(&scanner)
      count += 1
      // Features need much more memory than their bytes if these are few; with all members they have 50 or more.
      guard count < 10_000 || (scanner.offset - first) / count >= 40 else {
        throw scanner.error(
          .unexpected(found: "features of less than 40 bytes", expected: "features of GeoJSON"))
      }
      if listsAll || id != nil || features.last?.id != nil || features.isEmpty {
        features.append((start..<scanner.offset, id))
      }
    }
  }

  /// Reads the next feature and returns its `id`.
  private static func id(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> OGCFeatureID? {
    guard try scanner.peekKind() == .object else {
      try scanner.skipValue()
      return nil
    }
    var id: OGCFeatureID?
    try scanner.beginObject()
    while let name = try scanner.nextMember() {
      if name.equals(idName, in: scanner.bytes) {
        id = try OGCFeatureID(reading: &scanner)
      } else {
        try scanner.skipValue()
      }
    }
    return id
  }

  private static let idName = Array("id".utf8)
}

extension JSONValue {
  /// The number of features; nil for a value that is no such number.
  fileprivate var count: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }
}

extension String {
  /// The text without surrounding angle brackets and spaces.
  fileprivate var trimmingBrackets: String {
    String(drop { "< ".contains($0) }.prefix { !"> ;".contains($0) })
  }
}
