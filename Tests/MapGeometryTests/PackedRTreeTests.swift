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

  /// The scan calls the exact test for every row, so what is checked is the tree; the exact test has cases of its own.
  @Test("Rows from the tree are those of a full scan", arguments: data)
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
      #expect(list[0] == -1 && list.dropFirst().sorted().map(Int.init) == scan, "\(envelope)")
      var words = [UInt64](repeating: 0, count: chosen.count)
      tree.insertRows(meeting: envelope, of: buffer, into: &words)
      #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } == scan.count)
      #expect(scan.allSatisfy { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 })
      let both = scan.count { chosen[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
      #expect(tree.count(meeting: envelope, of: buffer, amongPacked: packed) == both)
    }
    #expect(found > 0 || data.rows == 0)
  }
}
