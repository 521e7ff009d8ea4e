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

/// Where the map lies on a view of a size, and what of it is in sight.
struct ViewPlace: Hashable, Sendable {
  let viewpoint: ResolvedViewpoint
  let width: Double
  let height: Double
  /// What is covered along the sides, in force.
  var insets = EdgeInsets()

  /// The viewpoint of what is in sight.
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
  /// Where the map lies; nil before the view has a size.
  var place: ViewPlace? {
    ModelGate.withLock {
      guard width > 0 else { return nil }
      return ViewPlace(
        viewpoint: viewpoint, width: width, height: height,
        insets: contentInsets.inForce(width: width, height: height))
    }
  }

  /// What of the view is in sight: one ring of its four corners in the map's reference, not wrapped at ±180°, without what
  /// ``contentInsets`` cover; nil before the view has a size.
  public var visibleArea: Polygon? { place?.area }

  /// Units of the map's reference, metres in Web Mercator, that one view pixel covers.
  public var unitsPerPoint: Double { viewpoint.resolution }

  /// The viewpoint in one of the two ways; nil before the view has a size.
  ///
  /// The bounding geometry is the upright box around the visible area.
  public func currentViewpoint(kind: Viewpoint.Kind) -> Viewpoint? { place?.viewpoint(kind) }

  /// The upright box in the map's reference around a rectangle of the view; nil for one that is not finite, and before the view
  /// has a size.
  public func envelope(fromViewRect rect: ScreenRect) -> Envelope? {
    guard let place else { return nil }
    let corners = [
      (rect.x, rect.y), (rect.x + rect.width, rect.y), (rect.x, rect.y + rect.height),
      (rect.x + rect.width, rect.y + rect.height),
    ].map { place.location(of: ScreenPoint(x: $0, y: $1)) }
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    // The whole view is what counts use, to the last bit.
    if rect == ScreenRect(x: 0, y: 0, width: place.width, height: place.height) {
      return place.viewpoint.envelope(width: place.width, height: place.height)
    }
    return Envelope(of: corners, spatialReference: place.viewpoint.reference)
  }

  /// The place on the map under a place of the view, in the map's reference and not wrapped; nil for one that is not finite,
  /// and before the view has a size.
  public func location(fromScreenPoint point: ScreenPoint) -> Point? {
    guard let ground = place?.location(of: point), ground.x.isFinite, ground.y.isFinite else { return nil }
    return ground
  }

  /// The place of the view over a place on the map, in the world that the view's centre is nearest to; nil for one
  /// without an image in the map's reference, and before the view has a size.
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

  /// Shows the place of a bookmark; true when it is done, false for one that cannot be shown.
  @discardableResult
  public func setBookmark(_ bookmark: Bookmark, duration: Double = 0) async -> Bool {
    await setViewpoint(bookmark.viewpoint, duration: duration)
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
      try move { Viewpoint(center: $0.center, scale: scale) }
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
