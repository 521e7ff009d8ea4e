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

  /// What the two threads of a test tell each other.
  private final class Progress: Sendable {
    /// The round of which the writer has done one half.
    let opened = Atomic(0)
    /// The round in which the reader asks.
    let asked = Atomic(0)
    let answered = Atomic(0)
    let torn = Atomic(0)
  }

  @Test("Whoever freezes a map in the middle of an update waits for its end")
  func updatesAreWhole() {
    let map = Map()
    let layers = [Self.layer(), Self.layer()]
    for layer in layers { map.addOperationalLayer(layer) }
    let progress = Progress()
    let rounds = 50
    // A thread of its own, so that it is there whatever else the pool does.
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
        // Half done: the other thread asks now, and has a millisecond to be answered wrongly.
        while progress.asked.load(ordering: .acquiring) < round { sched_yield() }
        usleep(1000)
        layers[1].title = "\(round)"
      }
      while progress.answered.load(ordering: .acquiring) < round { sched_yield() }
    }
    #expect(progress.answered.load(ordering: .acquiring) == rounds)
    #expect(progress.torn.load(ordering: .relaxed) == 0)
  }

  @Test("Changes are counted, an update within an update is one thread's own")
  func changes() {
    let map = Map()
    let layer = Self.layer()
    let start = map.changes
    map.addOperationalLayer(layer)
    let added = map.changes
    #expect(added != start)
    map.update { map.update { layer.opacity = 0.5 } }
    #expect(map.changes != added && layer.opacity == 0.5)
    struct Stopped: Error {}
    #expect(throws: Stopped.self) { try map.update { throw Stopped() } }
    // The gate is open again.
    layer.opacity = 0.25
    #expect(map.frozen.layers.map(\.opacity) == [0.25])
  }
}
