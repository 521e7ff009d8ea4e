import MapServices
import MapSystem
import MapTestSupport
import Testing

@Suite("Parts of a file in memory")
struct ByteStoreTests {
  @Test("Parts beside each other give the bytes of both, and parts apart do not")
  func joined() {
    var store = ByteStore(limit: 1000)
    store.add([0, 1, 2], at: 0)
    store.add([3, 4], at: 3)
    store.add([9], at: 9)
    #expect(store.bytes(1..<5) == [1, 2, 3, 4])
    #expect(store.bytes(4..<10) == nil)
    #expect(store.missing(in: 0..<12) == [5..<9, 10..<12])
    // Overlapping bytes are kept once.
    store.add([4, 5, 6, 7, 8, 9, 10], at: 4)
    #expect(store.bytes(0..<11) == Array(0...10))
    #expect(store.byteCount == 11)
  }

  @Test("The parts that were not used for the longest time are removed, and never the newest")
  func limited() {
    var store = ByteStore(limit: 6)
    store.add([0, 1, 2], at: 0)
    store.add([10, 11, 12], at: 10)
    #expect(store.bytes(0..<3) != nil)
    store.add([20, 21, 22], at: 20)
    #expect(store.bytes(10..<13) == nil)
    #expect(store.bytes(0..<3) == [0, 1, 2])
    store.add([UInt8](repeating: 7, count: 20), at: 100)
    #expect(store.bytes(100..<120)?.count == 20)
    #expect(store.byteCount == 20)
  }

  @Test("Any parts give the bytes that were added, and no others")
  func random() {
    var random = SeededGenerator(seed: 59)
    var found = 0
    for _ in 0..<100 {
      var store = ByteStore(limit: 100_000)
      var isHere = [Bool](repeating: false, count: 300)
      for _ in 0..<30 {
        let start = Int.random(in: 0..<290, using: &random)
        let added = start..<min(300, start + Int.random(in: 0..<40, using: &random))
        store.add(added.map { UInt8(truncatingIfNeeded: $0) }, at: start)
        for place in added { isHere[place] = true }
        let first = Int.random(in: 0..<290, using: &random)
        let asked = first..<min(300, first + Int.random(in: 0..<60, using: &random))
        let bytes = store.bytes(asked)
        #expect((bytes != nil) == asked.allSatisfy { isHere[$0] })
        if let bytes {
          found += 1
          #expect(bytes == asked.map { UInt8(truncatingIfNeeded: $0) })
        }
        #expect(store.missing(in: asked).flatMap { Array($0) } == asked.filter { !isHere[$0] })
      }
    }
    #expect(found > 500)
  }

  @Test("Ranges near each other are read together, up to a size")
  func merged() {
    let merged = [100..<110, 0..<10, 5..<8, 15..<20, 0..<0].merged(gap: 5, limit: 50)
    #expect(merged.map(\.whole) == [0..<20, 100..<110])
    #expect(merged.map(\.inner) == [[0..<10, 5..<8, 15..<20], [100..<110]])
    #expect([0..<40, 41..<60].merged(gap: 5, limit: 50).map(\.whole) == [0..<40, 41..<60])
  }
}
