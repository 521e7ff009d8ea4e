import Foundation
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapServices
import MapState
import MapTestSupport
import Testing

/// KML layers in documents.
@Suite struct KMLLayerTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mapstate-kml-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static let point = "<Point><coordinates>5,5</coordinates></Point>"
  private static let line = "<LineString><coordinates>0,0 1,1</coordinates></LineString>"
  private static let area =
    "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>"

  /// Two folders, the second within a hidden one, and a placemark outside of them.
  private static let town = """
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Town</name>
    <Style id="s"><IconStyle><color>ff0000ff</color><scale>2</scale></IconStyle><LabelStyle><color>ff00ff00</color>
    <scale>1.5</scale></LabelStyle><LineStyle><color>ffff0000</color><width>4</width></LineStyle></Style>
    <Style id="quiet"><LabelStyle><scale>0</scale></LabelStyle></Style>
    <Placemark><name>Centre</name>\(point)</Placemark>
    <Folder><name>Sights</name>
    <Placemark><name>A</name><styleUrl>#s</styleUrl>\(point)</Placemark>
    <Placemark><name>B</name><styleUrl>#quiet</styleUrl>\(point)</Placemark>
    <Placemark><name>C</name>\(point)</Placemark>
    <Placemark><name>D</name><visibility>0</visibility>\(point)</Placemark>
    <Placemark><name>E</name><styleUrl>#s</styleUrl>\(line)</Placemark>
    <Placemark><name>F</name>\(area)</Placemark></Folder>
    <Folder><name>Plans</name><visibility>0</visibility><Folder><name>Roads</name>
    <Placemark><name>R</name>\(line)</Placemark></Folder></Folder>
    <GroundOverlay><name>photo</name></GroundOverlay></Document></kml>
    """

  private func open(
    _ members: String, _ kml: String = town, url: String = "town.kml",
    _ choice: LayerChoice = LayerChoice(), catalog: SourceCatalog = SourceCatalog(standIns: StandInCatalog())
  ) async throws -> MapDocument {
    try Data(kml.utf8).write(to: folder.appending(path: "town.kml"))
    let json = """
      {"operationalLayers":[{"id":"k","title":"Town map","layerType":"KML","url":"\(url)"\(members)}]}
      """
    return try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: folder.path, catalog: catalog, choice: choice)
  }

  private static func names(_ document: MapDocument) -> [String] { document.layers.map(\.layer.name) }

  @Test("A file is a layer for each folder and kind of geometry: areas below lines, and these below points")
  func layers() async throws {
    let document = try await open("")
    #expect(
      Self.names(document) == [
        "Sights (polygon)", "Sights (polyline)", "Roads", "Town", "Sights (point)",
      ])
    #expect(document.layers.map(\.layer.isVisible) == [true, true, false, true, true])
    #expect(document.layers.map(\.layer.id) == (0..<5).map { "k_\($0)" })
    let definitions = document.layers.map(\.layer.frozen.definition)
    #expect(Set(definitions.map(\.groupTitles)) == [["Town map"]])
    #expect(definitions.map(\.visibilityField) == ["visibility", "visibility", nil, nil, "visibility"])
    let kinds = document.layers.map { $0.layer.frozen.source.schema.geometryKind }
    #expect(kinds == [.polygon, .polyline, .polyline, .point, .point])
    #expect(
      document.warnings.map(\.description) == [
        "$.operationalLayers[0]: layer \"Town\": elements that are not read: 1 <GroundOverlay> (line 15)"
      ])
  }

  @Test("Styles are symbols, and names of points are labels where the layer shows labels")
  func styles() async throws {
    let document = try await open(#","showLabels":true"#)
    let (lines, points) = (document.layers[1].layer, document.layers[4].layer)
    guard case .simple(let simple)? = lines.frozen.definition.renderer,
      case .line(let line) = simple.symbol
    else {
      Issue.record("no line symbol: \(String(describing: lines.renderer))")
      return
    }
    #expect(line.color == Color(red: 0, green: 0, blue: 255) && line.width == 3)
    guard case .uniqueValue(let values)? = points.frozen.definition.renderer else {
      Issue.record("no classes: \(String(describing: points.renderer))")
      return
    }
    #expect(values.fieldNames == ["styleUrl"] && values.uniqueValues.map(\.values) == [["#s"], ["#quiet"]])
    let labels = points.labelDefinitions
    #expect(points.labelsAreEnabled && lines.labelDefinitions.isEmpty)
    #expect(
      labels.map(\.whereClause) == [
        "\"styleUrl\" IN ('#s')", "\"styleUrl\" IS NULL OR NOT (\"styleUrl\" IN ('#s', '#quiet'))",
      ])
    #expect(labels.map(\.textSymbol.size) == [18, 12])
    #expect(labels.map(\.textSymbol.color) == [Color(red: 0, green: 255, blue: 0), .black])
    #expect(document.layers[0].layer.labelsAreEnabled)
    #expect(document.warnings.count == 1, "\(document.warnings)")
    let silent = try await open("")
    #expect(silent.layers.allSatisfy { !$0.layer.labelsAreEnabled })
  }

  @Test("Visibility, opacity, scales and effects of the layer apply to all layers of its file")
  func members() async throws {
    let document = try await open(
      #","opacity":0.5,"minScale":5000,"maxScale":100,"blendMode":"multiply","showLegend":false,"visibility":false"#
    )
    let layers = document.layers.map(\.layer)
    #expect(layers.allSatisfy { !$0.isVisible && $0.minScale == 5000 && $0.maxScale == 100 })
    #expect(layers.allSatisfy { $0.frozen.opacity == 0.5 && !$0.frozen.definition.showsInLegend })
    let groups = Set(layers.map(\.frozen.definition.groups))
    #expect(groups.count == 1 && groups.first?.map(\.blendMode) == [.multiply])
    #expect(groups.first?.map(\.opacity) == [0.5])
    var choice = LayerChoice()
    choice.rule = .visible
    let unread = try await open(#","visibility":false"#, "no KML", choice)
    #expect(Self.names(unread) == ["Town map"] && unread.layers[0].isUnread)
  }

  @Test(
    "The listed folders are shown, by their numbers in the order of the file, if those around them are, too",
    arguments: [
      ("[1]", ["Sights (polygon)", "Sights (polyline)", "Town", "Sights (point)"]),
      ("[2,3]", ["Roads", "Town"]), ("[3]", ["Town"]), ("[0,9]", ["Town"]),
      ("[]", ["Sights (polygon)", "Sights (polyline)", "Town", "Sights (point)"]),
    ])
  func visibleFolders(_ list: String, _ shown: [String]) async throws {
    let document = try await open(",\"visibleFolders\":\(list)")
    #expect(document.layers.filter(\.layer.isVisible).map(\.layer.name) == shown)
  }

  @Test("A visible layer without a visible folder gives a warning with the numbers of the folders")
  func nothingVisible() async throws {
    let kml =
      "<kml><Document><visibility>0</visibility><Folder><name>A</name><Placemark>\(Self.point)</Placemark></Folder></Document></kml>"
    let hidden = try await open("", kml)
    #expect(
      hidden.warnings.map(\.description) == [
        "$.operationalLayers[0].visibleFolders: the file hides all its folders; list the numbers of those to show; folders: 1 \"A\""
      ])
    let unlisted = try await open(#","visibleFolders":[7]"#, kml)
    #expect(
      unlisted.warnings.map(\.description) == [
        "$.operationalLayers[0].visibleFolders: no folder with placemarks is shown: it is not listed, or a folder around it is not; folders: 1 \"A\""
      ])
    #expect(try await open(#","visibleFolders":[1]"#, kml).warnings.isEmpty)
  }

  @Test("An unchanged KML layer is saved as it was read, and a changed one as layers of the file")
  func saving() async throws {
    let document = try await open(#","visibleFolders":[1]"#)
    let entry = try JSONValue(parsing: document.map.toJSON())["operationalLayers"]?[0]
    #expect(entry?["layerType"] == "KML" && entry?["visibleFolders"] == [1])
    document.layers[1].layer.isVisible = false
    let text = document.map.toJSON()
    let changed = try #require(try JSONValue(parsing: text)["operationalLayers"]?.array)
    #expect(
      changed.map { $0["url"]?.string } == [
        "town.kml#Sights/polygon", "town.kml#Sights/polyline", "town.kml#Roads", "town.kml#Town",
        "town.kml#Sights/point",
      ])
    let again = try await MapDocument.open(
      json: JSONValue(parsing: text), name: "map", folder: folder.path,
      catalog: SourceCatalog(standIns: StandInCatalog()))
    #expect(Self.names(again) == Self.names(document))
    #expect(again.layers.map(\.layer.isVisible) == document.layers.map(\.layer.isVisible))
    #expect(
      again.layers.map(\.layer.frozen.definition.renderer)
        == document.layers.map(\.layer.frozen.definition.renderer))
    #expect(
      again.layers.map(\.layer.frozen.definition.visibilityField)
        == document.layers.map(\.layer.frozen.definition.visibilityField))
  }

  @Test("A KMZ file and a file of a server are read, and links in them are not followed")
  func archives() async throws {
    let archive = StoredArchive.bytes(of: [("doc.kml", Array(Self.town.utf8)), ("images/a.png", [1, 2])])
    try Data(archive).write(to: folder.appending(path: "town.kmz"))
    #expect(Self.names(try await open("", url: "town.kmz")).count == 5)
    let linked = Self.town.replacing(
      "<GroundOverlay>",
      with: "<NetworkLink><Link><href>https://b.example.com/b.kml</href></Link></NetworkLink><GroundOverlay>")
    for bytes in [Array(linked.utf8), archive] {
      let stub = StubTransport { request throws(ServiceError) in
        HTTPResponse(status: 200, header: [:], body: bytes, url: request.url)
      }
      var services = ServiceAccess(transport: stub)
      services.allowsPrivateAddresses = true
      let document = try await open(
        "", url: "https://a.example.com/map?id=7",
        catalog: SourceCatalog(standIns: StandInCatalog(), services: services))
      #expect(Self.names(document).count == 5)
      #expect(
        stub.requests.allSatisfy { $0.url.contains("a.example.com/map?id=7") } && stub.requests.count == 1)
    }
  }

  @Test("A file that cannot be read is an error with the path of its address, or leaves the layer out")
  func faults() async throws {
    let deep = String(repeating: "<Folder>", count: 300)
    for (kml, reason) in [
      ("<kml><Document>\n<Placemark></kml>", "line 2"), ("<kml>\(deep)", "256"),
      ("<!DOCTYPE kml [<!ENTITY a \"b\">]><kml>&a;</kml>", "declares entities"),
      ("<kml><Placemark><Point><coordinates>1,x</coordinates></Point></Placemark></kml>", "a number"),
      ("", "empty"),
    ] {
      let error = await #expect(throws: MapStateError.self, "\(reason)") { try await open("", kml) }
      let text = "\(try #require(error))"
      #expect(text.hasPrefix("map: $.operationalLayers[0].url: ") && text.contains(reason), "\(text)")
      var choice = LayerChoice()
      choice.skipsUnavailable = true
      let document = try await open("", kml, choice)
      #expect(document.warnings.contains { "\($0)".contains("layer \"Town map\" is left out") })
    }
    for url in ["../x.kml", "none.kml", "ftp://a.example.com/x.kml"] {
      let error = await #expect(throws: MapStateError.self) { try await open("", url: url) }
      #expect("\(try #require(error))".hasPrefix("map: $.operationalLayers[0].url: "), "\(url)")
    }
    let cut = StoredArchive.bytes(of: [("doc.kml", Array(Self.town.utf8))]).dropLast(30)
    try Data(cut).write(to: folder.appending(path: "cut.kmz"))
    await #expect(throws: MapStateError.self) { try await open("", url: "cut.kmz") }
  }
}
