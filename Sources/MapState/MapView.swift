public import MapFeatures
import MapGeometry
public import MapModel
import Synchronization

/// A view of a map without a window: a size, a viewpoint, a time and graphics over the map.
///
/// Answers without waiting; ``freeze()`` gives the value that counting and drawing work on. Once somebody listens to it
/// (see ``onDrawStatusChanged(perform:)`` and its like) it loads and checks its layers by itself after every change.
public final class MapView: Sendable {
  struct Settings: Sendable {
    /// What the picture's whole pixels cover; 0 by 0 before the view has a size.
    var size: (width: Double, height: Double)
    var viewpoint: ResolvedViewpoint
    var timeExtent: TimeExtent?
    var overlays: [GraphicsOverlay]
    var selectionColor = Color.cyan
    var insets = EdgeInsets()
    /// True while nobody has moved the view and no map said where it starts.
    var isAtStart: Bool
    /// True until the map has loaded that the view was made with.
    var awaitsMap: Bool
    /// What the view was last asked to show, for when it gets its first size or its map goes over to another reference;
    /// nil is what a new view would.
    var wanted: (viewpoint: Viewpoint, padding: Double)?
  }

  /// Whether the last frozen state holds all changes.
  public enum DrawStatus: String, Sendable {
    /// Something changed since.
    case inProgress
    /// Nothing changed since.
    case completed
  }

  /// The map.
  public let map: Map
  /// Width in view pixels (1/96 inch): what the picture's whole pixels cover; 0 before the view has a size.
  public var width: Double { settings.snapshot.size.width }
  /// Height in view pixels; 0 before the view has a size.
  public var height: Double { settings.snapshot.size.height }
  /// Picture pixels a view pixel.
  public let pixelRatio: Double
  let settings: ModelState<Settings>
  private let frozenChanges = ModelState<[UInt64]>([])
  private let allowedModes = Mutex(InteractionModes.all)
  let events = Broadcast<ViewEvent>()
  let watch = Mutex(ViewWatch())
  let scheduler: DrawScheduler

  /// The largest side of a picture in pixels.
  ///
  /// - Source: Cairo's image surfaces.
  public static let largestSide = 32_767.0
  /// The largest picture in pixels, 1 GiB of colour.
  ///
  /// - Source: ours.
  public static let largestArea = 268_000_000.0

  /// A view of `width` by `height` view pixels at a viewpoint, or else the map's initial one, or else over the extent
  /// of its layers, or else, and where that cannot be shown, over the world.
  ///
  /// - Throws: ``MappingError`` when the picture has an impossible size, the viewpoint no place, or the map a reference
  ///   that none can be drawn in.
  public init(
    map: Map, width: Double, height: Double, pixelRatio: Double = 1, viewpoint: Viewpoint? = nil,
    padding: Double = 0, graphicsOverlays: [GraphicsOverlay] = [], scheduler: DrawScheduler = .tasks
  ) throws(MappingError) {
    let size = try Self.wholePixels(width, height, pixelRatio)
    (self.map, self.pixelRatio, self.scheduler) = (map, pixelRatio, scheduler)
    settings = ModelState(
      Settings(
        size: size, viewpoint: try Self.start(of: map, at: viewpoint, size, padding: padding),
        timeExtent: map.initialTimeExtent, overlays: graphicsOverlays,
        isAtStart: viewpoint == nil && map.initialViewpoint == nil, awaitsMap: map.isReadLater,
        wanted: (viewpoint ?? map.initialViewpoint).map { ($0, padding) }))
  }

  /// A view before it is laid out: it has no size and shows nothing until ``resize(width:height:)``.
  ///
  /// What it shows is nil until then: its viewpoint, its visible area, places in it. It draws nothing and stays in
  /// progress, and questions about its extent find nothing.
  public init(
    map: Map, viewpoint: Viewpoint? = nil, graphicsOverlays: [GraphicsOverlay] = [],
    scheduler: DrawScheduler = .tasks
  ) throws(MappingError) {
    (self.map, pixelRatio, self.scheduler) = (map, 1, scheduler)
    settings = ModelState(
      Settings(
        size: (0, 0), viewpoint: try Self.start(of: map, at: viewpoint, (1, 1), padding: 0),
        timeExtent: map.initialTimeExtent, overlays: graphicsOverlays,
        isAtStart: viewpoint == nil && map.initialViewpoint == nil, awaitsMap: map.isReadLater,
        wanted: viewpoint.map { ($0, 0) }))
  }

  /// Gives the view another size in view pixels: its centre, scale and turn stay.
  ///
  /// The first size of a view without one shows what the view was made or last asked to show.
  /// - Throws: ``MappingError`` as for a new view; the view stays as it was.
  public func resize(width: Double, height: Double) throws(MappingError) {
    let size = try Self.wholePixels(width, height, pixelRatio)
    try ModelGate.withLock { () throws(MappingError) in
      let now = settings.snapshot
      var shown = placed(now)
      if now.size.width == 0 {
        shown = try Self.start(
          of: map, at: now.wanted?.viewpoint, size, now.insets, padding: now.wanted?.padding ?? 0)
      }
      // The fit of another size is no longer what was asked for.
      let wanted = now.size.width == 0 ? now.wanted ?? map.initialViewpoint.map { ($0, 0) } : nil
      settings.update { [shown] in ($0.size, $0.viewpoint, $0.wanted) = (size, shown, wanted) }
    }
  }

  /// Whole pixels decide what is shown, so that picture and counts speak of the same ground.
  private static func wholePixels(
    _ width: Double, _ height: Double, _ pixelRatio: Double
  ) throws(MappingError) -> (width: Double, height: Double) {
    let (columns, rows) = try pictureSize(width: width, height: height, pixelRatio: pixelRatio)
    return (columns / pixelRatio, rows / pixelRatio)
  }

  /// The sides of the picture in pixels.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)`` for a size or ratio outside the limits.
  public static func pictureSize(
    width: Double, height: Double, pixelRatio: Double
  ) throws(MappingError) -> (columns: Double, rows: Double) {
    guard pixelRatio >= 1, pixelRatio <= 4 else {
      throw .impossibleView("a pixel ratio of \(pixelRatio) is impossible; 1 to 4 can be drawn")
    }
    let (columns, rows) = ((width * pixelRatio).rounded(), (height * pixelRatio).rounded())
    guard columns >= 1, rows >= 1, columns <= largestSide, rows <= largestSide, columns * rows <= largestArea
    else {
      throw .impossibleView(
        "a picture of \(columns) by \(rows) pixels is impossible; 1 to 32767 a side and at most 268 million pixels "
          + "can be drawn")
    }
    return (columns, rows)
  }

  /// Where the map lies on the canvas, within the limits of the map; before the view has a size, where it would lie on a
  /// single pixel.
  public var viewpoint: ResolvedViewpoint {
    ModelGate.withLock {
      let now = settings.snapshot
      let placed = placed(now)
      let middle = now.insets.inForce(width: now.size.width, height: now.size.height).middle
      let inSight = placed.moved(right: middle.right, down: middle.down)
      let clamped = map.clamped(inSight, on: plane)
      return clamped == inSight ? placed : clamped.moved(right: -middle.right, down: -middle.down)
    }
  }

  /// The view's time; nil is any.
  public var timeExtent: TimeExtent? {
    get { settings.snapshot.timeExtent }
    set { settings.update { $0.timeExtent = newValue } }
  }

  /// Graphics over the layers, first at the bottom.
  public var graphicsOverlays: [GraphicsOverlay] {
    get { settings.snapshot.overlays }
    set { settings.update { $0.overlays = newValue } }
  }

  /// How people may move a map on a screen; taken and kept, for nobody touches a view without one.
  public var interactionModes: InteractionModes {
    get { allowedModes.withLock { $0 } }
    set { allowedModes.withLock { $0 = newValue } }
  }

  /// What selected features and graphics are drawn in; cyan unless set.
  public var selectionColor: Color {
    get { settings.snapshot.selectionColor }
    set { settings.update { $0.selectionColor = newValue } }
  }

  /// Loads the map and its layers, all at once; which of them failed, each says itself.
  ///
  /// A view that nobody has moved then shows what the map says, else the extent of its layers.
  public func load() async {
    // What fails says so itself.
    try? await map.load()
    let layers = map.operationalLayers + (map.basemap.map { $0.baseLayers + $0.referenceLayers } ?? [])
    let unloaded = layers.flatMap(\.withAllInside).filter { $0.loadStatus != .loaded }
    let isNew = settings.snapshot.awaitsMap && map.loadStatus == .loaded
    guard isNew || !unloaded.isEmpty else { return }
    await unloaded.map { $0 as any Loadable }.load()
    // What this projects is kept, so that the gate is not held for it.
    for layer in map.featureLayers { _ = plane.extent(of: layer.source) }
    ModelGate.withLock {
      var now = settings.snapshot
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

  /// Shows a viewpoint; one with a bounding geometry leaves `padding` view pixels free on every side.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)``; the view stays as it was.
  public func setViewpoint(_ viewpoint: Viewpoint, padding: Double = 0) throws(MappingError) {
    try move(padding: padding) { _ in viewpoint }
  }

  /// Moves the view over the ground by view pixels, right and down.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)`` when it would leave the plane; the view stays as it was.
  public func pan(right: Double, down: Double) throws(MappingError) {
    try move { now in
      let step = now.turned(x: right * now.resolution, y: -down * now.resolution)
      let center = Point(x: now.center.x + step.x, y: now.center.y + step.y, spatialReference: now.reference)
      return Viewpoint(center: center, scale: now.scale, rotation: now.rotation)
    }
  }

  /// Zooms about the centre: a factor of 2 halves the scale's N.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)`` for a factor that is not above 0 or leads past the limits of scale.
  public func zoom(by factor: Double) throws(MappingError) {
    guard factor > 0, factor.isFinite else {
      throw .impossibleView("a zoom factor of \(factor) is impossible; it must be above 0")
    }
    try move { Viewpoint(center: $0.center, scale: $0.scale / factor, rotation: $0.rotation) }
  }

  /// Turns the picture counter-clockwise about the centre.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)`` for an angle that is not finite.
  public func rotate(by degrees: Double) throws(MappingError) {
    guard degrees.isFinite else { throw .impossibleView("a turn of \(degrees) degrees is impossible") }
    try move { Viewpoint(center: $0.center, scale: $0.scale, rotation: $0.rotation + degrees) }
  }

  /// Goes where `next` says, seen from where the middle of what is in sight is, in one change.
  func move(
    padding: Double = 0, to next: (ResolvedViewpoint) -> Viewpoint
  ) throws(MappingError) {
    try ModelGate.withLock { () throws(MappingError) in
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

  /// In progress from the first change of map, layers or view until a freeze that holds it.
  public var drawStatus: DrawStatus {
    ModelGate.withLock { frozenChanges.snapshot == changes ? .completed : .inProgress }
  }

  private var changes: [UInt64] {
    [settings.changes] + map.changes + settings.snapshot.overlays.map(\.changes)
  }

  /// The view as it is now, as a value; no change is seen by half.
  ///
  /// `instant` is what `CURRENT_TIMESTAMP` and its like mean in every filter asked of the value.
  public func freeze(at instant: Instant = .now) -> ViewState {
    ModelGate.withLock {
      let (frozen, held) = look(at: instant)
      hold(held)
      return frozen
    }
  }

  /// The view as it is now, and the changes that it holds, without saying that they are done.
  func look(at instant: Instant = .now) -> (ViewState, changes: [UInt64]) {
    ModelGate.withLock {
      let (background, basemap, frozenLayers) = map.frozen
      let now = settings.snapshot
      let layers = frozenLayers.map(\.projectable)
      let shown = viewpoint
      let frozen = ViewState(
        width: width, height: height, pixelRatio: pixelRatio, viewpoint: shown,
        background: background,
        basemap: basemap.map {
          BundledBasemap.state(
            of: $0, scale: shown.scale, extent: shown.envelope(width: width, height: height)
          )
          .projectable
        },
        timeExtent: now.timeExtent, layers: layers, now: instant,
        overlays: now.overlays.flatMap { $0.runs.map(\.layer) }, selectionColor: now.selectionColor,
        referenceScale: map.referenceScale)
      return (frozen, changes)
    }
  }

  /// Says that so many changes are done.
  func hold(_ changes: [UInt64]) { frozenChanges.update { $0 = changes } }
}
