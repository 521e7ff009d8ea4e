import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Items of a portal on this machine, whose services are on another port.
@Suite("Items of portals")
struct PortalCommandTests {
  private static func document(_ layers: String, base: String = "") -> String {
    """
    {"operationalLayers": [\(layers)], "baseMap": {"baseMapLayers": [\(base)]}, "version": "2.31",
     "initialState": {"viewpoint": {"targetGeometry": {"xmin": 0, "ymin": 40, "xmax": 20, "ymax": 55,
       "spatialReference": {"wkid": 4326}}}}}
    """
  }

  /// The pixel at a longitude and latitude of the extent of the items, in an image of 400 by 300.
  private static func color(_ image: Bitmap?, _ x: Int, _ y: Int) -> [UInt8] {
    guard let pixel = image?[x, y] else { return [] }
    return [pixel.red, pixel.green, pixel.blue]
  }

  // MARK: Items as sources

  @Test(
    "A web map is drawn with the layers of its items, in the extent of its item, without one that is missing")
  func webMap() async throws {
    let site = try PortalSite()
    let (run, image) = try await site.picture(PortalSite.item("1"), "--online")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.err.contains(
        "$.operationalLayers[2].layers[0]: not drawn: \(site.address("0")): it "
          + "answers with error 400: Item does not exist or is inaccessible."), "\(run.err)")
    #expect(run.err.split(separator: "\n").count { $0.hasPrefix("warning") } == 1, "\(run.err)")
    // The square lies at 2 to 6 degrees east and 42 to 46 degrees north.
    #expect(Self.color(image, 120, 230) == [0, 255, 0])
    let count = try await site.run([
      "count", PortalSite.item("1"), "--online", "--bounds", "0,40,20,55", "--format", "json",
    ])
    let json = try JSONValue(parsing: Array(count.out.utf8))
    let layers = try #require(json["layers"]?.array)
    #expect(layers.compactMap { $0["layer"]?.string } == ["3", "2"], "\(count)")
    #expect(layers.first?["count"]?.integer == 1)
    let service = try await site.run(
      ["count", PortalSite.item("2"), "--online", "--bounds", "0,40,20,55", "--where", "POP > 1000000"])
    #expect(service.out == "\(layers.last?["count"]?.integer ?? -1)\n", "\(service)")
  }

  @Test(
    "Items of each type are opened",
    arguments: [("2", 10020), ("3", 1), ("7", 2), ("e", 10020)])
  func types(digit: Character, features: Int) async throws {
    let site = try PortalSite()
    let run = try await site.run(["inspect", PortalSite.item(digit), "--online", "--format", "json"])
    #expect(run.code == 0, "\(run)")
    let layers = try JSONValue(parsing: Array(run.out.utf8))["layers"]?.array ?? []
    #expect(layers.map { $0["layer"]?.string } == ["item \(digit)"], "\(run)")
    #expect(layers.first?["features"]?.integer == features, "\(run)")
  }

  @Test("Each layer of a feature service is a layer, the first of the service on top")
  func layers() async throws {
    let site = try PortalSite()
    let run = try await site.run([
      "count", PortalSite.item("8"), "--online", "--everywhere", "--format", "json",
    ])
    #expect(run.code == 0, "\(run)")
    let names = try JSONValue(parsing: Array(run.out.utf8))["layers"]?.array?.compactMap {
      $0["layer"]?.string
    }
    #expect(names == ["Bends", "Rivers", "Incidents", "Counties", "Cities"], "\(run)")
    // An address may name one of them.
    let first = site.address("8") + "/0"
    let one = try await site.run(["count", first, "--online", "--everywhere", "--format", "json"])
    let only = try JSONValue(parsing: Array(one.out.utf8))["layers"]?.array ?? []
    #expect(only.count == 1, "\(one)")
  }

  @Test(
    "The addresses of an item and of its pages mean the item",
    arguments: [
      "/portal/sharing/rest/content/items/ID", "/portal/home/item.html?id=ID#overview",
      "/portal/home/webmap/viewer.html?webmap=ID", "/portal/apps/mapviewer/index.html?layers=x&webmap=ID",
    ])
  func addresses(form: String) async throws {
    let site = try PortalSite()
    let address = site.server.address + form.replacingOccurrences(of: "ID", with: PortalSite.id("3"))
    let run = try await Tool.run("count", address, "--online", "--everywhere")
    #expect(run.code == 0 && run.out == "1\n", "\(run)")
  }

  @Test("A style of an item finds what it names by relative addresses, as a source, a layer and a basemap")
  func style() async throws {
    let site = try PortalSite()
    let folder = site.folder
    let bounds = ["--bounds", "0,40,20,55"]
    let cities = try folder.write("name,lat,lon\nA,50,10\n", to: "a.csv")
    let layer = #"{"id": "v", "layerType": "VectorTileLayer", "itemId": "\#(PortalSite.id("4"))"}"#
    let map = try folder.write(Self.document("", base: layer), to: "map.json")
    for words in [
      [PortalSite.item("4")], [map], [cities, "--basemap", PortalSite.item("4")],
      [cities, "--basemap", PortalSite.item("9")],
      [cities, "--basemap", "blue world"], [PortalSite.item("9")],
    ] {
      let run = try await site.run(
        ["render", "-o", "a.png", "--size", "400x300", "--online", "--strict"] + bounds + words)
      #expect(run.code == 0 && run.err == "", "\(words) \(run)")
      let image = try Bitmap(file: folder.path("a.png"))
      #expect(Self.color(image, 395, 5) == [0, 0, 255], "\(words)")
      #expect(Self.color(image, 120, 230) == [255, 0, 255], "\(words)")
    }
  }

  // MARK: Items in documents

  @Test("A layer takes what it lacks from its item, and keeps its own members")
  func overrides() async throws {
    let site = try PortalSite()
    let layer =
      #"{"id": "c", "title": "own", "layerType": "ArcGISFeatureLayer", "itemId": "\#(PortalSite.id("2"))""#
    func report(_ members: String) async throws -> (JSONValue, Tool.Run) {
      let map = try site.folder.write(Self.document(layer + members + "}"), to: "map.json")
      let run = try await site.run(["inspect", map, "--online", "--format", "json"])
      return (try JSONValue(parsing: Array(run.out.utf8))["layers"]?.array?.first ?? .null, run)
    }
    let (plain, run) = try await report("")
    #expect(plain["layer"]?.string == "own", "\(run)")
    #expect(plain["definitionExpression"]?.string == "POP > 1000000", "\(run)")
    let own = #", "layerDefinition": {"definitionExpression": "POP > 5000000"}"#
    #expect(try await report(own).0["definitionExpression"]?.string == "POP > 5000000")
    // The item is asked for the drawing of a layer that has an address, but none of its own.
    _ = try await site.log()
    let url = #", "url": "\#(site.cities)""#
    #expect(try await report(url).0["definitionExpression"]?.string == "POP > 1000000")
    #expect(
      try await site.log() == ["GET /portal/sharing/rest/content/items/\(PortalSite.id("2"))/data?f=json"])
    let drawn =
      #", "layerDefinition": {"drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "#
      + #""style": "esriSMSCircle", "size": 4, "color": [0, 0, 255, 255]}}}}"#
    #expect(try await report(url + drawn).0["definitionExpression"]?.string == "")
    #expect(try await site.log().isEmpty)
  }
}
