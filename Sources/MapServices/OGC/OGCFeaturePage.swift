import MapJSON

/// One answer to a question for features: where its features stand, and what it says of itself.
struct OGCFeaturePage: Sendable {
  /// The content.
  let bytes: [UInt8]
  /// The features in their order: where each stands in the content, and what it is called, nil without a name.
  private(set) var features: [(range: Range<Int>, id: OGCFeatureID?)] = []
  /// How many features answer on all pages; nil where the service does not say.
  private(set) var numberMatched: Int?
  /// How many are on this page; nil where the service does not say.
  private(set) var numberReturned: Int?
  /// Its links.
  private(set) var links: OGCLinks
  /// The reference that the header names; nil where it names none.
  let contentReference: String?

  /// The features of an answer.
  ///
  /// - Throws: ``ServiceError`` for what is no page of features, and for a page whose number of features is not what it
  ///   says.
  init(_ response: HTTPResponse) throws(ServiceError) {
    try response.checkForJSON()
    bytes = response.body
    contentReference = response.header["content-crs"]?.trimmingBrackets
    links = OGCLinks(nil, in: response)
    let isComplete: Bool
    do { isComplete = try read(response) } catch {
      throw ServiceError("answered with what is no JSON: \(error)", at: response.url)
    }
    guard isComplete else {
      let fault = (try? response.json()).flatMap { OGCFault.text(of: $0) }
      throw ServiceError(
        fault.map { "answered with an error as if it were good: \($0)" }
          ?? "answered without the array \"features\"", at: response.url)
    }
    if let numberReturned, numberReturned != features.count {
      throw ServiceError(
        "answered with \(features.count) features on a page that says it has \(numberReturned)",
        at: response.url)
    }
  }

  /// Reads the members of the document; false without features.
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
      case "links": links = OGCLinks(try scanner.readValue(), in: response)
      case "numberMatched": numberMatched = try scanner.readValue().count
      case "numberReturned": numberReturned = try scanner.readValue().count
      default: try scanner.skipValue()
      }
    }
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
    return hasFeatures
  }

  private mutating func readFeatures(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    try scanner.beginArray()
    while try scanner.nextElement() {
      scanner.skipWhitespace()
      let start = scanner.offset
      let id = try Self.id(&scanner)
      features.append((start..<scanner.offset, id))
    }
  }

  /// The `id` of the feature that comes next.
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
  /// A number of features; nil for what cannot be one.
  fileprivate var count: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }
}

extension String {
  /// Without the angle brackets and blanks around it.
  fileprivate var trimmingBrackets: String {
    String(drop { "< ".contains($0) }.prefix { !"> ;".contains($0) })
  }
}
