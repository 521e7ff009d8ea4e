import MapGeometry
import Testing

@Suite struct HilbertOrderTests {
  /// A Hilbert curve fills each square before it leaves it, and every step goes to a neighbour.
  @Test(
    "Each step of the Hilbert curve leads to a neighbouring cell",
    arguments: [0, 64, 21_824, 65_472] as [UInt32])
  func steps(_ origin: UInt32) {
    let curve = HilbertCurve()
    var cells: [(index: UInt32, x: Int, y: Int)] = []
    for x in 0..<64 as Range<UInt32> {
      for y in 0..<64 as Range<UInt32> {
        cells.append((curve.index(x: origin + x, y: 65_472 - origin + y), Int(x), Int(y)))
      }
    }
    cells.sort { $0.index < $1.index }
    #expect(cells[0].index % 4096 == 0)
    for (from, to) in zip(cells, cells.dropFirst()) {
      #expect(to.index == from.index + 1)
      #expect(abs(to.x - from.x) + abs(to.y - from.y) == 1)
    }
  }
}
