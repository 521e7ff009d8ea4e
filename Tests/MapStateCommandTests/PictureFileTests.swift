import Foundation
import MapState
import MapTestSupport
import Testing

/// Images that documents and programs name by path or address.
@Suite struct PictureFileTests {
  private static func png() throws -> [UInt8] {
    try Bitmap(width: 3, height: 2, pixels: Array(repeating: 200, count: 24)).pngData()
  }

  /// The symbol of a document in a folder, and the warnings of opening it.
  private static func open(
    _ url: String, in folder: ScratchFolder,
    catalog: SourceCatalog = SourceCatalog(standIns: StandInCatalog())
  ) async throws -> (picture: PictureMarkerSymbol?, warnings: [String]) {
    let document = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"drawingInfo":{"renderer":{
      "type":"simple","symbol":{"type":"esriPMS","url":"\(url)"}}}},
      "featureSet":{"features":[{"geometry":{"x":0,"y":0}}]}}]}}]}
      """
    let opened = try await MapDocument.open(try folder.write(document, to: "maps/map.json"), catalog: catalog)
    guard case .simple(let renderer) = opened.map.featureLayers[0].renderer.form,
      case .picture(let picture) = renderer.symbol
    else { return (nil, opened.warnings.map(\.description)) }
    return (picture, opened.warnings.map(\.description))
  }

  @Test("A document reads images from its own folder only and never from the network")
  func documents() async throws {
    let folder = try ScratchFolder()
    try FileManager.default.createDirectory(at: folder.url("maps"), withIntermediateDirectories: true)
    try Data(Self.png()).write(to: folder.url("maps/pin.png"))
    try Data(Self.png()).write(to: folder.url("secret.png"))
    let inside = try await Self.open("pin.png", in: folder)
    #expect(inside.warnings.isEmpty)
    #expect(try inside.picture?.picture.get().pngData == Self.png())
    #expect(inside.picture?.url == "pin.png")

    let refused = [
      ("../secret.png", "is outside the folder"), (folder.path("secret.png"), "is outside the folder"),
      ("none.png", "none.png: no such file"), (".", "is outside the folder"), ("-", "not standard input"),
      ("map.json", "not a readable PNG"), ("https://example.invalid/a.png", "not fetched"),
      ("ftp://a/b.png", "not fetched"),
    ]
    for (url, reason) in refused {
      let (picture, warnings) = try await Self.open(url, in: folder)
      #expect(warnings.count == 1, "\(url): \(warnings)")
      #expect(warnings.first?.contains(reason) == true, "\(url): \(warnings)")
      #expect(warnings[0].contains("symbol.url"), "\(warnings)")
      #expect(throws: SymbolPictureError.self) { try picture?.picture.get() }
    }
    #expect(refused.count == 8)
    // Allowed, or replaced by a stand-in.
    let allowed = SourceCatalog(allowedFolders: [folder.root.path], standIns: StandInCatalog())
    #expect(try await Self.open("../secret.png", in: folder, catalog: allowed).warnings.isEmpty)
    let list = try folder.write("{\"https://example.invalid/a.png\":\"maps/pin.png\"}", to: "services.json")
    let stood = SourceCatalog(standIns: try StandInCatalog(file: list))
    #expect(try await Self.open("https://example.invalid/a.png", in: folder, catalog: stood).warnings.isEmpty)
  }

  @Test("An image symbol from a file address loads its image, or reports why it cannot")
  func programs() throws {
    let folder = try ScratchFolder()
    try Data(Self.png()).write(to: folder.url("pin.png"))
    let symbol = PictureMarkerSymbol(url: folder.url("pin.png"))
    #expect(try symbol.picture.get().width == 3)
    for url in [folder.url("none.png"), URL(string: "https://example.invalid/pin.png")] {
      let missing = PictureMarkerSymbol(url: try #require(url))
      #expect(throws: SymbolPictureError.self) { try missing.picture.get() }
    }
    // A sparse file, which takes no disk space.
    let large = folder.path("large.png")
    #expect(FileManager.default.createFile(atPath: large, contents: nil))
    try FileHandle(forWritingTo: URL(filePath: large)).truncate(atOffset: 1 << 30)
    let refused = PictureMarkerSymbol(url: URL(filePath: large))
    #expect("\(refused.picture)".contains("larger than 16 MiB"))
  }
}
