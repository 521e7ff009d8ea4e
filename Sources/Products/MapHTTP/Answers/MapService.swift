import MapGeometry
import MapJSON
import MapModel
import MapScript
import MapSnapshots
import MapState
import MapSystem

/// The answers of the server: from a request to a response, without a network.
package final class MapService: Sendable {
  private let maps: MapFolder
  private let limits: ServerLimits
  private let origin: OriginCheck
  private let files: PreviewFiles?
  private let maxAge: Int
  private let metrics = ServerMetrics()
  private let work: WorkQueue
  private let blocks = TileBlocks()

  /// Creates the answers for the maps of a folder.
  ///
  /// - Parameters:
  ///   - files: the files that the page of the only map may write; nil for none.
  ///   - maxAge: the seconds that caches may use an answer without asking whether it has changed.
  package init(
    _ maps: MapFolder, limits: ServerLimits = ServerLimits(), origin: OriginCheck = OriginCheck(),
    files: PreviewFiles? = nil, maxAge: Int = 0
  ) {
    (self.maps, self.limits, self.origin, self.files) = (maps, limits, origin, files)
    self.maxAge = maxAge
    work = WorkQueue(concurrency: limits.concurrency, places: limits.queue)
  }

  /// Counts a request that was answered.
  package func count(_ request: ServedRequest) { metrics.add(request) }

  /// Answers a request at once, or admits its work; refuses it if too many requests are admitted.
  package func begin(_ request: HTTPRequest) -> HTTPAnswer {
    do {
      let request = try origin.admit(request)
      if origin.isPreflight(request) { return .ready(AllowedOrigins.preflight) }
      if let path = WritingPath(request), files != nil {
        try origin.checkWriting(request)
        let place = try work.admit()
        return .work { [self] in
          do { return try await place.run { try await write(request, path) } } catch {
            return HTTPFault(error).response
          }
        }
      }
      guard ["GET", "HEAD"].contains(request.method) else {
        throw HTTPFault(405, "\(request.method): only GET and HEAD are allowed")
      }
      if var response = try ready(request) ?? kept(request) {
        response.compress(for: request)
        return .ready(response)
      }
      let place = try work.admit()
      return .work { [self] in
        do {
          var response = try await place.run { try await map(request) }
          response.compress(for: request)
          return response
        } catch {
          return HTTPFault(error).response
        }
      }
    } catch {
      return .ready(HTTPFault(error).response)
    }
  }

  /// Answers a request.
  package func answer(_ request: HTTPRequest) async -> HTTPResponse { await begin(request).response }

  /// Writes the document or a snapshot case, as the page asks.
  private func write(_ request: HTTPRequest, _ path: WritingPath) async throws -> HTTPResponse {
    let parameters = try RequestParameter.decode(request.query, path.parameters)
    let map = try await maps.map(request.path[1])
    let asked = MapRequest(map: map, parameters: parameters, limits: limits)
    guard let files else { throw HTTPFault(405, "this server writes nothing") }
    switch path {
    case .save: return try await files.save(asked)
    case .snapshotCase: return try await files.record(asked)
    }
  }

  /// Returns the response to a request that needs no map; nil for others.
  private func ready(_ request: HTTPRequest) throws(HTTPFault) -> HTTPResponse? {
    let path = request.path
    switch (path.first, path.count) {
    case (nil, _):
      let asked = try RequestParameter.decode(
        request.query, [RequestParameter("map", .text, "Id of the map of the examples.")])
      return try StartPage(maps: maps, request: request, origins: origin.origins).response(
        map: asked["map"]?.string)
    case ("maps", 1):
      try noParameters(request)
      let path = request.address.path
      let maps: [JSONValue] = maps.names.map { name in
        ["id": .string(name), "href": .string("\(path)/maps/\(FilePath.percentEncoded(name))")]
      }
      return HTTPResponse(json: ["maps": .array(maps), "openapi": .string("\(path)/openapi.json")])
    case ("health", 1):
      try noParameters(request)
      return HTTPResponse(json: ["status": "ok", "release": .string("\(Release.version)")])
    case ("metrics", 1):
      try noParameters(request)
      let (running, waiting) = work.counts
      let text = metrics.text(
        running: running, waiting: waiting, openings: maps.openings, blocks: blocks.counts)
      return HTTPResponse(Array(text.utf8), type: "text/plain; version=0.0.4")
    case ("openapi.json", 1):
      try noParameters(request)
      return HTTPResponse(
        json: MapPath.openAPI(
          release: "\(Release.version)", maps: maps.names, root: request.address.root,
          hasToken: origin.isPrivate, writing: files == nil ? [] : WritingPath.allCases))
    case ("maps", 3) where path[2] == "preview":
      try noParameters(request)
      guard maps.names.contains(path[1]) else { throw maps.unknown(path[1]) }
      return LocalPage.response(PackageResources.preview_html)
    case ("maps", _): return nil
    default:
      let nearest = NearestName.of(path[0], among: ["maps", "health", "metrics", "openapi.json"])
      throw HTTPFault(
        404, "no such path; \(nearest.map { "did you mean \"/\($0)\"? " } ?? "")see /openapi.json",
        suggestion: nearest)
    }
  }

  private func noParameters(_ request: HTTPRequest) throws(HTTPFault) {
    _ = try RequestParameter.decode(request.query, [])
  }

  /// Answers a request for a path below `/maps/{id}`.
  private func map(_ request: HTTPRequest) async throws -> HTTPResponse {
    let rest = Array(request.path.dropFirst(2))
    if let standard = rest.first, Self.standards.contains(standard) {
      let map = try await maps.map(request.path[1])
      return try await tagged(request, map) {
        standard == "ogc"
          ? try await OGCService(map: map, request: request, limits: limits).answer()
          : try await FeatureServer(map: map, request: request, limits: limits).answer()
      }
    }
    let target = try Target(request)
    let map = try await maps.map(request.path[1])
    return try await tagged(request, map) {
      let asked = MapRequest(map: map, parameters: target.parameters, limits: limits)
      switch target.path {
      case .description:
        return HTTPResponse(json: try await map.inspection().json)
      case .image: return asked.named(try await asked.image(), request.path[1], format: "png")
      case .count: return try await asked.count(funnel: false)
      case .funnel: return try await asked.count(funnel: true)
      case .statistics: return try await asked.statistics()
      case .features: return asked.named(try await asked.features(), request.path[1], format: "geojson")
      case .legend: return try await asked.legend()
      case .identify: return try await asked.identify()
      case .explanation: return try await asked.explanation()
      case .lint: return try await asked.lint()
      case .classes: return HTTPResponse(json: await map.classes())
      case .revision: return asked.revision(files)
      case .series: return try await asked.series(request, number: nil)
      case .seriesImage: return try await asked.series(request, number: target.number)
      case .tileJSON: return try await asked.tileJSON(request)
      case .tileCapabilities: return try await asked.tileCapabilities(request)
      case .tile:
        guard let tile = target.tile else { throw HTTPFault(404, "tiles are {z}/{x}/{y}.png") }
        return try await asked.tile(
          tile.address, ratio: tile.ratio, blocks: blocks, state: Self.tileState(request, map))
      }
    }
  }

  /// Returns the response to a request whose answer the client or the server still has; nil for others.
  ///
  /// It does not wait for requests that are worked on.
  private func kept(_ request: HTTPRequest) throws(HTTPFault) -> HTTPResponse? {
    guard request.path.count > 2, !Self.standards.contains(request.path[2]),
      let map = maps.opened(request.path[1]), let tag = tag(request, map)
    else { return nil }
    let target = try Target(request)
    var response: HTTPResponse
    if Self.knows(tag, request) {
      response = HTTPResponse([], type: "", status: 304)
    } else if let tile = target.tile, let state = Self.tileState(request, map) {
      let block = TileBlock(of: tile.address, ratio: tile.ratio, limit: limits.pixels)
      guard let files = blocks.kept(TileBlocks.Key(block: block, state: state)) else { return nil }
      response = HTTPResponse(files[block.index(of: tile.address)], type: "image/png")
    } else {
      return nil
    }
    response.headers += headers(tag, isTile: target.tile != nil)
    return response
  }

  /// The first names of the paths of standards below a map.
  fileprivate static let standards = ["ogc", "FeatureServer", "MapServer"]

  /// Returns a text that differs for other tiles at one address; nil if they may change without notice.
  private static func tileState(_ request: HTTPRequest, _ map: ServedMap) -> String? {
    let query = text(of: request)
    guard map.isStable(for: request.query) else { return nil }
    return "\(request.path[1])\u{0}\(map.revision)\u{0}\(query)"
  }

  /// Returns the parameters of a request as one text.
  private static func text(of request: HTTPRequest) -> String {
    request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "\u{0}")
  }

  /// Answers 304 if the client has the answer, else adds the tag of the answer.
  private func tagged(
    _ request: HTTPRequest, _ map: ServedMap, _ answer: () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let tag = tag(request, map) else {
      var response = try await answer()
      response.headers.append(("Cache-Control", "no-store"))
      return response
    }
    var response =
      Self.knows(tag, request) ? HTTPResponse([], type: "", status: 304) : try await answer()
    response.headers += headers(tag, isTile: request.path[2...].first == "tiles")
    return response
  }

  /// Returns the tag of an answer; nil if the answer may change without notice.
  ///
  /// The tag is a hash of the release, the files of the map and the request: equal tags mean equal bytes.
  private func tag(_ request: HTTPRequest, _ map: ServedMap) -> String? {
    let query = Self.text(of: request)
    guard map.isStable(for: request.query) else { return nil }
    let text =
      "\(Release.version)\u{0}\(map.revision)\u{0}\(request.path.joined(separator: "/"))\u{0}\(query)"
      + "\u{0}\(request.address.root)\u{0}\(request.linkToken != nil)\u{0}\(limits.pixels)"
    // A weak tag, because the compressed form has the same.
    return "W/\"\(StableHash.hexadecimal(of: Array(text.utf8)))\""
  }

  /// Returns whether the client has the answer with a tag.
  private static func knows(_ tag: String, _ request: HTTPRequest) -> Bool {
    let known = request.headers["if-none-match"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    return known.contains { $0 == tag || "W/" + $0 == tag || $0 == "*" }
  }

  /// Returns the headers for caches.
  ///
  /// Caches that clients share do not know the token, so they keep no answers that need one.
  private func headers(_ tag: String, isTile: Bool) -> [(String, String)] {
    var control = maxAge > 0 ? "max-age=\(maxAge)" : "no-cache"
    // An old tile is better than none while the next one is drawn.
    if maxAge > 0, isTile { control += ", stale-while-revalidate=\(maxAge * Self.staleFactor)" }
    return [("ETag", tag), ("Cache-Control", origin.isPrivate ? "private, \(control)" : control)]
  }

  /// The times of `maxAge` that a cache may show an old tile while it asks for the new one.
  ///
  /// - Source: design decision.
  private static let staleFactor = 10
}

/// A path of ours below a map, with its decoded parameters.
private struct Target {
  let path: MapPath
  let tile: (address: TileAddress, ratio: Double)?
  /// The number of an image of a series.
  let number: Int?
  let parameters: JSONObject

  init(_ request: HTTPRequest) throws(HTTPFault) {
    let rest = Array(request.path.dropFirst(2))
    if rest.count == 4, rest[0] == "tiles" {
      let found = try TileAddress.read(rest[1], rest[2], rest[3])
      (path, tile, number) = (.tile, (found.tile, found.ratio), nil)
    } else if rest.count == 2, rest[0] == MapPath.series.rawValue, let found = Int(rest[1]), found >= 0 {
      (path, tile, number) = (.seriesImage, nil, found)
    } else if let found = MapPath(rawValue: rest.joined(separator: "/")),
      ![.tile, .seriesImage].contains(found)
    {
      (path, tile, number) = (found, nil, nil)
    } else {
      let names =
        MapPath.allCases.map(\.rawValue).filter { !$0.isEmpty } + ["preview"] + MapService.standards
      let nearest = NearestName.of(rest.joined(separator: "/"), among: names)
      throw HTTPFault(
        404,
        "no such path below a map; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
          + "available: \(names.joined(separator: ", "))", suggestion: nearest)
    }
    // Programs name the service and the operation, although the path says both.
    let named: Set = path == .tileCapabilities ? ["service", "request", "version"] : []
    let query = request.query.filter { !named.contains($0.name.lowercased()) }
    parameters = try RequestParameter.decode(query, path.parameters)
  }
}
