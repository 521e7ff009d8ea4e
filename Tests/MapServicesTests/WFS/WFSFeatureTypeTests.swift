import MapFeatures
import MapGeometry
import MapServices
import Testing

/// Types of features of Web Feature Services: pages, formats, axes and ids.
@Suite struct WFSFeatureTypeTests {
  private static func everything() throws -> FeatureQuery { try OGCStub.query() }

  /// The names of all features, with the places of the first and last.
  private static func all(_ stub: WFSStub, _ address: String? = nil) async throws -> [String] {
    let layer = try await stub.opened(address ?? "\(WFSStub.root)?service=WFS#x:cities")
    #expect(try await layer.count(everything()) == stub.cityCount)
    let found = try await layer.features(everything())
    #expect(found.rowCount == stub.cityCount)
    let geometry = try #require(found.geometry)
    #expect(geometry.x.first == 40)
    #expect(geometry.y.first == 0)
    return try await WFSStub.names(layer, everything())
  }

  @Test("An address names a service by its parameters or its path")
  func addresses() {
    for address in [
      "https://a.example/ows?service=WFS&typeNames=x:y", "https://a.example/ows?SERVICE=wfs#y",
      "https://a.example/geoserver/wfs", "https://a.example/geoserver/wfs?map=a#x:y",
      "https://a.example/arcgis/services/A/MapServer/WFSServer", "https://a.example/ows?typeName=y",
    ] {
      #expect(WFSAddress.isOne(address), "\(address)")
    }
    for address in [
      "https://a.example/wfs/collections/a", "https://a.example/rest/A/FeatureServer/0",
      "https://a.example/wfs?service=WMS", "https://a.example/ows", "https://a.example/a.gml#wfs",
    ] {
      #expect(!WFSAddress.isOne(address), "\(address)")
    }
  }

  @Test("All features are read in pages, as GeoJSON and as GML, also from a service with smaller pages")
  func pages() async throws {
    var settings = WFSStub.Settings()
    settings.cities = WFSStub.cities(2500)
    let json = WFSStub(settings)
    let names = try await Self.all(json)
    #expect(names.count == 2500)
    #expect(json.requests.contains { $0["startindex"] == "2000" && $0["outputformat"] == "application/json" })
    settings.json = ""
    #expect(try await Self.all(WFSStub(settings)) == names)
    // MapServer's pages do not state the number, and the last page is the empty one.
    (settings.pagesStateNumber, settings.cap) = (false, 400)
    let unknown = WFSStub(settings)
    #expect(try await Self.all(unknown) == names)
    #expect(unknown.requests.contains { $0["startindex"] == "2500" })
    let layer = try await unknown.opened()
    #expect(layer.canVerifyCounts)
    settings.hitsStateNumber = false
    let silent = try await WFSStub(settings).opened()
    #expect(!silent.canVerifyCounts)
    #expect(silent.notices.contains { $0.contains("numberMatched") })
    #expect(try await silent.count(Self.everything()) == 2500)
  }

  @Test("A service that sends too few features, or repeats its first page, is an error")
  func incomplete() async throws {
    func fault(_ change: (inout WFSStub.Settings) -> Void) async -> String {
      var settings = WFSStub.Settings()
      settings.cities = WFSStub.cities(2500)
      change(&settings)
      let stub = WFSStub(settings)
      do {
        let layer = try await stub.opened()
        let count = try await layer.features(Self.everything()).rowCount
        return "read \(count)"
      } catch { return "\(error)" }
    }
    #expect(
      await fault { $0.startsAtIndex = false }
        == "\(WFSStub.root): sent the feature \"cities.1\" twice; the service may not support pages (startIndex), or has "
        + "no fixed order")
    #expect(
      await fault { $0.pages = "FALSE" } == "\(WFSStub.root): stated 2500 matching features, but sent 1000")
    #expect(
      await fault { ($0.version, $0.json) = ("1.1.0", "") }
        == "\(WFSStub.root): stated 2500 matching features, but sent 1000")
    #expect(await fault { ($0.version, $0.json, $0.cap) = ("1.1.0", "", 5000) } == "read 2500")
  }

  @Test("The order of axes follows the name of the spatial reference in the answer")
  func axes() async throws {
    var settings = WFSStub.Settings()
    settings.json = ""
    for (name, isNorthFirst) in [
      ("urn:ogc:def:crs:EPSG::4326", true), ("urn:x-ogc:def:crs:EPSG:6.9:4326", true),
      ("http://www.opengis.net/def/crs/EPSG/0/4326", true), ("EPSG:4326", false),
      ("http://www.opengis.net/gml/srs/epsg.xml#4326", false), ("urn:ogc:def:crs:OGC:1.3:CRS84", false),
    ] {
      settings.answered = (name, isNorthFirst)
      #expect(try await Self.all(WFSStub(settings)).count == 25, "\(name)")
    }
  }

  @Test("Axes in another order than stated are an error, unless the address names a form that fits")
  func wrongAxes() async throws {
    var settings = WFSStub.Settings()
    (settings.json, settings.answered) = ("", ("urn:ogc:def:crs:EPSG::4326", false))
    let error = await #expect(throws: ServiceError.self) { _ = try await WFSStub(settings).opened() }
    #expect(error?.description.contains("orders the axes otherwise than it states") == true)
    settings.answered = ("urn:ogc:def:crs:EPSG::25832", false)
    let other = await #expect(throws: ServiceError.self) { _ = try await WFSStub(settings).opened() }
    #expect(
      other?.description.contains(
        "the spatial reference \"urn:ogc:def:crs:EPSG::25832\", which was not requested") == true)
    settings.answered = ("EPSG:4326", false)
    let stub = WFSStub(settings)
    #expect(
      try await Self.all(stub, "\(WFSStub.root)?service=WFS&typeNames=x:cities&srsName=EPSG:4326").count == 25
    )
    #expect(stub.requests.last?["srsname"] == "EPSG:4326")
  }

  @Test("GML is read if GeoJSON has no ids, and features without lasting ids are numbered")
  func ids() async throws {
    var settings = WFSStub.Settings()
    settings.hasJSONIDs = false
    let mixed = WFSStub(settings)
    #expect(try await Self.all(mixed).count == 25)
    #expect(mixed.requests.last?["outputformat"] == nil)
    settings.cities = WFSStub.cities(2500)
    for id in [{ _ in nil }, { "cities.fid--5a\($0.id)" }] as [@Sendable (WFSStub.City) -> String?] {
      settings.id = id
      let stub = WFSStub(settings)
      let layer = try await stub.opened()
      #expect(layer.notices.contains { $0.contains("no lasting ids") })
      let found = try await layer.features(Self.everything())
      #expect(found.objectIDs == (1...2500).map { Int64($0) })
      // Nothing is asked for in parts, which would change the numbers.
      let query = try OGCStub.query(where: "rank = 1", in: [OGCStub.box(40, 0, 60, 10)])
      #expect(layer.pushable(query).filters.isEmpty)
      #expect(layer.pushable(query).envelopes == nil)
    }
    settings.startsAtIndex = false
    let error = await #expect(throws: ServiceError.self) {
      _ = try await WFSStub(settings).opened().features(Self.everything())
    }
    #expect(error?.description.contains("sent a feature without an id on two pages") == true)
  }

  @Test("Fields have the declared types, or those of the features")
  func fields() async throws {
    var settings = WFSStub.Settings()
    for json in ["application/json", ""] {
      for isDeclared in [true, false] {
        (settings.json, settings.isDeclared) = (json, isDeclared)
        let layer = try await WFSStub(settings).opened()
        #expect(layer.schema.fields.map(\.name) == ["id", "name", "rank"], "\(json) \(isDeclared)")
        #expect(layer.schema.geometryKind == .point)
        #expect(layer.schema.spatialReference == .wgs84)
        #expect(layer.notices.contains { $0.contains("declares no fields") } == !isDeclared)
        let rank = try #require(layer.schema.index(ofField: "rank"))
        #expect(layer.schema.fields[rank].type == .int64)
        #expect(layer.metadata.name == "Cities")
      }
    }
  }

  @Test("The types of a service are listed if the address names none or another one")
  func types() async throws {
    for (address, text) in [
      ("#x:rivers", "has no type of features \"x:rivers\"; available: x:cities, x:roads"),
      (
        "",
        "offers 2 types of features: add the name of one after #, as in #x:cities; available: x:cities, x:roads"
      ),
    ] {
      let error = await #expect(throws: ServiceError.self) {
        _ = try await WFSStub().opened("\(WFSStub.root)?service=WFS\(address)")
      }
      #expect(error?.description == "\(WFSStub.root): \(text)")
    }
    let stub = WFSStub()
    let layer = try await stub.opened("\(WFSStub.root)?map=a.map&service=WFS&maxFeatures=5&typeName=cities")
    #expect(try await layer.count(Self.everything()) == 25)
    #expect(
      layer.notices == ["the parameter maxFeatures of the address is not applied: all features are read"])
    #expect(stub.requests.allSatisfy { $0["map"] == "a.map" && $0["maxfeatures"] == nil })
  }
}

extension WFSStub {
  /// The number of the service's features.
  var cityCount: Int { settings.cities.count }
}
