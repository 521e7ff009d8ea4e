public import MapGeometry
public import MapImages
public import MapModel

/// A place in a view: view pixels (1/96 inch) from its top left corner, y down.
public struct ScreenPoint: Hashable, Sendable {
  /// To the right.
  public let x: Double
  /// Down.
  public let y: Double

  /// A place.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// A rectangle in a view: view pixels (1/96 inch) from its top left corner, y down.
public struct ScreenRect: Hashable, Sendable {
  /// The left side.
  public let x: Double
  /// The upper side.
  public let y: Double
  /// To the right.
  public let width: Double
  /// Down.
  public let height: Double

  /// A rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

extension MapView {
  /// What the view shows: one ring of its four corners in Web Mercator, not wrapped at ±180°.
  public var visibleArea: Polygon? { viewpoint.area((width, height)) }

  /// Metres that one view pixel covers.
  public var unitsPerPoint: Double { viewpoint.resolution }

  /// The viewpoint in one of the two ways; the bounding geometry is the upright box around the visible area.
  public func currentViewpoint(kind: Viewpoint.Kind) -> Viewpoint? {
    viewpoint.viewpoint(kind, (width, height))
  }

  /// The upright box in Web Mercator around a rectangle of the view; nil for one that is not finite.
  public func envelope(fromViewRect rect: ScreenRect) -> Envelope? {
    let place = viewpoint
    let corners = [
      (rect.x, rect.y), (rect.x + rect.width, rect.y), (rect.x, rect.y + rect.height),
      (rect.x + rect.width, rect.y + rect.height),
    ].map { place.location(of: ScreenPoint(x: $0, y: $1), (width, height)) }
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    // The whole view is what counts use, to the last bit.
    if rect == ScreenRect(x: 0, y: 0, width: width, height: height) {
      return place.envelope(width: width, height: height)
    }
    return Envelope(of: corners, spatialReference: .webMercator)
  }

  /// The place on the map under a place of the view, in Web Mercator and not wrapped; nil for one that is not finite.
  public func location(fromScreenPoint point: ScreenPoint) -> Point? {
    let place = viewpoint.location(of: point, (width, height))
    return place.x.isFinite && place.y.isFinite ? place : nil
  }

  /// The place of the view over a place on the map, in the world that the view's centre is nearest to; nil for one
  /// without an image in Web Mercator.
  public func screenPoint(fromLocation location: Point) -> ScreenPoint? {
    let reference = location.spatialReference ?? .webMercator
    guard
      let place = location.extent.with(spatialReference: reference).projected(to: .webMercator)?.center,
      place.x.isFinite, place.y.isFinite
    else { return nil }
    let view = viewpoint
    let world = 2 * WebMercator.halfWorld
    let east = place.x - view.center.x - ((place.x - view.center.x) / world).rounded() * world
    let north = place.y - view.center.y
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.rotation)
    return ScreenPoint(
      x: width / 2 + (east * cosine - north * sine) / view.resolution,
      y: height / 2 - (east * sine + north * cosine) / view.resolution)
  }

  /// Shows a viewpoint; true when it is done, false for one that cannot be shown.
  ///
  /// The duration is taken and takes no time.
  @discardableResult
  public func setViewpoint(_ viewpoint: Viewpoint, duration: Double) async -> Bool {
    succeeds { () throws(MappingError) in try setViewpoint(viewpoint) }
  }

  /// Shows a place at a scale, by default the one that the view has.
  @discardableResult
  public func setViewpointCenter(_ center: Point, scale: Double? = nil) async -> Bool {
    succeeds { () throws(MappingError) in
      try setViewpoint(Viewpoint(center: center, scale: scale ?? viewpoint.scale))
    }
  }

  /// Changes the scale about the centre.
  @discardableResult
  public func setViewpointScale(_ scale: Double) async -> Bool {
    succeeds { () throws(MappingError) in
      try setViewpoint(Viewpoint(center: viewpoint.center, scale: scale))
    }
  }

  /// Turns the picture to a rotation.
  @discardableResult
  public func setViewpointRotation(_ rotation: Double) async -> Bool {
    succeeds { () throws(MappingError) in try rotate(by: rotation - viewpoint.rotation) }
  }

  /// Shows a geometry with so many view pixels free on every side, at least; one without width and height only moves
  /// the view.
  @discardableResult
  public func setViewpointGeometry(_ geometry: any Geometry, padding: Double = 0) async -> Bool {
    succeeds { () throws(MappingError) in
      guard !geometry.isEmpty else { throw .impossibleView("an empty geometry cannot be shown") }
      try setViewpoint(Viewpoint(boundingGeometry: geometry), padding: padding)
    }
  }

  private func succeeds(_ body: () throws(MappingError) -> Void) -> Bool {
    do { try body() } catch { return false }
    return true
  }

  /// The picture of the view once its layers are loaded; a layer that cannot be drawn is left out.
  ///
  /// - Throws: ``MapError``.
  public func exportImage(threads: Int = 1) async throws -> Bitmap {
    await load()
    return try await freeze().withoutFaults().render(threads: threads).bitmap
  }
}

extension ResolvedViewpoint {
  func location(of point: ScreenPoint, _ size: (width: Double, height: Double)) -> Point {
    let ground = turned(
      x: (point.x - size.width / 2) * resolution, y: (size.height / 2 - point.y) * resolution)
    return Point(x: center.x + ground.x, y: center.y + ground.y, spatialReference: .webMercator)
  }

  func area(_ size: (width: Double, height: Double)) -> Polygon {
    Polygon(parts: [corners(width: size.width, height: size.height)], spatialReference: .webMercator)
  }

  func viewpoint(_ kind: Viewpoint.Kind, _ size: (width: Double, height: Double)) -> Viewpoint {
    switch kind {
    case .centerAndScale: Viewpoint(center: center, scale: scale, rotation: rotation)
    case .boundingGeometry:
      Viewpoint(boundingGeometry: envelope(width: size.width, height: size.height), rotation: rotation)
    }
  }
}
