import MapGeometry
import MapJSON

/// What an OGC API says of a collection: its documents, found by their links, or at the standard's paths without.
struct OGCCollection: Sendable {
  /// The address of its description.
  let url: String
  /// The name for people.
  let title: String
  /// The question for its features, without parameters.
  let items: HTTPRequest
  /// The references that features are offered in; empty where the service does not say.
  let references: [String]
  /// The reference that the service keeps them in.
  let storageReference: String?
  /// Where they lie, in WGS 84; nil where the service does not say.
  let extent: Envelope?
  /// What the service conforms to.
  let conformance: OGCConformance
  /// What may be filtered by; nil where it does not say.
  let queryables: OGCProperties?
  /// What its features have; nil where it does not say.
  let schema: OGCProperties?

  /// The landing page and the name in the address of a collection, or of its items.
  ///
  /// - Throws: ``ServiceError`` for an address of another form.
  static func parts(of url: String) throws(ServiceError) -> (landingPage: String, id: String) {
    let address = try WebAddress(url)
    var steps = address.path.split(separator: "/", omittingEmptySubsequences: false)
    while steps.last == "" { steps.removeLast() }
    if steps.last == "items" { steps.removeLast() }
    guard let id = steps.popLast(), !id.isEmpty, steps.popLast() == "collections" else {
      throw ServiceError(
        "is no address of a collection, which ends in /collections/NAME", at: url, kind: .refused)
    }
    // In a path `+` is no blank.
    let name = PercentEncoding.decode(
      id.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B"))
    return (address.with(path: steps.joined(separator: "/")), name ?? String(id))
  }

  /// Reads what a service says of a collection.
  ///
  /// - Throws: ``ServiceError``.
  init(_ id: String, at landingPage: String, _ client: ServiceClient) async throws(ServiceError) {
    let base = HTTPRequest(get: landingPage)
    let landing = try await OGCDocument.at(base, client)
    let collections = try landing.links.request(to: "data", else: base, "collections")
    let declaration = try landing.links.request(to: "conformance", else: base, "conformance")
    conformance = OGCConformance(try await OGCDocument.ifAny(at: declaration, client)?.content)

    let own = try collections.appending(step: id)
    let description: OGCDocument
    if let found = try await OGCDocument.ifAny(at: own, client) {
      description = found
    } else {
      description = try Self.listed(id, in: try await OGCDocument.at(collections, client))
    }
    let content = description.content
    guard content.object != nil, content["id"] != nil || content["links"] != nil else {
      throw ServiceError("answered with JSON that describes no collection", at: description.url)
    }
    (url, title) = (description.url, content["title"]?.string ?? id)
    let links = description.links
    items = try links.request(to: "items", else: own, "items")
    let offered = (content["crs"]?.array ?? []).compactMap(\.string)
    storageReference = content["storageCrs"]?.string
    extent = Self.extent(content["extent"]?["spatial"])
    references =
      offered.contains("#/crs")
      ? offered.filter { $0 != "#/crs" }
        + (try await OGCDocument.at(collections, client).content["crs"]?.array ?? []).compactMap(\.string)
      : offered

    let queryables =
      conformance.has("queryables")
      ? try links.request(to: "queryables", else: own, "queryables") : try links.request(to: "queryables")
    self.queryables = try await Self.properties(at: queryables, client)
    schema = try await Self.properties(at: try links.request(to: "schema"), client)
  }

  private static func properties(
    at request: HTTPRequest?, _ client: ServiceClient
  ) async throws(ServiceError) -> OGCProperties? {
    guard let request else { return nil }
    return OGCProperties(try await OGCDocument.ifAny(at: request, client)?.content)
  }

  /// The description of a collection among all of them.
  private static func listed(_ id: String, in document: OGCDocument) throws(ServiceError) -> OGCDocument {
    let collections = document.content["collections"]?.array ?? []
    if let found = collections.first(where: { $0["id"]?.string == id }) {
      return document.part(found)
    }
    let names = collections.prefix(20).compactMap { $0["id"]?.string }
    let rest = collections.count > names.count ? " and \(collections.count - names.count) more" : ""
    throw ServiceError(
      "has no collection \"\(id)\"" + (names.isEmpty ? "" : ", but \(names.joined(separator: ", "))\(rest)"),
      at: document.url)
  }

  /// The first box, which covers all others.
  private static func extent(_ spatial: JSONValue?) -> Envelope? {
    let numbers = (spatial?["bbox"]?[0]?.array ?? []).compactMap(\.double).filter(\.isFinite)
    let reference = spatial?["crs"]?.string.map { OGCReference(uri: $0) } ?? .crs84
    guard [4, 6].contains(numbers.count), let reference else { return nil }
    let (first, second) = (numbers[0...1], numbers[(numbers.count / 2)...])
    let sides = [first[0], first[1], second[second.startIndex], second[second.startIndex + 1]]
    let (west, south, east, north) =
      reference.isNorthFirst
      ? (sides[1], sides[0], sides[3], sides[2]) : (sides[0], sides[1], sides[2], sides[3])
    guard south <= north else { return nil }
    // Across the antimeridian it is all around the world, for an extent is one box.
    return Envelope(
      xMin: west <= east ? west : -180, yMin: south, xMax: west <= east ? east : 180, yMax: north,
      spatialReference: reference.spatialReference
    ).projected(to: .wgs84)
  }
}
