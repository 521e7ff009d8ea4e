import FoundationEssentials
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
public import MapState
public import MapSystem
import MapTiles

/// A set of PNG tiles to draw from a document: its levels and its area.
///
/// Labels are placed once for a part of a level of 48 by 48 tiles, or for the whole level if it is smaller. The part is
/// then drawn in images that are cut up. So no label is cut or repeated. At the side of a part, a label that would cross
/// it is left out.
public struct TileExport: Hashable, Sendable {
  /// The form of the output.
  public enum Form: Hashable, Sendable {
    /// A folder with files `{z}/{x}/{y}.png`, a TileJSON file and a page that shows the tiles.
    case folder
    /// An MBTiles file.
    case mbtiles
    /// A PMTiles archive.
    case pmtiles

    /// Chooses the form by the ending of a path: `.mbtiles`, `.pmtiles`, or none for a folder; a path that ends in `/` is
    /// a folder, too.
    ///
    /// - Throws: `MapStateError` of kind usage for another ending.
    public init(path: String) throws(MapStateError) {
      let suffix = path.hasSuffix("/") ? "" : FilePath.pathExtension(of: path)
      switch suffix {
      case "": self = .folder
      case "mbtiles": self = .mbtiles
      case "pmtiles": self = .pmtiles
      default:
        throw MapStateError(
          .usage,
          "\(path): .\(suffix) cannot be written; available: .mbtiles, .pmtiles, and a folder, whose name has no ending "
            + "or is followed by /", suggestion: path + "/")
      }
    }
  }

  /// The progress of an export.
  public struct Progress: Hashable, Sendable {
    /// The number of tiles that exist.
    public let done: Int
    /// The number of tiles that this run has drawn.
    public let drawn: Int
    /// The number of all tiles.
    public let count: Int
  }

  /// The zoom levels, 0 to 24.
  public let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees.
  public let bounds: [Double]
  /// The number of painting threads.
  public var threads = 1
  /// The number of pixels of a tile per view pixel: 1 for 256 pixels along a side, 2 for `@2x` tiles of 512.
  public let pixelRatio: Int

  /// The number of tiles along a side of an image of 4,096 pixels.
  private var imageTiles: Int { 16 / pixelRatio }
  /// The number of tiles along a side of a part of a level whose labels are placed together.
  ///
  /// - Source: design decision; a multiple of the image, within the largest view.
  private var partTiles: Int { 48 / pixelRatio }
  /// The number of view pixels along a side of a tile.
  private static let side = 256
  /// The number of pixels along a side of a tile.
  private var pixels: Int { Self.side * pixelRatio }
  /// The end of the name of a tile's file.
  private var ending: String { pixelRatio == 1 ? ".png" : "@\(pixelRatio)x.png" }
  /// The greatest number of tiles.
  ///
  /// - Source: design decision; at 10 KB per tile they take 10 GB.
  public static let mostTiles = 1_000_000

  /// Creates a request.
  ///
  /// - Throws: `MapStateError` of kind usage for other levels, an impossible area, too many tiles, and another pixel
  ///   ratio than 1 and 2.
  public init(
    zooms: ClosedRange<Int>, bounds: [Double], pixelRatio: Int = 1
  ) throws(MapStateError) {
    guard zooms.lowerBound >= 0, zooms.upperBound <= 24 else {
      throw MapStateError(.usage, "zoom levels \(zooms.lowerBound)-\(zooms.upperBound) are not within 0-24")
    }
    guard bounds.count == 4, bounds.allSatisfy(\.isFinite), bounds[0] < bounds[2], bounds[1] < bounds[3],
      bounds[0] >= -180, bounds[2] <= 180, bounds[1] >= -90, bounds[3] <= 90
    else { throw MapStateError(.usage, "the bounds are not west, south, east and north in degrees") }
    guard (1...2).contains(pixelRatio) else {
      throw MapStateError(.usage, "the pixel ratio of tiles is \(pixelRatio); it must be 1 or 2")
    }
    (self.zooms, self.bounds, self.pixelRatio) = (zooms, bounds, pixelRatio)
    guard count <= Self.mostTiles else {
      throw MapStateError(
        .usage, "\(count) tiles are more than \(Self.mostTiles); give fewer zoom levels or a smaller area")
    }
  }

  /// The number of tiles.
  public var count: Int {
    zooms.reduce(0) { count, zoom in
      let (columns, rows) = tiles(zoom)
      return count + columns.count * rows.count
    }
  }

  /// Returns the columns and rows of a level that the bounds overlap.
  private func tiles(_ zoom: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    let (count, half) = (1 << zoom, WebMercator.halfWorld)
    func place(_ metres: Double, up: Bool) -> Int {
      let place = (min(max(metres, -half), half) + half) / (2 * half) * Double(count)
      // A side of the bounds on the side of a tile does not reach the next.
      return min(max(Int(clamping: (place + (up ? -1e-9 : 1e-9)).rounded(.down)), 0), count - 1)
    }
    func y(_ latitude: Double) -> Double { -WebMercator.y(latitude: latitude) }
    let (west, east) = (WebMercator.x(longitude: bounds[0]), WebMercator.x(longitude: bounds[2]))
    let (left, right) = (place(west, up: false), place(east, up: true))
    let (top, bottom) = (place(y(bounds[3]), up: false), place(y(bounds[1]), up: true))
    return (left...max(left, right), top...max(top, bottom))
  }

  /// The tiles, level by level, then by column and row.
  private var all: [TileIndex] {
    zooms.flatMap { zoom in
      let (columns, rows) = tiles(zoom)
      return columns.flatMap { column in rows.map { TileIndex(zoom: zoom, column: column, row: $0) } }
    }
  }

  /// Draws the tiles of a document and writes them.
  ///
  /// Tiles that exist in the folder, or in the folder `PATH.tiles` beside an archive, are not drawn again, so an
  /// interrupted run continues. A complete archive has no such folder. The bytes of the output do not depend on the number of threads. Memory holds one image
  /// of 4,096 by 4,096 pixels, the features, and some numbers for each tile.
  ///
  /// - Parameters:
  ///   - request: the options of the view; its place, size and spatial reference are replaced.
  ///   - progress: receives the progress after each image.
  /// - Returns: the warnings.
  /// - Throws: `MapStateError`.
  public func write(
    _ document: MapDocument, _ request: ViewRequest, to path: String, as form: Form,
    progress: (Progress) -> Void = { _ in }
  ) async throws(MapStateError) -> [String] {
    let folder = form == .folder ? path : path + ".tiles"
    let request = request.atOneTime
    if form == .mbtiles, FileAccess.exists(path) {
      throw MapStateError(.input, "\(path): exists already; remove it, or write to another file")
    }
    var warnings: [String] = []
    var (done, drawn) = (0, 0)
    var attribution = ""
    for zoom in zooms {
      let (columns, rows) = tiles(zoom)
      for part in Self.blocks(columns, rows, of: partTiles) {
        let view = try await view(document, request, zoom, part)
        if !view.attribution.isEmpty { attribution = view.attribution }
        var labels: [DisplayLayer]?
        for block in Self.blocks(part.columns, part.rows, of: imageTiles) {
          done += block.count
          let tiles = block.tiles(zoom)
          if tiles.contains(where: { !FileAccess.exists(place(of: $0, in: folder)) }) {
            if labels == nil {
              let placed = try await view.placedLabels()
              labels = placed.layers
              for warning in placed.warnings where !warnings.contains(warning) { warnings.append(warning) }
            }
            let image = try await self.view(document, request, zoom, block)
            let box = Envelope(
              xMin: Double((block.columns.lowerBound - part.columns.lowerBound) * pixels),
              yMin: Double((block.rows.lowerBound - part.rows.lowerBound) * pixels),
              xMax: Double((block.columns.upperBound + 1 - part.columns.lowerBound) * pixels),
              yMax: Double((block.rows.upperBound + 1 - part.rows.lowerBound) * pixels))
            let rendered = try await image.renderPart(
              threads: threads, labels: (labels ?? []).map { $0.labels(in: box) })
            try write(rendered.bitmap, block, tiles, to: folder)
            for warning in rendered.report.allWarnings where !warnings.contains(warning) {
              warnings.append(warning)
            }
            drawn += block.count
          }
          progress(Progress(done: done, drawn: drawn, count: count))
        }
      }
    }
    try finish(FilePath.stem(of: document.path), attribution, in: folder, to: path, as: form)
    if form != .folder { try Self.remove(folder) }
    return warnings
  }

  /// Columns and rows of tiles.
  private struct Block {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    var count: Int { columns.count * rows.count }

    func tiles(_ zoom: Int) -> [TileIndex] {
      rows.flatMap { row in columns.map { TileIndex(zoom: zoom, column: $0, row: row) } }
    }
  }

  /// Cuts columns and rows at multiples of a number, so that overlapping exports have equal tiles.
  private static func blocks(
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, of size: Int
  ) -> [Block] {
    func ranges(_ numbers: ClosedRange<Int>) -> [ClosedRange<Int>] {
      (numbers.lowerBound / size...numbers.upperBound / size).map {
        max(numbers.lowerBound, $0 * size)...min(numbers.upperBound, ($0 + 1) * size - 1)
      }
    }
    return ranges(rows).flatMap { rows in ranges(columns).map { Block(columns: $0, rows: rows) } }
  }

  private func place(of tile: TileIndex, in folder: String) -> String {
    "\(folder)/\(tile.zoom)/\(tile.column)/\(tile.row)\(ending)"
  }

  /// Returns the view of some tiles of a level.
  private func view(
    _ document: MapDocument, _ request: ViewRequest, _ zoom: Int, _ block: Block
  ) async throws(MapStateError) -> ViewState {
    let size = 2 * WebMercator.halfWorld / Double(1 << zoom)
    func metres(_ number: Int) -> Double { Double(number) * size - WebMercator.halfWorld }
    var request = request
    (request.reference, request.medium) = (.webMercator, .screen)
    request.size = ViewSize(
      width: Double(block.columns.count * Self.side), height: Double(block.rows.count * Self.side))
    (request.pixelRatio, request.padding, request.rotation) = (Double(pixelRatio), 0, 0)
    request.place = .bounds(
      Envelope(
        xMin: metres(block.columns.lowerBound), yMin: -metres(block.rows.upperBound + 1),
        xMax: metres(block.columns.upperBound + 1), yMax: -metres(block.rows.lowerBound),
        spatialReference: .webMercator))
    return try await document.view(request).freeze()
  }

  /// Cuts an image up and writes its tiles.
  private func write(
    _ image: Bitmap, _ block: Block, _ tiles: [TileIndex], to folder: String
  ) throws(MapStateError) {
    let pixels = pixels
    @Sendable func part(_ number: Int) throws(MapStateError) -> Bitmap {
      let tile = tiles[number]
      let x = (tile.column - block.columns.lowerBound) * pixels
      let y = (tile.row - block.rows.lowerBound) * pixels
      var part: [UInt8] = []
      part.reserveCapacity(pixels * pixels * 4)
      for row in y..<y + pixels {
        let start = (row * image.width + x) * 4
        part += image.pixels[start..<start + pixels * 4]
      }
      return try Bitmap(width: pixels, height: pixels, pixels: part)
    }
    do {
      for column in block.columns { try FileAccess.makeFolder("\(folder)/\(tiles[0].zoom)/\(column)") }
      for numbers in tiles.indices.pieces(of: 64) {
        let encode: @Sendable (Int) throws -> [UInt8] = { try part(numbers.lowerBound + $0).pngData() }
        let files =
          threads > 1
          ? try concurrentMap(numbers.count, encode) : try (0..<numbers.count).map { try encode($0) }
        for (number, bytes) in zip(numbers, files) {
          try FileAccess.write(bytes, to: place(of: tiles[number], in: folder))
        }
      }
    } catch { throw MapStateError(error) }
  }

  /// Writes the archive, or the description and the page of a folder.
  private func finish(
    _ name: String, _ attribution: String, in folder: String, to path: String, as form: Form
  ) throws(MapStateError) {
    let read: (TileIndex) throws -> [UInt8] = { try FileAccess.read(place(of: $0, in: folder)) }
    do {
      switch form {
      case .folder:
        try FileAccess.write(tileJSON(name, attribution), to: folder + "/tiles.json")
        try FileAccess.write(page(name), to: folder + "/index.html")
      case .pmtiles:
        try PMTilesWriter.write(
          all, metadata: tileJSON(name, attribution), zooms: zooms, bounds: bounds, to: path, read)
      case .mbtiles:
        // An interrupted run leaves no incomplete archive at the path.
        let beside = folder + "/archive.mbtiles"
        if FileAccess.exists(beside) { try FileManager.default.removeItem(atPath: beside) }
        try MBTilesWriter.write(
          all,
          metadata: [
            ("name", name), ("format", "png"), ("type", "baselayer"), ("version", "1"),
            ("bounds", bounds.map { "\($0)" }.joined(separator: ",")), ("minzoom", "\(zooms.lowerBound)"),
            ("maxzoom", "\(zooms.upperBound)"), ("attribution", attribution),
          ], to: beside, read)
        try FileManager.default.moveItem(atPath: beside, toPath: path)
      }
    } catch { throw MapStateError(error) }
  }

  /// Removes the folder with the tiles of a complete archive.
  private static func remove(_ folder: String) throws(MapStateError) {
    do { try FileManager.default.removeItem(atPath: folder) } catch { throw MapStateError(error) }
  }

  private func tileJSON(_ name: String, _ attribution: String) -> [UInt8] {
    let json: JSONValue = [
      "tilejson": "3.0.0", "name": .string(name), "attribution": .string(attribution), "scheme": "xyz",
      "tiles": [.string("{z}/{x}/{y}\(ending)")], "minzoom": .number(zooms.lowerBound),
      "maxzoom": .number(zooms.upperBound),
      "bounds": .array(bounds.map { .number($0) }),
    ]
    return Array((json.text(style: .pretty) + "\n").utf8)
  }

  /// A page that shows the tiles of the first level with at least four, or of the last, each at its position.
  private func page(_ name: String) -> [UInt8] {
    let zoom = zooms.first { tiles($0).columns.count * tiles($0).rows.count >= 4 } ?? zooms.upperBound
    let (columns, rows) = tiles(zoom)
    let title = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    var html = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>\(title)</title>\n"
    html += "<style>div{white-space:nowrap;line-height:0}</style>\n"
    for row in rows {
      let images = columns.map {
        "<img src=\"\(zoom)/\($0)/\(row)\(ending)\" width=256 height=256 alt=\"\" loading=lazy>"
      }
      html += "<div>\(images.joined())</div>\n"
    }
    return Array(html.utf8)
  }
}
