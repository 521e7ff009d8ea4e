public import MapFeatures
public import MapGeometry
public import MapModel
import Synchronization

/// What runs the drawing jobs of a view.
///
/// A view asks for one job a burst of changes; tests hand in a scheduler of their own and never wait.
public struct DrawScheduler: Sendable {
  let run: @Sendable (@escaping @Sendable () async -> Void) -> Void

  /// A scheduler that is given each job, to run it once, soon.
  public init(_ run: @escaping @Sendable (_ job: @escaping @Sendable () async -> Void) -> Void) {
    self.run = run
  }

  /// Each job a task of its own.
  public static let tasks = DrawScheduler { job in Task { await job() } }
}

/// What a view tells its listeners.
enum ViewEvent: Sendable {
  case drawStatus(MapView.DrawStatus)
  case place(ViewPlace)
  case reference(SpatialReference)
  case navigating(Bool)
  case time(TimeExtent?)
  case layer(FeatureLayer, LayerViewState)
}

/// What a view has told so far.
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
  /// Begins to draw by itself.
  private func startWatching() {
    // The gate before the watch, here as everywhere.
    let isFirst = ModelGate.withLock {
      watch.withLock { watch in
        defer { watch.isWatching = true }
        guard !watch.isWatching else { return false }
        // What is so already is no change; a status is told from the start.
        (watch.place, watch.time) = (place, .some(timeExtent))
        return true
      }
    }
    if isFirst { ModelGate.add(self) }
  }

  /// Puts what has changed in line, behind the gate, so that an older look is never told after a newer one.
  package func modelDidChange() -> (() -> Void)? {
    let (isNew, needsJob) = ModelGate.withLock {
      watch.withLock { watch in
        var new: [ViewEvent] = []
        let (status, place, time) = (drawStatus, place, timeExtent)
        if let place, watch.place != place {
          // A movement takes no time.
          new += [.navigating(true), .place(place), .navigating(false)]
        }
        // A map that is yet to be read has none.
        let reference = !map.isReadLater || map.loadStatus == .loaded ? plane.reference : nil
        if let reference, watch.reference != reference {
          watch.reference = reference
          new.append(.reference(reference))
        }
        if watch.time != .some(time) { new.append(.time(time)) }
        if watch.status != status { new.append(.drawStatus(status)) }
        for event in new { events.enqueue(event) }
        (watch.status, watch.place, watch.time) = (status, place, .some(time))
        // Without a size there is nothing to draw yet.
        let needsJob = status == .inProgress && place != nil && !watch.isScheduled
        if needsJob { watch.isScheduled = true }
        return (!new.isEmpty, needsJob)
      }
    }
    // What another thread has put in line it tells itself.
    guard isNew || needsJob else { return nil }
    return { [self] in
      events.drain()
      if needsJob { scheduler.run { [weak self] in await self?.draw() } }
    }
  }

  /// Loads what is new, finds out which layers can be painted, and says that the changes up to its look are done.
  private func draw() async {
    await load()
    let (layers, seen) = ModelGate.withLock {
      (map.featureLayers + (map.basemap?.featureLayers ?? []), look())
    }
    let (state, changes) = seen
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
    hold(changes)
    events.drain()
    // Changes that came in meanwhile ask for one more job.
    modelDidChange()?()
  }

  /// How a layer stands in the view, as of the last drawing; nil before the first one and for a layer of another map.
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

  /// Each change of the draw status from now on; the view's first listener is told how it is, too.
  public var drawStatuses: AsyncStream<DrawStatus> {
    stream { if case .drawStatus(let status) = $0 { status } else { nil } }
  }
  /// Each change of the viewpoint from now on.
  public func viewpoints(kind: Viewpoint.Kind) -> AsyncStream<Viewpoint> {
    stream { if case .place(let place) = $0 { place.viewpoint(kind) } else { nil } }
  }
  /// Each change of the visible area from now on.
  public var visibleAreas: AsyncStream<Polygon> {
    stream { if case .place(let place) = $0 { place.area } else { nil } }
  }
  /// Each change of the scale from now on, as the N of 1:N.
  public var scales: AsyncStream<Double> {
    stream { if case .place(let place) = $0 { place.viewpoint.scale } else { nil } }
  }
  /// True and then false at each movement of the view, which takes no time.
  public var navigations: AsyncStream<Bool> {
    stream { if case .navigating(let isNavigating) = $0 { isNavigating } else { nil } }
  }
  /// Each change of the view's time from now on.
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

  /// Calls a closure at each change of the draw status; the view's first listener is told how it is, too.
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
  /// Calls a closure at each change of the scale, the N of 1:N.
  @discardableResult
  public func onScaleChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.scale } else { nil } }, action)
  }
  /// Calls a closure at each change of the rotation, in degrees.
  @discardableResult
  public func onRotationChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.rotation } else { nil } }, action)
  }
  /// Calls a closure at each change of the units that a view pixel covers.
  @discardableResult
  public func onUnitsPerPointChanged(perform action: @escaping @Sendable (Double) -> Void) -> MapView {
    listen({ if case .place(let place) = $0 { place.viewpoint.resolution } else { nil } }, action)
  }
  /// Calls a closure with the reference that the view is in: at once, or when the map is read, and at each change.
  @discardableResult
  public func onSpatialReferenceChanged(
    perform action: @escaping @Sendable (SpatialReference?) -> Void
  ) -> MapView {
    // Behind the gate, so that it is told neither twice nor never.
    let known = ModelGate.withLock {
      events.listen { if case .reference(let reference) = $0 { action(reference) } }
      return watch.withLock { $0.reference }
    }
    startWatching()
    if let known { action(known) }
    return self
  }
  /// Calls a closure with true and then false at each movement of the view, which takes no time.
  @discardableResult
  public func onNavigatingChanged(perform action: @escaping @Sendable (Bool) -> Void) -> MapView {
    listen({ if case .navigating(let isNavigating) = $0 { isNavigating } else { nil } }, action)
  }
  /// Calls a closure at each change of the view's time.
  @discardableResult
  public func onTimeExtentChanged(perform action: @escaping @Sendable (TimeExtent?) -> Void) -> MapView {
    listen({ if case .time(let time) = $0 { Optional.some(time) } else { nil } }, action)
  }
  /// Calls a closure at each change of how a layer stands in the view.
  @discardableResult
  public func onLayerViewStateChanged(
    perform action: @escaping @Sendable (FeatureLayer, LayerViewState) -> Void
  ) -> MapView {
    events.listen { if case .layer(let layer, let state) = $0 { action(layer, state) } }
    startWatching()
    return self
  }
}
