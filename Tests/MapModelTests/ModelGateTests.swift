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

  private final class Working: Sendable {
    let writers = Atomic(3)
  }

  @Test("Whoever freezes a map sees no update by half")
  func updatesAreWhole() async {
    let map = Map()
    let layers = [Self.layer(), Self.layer(), Self.layer()]
    for layer in layers { map.addOperationalLayer(layer) }
    // All layers carry one number, as title and as expression.
    map.update { for layer in layers { (layer.title, layer.definitionExpression) = ("0", "0") } }
    let working = Working()
    let (seen, torn) = await withTaskGroup(of: (Set<String>, Int).self) { group in
      for writer in 0..<3 {
        group.addTask {
          for step in 0..<1000 {
            await Task.yield()
            let text = "\(writer * 10_000 + step)"
            map.update {
              for layer in layers {
                layer.title = text
                layer.definitionExpression = text
              }
            }
          }
          working.writers.subtract(1, ordering: .relaxed)
          return ([], 0)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var (seen, torn): (Set<String>, Int) = ([], 0)
          while working.writers.load(ordering: .relaxed) > 0 {
            await Task.yield()
            let texts = Set(map.frozen.layers.flatMap { [$0.title, $0.definitionExpression] })
            if texts.count != 1 { torn += 1 }
            seen.formUnion(texts)
          }
          return (seen, torn)
        }
      }
      return await group.reduce(into: (Set<String>(), 0)) { result, next in
        result = (result.0.union(next.0), result.1 + next.1)
      }
    }
    #expect(torn == 0)
    // The readers did meet the writers at work.
    #expect(seen.count > 10)
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
