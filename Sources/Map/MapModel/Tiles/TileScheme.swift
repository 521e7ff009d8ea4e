import MapSystem
public import MapGeometry
package import MapImages

/// The position of a tile: its zoom level, and its column and row from the top left of the scheme.
public struct TileIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The zoom level.
  public let zoom: Int
  /// The column, from the left.
  public let column: Int
  /// The row, from the top.
  public let row: Int

  /// Creates a position.
  public init(zoom: Int, column: Int, row: Int) { (self.zoom, self.column, self.row) = (zoom, column, row) }

  /// Zoom, column and row as in addresses, such as `3/4/2`.
  public var description: String { "\(zoom)/\(column)/\(row)" }

  /// Orders by zoom, then row, then column.
  public static func < (first: TileIndex, second: TileIndex) -> Bool {
    (first.zoom, first.row, first.column) < (second.zoom, second.row, second.column)
  }
}

/// The grid of tiles of each zoom level.
///
/// - Units: coordinates and resolutions are in those of ``reference``; resolutions are per tile pixel.
/// - Source: OGC Two Dimensional Tile Matrix Set (OGC 17-083r4), with one origin and one tile size for all levels.
public struct TileScheme: Hashable, Sendable {
  /// A zoom level.
  public struct Level: Hashable, Sendable {
    /// The number of the level, used in addresses.
    public let zoom: Int
    /// The size of a pixel.
    public let resolution: Double

    /// Creates a level.
    public init(zoom: Int, resolution: Double) { (self.zoom, self.resolution) = (zoom, resolution) }
  }

  /// The spatial reference of the tiles.
  public let reference: SpatialReference
  /// The left side of column 0.
  public let originX: Double
  /// The top side of row 0.
  public let originY: Double
  /// The number of pixels along each side of a tile.
  public let tileSize: Int
  /// The levels, from the coarsest; not empty.
  public let levels: [Level]
  /// The extent of the tiles; beyond it, none are requested.
  public let extent: Envelope

  /// The range of tile sizes, in pixels.
  ///
  /// - Source: design decision; tile servers use 256 to 1024.
  public static let tileSizes = 16...4096

  /// Creates a scheme; nil without levels, for numbers that are not finite or positive, and for other tile sizes.
  public init?(
    reference: SpatialReference, originX: Double, originY: Double, tileSize: Int, levels: [Level],
    extent: Envelope
  ) {
    let sides = [originX, originY, extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    guard Self.tileSizes.contains(tileSize), sides.allSatisfy(\.isFinite), !levels.isEmpty,
      extent.xMin < extent.xMax, extent.yMin < extent.yMax,
      levels.allSatisfy({ $0.resolution.isFinite && $0.resolution > 0 })
    else { return nil }
    (self.reference, self.originX, self.originY) = (reference, originX, originY)
    (self.tileSize, self.extent) = (tileSize, extent.with(spatialReference: reference))
    self.levels = levels.sorted { $0.resolution > $1.resolution }
  }

  /// The largest zoom level of Web Mercator schemes.
  ///
  /// - Source: design decision; at level 30, a pixel of a tile is 0.15 mm.
  public static let largestZoom = 30

  /// Returns the scheme of Web Mercator with one tile at level 0.
  ///
  /// - Parameters:
  ///   - zooms: the levels, in 0 to ``largestZoom``.
  ///   - extent: the extent of the tiles in Web Mercator; nil for the world.
  public static func webMercator(
    zooms: ClosedRange<Int>, tileSize: Int = 256, extent: Envelope? = nil
  ) -> TileScheme? {
    let half = WebMercator.halfWorld
    let world = Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half)
    let zooms = zooms.clamped(to: 0...largestZoom)
    return TileScheme(
      reference: .webMercator, originX: -half, originY: half, tileSize: tileSize,
      levels: zooms.map { Level(zoom: $0, resolution: 2 * half / Double(tileSize) / Double(1 << $0)) },
      extent: extent ?? world)
  }

  /// Returns the level whose resolution is nearest to a resolution, by ratio; of two the finer.
  public func level(nearestTo resolution: Double) -> Level {
    var (best, distance) = (levels[0], Double.infinity)
    for level in levels {
      let other = abs(
        (resolution / level.resolution).squareRoot() - (level.resolution / resolution).squareRoot())
      if other <= distance { (best, distance) = (level, other) }
    }
    return best
  }

  /// Returns the number of columns after which tiles repeat around the world; nil if they do not.
  public func columnsAroundWorld(_ level: Level) -> Int? {
    guard let world = Envelope.worldWidth(of: reference), extent.width > world * 0.999 else { return nil }
    let columns = world / (level.resolution * Double(tileSize))
    return columns >= 0.5 && abs(columns - columns.rounded()) < 1e-6 * columns
      ? Int(clamping: columns.rounded()) : nil
  }
}

/// A set of tiles: images in a grid.
public protocol TileSource: AnyObject, Sendable {
  /// The grid of the tiles.
  var scheme: TileScheme { get }
  /// The name; empty for none.
  var name: String { get }
  /// The path or address, without secrets.
  var place: String { get }
  /// The attribution text that the tiles require; empty for none.
  var attribution: String { get }
  /// Returns the images of tiles; nil for a tile that the source does not have.
  ///
  /// Tiles that cannot be read have an error of their own.
  func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>]
}

/// The image of a tile.
public struct TileImage: Sendable {
  /// The pixels.
  package let bitmap: Bitmap

  /// Creates the image of a tile.
  package init(_ bitmap: Bitmap) { self.bitmap = bitmap }
}

/// The error of a tile that cannot be read.
public struct TileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in one line, in lower case and without a full stop.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}

/// The treatment of tiles that are missing or cannot be read; each is also reported.
public enum MissingTiles: String, Hashable, CaseIterable, Sendable {
  /// Drawing fails.
  case fail
  /// The pixels of the tile stay transparent.
  case blank
  /// The tile is drawn as a grey cross.
  case placeholder
}
