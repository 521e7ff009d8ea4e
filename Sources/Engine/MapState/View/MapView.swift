import MapBasemap
public import MapFeatures
public import MapFilter
import MapGeometry
public import MapModel
import Synchronization

/// A view of a map without a window: a size, a viewpoint, a time and graphics over the map.
///
/// A view answers without waiting. ``freeze(at:)`` returns a value for counting and drawing. As soon as a view has a
/// listener, such as ``onDrawStatusChanged(perform:)``, it loads and checks its layers after every change.
public final class MapView: Sendable {
  struct Settings: Sendable {
    var map: Map
    /// The size in view pixels covered by the whole output pixels of the image; 0 by 0 before the view has a size.
    var size: (width: Double, height: Double)
    var viewpoint: ResolvedViewpoint
    var timeExtent: TimeExtent?
    /// The fixed current time; nil for the system clock.
    var now: Instant?
    var overlays: [GraphicsOverlay]
    /// The colour of selected features; nil for that of the ground.
    var selectionColor: Color?
    var insets = EdgeInsets()
    /// Whether the view was never moved and its map has no start viewpoint.
    var isAtStart: Bool
    /// Whether the map of a new view is not loaded yet.
    var awaitsMap: Bool
    /// The viewpoint of a default view that leaves features outside, because they are far from all others.
    var leavingOutside: ResolvedViewpoint?
    /// The last requested viewpoint; nil requests that of a new view.
    ///
    /// It is used when the view gets its first size, or when its map changes to another spatial reference.
    var wanted: (viewpoint: Viewpoint, padding: Double)?
  }

  /// The status of drawing: whether the last frozen state includes all changes.
  public enum DrawStatus: String, Sendable {
    /// Changes since the last frozen state.
    case inProgress
    /// No changes since the last frozen state.
    case completed
  }

  /// The width in view pixels (1/96 inch), covered by whole output pixels; 0 before the view has a size.
  public var width: Double { settings.read { $0.size.width } }
  /// The height in view pixels; 0 before the view has a size.
  public var height: Double { settings.read { $0.size.height } }
  /// The number of output pixels per view pixel.
  public let pixelRatio: Double
  let settings: ModelState<Settings>
  let frozenChanges = ModelState<[UInt64]>([])
  private let allowedModes = Mutex(InteractionModes.all)
  let events = Broadcast<ViewEvent>()
  let watch = Mutex(ViewWatch())
  let scheduler: DrawScheduler

  /// The largest side of an image in pixels.
  ///
  /// - Source: Cairo's image surfaces.
  public static let largestSide = 32_767.0
  /// The largest image in pixels, 1 GiB of colour.
  ///
  /// - Source: design decision.
  public static let largestArea = 268_000_000.0

  /// Creates a view of `width` by `height` view pixels at a viewpoint.
  ///
  /// Without a viewpoint, the view shows the map's initial one, else the extent of its layers, else the world. It
  /// also shows the world if the extent cannot be shown.
  ///
  /// - Throws: ``MapStateError`` if the image size is impossible, the viewpoint cannot be shown, or the map's
  ///   spatial reference is not supported.
  public init(
    map: Map, width: Double, height: Double, pixelRatio: Double = 1, viewpoint: Viewpoint? = nil,
    padding: Double = 0, graphicsOverlays: [GraphicsOverlay] = [], scheduler: DrawScheduler = .tasks
  ) throws(MapStateError) {
    let size = try Self.wholePixels(width, height, pixelRatio)
    (self.pixelRatio, self.scheduler) = (pixelRatio, scheduler)
    settings = ModelState(
      Settings(
        map: map, size: size, viewpoint: try Self.start(of: map, at: viewpoint, size, padding: padding),
        timeExtent: map.initialTimeExtent, overlays: graphicsOverlays,
        isAtStart: viewpoint == nil && map.initialViewpoint == nil, awaitsMap: map.isReadLater,
        wanted: (viewpoint ?? map.initialViewpoint).map { ($0, padding) }))
    showContents()
  }

  /// Creates a view without a size; it shows nothing until ``resize(width:height:)``.
  ///
  /// Until then its visible area, current viewpoint and points in it are nil. It draws nothing, its draw status
  /// stays in progress, and questions about its extent find nothing.
  public init(
    map: Map, viewpoint: Viewpoint? = nil, graphicsOverlays: [GraphicsOverlay] = [],
    scheduler: DrawScheduler = .tasks
  ) throws(MapStateError) {
    (pixelRatio, self.scheduler) = (1, scheduler)
    settings = ModelState(
      Settings(
        map: map, size: (0, 0), viewpoint: try Self.start(of: map, at: viewpoint, (1, 1), padding: 0),
        timeExtent: map.initialTimeExtent, overlays: graphicsOverlays,
        isAtStart: viewpoint == nil && map.initialViewpoint == nil, awaitsMap: map.isReadLater,
        wanted: viewpoint.map { ($0, 0) }))
    showContents()
  }

  /// Gives the map the projections of this build, and the overlays this view.
  private func showContents() {
    map.projections.update { $0 = .installed }
    for overlay in graphicsOverlays { overlay.home.update { $0.view = self } }
  }

  /// The map.
  ///
  /// A view with another map starts again: at the initial viewpoint and time of that map, as in a new view. A map that
  /// a new view would refuse is shown around the centre of the world.
  public var map: Map {
    get { settings.read { $0.map } }
    set {
      guard newValue !== map else { return }
      replace(newValue)
    }
  }

  /// The same map under another name, for a module that gives ``map`` another type.
  package var shownMap: Map {
    get { map }
    set { map = newValue }
  }

  /// Shows another map at its start position, computed without the lock; again if the view changes meanwhile.
  private func replace(_ map: Map) {
    while true {
      let (before, changes) = ModelGate.withLock { (settings.snapshot, settings.changes) }
      let size = before.size.width > 0 ? before.size : (1, 1)
      let shown =
        (try? Self.start(of: map, at: nil, size, before.insets, padding: 0))
        ?? (try? Self.start(of: Map(), at: nil, size, before.insets, padding: 0)) ?? before.viewpoint
      let isDone = ModelGate.withLock {
        guard settings.changes == changes else { return false }
        observing {
          settings.update {
            ($0.map, $0.viewpoint, $0.timeExtent) = (map, shown, map.initialTimeExtent)
            ($0.isAtStart, $0.awaitsMap) = (map.initialViewpoint == nil, map.isReadLater)
            $0.wanted = map.initialViewpoint.map { ($0, 0) }
          }
          showContents()
        }
        return true
      }
      if isDone { return }
    }
  }

  /// Changes the size of the view in view pixels; its centre, scale and rotation stay.
  ///
  /// The first size of a view without one shows the viewpoint of its initialiser or the last requested one.
  /// - Throws: ``MapStateError`` as for a new view; the view then stays unchanged.
  public func resize(width: Double, height: Double) throws(MapStateError) {
    let size = try Self.wholePixels(width, height, pixelRatio)
    try withPlace { () throws(MapStateError) in
      let now = settings.snapshot
      var shown = placed(now)
      if now.size.width == 0 {
        shown = try Self.start(
          of: map, at: now.wanted?.viewpoint, size, now.insets, padding: now.wanted?.padding ?? 0)
      }
      // A viewpoint fitted to the previous size is no longer the requested one.
      let wanted = now.size.width == 0 ? now.wanted ?? map.initialViewpoint.map { ($0, 0) } : nil
      settings.update { [shown] in ($0.size, $0.viewpoint, $0.wanted) = (size, shown, wanted) }
    }
  }

  /// Returns the size rounded to whole output pixels, so that the image and the counts cover the same extent.
  private static func wholePixels(
    _ width: Double, _ height: Double, _ pixelRatio: Double
  ) throws(MapStateError) -> (width: Double, height: Double) {
    let (columns, rows) = try pictureSize(width: width, height: height, pixelRatio: pixelRatio)
    return (columns / pixelRatio, rows / pixelRatio)
  }

  /// Returns a whole number without decimals.
  private static func plain(_ side: Double) -> String { Int(exactly: side).map { "\($0)" } ?? "\(side)" }

  /// Returns the width and height of the image in pixels.
  ///
  /// - Throws: ``MapStateError`` for a size or ratio outside the limits.
  public static func pictureSize(
    width: Double, height: Double, pixelRatio: Double
  ) throws(MapStateError) -> (columns: Double, rows: Double) {
    guard pixelRatio >= 1, pixelRatio <= 4 else {
      throw MapStateError(.usage, "a pixel ratio of \(pixelRatio) is impossible; it must be 1 to 4")
    }
    let (columns, rows) = ((width * pixelRatio).rounded(), (height * pixelRatio).rounded())
    guard columns >= 1, rows >= 1, columns <= largestSide, rows <= largestSide, columns * rows <= largestArea
    else {
      throw MapStateError(
        .usage,
        "an image of \(plain(columns)) by \(plain(rows)) pixels is impossible; sides must be 1 to 32767 and the area at most "
          + "268 million pixels")
    }
    return (columns, rows)
  }

  /// The position of the map on the canvas, within the limits of the map.
  ///
  /// Before the view has a size, it is the position for a single pixel.
  public var viewpoint: ResolvedViewpoint {
    withPlace {
      let now = settings.snapshot
      let placed = placed(now)
      let middle = now.insets.inForce(width: now.size.width, height: now.size.height).middle
      let inSight = placed.moved(right: middle.right, down: middle.down)
      let clamped = map.clamped(inSight, on: plane)
      return clamped == inSight ? placed : clamped.moved(right: -middle.right, down: -middle.down)
    }
  }

  /// The view's time; nil for any time.
  public var timeExtent: TimeExtent? {
    get { settings.read { $0.timeExtent } }
    set { settings.update { $0.timeExtent = newValue } }
  }

  /// The current time of filters and expressions; nil, the default, for the system clock at each ``freeze(at:)``.
  ///
  /// With a fixed time, functions such as `CURRENT_TIMESTAMP` and Arcade's `Now()` give the same values in every run.
  public var now: Instant? {
    get { settings.read { $0.now } }
    set { settings.update { $0.now = newValue } }
  }

  /// Whether the view is a default view that leaves features outside, because they are far from all others; false after
  /// it moves.
  package var leavesFeaturesOutside: Bool {
    get { settings.read { $0.leavingOutside == $0.viewpoint } }
    set { settings.update { $0.leavingOutside = newValue ? $0.viewpoint : nil } }
  }

  /// The graphics over the layers, first at the bottom.
  public var graphicsOverlays: [GraphicsOverlay] {
    get { settings.read { $0.overlays } }
    set {
      observing {
        for overlay in graphicsOverlays {
          overlay.home.update { if $0.view === self { $0.view = nil } }
        }
        settings.update { $0.overlays = newValue }
        showContents()
      }
    }
  }

  /// The parts along the sides of the view that other content covers.
  ///
  /// The image keeps its full size. ``visibleArea`` and the viewpoint describe the uncovered part, and a requested
  /// viewpoint is shown at its centre. Insets that cover the whole view are ignored.
  ///
  /// - Source: ArcGIS Maps SDK; design decision: the map does not move when the insets change.
  public var contentInsets: EdgeInsets {
    get { settings.read { $0.insets } }
    set { settings.update { $0.insets = newValue } }
  }

  /// The ways in which users may move a map on a screen; stored without effect, because the view has no screen.
  public var interactionModes: InteractionModes {
    get { allowedModes.withLock { $0 } }
    set { allowedModes.withLock { $0 = newValue } }
  }

  /// The highlight colour of selected features and graphics; by default magenta, and cyan on dark ground.
  public var selectionColor: Color {
    get { settings.read { $0.selectionColor } ?? copied().state.selectionColor }
    set { settings.update { $0.selectionColor = newValue } }
  }

  /// Loads the map and all its layers concurrently; each of them reports its own failure.
  ///
  /// A view that was never moved then shows the map's viewpoint, else the extent of its layers.
  public func load() async {
    let map = map
    // The map reports its own failure.
    try? await map.load()
    let layers = map.operationalLayers + (map.basemap.map { $0.baseLayers + $0.referenceLayers } ?? [])
    let unloaded = layers.flatMap(\.withAllInside).filter { $0.loadStatus != .loaded }
    let isNew = settings.read { $0.awaitsMap } && map.loadStatus == .loaded
    guard isNew || !unloaded.isEmpty else { return }
    await unloaded.map { $0 as any Loadable }.load()
    withPlace {
      var now = settings.snapshot
      guard now.map === map else { return }
      if isNew {
        now.awaitsMap = false
        now.timeExtent = now.timeExtent ?? map.initialTimeExtent
      }
      let size = now.size.width > 0 ? now.size : (1, 1)
      if now.isAtStart, let shown = try? Self.start(of: map, at: nil, size, now.insets, padding: 0) {
        now.viewpoint = shown
      }
      let before = settings.snapshot
      guard isNew || now.viewpoint != before.viewpoint else { return }
      settings.update { [now] in $0 = now }
    }
  }

  /// Shows a viewpoint; with a bounding geometry, `padding` view pixels stay free on every side.
  ///
  /// - Throws: ``MapStateError``; the view then stays unchanged.
  public func setViewpoint(_ viewpoint: Viewpoint, padding: Double = 0) throws(MapStateError) {
    try move(padding: padding) { _ in viewpoint }
  }

  /// Moves the view over the map by view pixels, to the right and down.
  ///
  /// - Throws: ``MapStateError`` if it would leave the plane; the view then stays unchanged.
  public func pan(right: Double, down: Double) throws(MapStateError) {
    try move { now in
      let step = now.turned(x: right * now.resolution, y: -down * now.resolution)
      let center = Point(x: now.center.x + step.x, y: now.center.y + step.y, spatialReference: now.reference)
      return Viewpoint(center: center, scale: now.scale, rotation: now.rotation)
    }
  }

  /// Zooms about the centre: a factor of 2 halves the scale denominator.
  ///
  /// - Throws: ``MapStateError`` for a factor that is not above 0 or exceeds the scale limits.
  public func zoom(by factor: Double) throws(MapStateError) {
    guard factor > 0, factor.isFinite else {
      throw MapStateError(.usage, "a zoom factor of \(factor) is impossible; it must be above 0")
    }
    try move { Viewpoint(center: $0.center, scale: $0.scale / factor, rotation: $0.rotation) }
  }

  /// Rotates the map image counter-clockwise about the centre.
  ///
  /// - Throws: ``MapStateError`` for an angle that is not finite.
  public func rotate(by degrees: Double) throws(MapStateError) {
    guard degrees.isFinite else {
      throw MapStateError(.usage, "a rotation of \(degrees) degrees is impossible; it must be finite")
    }
    try move { Viewpoint(center: $0.center, scale: $0.scale, rotation: $0.rotation + degrees) }
  }

  /// Moves the view in one change to the viewpoint that `next` computes from the visible part's position.
  func move(
    padding: Double = 0, to next: (ResolvedViewpoint) -> Viewpoint
  ) throws(MapStateError) {
    try withPlace { () throws(MapStateError) in
      let now = settings.snapshot
      let size = now.size.width > 0 ? now.size : (1, 1)
      let middle = now.insets.inForce(width: size.0, height: size.1).middle
      let inSight = viewpoint.moved(right: middle.right, down: middle.down)
      let wanted = next(inSight)
      let shown = try Self.resolved(
        wanted, on: plane, size, now.insets, padding: padding, current: inSight)
      settings.update {
        ($0.viewpoint, $0.isAtStart, $0.wanted) = (shown, false, (wanted, padding))
      }
    }
  }

  /// The draw status: in progress from the first change of map, layers or view until it is frozen.
  public var drawStatus: DrawStatus {
    ModelGate.withLock { frozenChanges.snapshot == changes ? .completed : .inProgress }
  }
}
