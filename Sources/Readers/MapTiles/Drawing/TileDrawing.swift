internal import Dispatch
package import MapFeatures
import MapGeometry
import MapImages
package import MapModel
import MapSystem
import Synchronization

/// The drawing of a layer of tiles: its pixels, and the tiles that were used.
package struct TileDrawing: Sendable {
  /// The number of columns of the image.
  package let width: Int
  /// The pixels, row by row: premultiplied alpha, red, green and blue from the highest byte down.
  package let pixels: [UInt32]
  /// The zoom level; nil if no tile is in the view.
  package private(set) var zoom: Int?
  /// The number of tiles in the view.
  package private(set) var tileCount = 0
  /// The tiles that the source does not have, in order.
  package private(set) var missing: [TileIndex] = []
  /// The tiles that cannot be read, in order, with the reasons.
  package private(set) var failed: [(tile: TileIndex, reason: String)] = []

  /// The side of the blocks that are drawn at once, in pixels.
  private static let block = 256
  /// The greatest number of tiles in an image.
  ///
  /// - Source: design decision; the largest images need about 10,000 tiles of 256 pixels.
  package static let mostTiles = 20_000
  /// The greatest number of tile pixels that are put together for a block.
  private static let mosaicPixels = 1 << 21

  /// Draws the tiles of a source in a view.
  ///
  /// The pixels do not depend on the number of threads.
  ///
  /// - Parameter isNearest: whether each pixel has the colour of the nearest one of a tile, without any mixing.
  /// - Throws: ``TileError`` for an unknown spatial reference, too many tiles, and if `missing` is `fail`, for a tile.
  package init(
    _ view: ViewState, width: Int, height: Int, source: any TileSource, missing rule: MissingTiles,
    isNearest: Bool = false, operations: SpatialOperations, threads: Int
  ) async throws(TileError) {
    let scheme = source.scheme
    self.width = width
    let resolution: Double?
    do {
      resolution = try TileMapping.resolution(
        view, width: width, height: height, to: scheme.reference, operations: operations)
    } catch { throw TileError("\(error)") }
    guard let resolution else {
      pixels = [UInt32](repeating: 0, count: width * height)
      return
    }
    let level = scheme.level(nearestTo: resolution)
    let grid = TileGrid(scheme, level)
    zoom = level.zoom
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    var seen: Set<TileIndex> = []
    // Some rows at a time, so that memory is limited by the width of the image.
    for top in stride(from: 0, to: height, by: Self.block) {
      let rows = top..<min(top + Self.block, height)
      let cells: [TileMapping.Cell]
      do {
        cells = try TileMapping(
          view, width: width, rows: rows, to: scheme.reference, operations: operations
        ).cells
      } catch { throw TileError("\(error)") }
      let needed = grid.tiles(of: cells, limit: Self.mostTiles)
      guard let needed, seen.count + needed.count <= Self.mostTiles else {
        throw TileError(
          "more than \(Self.mostTiles) tiles are in the view at zoom level \(level.zoom); show a smaller extent"
        )
      }
      let results = await source.images(at: needed.sorted())
      var images: [TileIndex: TileImage] = [:]
      for (tile, result) in results.sorted(by: { $0.key < $1.key }) {
        let isNew = seen.insert(tile).inserted
        switch result {
        case .success(let image?): images[tile] = image
        case .success(nil): if isNew { missing.append(tile) }
        case .failure(let error): if isNew { failed.append((tile, error.description)) }
        }
      }
      if rule == .fail, let first = failed.first {
        throw TileError("tile \(first.tile) \(first.reason)")
      }
      if rule == .fail, let first = missing.first { throw TileError("tile \(first) is missing") }
      if rule == .placeholder, let cross = Self.placeholder(scheme.tileSize) {
        for tile in needed where images[tile] == nil { images[tile] = cross }
      }
      let strip = TileStrip(
        top: top, width: width, height: rows.count, grid: grid, cells: cells, images: images,
        isNearest: isNearest)
      pixels += strip.pixels(blockWidth: Self.block, mosaicLimit: Self.mosaicPixels, threads: threads)
    }
    tileCount = seen.count
    self.pixels = pixels
    missing.sort()
    failed.sort { $0.tile < $1.tile }
  }

  /// The tile that is drawn for a missing one: a grey cross and frame.
  private static func placeholder(_ side: Int) -> TileImage? {
    var pixels = [UInt8](repeating: 0, count: side * side * 4)
    for row in 0..<side {
      for column in 0..<side {
        let isLine =
          abs(row - column) < 1 || abs(row + column - side + 1) < 1 || min(row, column) == 0
        let at = (row * side + column) * 4
        for channel in 0..<3 { pixels[at + channel] = isLine ? 150 : 225 }
        pixels[at + 3] = 255
      }
    }
    return (try? Bitmap(width: side, height: side, pixels: pixels)).map { TileImage($0) }
  }

  /// The lines that report missing and unreadable tiles, at most one of each kind.
  package func warnings(_ rule: MissingTiles) -> [String] {
    let drawn = rule == .placeholder ? "drawn as grey crosses" : "left blank"
    func list(_ tiles: [TileIndex]) -> String {
      tiles.prefix(3).map(\.description).joined(separator: ", ") + (tiles.count > 3 ? ", …" : "")
    }
    var lines: [String] = []
    if !missing.isEmpty {
      lines.append("\(missing.count) of \(tileCount) tiles are missing and \(drawn): \(list(missing))")
    }
    if let first = failed.first {
      lines.append(
        "\(failed.count) of \(tileCount) tiles cannot be read and are \(drawn): \(list(failed.map(\.tile))); "
          + "tile \(first.tile) \(first.reason)")
    }
    return lines
  }
}

/// The grid of one level, in tile pixels.
struct TileGrid: Sendable {
  let level: TileScheme.Level
  let side: Int
  private let originX: Double
  private let originY: Double
  private let around: Int?
  /// The columns and rows of the scheme's extent.
  private let columns: ClosedRange<Int>
  private let rows: ClosedRange<Int>

  init(_ scheme: TileScheme, _ level: TileScheme.Level) {
    (self.level, side, around) = (level, scheme.tileSize, scheme.columnsAroundWorld(level))
    (originX, originY) = (scheme.originX, scheme.originY)
    let size = level.resolution * Double(scheme.tileSize)
    func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
      // An extent that ends at a tile's side does not reach the next tile.
      let first = Int(clamping: (low / size + 1e-6).rounded(.down))
      return first...max(first, Int(clamping: (high / size - 1e-6).rounded(.down)))
    }
    columns = range(scheme.extent.xMin - scheme.originX, scheme.extent.xMax - scheme.originX)
    rows = range(scheme.originY - scheme.extent.yMax, scheme.originY - scheme.extent.yMin)
  }

  /// Returns a position in tile pixels, right and down from the origin.
  func pixel(_ position: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2((position.x - originX) / level.resolution, (originY - position.y) / level.resolution)
  }

  /// Returns the tile in a column and row, which repeat around the world; nil outside the scheme.
  func tile(column: Int, row: Int) -> TileIndex? {
    var column = column
    if let around { column = ((column % around) + around) % around }
    guard columns.contains(column), rows.contains(row) else { return nil }
    return TileIndex(zoom: level.zoom, column: column, row: row)
  }

  /// The number of tile pixels around a cell that its weights reach.
  static func reach(_ cell: TileMapping.Cell, resolution: Double) -> Double {
    guard cell.exact.isEmpty else { return 3 }
    let (right, down) = cell.steps
    return 3 + max(TileMapping.length(right), TileMapping.length(down)) / resolution / 2
  }

  /// Returns the box around a cell in tile pixels; nil for a cell without positions.
  func box(of cell: TileMapping.Cell) -> (low: SIMD2<Double>, high: SIMD2<Double>)? {
    var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    for position in cell.exact.isEmpty ? cell.corners : cell.exact {
      let pixel = pixel(position)
      guard pixel.x.isFinite, pixel.y.isFinite else { continue }
      low = pointwiseMin(low, pixel)
      high = pointwiseMax(high, pixel)
    }
    guard low.x.isFinite, abs(low.x) < 1e12, abs(low.y) < 1e12, abs(high.x) < 1e12, abs(high.y) < 1e12 else {
      return nil
    }
    let reach = SIMD2(repeating: Self.reach(cell, resolution: level.resolution))
    return (low - reach, high + reach)
  }

  /// Returns the tiles that cells need; nil for more than the limit.
  func tiles(of cells: [TileMapping.Cell], limit: Int) -> Set<TileIndex>? {
    var tiles: Set<TileIndex> = []
    for cell in cells {
      guard let own = self.tiles(of: cell, limit: limit) else { return nil }
      tiles.formUnion(own)
      guard tiles.count <= limit else { return nil }
    }
    return tiles
  }

  private func tiles(of cell: TileMapping.Cell, limit: Int) -> Set<TileIndex>? {
    var tiles: Set<TileIndex> = []
    let size = Double(side)
    if !cell.exact.isEmpty {
      // Around a pole, the box of a cell is much larger than the cell.
      for position in cell.exact where position.x.isFinite && position.y.isFinite {
        let pixel = pixel(position)
        guard abs(pixel.x) < 1e12, abs(pixel.y) < 1e12 else { continue }
        for (dx, dy) in [(-3.0, -3.0), (3, -3), (-3, 3), (3, 3)] {
          let column = Int(clamping: ((pixel.x + dx) / size).rounded(.down))
          let row = Int(clamping: ((pixel.y + dy) / size).rounded(.down))
          if let tile = tile(column: column, row: row) { tiles.insert(tile) }
        }
      }
      return tiles
    }
    guard let box = box(of: cell) else { return [] }
    let (left, right) = (
      Int(clamping: (box.low.x / size).rounded(.down)), Int(clamping: (box.high.x / size).rounded(.down))
    )
    let top = max(Int(clamping: (box.low.y / size).rounded(.down)), rows.lowerBound)
    let bottom = min(Int(clamping: (box.high.y / size).rounded(.down)), rows.upperBound)
    guard top <= bottom else { return [] }
    guard right - left < limit, (right - left + 1) * (bottom - top + 1) <= limit else { return nil }
    for row in top...bottom {
      for column in left...right { if let tile = tile(column: column, row: row) { tiles.insert(tile) } }
    }
    return tiles
  }
}
