import MapFeatures
package import MapGeometry
package import MapModel
import MapSystem

/// A transform from a table's coordinates to pixels of the image.
///
/// It projects to the map's spatial reference, subtracts the centre, rotates, and divides by the units per pixel.
/// Subtracting first keeps the precision that streets need.
package struct ViewTransform: Sendable {
  /// The image in pixels, from (0, 0) at the top left.
  package let canvas: Envelope
  /// The projection to the map's spatial reference; tables in others are projected before.
  private let projection: BuiltInProjection
  private let worldWidth: Double
  private let centerX: Double
  private let centerY: Double
  private let cosine: Double
  private let sine: Double
  private let pixelsPerUnit: Double

  /// Creates a transform for tables in the spatial reference in which they are shown, see
  /// ``SpatialReference/shown(on:)``.
  package init(_ view: ViewState, from reference: SpatialReference?) {
    let map = view.spatialReference
    projection = BuiltInProjection(from: reference, to: map)
    worldWidth = Envelope.worldWidth(of: map) ?? 0
    (centerX, centerY) = (view.viewpoint.center.x, view.viewpoint.center.y)
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
    pixelsPerUnit = view.pixelRatio / view.viewpoint.resolution
    canvas = Envelope(
      xMin: 0, yMin: 0, xMax: view.width * view.pixelRatio, yMax: view.height * view.pixelRatio)
  }

  /// Returns the pixel of a point in the world copy `world` worlds east of the first.
  package func pixel(x: Double, y: Double, world: Int) -> (x: Double, y: Double) {
    let (mapX, mapY) = mapPoint(x: x, y: y)
    return pixel(mapX: mapX, mapY: mapY, world: world)
  }

  /// Returns a point in the spatial reference of the map.
  package func mapPoint(x: Double, y: Double) -> (x: Double, y: Double) { projection.point(x: x, y: y) }

  /// Returns the pixel of a point in the spatial reference of the map, in a world copy.
  func pixel(mapX: Double, mapY: Double, world: Int) -> (x: Double, y: Double) {
    let (east, north) = (mapX - centerX + Double(world) * worldWidth, mapY - centerY)
    return (
      (east * cosine - north * sine) * pixelsPerUnit + canvas.xMax / 2,
      canvas.yMax / 2 - (east * sine + north * cosine) * pixelsPerUnit
    )
  }

  /// The greatest error of a position, as a share of the size of the world or of the map's coordinates.
  ///
  /// - Source: the functions of the C library that a database uses have an error of a few units in the last place, which is
  ///   1e-15; the margin is a thousand times larger.
  private static let positionError = 1e-12

  /// Returns the groups of points that are in the same cells and have the same class; nil where rounding decides too many
  /// cells.
  func groups(
    in grid: CellGrid, worlds: ClosedRange<Int>, classFields: [PointGroups.ClassField]
  ) -> PointGroups? {
    let size = max(worldWidth, abs(centerX), abs(centerY)) * Double(worlds.count)
    let margin = size * Self.positionError * pixelsPerUnit + canvas.xMax * Self.positionError * 1e3
    guard margin < 0.1 else { return nil }
    return PointGroups(
      projection, center: (centerX, centerY),
      copies: worlds.map { Double($0) * worldWidth }, direction: (cosine, sine), pixelsPerUnit: pixelsPerUnit,
      size: (canvas.xMax, canvas.yMax),
      cells: grid.shape == .pixel
        ? .squares(grid.side)
        : .hexagons(
          PointGroups.Hexagons(side: grid.side, originX: grid.originX, originY: grid.originY)),
      margin: margin, classFields: classFields)
  }

  /// Projects the vertices of a row to pixels, as the only row of a buffer of the same kind; not for points.
  ///
  /// - Returns: their envelope; empty if the row has none.
  @discardableResult
  func project(
    _ row: Int, of geometry: CoordinateBuffer, world: Int, into pixels: inout CoordinateBuffer
  ) -> Envelope {
    pixels.removeAll()
    var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    pixels.appendRow(row, of: geometry) { x, y, columns, rows in
      for vertex in x.indices {
        let place = pixel(x: x[vertex], y: y[vertex], world: world)
        columns.append(place.x)
        rows.append(place.y)
        let both = SIMD2(place.x, place.y)
        low.replace(with: both, where: both .< low)
        high.replace(with: both, where: both .> high)
      }
    }
    return low.x <= high.x ? Envelope(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y) : .empty
  }

  /// Returns the world offsets at which data are visible in the view; 0 is their stored position.
  ///
  /// The result is 0 alone while the view shows only -180 to 180 degrees and the data lie in that world only.
  ///
  /// - Parameters:
  ///   - extent: the shown extent; if the world does not repeat in its spatial reference, the result is 0 alone.
  ///   - data: the world copies in which the data lie.
  package static func worlds(shownIn extent: Envelope, of data: ClosedRange<Int>) -> ClosedRange<Int> {
    guard let world = Envelope.worldWidth(of: extent.spatialReference) else { return 0...0 }
    // The scale's upper limit keeps both values far inside the range of Int.
    let first = ((extent.xMin + world / 2) / world).rounded(.down)
    let last = ((extent.xMax + world / 2) / world).rounded(.down)
    return Int(clamping: first) - data.upperBound...Int(clamping: last) - data.lowerBound
  }
}
