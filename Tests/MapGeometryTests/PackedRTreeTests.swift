import MapGeometry
import MapTestSupport
import Testing

@Suite struct PackedRTreeTests {
  struct Data: CustomTestStringConvertible {
    let kind: GeometryKind
    let rows: Int
    let size: Double
    var testDescription: String { "\(rows) \(kind.rawValue) of size \(size)" }
  }

  static let data: [Data] = [
    Data(kind: .point, rows: 0, size: 0), Data(kind: .point, rows: 1, size: 0),
    Data(kind: .point, rows: 64, size: 0), Data(kind: .point, rows: 65, size: 300),
    Data(kind: .point, rows: 1025, size: 100), Data(kind: .point, rows: 20_000, size: 10),
    Data(kind: .multipoint, rows: 3000, size: 20), Data(kind: .polyline, rows: 65, size: 500),
    Data(kind: .polyline, rows: 3000, size: 15), Data(kind: .polygon, rows: 1, size: 300),
    Data(kind: .polygon, rows: 3000, size: 25), Data(kind: .polygon, rows: 200, size: 400),
  ]

  /// The scan also uses the exact test, so this checks the tree; the exact test has its own cases.
  @Test("Rows found by the tree equal those of a full scan", arguments: data)
  func equalsScan(_ data: Data) {
    let buffer = RandomGeometries.buffer(data.kind, rows: data.rows, size: data.size, seed: 11)
    let tree = PackedRTree(of: buffer)
    #expect(Set(tree.rows).count == tree.rows.count)
    #expect(tree.rows.count == (0..<buffer.rowCount).count { !buffer.isEmpty(row: $0) })
    var random = SeededGenerator(seed: 12)
    let chosen = (0..<(buffer.rowCount + 63) / 64).map { _ in random.next() }
    let packed = tree.packed(chosen)
    var found = 0
    for envelope in RandomGeometries.envelopes(400, touching: buffer, seed: 13) {
      let scan = (0..<buffer.rowCount).filter { buffer.row($0, meets: envelope) }
      found += scan.count
      #expect(tree.count(meeting: envelope, of: buffer) == scan.count, "\(envelope)")
      var list: [Int32] = [-1]
      tree.appendRows(meeting: envelope, of: buffer, to: &list)
      #expect(list[0] == -1, "\(envelope)")
      #expect(list.dropFirst().sorted().map(Int.init) == scan, "\(envelope)")
      var words = [UInt64](repeating: 0, count: chosen.count)
      tree.insertRows(meeting: envelope, of: buffer, into: &words)
      #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } == scan.count)
      #expect(scan.allSatisfy { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 })
      let both = scan.count { chosen[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
      #expect(tree.count(meeting: envelope, of: buffer, among: packed) == both)
    }
    #expect(found > 0 || data.rows == 0)
  }

  @Test("A node inside the envelope adds its rows without visiting them")
  func counters() {
    let buffer = RandomGeometries.buffer(.point, rows: 20_000, size: 10, seed: 21)
    let tree = PackedRTree(of: buffer)
    var counters = PackedRTree.Counters()
    #expect(tree.count(meeting: tree.extent, of: buffer, counters: &counters) == tree.rows.count)
    #expect(counters.nodes == 1)
    #expect(counters.rows == 0)
    #expect(counters.exactTests == 0)

    // Half the extent per side: only leaves along four sides, out of some 300.
    counters = PackedRTree.Counters()
    let middle = Envelope(xMin: 250, yMin: 250, xMax: 750, yMax: 750)
    let found = tree.count(meeting: middle, of: buffer, counters: &counters)
    #expect(found > 4000)
    #expect(counters.nodes < 250)
    #expect(counters.rows < 5000)
    #expect(counters.exactTests == 0)

    // An envelope far away visits one node, and a tiny one visits one path down the tree.
    counters = PackedRTree.Counters()
    #expect(
      tree.count(meeting: Envelope(xMin: 5e3, yMin: 0, xMax: 6e3, yMax: 9), of: buffer, counters: &counters)
        == 0)
    #expect(counters.nodes == 1)
    #expect(counters.rows == 0)
    counters = PackedRTree.Counters()
    _ = tree.count(
      meeting: Envelope(xMin: 100, yMin: 100, xMax: 101, yMax: 101), of: buffer, counters: &counters)
    #expect(counters.nodes < 80)
    #expect(counters.rows <= 8 * 64)
  }

  @Test(
    "Only rows that cross a side of the envelope are tested exactly",
    arguments: [GeometryKind.polyline, .polygon])
  func exactTests(_ kind: GeometryKind) {
    let buffer = RandomGeometries.buffer(kind, rows: 20_000, size: 10, seed: 22)
    let tree = PackedRTree(of: buffer)
    var counters = PackedRTree.Counters()
    let middle = Envelope(xMin: 250, yMin: 250, xMax: 750, yMax: 750)
    let found = tree.count(meeting: middle, of: buffer, counters: &counters)
    #expect(found > 4000, "\(counters)")
    #expect(counters.exactTests > 0, "\(counters)")
    #expect(counters.exactTests < 500, "\(counters)")
    #expect(counters.rows < 6000, "\(counters)")
  }

  @Test("One distant point does not degrade the tree's order")
  func outlier() {
    var random = SeededGenerator(seed: 23)
    var buffer = CoordinateBuffer(kind: .point)
    buffer.appendPoint(x: 0, y: 0)
    for _ in 0..<20_000 {
      buffer.appendPoint(
        x: .random(in: 1e9...1e9 + 100, using: &random), y: .random(in: 1e9...1e9 + 100, using: &random))
    }
    let tree = PackedRTree(of: buffer)
    var counters = PackedRTree.Counters()
    let envelope = Envelope(xMin: 1e9 + 40, yMin: 1e9 + 40, xMax: 1e9 + 50, yMax: 1e9 + 50)
    let scan = (0..<buffer.rowCount).count { buffer.row($0, meets: envelope) }
    #expect(tree.count(meeting: envelope, of: buffer, counters: &counters) == scan)
    #expect(scan > 100)
    #expect(counters.rows < 2000, "\(counters)")
  }

  @Test("A tree is built from the largest, smallest and equal coordinates")
  func extremes() {
    let big = Double.greatestFiniteMagnitude
    let tiny = Double.leastNonzeroMagnitude
    for values in [[-big, 0, big], [0, tiny, -tiny], [7, 7, 7], [-big, -1e-300, tiny, 1, 1e300]] {
      var buffer = CoordinateBuffer(kind: .point)
      var lines = CoordinateBuffer(kind: .polyline)
      for _ in 0..<100 {
        for x in values {
          for y in values {
            buffer.appendPoint(x: x, y: y)
            lines.appendVertex(x: x, y: y)
            lines.appendVertex(x: y, y: x)
            lines.endPart()
            lines.endRow()
          }
        }
      }
      for buffer in [buffer, lines] {
        let tree = PackedRTree(of: buffer)
        #expect(Set(tree.rows).count == buffer.rowCount)
        for x in values {
          for y in values {
            let envelope = Envelope(xMin: x, yMin: y, xMax: max(x, 1), yMax: max(y, 2))
            let scan = (0..<buffer.rowCount).count { buffer.row($0, meets: envelope) }
            #expect(tree.count(meeting: envelope, of: buffer) == scan)
          }
        }
      }
    }
  }

  @Test("A point with one NaN coordinate is in no tree and no count")
  func halfEmpty() {
    var buffer = CoordinateBuffer(kind: .point)
    buffer.appendPoint(x: .nan, y: 1)
    buffer.appendPoint(x: 1, y: .nan)
    buffer.appendPoint(x: 1, y: 1)
    let tree = PackedRTree(of: buffer)
    #expect(tree.rows == [2])
    let everywhere = Envelope(xMin: -.infinity, yMin: -.infinity, xMax: .infinity, yMax: .infinity)
    #expect(tree.count(meeting: everywhere, of: buffer) == 1)
    #expect(PackedRTree(of: CoordinateBuffer(kind: .polygon)).extent.isEmpty)
  }

  @Test("A tree over columns of envelopes finds the rows of a scan")
  func columns() {
    let buffer = RandomGeometries.buffer(.polyline, rows: 1000, size: 20, seed: 24)
    let columns = EnvelopeColumns(of: buffer)
    for envelope in RandomGeometries.envelopes(100, touching: buffer, seed: 25) {
      let words = columns.rows(meeting: envelope)
      #expect(words.count == 16)
      for row in 0..<1000 {
        let expected = buffer.envelope(ofRow: row).meets(envelope)
        #expect((words[row / 64] >> UInt64(row % 64) & 1 == 1) == expected)
      }
    }
  }

  /// Rings cross themselves and use the grid of a third of the points, so that points lie on edges.
  @Test("Points found in a polygon equal those of a test per point", arguments: [0, -40])
  func placesInPolygons(shift: Double) {
    let buffer = RandomGeometries.buffer(.point, rows: 3000, size: 10, seed: 26)
    let tree = PackedRTree(of: buffer)
    var random = SeededGenerator(seed: 27)
    let none = [UInt64](repeating: 0, count: (buffer.rowCount + 63) / 64)
    var found: [PointLocator.Location: Int] = [:]
    for _ in 0..<60 {
      var polygon = CoordinateBuffer(kind: .polygon)
      let ring = (0..<6).map { _ in
        (
          Double(Int.random(in: 0...125, using: &random) * 8),
          Double(Int.random(in: 0...125, using: &random) * 8)
        )
      }
      for (x, y) in ring + [ring[0]] { polygon.appendVertex(x: x, y: y) }
      polygon.endPart()
      polygon.endRow()
      let locator = PointLocator(row: 0, of: polygon)
      var (inside, boundary) = (none, none)
      tree.insertPlaces(in: locator, movedEast: shift, inside: &inside, boundary: &boundary)
      var (expectedInside, expectedBoundary) = (none, none)
      for place in 0..<buffer.rowCount {
        let location = locator.location(x: buffer.x[place] - shift, y: buffer.y[place])
        found[location, default: 0] += 1
        if location == .inside { expectedInside[place / 64] |= 1 << UInt64(place % 64) }
        if location == .boundary { expectedBoundary[place / 64] |= 1 << UInt64(place % 64) }
      }
      #expect(inside == expectedInside)
      #expect(boundary == expectedBoundary)
    }
    #expect(found.count == 3, "\(found)")
    #expect(found.values.allSatisfy { $0 > 20 }, "\(found)")
  }

  @Test("Only points of leaves along a polygon's boundary are tested exactly")
  func polygonCounters() {
    let buffer = RandomGeometries.buffer(.point, rows: 20_000, size: 10, seed: 28)
    let tree = PackedRTree(of: buffer)
    var diamond = CoordinateBuffer(kind: .polygon)
    for (x, y) in [(500.0, 100.0), (900, 500), (500, 900), (100, 500), (500, 100)] {
      diamond.appendVertex(x: x, y: y)
    }
    diamond.endPart()
    diamond.endRow()
    var words = [UInt64](repeating: 0, count: (buffer.rowCount + 63) / 64)
    var boundary = words
    var counters = PackedRTree.Counters()
    tree.insertPlaces(
      in: PointLocator(row: 0, of: diamond), movedEast: 0, inside: &words, boundary: &boundary,
      counters: &counters)
    #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } > 5000)
    #expect(counters.nodes < 400, "\(counters)")
    #expect(counters.exactTests > 0, "\(counters)")
    #expect(counters.exactTests < 8000, "\(counters)")
  }
}
