import MapFeatures
public import MapGeometry

/// A viewpoint after fitting: a centre, units a pixel and a turn that place the map on a canvas.
///
/// - Units: centre in the map's reference; resolution in units of it, metres in Web Mercator, a view pixel (1/96 inch);
///   rotation in degrees, the compass heading of the picture's top edge where north is up.
public struct ResolvedViewpoint: Hashable, Sendable {
  /// The middle of the canvas.
  public let center: Point
  /// Units of the map's reference that one view pixel covers.
  public let resolution: Double
  /// The N of 1:N, in Web Mercator and in degrees true at the equator only: the very number that the view was asked for,
  /// where it was.
  public let scale: Double
  /// Counter-clockwise turn of the picture, 0 ..< 360.
  public let rotation: Double
  /// The N of 1:N for one unit a pixel.
  private let scalePerUnit: Double

  /// The map's reference.
  public var reference: SpatialReference { center.spatialReference ?? .webMercator }

  /// The N of 1:N for one metre a pixel: 96 pixels an inch and 39.37 inches a metre.
  ///
  /// - Source: Esri's tiling scheme, whose level 0 is 1:591,657,527.59 at 156,543.034 m. The exact inch would be off
  ///   by 2e-6, the OGC pixel of 0.28 mm by 6 %: do not mix them.
  public static let scalePerResolution = 96 * 39.37

  /// The scales that a view can have.
  ///
  /// - Source: ours. Below, doubles cannot place a pixel; above, the world is smaller than a marker.
  public static let scaleLimits = 0.001...1e10

  /// How far from the origin a view can look, in metres: 25,000 worlds, where doubles still tell 0.2 mm apart.
  ///
  /// - Source: ours.
  static let farthestPlace = 1e12

  /// The centre must be finite, in the plane's reference, and the resolution above 0.
  package init(center: Point, resolution: Double, rotation: Double, on plane: MapPlane = .webMercator) {
    (self.center, self.resolution, self.rotation) = (center, resolution, rotation)
    scalePerUnit = plane.scalePerResolution
    scale = resolution * plane.scalePerResolution
  }

  /// The centre must be finite, in the plane's reference, and the scale above 0.
  package init(center: Point, scale: Double, rotation: Double, on plane: MapPlane = .webMercator) {
    self.init(center: center, scale: scale, rotation: rotation, scalePerUnit: plane.scalePerResolution)
  }

  private init(center: Point, scale: Double, rotation: Double, scalePerUnit: Double) {
    (self.center, self.scale, self.rotation, self.scalePerUnit) = (center, scale, rotation, scalePerUnit)
    resolution = scale / scalePerUnit
  }

  /// The same place with its scale within a map's limits, each the N of 1:N with 0 for open; the centre stays.
  ///
  /// Where the limits contradict each other `maxScale` holds.
  ///
  /// - Source: ArcGIS Maps SDK: the limits of a map clamp the scale after fitting.
  package func clamped(minScale: Double, maxScale: Double) -> ResolvedViewpoint {
    var allowed = scale
    // NaN compares false: no limit.
    if minScale > 0 { allowed = min(allowed, minScale) }
    if maxScale > 0 { allowed = max(allowed, maxScale) }
    allowed = min(max(allowed, Self.scaleLimits.lowerBound), Self.scaleLimits.upperBound)
    return allowed == scale
      ? self
      : ResolvedViewpoint(
        center: center, scale: allowed, rotation: rotation, scalePerUnit: scalePerUnit)
  }

  /// The same scale and turn with the centre within an envelope; one that is empty, or has no place on the plane, limits
  /// nothing.
  package func centered(in limit: Envelope?, on plane: MapPlane = .webMercator) -> ResolvedViewpoint {
    guard let limit,
      let box = try? plane.operations.box(
        around: limit.with(spatialReference: limit.spatialReference ?? reference), in: reference),
      !box.isEmpty, !box.contains(center.extent)
    else { return self }
    return with(
      x: min(max(center.x, box.xMin), box.xMax), y: min(max(center.y, box.yMin), box.yMax))
  }

  /// The same scale and turn, the centre moved by view pixels, right and down.
  package func moved(right: Double, down: Double) -> ResolvedViewpoint {
    guard right != 0 || down != 0 else { return self }
    let step = turned(x: right * resolution, y: -down * resolution)
    return with(x: center.x + step.x, y: center.y + step.y)
  }

  private func with(x: Double, y: Double) -> ResolvedViewpoint {
    ResolvedViewpoint(center: Point(x: x, y: y, spatialReference: reference), of: self)
  }

  private init(center: Point, of other: ResolvedViewpoint) {
    self.center = center
    (resolution, scale, rotation) = (other.resolution, other.scale, other.rotation)
    scalePerUnit = other.scalePerUnit
  }

  /// The corners of a canvas of so many view pixels, from the top left clockwise, in the map's reference.
  public func corners(width: Double, height: Double) -> [Point] {
    let (w, h) = (width / 2 * resolution, height / 2 * resolution)
    return [(-w, h), (w, h), (w, -h), (-w, -h)].map { x, y in
      let ground = turned(x: x, y: y)
      return Point(x: center.x + ground.x, y: center.y + ground.y, spatialReference: reference)
    }
  }

  /// The upright box around what a canvas shows; it crosses ±180° where the view does, and is not wrapped.
  public func envelope(width: Double, height: Double) -> Envelope {
    Envelope(of: corners(width: width, height: height), spatialReference: reference)
  }

  /// Units east and north for units right and up on the canvas.
  public func turned(x: Double, y: Double) -> (x: Double, y: Double) {
    let (cosine, sine) = Self.cosineAndSine(rotation)
    // The inverse of the screen's own: sx = dx cos - dy sin, sy = dx sin + dy cos.
    return (x * cosine + y * sine, y * cosine - x * sine)
  }

  /// Cosine and sine of degrees, exact at the quarter turns.
  package static func cosineAndSine(_ degrees: Double) -> (Double, Double) {
    switch degrees {
    case 0: (1, 0)
    case 90: (0, 1)
    case 180: (-1, 0)
    case 270: (0, -1)
    default: (cosine(degrees), sine(degrees))
    }
  }

  /// Places a viewpoint on a canvas of `width` by `height` view pixels.
  ///
  /// A geometry is fitted inside the padding: its envelope, turned, must fit, and the canvas shows it to the last
  /// bit. One without width and height only moves the centre and keeps `current`'s scale; where there is no
  /// current one it takes 1:50,000, ours, which shows a town.
  ///
  /// - Source: ArcGIS Maps SDK: fit, padding as a minimum, points that only pan; ours: the last bit, padding that
  ///   leaves nothing is none.
  /// - Throws: ``MappingError/impossibleView(_:)`` for a centre without a place on the plane or a scale outside the
  ///   limits.
  package static func resolve(
    _ viewpoint: Viewpoint, on plane: MapPlane = .webMercator, width: Double, height: Double,
    padding: Double = 0,
    current: ResolvedViewpoint? = nil
  ) throws(MappingError) -> ResolvedViewpoint {
    let rotation = viewpoint.rotation.isNaN ? current?.rotation ?? 0 : viewpoint.rotation
    switch viewpoint.target {
    case .center(let point, let scale):
      guard scaleLimits.contains(scale) else {
        throw .impossibleView("scale \(plain(scale)) is impossible; 0.001 to 10,000,000,000 can be shown")
      }
      let center = try plane.box(of: point.extent, "the centre").center
      return ResolvedViewpoint(center: center, scale: scale, rotation: rotation, on: plane)
    case .boundingGeometry(let envelope):
      let box = try plane.box(of: envelope, "the bounding geometry")
      let keep = current?.scale ?? 50_000
      guard box.width > 0 || box.height > 0 else {
        return ResolvedViewpoint(center: box.center, scale: keep, rotation: rotation, on: plane)
      }
      // Padding that leaves nothing is no padding.
      let inset = 2 * padding < min(width, height) ? padding : 0
      let (cosine, sine) = cosineAndSine(rotation)
      // Turned, a place on the box's side is rounded on its way to the picture, where it is asked whether it is in.
      let farthest = max(abs(box.xMin), abs(box.xMax), abs(box.yMin), abs(box.yMax))
      let slack = rotation == 0 ? 0 : 16 * farthest.ulp + (box.width + box.height) * 0x1p-46
      let turnedWidth = box.width * abs(cosine) + box.height * abs(sine) + slack
      let turnedHeight = box.width * abs(sine) + box.height * abs(cosine) + slack
      var fitted = ResolvedViewpoint(
        center: box.center,
        resolution: max(turnedWidth / (width - 2 * inset), turnedHeight / (height - 2 * inset)),
        rotation: rotation, on: plane)
      // Rounding may leave a side outside by a bit, here or back in the other built-in reference, in which a table is
      // asked.
      let written = plane.reference.isBuiltIn ? imageable(envelope) : nil
      func shows() -> Bool {
        let shown = fitted.envelope(width: width - 2 * inset, height: height - 2 * inset)
        guard shown.contains(box) else { return false }
        guard let written, let back = shown.projected(to: envelope.spatialReference ?? plane.reference) else {
          return true
        }
        return back.contains(written)
      }
      // The step doubles, so this ends.
      var step = 0x1p-52
      while !shows(), step < 1 {
        fitted = ResolvedViewpoint(
          center: fitted.center, resolution: fitted.resolution * (1 + step), rotation: rotation, on: plane)
        step *= 2
      }
      guard fitted.scale <= scaleLimits.upperBound else {
        throw .impossibleView(
          "the bounding geometry would need scale \(plain(fitted.scale)), which is impossible")
      }
      // Nearer than can be shown, the geometry still lies in the view.
      return fitted.clamped(minScale: 0, maxScale: 0)
    }
  }

  /// The part of an envelope that Web Mercator's world square shows, eastward past 180 degrees where it crosses; nil in
  /// a reference that is not built in.
  private static func imageable(_ envelope: Envelope) -> Envelope? {
    guard let world = Envelope.worldWidth(of: envelope.spatialReference) else { return nil }
    let limit = envelope.spatialReference == .wgs84 ? WebMercator.latitudeLimit : .infinity
    return Envelope(
      xMin: envelope.xMin, yMin: min(max(envelope.yMin, -limit), limit),
      xMax: envelope.xMax < envelope.xMin ? envelope.xMax + world : envelope.xMax,
      yMax: min(max(envelope.yMax, -limit), limit))
  }

  static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(clamping: number))" : "\(number)"
  }
}
