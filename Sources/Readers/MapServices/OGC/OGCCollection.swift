import MapGeometry
import MapJSON
import MapSystem

/// A collection's description by an OGC API: its documents, found by their links or else at the standard's paths.
struct OGCCollection: Sendable {
  /// The address of the description.
  let url: String
  /// The display name.
  let title: String
  /// The request for the collection's features, without parameters.
  let items: HTTPRequest
  /// The spatial references in which features are offered; empty if the service states none.
  let references: [String]
  /// The spatial reference in which the service stores the features.
  let storageReference: String?
  /// The extent of the features, in WGS 84; nil if the service states none.
  let extent: Envelope?
  /// The conformance classes of the service.
  let conformance: OGCConformance
  /// The properties that filters may use; nil if the service states none.
  let queryables: OGCProperties?
  /// The properties of the features; nil if the service states none.
  let schema: OGCProperties?

  /// Splits the address of a collection, or of its items, into landing page and collection name.
  ///
  /// - Throws: ``ServiceError`` for an address of another form.
  static func parts(of url: String) throws(ServiceError) -> (landingPage: String, id: String) {
    let address = try WebAddress(url)
    var steps = address.path.split(separator: "/", omittingEmptySubsequences: false)
    while steps.last == "" { steps.removeLast() }
    if steps.last == "items" { steps.removeLast() }
    guard let id = steps.popLast(), !id.isEmpty, steps.popLast() == "collections" else {
      throw ServiceError(
        "is not the address of a collection, which ends in /collections/NAME", at: url, kind: .refused)
    }
    // In a path, `+` is not a space.
    let name = PercentEncoding.decode(
      id.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B"))
    return (address.with(path: steps.joined(separator: "/")), name ?? String(id))
  }

  /// Reads a service's description of a collection.
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

  /// Returns the description of a collection from the list of all collections.
  private static func listed(_ id: String, in document: OGCDocument) throws(ServiceError) -> OGCDocument {
    let collections = document.content["collections"]?.array ?? []
    if let found = collections.first(where: { $0["id"]?.string == id }) {
      return document.part(found)
    }
    let names = collections.prefix(20).compactMap { $0["id"]?.string }
    let rest = collections.count > names.count ? " and \(collections.count - names.count) more" : ""
    throw ServiceError(
      "has no collection \"\(id)\""
        + (names.isEmpty ? "" : "; available: \(names.joined(separator: ", "))\(rest)"),
      at: document.url)
  }

  /// Returns the first box, which covers all others.
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
    // A box across the antimeridian becomes the whole width of the world, because an extent is one box.
    return Envelope(
      xMin: west <= east ? west : -180, yMin: south, xMax: west <= east ? east : 180, yMax: north,
      spatialReference: reference.spatialReference
    ).projected(to: .wgs84)
  }
}
