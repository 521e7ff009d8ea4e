import MapGeometry
import MapSystem
import Testing

@Suite struct ConcurrentMapTests {
  private struct Fault: Error, Equatable { let number: Int }

  @Test("A concurrent map returns its results in order", arguments: [0, 1, 2, 1000])
  func resultsStandInOrder(count: Int) {
    #expect(concurrentMap(count) { $0 * $0 } == (0..<count).map { $0 * $0 })
  }

  @Test("Numbers that use all cores change nothing in the order of the results", arguments: [0, 1, 2, 100])
  func resultsOfLargeNumbersStandInOrder(count: Int) {
    let wanted = (0..<count).map { $0 % 4 == 0 ? nil : $0 }
    for step in 1...3 {
      #expect(concurrentMap(count, usesAllCores: { $0 % step == 0 }) { $0 % 4 == 0 ? nil : $0 } == wanted)
    }
  }

  @Test("A concurrent map throws the first error in order")
  func theFirstErrorInOrderIsThrown() {
    for _ in 0..<20 {
      #expect(throws: Fault(number: 13)) {
        try concurrentMap(200) { number throws(Fault) in
          if number % 50 == 13 { throw Fault(number: number) }
          return number
        }
      }
    }
  }

  @Test("Pieces cover a range without gaps")
  func piecesCoverTheRange() {
    #expect((3..<10).pieces(of: 3) == [3..<6, 6..<9, 9..<10])
    #expect((0..<0).pieces(of: 4).isEmpty)
  }
}
