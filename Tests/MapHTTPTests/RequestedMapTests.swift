import Foundation
import MapHTTP
import MapJSON
import MapScript
import MapState
import Testing

/// Styles, series, places and answers that a request asks for.
@Suite struct RequestedMapTests {
  private static func message(_ response: HTTPResponse) throws -> String {
    try JSONValue(parsing: response.body)["error"]?["message"]?.string ?? ""
  }

  @Test("A style for a layer of a document is for its request alone")
  func layerStyles() async throws {
    let service = try Served.service(Served.styles + "/us-counties.json")
    let area = "/maps/us-counties/image?size=200x120&bounds=-125,25,-66,50"
    let plain = try await service.get(area)
    try #require(plain.status == 200)
    var images: Set<[UInt8]> = [plain.body]
    for change in [
      "&colorBy=Counties:%20unemployment_rate&ramp=%23ffffff-%23ff0000",
      "&colorBy=Counties:%20unemployment_rate&ramp=Counties:%20%23ffffff-%230000ff",
      "&colorBy=unemployment_rate&layer=Counties&edges=lower&breaks=4,6,8",
      "&symbol=States:%20red&symbol=Counties:%20blue", "&label=Counties:%20NAME",
    ] {
      let other = try await service.get(area + change)
      #expect(other.status == 200, "\(change): \(String(decoding: other.body.prefix(300), as: UTF8.self))")
      #expect(images.insert(other.body).inserted, "\(change)")
      #expect(try await service.get(area).body == plain.body, "\(change) stays")
    }
    let misspelt = try await service.get(area + "&colorBy=Countis:%20unemployment_rate")
    #expect(try misspelt.status == 400 && Self.message(misspelt).contains("did you mean \"Counties\"?"))
    let unnamed = try await service.get(area + "&colorBy=unemployment_rate")
    #expect(try unnamed.status == 400 && Self.message(unnamed).contains("with layer=NAME"))
    for start in ["Counties:%20", "%20"] {
      let symbol = Served.percent(
        #"{"type":"esriPFS","url":"http://127.0.0.1:1/a.png","width":9,"height":9}"#)
      let response = try await service.get(area + "&symbol=\(start)" + symbol)
      #expect(try response.status == 400 && Self.message(response).contains("names no file"), "\(start)")
    }
  }

  @Test("Styles, the basemap, the background and cells of a request give the image of the library")
  func drawing() async throws {
    let service = try Served.service(Served.styles + "/data/us-counties.geojson")
    let area = "/maps/us-counties/image?size=200x120&bounds=-125,25,-66,50"
    let plain = try await service.get(area)
    try #require(plain.status == 200)
    let coloured = try await service.get(
      area + "&colorBy=unemployment_rate&classes=4&ramp=viridis&legend=true")
    let document = try await MapDocument.open(Served.styles + "/data/us-counties.geojson")
    var (request, style, layout) = (ViewRequest(), StyleRequest(), LayoutRequest())
    request.size = ViewSize(width: 200, height: 120)
    request.place = .bounds(try RequestedExtent.envelope(text: "-125,25,-66,50"))
    (style.colorBy, style.classes, style.ramp) = ("unemployment_rate", 4, try StyleRequest.ramp("viridis"))
    layout.legend = .right
    let page = try await document.styled(style, for: request).page(request, layout.layout()).page
    #expect(coloured.body == (try await page.render().bitmap.pngData()))
    var images: Set<[UInt8]> = [plain.body]
    for change in [
      "&colorBy=unemployment_rate", "&background=%23add8e6", "&basemap=arcGISOceans", "&graticule=true",
      "&basemap=arcGISOceans&basemapNames=true", "&dpi=192",
    ] {
      let other = try await service.get(area + change)
      #expect(other.status == 200, "\(change): \(String(decoding: other.body.prefix(300), as: UTF8.self))")
      #expect(images.insert(other.body).inserted, "\(change)")
      #expect(try await service.get(area).body == plain.body, "\(change) stays")
    }
    // A symbol of a request names no file and no host.
    for address in [Served.styles + "/us-counties.json", "file:///etc/hostname", "http://127.0.0.1:1/a.png"] {
      let symbol = Served.percent(#"{"type":"esriPFS","url":"\#(address)","width":9,"height":9}"#)
      let response = try await service.get(area + "&symbol=" + symbol)
      #expect(try response.status == 400 && Self.message(response).contains("names no file"), "\(address)")
    }
    let tiles = try await service.json("/maps/us-counties/tiles.json?colorBy=unemployment_rate")
    #expect(tiles["tiles"]?[0]?.string?.hasSuffix("?colorBy=unemployment_rate") == true)
    #expect(
      try await service.get("/maps/us-counties/tiles/3/1/2.png").body
        != service.get("/maps/us-counties/tiles/3/1/2.png?colorBy=unemployment_rate").body)
    let classes = try await service.json(
      "/maps/us-counties/count?everywhere=true&byClass=true&colorBy=unemployment_rate&classes=3")
    #expect(classes["layers"]?[0]?["classes"]?.array?.count ?? 0 >= 3)
    let unknown = try await service.get(area + "&colorBy=unemployment")
    #expect(try unknown.status == 400 && Self.message(unknown).contains("colorBy"))
    #expect(try !Self.message(unknown).contains("--"))
  }

  @Test("A document with a basemap is the same after a request that draws names and a graticule over it")
  func leavesBasemap() async throws {
    let service = try Served.service()
    let path = "/maps/us-counties/image?size=200x100"
    let first = try await service.get(path).body
    for change in ["&basemapNames=true", "&graticule=true", "&basemap=arcGISOceans", "&noBasemap=true"] {
      #expect(try await service.get(path + change).status == 200, "\(change)")
      #expect(try await service.get(path).body == first, "\(change)")
    }
  }

  @Test("A series lists an image for each feature, and draws each by its number")
  func series() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Served.document([10, 20, 30], definition: "n > 10").write(
      to: folder.appending(path: "points.json"), atomically: true, encoding: .utf8)
    let service = try Served.service(folder.path)
    let list = try await service.json("/maps/points/series?by=Points&size=60x40&title=%7Bn%7D")
    let images = list["images"]?.array ?? []
    #expect(images.map { $0["id"] } == [20, 30])
    #expect(
      images[1]["href"]?.string
        == "http://localhost:8080/maps/points/series/1?by=Points&size=60x40&title=%7Bn%7D")
    let drawn = try await service.get("/maps/points/series/1?by=Points&size=60x40&title=%7Bn%7D")
    #expect(drawn.status == 200 && drawn.header("Content-Type") == "image/png")
    #expect(try await service.get("/maps/points/series/0?by=Points&size=60x40&format=svg").status == 200)
    #expect(try await service.get("/maps/points/series/2?by=Points&size=60x40").status == 404)
    #expect(try await service.get("/maps/points/series?by=Point").status == 400)
  }

  @Test("Only ids, the extent or the number of features are answered as query does")
  func summaries() async throws {
    let service = try Served.service()
    let question = "/maps/world-cities/features?everywhere=true&where=POP%3E10000000"
    let all = try await service.json(question)
    let ids = try await service.json(question + "&ids=true")
    #expect(ids["ids"]?.array?.count == all["features"]?.array?.count && ids["features"] == nil)
    let count = try await service.json(question + "&countOnly=true")
    #expect(count["count"] == all["numberMatched"])
    let extent = try await service.json(question + "&extentOnly=true")
    #expect(extent["extent"]?.array?.count == 4 || extent["extent"]?.object != nil)
  }

  @Test("A zoom has the meaning of the option, with centre, viewpoint or alone")
  func zoom() async throws {
    let service = try Served.service()
    func scale(_ query: String) async throws -> Double {
      let response = try await service.get("/maps/world-cities/image?size=40x30&\(query)")
      try #require(response.status == 200, "\(query)")
      return Double(response.header("X-Map-Scale") ?? "") ?? 0
    }
    let expected = 295_828_763.795_777_5 / 32
    for query in ["center=50,10&zoom=5", "viewpoint=50,10&zoom=5", "zoom=5"] {
      #expect(abs(try await scale(query) / expected - 1) < 1e-9, "\(query)")
    }
  }
}
