public import MapGeometry
public import MapImages
public import MapModel

/// The position of the map on a view of a given size, and the visible part of it.
struct ViewPlace: Hashable, Sendable {
  let viewpoint: ResolvedViewpoint
  let width: Double
  let height: Double
  /// The effective insets.
  var insets = EdgeInsets()

  /// The viewpoint of the visible part.
  var inSight: ResolvedViewpoint {
    viewpoint.moved(right: insets.middle.right, down: insets.middle.down)
  }

  private var widthInSight: Double { width - insets.leading - insets.trailing }
  private var heightInSight: Double { height - insets.top - insets.bottom }

  var area: Polygon {
    Polygon(
      parts: [inSight.corners(width: widthInSight, height: heightInSight)],
      spatialReference: viewpoint.reference)
  }

  func viewpoint(_ kind: Viewpoint.Kind) -> Viewpoint {
    let shown = inSight
    return switch kind {
    case .centerAndScale:
      Viewpoint(center: shown.center, scale: shown.scale, rotation: shown.rotation)
    case .boundingGeometry:
      Viewpoint(
        boundingGeometry: shown.envelope(width: widthInSight, height: heightInSight),
        rotation: shown.rotation)
    }
  }

  func location(of point: ScreenPoint) -> Point {
    let ground = viewpoint.turned(
      x: (point.x - width / 2) * viewpoint.resolution, y: (height / 2 - point.y) * viewpoint.resolution)
    return Point(
      x: viewpoint.center.x + ground.x, y: viewpoint.center.y + ground.y,
      spatialReference: viewpoint.reference)
  }
}

extension MapView {
  /// The position of the map; nil before the view has a size.
  var place: ViewPlace? {
    withPlace {
      guard width > 0 else { return nil }
      return ViewPlace(
        viewpoint: viewpoint, width: width, height: height,
        insets: contentInsets.inForce(width: width, height: height))
    }
  }

  /// The visible part of the view as a polygon in the map's spatial reference; nil before the view has a size.
  ///
  /// It is one ring of the four corners of the part that ``contentInsets`` do not cover. It is not wrapped at
  /// ±180°.
  public var visibleArea: Polygon? { place?.area }

  /// The units of the map's spatial reference per view pixel, metres in Web Mercator.
  public var unitsPerPoint: Double { viewpoint.resolution }

  /// Returns the viewpoint in the given form; nil before the view has a size.
  ///
  /// The bounding geometry is the envelope of the visible area.
  public func currentViewpoint(kind: Viewpoint.Kind) -> Viewpoint? { place?.viewpoint(kind) }

  /// Returns the envelope of a rectangle of the view, in the map's spatial reference.
  ///
  /// Returns nil for a rectangle that is not finite, and before the view has a size.
  public func envelope(fromViewRect rect: ScreenRect) -> Envelope? {
    guard let place else { return nil }
    let corners = [
      (rect.x, rect.y), (rect.x + rect.width, rect.y), (rect.x, rect.y + rect.height),
      (rect.x + rect.width, rect.y + rect.height),
    ].map { place.location(of: ScreenPoint(x: $0, y: $1)) }
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    // For the whole view, the result is exactly the extent that counts use.
    if rect == ScreenRect(x: 0, y: 0, width: place.width, height: place.height) {
      return place.viewpoint.envelope(width: place.width, height: place.height)
    }
    return Envelope(of: corners, spatialReference: place.viewpoint.reference)
  }

  /// Returns the location on the map at a point of the view, in the map's spatial reference and not wrapped.
  ///
  /// Returns nil for a point that is not finite, and before the view has a size.
  public func location(fromScreenPoint point: ScreenPoint) -> Point? {
    guard let ground = place?.location(of: point), ground.x.isFinite, ground.y.isFinite else { return nil }
    return ground
  }

  /// Returns the point of the view at a location on the map, in the world copy nearest to the view's centre.
  ///
  /// Returns nil for a location without an image in the map's spatial reference, and before the view has a size.
  public func screenPoint(fromLocation location: Point) -> ScreenPoint? {
    guard let shown = place, let ground = plane.place(location) else { return nil }
    let view = shown.viewpoint
    var east = ground.x - view.center.x
    if let world = Envelope.worldWidth(of: view.reference) { east -= (east / world).rounded() * world }
    let north = ground.y - view.center.y
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.rotation)
    return ScreenPoint(
      x: shown.width / 2 + (east * cosine - north * sine) / view.resolution,
      y: shown.height / 2 - (east * sine + north * cosine) / view.resolution)
  }

  /// Shows the viewpoint of a bookmark; returns false if it cannot be shown.
  @discardableResult
  public func setBookmark(_ bookmark: Bookmark, duration: Double = 0) async -> Bool {
    await setViewpoint(bookmark.viewpoint, duration: duration)
  }

  /// Shows a viewpoint; returns false if it cannot be shown.
  ///
  /// The duration is ignored: the change is immediate.
  @discardableResult
  public func setViewpoint(_ viewpoint: Viewpoint, duration: Double) async -> Bool {
    succeeds { () throws(MapStateError) in try setViewpoint(viewpoint) }
  }

  /// Centres the view on a point, at a given scale or at the current one; returns false if this is impossible.
  @discardableResult
  public func setViewpointCenter(_ center: Point, scale: Double? = nil) async -> Bool {
    succeeds { () throws(MapStateError) in
      try setViewpoint(Viewpoint(center: center, scale: scale ?? viewpoint.scale))
    }
  }

  /// Changes the scale about the centre; returns false if this is impossible.
  @discardableResult
  public func setViewpointScale(_ scale: Double) async -> Bool {
    succeeds { () throws(MapStateError) in
      try move { Viewpoint(center: $0.center, scale: scale) }
    }
  }

  /// Rotates the view to a given rotation; returns false if this is impossible.
  @discardableResult
  public func setViewpointRotation(_ rotation: Double) async -> Bool {
    succeeds { () throws(MapStateError) in try rotate(by: rotation - viewpoint.rotation) }
  }

  /// Shows a geometry with at least `padding` free view pixels on every side; returns false if this is impossible.
  ///
  /// A geometry without width and height only moves the view.
  @discardableResult
  public func setViewpointGeometry(_ geometry: any Geometry, padding: Double = 0) async -> Bool {
    succeeds { () throws(MapStateError) in
      guard !geometry.isEmpty else { throw MapStateError(.usage, "an empty geometry cannot be shown") }
      try setViewpoint(Viewpoint(boundingGeometry: geometry), padding: padding)
    }
  }

  private func succeeds(_ body: () throws(MapStateError) -> Void) -> Bool {
    do { try body() } catch { return false }
    return true
  }

  /// Returns the image of the view after loading its layers; layers that cannot be drawn are left out.
  ///
  /// - Throws: ``MapStateError``.
  public func exportImage(threads: Int = 1) async throws(MapStateError) -> Bitmap {
    await load()
    return try await freeze().withoutFaults().render(threads: threads).bitmap
  }
}
