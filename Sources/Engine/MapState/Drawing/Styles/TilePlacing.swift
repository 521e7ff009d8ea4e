import Glibc
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapStyleDrawing
import MapStyles
import MapSystem
import MapTiles

/// The zoom of a view, and the places of tiles of Web Mercator in its image.
///
/// In Web Mercator, units of a tile become pixels by an exact affine transform. In other spatial references the vertices
/// are projected as those of features are, with edges divided that are longer than a part of the tile.
struct TilePlacing: Sendable {
  /// A tile, in a copy of the world.
  struct Place: Hashable, Sendable {
    let tile: TileIndex
    /// The number of worlds to the east.
    let world: Int

    /// The column of the tile, counted on through all worlds.
    var column: Int { tile.column + world << tile.zoom }
  }

  /// The zoom; at 0, the world is 512 view pixels wide.
  let zoom: Double
  private let view: ViewState
  private let reference: SpatialReference
  private let operations: SpatialOperations
  private let width: Int
  private let height: Int
  private let cosine: Double
  private let sine: Double
  private let pixelsPerUnit: Double

  /// The parts of a tile's side; longer edges are divided before they are projected.
  static let parts = 32.0
  /// The greatest number of parts of the side of the world.
  private static let mostParts = 4096.0

  /// Creates the places in a view; nil for a view without any position on the world.
  ///
  /// - Throws: ``TileError`` for a spatial reference that cannot be projected.
  init?(_ view: ViewState, operations: SpatialOperations) throws(TileError) {
    (self.view, reference, self.operations) = (view, view.spatialReference, operations)
    (width, height) = (view.pictureWidth, view.pictureHeight)
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
    pixelsPerUnit = view.pixelRatio / view.viewpoint.resolution
    let exact: Double
    if reference == .webMercator {
      exact = log2(Viewpoint.scale(ofZoom: 0) / view.viewpoint.scale)
    } else {
      let resolution = try TileCover.resolution(
        of: view, width: width, height: height, operations: operations)
      guard let resolution else { return nil }
      exact = log2(2 * WebMercator.halfWorld / (512 * resolution * view.pixelRatio))
    }
    // A scale that was computed from a whole zoom gives that zoom; other resolutions than Web Mercator's are measured.
    let near = exact.rounded()
    zoom = abs(exact - near) < (reference == .webMercator ? 1e-9 : 1e-5) ? near : exact
  }

  // MARK: Tiles

  /// Returns the tiles of a level in the view, row by row.
  ///
  /// - Parameter extent: the extent of the tiles in Web Mercator; nil for the whole world.
  /// - Throws: ``TileError`` for too many tiles.
  func places(level: Int, within extent: Envelope?) throws(TileError) -> [Place] {
    let places = reference.isBuiltIn ? try straightPlaces(level) : try projectedPlaces(level)
    let side = 2 * WebMercator.halfWorld / Double(1 << level)
    return places.filter { place in
      guard let extent else { return true }
      // A bound on the side of a tile does not reach the next.
      let near = side * 1e-9
      let x = Double(place.tile.column) * side - WebMercator.halfWorld
      let y = WebMercator.halfWorld - Double(place.tile.row) * side
      return x < extent.xMax - near && x + side > extent.xMin + near && y > extent.yMin + near
        && y - side < extent.yMax - near
    }.sorted { ($0.tile.row, $0.column) < ($1.tile.row, $1.column) }
  }

  /// Returns the tiles of a level in a map whose meridians and parallels are straight, with those of other worlds.
  private func straightPlaces(_ level: Int) throws(TileError) -> [Place] {
    let count = 1 << level
    let extent = view.extent
    func fraction(x: Double) -> Double {
      reference == .webMercator ? x / (2 * WebMercator.halfWorld) + 0.5 : x / 360 + 0.5
    }
    func fraction(y: Double) -> Double {
      let limit = WebMercator.latitudeLimit
      let y = reference == .webMercator ? y : WebMercator.y(latitude: min(max(y, -limit), limit))
      return min(max(0.5 - y / (2 * WebMercator.halfWorld), 0), 1)
    }
    let columns = (
      Int(clamping: (fraction(x: extent.xMin) * Double(count)).rounded(.down)),
      Int(clamping: (fraction(x: extent.xMax) * Double(count)).rounded(.up))
    )
    let rows = (
      Int(clamping: (fraction(y: extent.yMax) * Double(count)).rounded(.down)),
      Int(clamping: (fraction(y: extent.yMin) * Double(count)).rounded(.up))
    )
    guard columns.0 < columns.1, rows.0 < rows.1 else { return [] }
    let (area, isTooMuch) = (columns.1 - columns.0).multipliedReportingOverflow(by: rows.1 - rows.0)
    guard !isTooMuch, area <= 4 * TileDrawing.mostTiles else { throw TileCover.tooMany(level) }
    var places: [Place] = []
    for row in rows.0..<rows.1 where (0..<count).contains(row) {
      for column in columns.0..<columns.1 {
        let own = ((column % count) + count) % count
        let place = Place(
          tile: TileIndex(zoom: level, column: own, row: row), world: (column - own) >> level)
        // Corners decide: a tile is a rectangle on such a map.
        let corners = ring(of: place, parts: 1)
        guard let left = corners.x.min(), let right = corners.x.max(), let top = corners.y.min(),
          let bottom = corners.y.max(), left < Double(width), right > 0, top < Double(height), bottom > 0
        else { continue }
        places.append(place)
      }
    }
    guard places.count <= TileDrawing.mostTiles else { throw TileCover.tooMany(level) }
    return places
  }

  private func projectedPlaces(_ level: Int) throws(TileError) -> [Place] {
    try TileCover.tiles(of: view, width: width, height: height, zoom: level, operations: operations).map {
      Place(tile: $0, world: 0)
    }
  }

  /// The copies of the world in the view, for features that are in no tiles.
  var worlds: ClosedRange<Int> { ViewTransform.worlds(shownIn: view.extent, of: -1...1) }

  // MARK: Pixels

  /// Returns the pixel of a point on the map.
  private func pixel(mapX: Double, mapY: Double) -> (x: Double, y: Double) {
    let (east, north) = (mapX - view.viewpoint.center.x, mapY - view.viewpoint.center.y)
    return (
      (east * cosine - north * sine) * pixelsPerUnit + Double(width) / 2,
      Double(height) / 2 - (east * sine + north * cosine) * pixelsPerUnit
    )
  }

  /// Projects points of Web Mercator to pixels in place; those without a position become NaN.
  private func project(x: inout [Double], y: inout [Double]) {
    if reference != .webMercator {
      // The view of a spatial reference that cannot be projected was refused before.
      guard (try? operations.project(x: &x, y: &y, from: .webMercator, to: reference)) != nil else {
        x = x.map { _ in .nan }
        return
      }
    }
    for index in x.indices {
      let place = pixel(mapX: x[index], mapY: y[index])
      let isNear = abs(place.x) < 1e9 && abs(place.y) < 1e9
      (x[index], y[index]) = isNear ? place : (.nan, .nan)
    }
  }

  /// Returns the outline of a tile in pixels.
  ///
  /// The tiles beside it have the same points on their common sides, to the last bit.
  ///
  /// - Parameter parts: the number of parts of each side.
  private func ring(of place: Place, parts: Int) -> (x: [Double], y: [Double]) {
    let count = Double(parts << place.tile.zoom)
    func x(_ number: Int) -> Double { (Double(number) / count * 2 - 1) * WebMercator.halfWorld }
    func y(_ number: Int) -> Double { (1 - Double(number) / count * 2) * WebMercator.halfWorld }
    let (left, top) = (place.column * parts, place.tile.row * parts)
    var (ringX, ringY): ([Double], [Double]) = ([], [])
    for part in 0..<parts {
      ringX.append(x(left + part))
      ringY.append(y(top))
    }
    for part in 0..<parts {
      ringX.append(x(left + parts))
      ringY.append(y(top + part))
    }
    for part in 0..<parts {
      ringX.append(x(left + parts - part))
      ringY.append(y(top + parts))
    }
    for part in 0..<parts {
      ringX.append(x(left))
      ringY.append(y(top + parts - part))
    }
    project(x: &ringX, y: &ringY)
    return (ringX, ringY)
  }

  /// Returns the pixels that a tile owns.
  private func region(of place: Place) -> PixelRegion {
    let ring = ring(of: place, parts: reference == .webMercator ? 1 : Int(clamping: Self.parts))
    if reference == .webMercator, view.viewpoint.rotation == 0 {
      func range(_ first: Double, _ last: Double, _ limit: Int) -> Range<Int> {
        let start = min(max(Int(clamping: (first - 0.5).rounded(.up)), 0), limit)
        return start..<max(start, min(Int(clamping: (last - 0.5).rounded(.up)), limit))
      }
      return PixelRegion(
        columns: range(ring.x[0], ring.x[1], width), rows: range(ring.y[0], ring.y[2], height))
    }
    return PixelRegion(ring: ring.x, y: ring.y, width: width, height: height)
  }

  // MARK: Tiles with their features

  /// Returns a tile with the features of some of its layers in pixels.
  func tile(
    _ place: Place, _ content: StyleTileContent, layers: Set<String>, ids: [String: [Int32]]
  ) -> StyledTile {
    styled(place, region: region(of: place), content, layers: layers, ids: ids)
  }

  /// Returns tiles without features that cover the view.
  ///
  /// - Throws: ``TileError`` for too many tiles.
  func emptyTiles() throws(TileError) -> [StyledTile] {
    let level = min(max(Int(clamping: zoom.rounded(.down)), 0), TileScheme.largestZoom)
    return try places(level: level, within: nil).map {
      tile($0, StyleTileContent(layers: [:], byteCount: 0), layers: [], ids: [:])
    }
  }

  /// Returns the tile of features that are in no tiles, which owns the whole image.
  func tile(
    ofWorld world: Int, _ content: StyleTileContent, ids: [String: [Int32]]
  ) -> StyledTile {
    styled(
      Place(tile: TileIndex(zoom: 0, column: 0, row: 0), world: world),
      region: PixelRegion(columns: 0..<width, rows: 0..<height), content, layers: [""], ids: ids,
      isRound: true)
  }

  /// Returns tiles that were joined as one in pixels, which owns the whole image.
  func tile(
    of joined: JoinedStyleTiles, zoom: Int, layers: Set<String>, ids: [String: [Int32]]
  ) -> StyledTile {
    let world = joined.column >> zoom
    let tile = TileIndex(zoom: zoom, column: joined.column - world << zoom, row: joined.row)
    return styled(
      Place(tile: tile, world: world), region: PixelRegion(columns: 0..<width, rows: 0..<height),
      joined.content, layers: layers, ids: ids, side: joined.side)
  }

  private func styled(
    _ place: Place, region: PixelRegion, _ content: StyleTileContent, layers: Set<String>,
    ids: [String: [Int32]], side: Int = 1, isRound: Bool = false
  ) -> StyledTile {
    var placed: [String: StyledTileLayer] = [:]
    // Features that are in no tiles have edges of any length.
    let isWorld = place.tile.zoom == 0 && zoom > 0
    let parts = isWorld ? min(Self.parts * exp2(zoom), Self.mostParts) : Self.parts
    for name in layers {
      guard let layer = content.layers[name] else { continue }
      let rows = layer.features.count
      let buffers = layer.geometries.map { self.placed($0, extent: layer.extent, in: place, parts: parts) }
      placed[name] = StyledTileLayer(
        features: layer.features, geometries: buffers.map(\.units), extent: layer.extent * Double(side),
        pixels: buffers.map(\.pixels), ids: ids[name] ?? Array(0..<Int32(clamping: rows)),
        isRound: isRound)
    }
    let (middle, corner) = (middle(of: place), ring(of: place, parts: 1))
    return StyledTile(
      index: StyleTile(zoom: place.tile.zoom, x: place.tile.column, y: place.tile.row),
      corner: (corner.x[0].orZero, corner.y[0].orZero), region: region, unitsPerPixel: middle.unitsPerPixel,
      bearing: middle.bearing, layers: placed)
  }

  /// Returns the size of a pixel at the middle of a tile in units of 4096 along its side, and the clockwise direction of
  /// its up.
  private func middle(of place: Place) -> (unitsPerPixel: Double, bearing: Double) {
    let side = 2 * WebMercator.halfWorld / Double(1 << place.tile.zoom)
    let x = (Double(place.column) + 0.5) * side - WebMercator.halfWorld
    let y = WebMercator.halfWorld - (Double(place.tile.row) + 0.5) * side
    let step = side / 64
    var (xs, ys) = ([x - step, x + step, x, x], [y, y, y - step, y + step])
    project(x: &xs, y: &ys)
    let across = ((xs[1] - xs[0]) * (xs[1] - xs[0]) + (ys[1] - ys[0]) * (ys[1] - ys[0])).squareRoot() * 32
    let bearing = atan2(xs[3] - xs[2], ys[2] - ys[3]) * 180 / .pi
    guard across.isFinite, across > 0, bearing.isFinite else {
      return (8 / view.pixelRatio, -view.viewpoint.rotation)
    }
    if reference == .webMercator { return (4096 / across, -view.viewpoint.rotation) }
    return (4096 / across, bearing)
  }

  /// Returns geometries in units of a tile and in pixels, with as many vertices each.
  private func placed(
    _ buffer: CoordinateBuffer, extent: Double, in place: Place, parts: Double
  ) -> (units: CoordinateBuffer, pixels: CoordinateBuffer) {
    let side = 2 * WebMercator.halfWorld / Double(1 << place.tile.zoom)
    let left = Double(place.column) * side - WebMercator.halfWorld
    let top = WebMercator.halfWorld - Double(place.tile.row) * side
    let unit = side / extent
    guard reference == .webMercator else {
      let units = buffer.divided(longerThan: extent / parts)
      var (x, y) = (units.x.map { left + $0 * unit }, units.y.map { top - $0 * unit })
      project(x: &x, y: &y)
      let (pixels, lost) = units.moved(x: x, y: y)
      return lost == 0 ? (units, pixels) : (units.moved(x: x, y: y, keeping: units), pixels)
    }
    // Subtracting the centre first keeps the precision that streets need.
    let origin = pixel(mapX: left, mapY: top)
    let (right, down) = (unit * pixelsPerUnit * cosine, unit * pixelsPerUnit * sine)
    var pixels = buffer
    pixels.moveVertices { x, y in
      for index in x.indices {
        let (u, v) = (x[index], y[index])
        x[index] = origin.x + u * right + v * down
        y[index] = origin.y + v * right - u * down
      }
    }
    return (buffer, pixels)
  }
}

extension Double {
  /// The number; 0 if it is not finite.
  fileprivate var orZero: Double { isFinite ? self : 0 }
}

extension CoordinateBuffer {
  /// Returns the same geometries with edges of lines and rings divided that are longer than a length.
  fileprivate func divided(longerThan length: Double) -> CoordinateBuffer {
    guard kind == .polyline || kind == .polygon else { return self }
    var result = CoordinateBuffer(kind: kind)
    result.reserve(rows: rowCount, vertices: vertexCount)
    // A hostile tile may have many features of any length.
    var room = 4 << 20
    for row in 0..<rowCount {
      for part in parts(ofRow: row) {
        let range = vertices(ofPart: part)
        for vertex in range {
          if vertex > range.lowerBound {
            let (x0, y0) = (x[vertex - 1], y[vertex - 1])
            let (dx, dy) = (x[vertex] - x0, y[vertex] - y0)
            let count = Int(clamping: (max(abs(dx), abs(dy)) / length).rounded(.up))
            if count > 1, count <= room {
              room -= count
              for step in 1..<count {
                let share = Double(step) / Double(count)
                result.appendVertex(x: x0 + dx * share, y: y0 + dy * share)
              }
            }
          }
          result.appendVertex(x: x[vertex], y: y[vertex])
        }
        result.endPart()
      }
      result.endRow()
    }
    return result
  }

  /// Returns the rows of a buffer, empty where other coordinates of the same vertices are not finite.
  fileprivate func moved(x: [Double], y: [Double], keeping other: CoordinateBuffer) -> CoordinateBuffer {
    let lost = zip(x, y).map { $0.isFinite && $1.isFinite }
    return other.moved(
      x: zip(other.x, lost).map { $1 ? $0 : .nan }, y: zip(other.y, lost).map { $1 ? $0 : .nan }
    ).buffer
  }
}
