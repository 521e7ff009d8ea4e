import MapFeatures
public import MapGeometry
import MapSystem

/// A viewpoint fitted to a canvas: centre, resolution and rotation of the map.
///
/// - Units: the centre is in the map's spatial reference. The resolution is in its units (metres in Web Mercator) per
///   view pixel of 1/96 inch. The rotation is in degrees: the compass heading of the image's top edge,
///   where north is up.
public struct ResolvedViewpoint: Hashable, Sendable {
  /// The centre of the canvas.
  public let center: Point
  /// The size of a view pixel, in units of the map's spatial reference.
  public let resolution: Double
  /// The scale denominator, exactly the requested number if the request had one.
  ///
  /// In Web Mercator and in degrees it is true at the equator only.
  public let scale: Double
  /// The counter-clockwise rotation of the image in degrees, 0 ..< 360.
  public let rotation: Double
  /// The scale denominator at one unit per view pixel.
  private let scalePerUnit: Double

  /// The map's spatial reference.
  public var reference: SpatialReference { center.spatialReference ?? .webMercator }

  /// The scale denominator at one metre per view pixel: 96 pixels per inch and 39.37 inches per metre.
  ///
  /// - Source: Esri's tiling scheme, whose level 0 is 1:591,657,527.59 at 156,543.034 m. The exact inch differs by
  ///   2e-6, the OGC pixel of 0.28 mm by 6 %: do not mix them.
  public static let scalePerResolution = 96 * 39.37

  /// The scale denominators that a view can have.
  ///
  /// - Source: design decision. Below, doubles cannot position a pixel; above, the world is smaller than a marker.
  public static let scaleLimits = 0.001...1e10

  /// The largest distance from the origin that a view can show, in metres.
  ///
  /// It is 25,000 world widths; there, doubles still distinguish 0.2 mm.
  ///
  /// - Source: design decision.
  static let farthestPlace = 1e12

  /// Creates a viewpoint; the centre must be finite and on the plane, and the resolution above 0.
  package init(center: Point, resolution: Double, rotation: Double, on plane: MapPlane = .webMercator) {
    (self.center, self.resolution, self.rotation) = (center, resolution, rotation)
    scalePerUnit = plane.scalePerResolution
    scale = resolution * plane.scalePerResolution
  }

  /// Creates a viewpoint; the centre must be finite and on the plane, and the scale denominator above 0.
  package init(center: Point, scale: Double, rotation: Double, on plane: MapPlane = .webMercator) {
    self.init(center: center, scale: scale, rotation: rotation, scalePerUnit: plane.scalePerResolution)
  }

  private init(center: Point, scale: Double, rotation: Double, scalePerUnit: Double) {
    (self.center, self.scale, self.rotation, self.scalePerUnit) = (center, scale, rotation, scalePerUnit)
    resolution = scale / scalePerUnit
  }

  /// Returns the viewpoint with its scale limited to a range of scale denominators; the centre stays.
  ///
  /// A limit of 0 means no limit. When the limits contradict each other, `maxScale` takes precedence.
  ///
  /// - Source: ArcGIS Maps SDK: the limits of a map clamp the scale after fitting.
  package func clamped(minScale: Double, maxScale: Double) -> ResolvedViewpoint {
    var allowed = scale
    // NaN compares false and thus sets no limit.
    if minScale > 0 { allowed = min(allowed, minScale) }
    if maxScale > 0 { allowed = max(allowed, maxScale) }
    allowed = min(max(allowed, Self.scaleLimits.lowerBound), Self.scaleLimits.upperBound)
    return allowed == scale
      ? self
      : ResolvedViewpoint(
        center: center, scale: allowed, rotation: rotation, scalePerUnit: scalePerUnit)
  }

  /// Returns the viewpoint with its centre moved into an envelope; scale and rotation stay.
  ///
  /// An envelope that is empty, or has no position on the plane, limits nothing.
  package func centered(in limit: Envelope?, on plane: MapPlane = .webMercator) -> ResolvedViewpoint {
    guard let limit,
      let box = try? plane.operations.box(
        around: limit.with(spatialReference: limit.spatialReference ?? reference), in: reference),
      !box.isEmpty, !box.contains(center.extent)
    else { return self }
    return with(
      x: min(max(center.x, box.xMin), box.xMax), y: min(max(center.y, box.yMin), box.yMax))
  }

  /// Returns the viewpoint with its centre moved right and down by view pixels; scale and rotation stay.
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

  /// Returns the corners of a canvas in the map's spatial reference, clockwise from the top left.
  ///
  /// `width` and `height` are in view pixels.
  public func corners(width: Double, height: Double) -> [Point] {
    let (w, h) = (width / 2 * resolution, height / 2 * resolution)
    return [(-w, h), (w, h), (w, -h), (-w, -h)].map { x, y in
      let ground = turned(x: x, y: y)
      return Point(x: center.x + ground.x, y: center.y + ground.y, spatialReference: reference)
    }
  }

  /// Returns the box around the ground that a canvas shows.
  ///
  /// It continues past ±180° where the view does.
  public func envelope(width: Double, height: Double) -> Envelope {
    Envelope(of: corners(width: width, height: height), spatialReference: reference)
  }

  /// Converts a vector right and up on the canvas to a vector east and north on the map.
  public func turned(x: Double, y: Double) -> (x: Double, y: Double) {
    let (cosine, sine) = Self.cosineAndSine(rotation)
    // The inverse of the rotation to the screen: sx = dx cos - dy sin, sy = dx sin + dy cos.
    return (x * cosine + y * sine, y * cosine - x * sine)
  }

  /// Returns cosine and sine of an angle in degrees, exact at multiples of 90.
  package static func cosineAndSine(_ degrees: Double) -> (Double, Double) {
    switch degrees {
    case 0: (1, 0)
    case 90: (0, 1)
    case 180: (-1, 0)
    case 270: (0, -1)
    default: (cosine(degrees), sine(degrees))
    }
  }

  /// Fits a viewpoint to a canvas of `width` by `height` view pixels.
  ///
  /// A geometry is fitted inside the padding: its rotated envelope fits exactly, to the last bit. A geometry without
  /// width and height only moves the centre and keeps the scale of `current`. Without `current` the scale is then
  /// 1:50,000, a design decision, which shows a town.
  ///
  /// - Source: ArcGIS Maps SDK: fit, padding as a minimum, points that only pan. Design decisions: the exact last
  ///   bit, and padding that leaves no space is ignored.
  /// - Throws: `MappingError.impossibleView` for a centre without a position on the plane or a scale outside
  ///   the limits.
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
      // Padding that leaves no space is ignored.
      let inset = 2 * padding < min(width, height) ? padding : 0
      let (cosine, sine) = cosineAndSine(rotation)
      // With a rotation, a point on a side of the box is rounded before the test whether the image contains it.
      let farthest = max(abs(box.xMin), abs(box.xMax), abs(box.yMin), abs(box.yMax))
      let slack = rotation == 0 ? 0 : 16 * farthest.ulp + (box.width + box.height) * 0x1p-46
      let turnedWidth = box.width * abs(cosine) + box.height * abs(sine) + slack
      let turnedHeight = box.width * abs(sine) + box.height * abs(cosine) + slack
      var fitted = ResolvedViewpoint(
        center: box.center,
        resolution: max(turnedWidth / (width - 2 * inset), turnedHeight / (height - 2 * inset)),
        rotation: rotation, on: plane)
      // Rounding may leave a side outside by one bit: here, or in the other built-in spatial reference, in which a
      // table is queried.
      let written = plane.reference.isBuiltIn ? imageable(envelope) : nil
      func shows() -> Bool {
        let shown = fitted.envelope(width: width - 2 * inset, height: height - 2 * inset)
        guard shown.contains(box) else { return false }
        guard let written, let back = shown.projected(to: envelope.spatialReference ?? plane.reference) else {
          return true
        }
        return back.contains(written)
      }
      // The step doubles, so the loop ends.
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
      // If the fit needs a larger scale than allowed, the view at the limit still contains the geometry.
      return fitted.clamped(minScale: 0, maxScale: 0)
    }
  }

  /// Returns the part of an envelope that lies in Web Mercator's world square, continued eastward past 180 degrees.
  ///
  /// Nil in a spatial reference that is not built in.
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
