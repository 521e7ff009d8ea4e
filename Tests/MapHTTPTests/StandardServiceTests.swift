import Foundation
import MapHTTP
import MapImages
import MapJSON
import MapSystem
import Testing

@Suite struct StandardServiceTests {
  private static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private static func count(_ service: MapService, _ condition: String) async throws -> Int? {
    let target = "/maps/world-cities/count?everywhere=true&where=" + percent(condition)
    return try await service.json(target)["layers"]?[0]?["count"]?.integer
  }

  /// The path of the only layer as a collection.
  private static func collection(_ service: MapService) async throws -> String {
    let json = try await service.json("/maps/world-cities/ogc/collections")
    let id = try #require(json["collections"]?[0]?["id"]?.string)
    return "/maps/world-cities/ogc/collections/" + percent(id)
  }

  @Test("The landing page of the OGC API leads to the collections and their fields")
  func landing() async throws {
    let service = try Served.service()
    let links = try await service.json("/maps/world-cities/ogc")["links"]?.array ?? []
    #expect(links.contains { $0["rel"] == "data" } && links.contains { $0["rel"] == "conformance" })
    let conformance = try await service.json("/maps/world-cities/ogc/conformance")["conformsTo"]?.array
    #expect(conformance?.count ?? 0 >= 10)
    let path = try await Self.collection(service)
    let collection = try await service.json(path)
    let box = collection["extent"]?["spatial"]?["bbox"]?[0]?.array?.compactMap(\.double) ?? []
    #expect(box.count == 4 && box[0] >= -180 && box[2] <= 180 && box[0] < -170)
    let queryables = try await service.json(path + "/queryables")
    #expect(
      queryables["properties"]?["POP"]?["type"] == "number"
        || queryables["properties"]?["POP"]?["type"] == "integer")
  }

  @Test("The pages of a collection hold each feature once")
  func pages() async throws {
    let service = try Served.service()
    let expected = try await Self.count(service, "POP > 3000000")
    var target: String? =
      try await Self.collection(service) + "/items?limit=40&filter=" + Self.percent("POP > 3000000")
    var ids: [Int] = []
    var pages = 0
    while let next = target {
      let page = try await service.json(next)
      pages += 1
      #expect(page["numberMatched"]?.integer == expected)
      ids += page["features"]?.array?.compactMap { $0["id"]?.integer } ?? []
      let link = page["links"]?.array?.first { $0["rel"] == "next" }?["href"]?.string
      target = link.map { $0.replacing("http://localhost:8080", with: "") }
      try #require(pages < 20)
    }
    #expect(ids.count == expected && Set(ids).count == expected && pages > 1)
    let item = try await service.json(try await Self.collection(service) + "/items/\(ids[0])")
    #expect(item["id"]?.integer == ids[0] && item["type"] == "Feature")
  }

  @Test("A box, a filter in JSON and a spatial reference apply to the items")
  func items() async throws {
    let service = try Served.service()
    let path = try await Self.collection(service) + "/items?limit=5&bbox=5,45,15,55"
    let all = try await service.json(path)["numberMatched"]?.integer
    let own = try await service.json("/maps/world-cities/count?bounds=5,45,15,55")["layers"]?[0]?["count"]
    #expect(all != nil && own?.integer == all)
    let filter = #"{"op":">","args":[{"property":"POP"},1000000]}"#
    let large = try await service.json(
      path + "&filter-lang=cql2-json&filter=" + Self.percent(filter))["numberMatched"]?.integer
    #expect(large ?? 0 > 0 && large ?? 0 < all ?? 0)
    let crs = Self.percent("http://www.opengis.net/def/crs/EPSG/0/3857")
    let response = try await service.get(path + "&crs=" + crs)
    #expect(response.header("Content-Crs") == "<http://www.opengis.net/def/crs/EPSG/0/3857>")
    let x = try JSONValue(parsing: response.body)["features"]?[0]?["geometry"]?["coordinates"]?[0]?.double
    #expect(x ?? 0 > 500_000)
  }

  @Test("A box selects the areas that it intersects, and not those whose envelopes it meets")
  func exactBoxes() async throws {
    let service = try Served.service()
    let box = "-117.2,36.4,-115.1,37.5"
    let expected = try await service.json(
      "/maps/us-counties/count?everywhere=true&layer=States&geometry="
        + Self.percent(
          #"{"type":"Polygon","coordinates":[[[-117.2,36.4],[-117.2,37.5],[-115.1,37.5],[-115.1,36.4],[-117.2,36.4]]]}"#
        )
    )["layers"]?[0]?["count"]?.integer
    let layers = try await service.json("/maps/us-counties/FeatureServer")["layers"]?.array ?? []
    let index = try #require(layers.first { $0["name"] == "States" }?["id"]?.integer)
    let found = try await service.json(
      "/maps/us-counties/FeatureServer/\(index)/query?geometry=\(box)&inSR=4326&returnCountOnly=true")
    #expect(expected ?? 0 > 0 && found["count"]?.integer == expected)
  }

  @Test("A feature service answers counts, ids, statistics, an extent and features")
  func featureServer() async throws {
    let service = try Served.service()
    let path = "/maps/world-cities/FeatureServer/0"
    let layer = try await service.json(path + "?f=json")
    #expect(layer["geometryType"] == "esriGeometryPoint")
    let idField = try #require(layer["objectIdField"]?.string)
    #expect(layer["fields"]?.array?.contains { $0["name"]?.string == idField } == true)
    let condition = "where=" + Self.percent("POP > 5000000")
    let expected = try await Self.count(service, "POP > 5000000")
    let query = path + "/query?f=json&" + condition
    #expect(try await service.json(query + "&returnCountOnly=true")["count"]?.integer == expected)
    let ids = try await service.json(query + "&returnIdsOnly=true")["objectIds"]?.array?.compactMap(\.integer)
    #expect(ids?.count == expected)
    let set = try await service.json(
      query + "&outFields=POP&outSR=4326&orderByFields=POP%20DESC&resultRecordCount=3")
    let values = set["features"]?.array?.compactMap { $0["attributes"]?["POP"]?.double } ?? []
    #expect(values.count == 3 && values == values.sorted(by: >))
    #expect(set["exceededTransferLimit"] == true && set["spatialReference"]?["wkid"]?.integer == 4326)
    #expect(abs(set["features"]?[0]?["geometry"]?["x"]?.double ?? 999) <= 180)
    let chosen = try await service.json(
      path + "/query?objectIds=\(ids?.prefix(2).map { "\($0)" }.joined(separator: ",") ?? "")")
    #expect(chosen["features"]?.array?.count == 2)
    let statistics = try await service.json(
      query + "&outStatistics="
        + Self.percent(#"[{"statisticType":"max","onStatisticField":"POP","outStatisticFieldName":"top"}]"#))
    #expect(statistics["features"]?[0]?["attributes"]?["top"]?.double == values[0])
    let extent = try await service.json(query + "&returnExtentOnly=true&outSR=4326")["extent"]
    #expect(extent?["xmin"]?.double ?? 999 < extent?["xmax"]?.double ?? -999)
    let geoJSON = try await service.get(path + "/query?f=geojson&" + condition)
    #expect(geoJSON.header("Content-Type") == "application/geo+json")
  }

  @Test("A feature service declares whole numbers of 64 bits with a type that older clients know")
  func types() async throws {
    let service = try Served.service()
    let path = "/maps/world-cities/FeatureServer/0"
    for fields in [
      try await service.json(path + "?f=json")["fields"],
      try await service.json(path + "/query?where=POP%3E20000000&outFields=*&f=json")["fields"],
    ] {
      let types = fields?.array?.filter { $0["name"] == "POP" }.compactMap { $0["type"]?.string }
      #expect(types == ["esriFieldTypeDouble"])
    }
  }

  @Test("A map service exports the image of the map")
  func export() async throws {
    let service = try Served.service()
    let box = "-2000000,4000000,4000000,8000000"
    let exported = try await service.get(
      "/maps/world-cities/MapServer/export?f=image&format=png32&bbox=\(box)&bboxSR=102100&size=300,200")
    let own = try await service.get("/maps/world-cities/image?bounds=\(box),3857&size=300x200")
    #expect(exported.status == 200 && exported.body == own.body)
    // QGIS writes the format as the description of the service does.
    let listed = try await service.get(
      "/maps/world-cities/MapServer/export?f=image&format=PNG32&bbox=\(box)&bboxSR=102100&size=300,200")
    #expect(listed.body == own.body)
    let mercator = Self.percent("http://www.opengis.net/def/crs/EPSG/0/3857")
    let ogc = try await service.get(
      "/maps/world-cities/ogc/map?width=300&height=200&bbox=\(box)&bbox-crs=\(mercator)&crs=\(mercator)")
    #expect(ogc.body == own.body)
    let clear = try await service.get(
      "/maps/world-cities/MapServer/export?bbox=\(box)&bboxSR=102100&size=30,20&transparent=true&layers=hide:0"
    )
    #expect(clear.status == 200)
    let service2 = try await service.json("/maps/world-cities/MapServer?f=json")
    #expect(service2["singleFusedMapCache"] == false && service2["layers"]?.array?.count == 1)
  }

  @Test("An image of the OGC API is in the reference of the collections, and its headers name its area")
  func areaOfImage() async throws {
    let service = try Served.service()
    let path = "/maps/world-cities/ogc/map?bbox=-90,0,0,45"
    let image = try await service.get(path + "&width=80&height=40")
    let own = try await service.get("/maps/world-cities/image?bounds=-90,0,0,45&reference=4326&size=80x40")
    #expect(image.status == 200 && image.body == own.body)
    #expect(image.header("Content-Crs") == "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>")
    func area(_ response: HTTPResponse) -> [Double] {
      response.header("Content-Bbox")?.split(separator: ",").compactMap { Double($0) } ?? []
    }
    let sides = area(image)
    #expect(sides.count == 4 && zip(sides, [-90, 0, 0, 45]).allSatisfy { abs($0 - $1) < 1e-9 })
    // A square that contains the box, because a map has one scale.
    let square = area(try await service.get(path + "&width=40&height=40"))
    #expect(square.count == 4 && zip(square, [-90, -22.5, 0, 67.5]).allSatisfy { abs($0 - $1) < 1e-9 })
    let mercator = try await service.get(
      path + "&width=40&height=40&crs=" + Self.percent("http://www.opengis.net/def/crs/EPSG/0/3857"))
    #expect(mercator.header("Content-Crs") == "<http://www.opengis.net/def/crs/EPSG/0/3857>")
    let meters = area(mercator)
    #expect(meters.count == 4 && abs(meters[0] + 10_018_754.171) < 0.01 && abs(meters[2]) < 0.01)
  }

  @Test("Requests can name the object ids that a feature service adds, as fields and as order")
  func addedIDs() async throws {
    let service = try Served.service()
    let query = "/maps/world-cities/FeatureServer/0/query?where=1%3D1&resultRecordCount=3"
    func ids(_ json: JSONValue, _ name: String = "OBJECTID") -> [Int] {
      json["features"]?.array?.compactMap { $0["attributes"]?[name]?.integer } ?? []
    }
    for order in ["OBJECTID", "objectid%20ASC", "OBJECTID,POP%20DESC"] {
      #expect(ids(try await service.json(query + "&orderByFields=" + order)) == [1, 2, 3])
    }
    let both = try await service.json(query + "&outFields=CITY_NAME,OBJECTID&orderByFields=POP,OBJECTID")
    #expect(ids(both).count == 3 && both["fields"]?.array?.compactMap { $0["name"]?.string }.count == 2)
    let alone = try await service.json(query + "&outFields=OBJECTID")
    #expect(ids(alone) == [1, 2, 3] && alone["features"]?[0]?["attributes"]?.object?.members.count == 1)
    #expect(alone["fields"]?.array?.count == 1)
    let statistic = #"[{"statisticType":"count","onStatisticField":"OBJECTID","outStatisticFieldName":"n"}]"#
    let counted = try await service.json(
      query + "&groupByFieldsForStatistics=STATUS&outStatistics=" + Self.percent(statistic))
    let counts = counted["features"]?.array?.compactMap { $0["attributes"]?["n"]?.integer } ?? []
    let all = try await Self.count(service, "1=1")
    #expect(counts.count == 2 && counts.reduce(0, +) == all)

    // Data whose own field has the usual name, and is no object id.
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "points.csv")
    try "OBJECTID,lon,lat\n30,1,1\n20,2,2\n20,3,3\n".write(to: file, atomically: true, encoding: .utf8)
    let other = try Served.service(file.path)
    let layer = "/maps/points/FeatureServer/0"
    #expect(try await other.json(layer)["objectIdField"] == "OBJECTID_1")
    let names = try await other.json(layer)["fields"]?.array?.compactMap { $0["name"]?.string }
    #expect(names == ["OBJECTID_1", "OBJECTID", "lon", "lat"])
    let features = try await other.json(layer + "/query?where=1%3D1&orderByFields=OBJECTID%20DESC")
    #expect(ids(features) == [30, 20, 20] && ids(features, "OBJECTID_1") == [1, 2, 3])
    #expect(
      try await other.json(layer + "/query?where=1%3D1&returnIdsOnly=true")["objectIds"] == [1, 2, 3])
  }

  /// A wrong request and its status.
  private static let refused: [(String, Int)] = [
    ("ogc/collection", 404), ("ogc/collections/nothing", 404), ("ogc/collections/nothing/items", 404),
    ("ogc?x=1", 400), ("ogc/collections/0/items?limit=0", 404), ("ogc/map?bbox=1,2,3", 400),
    ("ogc/map?width=99999&height=99999", 400), ("ogc/map?width=0", 400), ("ogc/map?width=-5", 400),
    ("ogc/map?bbox-crs=EPSG:4326", 400),
    ("FeatureServer/7", 404), ("FeatureServer/-1", 404), ("FeatureServer/0/querry", 404),
    ("FeatureServer/0/query?wher=1", 400), ("FeatureServer/0/query?objectIds=a", 400),
    ("FeatureServer/0/query?geometry={", 400), ("FeatureServer/0/query?geometry=1,2", 400),
    ("FeatureServer/0/query?outStatistics={}", 400), ("FeatureServer/0/query?time=now", 400),
    ("FeatureServer/0/query?where=POPP%3E1", 400), ("FeatureServer/0/query?returnDistinctValues=true", 400),
    ("FeatureServer/0/query?orderByFields=OBJECTID%20DESC", 400),
    ("FeatureServer/0/query?where=POP%3E1%20AND%20objectid%3E5", 400),
    ("FeatureServer/0/query?resultRecordCount=0", 400), ("FeatureServer/0/query?resultOffset=-1", 400),
    ("FeatureServer/0/query?outFields=OBJECTID&f=geojson", 400),
    ("FeatureServer/0/query?orderByFields=POP%20UP", 400), ("FeatureServer/0/query?outSR=x", 400),
    ("MapServer/export?size=1", 400), ("MapServer/export?size=0,0", 400), ("MapServer/export?dpi=0", 400),
    ("MapServer/export?size=99999,99999", 400), ("MapServer/export?layers=top:1", 400),
    ("MapServer/export?layers=show:9", 400), ("MapServer/export?bbox=a,b,c,d", 400),
  ]

  @Test("The capabilities of WMTS name the tiles, their area and levels, with the parameters of the request")
  func tileCapabilities() async throws {
    let service = try Served.service()
    let path = "/maps/us-unemployment/WMTSCapabilities.xml"
    let response = try await service.get(
      path + "?SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0&filters=none&hide=0")
    #expect(response.status == 200 && response.header("Content-Type") == "application/xml")
    let text = String(decoding: response.body, as: UTF8.self)
    for part in [
      "template=\"http://localhost:8080/maps/us-unemployment/tiles/{TileMatrix}/{TileCol}/{TileRow}.png"
        + "?filters=none&amp;hide=0\"",
      "<ScaleDenominator>559082264.0287178</ScaleDenominator>", "<MatrixWidth>16777216</MatrixWidth>",
      "<TopLeftCorner>-20037508.342789244 20037508.342789244</TopLeftCorner>", "<ows:LowerCorner>-179.1",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(text.split(separator: "<TileMatrix>").count == 26)
    #expect(try await service.get(path + "?bbox=1,2,3,4").status == 400)
  }

  @Test("Parameters with the names of fields select items of a collection by equal values")
  func propertyFilters() async throws {
    let service = try Served.service()
    let path = "/maps/us-counties/ogc/collections/states/items?limit=5&"
    let ohio = try await service.json(path + "NAME=Ohio")
    #expect(ohio["numberMatched"]?.integer == 1)
    #expect(ohio["features"]?[0]?["properties"]?["STATE"]?.string == "OH")
    #expect(try await service.json(path + "NAME=Ohio&STATE=MI")["numberMatched"]?.integer == 0)
    #expect(try await service.json(path + "NAME=Ohio&filter=STATE%3D'OH'")["numberMatched"]?.integer == 1)
    #expect(
      try await service.json(path + "NAME=" + Served.percent("O'x\" OR 1=1"))["numberMatched"]?.integer == 0)
    let cities = "/maps/world-cities/ogc/collections/"
    let collections = try await service.json(cities.dropLast().description)["collections"]
    let id = Served.percent(try #require(collections?[0]?["id"]?.string))
    let berlin = try await service.json(cities + "\(id)/items?POP=3426354")
    #expect(berlin["features"]?[0]?["properties"]?["CITY_NAME"]?.string == "Berlin")
    let wrong = try await service.get(cities + "\(id)/items?POP=many")
    #expect(
      wrong.status == 400 && String(decoding: wrong.body, as: UTF8.self).contains("not a decimal number"))
  }

  @Test("Hints of ArcGIS clients about the answer are accepted, and change no features")
  func hints() async throws {
    let service = try Served.service()
    let path = "/maps/world-cities/FeatureServer/0/query?where=POP%3E5000000&outFields=POP&f=geojson"
    let plain = try await service.json(path)
    for hint in [
      "geometryPrecision=6", "resultType=tile", "maxRecordCountFactor=4", "cacheHint=true",
      "sqlFormat=standard",
      "returnDistinctValues=false", "returnTrueCurves=false",
    ] { #expect(try await service.json(path + "&" + hint) == plain, "\(hint)") }
    #expect(try await service.get(path + "&returnDistinctValues=true").status == 400)
  }

  @Test("Wrong requests to the standard paths are refused")
  func refuses() async throws {
    #expect(Self.refused.count == 35)
    let service = try Served.service()
    for (path, status) in Self.refused {
      let target = "/maps/world-cities/" + path.replacing("{", with: "%7B").replacing("}", with: "%7D")
      let response = try await service.get(target)
      #expect(response.status == status, "\(path): \(String(decoding: response.body, as: UTF8.self))")
    }
  }
}
