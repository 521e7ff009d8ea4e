import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// The lines and areas of neighbouring tiles, joined for drawings without seams.
@Suite struct TilePieceJoinTests {
  private typealias Shape = [(Double, Double)]
  private static let extent = 100
  private static let fourTiles = [(0, 0), (1, 0), (0, 1), (1, 1)]

  /// A feature that tiles cut.
  private struct Feature {
    var kind = GeometryKind.polygon
    let shape: Shape
    var id: UInt64?
    var values = 0
    /// The tiles that have it; nil for all.
    var tiles: [Int]?
  }

  /// Joins features that each of some tiles has in full, with positions relative to the tile.
  private static func joined(
    _ features: [Feature], tiles: [(Int, Int)] = fourTiles, own: Double = 100
  ) -> TilePieceJoin.Features {
    var join = TilePieceJoin(extent: extent)
    for (index, tile) in tiles.enumerated() {
      let present = features.filter { $0.tiles?.contains(index) ?? true }
      let buffers = [GeometryKind.polygon, .polyline].map { kind in
        var buffer = CoordinateBuffer(kind: kind)
        for feature in present {
          guard feature.kind == kind else {
            buffer.appendEmptyRow()
            continue
          }
          for (x, y) in feature.shape + (kind == .polygon ? [feature.shape[0]] : []) {
            buffer.appendVertex(
              x: (x - Double(tile.0 * extent)) * own / 100, y: (y - Double(tile.1 * extent)) * own / 100)
          }
          buffer.endPart()
          buffer.endRow()
        }
        return buffer
      }
      join.append(
        buffers, extent: own, ids: present.map(\.id), values: present.map(\.values), column: tile.0 + 7,
        row: tile.1 + 3)
    }
    return join.features(fromColumn: 7, row: 3)
  }

  private static func rings(_ features: TilePieceJoin.Features, _ row: Int) -> [[(Double, Double)]] {
    guard let buffer = features.geometries.first(where: { !$0.isEmpty(row: row) }) else { return [] }
    return buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0).map { (buffer.x[$0], buffer.y[$0]) } }
  }

  private static func area(_ features: TilePieceJoin.Features, _ row: Int) -> Double {
    let buffer = features.geometries[0]
    return buffer.parts(ofRow: row).reduce(0) { $0 + buffer.doubleArea(ofPart: $1) } / 2
  }

  private static let square: Shape = [(50, 50), (150, 50), (150, 150), (50, 150)]

  @Test(
    "An area that tiles cut is one ring without their sides, with an id and without", arguments: [7, nil])
  func area(id: UInt64?) {
    for own in [100.0, 400] {
      let joined = Self.joined([Feature(shape: Self.square, id: id)], own: own)
      #expect(joined.pieces.map(\.tile) == [0])
      #expect(Self.rings(joined, 0).count == 1)
      #expect(Self.area(joined, 0) == 10_000)
      // No edge is inside.
      #expect(!Self.rings(joined, 0)[0].contains { $0 == (100, 100) })
    }
  }

  @Test("Pieces with other values, of one tile and apart from each other stay features of their own")
  func apart() {
    let values = Self.joined([
      Feature(shape: Self.square, values: 1, tiles: [0, 2]),
      Feature(shape: Self.square, values: 2, tiles: [1, 3]),
    ])
    #expect(values.pieces.count == 2)
    let twice = Self.joined([Feature(shape: Self.square), Feature(shape: Self.square)])
    #expect(twice.pieces.count == 2)
    #expect(Self.area(twice, 0) == 10_000 && Self.area(twice, 1) == 10_000)
    let corners = Self.joined([
      Feature(shape: [(10, 10), (20, 10), (20, 20)]), Feature(shape: [(110, 10), (120, 10), (120, 20)]),
    ])
    #expect(corners.pieces.count == 2)
    let ids = Self.joined([
      Feature(shape: Self.square, id: 1, tiles: [0, 2]), Feature(shape: Self.square, id: 2, tiles: [1, 3]),
    ])
    #expect(ids.pieces.count == 2)
  }

  @Test("A line that tiles cut is one line, with an id and without", arguments: [7, nil])
  func line(id: UInt64?) {
    let shape: Shape = [(10, 20), (110, 40), (110, 120), (60, 160)]
    let joined = Self.joined([Feature(kind: .polyline, shape: shape, id: id)])
    #expect(joined.pieces.count == 1)
    let lines = Self.rings(joined, 0)
    #expect(lines.count == 1)
    #expect(lines[0].first.map { $0 == (10, 20) } == true && lines[0].last.map { $0 == (60, 160) } == true)
  }

  @Test("Features keep the order of every tile")
  func order() {
    // Seen in the first tile in the order 0, 2, and in the others in the order 0, 1, 2.
    let strips: [Shape] = (0..<3).map { strip in
      let y = 45 + Double(strip) * 5
      return [(50, y), (150, y), (150, y + 60), (50, y + 60)]
    }
    let joined = Self.joined([
      Feature(shape: strips[0], values: 0), Feature(shape: strips[1], values: 1, tiles: [1, 2, 3]),
      Feature(shape: strips[2], values: 2),
    ])
    let tops = joined.pieces.indices.map { row in Self.rings(joined, row)[0].map(\.1).min() }
    #expect(joined.pieces.count == 3)
    #expect(tops == [45, 50, 55])
  }

  @Test("Tiles whose orders contradict each other still give every feature once")
  func contradiction() {
    var join = TilePieceJoin(extent: 100)
    for (tile, order) in [[5, 6], [6, 5]].enumerated() {
      var buffer = CoordinateBuffer(kind: .polygon)
      for _ in order {
        for (x, y) in Self.square + [Self.square[0]] {
          buffer.appendVertex(x: x - Double(tile) * 100, y: y)
        }
        buffer.endPart()
        buffer.endRow()
      }
      join.append(
        [buffer], extent: 100, ids: order.map { UInt64($0) }, values: [0, 0], column: tile, row: 0)
    }
    #expect(join.features(fromColumn: 0, row: 0).pieces.count == 2)
  }

  @Test("Random stars without ids keep their area and their number", arguments: 0..<40)
  func stars(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let features = (0..<5).map { number in
      let count = Int.random(in: 3...12, using: &random)
      let (x, y) = (Double.random(in: 60...140, using: &random), Double.random(in: 60...140, using: &random))
      let star: Shape = (0..<count).map { index in
        let angle = 6.28 * Double(index) / Double(count)
        let radius = Double.random(in: 20...50, using: &random)
        // Coordinates in tiles are whole numbers.
        return ((x + radius * cosine(angle)).rounded(), (y + radius * cosine(angle - 1.57)).rounded())
      }
      return Feature(shape: star, values: number)
    }
    let joined = Self.joined(features)
    #expect(Set(joined.pieces.map(\.row)).count == 5 && joined.pieces.count == 5)
    for row in joined.pieces.indices {
      let shape = features[joined.pieces[row].row].shape
      let expected = shape.indices.reduce(0.0) { sum, index in
        let (a, b) = (shape[index], shape[(index + 1) % shape.count])
        return sum + (a.0 * b.1 - a.1 * b.0) / 2
      }
      #expect(abs(Self.area(joined, row) - expected) < 3)
    }
  }

  private func cosine(_ angle: Double) -> Double {
    // Bhaskara's approximation is exact enough for a shape.
    let turn = (angle / 6.283185307179586).rounded()
    let x = angle - turn * 6.283185307179586
    let y = abs(x) > 1.5707963267948966 ? 3.141592653589793 - abs(x) : abs(x)
    let value = (9.869604401089358 - 4 * y * y) / (9.869604401089358 + y * y)
    return abs(x) > 1.5707963267948966 ? -value : value
  }
}
