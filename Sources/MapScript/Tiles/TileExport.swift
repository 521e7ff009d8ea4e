import MapGeometry
import MapImages
import MapJSON
import MapModel
public import MapState
public import MapSystem
import MapTiles

/// A set of PNG tiles to draw from a document: its levels and its area.
///
/// Each level is drawn in images of 16 by 16 tiles that are cut up. Inside an image, labels are whole. A label that
/// would cross the side of an image is left out.
public struct TileExport: Hashable, Sendable {
  /// The form of the output.
  public enum Form: Hashable, Sendable {
    /// A folder with files `{z}/{x}/{y}.png`, a TileJSON file and a page that shows the tiles.
    case folder
    /// An MBTiles file.
    case mbtiles
    /// A PMTiles archive.
    case pmtiles
  }

  /// The zoom levels, 0 to 24.
  public let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees.
  public let bounds: [Double]
  /// The number of painting threads.
  public var threads = 1

  /// The number of tiles along a side of an image.
  private static let images = 16
  /// The number of pixels along a side of a tile.
  private static let side = 256
  /// The greatest number of tiles.
  ///
  /// - Source: design decision; at 10 KB per tile they take 10 GB.
  public static let mostTiles = 1_000_000

  /// Creates a request.
  ///
  /// - Throws: `MapStateError` of kind usage for other levels, an impossible area, and too many tiles.
  public init(zooms: ClosedRange<Int>, bounds: [Double]) throws(MapStateError) {
    guard zooms.lowerBound >= 0, zooms.upperBound <= 24 else {
      throw MapStateError(.usage, "zoom levels \(zooms.lowerBound)-\(zooms.upperBound) are not within 0-24")
    }
    guard bounds.count == 4, bounds.allSatisfy(\.isFinite), bounds[0] < bounds[2], bounds[1] < bounds[3],
      bounds[0] >= -180, bounds[2] <= 180, bounds[1] >= -90, bounds[3] <= 90
    else { throw MapStateError(.usage, "the bounds are not west, south, east and north in degrees") }
    (self.zooms, self.bounds) = (zooms, bounds)
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

  /// Draws the tiles of a document and writes them.
  ///
  /// Tiles that exist in the folder, or in the folder `PATH.tiles` beside an archive, are not drawn again, so an
  /// interrupted run continues. The bytes of the output do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - request: the options of the view; its place, size and spatial reference are replaced.
  ///   - progress: receives the number of tiles written so far.
  /// - Returns: the warnings.
  /// - Throws: `MapStateError`.
  public func write(
    _ document: MapDocument, _ request: ViewRequest, to path: String, as form: Form,
    progress: (Int) -> Void = { _ in }
  ) async throws(MapStateError) -> [String] {
    let folder = form == .folder ? path : path + ".tiles"
    var warnings: [String] = []
    var done = 0
    var attribution = ""
    for zoom in zooms {
      let (columns, rows) = tiles(zoom)
      let images = (across: Self.ranges(columns), down: Self.ranges(rows))
      for rows in images.down {
        for columns in images.across {
          let (drawn, text) = try await draw(document, request, zoom, columns, rows, in: folder)
          for warning in drawn where !warnings.contains(warning) { warnings.append(warning) }
          if !text.isEmpty { attribution = text }
          done += columns.count * rows.count
          progress(done)
        }
      }
    }
    let name = FilePath.stem(of: document.path)
    do {
      switch form {
      case .folder:
        try FileAccess.write(tileJSON(name, attribution), to: folder + "/tiles.json")
        try FileAccess.write(page(name), to: folder + "/index.html")
      case .pmtiles:
        let bytes = PMTilesWriter.bytes(
          of: try all(in: folder), metadata: tileJSON(name, attribution), zooms: zooms, bounds: bounds)
        try FileAccess.write(bytes, to: path)
      case .mbtiles:
        guard !FileAccess.exists(path) else {
          throw MapStateError(.input, "\(path): exists already; remove it, or write to another file")
        }
        try MBTilesWriter.write(
          try all(in: folder),
          metadata: [
            ("name", name), ("format", "png"), ("type", "baselayer"), ("version", "1"),
            ("bounds", bounds.map { "\($0)" }.joined(separator: ",")), ("minzoom", "\(zooms.lowerBound)"),
            ("maxzoom", "\(zooms.upperBound)"), ("attribution", attribution),
          ], to: path)
      }
    } catch { throw MapStateError(error) }
    return warnings
  }

  /// Cuts columns or rows at multiples of the size of an image, so that overlapping exports have equal tiles.
  private static func ranges(_ numbers: ClosedRange<Int>) -> [ClosedRange<Int>] {
    (numbers.lowerBound / images...numbers.upperBound / images).map {
      max(numbers.lowerBound, $0 * images)...min(numbers.upperBound, ($0 + 1) * images - 1)
    }
  }

  private static func path(_ tile: TileIndex, in folder: String) -> String {
    "\(folder)/\(tile.zoom)/\(tile.column)/\(tile.row).png"
  }

  /// Draws an image and writes its tiles, unless all exist.
  private func draw(
    _ document: MapDocument, _ request: ViewRequest, _ zoom: Int, _ columns: ClosedRange<Int>,
    _ rows: ClosedRange<Int>, in folder: String
  ) async throws(MapStateError) -> (warnings: [String], attribution: String) {
    let tiles = rows.flatMap { row in columns.map { TileIndex(zoom: zoom, column: $0, row: row) } }
    // The attribution is that of the last image, also of one that is not drawn again.
    let size = 2 * WebMercator.halfWorld / Double(1 << zoom)
    func metres(_ number: Int) -> Double { Double(number) * size - WebMercator.halfWorld }
    var request = request
    request.reference = .webMercator
    request.size = ViewSize(
      width: Double(columns.count * Self.side), height: Double(rows.count * Self.side))
    (request.pixelRatio, request.padding, request.rotation) = (1, 0, 0)
    request.place = .bounds(
      Envelope(
        xMin: metres(columns.lowerBound), yMin: -metres(rows.upperBound + 1),
        xMax: metres(columns.upperBound + 1), yMax: -metres(rows.lowerBound), spatialReference: .webMercator))
    let view = try await document.view(request).freeze()
    guard tiles.contains(where: { !FileAccess.exists(Self.path($0, in: folder)) }) else {
      return ([], view.attribution)
    }
    let rendered = try await view.render(threads: threads)
    do {
      for column in columns { try FileAccess.makeFolder("\(folder)/\(zoom)/\(column)") }
      for tile in tiles {
        let (x, y) = (
          (tile.column - columns.lowerBound) * Self.side, (tile.row - rows.lowerBound) * Self.side
        )
        let png = try Self.part(of: rendered.bitmap, x: x, y: y).pngData()
        try FileAccess.write(png, to: Self.path(tile, in: folder))
      }
    } catch { throw MapStateError(error) }
    return (rendered.report.allWarnings, view.attribution)
  }

  private static func part(of image: Bitmap, x: Int, y: Int) throws(BitmapError) -> Bitmap {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(side * side * 4)
    for row in y..<y + side {
      let start = (row * image.width + x) * 4
      pixels += image.pixels[start..<start + side * 4]
    }
    return try Bitmap(width: side, height: side, pixels: pixels)
  }

  /// Returns the tiles in a folder in order.
  private func all(in folder: String) throws -> [(tile: TileIndex, bytes: [UInt8])] {
    var all: [(tile: TileIndex, bytes: [UInt8])] = []
    for zoom in zooms {
      let (columns, rows) = tiles(zoom)
      for column in columns {
        for row in rows {
          let tile = TileIndex(zoom: zoom, column: column, row: row)
          all.append((tile, try FileAccess.read(Self.path(tile, in: folder))))
        }
      }
    }
    return all
  }

  private func tileJSON(_ name: String, _ attribution: String) -> [UInt8] {
    let json: JSONValue = [
      "tilejson": "3.0.0", "name": .string(name), "attribution": .string(attribution), "scheme": "xyz",
      "tiles": ["{z}/{x}/{y}.png"], "minzoom": .number(zooms.lowerBound),
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
        "<img src=\"\(zoom)/\($0)/\(row).png\" width=256 height=256 alt=\"\" loading=lazy>"
      }
      html += "<div>\(images.joined())</div>\n"
    }
    return Array(html.utf8)
  }
}
