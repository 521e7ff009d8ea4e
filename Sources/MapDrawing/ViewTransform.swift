import Glibc
public import MapGeometry
public import MapModel

/// From a table's coordinates to pixels of the picture.
///
/// Project to the map's reference, subtract the centre, turn, divide by units a pixel. Subtracting first keeps the bits
/// that a street needs.
public struct ViewTransform: Sendable {
  /// The picture in pixels, from (0, 0) at the top left.
  public let canvas: Envelope
  /// What brings places to the map's reference, where that is built in; other tables come in it.
  private enum Way {
    case same
    case fromDegrees
    case toDegrees
  }

  private let way: Way
  private let worldWidth: Double
  private let centerX: Double
  private let centerY: Double
  private let cosine: Double
  private let sine: Double
  private let pixelsPerUnit: Double

  /// A transform for tables as they are shown, see ``SpatialReference/shown(on:)``.
  public init(_ view: ViewState, from reference: SpatialReference?) {
    let map = view.spatialReference
    way =
      switch (reference, map) {
      case (.some(.wgs84), .webMercator): .fromDegrees
      case (.some(.webMercator), .wgs84): .toDegrees
      default: .same
      }
    worldWidth = Envelope.worldWidth(of: map) ?? 0
    (centerX, centerY) = (view.viewpoint.center.x, view.viewpoint.center.y)
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
    pixelsPerUnit = view.pixelRatio / view.viewpoint.resolution
    canvas = Envelope(
      xMin: 0, yMin: 0, xMax: view.width * view.pixelRatio, yMax: view.height * view.pixelRatio)
  }

  /// The pixel of a place, in the world `world` worlds east of the first.
  public func pixel(x: Double, y: Double, world: Int) -> (x: Double, y: Double) {
    let (mapX, mapY) =
      switch way {
      case .same: (x, y)
      case .fromDegrees: (WebMercator.x(longitude: x), Self.finiteY(latitude: y))
      case .toDegrees: (WebMercator.longitude(x: x), WebMercator.latitude(y: y))
      }
    let (east, north) = (mapX - centerX + Double(world) * worldWidth, mapY - centerY)
    return (
      (east * cosine - north * sine) * pixelsPerUnit + canvas.xMax / 2,
      canvas.yMax / 2 - (east * sine + north * cosine) * pixelsPerUnit
    )
  }

  /// The pixels of a row's vertices as the one row of a buffer of the same kind; not for points.
  func project(_ row: Int, of geometry: CoordinateBuffer, world: Int, into pixels: inout CoordinateBuffer) {
    pixels.removeAll()
    pixels.appendRow(row, of: geometry)
    pixels.moveVertices { x, y in
      for vertex in 0..<x.count { (x[vertex], y[vertex]) = pixel(x: x[vertex], y: y[vertex], world: world) }
    }
  }

  /// Web Mercator's y; the poles, which have no image, lie far outside the world square, so that rings keep closed.
  private static func finiteY(latitude: Double) -> Double {
    let y = WebMercator.y(latitude: latitude)
    return y.isFinite ? y : copysign(16 * WebMercator.halfWorld, latitude)
  }

  /// By how many worlds data are moved that show in the view: 0 is where they are written, and all there is while the
  /// view shows the world from -180 to 180 degrees alone and the data reach into no other.
  ///
  /// - Parameters:
  ///   - extent: what is shown; in a reference where the world does not repeat, 0 is all there is.
  ///   - data: the worlds that the data lie in.
  public static func worlds(shownIn extent: Envelope, of data: ClosedRange<Int>) -> ClosedRange<Int> {
    guard let world = Envelope.worldWidth(of: extent.spatialReference) else { return 0...0 }
    // The scale's upper limit keeps both far inside Int.
    let first = ((extent.xMin + world / 2) / world).rounded(.down)
    let last = ((extent.xMax + world / 2) / world).rounded(.down)
    return Int(clamping: first) - data.upperBound...Int(clamping: last) - data.lowerBound
  }
}
