import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// An image that is asked for: a part of a tile in a grid that is made for a view.
struct ImagePart: Hashable, Sendable {
  /// The tile that contains the image.
  let tile: TileIndex
  /// The pixel of the tile at the top left of the image.
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  /// The extent, inside one world copy.
  let extent: Envelope
}

/// The images that a view needs of a service.
///
/// A view that is not rotated, in the spatial reference of the images, is one image with the view's own pixels. Another view
/// is covered by its bounding box at the resolution of the view. An image larger than the server allows is divided.
struct ImagePlan {
  /// The grid, whose tiles contain the images.
  let scheme: TileScheme
  /// The images, row by row.
  private(set) var parts: [ImagePart] = []

  /// The greatest number of images of a view.
  ///
  /// - Source: design decision; a view of the world in 60 copies has as many.
  static let most = 64
  /// The pixels around a bounding box that its samples reach.
  private static let margin = 4.0
  /// The number of rows that are mapped at once.
  private static let block = 256

  /// The ground that a view covers.
  private struct Ground {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
    var resolution: Double
    /// Whether parts of it were moved by whole worlds.
    var isMoved = false
  }

  /// Plans the images of a view of `width` by `height` pixels; nil if nothing of the view can be in an image.
  ///
  /// - Parameters:
  ///   - reference: the spatial reference of the images.
  ///   - largest: the greatest number of pixels along each side of an image.
  /// - Throws: ``TileError`` for an unknown spatial reference, and for too many images.
  init?(
    _ view: ViewState, width: Int, height: Int, in reference: SpatialReference,
    largest: (width: Int, height: Int), operations: SpatialOperations
  ) throws(TileError) {
    let ground: Ground
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
    let isAligned = view.spatialReference == reference && cosine == 1 && sine == 0
    if isAligned {
      let (center, unit) = (view.viewpoint.center, view.viewpoint.resolution / view.pixelRatio)
      let left = center.x - view.width * view.pixelRatio / 2 * unit
      let top = center.y + view.height * view.pixelRatio / 2 * unit
      ground = Ground(
        left: left, top: top, right: left + Double(width) * unit, bottom: top - Double(height) * unit,
        resolution: unit)
    } else {
      do {
        guard
          let found = try Self.ground(
            of: view, width: width, height: height, in: reference, operations: operations)
        else { return nil }
        ground = found
      } catch { throw TileError("cannot be planned: \(error)") }
    }
    let world = Envelope.worldWidth(of: reference)
    var resolution = ground.resolution
    guard resolution.isFinite, resolution > 0 else { return nil }
    func pixels(_ length: Double) -> Int {
      isAligned
        ? Int(clamping: (length / resolution).rounded()) : Int(clamping: (length / resolution).rounded(.up))
    }
    var (columns, rows) = (pixels(ground.right - ground.left), pixels(ground.top - ground.bottom))
    let limit = min(largest.width, largest.height, TileScheme.tileSizes.upperBound)
    let side = min(max(columns, rows, TileScheme.tileSizes.lowerBound), limit)
    if ground.isMoved, let world {
      // The tiles repeat around the world.
      let around = max(1, (world / (resolution * Double(side))).rounded(.up))
      resolution = world / (around * Double(side))
      columns = min(pixels(ground.right - ground.left), around < 1e9 ? Int(clamping: around) * side : .max)
      rows = pixels(ground.top - ground.bottom)
    }
    guard columns > 0, rows > 0,
      let scheme = TileScheme(
        reference: reference, originX: ground.left, originY: ground.top, tileSize: side,
        levels: [TileScheme.Level(zoom: 0, resolution: resolution)],
        extent: Envelope(
          xMin: ground.left, yMin: ground.top - Double(rows) * resolution,
          xMax: ground.left + (ground.isMoved ? world ?? 0 : Double(columns) * resolution), yMax: ground.top))
    else { return nil }
    self.scheme = scheme
    let used = Self.rows(of: reference, top: ground.top, resolution: resolution, count: rows)
    for tileTop in stride(from: 0, to: rows, by: side) {
      let (first, last) = (max(tileTop, used.lowerBound), min(tileTop + side, rows, used.upperBound))
      guard first < last else { continue }
      for tileLeft in stride(from: 0, to: columns, by: side) {
        let tile = TileIndex(zoom: 0, column: tileLeft / side, row: tileTop / side)
        var start = tileLeft
        let end = min(tileLeft + side, columns)
        while start < end {
          guard parts.count < Self.most else {
            throw TileError(
              "cannot be planned: more than \(Self.most) images would be needed; show a smaller extent")
          }
          var (west, stop) = (ground.left + Double(start) * resolution, end)
          if let world { (west, stop) = Self.copy(west, world, resolution, start, end) }
          let (north, south) = (
            ground.top - Double(first) * resolution, ground.top - Double(last) * resolution
          )
          parts.append(
            ImagePart(
              tile: tile, x: start - tileLeft, y: first - tileTop, width: stop - start, height: last - first,
              extent: Envelope(
                xMin: west, yMin: south, xMax: west + Double(stop - start) * resolution, yMax: north)))
          start = stop
        }
      }
    }
    if parts.isEmpty { return nil }
  }

  /// Returns a left side moved into the world, and the column before which the world ends.
  private static func copy(
    _ x: Double, _ world: Double, _ resolution: Double, _ start: Int, _ end: Int
  ) -> (west: Double, stop: Int) {
    var west = x - ((x + world / 2) / world).rounded(.down) * world
    func room() -> Int { Int(clamping: ((world / 2 - west) / resolution).rounded()) }
    // A column whose larger part lies beyond the side belongs to the next copy.
    if room() < 1 { west -= world }
    return (west, start + min(end - start, max(room(), 1)))
  }

  /// The rows of a grid inside the world.
  private static func rows(
    of reference: SpatialReference, top: Double, resolution: Double, count: Int
  ) -> Range<Int> {
    guard let limit = northLimit(of: reference) else { return 0..<count }
    let first = min(max(Int(clamping: ((top - limit) / resolution).rounded(.down)), 0), count)
    return first..<min(max(Int(clamping: ((top + limit) / resolution).rounded(.up)), first), count)
  }

  /// The northernmost y of a world; nil if it has none.
  private static func northLimit(of reference: SpatialReference) -> Double? {
    switch reference {
    case .wgs84: 90
    case .webMercator: WebMercator.halfWorld
    default: nil
    }
  }

  /// Returns the bounding box of a view with the usual size of its pixels; nil if no pixel has a position.
  private static func ground(
    of view: ViewState, width: Int, height: Int, in reference: SpatialReference, operations: SpatialOperations
  ) throws(SpatialOperationError) -> Ground? {
    guard
      let usual = try TileMapping.resolution(
        view, width: width, height: height, to: reference, operations: operations)
    else { return nil }
    let world = Envelope.worldWidth(of: reference)
    var (middle, middleY) = ([view.viewpoint.center.x], [view.viewpoint.center.y])
    if view.spatialReference != reference {
      try operations.project(x: &middle, y: &middleY, from: view.spatialReference, to: reference)
    }
    var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    var isMoved = false
    for top in stride(from: 0, to: height, by: block) {
      let mapping = try TileMapping(
        view, width: width, rows: top..<min(top + block, height), to: reference, operations: operations)
      for cell in mapping.cells {
        let positions = (cell.exact.isEmpty ? cell.corners : cell.exact).filter {
          $0.x.isFinite && $0.y.isFinite
        }
        guard let first = positions.first else { continue }
        var shift = 0.0
        if let world {
          if !middle[0].isFinite { middle[0] = first.x }
          shift = ((first.x - middle[0]) / world).rounded() * world
          if shift != 0 { isMoved = true }
        }
        for position in positions {
          let place = SIMD2(position.x - shift, position.y)
          (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
        }
      }
    }
    guard low.x < high.x, low.y < high.y else { return nil }
    if let world, high.x - low.x >= world {
      (low.x, high.x, isMoved) = (middle[0] - world / 2, middle[0] + world / 2, true)
    }
    if let limit = northLimit(of: reference) { (low.y, high.y) = (max(low.y, -limit), min(high.y, limit)) }
    guard low.y < high.y else { return nil }
    // Where scales differ much within a view, its box has many more pixels than the view.
    let count = (high.x - low.x) / usual * ((high.y - low.y) / usual)
    let resolution = usual * max(1, (count / (4 * Double(width) * Double(height))).squareRoot())
    let around = margin * resolution
    return Ground(
      left: low.x - around, top: high.y + around, right: high.x + around, bottom: low.y - around,
      resolution: resolution, isMoved: isMoved)
  }
}
