import Foundation
import MapHTTP
import MapJSON
import MapSystem
import Testing

@Suite struct HostileRequestTests {
  /// Values that have broken other servers, or are beyond what numbers hold.
  private static let values = [
    "", " ", "nan", "inf", "-1", "0", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808",
    "99999999999999999999", "0x10", "1,2,3,4", "-1e300,-1e300,1e300,1e300", "180,90,-180,-90",
    "a'; DROP TABLE x; --",
    "../../etc/passwd", "http://169.254.169.254/", "{}", "[[[[[[[[", "{\"rings\":[[[0,0]]]}", "\u{202E}", "💥",
    String(repeating: "(", count: 2000),
  ]

  /// Paths, each with parameters that are complete but for one.
  private static let targets = [
    "image?size=20x20&bounds", "image?size=20x20&viewpoint", "image?size=20x20&zoom=3&center", "image?size",
    "image?size=20x20&pixelRatio", "image?size=20x20&rotation", "image?size=20x20&padding",
    "image?size=20x20&reference", "image?size=20x20&title", "image?size=20x20&time",
    "image?size=20x20&definition", "image?size=20x20&background", "image?size=20x20&aggregate",
    "image?size=20x20&colorBy", "series?by", "series?byTime", "series/0?by=0&size",
    "image?size=20x20&center=1,2&scale", "count?bounds", "count?where", "count?cql2", "count?geometry",
    "funnel?size",
    "features?everywhere=true&offset", "features?everywhere=true&maxFeatures",
    "features?everywhere=true&orderBy",
    "features?everywhere=true&outWkid", "features?everywhere=true&maxFeatures=1&maxOffset",
    "statistics?statistic",
    "statistics?statistic=count&top", "identify?size=20x20&x=1&y", "identify?size=20x20&x=1&y=1&tolerance",
    "explain?id", "ogc/collections/points/items?bbox", "ogc/collections/points/items?limit",
    "ogc/collections/points/items?offset", "ogc/collections/points/items?datetime",
    "ogc/collections/points/items?filter", "ogc/map?width=20&height", "FeatureServer/0/query?objectIds",
    "FeatureServer/0/query?geometry", "FeatureServer/0/query?time", "FeatureServer/0/query?resultOffset",
    "FeatureServer/0/query?outStatistics", "FeatureServer/0/query?outSR", "MapServer/export?size",
    "MapServer/export?bbox", "MapServer/export?dpi", "MapServer/export?layers",
  ]

  @Test("Hostile values are answered or refused, and never a fault of the server")
  func values() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([1, 2, 3]).write(
      to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    var limits = ServerLimits()
    limits.pixels = 480_000
    let service = try Served.service(folder.path, limits: limits)
    var count = 0
    for target in Self.targets {
      for value in Self.values {
        let text = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let response = try await service.get("/maps/points/\(target)=\(text)")
        count += 1
        let body = response.status == 200 ? "" : String(decoding: response.body, as: UTF8.self)
        #expect(response.status < 500, "\(target)=\(value.prefix(40)): \(body)")
        #expect(!body.contains(folder.path), "\(target)=\(value.prefix(40)): \(body)")
      }
    }
    #expect(count == 1176)
    #expect(try await service.json("/maps/points/count?everywhere=true")["layers"]?[0]?["count"] == 3)
  }

  @Test("A request cannot leave the folder, also through names of files")
  func escapes() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appending(path: "maps")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Served.document([1]).write(
      to: folder.appending(path: "secret.json"), atomically: true, encoding: .utf8)
    try Served.document([1]).write(
      to: inner.appending(path: ".hidden.json"), atomically: true, encoding: .utf8)
    let service = try Served.service(inner.path)
    for target in [
      "/maps/..%2Fsecret", "/maps/%2e%2e%2fsecret", "/maps/..%5csecret", "/maps/.hidden", "/maps/secret",
      "/maps/%2Fetc%2Fpasswd", "/maps/..", "/maps/../secret", "/maps//etc/passwd", "/maps/secret.json%00",
      "/maps/maps", "/maps/.", "/../secret",
    ] {
      let status: Int
      do throws(HTTPFault) {
        let request = try HTTPRequest(target)
        status = await service.answer(request).status
      } catch { status = error.status }
      #expect([400, 404].contains(status), "\(target)")
    }
  }
}
