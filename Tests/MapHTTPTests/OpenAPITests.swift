import Foundation
import MapHTTP
import MapJSON
import MapScript
import MapState
import Testing

/// The OpenAPI document against the answers of the paths that it describes.
@Suite struct OpenAPITests {
  @Test("The OpenAPI document has every path, and the parameters that the decoders know")
  func openAPI() async throws {
    let json = try await Served.service().json("/openapi.json")
    let paths = try #require(json["paths"]?.object)
    #expect(paths.members.count == 39)
    let shared = ViewRequest.names + QuestionRequest.names + LayoutRequest.names + StyleRequest.names
    let own = [
      "center", "scale", "zoom", "format", "byClass", "statistic", "groupBy", "orderBy", "having", "top",
      "bins",
      "outFields", "offset", "maxFeatures", "noGeometry", "outWkid", "maxOffset", "id", "x", "y", "z",
      "number", "background", "basemap", "noBasemap", "basemapNames", "graticule", "aggregate", "dpi",
      "svgText", "download",
      "svgIds", "ids", "extentOnly", "countOnly", "by", "byField", "byTime", "mute", "map", "tolerance",
      "classColor",
      "classBreak", "classLabel",
    ]
    var count = 0
    for path in paths.members where !["/ogc", "Server"].contains(where: { path.name.contains($0) }) {
      for parameter in path.value["get"]?["parameters"]?.array ?? [] {
        let name = try #require(parameter["name"]?.string)
        count += 1
        #expect(shared.contains(name) || own.contains(name), "\(path.name): \(name)")
      }
    }
    #expect(count > 100)
  }

  @Test("The OpenAPI document has the media type of each format")
  func mediaTypes() async throws {
    let service = try Served.service()
    let paths = try #require(try await service.json("/openapi.json")["paths"])
    var count = 0
    for (path, rest, parameter, values) in [
      ("image", "size=40x30", "format", ["png", "svg", "pdf", "jpg", "webp"]),
      ("features", "maxFeatures=1", "format", ["geojson", "ndjson", "csv", "arrow"]),
      ("legend", "size=40x30", "format", ["json", "png"]),
      ("ogc/map", "width=40&height=30", "f", ["png", "jpg"]),
      ("FeatureServer/0/query", "resultRecordCount=1", "f", ["json", "pjson", "geojson"]),
      ("MapServer/export", "size=40,30", "format", ["png", "png24", "png32", "jpg", "svg", "pdf"]),
    ] {
      let get = paths["/maps/{id}/" + path.replacing("/0/", with: "/{layer}/")]?["get"]
      let listed = get?["parameters"]?.array?.first { $0["name"]?.string == parameter }?["schema"]?["enum"]
      #expect(listed?.array?.compactMap(\.string).filter { !$0.isEmpty } == values, "\(path)")
      let types = get?["responses"]?["200"]?["content"]?.object?.members.map(\.name) ?? []
      for value in values {
        let response = try await service.get("/maps/world-cities/\(path)?\(rest)&\(parameter)=\(value)")
        let type = response.header("Content-Type")?.split(separator: ";").first.map { String($0) } ?? "none"
        #expect(response.status == 200 && types.contains(type), "\(path) \(value): \(type)")
        count += 1
      }
    }
    #expect(count == 22)
  }

  @Test("Every path of the OpenAPI document is answered, and writing ones are only there if they write")
  func everyPath() async throws {
    let service = try Served.service()
    let paths = try #require(try await service.json("/openapi.json")["paths"]?.object)
    let collections = try await service.json("/maps/world-cities/ogc/collections")["collections"]
    let collection = try #require(collections?[0]?["id"]?.string)
    // Parameters without which a path refuses to answer; the document says so.
    let needed = ["statistics": "statistic=count", "identify": "x=1&y=1", "explain": "id=1"]
    for path in paths.members {
      #expect(path.value.object?.members.map(\.name) == ["get"])
      var target = path.name.replacing("{id}", with: "world-cities").replacing("{layer}", with: "0")
        .replacing("{collection}", with: Served.percent(collection)).replacing("{item}", with: "1")
      for name in ["x", "y", "z", "number"] { target = target.replacing("{\(name)}", with: "0") }
      if let query = needed[target.split(separator: "/").last.map { String($0) } ?? ""] {
        target += "?" + query
      }
      let required = path.value["get"]?["parameters"]?.array?.filter {
        $0["in"] == "query" && $0["required"] == true
      }
      #expect(required?.isEmpty == !target.contains("?"), "\(target)")
      // A series needs one of two parameters.
      if target.contains("/series") { target += "?byTime=year" }
      let response = try await service.get(
        target.replacing("world-cities/series", with: "san-francisco-incidents/series"))
      #expect(
        response.status == 200, "\(target): \(String(decoding: response.body.prefix(200), as: UTF8.self))")
      let type = path.value["get"]?["responses"]?["200"]?["content"]?.object?.members.first?.name ?? "none"
      #expect(response.header("Content-Type")?.hasPrefix(type) == true, "\(target)")
    }
    let files = try PreviewFiles(
      of: Served.styles + "/world-cities.json", document: nil, cases: Served.styles)
    let writing = MapService(
      try MapFolder(Served.styles + "/world-cities.json"), origin: OriginCheck(token: "a"), files: files)
    let more = try await writing.json("/openapi.json")["paths"]?.object?.members.map(\.name) ?? []
    #expect(more.filter { paths[$0] == nil } == ["/maps/{id}/save", "/maps/{id}/case"])
  }
}
