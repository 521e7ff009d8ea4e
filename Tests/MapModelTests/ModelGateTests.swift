import Foundation
import MapFeatures
import MapGeometry
import MapModel
import Synchronization
import Testing

@Suite struct ModelGateTests {
  static func layer() -> FeatureLayer {
    let table = FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil), columns: [], geometry: nil,
      rowCount: 0)
    return FeatureLayer(source: InMemorySource(table))
  }

  /// The state shared by the two threads of a test.
  private final class Progress: Sendable {
    /// The round in which the writer has done half of its update.
    let opened = Atomic(0)
    /// The round in which the reader freezes the map.
    let asked = Atomic(0)
    let answered = Atomic(0)
    let torn = Atomic(0)
  }

  @Test("Freezing a map waits until another thread's update has finished")
  func updatesAreWhole() {
    let map = Map()
    let layers = [Self.layer(), Self.layer()]
    for layer in layers { map.addOperationalLayer(layer) }
    let progress = Progress()
    let rounds = 50
    // A separate thread, so that it runs whatever the thread pool does.
    Thread.detachNewThread {
      for round in 1...rounds {
        while progress.opened.load(ordering: .acquiring) < round { sched_yield() }
        progress.asked.store(round, ordering: .releasing)
        if Set(map.frozen.layers.map(\.title)) != ["\(round)"] { progress.torn.add(1, ordering: .relaxed) }
        progress.answered.store(round, ordering: .releasing)
      }
    }
    for round in 1...rounds {
      map.update {
        layers[0].title = "\(round)"
        progress.opened.store(round, ordering: .releasing)
        // The update is half done: the other thread freezes now, and has a millisecond to return a partial
        // state.
        while progress.asked.load(ordering: .acquiring) < round { sched_yield() }
        usleep(1000)
        layers[1].title = "\(round)"
      }
      while progress.answered.load(ordering: .acquiring) < round { sched_yield() }
    }
    #expect(progress.answered.load(ordering: .acquiring) == rounds)
    #expect(progress.torn.load(ordering: .relaxed) == 0)
  }

  @Test("Changes are counted, and nested updates belong to one thread")
  func changes() {
    let map = Map()
    let layer = Self.layer()
    let start = map.changes
    map.addOperationalLayer(layer)
    let added = map.changes
    #expect(added != start)
    map.update { map.update { layer.opacity = 0.5 } }
    #expect(map.changes != added)
    #expect(layer.opacity == 0.5)
    struct Stopped: Error {}
    #expect(throws: Stopped.self) { try map.update { throw Stopped() } }
    // The lock is released.
    layer.opacity = 0.25
    #expect(map.frozen.layers.map(\.opacity) == [0.25])
  }
}
