import Foundation
import MapState
import MapTestSupport
import Synchronization
import Testing

/// Where a view is, and what it tells of its changes.
@Suite struct ViewEventTests {
  @Test func placesOfTheView() async throws {
    let view = try ViewObjectTests.scene(seed: 6, rotation: 30)
    let place = ScreenPoint(x: 17, y: 120)
    let ground = try #require(view.location(fromScreenPoint: place))
    let back = try #require(view.screenPoint(fromLocation: ground))
    #expect(abs(back.x - 17) < 1e-9 && abs(back.y - 120) < 1e-9)
    // The same place one world on is over the same pixel.
    let next = Point(
      x: ground.x + 2 * WebMercator.halfWorld, y: ground.y, spatialReference: .webMercator)
    #expect(abs((view.screenPoint(fromLocation: next)?.x ?? 0) - 17) < 1e-6)
    #expect(view.location(fromScreenPoint: ScreenPoint(x: .infinity, y: 0)) == nil)
    #expect(view.envelope(fromViewRect: ScreenRect(x: .nan, y: 0, width: 1, height: 1)) == nil)
    let whole = view.envelope(fromViewRect: ScreenRect(x: 0, y: 0, width: 200, height: 150))
    #expect(whole == view.freeze().extent && whole == view.visibleArea?.extent)
    let part = try #require(view.envelope(fromViewRect: ScreenRect(x: 50, y: 50, width: 10, height: 10)))
    #expect(whole?.contains(part) == true)
    #expect(await view.setViewpoint(Viewpoint(latitude: 1, longitude: 2, scale: 5000), duration: 3))
    // No turn given keeps the one that there is.
    #expect(view.viewpoint.scale == 5000 && view.viewpoint.rotation == 30)
    #expect(await view.setViewpointCenter(Point(latitude: 0, longitude: 0), scale: 7000))
    #expect(await view.setViewpointRotation(-90))
    #expect(view.viewpoint.scale == 7000 && view.viewpoint.rotation == 270)
    #expect(await !view.setViewpointScale(-1))
    #expect(await !view.setViewpointGeometry(Polyline(parts: [])))
    #expect(view.currentViewpoint(kind: .centerAndScale)?.targetScale == 7000)
  }

  @Test("Each change is told once, in order, also when the listener changes the view again")
  func listeners() async throws {
    let jobs = DisplayFilterSampleTests.Jobs()
    let map = Map()
    let view = try MapView(map: map, width: 100, height: 100, scheduler: jobs.scheduler)
    let scales = DisplayFilterSampleTests.Told<Double>()
    let turns = DisplayFilterSampleTests.Told<Double>()
    view.onScaleChanged { scale in
      scales.add(scale)
      // A rule of the listener's own: no nearer than 1:1000.
      if scale < 1000 { try? view.zoom(by: scale / 1000) }
    }.onRotationChanged { turns.add($0) }
    var stream = view.viewpoints(kind: .centerAndScale).makeAsyncIterator()
    await view.setViewpointScale(5000)
    await view.setViewpointScale(5000)
    await view.setViewpointScale(500)
    await view.setViewpointRotation(45)
    #expect(scales.take() == [5000, 500, 1000] && turns.take().last == 45)
    #expect(await stream.next()?.targetScale == 5000)
    #expect(await stream.next()?.targetScale == 500)
    #expect(await stream.next()?.targetScale == 1000)
    #expect(await stream.next()?.rotation == 45)
    let times = DisplayFilterSampleTests.Told<Bool>()
    view.onTimeExtentChanged { times.add($0 == nil) }
    view.timeExtent = TimeExtent(start: Instant(microseconds: 0), end: nil)
    view.timeExtent = nil
    #expect(times.take() == [false, true])
    // One job a burst, however long.
    await jobs.run()
    for _ in 0..<10 { try view.pan(right: 1, down: 0) }
    map.update { map.backgroundColor = .black }
    #expect(jobs.count == 1)
    await jobs.run()
    #expect(view.drawStatus == .completed && jobs.count == 0)
  }

  @Test("The view's reference is told each listener once; a movement begins and ends")
  func reference() async throws {
    let told = Mutex<[String]>([])
    let view = try ViewObjectTests.scene(seed: 1)
    view.onNavigatingChanged { moves in told.withLock { $0.append("\(moves)") } }
    for name in ["a", "b"] {
      view.onSpatialReferenceChanged { reference in
        told.withLock { $0.append("\(name) \(reference?.wkid ?? 0)") }
      }
    }
    view.onViewpointChanged(kind: .centerAndScale) { _ in told.withLock { $0.append("moved") } }
    view.timeExtent = TimeExtent(start: nil, end: nil)
    try view.pan(right: 3, down: 0)
    #expect(told.withLock { $0 } == ["a 3857", "b 3857", "true", "moved", "false"])
    // A map that is read later has none before.
    let map = try Map.fromJSON("{\"operationalLayers\":[]}")
    let late = try MapView(map: map, width: 100, height: 100)
    let (references, continuation) = AsyncStream<SpatialReference?>.makeStream()
    late.onSpatialReferenceChanged { continuation.yield($0) }
    var iterator = references.makeAsyncIterator()
    #expect(await iterator.next() == .webMercator)
    #expect(map.loadStatus == .loaded && view.interactionModes == .all)
    let changes = view.drawStatus
    view.interactionModes = [.pan]
    #expect(view.interactionModes == .pan && view.drawStatus == changes)
  }
}
