public import MapFeatures
import MapGeometry
public import MapModel
import Synchronization

/// A view of a map without a window: a size, a viewpoint, a time and graphics over the map.
///
/// Answers without waiting; ``freeze()`` gives the value that counting and drawing work on. Once somebody listens to it
/// (see ``onDrawStatusChanged(perform:)`` and its like) it loads and checks its layers by itself after every change.
public final class MapView: Sendable {
  private struct State: Sendable {
    var viewpoint: ResolvedViewpoint
    var timeExtent: TimeExtent?
    var overlays: [GraphicsOverlay]
    var selectionColor = Color.cyan
    /// True while nobody has moved the view and no map said where it starts.
    var isAtStart: Bool
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
  /// Width in view pixels (1/96 inch): what the picture's whole pixels cover.
  public let width: Double
  /// Height in view pixels.
  public let height: Double
  /// Picture pixels a view pixel.
  public let pixelRatio: Double
  private let state: ModelState<State>
  private let frozenChanges = ModelState<[UInt64]>([])
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
  /// - Throws: ``MappingError`` when the picture has an impossible size or the viewpoint no place.
  public init(
    map: Map, width: Double, height: Double, pixelRatio: Double = 1, viewpoint: Viewpoint? = nil,
    padding: Double = 0, graphicsOverlays: [GraphicsOverlay] = [], scheduler: DrawScheduler = .tasks
  ) throws(MappingError) {
    let (columns, rows) = try Self.pictureSize(width: width, height: height, pixelRatio: pixelRatio)
    // Whole pixels decide what is shown, so that picture and counts speak of the same ground.
    (self.width, self.height, self.pixelRatio) = (columns / pixelRatio, rows / pixelRatio, pixelRatio)
    (self.map, self.scheduler) = (map, scheduler)
    let size = (width: self.width, height: self.height)
    func resolved(_ start: Viewpoint) throws(MappingError) -> ResolvedViewpoint {
      try .resolve(start, width: size.width, height: size.height, padding: padding)
    }
    let start: ResolvedViewpoint
    if let asked = viewpoint ?? map.initialViewpoint {
      start = try resolved(asked)
    } else if let shown = try? resolved(Viewpoint(boundingGeometry: Self.fullExtent(of: map))) {
      start = shown
    } else {
      // Data that reach farther than a view can show are counted and drawn all the same.
      start = try resolved(Viewpoint(boundingGeometry: Self.world))
    }
    state = ModelState(
      State(
        viewpoint: start, timeExtent: map.initialTimeExtent, overlays: graphicsOverlays,
        isAtStart: viewpoint == nil && map.initialViewpoint == nil))
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

  private static let world = Envelope(
    xMin: -WebMercator.halfWorld, yMin: -WebMercator.halfWorld, xMax: WebMercator.halfWorld,
    yMax: WebMercator.halfWorld, spatialReference: .webMercator)

  private static func fullExtent(of map: Map) -> Envelope {
    let extents = map.operationalLayers.map(\.source.shownExtent).filter { !$0.isEmpty }
    guard let first = extents.first else { return world }
    // In the tables' own reference, so that the fit shows their last row.
    guard extents.contains(where: { $0.spatialReference != first.spatialReference }) else {
      let union = extents.reduce(first) { $0.union($1) }
      guard first.spatialReference == .wgs84 else { return union }
      // A latitude that is none is no place to show.
      return Envelope(
        xMin: union.xMin, yMin: min(max(union.yMin, -90), 90), xMax: union.xMax,
        yMax: min(max(union.yMax, -90), 90), spatialReference: .wgs84)
    }
    let limit = WebMercator.halfWorld
    let union = extents.compactMap { $0.projected(to: .webMercator) }.reduce(Envelope.empty) { $0.union($1) }
    // The poles have no image in Web Mercator; a micrometre covers what projecting rounds.
    return Envelope(
      xMin: union.xMin, yMin: max(union.yMin, -limit), xMax: union.xMax, yMax: min(union.yMax, limit),
      spatialReference: .webMercator
    ).grown(by: 1e-6)
  }

  /// Where the map lies on the canvas, its scale within the limits of the map.
  public var viewpoint: ResolvedViewpoint {
    ModelGate.withLock { state.snapshot.viewpoint.clamped(minScale: map.minScale, maxScale: map.maxScale) }
  }

  /// The view's time; nil is any.
  public var timeExtent: TimeExtent? {
    get { state.snapshot.timeExtent }
    set { state.update { $0.timeExtent = newValue } }
  }

  /// Graphics over the layers, first at the bottom.
  public var graphicsOverlays: [GraphicsOverlay] {
    get { state.snapshot.overlays }
    set { state.update { $0.overlays = newValue } }
  }

  /// What selected features and graphics are drawn in; cyan unless set.
  public var selectionColor: Color {
    get { state.snapshot.selectionColor }
    set { state.update { $0.selectionColor = newValue } }
  }

  /// Loads the layers of the map, all at once; which of them failed, each says itself.
  ///
  /// A view that nobody has moved, over a map that does not say where it starts, then shows the extent of the layers.
  public func load() async {
    let unloaded = map.operationalLayers.filter { $0.loadStatus != .loaded }
    guard !unloaded.isEmpty else { return }
    await unloaded.map { $0 as any Loadable }.load()
    guard state.snapshot.isAtStart else { return }
    let whole = Viewpoint(boundingGeometry: Self.fullExtent(of: map))
    guard let shown = try? ResolvedViewpoint.resolve(whole, width: width, height: height) else { return }
    state.update { if $0.isAtStart, $0.viewpoint != shown { $0.viewpoint = shown } }
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
      let center = Point(x: now.center.x + step.x, y: now.center.y + step.y, spatialReference: .webMercator)
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

  /// Goes where `next` says, seen from where the view is, in one change.
  private func move(
    padding: Double = 0, to next: (ResolvedViewpoint) -> Viewpoint
  ) throws(MappingError) {
    try ModelGate.withLock { () throws(MappingError) in
      let now = viewpoint
      let resolved = try ResolvedViewpoint.resolve(
        next(now), width: width, height: height, padding: padding, current: now)
      state.update { ($0.viewpoint, $0.isAtStart) = (resolved, false) }
    }
  }

  /// In progress from the first change of map, layers or view until a freeze that holds it.
  public var drawStatus: DrawStatus {
    ModelGate.withLock { frozenChanges.snapshot == changes ? .completed : .inProgress }
  }

  private var changes: [UInt64] {
    [state.changes] + map.changes + state.snapshot.overlays.map(\.changes)
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
      let (background, basemap, layers) = map.frozen
      let now = state.snapshot
      let frozen = ViewState(
        width: width, height: height, pixelRatio: pixelRatio, viewpoint: viewpoint,
        background: background,
        basemap: basemap.map { BundledBasemap.state(of: $0, scale: viewpoint.scale) },
        timeExtent: now.timeExtent, layers: layers, now: instant,
        overlays: now.overlays.flatMap { $0.runs.map(\.layer) }, selectionColor: now.selectionColor)
      return (frozen, changes)
    }
  }

  /// Says that so many changes are done.
  func hold(_ changes: [UInt64]) { frozenChanges.update { $0 = changes } }
}
