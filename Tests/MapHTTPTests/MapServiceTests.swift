import Foundation
import MapHTTP
import MapImages
import MapJSON
import MapScript
import MapState
import Testing

@Suite struct MapServiceTests {
  @Test("The list of maps has the JSON files of the folder")
  func list() async throws {
    let json = try await Served.service().json("/maps")
    let ids = json["maps"]?.array?.compactMap { $0["id"]?.string }
    #expect(
      ids == [
        "helsinki-bicycles", "san-francisco-incidents", "us-counties", "us-unemployment", "world-cities",
        "world-rivers",
      ])
  }

  @Test("An image has the bytes that the library draws")
  func image() async throws {
    let response = try await Served.service().get(
      "/maps/world-cities/image?size=300x200&bounds=-10,35,30,60&definition="
        + Served.percent("POP > 1000000"))
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "image/png")
    let document = try await MapDocument.open(Served.styles + "/world-cities.json")
    var request = ViewRequest()
    request.size = ViewSize(width: 300, height: 200)
    request.place = .bounds(try RequestedExtent.envelope(text: "-10,35,30,60"))
    request.definitions = [LayerClause("POP > 1000000")]
    let page = try await document.page(request, LayoutRequest().layout()).page
    #expect(response.body == (try await page.render().bitmap.pngData()))
  }

  @Test("A request leaves no change for the next one")
  func leavesNothing() async throws {
    let service = try Served.service()
    let path = "/maps/world-cities/image?size=200x100&viewpoint=0,0,200000000"
    let first = try await service.get(path).body
    let described = try await service.get("/maps/world-cities").body
    for change in [
      "&definition=" + Served.percent("POP > 5000000"), "&filters=none", "&hide=0", "&reference=4326",
      "&time=2020-01-01", "&displayFilter=" + Served.percent("POP > 9000000"),
    ] {
      let other = try await service.get(path + change)
      #expect(other.status == 200, "\(change): \(String(decoding: other.body, as: UTF8.self))")
      #expect(try await service.get("/maps/world-cities").body == described, "\(change)")
      #expect(try await service.get(path).body == first, "\(change)")
    }
  }

  @Test("A count, its funnel and the features of one question agree")
  func agrees() async throws {
    let service = try Served.service()
    let question = "?viewpoint=50,10,20000000&where=" + Served.percent("POP > 500000")
    let count = try await service.json("/maps/world-cities/count" + question)["layers"]?[0]?["count"]?.integer
    let funnel = try await service.json("/maps/world-cities/funnel" + question)["layers"]?[0]?["funnel"]
    let features = try await service.json("/maps/world-cities/features" + question)
    let statistics = try await service.json("/maps/world-cities/statistics\(question)&statistic=count")
    #expect(count ?? 0 > 10)
    #expect(funnel?["extent"]?.integer == count)
    #expect(features["numberMatched"]?.integer == count)
    #expect(features["features"]?.array?.count == count)
    #expect(statistics["records"]?[0]?["statistics"]?["COUNT"]?.integer == count)
  }

  @Test("An answer with too many features says how many match")
  func pages() async throws {
    var limits = ServerLimits()
    limits.features = 7
    let service = try Served.service(limits: limits)
    let target =
      "/maps/world-cities/features?everywhere=true&where=POP%3E0&orderBy=POP:desc&outFields=POP&noGeometry=true"
    let first = try await service.json(target)
    let second = try await service.json(target + "&offset=7&maxFeatures=100")
    let all = try await service.json("/maps/world-cities/count?everywhere=true&where=POP%3E0")["layers"]?[0]?[
      "count"]
    #expect(first["numberReturned"]?.integer == 7 && second["numberReturned"]?.integer == 7)
    #expect(first["numberMatched"] == all && all?.integer ?? 0 > 14)
    let values = [first, second].flatMap { $0["features"]?.array ?? [] }.compactMap {
      $0["properties"]?["POP"]?.double
    }
    #expect(values.count == 14 && values == values.sorted(by: >))
  }

  @Test("Tiles join to the image of their area")
  func tiles() async throws {
    let service = try Served.service()
    let whole = try await service.get(
      "/maps/us-unemployment/image?size=512x256&attribution=false&reference=3857&bounds="
        + "-20037508.342789244,0,20037508.342789244,20037508.342789244,3857")
    let image = try Bitmap(pngData: whole.body)
    for column in 0...1 {
      let response = try await service.get("/maps/us-unemployment/tiles/1/\(column)/0.png")
      let tile = try Bitmap(pngData: response.body)
      #expect(tile.width == 256 && tile.height == 256)
      let rows = (0..<256).map { row in
        Array(image.pixels[((row * 512 + column * 256) * 4)..<((row * 512 + column * 256 + 256) * 4)])
      }
      let isPart = tile.pixels == rows.flatMap { $0 }
      #expect(isPart, "column \(column)")
    }
    #expect(try await service.get("/maps/us-unemployment/tiles/1/2/0.png").status == 404)
    #expect(try await service.get("/maps/us-unemployment/tiles/25/0/0.png").status == 404)
    let large = try await service.get("/maps/us-unemployment/tiles/0/0/0@2x.png")
    #expect(try Bitmap(pngData: large.body).width == 512)
    let json = try await service.json("/maps/us-unemployment/tiles.json?filters=none")
    #expect(
      json["tiles"]?[0]?.string
        == "http://localhost:8080/maps/us-unemployment/tiles/{z}/{x}/{y}.png?filters=none")
    #expect(json["bounds"]?[0]?.double ?? 0 < -120)
    // A background is in all tiles of the world; the first view is that of the document.
    #expect(json["bounds"]?[2]?.double == 180)
    let clear = try await service.json("/maps/us-unemployment/tiles.json?background=none")
    // The Aleutian Islands reach beyond 179 degrees east, and no land of Alaska beyond 72 degrees north.
    #expect((179.7...179.8).contains(clear["bounds"]?[2]?.double ?? 0))
    #expect((71...72).contains(clear["bounds"]?[3]?.double ?? 0))
    let center = json["center"]?.array?.compactMap(\.double) ?? []
    try #require(center.count == 3)
    #expect(
      (-105 ... -90).contains(center[0]) && (30...45).contains(center[1]) && (3...4).contains(center[2]))
  }

  @Test("An answer with download is a file with the name of the map")
  func downloads() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1]).write(
      to: folder.appending(path: "a\"é.json"), atomically: true, encoding: .utf8)
    let service = try Served.service(folder.path)
    let path = "/maps/\(Served.percent("a\"é"))/"
    for (rest, ending) in [
      ("features?", "geojson"), ("features?format=csv&", "csv"), ("features?countOnly=true&", "json"),
      ("image?size=40x30&", "png"), ("image?size=40x30&format=svg&", "svg"),
    ] {
      let response = try await service.get(path + rest + "download=true")
      #expect(
        response.header("Content-Disposition")
          == "attachment; filename=\"a__.\(ending)\"; filename*=UTF-8''a%22%C3%A9.\(ending)", "\(rest)")
      #expect(try await service.get(path + rest + "download=false").header("Content-Disposition") == nil)
    }
  }

  @Test("Several folders and files are served together, unless two maps have the same id")
  func severalPlaces() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, longitudes) in [("one/a.json", [1]), ("one/b.json", [1, 2]), ("two/c.json", [1, 2, 3])] {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Served.document(longitudes).write(to: file, atomically: true, encoding: .utf8)
    }
    let (one, two) = (folder.path + "/one", folder.path + "/two/c.json")
    let maps = try MapFolder(paths: [one, two, Served.styles + "/data/world-cities.csv"])
    let service = MapService(maps, limits: ServerLimits(), origin: OriginCheck(hosts: []))
    let ids = try await service.json("/maps")["maps"]?.array?.compactMap { $0["id"]?.string }
    #expect(ids == ["a", "b", "c", "world-cities"])
    for (name, count) in [("a", 1), ("b", 2), ("c", 3)] {
      let json = try await service.json("/maps/\(name)/count?everywhere=true")
      #expect(json["layers"]?[0]?["count"]?.integer == count)
    }
    #expect(try await service.get("/maps/d/count").status == 404)
    #expect(throws: MapStateError.self) { try MapFolder(paths: [one, one + "/a.json"]) }
    let none = String(decoding: try await Served.service(folder.path).get("/").body, as: UTF8.self)
    #expect(none.contains("There are no maps"))
  }

  @Test("The legend has the entries of the map, as JSON and as an image")
  func legend() async throws {
    let service = try Served.service()
    let json = try await service.json("/maps/us-counties/legend?legendCounts=true")
    #expect(json["layers"]?[0]?["entries"]?.array?.count ?? 0 > 2)
    let image = try await service.get("/maps/us-counties/legend?format=png")
    #expect(try Bitmap(pngData: image.body).width > 50)
  }

  /// A wrong request, its status and a part of the message.
  private static let refused: [(String, Int, String)] = [
    ("/map", 404, "did you mean \"/maps\"?"), ("/nothing", 404, "no such path; see /openapi.json"),
    ("/maps/world-city/preview", 404, "did you mean \"world-cities\"?"),
    ("/maps/world-cities/FeatureServr", 404, "did you mean \"FeatureServer\"?"),
    ("/maps/world-cities/previw", 404, "did you mean \"preview\"?"),
    ("/maps/world-cities/features?maxFeatures=0", 400, "must be 1 or more"),
    ("/maps/world-city", 404, "did you mean \"world-cities\"?"),
    ("/maps/..json", 404, "no map named"), ("/maps/data", 404, "no map named"),
    ("/maps/world-cities/images", 404, "did you mean \"image\"?"),
    ("/maps/world-cities/image?bound=1", 400, "did you mean \"bounds\"?"),
    ("/maps/world-cities/image?bbox=1,2,3,4", 400, "did you mean \"bounds\"?"),
    ("/maps/world-cities/features?limit=1", 400, "did you mean \"maxFeatures\"?"),
    ("/maps/world-cities/image?bounds=1,2,3", 400, "bounds: expected xmin"),
    ("/maps/world-cities/image?size=9999x9999", 400, "the image has more than"),
    ("/maps/world-cities/image?size=1x1&pixelRatio=1e9", 400, "more than"),
    ("/maps/world-cities/image?size=0x1", 400, "size: expected"),
    ("/maps/world-cities/image?size=1x1&size=2x2", 400, "given twice"),
    ("/maps/world-cities/image?pixelRatio=nan", 400, "not a decimal number"),
    ("/maps/world-cities/image?pixelRatio=-1", 400, "ratio"),
    ("/maps/world-cities/image?center=1,2", 400, "needs scale or zoom"),
    ("/maps/world-cities/image?scale=2", 400, "scale goes with center"),
    ("/maps/world-cities/image?zoom=2&bounds=1,2,3,4", 400, "zoom cannot be combined with bounds"),
    ("/maps/world-cities/image?zoom=2&viewpoint=1,2,3000", 400, "zoom contradicts the scale of viewpoint"),
    ("/maps/world-cities/image?viewpoint=1,2", 400, "has no scale"),
    ("/maps/world-cities/image?dpi=50", 400, "96 to 384"),
    ("/maps/world-cities/image?dpi=192&pixelRatio=2", 400, "dpi contradicts pixelRatio"),
    ("/maps/world-cities/image?background=blak", 400, "colour name"),
    ("/maps/world-cities/image?basemap=arcGISOcean", 400, "is not one of"),
    ("/maps/world-cities/image?basemap=arcGISOceans&noBasemap=true", 400, "contradicts"),
    ("/maps/world-cities/image?svgText=true", 400, "needs format=svg"),
    ("/maps/world-cities/image?aggregate=square", 400, "unknown cells"),
    ("/maps/world-cities/image?classes=3", 400, "classes needs colorBy"),
    ("/maps/world-cities/count?colorBy=POP", 400, "colorBy needs byClass"),
    ("/maps/world-cities/series", 400, "needs either by or byTime"),
    ("/maps/world-cities/series?byTime=day&mute=true", 400, "mute needs by"),
    ("/maps/us-counties/series/99999?by=Counties", 404, "no image 99999"),
    ("/maps/world-cities/features?ids=true&countOnly=true", 400, "cannot be combined"),
    ("/maps/world-cities/image?center=1,2&zoom=31", 400, "0 to 30"),
    ("/maps/world-cities/image?center=1,2&zoom=3&bounds=1,2,3,4", 400, "exclude each other"),
    ("/maps/world-cities/image?format=bmp", 400, "is not one of"),
    ("/maps/world-cities/image?legend=rigth", 400, "is not one of"),
    ("/maps/world-cities/image?only=City", 400, "no layer named"),
    ("/maps/world-cities/image?definition=", 400, "empty"),
    ("/maps/world-cities/image?definition=POPP%3E1", 400, "POP"),
    ("/maps/world-cities/count?geometry=places.geojson", 400, "expected an object"),
    ("/maps/world-cities/count?where=", 400, "empty"),
    ("/maps/world-cities/count?where=POP%20%3E", 400, "expected a value"),
    ("/maps/world-cities/count?everywhere=true&inView=true", 400, "give one of"),
    ("/maps/world-cities/count?everywhere=yes", 400, "not true or false"),
    ("/maps/world-cities/statistics", 400, "statistic is missing"),
    ("/maps/world-cities/statistics?statistic=mean:POP", 400, "no statistic named"),
    ("/maps/world-cities/features?offset=-1", 400, "0 or more"),
    ("/maps/world-cities/features?outFields=POPP", 400, "POP"),
    ("/health?x=1", 400, "unknown parameter"), ("/maps?x=1", 400, "unknown parameter"),
  ]

  @Test("Wrong requests are refused with the reason and the nearest name")
  func refuses() async throws {
    #expect(Self.refused.count == 56)
    let service = try Served.service()
    for (target, status, part) in Self.refused {
      let response = try await service.get(target)
      let message = try JSONValue(parsing: response.body)["error"]?["message"]?.string ?? ""
      #expect(
        response.status == status && message.contains(part) && !message.contains("HTTPFault"),
        "\(target): \(response.status) \(message)")
    }
  }

  @Test("Hosts and origins of other sites are refused")
  func origins() async throws {
    let service = try Served.service(hosts: ["maps.example"])
    for (headers, status): ([String: String], Int) in [
      (["host": "localhost"], 200), (["host": "127.0.0.1:1"], 200), (["host": "[::1]:8080"], 200),
      (["host": "[::1]"], 200), (["host": "MAPS.example:80"], 200), (["host": "evil.example"], 421),
      (["host": "localhost.evil.example"], 421), (["host": "localhost@evil.example"], 421),
      (["host": "localhost:80@evil.example"], 421), (["host": "localhost:1:2"], 421), (["host": ""], 421),
      (["origin": "http://localhost:8080"], 200), (["origin": "http://evil.example"], 403),
      (["origin": "null"], 403), (["origin": "http://localhost:1"], 403),
      (["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"], 403),
      (["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"], 200),
    ] {
      #expect(try await service.get("/maps", headers).status == status, "\(headers)")
    }
    let response = await service.answer(try HTTPRequest("/maps", headers: [:]))
    #expect(response.status == 400)
  }

  @Test("The tag of an answer stays until the request or the file changes")
  func tags() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "points.json")
    try Served.document([1, 2, 3]).write(to: file, atomically: true, encoding: .utf8)
    let maps = try MapFolder(folder.path)
    let service = MapService(maps)
    let target = "/maps/points/count?everywhere=true"
    let first = try await service.get(target)
    let tag = try #require(first.header("ETag"))
    let second = try await service.get(target, ["if-none-match": "\"a\", \(tag)"])
    #expect(second.status == 304 && second.body.isEmpty && second.header("ETag") == tag)
    #expect(try await service.get(target + "&where=n%3E1").header("ETag") != tag)
    #expect(try await service.get(target + "&where=n%3ECURRENT_DATE").header("ETag") == nil)
    let openings = maps.openings
    try Served.document([1, 2, 3, 4]).write(to: file, atomically: true, encoding: .utf8)
    let changed = try await service.get(target, ["if-none-match": tag])
    #expect(changed.status == 200)
    #expect(try JSONValue(parsing: changed.body)["layers"]?[0]?["count"]?.integer == 4)
    #expect(maps.openings > openings)
    try "{".write(to: file, atomically: true, encoding: .utf8)
    let broken = try await service.get(target)
    #expect(broken.status == 503)
    #expect(!String(decoding: broken.body, as: UTF8.self).contains(folder.path))
    try FileManager.default.removeItem(at: file)
    #expect(try await service.get(target).status == 404)
  }

  @Test("A map whose filter has the current time has no tag")
  func currentTime() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1, 2], definition: "CURRENT_DATE > DATE '2000-01-01'").write(
      to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    let response = try await Served.service(folder.path).get("/maps/points/count?everywhere=true")
    #expect(response.status == 200 && response.header("ETag") == nil)
    #expect(response.header("Cache-Control") == "no-store")
  }

  @Test("Equal requests at the same time open a map once and have equal answers")
  func together() async throws {
    let maps = try MapFolder(Served.styles)
    var limits = ServerLimits()
    limits.concurrency = 8
    let service = MapService(maps, limits: limits)
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for number in 0..<24 {
        group.addTask {
          let filter = number % 2 == 0 ? "" : "&definition=POP%3E2000000"
          return try await service.get("/maps/world-cities/image?size=200x100\(filter)").body
        }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies.count == 2)
    #expect(maps.openings == 1)
  }

  @Test("Long texts are compressed for clients that accept gzip")
  func compresses() async throws {
    let service = try Served.service()
    let plain = try await service.get("/openapi.json")
    let packed = try await service.get("/openapi.json", ["accept-encoding": "br, gzip;q=0.5"])
    #expect(packed.header("Content-Encoding") == "gzip" && packed.body.count < plain.body.count / 3)
    let file = try Served.folder().appending(path: "packed.gz")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    try Data(packed.body).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/gzip")
    process.arguments = ["-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(Array(output.fileHandleForReading.readDataToEndOfFile()) == plain.body)
    for header in ["", "gzip;q=0", "deflate"] {
      let response = try await service.get("/openapi.json", ["accept-encoding": header])
      #expect(response.header("Content-Encoding") == nil, "\(header)")
    }
  }

  @Test("A position in an image identifies the drawn features, and each is explained")
  func identifies() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1, 2, 3], definition: "n > 1").write(
      to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    let service = try Served.service(folder.path)
    let view = "size=100x100&bounds=1,-1,3,1"
    let found = try await service.json("/maps/points/identify?\(view)&x=50&y=50")["features"]?.array ?? []
    #expect(found.count == 1 && found.first?["id"] == 2 && found.first?["properties"]?["n"] == 2)
    #expect(found.first?["explanation"]?["drawn"] == true)
    let none = try await service.json("/maps/points/identify?\(view)&x=25&y=50")["features"]?.array
    #expect(none?.isEmpty == true)
    let hidden = try await service.json("/maps/points/explain?\(view)&id=1")
    #expect(hidden["drawn"] == false)
    #expect(try await service.get("/maps/points/identify?x=1").status == 400)
    #expect(try await service.get("/maps/points/explain?id=99").status == 400)
    #expect(try await service.json("/maps/points/lint")["findings"]?.array != nil)
  }

  @Test("The header of an image counts the layers that are images in its format")
  func formatWarnings() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = Served.document([1, 2]).replacingOccurrences(
      of: "\"title\": \"Points\",", with: "\"title\": \"Points\", \"effect\": \"blur(2px)\",")
    try Data(text.utf8).write(to: folder.appending(path: "m.json"))
    let service = try Served.service(folder.path)
    for (format, count) in [("png", 0), ("svg", 1), ("pdf", 1)] {
      let response = try await service.get("/maps/m/image?format=\(format)")
      #expect(response.status == 200)
      #expect(response.header("X-Map-Warnings") ?? "0" == "\(count)")
    }
  }

  @Test("The funnel of a view has the numbers of its image")
  func funnelOfView() async throws {
    let service = try Served.service()
    let view = "size=400x300&bounds=-10,35,30,60"
    let funnel = try await service.json("/maps/world-cities/funnel?\(view)&inView=true")["layers"]?[0]?[
      "funnel"]
    let drawn = funnel?["drawn"]?.integer ?? 0
    #expect(drawn > 0 && funnel?["edge"]?.integer != nil)
    let extent = try await service.get("/maps/world-cities/image?\(view)").header("X-Map-Extent") ?? ""
    let count = try await service.json("/maps/world-cities/count?bounds=\(extent),3857")["layers"]?[0]?[
      "count"]
    #expect(count == funnel?["extent"])
  }

  @Test("The preview page names no other host and allows none")
  func page() async throws {
    let response = try await Served.service().get("/maps/world-cities/preview")
    #expect(response.status == 200 && response.header("Content-Type") == "text/html; charset=utf-8")
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("<title>Preview</title>") && !text.contains("://"))
    #expect(response.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
  }
}
