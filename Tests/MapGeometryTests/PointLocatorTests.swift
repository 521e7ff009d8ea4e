import MapGeometry
import MapTestSupport
import Testing

@Suite struct PointLocatorTests {
  /// Uses envelopes without size, over rings on a coarse grid that cross themselves.
  @Test("The point locator agrees with the exact envelope test")
  func agreesWithTheEnvelopeTest() {
    var random = SeededGenerator(seed: 1)
    var found: [PointLocator.Location: Int] = [:]
    for _ in 0..<300 {
      var buffer = CoordinateBuffer(kind: .polygon)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let ring = (0..<Int.random(in: 3...12, using: &random)).map { _ in
          (Double(Int.random(in: 0...8, using: &random)), Double(Int.random(in: 0...8, using: &random)))
        }
        for (x, y) in ring + [ring[0]] { buffer.appendVertex(x: x, y: y) }
        buffer.endPart()
      }
      buffer.endRow()
      let locator = PointLocator(row: 0, of: buffer)
      for _ in 0..<100 {
        let x = Double(Int.random(in: -2...18, using: &random)) / 2
        let y = Double(Int.random(in: -2...18, using: &random)) / 2
        let location = locator.location(x: x, y: y)
        let meets = buffer.row(0, meets: Envelope(xMin: x, yMin: y, xMax: x, yMax: y))
        #expect((location != .outside) == meets)
        let isOnEdge = buffer.parts(ofRow: 0).contains { part in
          buffer.vertices(ofPart: part).dropFirst().contains { index in
            Envelope(xMin: x, yMin: y, xMax: x, yMax: y)
              .meetsSegment(buffer.x[index - 1], buffer.y[index - 1], buffer.x[index], buffer.y[index])
          }
        }
        #expect((location == .boundary) == isOnEdge)
        found[location, default: 0] += 1
      }
    }
    #expect(found.count == 3)
    #expect(found.values.allSatisfy { $0 > 2000 })
  }

  /// Tall edges leave few strips, not many entries.
  @Test("A comb of 50,000 tall edges is located correctly")
  func combsTakeLittleMemory() {
    var buffer = CoordinateBuffer(kind: .polygon)
    for tooth in 0..<50_000 {
      buffer.appendVertex(x: Double(tooth), y: tooth % 2 == 0 ? 0 : 1e6)
    }
    buffer.appendVertex(x: 25_000, y: -1)
    buffer.appendVertex(x: 0, y: 0)
    buffer.endPart()
    buffer.endRow()
    let locator = PointLocator(row: 0, of: buffer)
    #expect(locator.location(x: 0.5, y: 1) == .inside)
    #expect(locator.location(x: 0, y: 10) == .outside)
  }

  @Test("The point locator works for extreme coordinates")
  func extremeCoordinates() {
    for scale in [1e308, 1e-307, 1] {
      var buffer = CoordinateBuffer(kind: .polygon)
      for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)] {
        buffer.appendVertex(x: x * scale, y: y * scale)
      }
      buffer.endPart()
      buffer.endRow()
      let locator = PointLocator(row: 0, of: buffer)
      #expect(locator.location(x: 0, y: 0) == .inside)
      #expect(locator.location(x: scale, y: 0) == .boundary)
      #expect(locator.location(x: .nan, y: 0) == .outside)
    }
  }
}
