import Foundation
import MapHTTP
import MapJSON
import MapScript
import MapState
import Testing

/// Pages of other origins, proxies, tokens and caches.
@Suite struct WebAccessTests {
  private static func service(
    origins: [String] = [], token: String? = nil, publicURL: String? = nil, proxies: [String] = [],
    hosts: [String] = [], maxAge: Int = 0
  ) throws -> MapService {
    MapService(
      try MapFolder(Served.styles),
      origin: OriginCheck(
        hosts: hosts, readingToken: try token.map { try AccessToken(option: $0) },
        origins: try AllowedOrigins(origins),
        publicAddress: try publicURL.map { try PublicAddress(text: $0) },
        proxies: try proxies.map { try NetworkRange(text: $0) }), maxAge: maxAge)
  }

  private static func message(_ response: HTTPResponse) throws -> String {
    try JSONValue(parsing: response.body)["error"]?["message"]?.string ?? ""
  }

  @Test("Without the option, a page of another origin is refused, and the refusal names the option")
  func refusal() async throws {
    let service = try Self.service()
    let page = try await service.get("/maps", ["origin": "http://app.example:3000"])
    #expect(page.status == 403)
    #expect(try Self.message(page).contains("--allow-origin http://app.example:3000"))
    let file = try await service.get("/maps", ["origin": "null"])
    #expect(try Self.message(file).contains("--allow-origin '*'"))
    for site in ["cross-site", "same-site"] {
      let image = try await service.get("/maps", ["sec-fetch-site": site, "sec-fetch-mode": "no-cors"])
      #expect(try image.status == 403 && Self.message(image).contains("--allow-origin"))
    }
    // A value that is no origin is not suggested as one.
    let odd = try await service.get("/maps", ["origin": "http://a'; rm -rf"])
    #expect(try odd.status == 403 && !Self.message(odd).contains("rm -rf"))
  }

  @Test("Only allowed origins are admitted, in any case and without the usual port")
  func allowed() async throws {
    let service = try Self.service(origins: ["https://App.example", "http://localhost:3000"])
    for (origin, status) in [
      ("https://app.example", 200), ("HTTPS://APP.EXAMPLE", 200), ("http://localhost:3000", 200),
      ("http://app.example", 403), ("https://app.example.evil.example", 403),
      ("https://app.example:8443", 403),
      ("https://evil.example", 403), ("http://localhost:3001", 403), ("null", 403),
    ] {
      #expect(try await service.get("/maps", ["origin": origin]).status == status, "\(origin)")
    }
    for (referrer, status) in [
      ("https://app.example/page.html?a=http://localhost:3000", 200), ("https://app.example", 200),
      ("https://evil.example/https://app.example", 403), ("https://app.example@evil.example/", 403),
      ("", 403),
    ] {
      let headers = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "referer": referrer]
      #expect(try await service.get("/maps", headers).status == status, "\(referrer)")
    }
    #expect(try await Self.service(origins: ["*"]).get("/maps", ["origin": "null"]).status == 200)
  }

  @Test(
    "A wildcard does not weaken the check of the host, so that names that lead to this machine are refused")
  func rebinding() async throws {
    let service = try Self.service(origins: ["*"])
    let headers = ["host": "evil.example:8080", "origin": "http://evil.example:8080"]
    #expect(try await service.get("/maps", headers).status == 421)
    #expect(try await service.get("/health", headers).status == 200)
    #expect(await service.answer(try HTTPRequest("/health", headers: [:])).status == 200)
    #expect(try await Self.service().get("/health", ["host": "10.1.2.3"]).status == 200)
    #expect(try await Self.service().get("/metrics", ["host": "10.1.2.3"]).status == 421)
  }

  @Test(
    "Values that are no origin are refused when the server starts",
    arguments: [
      "example.org", "https://", "https://a.example/path", "https://a.example/", "null", "ftp://a.example",
      "https://a.example\r\nX: y", "https://*.example", "https://user@a.example", "https://a.example:x", "",
    ])
  func malformedOrigins(text: String) {
    #expect(throws: MapStateError.self) { try AllowedOrigins([text]) }
  }

  @Test("A preflight request is answered without a token, and allows reading only")
  func preflight() async throws {
    let service = try Self.service(origins: ["https://app.example"], token: "0123456789abcdef")
    func ask(_ headers: [String: String], method: String = "OPTIONS") async throws -> HTTPResponse {
      var all = ["host": "localhost"]
      all.merge(headers) { $1 }
      return await service.answer(try HTTPRequest("/maps/world-cities/image", method: method, headers: all))
    }
    let answer = try await ask([
      "origin": "https://app.example", "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    ])
    #expect(answer.status == 204 && answer.body.isEmpty)
    #expect(answer.header("Access-Control-Allow-Methods") == "GET, HEAD")
    #expect(answer.header("Access-Control-Allow-Headers")?.contains("Authorization") == true)
    #expect(answer.header("Access-Control-Allow-Headers")?.contains("X-MapState-Token") == false)
    #expect(answer.header("Access-Control-Allow-Credentials") == nil)
    let foreign = ["origin": "https://evil.example", "access-control-request-method": "GET"]
    #expect(try await ask(foreign).status == 403)
    #expect(try await ask(["origin": "https://app.example"]).status == 401)
    #expect(try await ask(["origin": "https://app.example"], method: "GET").status == 401)
  }

  @Test("A request needs the token as bearer or as parameter; health needs none")
  func tokens() async throws {
    let token = "abc.DEF-123_~4567"
    let service = try Self.service(token: token)
    for (target, authorization, status): (String, String?, Int) in [
      ("/maps", nil, 401), ("/maps", "Bearer \(token)", 200), ("/maps", "bearer  \(token)", 200),
      ("/maps", "Bearer \(token)x", 401), ("/maps", "Bearer abc", 401), ("/maps", "Bearer ", 401),
      ("/maps", "Basic \(token)", 401), ("/maps", token, 401), ("/maps?token=\(token)", nil, 200),
      ("/maps?token=wrong", nil, 401), ("/maps?token=wrong", "Bearer \(token)", 200),
      ("/maps?token=", nil, 401),
      ("/maps?token=\(token)&token=\(token)", nil, 400), ("/health", nil, 200), ("/metrics", nil, 401),
      ("/", nil, 401), ("/openapi.json", nil, 401), ("/maps/world-cities/image", nil, 401),
      ("/maps/nothing", nil, 401), ("/maps/world-cities/count?token=\(token)&bounds=1,2,3,4", nil, 200),
    ] {
      let response = try await service.get(target, authorization.map { ["authorization": $0] } ?? [:])
      #expect(response.status == status, "\(target) \(authorization ?? "")")
      if status == 401 { #expect(response.header("WWW-Authenticate") == "Bearer") }
      let text = String(decoding: response.body, as: UTF8.self)
      if status != 200 { #expect(!text.contains(token), "\(target)") }
    }
    let tiles = try await service.json("/maps/world-cities/tiles.json?token=\(token)&filters=none")
    #expect(tiles["tiles"]?[0]?.string?.hasSuffix("{y}.png?filters=none&token=\(token)") == true)
    let other = try await service.get(
      "/maps/world-cities/tiles.json", ["authorization": "Bearer \(token)"])
    #expect(!String(decoding: other.body, as: UTF8.self).contains(token))
    let unknown = try await service.get("/maps?token=\(token)&nothing=1")
    #expect(unknown.status == 400 && !String(decoding: unknown.body, as: UTF8.self).contains(token))
    // Without a token, the parameter is unknown like any other.
    #expect(try await Self.service().get("/maps?token=a").status == 400)
    for text in ["", "a b", "ä", "a+b", String(repeating: "a", count: 513)] {
      #expect(throws: MapStateError.self) { try AccessToken(option: text) }
    }
  }

  /// The headers of a proxy, and the address in the answer, or the status.
  private static let forwarded: [([String: String], String)] = [
    ([:], "http://localhost:8080"),
    (["x-forwarded-proto": "https", "x-forwarded-host": "maps.example"], "https://maps.example"),
    (["x-forwarded-proto": "https"], "https://localhost:8080"),
    (["x-forwarded-host": "maps.example:8443"], "http://maps.example:8443"),
    (
      ["x-forwarded-proto": "https", "x-forwarded-host": "MAPS.example", "x-forwarded-port": "8443"],
      "https://maps.example:8443"
    ),
    (
      ["x-forwarded-proto": "https", "x-forwarded-host": "maps.example", "x-forwarded-port": "443"],
      "https://maps.example"
    ),
    (["x-forwarded-host": "maps.example", "x-forwarded-prefix": "/a/b/"], "http://maps.example/a/b"),
    (["x-forwarded-host": "inner.example, maps.example"], "http://maps.example"),
    (["forwarded": "for=10.0.0.1;proto=https;host=maps.example"], "https://maps.example"),
    (["forwarded": "for=\"[::1]:80\";host=\"maps.example:8443\";proto=https"], "https://maps.example:8443"),
    (["forwarded": "host=evil.example;proto=http, host=maps.example;proto=https"], "https://maps.example"),
    (["forwarded": "for=1.2.3.4;host=evil.example"], "421"), (["x-forwarded-host": "evil.example"], "421"),
    (["x-forwarded-host": "maps.example\"><script>"], "400"), (["x-forwarded-host": "maps.example/a"], "400"),
    (["x-forwarded-proto": "javascript", "x-forwarded-host": "maps.example"], "400"),
    (["x-forwarded-prefix": "//evil.example"], "400"), (["x-forwarded-prefix": "/a/../b"], "400"),
    (["x-forwarded-prefix": "/a?b"], "400"), (["x-forwarded-prefix": "/a\"b"], "400"),
    (["forwarded": "host=\"maps.example"], "400"), (["forwarded": "host=a;host=b"], "400"),
    (["forwarded": "host"], "400"), (["forwarded": "host=\"a\\\"b\""], "400"),
    (["forwarded": "host=maps.example", "x-forwarded-host": "localhost"], "400"),
    (["forwarded": "for=1.2.3.4", "x-forwarded-proto": "https"], "400"),
  ]

  @Test("The headers of a trusted proxy decide the address in answers; those of others are ignored")
  func proxies() async throws {
    #expect(Self.forwarded.count == 26)
    let service = try Self.service(proxies: ["127.0.0.1", "10.0.0.0/8", "::1"], hosts: ["maps.example"])
    for (headers, expected) in Self.forwarded {
      for peer in ["127.0.0.1", "10.9.8.7", "::1", "::ffff:10.1.1.1", "11.0.0.1", "::2", nil] {
        var all = ["host": "localhost:8080"]
        all.merge(headers) { $1 }
        var request = try HTTPRequest("/maps/world-cities/tiles.json", headers: all)
        request.peer = peer.flatMap { NetworkAddress($0) }
        let isTrusted = !["11.0.0.1", "::2", nil].contains(peer)
        let response = await service.answer(request)
        let root = isTrusted ? expected : "http://localhost:8080"
        if let status = Int(root) {
          #expect(response.status == status, "\(headers) \(peer ?? "")")
          continue
        }
        #expect(response.status == 200, "\(headers) \(peer ?? "")")
        guard response.status == 200 else { continue }
        let tile = try JSONValue(parsing: response.body)["tiles"]?[0]?.string
        #expect(tile == "\(root)/maps/world-cities/tiles/{z}/{x}/{y}.png", "\(headers) \(peer ?? "")")
      }
    }
    for text in ["", "a", "1.2.3", "1.2.3.4/33", "::1/129", "1.2.3.4/-1", "1.2.3.4/x"] {
      #expect(throws: MapStateError.self) { try NetworkRange(text: text) }
    }
  }

  @Test("A public address is in every link of tiles, OGC API and lists, whatever a proxy sends")
  func publicAddress() async throws {
    let service = try Self.service(publicURL: "https://Maps.example/server/", proxies: ["127.0.0.1"])
    let root = "https://maps.example/server"
    func json(_ target: String) async throws -> JSONValue {
      var request = try HTTPRequest(
        target, headers: ["host": "maps.example", "x-forwarded-host": "evil.example"])
      request.peer = NetworkAddress("127.0.0.1")
      let response = await service.answer(request)
      try #require(response.status == 200)
      return try JSONValue(parsing: response.body)
    }
    let map = "/maps/world-cities"
    #expect(try await json("\(map)/tiles.json")["tiles"]?[0]?.string == "\(root)\(map)/tiles/{z}/{x}/{y}.png")
    #expect(try await json("/openapi.json")["servers"]?[0]?["url"]?.string == root)
    #expect(try await json("/maps")["maps"]?[0]?["href"]?.string == "/server/maps/helsinki-bicycles")
    var links = 0
    for path in ["", "/collections", "/collections/cities", "/collections/cities/items?limit=2"] {
      for link in try await json("\(map)/ogc\(path)")["links"]?.array ?? [] {
        links += 1
        #expect(link["href"]?.string?.hasPrefix(root + "/") == true, "\(path): \(link)")
      }
    }
    #expect(links > 8)
    let image = try await json("\(map)/MapServer/export?f=json&bbox=0,0,10,10&bboxSR=4326&size=40,30")
    #expect(image["href"]?.string?.hasPrefix("\(root)\(map)/MapServer/export?") == true)
    #expect(image["width"] == 40 && image["height"] == 30 && image["extent"]?["xmin"] != nil)
    // Without a reference of the image, it is that of the map.
    #expect(image["extent"]?["spatialReference"]?["wkid"] == 102100, "\(image)")
    #expect(try await service.get("/maps", ["origin": "https://maps.example"]).status == 200)
    for text in [
      "maps.example", "https://", "https://a b", "https://a/?q", "https://a/#f", "https://u@a", "ftp://a",
    ] {
      #expect(throws: MapStateError.self) { try PublicAddress(text: text) }
    }
  }

  @Test("Caches may use an answer as long as the option says, and old tiles for longer")
  func caches() async throws {
    let (tile, count) = ("/maps/world-cities/tiles/1/0/0.png", "/maps/world-cities/count?bounds=1,2,3,4")
    let usual = try Self.service()
    #expect(try await usual.get(count).header("Cache-Control") == "no-cache")
    #expect(try await usual.get(tile).header("Cache-Control") == "no-cache")
    let service = try Self.service(maxAge: 60)
    let first = try await service.get(count)
    #expect(first.header("Cache-Control") == "max-age=60")
    let tag = try #require(first.header("ETag"))
    let second = try await service.get(count, ["if-none-match": tag])
    #expect(second.status == 304 && second.header("Cache-Control") == "max-age=60")
    for _ in 0..<2 {
      let answer = try await service.get(tile)
      #expect(answer.header("Cache-Control") == "max-age=60, stale-while-revalidate=600")
    }
    #expect(try await service.get(count + "&where=POP%3E").header("Cache-Control") == "no-store")
    #expect(try await service.get("/maps/world-cities/count?where=1").header("Cache-Control") == "no-store")
    let secret = try Self.service(token: "0123456789abcdef", maxAge: 60)
    let answer = try await secret.get(count + "&token=0123456789abcdef")
    #expect(answer.header("Cache-Control") == "private, max-age=60")
  }

  @Test("The page at / has an example for each library with the addresses of a map")
  func startPage() async throws {
    let service = try Self.service(token: "0123456789abcdef", publicURL: "https://maps.example/server")
    let page = try await service.get("/?token=0123456789abcdef&map=us-counties")
    #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
    let text = String(decoding: page.body, as: UTF8.self)
    for name in ["img", "leaflet", "maplibre", "openlayers", "qgis", "count", "legend"] {
      #expect(text.contains("<pre id=\"\(name)\""))
    }
    for part in [
      "https://maps.example/server/maps/us-counties/tiles.json?token=0123456789abcdef",
      "https://maps.example/server/maps/us-counties/image?size=640x400&amp;token=", "L.tileLayer",
      "maplibregl.Map",
      "ol.source.XYZ", "--allow-origin", "maps.example/server/maps/us-counties/tiles/{z}/{x}/{y}.png",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(text.firstMatch(of: /%[A-Z]+%/) == nil)
    #expect(try await service.get("/?token=0123456789abcdef&map=us-county").status == 404)
    let all = try await Self.service(origins: ["*"]).get("/")
    #expect(String(decoding: all.body, as: UTF8.self).contains("every origin"))
    // Names of files cannot end an attribute or an element.
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1]).write(
      to: folder.appending(path: "a\"><b>&%MAPS%.json"), atomically: true, encoding: .utf8)
    let odd = try await Served.service(folder.path).get("/")
    #expect(odd.status == 200 && !String(decoding: odd.body, as: UTF8.self).contains("\"><b>"))
  }
}
