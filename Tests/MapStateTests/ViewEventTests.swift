import Foundation
import MapState
import MapTestSupport
import Synchronization
import Testing

/// Positions of a view and its change notifications.
@Suite struct ViewEventTests {
  @Test("Screen points, locations and extents of a view convert into each other")
  func placesOfTheView() async throws {
    let view = try ViewObjectTests.scene(seed: 6, rotation: 30)
    let place = ScreenPoint(x: 17, y: 120)
    let ground = try #require(view.location(fromScreenPoint: place))
    let back = try #require(view.screenPoint(fromLocation: ground))
    #expect(abs(back.x - 17) < 1e-9)
    #expect(abs(back.y - 120) < 1e-9)
    // The same position one world copy on is at the same pixel.
    let next = Point(
      x: ground.x + 2 * WebMercator.halfWorld, y: ground.y, spatialReference: .webMercator)
    #expect(abs((view.screenPoint(fromLocation: next)?.x ?? 0) - 17) < 1e-6)
    #expect(view.location(fromScreenPoint: ScreenPoint(x: .infinity, y: 0)) == nil)
    #expect(view.envelope(fromViewRect: ScreenRect(x: .nan, y: 0, width: 1, height: 1)) == nil)
    let whole = view.envelope(fromViewRect: ScreenRect(x: 0, y: 0, width: 200, height: 150))
    #expect(whole == view.freeze().extent)
    #expect(whole == view.visibleArea?.extent)
    let part = try #require(view.envelope(fromViewRect: ScreenRect(x: 50, y: 50, width: 10, height: 10)))
    #expect(whole?.contains(part) == true)
    #expect(await view.setViewpoint(Viewpoint(latitude: 1, longitude: 2, scale: 5000), duration: 3))
    // A viewpoint without rotation keeps the current one.
    #expect(view.viewpoint.scale == 5000)
    #expect(view.viewpoint.rotation == 30)
    #expect(await view.setViewpointCenter(Point(latitude: 0, longitude: 0), scale: 7000))
    #expect(await view.setViewpointRotation(-90))
    #expect(view.viewpoint.scale == 7000)
    #expect(view.viewpoint.rotation == 270)
    #expect(await !view.setViewpointScale(-1))
    #expect(await !view.setViewpointGeometry(Polyline(parts: [])))
    #expect(view.currentViewpoint(kind: .centerAndScale)?.targetScale == 7000)
  }

  @Test("Each change is delivered once and in order, also when a listener changes the view")
  func listeners() async throws {
    let jobs = DisplayFilterSampleTests.Jobs()
    let map = Map()
    let view = try MapView(map: map, width: 100, height: 100, scheduler: jobs.scheduler)
    let scales = DisplayFilterSampleTests.Told<Double>()
    let turns = DisplayFilterSampleTests.Told<Double>()
    view.onScaleChanged { scale in
      scales.add(scale)
      // The listener limits the scale to 1:1000.
      if scale < 1000 { try? view.zoom(by: scale / 1000) }
    }.onRotationChanged { turns.add($0) }
    var stream = view.viewpoints(kind: .centerAndScale).makeAsyncIterator()
    await view.setViewpointScale(5000)
    await view.setViewpointScale(5000)
    await view.setViewpointScale(500)
    await view.setViewpointRotation(45)
    #expect(scales.take() == [5000, 500, 1000])
    #expect(turns.take().last == 45)
    #expect(await stream.next()?.targetScale == 5000)
    #expect(await stream.next()?.targetScale == 500)
    #expect(await stream.next()?.targetScale == 1000)
    #expect(await stream.next()?.rotation == 45)
    let times = DisplayFilterSampleTests.Told<Bool>()
    view.onTimeExtentChanged { times.add($0 == nil) }
    view.timeExtent = TimeExtent(start: Instant(microseconds: 0), end: nil)
    view.timeExtent = nil
    #expect(times.take() == [false, true])
    // One job per burst of changes, however long.
    await jobs.run()
    for _ in 0..<10 { try view.pan(right: 1, down: 0) }
    map.update { map.backgroundColor = .black }
    #expect(jobs.count == 1)
    await jobs.run()
    #expect(view.drawStatus == .completed)
    #expect(jobs.count == 0)
  }

  @Test("Each listener receives the spatial reference once, and a movement begins and ends")
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
    // A map that is loaded later has no spatial reference before.
    let map = try Map.fromJSON("{\"operationalLayers\":[]}")
    let late = try MapView(map: map, width: 100, height: 100)
    let (references, continuation) = AsyncStream<SpatialReference?>.makeStream()
    late.onSpatialReferenceChanged { continuation.yield($0) }
    var iterator = references.makeAsyncIterator()
    #expect(await iterator.next() == .webMercator)
    #expect(map.loadStatus == .loaded)
    #expect(view.interactionModes == .all)
    let changes = view.drawStatus
    view.interactionModes = [.pan]
    #expect(view.interactionModes == .pan)
    #expect(view.drawStatus == changes)
  }
}
