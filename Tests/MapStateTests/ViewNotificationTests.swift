import Foundation
import MapState
import Synchronization
import Testing

/// Views whose map changes or is replaced: notifications, positions, and the lock during projection.
@Suite struct ViewNotificationTests {
  private static func layer(operations: SpatialOperations = .builtIn) throws -> FeatureLayer {
    var geometry = CoordinateBuffer(kind: .point)
    for (x, y) in [(9.0, 50.0), (12, 52)] { geometry.appendPoint(x: x, y: y) }
    return FeatureLayer(
      source: try InMemorySource(
        FeatureColumns(
          schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: .wgs84), columns: [],
          geometry: geometry, rowCount: 2), operations: operations))
  }

  @Test("A view with another map starts at its viewpoint, and observes only that map")
  func anotherMap() async throws {
    let jobs = DisplayFilterSampleTests.Jobs()
    let (first, second) = (Map(), Map())
    let layers = [try Self.layer(), try Self.layer()]
    for (map, layer) in zip([first, second], layers) { map.addOperationalLayer(layer) }
    second.initialViewpoint = Viewpoint(latitude: 10, longitude: 20, scale: 5000)
    second.initialTimeExtent = TimeExtent(start: Instant(microseconds: 0), end: nil)
    let view = try MapView(map: first, width: 200, height: 100, scheduler: jobs.scheduler)
    let told = DisplayFilterSampleTests.Told<MapView.DrawStatus>()
    let scales = DisplayFilterSampleTests.Told<Double>()
    view.onDrawStatusChanged { told.add($0) }.onScaleChanged { scales.add($0) }
    await jobs.run()
    #expect(told.take() == [.inProgress, .completed])
    view.map = second
    #expect(view.map === second)
    #expect(scales.take() == [5000])
    #expect(view.timeExtent == second.initialTimeExtent)
    #expect(view.currentViewpoint(kind: .centerAndScale)?.targetScale == 5000)
    await jobs.run()
    #expect(told.take() == [.inProgress, .completed])
    layers[0].opacity = 0.5
    first.backgroundColor = .black
    #expect(told.take() == [])
    #expect(jobs.count == 0)
    layers[1].opacity = 0.5
    #expect(told.take() == [.inProgress])
    await jobs.run()
    #expect(view.freeze().layers.map(\.opacity) == [0.5])
    // The same map again is no change, and a map without a viewpoint shows its layers, as in a new view.
    view.map = second
    #expect(jobs.count == 0)
    view.map = first
    #expect(view.viewpoint == (try MapView(map: first, width: 200, height: 100)).viewpoint)
    #expect(view.timeExtent == nil)
  }

  @Test("A view shows a map that a new view would refuse around the centre of the world")
  func impossibleMap() throws {
    let view = try MapView(map: Map(), width: 200, height: 100)
    let wrong = Map(spatialReference: SpatialReference(wkid: 999_999))
    #expect(throws: MapStateError.self) { try MapView(map: wrong, width: 200, height: 100) }
    let before = view.viewpoint
    view.map = wrong
    #expect(view.viewpoint == before)
  }

  @Test("Views of overlays that are replaced observe the new ones only")
  func overlays() async throws {
    let jobs = DisplayFilterSampleTests.Jobs()
    let graphics = [Graphic(), Graphic()]
    let overlays = graphics.map { GraphicsOverlay(graphics: [$0]) }
    let view = try MapView(
      map: Map(), width: 200, height: 100, graphicsOverlays: [overlays[0]], scheduler: jobs.scheduler)
    view.onDrawStatusChanged { _ in }
    await jobs.run()
    graphics[0].isVisible = false
    #expect(jobs.count == 1)
    view.graphicsOverlays = [overlays[1]]
    await jobs.run()
    graphics[0].isVisible = true
    #expect(jobs.count == 0)
    graphics[1].isVisible = false
    #expect(jobs.count == 1)
  }

  @Test("Other threads change maps while a view projects a table to find its start position")
  func projectionWithoutLock() throws {
    let projections = Atomic(0)
    let changes = Atomic(0)
    let other = Map()
    let operations = SpatialOperations { x, y, from, to throws(SpatialOperationError) in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        other.minScale += 1
        done.signal()
      }
      // With the lock held, the other thread would wait for this one.
      if done.wait(timeout: .now() + 10) == .success { changes.add(1, ordering: .relaxed) }
      projections.add(1, ordering: .relaxed)
      try SpatialOperations.installed.project(x: &x, y: &y, from: from, to: to)
    }
    let jobs = DisplayFilterSampleTests.Jobs()
    for isObserved in [false, true] {
      let map = Map()
      let view = try MapView(map: map, width: 200, height: 100, scheduler: jobs.scheduler)
      let places = DisplayFilterSampleTests.Told<Double>()
      if isObserved { view.onScaleChanged { places.add($0) } }
      try map.update {
        let first = try MapReferenceTests.places(MapReferenceTests.etrs89, count: 1)
        map.addOperationalLayer(FeatureLayer(source: first))
        map.addOperationalLayer(try Self.layer(operations: operations))
      }
      let scale = view.freeze().viewpoint.scale
      #expect(places.take() == (isObserved ? [scale] : []))
      #expect(scale == (try MapView(map: map, width: 200, height: 100)).viewpoint.scale)
    }
    #expect(projections.load(ordering: .relaxed) >= 2)
    #expect(changes.load(ordering: .relaxed) == projections.load(ordering: .relaxed))
  }
}
