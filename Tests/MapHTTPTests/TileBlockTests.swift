import Foundation
import MapHTTP
import MapImages
import MapJSON
import MapScript
import MapState
import Testing

@Suite struct TileBlockTests {
  /// The lines of `/metrics` with a name.
  private static func metric(_ service: MapService, _ name: String) async throws -> Int? {
    let text = String(decoding: try await service.get("/metrics").body, as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  private static func drawn(_ service: MapService) async throws -> Int? {
    try await metric(service, "mapstate_tile_blocks_drawn_total")
  }

  @Test("The tiles of a block are the parts of one image, with labels across their sides")
  func joins() async throws {
    let service = try Served.service()
    let half = 20037508.342789244
    let whole = try await service.get(
      "/maps/world-cities/image?size=1024x1024&attribution=false&reference=3857&bounds="
        + "\(-half),\(-half),\(half),\(half),3857")
    let image = try Bitmap(pngData: whole.body)
    for row in 0..<4 {
      for column in 0..<4 {
        let tile = try Bitmap(
          pngData: try await service.get("/maps/world-cities/tiles/2/\(column)/\(row).png").body)
        let part = (0..<256).flatMap { line in
          let start = ((row * 256 + line) * 1024 + column * 256) * 4
          return image.pixels[start..<start + 1024]
        }
        #expect(tile.pixels == part, "\(column)/\(row)")
      }
    }
    #expect(try await Self.drawn(service) == 1)
  }

  @Test("A tile has the same bytes, whichever tile of its block is asked for first")
  func order() async throws {
    let names = ["5/16/10", "5/17/11", "5/19/8"]
    var all: [[[UInt8]]] = []
    for order in [names, names.reversed()] {
      let service = try Served.service()
      var bytes: [String: [UInt8]] = [:]
      for name in order { bytes[name] = try await service.get("/maps/world-cities/tiles/\(name).png").body }
      all.append(names.map { bytes[$0] ?? [] })
      #expect(try await Self.drawn(service) == 1)
    }
    #expect(all[0] == all[1] && Set(all[0]).count == 3)
  }

  @Test("Requests at the same time draw their block once; other parameters draw another")
  func together() async throws {
    let service = try Served.service()
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<6 {
        group.addTask { try await service.get("/maps/us-unemployment/tiles/4/3/6.png").body }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies.count == 1)
    #expect(try await Self.drawn(service) == 1)
    for target in ["tiles/4/3/6@2x.png", "tiles/4/3/6.png?filters=none", "tiles/4/8/6.png"] {
      #expect(try await service.get("/maps/us-unemployment/\(target)").status == 200)
    }
    #expect(try await Self.drawn(service) == 4)
    #expect(try await Self.metric(service, "mapstate_tile_bytes_kept") ?? 0 > 1000)
  }

  @Test("Kept tiles, and answers that the client has, do not wait for other requests")
  func ready() async throws {
    let service = try Served.service()
    func answer(_ target: String, _ tag: String? = nil) throws -> HTTPAnswer {
      let line = tag.map { "\r\nIf-None-Match: \($0)" } ?? ""
      let text = "GET /maps/world-cities/\(target) HTTP/1.1\r\nHost: localhost\(line)"
      return service.begin(try HTTPRequest(head: Array(text.utf8)))
    }
    func isReady(_ target: String, _ tag: String? = nil) throws -> Bool {
      if case .ready = try answer(target, tag) { true } else { false }
    }
    #expect(try !isReady("tiles/5/16/10.png"))
    let first = try await service.get("/maps/world-cities/tiles/5/16/10.png")
    #expect(try isReady("tiles/5/16/10.png") && isReady("tiles/5/17/11.png"))
    #expect(try await service.get("/maps/world-cities/tiles/5/16/10.png").body == first.body)
    #expect(try !isReady("tiles/5/16/10@2x.png") && !isReady("tiles/5/16/10.png?filters=none"))
    let count = try await answer("count").response
    let tag = try #require(count.headers.first { $0.0 == "ETag" }?.1)
    #expect(try isReady("count", tag) && !isReady("count", "W/\"0\"") && !isReady("count"))
    // A wrong request gets its error at once.
    #expect(try isReady("count?wher=1", tag))
  }

  @Test("A changed document draws its tiles again")
  func changes() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "points.json")
    try Served.document([1, 20]).write(to: path, atomically: true, encoding: .utf8)
    let service = try Served.service(folder.path)
    let first = try await service.get("/maps/points/tiles/2/2/1.png").body
    try Served.document([1, 40]).write(to: path, atomically: true, encoding: .utf8)
    #expect(try await service.get("/maps/points/tiles/2/2/1.png").body != first)
  }

  @Test("Tiles of a map whose answers change with time are drawn alone and not kept")
  func unstable() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1, 20], definition: "CURRENT_TIMESTAMP > DATE '2020-01-01'").write(
      to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    let service = try Served.service(folder.path)
    let tile = try await service.get("/maps/points/tiles/2/2/1.png")
    #expect(tile.status == 200 && tile.header("ETag") == nil)
    #expect(try await Self.drawn(service) == 0)
  }

  @Test("A small limit of pixels makes blocks smaller, and has other tags")
  func limits() async throws {
    var limits = ServerLimits()
    limits.pixels = 500_000
    let small = try Served.service(limits: limits)
    let target = "/maps/us-unemployment/tiles/3/1/3.png"
    let tile = try await small.get(target)
    #expect(tile.status == 200)
    #expect(try await small.get("/maps/us-unemployment/tiles/3/2/3.png").status == 200)
    // Two by two tiles have 262,144 pixels, four by four 1,048,576.
    #expect(try await Self.drawn(small) == 2)
    #expect(try await Served.service().get(target).header("ETag") != tile.header("ETag"))
  }

  @Test("The blocks used last are kept within their number of bytes")
  func bounded() async throws {
    let blocks = TileBlocks(limit: 25)
    func key(_ number: Int) throws -> TileBlocks.Key {
      let tile = try TileAddress.read("20", "\(number * 8)", "0.png").tile
      return TileBlocks.Key(block: TileBlock(of: tile, ratio: 1, limit: 10_000_000), state: "")
    }
    for number in [0, 1, 0, 2, 0] {
      _ = try await blocks.files(try key(number)) { [[UInt8](repeating: 0, count: 10)] }
      #expect(blocks.counts.bytes <= 25)
    }
    #expect(blocks.counts.drawn == 3)
    _ = try await blocks.files(try key(1)) { [[UInt8](repeating: 0, count: 10)] }
    #expect(blocks.counts.drawn == 4)
    // A block larger than the limit is answered and not kept.
    #expect(try await blocks.files(try key(9)) { [[UInt8](repeating: 0, count: 99)] }[0].count == 99)
    #expect(blocks.counts.bytes <= 25)
  }

  @Test("Work stops when no request waits for the block, and a failed block is drawn again")
  func stops() async throws {
    let blocks = TileBlocks(limit: 100)
    let tile = try TileAddress.read("3", "0", "0.png").tile
    let key = TileBlocks.Key(block: TileBlock(of: tile, ratio: 1, limit: 10_000_000), state: "")
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let work: @Sendable () async throws -> [[UInt8]] = {
      begin.yield()
      try await Task.sleep(for: .seconds(600))
      return []
    }
    let tasks = (0..<2).map { _ in Task { try await blocks.files(key, work) } }
    for await _ in started { break }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: (any Error).self) { try await task.value } }
    #expect(try await blocks.files(key) { [[1]] }[0] == [1])
    #expect(try await blocks.files(key) { [[2]] }[0] == [1])
  }
}
