import Foundation
import MapImages
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// Tiles of a server on this machine, with its faults.
@Suite struct OnlineTilesTests {
  /// The tiles of zoom level 2.
  static let tiles = (0..<16).map { TileIndex(zoom: 2, column: $0 % 4, row: $0 / 4) }

  /// Returns whether an image has the colour of its tile.
  static func isRight(_ image: TileImage?, _ tile: TileIndex, side: Int = 256) -> Bool {
    guard let bitmap = image?.bitmap, bitmap.width == side else { return false }
    return [(0, 0), (side - 1, side - 1)].allSatisfy { place in
      let pixel = bitmap[place.0, place.1]
      return Int(pixel.red) == 20 + 20 * tile.zoom && Int(pixel.green) == 10 + 15 * tile.column
        && Int(pixel.blue) == 10 + 15 * tile.row && pixel.alpha == 255
    }
  }

  /// A fault of a server, and its effect on 16 tiles.
  struct Fault: Sendable, CustomTestStringConvertible {
    let mode: String
    /// The numbers of tiles that are drawn, that are missing, and that cannot be read.
    let drawn: Int, missing: Int, failed: Int
    /// A part of the reason of each tile that was fetched and cannot be read.
    let reason: String
    /// The number of requests, and that of a second image.
    let requests: ClosedRange<Int>, later: ClosedRange<Int>
    var testDescription: String { mode }

    init(
      _ mode: String, _ drawn: Int, _ missing: Int, _ failed: Int, _ reason: String = "",
      requests: ClosedRange<Int> = 16...16, later: ClosedRange<Int>? = nil
    ) {
      (self.mode, self.drawn, self.missing, self.failed) = (mode, drawn, missing, failed)
      (self.reason, self.requests, self.later) = (reason, requests, later ?? requests)
    }
  }

  // Of tiles that all fail, at least 8 and at most 11 are fetched, because three are under way when the eighth fails.
  static let faults: [Fault] = [
    Fault("ok", 16, 0, 0, later: 0...0),
    Fault("missing", 0, 16, 0, later: 0...0),
    Fault("empty-status", 0, 16, 0, later: 0...0),
    Fault("busy", 16, 0, 0, requests: 17...17, later: 0...0),
    Fault("error-once", 16, 0, 0, requests: 32...32, later: 0...0),
    Fault("error", 0, 0, 16, "answered 500 Internal Server Error", requests: 16...22),
    Fault("denied", 0, 0, 16, "was answered with status 403", requests: 8...11),
    Fault("slow", 0, 0, 16, "gave no complete answer within", requests: 8...11),
    Fault("redirect", 16, 0, 0, requests: 32...32, later: 0...0),
    Fault("loop", 0, 0, 16, "redirects more than 10 times", requests: 88...121),
    Fault("wrong-size", 0, 0, 16, "is 300x300 pixels; expected 256x256", requests: 8...11, later: 0...11),
    Fault("not-square", 0, 0, 16, "is 256x128 pixels; expected 256x256", requests: 8...11, later: 0...11),
    Fault("double", 16, 0, 0, later: 0...0),
    Fault("html", 0, 0, 16, "is HTML, not an image", requests: 8...11),
    Fault("truncated", 0, 0, 16, "the data end too early", requests: 8...11, later: 0...11),
    Fault("empty", 0, 0, 16, "is empty", requests: 8...11),
    Fault("huge", 0, 0, 16, "a PNG of 30000x30000 has too many pixels", requests: 8...11, later: 0...11),
    Fault("endless", 0, 0, 16, "its answer is larger than 2000000 bytes", requests: 8...11),
    Fault("closed", 0, 0, 16, "the connection ended before the answer did", requests: 16...22),
    Fault("not-kept", 16, 0, 0),
  ]

  @Test("A fault of a server has its result, its reason and its number of requests", arguments: faults)
  func fault(_ fault: Fault) async throws {
    let server = try TileServer()
    defer { server.stop() }
    for requests in [fault.requests, fault.later] {
      // A second process would open the tiles again.
      let access = server.access(seconds: fault.mode == "slow" ? 3 : 600)
      let source = try await server.open(server.template(fault.mode), access)
      let results = await source.images(at: Self.tiles)
      var (drawn, missing, failed) = (0, 0, 0)
      for (tile, result) in results {
        switch result {
        case .success(let image?):
          drawn += 1
          #expect(Self.isRight(image, tile))
        case .success(nil): missing += 1
        case .failure(let error):
          failed += 1
          #expect(
            error.description.contains(fault.reason)
              || error.description.hasPrefix("was not fetched, because"), "\(error)")
        }
      }
      #expect(drawn == fault.drawn && missing == fault.missing && failed == fault.failed)
      let log = try await server.log()
      #expect(requests.contains(log.total), "\(log.total) requests")
      #expect(log.most <= 4)
      // An answer within the memory of the layer is not asked for again.
      if fault.drawn == 16 {
        _ = await source.images(at: Self.tiles)
        #expect(try await server.log().total == 0)
      }
    }
  }

  @Test("The table has each fault")
  func countsFaults() { #expect(Self.faults.count == 20) }

  @Test("Four tiles are fetched at a time, each once")
  func fourAtATime() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let source = try await server.open(server.template("together"), server.access())
    let results = await source.images(at: Self.tiles + Self.tiles)
    #expect(results.count == 16)
    let log = try await server.log()
    #expect(log.most == 4)
    #expect(log.counts.count == 16)
    #expect(log.counts.values.allSatisfy { $0 == 1 })
  }

  @Test("Without requests, kept tiles are drawn and others fail")
  func offline() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let online = try await server.open(server.template("ok"), server.access())
    _ = await online.images(at: Array(Self.tiles.prefix(10)))
    _ = try await server.log()
    let source = try await server.open(server.template("ok"), server.access(isOffline: true))
    let results = await source.images(at: Self.tiles)
    for (index, tile) in Self.tiles.enumerated() {
      switch try #require(results[tile]) {
      case .success(let image):
        #expect(index < 10)
        #expect(Self.isRight(image, tile))
      case .failure(let error):
        #expect(index >= 10)
        #expect(
          error.description.contains("--offline sends no requests")
            || error.description.hasPrefix("was not fetched"))
      }
    }
    #expect(results.count == 16)
    #expect(try await server.log().total == 0)
  }

  @Test("A tile that has expired is asked for by its tag, and is not sent again")
  func revalidation() async throws {
    let server = try TileServer()
    defer { server.stop() }
    for _ in 0..<2 {
      let source = try await server.open(server.template("tagged"), server.access())
      for (tile, result) in await source.images(at: Self.tiles) {
        #expect(Self.isRight(try result.get(), tile))
      }
      #expect(try await server.log().total == 16)
    }
    let offline = try await server.open(server.template("tagged"), server.access(isOffline: true))
    for (tile, result) in await offline.images(at: Self.tiles) {
      #expect(Self.isRight(try result.get(), tile))
    }
  }

  @Test("The cache stays below its limit")
  func cacheLimit() async throws {
    let server = try TileServer()
    defer { server.stop() }
    var access = server.access()
    access.tileCacheBytes = 128 * 1500
    let source = try await server.open(server.template("ok"), access)
    let tiles = (0..<256).map { TileIndex(zoom: 4, column: $0 % 16, row: $0 / 16) }
    #expect(await source.images(at: tiles).count == 256)
    let kept =
      FileManager.default.enumerator(atPath: server.cache)?.compactMap { name in
        (name as? String).flatMap {
          try? FileManager.default.attributesOfItem(atPath: server.cache + "/" + $0)
        }
      }.filter { $0[.type] as? FileAttributeType == .typeRegular } ?? []
    let size = kept.reduce(0) { $0 + ($1[.size] as? Int ?? 0) }
    #expect(kept.count < 256, "\(kept.count) files")
    // A folder over its share keeps its newest answer.
    let folders = try FileManager.default.contentsOfDirectory(atPath: server.cache)
    #expect(folders.count > 80, "\(folders.count) of \(AnswerCache.groups) folders")
    for folder in folders {
      #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(server.cache)/\(folder)").isEmpty)
    }
    #expect(size <= access.tileCacheBytes && size > access.tileCacheBytes / 3, "\(size) bytes")
  }

  @Test("A damaged file of the cache is as good as none")
  func damagedCache() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let source = try await server.open(server.template("ok"), server.access())
    _ = await source.images(at: Self.tiles)
    var count = 0
    for name in FileManager.default.enumerator(atPath: server.cache)?.compactMap({ $0 as? String }) ?? []
    where name.contains("png") {
      let path = server.cache + "/" + name
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      switch count % 4 {
      case 0: bytes = bytes.prefix(bytes.count / 2)
      case 1: bytes = Data()
      case 2: bytes = Data(bytes.map { $0 == 0x0A ? 0x20 : $0 })
      default: bytes[1] = 0xFF
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      count += 1
    }
    #expect(count == 16)
    _ = try await server.log()
    let again = try await server.open(server.template("ok"), server.access())
    for (tile, result) in await again.images(at: Self.tiles) { #expect(Self.isRight(try result.get(), tile)) }
    #expect(try await server.log().total == 16)
  }

  @Test(
    "A description gives the grid, the name and the attribution",
    arguments: [
      ("/arcgis/256/MapServer", "Made by a test", 256, 0...4),
      ("/arcgis/512/MapServer", "Made by a test", 512, 0...4),
      ("/tilejson/absolute.json", "Made by a test", 256, 0...4),
      ("/tilejson/relative.json", "Made by a test", 256, 0...4),
      ("/wmts/rest.xml", "A & B", 256, 0...4),
      ("/wmts/rest.xml#The colours", "A & B", 256, 0...4),
    ])
  func descriptions(_ path: String, _ attribution: String, _ side: Int, _ zooms: ClosedRange<Int>)
    async throws
  {
    let server = try TileServer()
    defer { server.stop() }
    let source = try await server.open(server.address + path, server.access())
    #expect(source.attribution == attribution)
    #expect(source.scheme.reference == .webMercator)
    #expect(source.scheme.tileSize == side)
    #expect(source.scheme.levels.map(\.zoom) == Array(zooms))
    for (level, zoom) in zip(source.scheme.levels, zooms) {
      let expected = 2 * 20_037_508.342789244 / Double(side) / Double(1 << zoom)
      #expect(abs(level.resolution / expected - 1) < 1e-9)
    }
    for (tile, result) in await source.images(at: Self.tiles) {
      #expect(Self.isRight(try result.get(), tile, side: side))
    }
    #expect(try await server.log().total == 17)
    // The description is kept, too.
    let offline = try await server.open(server.address + path, server.access(isOffline: true))
    #expect(offline.scheme == source.scheme)
    for (tile, result) in await offline.images(at: Self.tiles) {
      #expect(Self.isRight(try result.get(), tile, side: side))
    }
  }

  @Test("A tile service with parameters reports tiles outside its range as missing")
  func parameters() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let source = try await server.open(server.address + "/wmts/kvp.xml", server.access())
    for (tile, result) in await source.images(at: Self.tiles) {
      let image = try result.get()
      #expect(tile.row == 3 ? image == nil : Self.isRight(image, tile))
    }
  }

  @Test("A grid in degrees has its corner with the longitude first")
  func degrees() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let source = try await server.open(server.address + "/wmts/rest.xml#world", server.access())
    let scheme = source.scheme
    #expect(scheme.reference == .wgs84)
    #expect([scheme.originX, scheme.originY] == [-180, 90])
    #expect(abs(scheme.levels[0].resolution - 180.0 / 256) < 1e-9)
    #expect(
      [scheme.extent.xMin, scheme.extent.yMin, scheme.extent.xMax, scheme.extent.yMax] == [
        -180, -80, 180, 80,
      ])
  }

  @Test(
    "A description that is none names its fault",
    arguments: [
      ("/wmts/rest.xml#none", "has no layer \"none\"; its layers are colours, world"),
      ("/ok/0/0/0.png", "is neither a template"), ("/none", "answered 404"),
    ])
  func notDescriptions(_ path: String, _ reason: String) async throws {
    let server = try TileServer()
    defer { server.stop() }
    do {
      _ = try await server.open(server.address + path, server.access())
      Issue.record("it opened")
    } catch { #expect("\(error)".contains(reason), "\(error)") }
  }

  @Test("A key in a template is sent with each tile, and is in no kept file and no message")
  func keys() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let template = server.template("keyed") + "?key=secret-0123456789"
    let source = try await server.open(template, server.access())
    for (tile, result) in await source.images(at: Self.tiles) {
      #expect(Self.isRight(try result.get(), tile))
    }
    #expect(!source.place.contains("secret"))
    var count = 0
    for name in FileManager.default.enumerator(atPath: server.cache)?.compactMap({ $0 as? String }) ?? [] {
      #expect(!name.contains("secret"))
      guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: server.cache + "/" + name)) else {
        continue
      }
      #expect(bytes.range(of: Data("secret".utf8)) == nil)
      count += 1
    }
    #expect(count == 16)
    let other = try await server.open(
      server.template("keyed") + "?key=another-0123456789", server.access(isOffline: true))
    #expect(try await other.images(at: Self.tiles)[Self.tiles[0]]?.get() != nil)
  }

  @Test("Layers of a document take their tiles from subdomains, services and grids of their own")
  func documents() async throws {
    let server = try TileServer()
    defer { server.stop() }
    let half = 20_037_508.342789244
    let text = """
      {"operationalLayers": [
        {"id": "a", "layerType": "ArcGISTiledMapServiceLayer", "url": "\(server.address)/arcgis/256/MapServer",
         "opacity": 0.5},
        {"id": "w", "layerType": "WebTiledLayer", "copyright": "By a document",
         "templateUrl": "\(server.address)/{subDomain}/{level}/{col}/{row}.png", "subDomains": ["ok"],
         "tileInfo": {"rows": 256, "cols": 256, "origin": {"x": -\(half), "y": \(half)},
           "spatialReference": {"wkid": 102100},
           "lods": [{"level": 7, "levelValue": "2", "resolution": \(half / 512), "scale": 1}]}}],
       "baseMap": {"title": "Online", "baseMapLayers": [
         {"id": "b", "layerType": "WebTiledLayer", "templateUrl": "\(server.template("ok"))"}]},
       "version": "2.31"}
      """
    var access = server.access()
    access.allowsPrivateAddresses = true
    let json = try JSONValue(parsing: text)
    let document = try await MapDocument.open(
      json: json, name: "test", folder: ".", catalog: SourceCatalog(services: access))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let layers = document.map.tiledLayers
    try #require(layers.count == 3)
    #expect(layers.map(\.attribution) == ["", "Made by a test", "By a document"])
    let source = try #require(layers[2].source)
    #expect(source.scheme.levels.map(\.zoom) == [7])
    let tile = TileIndex(zoom: 7, column: 1, row: 2)
    let image = try await source.images(at: [tile])[tile]?.get()
    #expect(Self.isRight(image, TileIndex(zoom: 2, column: 1, row: 2)))
    // A document must not lead to this machine unless that is allowed.
    let refused = try await MapDocument.open(
      json: json, name: "test", folder: ".", catalog: SourceCatalog(services: server.access()))
    let template = try #require(refused.map.tiledLayers.first { $0.place.contains("/ok/") }?.source)
    let result = try #require(await template.images(at: [Self.tiles[0]])[Self.tiles[0]])
    #expect(throws: TileError.self) { try result.get() }
  }
}
