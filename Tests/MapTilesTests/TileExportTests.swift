import Foundation
import MapGeometry
import MapImages
import MapModel
import MapScript
import MapState
import MapTiles
import Synchronization
import Testing

/// Tiles that are written, compared with one image of their area.
@Suite struct TileExportTests {
  private static let styles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Styles")

  /// A folder that is removed at the end of its life.
  private final class Scratch {
    let path = NSTemporaryDirectory() + "/export-\(UInt64.random(in: 0 ... .max))"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func tile(_ zoom: Int, _ column: Int, _ row: Int, in folder: String, _ ending: String) throws
    -> Bitmap
  {
    let path = "\(folder)/\(zoom)/\(column)/\(row)\(ending)"
    return try PNGCodec.decode(Array(Data(contentsOf: URL(fileURLWithPath: path))))
  }

  struct Scene: Sendable, CustomTestStringConvertible {
    let document: String
    /// West, south, east and north; images of 16 by 16 tiles meet at the longitude and latitude 0.
    let bounds: [Double]
    let zoom: Int, pixelRatio: Int
    /// Whether labels cross the sides of the images.
    var hasCrossing = true
    var testDescription: String { "\(document), level \(zoom), \(pixelRatio)x" }
  }

  static let scenes: [Scene] = [
    Scene(document: "world-cities.json", bounds: [-25, -20, 25, 20], zoom: 5, pixelRatio: 1),
    Scene(document: "world-cities.json", bounds: [-12, -8, 12, 8], zoom: 6, pixelRatio: 1),
    Scene(document: "world-cities.json", bounds: [-6, -4, 6, 6], zoom: 7, pixelRatio: 1),
    Scene(document: "world-cities.json", bounds: [-12, -8, 12, 8], zoom: 5, pixelRatio: 2),
    Scene(document: "world-rivers.json", bounds: [-25, -20, 25, 20], zoom: 5, pixelRatio: 1),
    Scene(
      document: "world-rivers.json", bounds: [-12, -8, 25, 8], zoom: 6, pixelRatio: 1, hasCrossing: false),
    Scene(
      document: "world-rivers.json", bounds: [-6, -4, 25, 4], zoom: 7, pixelRatio: 1, hasCrossing: false),
  ]

  @Test("Tiles are one image cut up: no label is cut or repeated, and no seam shows", arguments: scenes)
  func cutUp(_ scene: Scene) async throws {
    let scratch = try Scratch()
    let document = try await MapDocument.open(Self.styles.appendingPathComponent(scene.document).path)
    let export = try TileExport(
      zooms: scene.zoom...scene.zoom, bounds: scene.bounds, pixelRatio: scene.pixelRatio)
    _ = try await export.write(document, ViewRequest(), to: scratch.path, as: .folder)
    let columns = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/\(scene.zoom)")
      .compactMap {
        Int($0)
      }.sorted()
    let ending = scene.pixelRatio == 1 ? ".png" : "@2x.png"
    let rows = try FileManager.default.contentsOfDirectory(
      atPath: "\(scratch.path)/\(scene.zoom)/\(columns[0])"
    ).compactMap { Int($0.dropLast(ending.count)) }.sorted()
    #expect(columns.count * rows.count == export.count)
    let middle = 1 << (scene.zoom - 1)
    #expect(columns.contains(middle - 1) && columns.contains(middle) && rows.contains(middle))

    let size = 2 * WebMercator.halfWorld / Double(1 << scene.zoom)
    func metres(_ number: Int) -> Double { Double(number) * size - WebMercator.halfWorld }
    var request = ViewRequest()
    request.reference = .webMercator
    request.size = ViewSize(width: Double(256 * columns.count), height: Double(256 * rows.count))
    request.pixelRatio = Double(scene.pixelRatio)
    request.place = .bounds(
      Envelope(
        xMin: metres(columns[0]), yMin: -metres(rows[rows.count - 1] + 1),
        xMax: metres(columns[columns.count - 1] + 1), yMax: -metres(rows[0]), spatialReference: .webMercator))
    let whole = try await document.view(request).freeze().render()
    let side = 256 * scene.pixelRatio
    // The images of the export meet here; a label that crosses it shows whether labels are whole.
    let (seamX, seamY) = (
      Double((middle - columns[0]) * side), Double((middle - rows[0]) * side)
    )
    let crossing = whole.report.labels.labels.count {
      $0.box.xMin < seamX && $0.box.xMax > seamX || $0.box.yMin < seamY && $0.box.yMax > seamY
    }
    #expect(crossing > 0 || !scene.hasCrossing, "\(whole.report.labels.labels.count) labels")
    var (worst, worstAtSide, visible) = (0, 0, 0)
    for column in columns {
      for row in rows {
        let tile = try Self.tile(scene.zoom, column, row, in: scratch.path, ending)
        #expect(tile.width == side && tile.height == side)
        for y in 0..<side {
          let at = (((row - rows[0]) * side + y) * whole.bitmap.width + (column - columns[0]) * side) * 4
          let (expected, found) = (
            whole.bitmap.pixels[at..<at + side * 4], tile.pixels[y * side * 4..<(y + 1) * side * 4]
          )
          guard !expected.elementsEqual(found) else { continue }
          for (place, values) in zip(expected, found).enumerated() where values.0 != values.1 {
            let difference = abs(Int(values.0) - Int(values.1))
            worst = max(worst, difference)
            if difference > 2 { visible += 1 }
            let x = place / 4
            if min(x, side - 1 - x, y, side - 1 - y) < 4 { worstAtSide = max(worstAtSide, difference) }
          }
        }
      }
    }
    #expect(worstAtSide <= 2, "\(worstAtSide) of 255 at the side of a tile")
    // An edge of a letter or marker that lies between two steps of coverage may be rounded to either.
    #expect(worst <= 8 && visible <= 60, "\(worst) of 255; \(visible) values differ by more than 2")
  }

  @Test(
    "An interrupted export draws only the missing images, and its bytes depend on neither that nor threads")
  func resuming() async throws {
    let document = try await MapDocument.open(Self.styles.appendingPathComponent("world-cities.json").path)
    var export = try TileExport(zooms: 4...5, bounds: [-30, -30, 30, 30])
    var files: [String: [String: Data]] = [:]
    for (name, threads) in [("one", 1), ("three", 3)] {
      let scratch = try Scratch()
      export.threads = threads
      var last: TileExport.Progress?
      _ = try await export.write(document, ViewRequest(), to: scratch.path, as: .folder) { last = $0 }
      #expect(last?.drawn == export.count && last?.done == export.count)
      if name == "three" {
        // Of level 5, one image is incomplete.
        try FileManager.default.removeItem(atPath: "\(scratch.path)/5/16/15.png")
        try FileManager.default.removeItem(atPath: "\(scratch.path)/5/17/14.png")
        _ = try await export.write(document, ViewRequest(), to: scratch.path, as: .folder) { last = $0 }
        #expect(last.map { $0.drawn > 0 && $0.drawn * 4 <= $0.count } ?? false, "\(String(describing: last))")
        #expect(last?.done == export.count)
      }
      var contents: [String: Data] = [:]
      for path in FileManager.default.enumerator(atPath: scratch.path)?.compactMap({ $0 as? String }) ?? [] {
        contents[path] = try? Data(contentsOf: URL(fileURLWithPath: scratch.path + "/" + path))
      }
      files[name] = contents
    }
    #expect((files["one"]?.count ?? 0) > export.count)
    #expect(files["one"] == files["three"])
  }

  @Test("Archives give back the tiles of a folder", arguments: ["mbtiles", "pmtiles"])
  func archives(_ ending: String) async throws {
    let scratch = try Scratch()
    let document = try await MapDocument.open(Self.styles.appendingPathComponent("world-cities.json").path)
    let export = try TileExport(zooms: 0...3, bounds: [-180, -85, 180, 85])
    let path = "\(scratch.path)/tiles.\(ending)"
    _ = try await export.write(
      document, ViewRequest(), to: path, as: ending == "mbtiles" ? .mbtiles : .pmtiles)
    #expect(!FileManager.default.fileExists(atPath: path + ".tiles"))
    let folder = "\(scratch.path)/folder"
    _ = try await export.write(document, ViewRequest(), to: folder, as: .folder)
    let source = try TileFile.open(path)
    let tiles = (0...3).flatMap { zoom in
      (0..<1 << zoom).flatMap { x in (0..<1 << zoom).map { TileIndex(zoom: zoom, column: x, row: $0) } }
    }
    #expect(tiles.count == 85 && export.count == 85)
    let images = await source.images(at: tiles)
    for tile in tiles {
      let expected = try Self.tile(tile.zoom, tile.column, tile.row, in: folder, ".png")
      #expect(try images[tile]?.get()?.bitmap == expected)
    }
    if ending == "mbtiles" {
      await #expect(throws: MapStateError.self) {
        _ = try await export.write(document, ViewRequest(), to: path, as: .mbtiles)
      }
    }
  }
}
