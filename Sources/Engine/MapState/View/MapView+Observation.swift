public import MapFeatures
public import MapGeometry
public import MapModel
import Synchronization

/// The scheduler that runs the drawing jobs of a view.
///
/// A view schedules one job per burst of changes. Tests supply their own scheduler, so they never wait.
public struct DrawScheduler: Sendable {
  let run: @Sendable (@escaping @Sendable () async -> Void) -> Void

  /// Creates a scheduler from a closure that receives each job, to run it once and soon.
  public init(_ run: @escaping @Sendable (_ job: @escaping @Sendable () async -> Void) -> Void) {
    self.run = run
  }

  /// The scheduler that runs each job as its own task.
  public static let tasks = DrawScheduler { job in Task { await job() } }
}

/// An event that a view sends to its listeners.
enum ViewEvent: Sendable {
  case drawStatus(MapView.DrawStatus)
  case place(ViewPlace)
  case reference(SpatialReference)
  case navigating(Bool)
  case time(TimeExtent?)
  case layer(FeatureLayer, LayerViewState)
}

/// The values that a view last reported to its listeners.
struct ViewWatch: Sendable {
  var isWatching = false
  var isScheduled = false
  var status: MapView.DrawStatus?
  var place: ViewPlace?
  var reference: SpatialReference?
  var time: TimeExtent??
  var layers: [ObjectIdentifier: LayerViewState] = [:]
}

extension MapView: ModelObserver {
  /// Starts automatic drawing after every change.
  private func startWatching() {
    // The process-wide lock is always taken before the lock of `watch`.
    let isFirst = ModelGate.withLock {
      watch.withLock { watch in
        defer { watch.isWatching = true }
        guard !watch.isWatching else { return false }
        // The current values are not changes; only the draw status is reported at the start.
        (watch.place, watch.time) = (place, .some(timeExtent))
        return true
      }
    }
    guard isFirst else { return }
    ModelGate.withLock {
      settings.add(self)
      frozenChanges.add(self)
      map.add(self)
      for overlay in graphicsOverlays { overlay.state.add(self) }
    }
  }

  /// Changes the map or the overlays; a view with listeners then observes the new ones.
  func observing(_ change: () -> Void) {
    ModelGate.withLock {
      let isWatching = watch.withLock { $0.isWatching }
      if isWatching {
        map.remove(self)
        for overlay in graphicsOverlays { overlay.state.remove(self) }
      }
      change()
      if isWatching {
        map.add(self)
        for overlay in graphicsOverlays { overlay.state.add(self) }
      }
    }
  }

  /// Queues events for all changes while holding the lock, so that an older state is never reported after a newer
  /// one.
  package func modelDidChange() -> (() -> Void)? {
    let missing = ModelGate.withLock { unprojected }
    guard missing.isEmpty else {
      return { [self] in
        for source in missing { _ = plane.extent(of: source) }
        report()?()
      }
    }
    return report()
  }

  private func report() -> (() -> Void)? {
    let (isNew, needsJob) = ModelGate.withLock {
      watch.withLock { watch in
        var new: [ViewEvent] = []
        let (status, place, time) = (drawStatus, place, timeExtent)
        if let place, watch.place != place {
          // Movements have no duration.
          new += [.navigating(true), .place(place), .navigating(false)]
        }
        // A map that is not loaded yet has no spatial reference.
        let reference = !map.isReadLater || map.loadStatus == .loaded ? plane.reference : nil
        if let reference, watch.reference != reference {
          watch.reference = reference
          new.append(.reference(reference))
        }
        if watch.time != .some(time) { new.append(.time(time)) }
        if watch.status != status { new.append(.drawStatus(status)) }
        for event in new { events.enqueue(event) }
        (watch.status, watch.place, watch.time) = (status, place, .some(time))
        // A view without a size draws nothing.
        let needsJob = status == .inProgress && place != nil && !watch.isScheduled
        if needsJob { watch.isScheduled = true }
        return (!new.isEmpty, needsJob)
      }
    }
    // The thread that queued the events of a change also delivers them.
    guard isNew || needsJob else { return nil }
    return { [self] in
      events.drain()
      if needsJob { scheduler.run { [weak self] in await self?.draw() } }
    }
  }

  /// Loads new layers, checks which layers can be painted, and marks the changes seen so far as drawn.
  private func draw() async {
    await load()
    let (layers, copy) = withPlace {
      (map.featureLayers + (map.basemap?.featureLayers ?? []), copied())
    }
    let state = copy.state
    let frozen = state.layers + (state.basemap?.ownLayers ?? [])
    var found: [(FeatureLayer, LayerViewState)] = []
    for (layer, frozen) in zip(layers, frozen) {
      found.append((layer, await state.viewState(of: frozen, loadError: layer.loadError)))
    }
    watch.withLock { watch in
      for (layer, now) in found where watch.layers[ObjectIdentifier(layer)] != now {
        watch.layers[ObjectIdentifier(layer)] = now
        events.enqueue(.layer(layer, now))
      }
      watch.isScheduled = false
    }
    hold(copy.changes)
    events.drain()
    // Changes during drawing schedule one more job.
    modelDidChange()?()
  }

  /// Returns the state of a layer as of the last drawing; nil before the first one and for a layer of another map.
  public func layerViewState(for layer: FeatureLayer) -> LayerViewState? {
    watch.withLock { $0.layers[ObjectIdentifier(layer)] }
  }

  // MARK: Streams

  private func stream<Part: Sendable & Equatable>(
    _ part: @escaping @Sendable (ViewEvent) -> Part?
  ) -> AsyncStream<Part> {
    let stream = events.stream(of: part)
    startWatching()
    return stream
  }

  /// The changes of the draw status from now on; the view's first listener also receives the current status.
  public var drawStatuses: AsyncStream<DrawStatus> {
    stream { if case .drawStatus(let status) = $0 { status } else { nil } }
  }
  /// Returns the changes of the viewpoint from now on.
  public func viewpoints(kind: Viewpoint.Kind) -> AsyncStream<Viewpoint> {
    stream { if case .place(let place) = $0 { place.viewpoint(kind) } else { nil } }
  }
  /// The changes of the visible area from now on.
  public var visibleAreas: AsyncStream<Polygon> {
    stream { if case .place(let place) = $0 { place.area } else { nil } }
  }
  /// The changes of the scale denominator from now on.
  public var scales: AsyncStream<Double> {
    stream { if case .place(let place) = $0 { place.viewpoint.scale } else { nil } }
  }
  /// The start (true) and end (false) of each movement of the view; movements have no duration.
  public var navigations: AsyncStream<Bool> {
    stream { if case .navigating(let isNavigating) = $0 { isNavigating } else { nil } }
  }
  /// The changes of the view's time from now on.
  public var timeExtents: AsyncStream<TimeExtent?> {
    stream { if case .time(let time) = $0 { Optional.some(time) } else { nil } }
  }

  // MARK: Closures

  private func listen<Part: Sendable & Equatable>(
    _ part: @escaping @Sendable (ViewEvent) -> Part?, _ action: @escaping @Sendable (Part) -> Void
  ) -> MapView {
    events.listen(to: part, action)
    startWatching()
    return self
  }

  /// Calls a closure at each change of the draw status; the view's first listener also receives the current status.
  @discardableResult
  public func onDrawStatusChanged(perform action: @escaping @Sendable (DrawStatus) -> Void) -> MapView {
    listen({ if case .drawStatus(let status) = $0 { status } else { nil } }, action)
  }
  /// Calls a closure at each change of the viewpoint.
  @discardableResult
  public func onViewpointChanged(
    kind: Viewpoint.Kind, perform action: @escaping @Sendable (Viewpoint) -> Void
  ) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint(kind) } else { nil } }, action)
  }
  /// Calls a closure at each change of the visible area.
  @discardableResult
  public func onVisibleAreaChanged(perform action: @escaping @Sendable (Polygon) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.area } else { nil } }, action)
  }
  /// Calls a closure at each change of the scale denominator.
  @discardableResult
  public func onScaleChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.scale } else { nil } }, action)
  }
  /// Calls a closure at each change of the rotation, in degrees.
  @discardableResult
  public func onRotationChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.rotation } else { nil } }, action)
  }
  /// Calls a closure at each change of the map units per view pixel.
  @discardableResult
  public func onUnitsPerPointChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.resolution } else { nil } }, action)
  }
  /// Calls a closure with the view's spatial reference: at once or when the map is loaded, and at each change.
  @discardableResult
  public func onSpatialReferenceChanged(
    perform action: @escaping @Sendable (SpatialReference?) -> Void
  ) -> MapView {
    // The lock ensures that the current value is reported exactly once.
    let known = ModelGate.withLock {
      events.listen { if case .reference(let reference) = $0 { action(reference) } }
      return watch.withLock { $0.reference }
    }
    startWatching()
    if let known { action(known) }
    return self
  }
  /// Calls a closure at the start (true) and end (false) of each movement of the view; movements have no duration.
  @discardableResult
  public func onNavigatingChanged(perform action: @escaping @Sendable (Bool) -> Void) -> MapView {
    listen({ if case .navigating(let isNavigating) = $0 { isNavigating } else { nil } }, action)
  }
  /// Calls a closure at each change of the view's time.
  @discardableResult
  public func onTimeExtentChanged(perform action: @escaping @Sendable (TimeExtent?) -> Void) -> MapView {
    listen({ if case .time(let time) = $0 { Optional.some(time) } else { nil } }, action)
  }
  /// Calls a closure at each change of a layer's state in the view.
  @discardableResult
  public func onLayerViewStateChanged(
    perform action: @escaping @Sendable (FeatureLayer, LayerViewState) -> Void
  ) -> MapView {
    events.listen { if case .layer(let layer, let state) = $0 { action(layer, state) } }
    startWatching()
    return self
  }
}
