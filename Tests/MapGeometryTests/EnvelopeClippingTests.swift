import MapGeometry
import MapTestSupport
import Testing

@Suite struct EnvelopeClippingTests {
  static let kinds: [GeometryKind] = [.point, .multipoint, .polyline, .polygon]

  @Test("Clipped geometry lies in the envelope and keeps inner vertices bit for bit", arguments: kinds)
  func liesInside(_ kind: GeometryKind) {
    let buffer = RandomGeometries.buffer(kind, rows: 300, size: 60, seed: 31)
    var clipped = 0
    for envelope in RandomGeometries.envelopes(100, touching: buffer, seed: 32) {
      var result = CoordinateBuffer(kind: kind)
      for row in 0..<buffer.rowCount { result.appendRow(row, of: buffer, clippedTo: envelope) }
      #expect(result.rowCount == buffer.rowCount)
      for row in 0..<buffer.rowCount {
        let (source, kept) = (buffer.vertices(ofRow: row), result.vertices(ofRow: row))
        if result.isEmpty(row: row) { continue }
        // A ring around a corner may leave a ring without area.
        if kind != .polygon { #expect(buffer.row(row, meets: envelope), "row \(row), \(envelope)") }
        clipped += kept.count == source.count ? 0 : 1
        #expect(kept.allSatisfy { envelope.contains(x: result.x[$0], y: result.y[$0]) })
        // Every vertex comes from the source or lies on a side.
        let places = Set(source.map { [buffer.x[$0], buffer.y[$0]] })
        for index in kept where !places.contains([result.x[index], result.y[index]]) {
          let (x, y) = (result.x[index], result.y[index])
          #expect(x == envelope.xMin || x == envelope.xMax || y == envelope.yMin || y == envelope.yMax)
        }
        // Every inner vertex with an inner neighbour is kept, in order.
        if kind == .polyline {
          let inside = buffer.parts(ofRow: row).flatMap { part in
            let range = buffer.vertices(ofPart: part)
            return range.filter { index in
              let neighbours = [index - 1, index + 1].filter { range.contains($0) }
              return ([index] + neighbours).allSatisfy { envelope.contains(x: buffer.x[$0], y: buffer.y[$0]) }
            }
          }
          var next = kept.lowerBound
          for index in inside {
            while next < kept.upperBound,
              result.x[next] != buffer.x[index] || result.y[next] != buffer.y[index]
            {
              next += 1
            }
            #expect(next < kept.upperBound, "a vertex is lost or out of order")
            next += 1
          }
        }
      }
    }
    #expect(clipped > 100 || kind == .point)
  }

  @Test("A clipped polygon fills the same positions within the envelope")
  func fillIsKept() {
    let buffer = RandomGeometries.buffer(.polygon, rows: 300, size: 200, seed: 33)
    var random = SeededGenerator(seed: 34)
    var (filled, empty) = (0, 0)
    for envelope in RandomGeometries.envelopes(60, touching: buffer, seed: 35) {
      guard envelope.width > 0, envelope.height > 0, envelope.width < 1e6 else { continue }
      var result = CoordinateBuffer(kind: .polygon)
      for row in 0..<buffer.rowCount { result.appendRow(row, of: buffer, clippedTo: envelope) }
      for row in 0..<buffer.rowCount {
        for part in result.parts(ofRow: row) {
          let range = result.vertices(ofPart: part)
          let (first, last) = (range.lowerBound, range.upperBound - 1)
          #expect(result.x[first] == result.x[last])
          #expect(result.y[first] == result.y[last])
        }
        for _ in 0..<4 {
          let x = Double.random(in: envelope.xMin...envelope.xMax, using: &random)
          let y = Double.random(in: envelope.yMin...envelope.yMax, using: &random)
          let before = Self.isFilled(buffer, row, x, y)
          #expect(Self.isFilled(result, row, x, y) == before)
          if before { filled += 1 } else { empty += 1 }
        }
      }
    }
    #expect(filled > 1000)
    #expect(empty > 1000)
  }

  /// Counts crossings of a ray to the north, independently of the module's implementation.
  private static func isFilled(_ buffer: CoordinateBuffer, _ row: Int, _ x: Double, _ y: Double) -> Bool {
    var odd = false
    for part in buffer.parts(ofRow: row) {
      let range = buffer.vertices(ofPart: part)
      for index in range.dropLast() {
        let (ax, ay, bx, by) = (buffer.x[index], buffer.y[index], buffer.x[index + 1], buffer.y[index + 1])
        if (ax <= x) != (bx <= x), ay + (x - ax) / (bx - ax) * (by - ay) > y { odd.toggle() }
      }
    }
    return odd
  }

  @Test("A clipped line is split into the parts inside the envelope")
  func splits() {
    var buffer = CoordinateBuffer(kind: .polyline)
    for (x, y) in [(-1, 2), (1, 2), (1, 5), (3, 5), (3, 1), (5, 1), (5, 4), (4, 4), (4, 9)]
      as [(Double, Double)]
    {
      buffer.appendVertex(x: x, y: y)
    }
    buffer.endPart()
    buffer.endRow()
    var result = CoordinateBuffer(kind: .polyline)
    result.appendRow(0, of: buffer, clippedTo: Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4))
    #expect(result.x == [0, 1, 1, 3, 3, 4])
    #expect(result.y == [2, 2, 4, 4, 1, 1])
    #expect(result.partEnds == [3, 6])
    #expect(result.rowEnds == [2])
  }

  @Test("A line that only touches the envelope is removed, and a segment along a side is kept")
  func touches() {
    let envelope = Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4)
    var buffer = CoordinateBuffer(kind: .polyline)
    for chain in [[-1, 1, 1, -1], [-1, 2, 0, 2, -1, 3], [5, 4, 2, 4, 2, 9], [3, 3]] as [[Double]] {
      for index in stride(from: 0, to: chain.count, by: 2) {
        buffer.appendVertex(x: chain[index], y: chain[index + 1])
      }
      buffer.endPart()
      buffer.endRow()
    }
    var result = CoordinateBuffer(kind: .polyline)
    for row in 0..<4 { result.appendRow(row, of: buffer, clippedTo: envelope) }
    #expect(result.rowEnds == [0, 0, 1, 2])
    #expect(result.x == [4, 2, 3])
    #expect(result.y == [4, 4, 3])
  }

  @Test("Infinite sides clip nothing, and the largest coordinates do not overflow")
  func extremes() {
    let big = Double.greatestFiniteMagnitude
    for kind in [GeometryKind.polyline, .polygon] {
      var buffer = CoordinateBuffer(kind: kind)
      for (x, y) in [(-big, -big), (big, -big), (0, big), (-big, -big)] { buffer.appendVertex(x: x, y: y) }
      buffer.endPart()
      buffer.endRow()
      var result = CoordinateBuffer(kind: kind)
      let band = Envelope(xMin: -.infinity, yMin: -10, xMax: .infinity, yMax: 10)
      result.appendRow(0, of: buffer, clippedTo: band)
      #expect(result.vertexCount >= 4)
      #expect(result.x.allSatisfy { $0.isFinite })
      #expect(result.y.allSatisfy { abs($0) == 10 })
      #expect(result.x.allSatisfy { abs(abs($0) - big / 2) < big / 1e6 })
    }
  }
}
