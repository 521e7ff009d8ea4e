import Foundation
import MapJSON
import MapModel
import MapServices
import MapState
import MapTestSupport
import Testing

/// A server of tiles for one test, with a cache folder of its own.
struct TileServer {
  private let server: TestServer
  /// The folder of kept tiles.
  let cache = NSTemporaryDirectory() + "/tile-cache-\(UInt64.random(in: 0 ... .max))"

  /// The requests since the last look.
  struct Log {
    let counts: [String: Int]
    let most: Int
    var total: Int { counts.values.reduce(0, +) }
  }

  init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    server = try TestServer(folder.appendingPathComponent("Servers/tile_server.py"))
  }

  func stop() {
    server.stop()
    try? FileManager.default.removeItem(atPath: cache)
  }

  var address: String { server.address }

  /// The address of a mode's tiles.
  func template(_ mode: String) -> String { "\(address)/\(mode)/{z}/{x}/{y}.png" }

  /// Access with short delays.
  func access(isOffline: Bool = false, seconds: Double = 600) -> ServiceAccess {
    var access = ServiceAccess()
    (access.fetchesTiles, access.isOffline) = (!isOffline, isOffline)
    access.tileCacheFolder = cache
    (access.retries.tries, access.retries.firstDelay) = (2, .milliseconds(5))
    (access.limits.request, access.limits.responseBytes) = (.seconds(seconds), 2_000_000)
    return access
  }

  /// Opens the tiles at a place.
  func open(_ place: String, _ access: ServiceAccess) async throws -> any TileSource {
    let layer = ImageTiledLayer(tilesAt: place, catalog: SourceCatalog(services: access))
    try await layer.load()
    return try #require(layer.source)
  }

  /// The requests since the last call.
  func log() async throws -> Log {
    let (client, url) = try access().client(for: address + "/log")
    let json = try JSONValue(parsing: try await client.response(to: HTTPRequest(get: url)).body)
    let members = json["counts"]?.object?.members ?? []
    return Log(
      counts: Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.integer ?? 0) }),
      most: json["most"]?.integer ?? 0)
  }
}
