import Foundation
import MapHTTP
import MapJSON
import MapState
import Testing

/// A folder with a map of points by class, another map, a folder of cases, and the server of the map.
final class Preview: Sendable {
  static let token = "0123456789abcdef0123456789abcdef"

  /// Points in two classes of `n`, with a display filter that has a title, beside another one.
  static let document = Served.document([1, 2, 3, 40]).replacing(
    #/"renderer": {"type": "simple"[^}]*}}/#,
    with: #"""
      "renderer": {"type": "classBreaks", "field": "n", "minValue": 0, "classBreakInfos": [
        {"classMaxValue": 10, "label": "few", "symbol": {"type": "esriSMS", "style": "esriSMSCircle",
          "color": [200, 30, 30, 255], "size": 6}},
        {"classMaxValue": 50, "label": "many", "symbol": {"type": "esriSMS", "style": "esriSMSCircle",
          "color": [30, 30, 200, 128], "size": 6}}]}
      """#
  ).replacing(
    #""drawingInfo": {"#,
    with: #"""
      "displayFilterInfo": {"filterMode": "manual", "activeFilterId": "b", "filters": [
        {"id": "a", "title": "First", "where": "n < 2"}, {"id": "b", "title": "Second", "where": "n < 50"}]},
      "drawingInfo": {
      """#)

  let folder: URL
  let service: MapService

  init(saveTo: String? = "points.json", cases: Bool = true, text: String = Preview.document)
    throws
  {
    let folder = try Served.folder()
    self.folder = folder
    try text.write(to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    try "secret".write(to: folder.appending(path: "other.txt"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "cases"), withIntermediateDirectories: true)
    let map = folder.appending(path: "points.json").path
    let files = try PreviewFiles(
      of: map, document: saveTo.map { folder.appending(path: $0).path },
      cases: cases ? folder.appending(path: "cases").path : nil)
    service = MapService(
      try MapFolder(map), origin: OriginCheck(token: Preview.token), files: files)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func post(
    _ target: String, _ headers: [String: String?] = [:], method: String = "POST"
  ) async throws -> HTTPResponse {
    var all: [String: String] = [
      "host": "localhost:8080", "origin": "http://localhost:8080", "x-mapstate-token": Self.token,
    ]
    for (name, value) in headers { all[name] = value }
    return await service.answer(try HTTPRequest(target, method: method, headers: all))
  }

  func revision() async throws -> String {
    try #require(try await service.json("/maps/points/revision")["revision"]?.string)
  }

  func saved(_ name: String = "points.json") throws -> JSONValue {
    try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: name))))
  }

  /// All files and their bytes.
  func files() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      found[name] = try? Data(contentsOf: folder.appending(path: name))
    }
    return found
  }
}
