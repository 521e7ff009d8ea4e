import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// The pieces of features in the tiles of one zoom level, joined.
@Suite struct VectorTileJoinTests {
  private typealias Part = [(Int, Int)]

  /// Joins features that each tile has in full, with positions relative to the tile.
  private static func joined(
    _ type: UInt64, _ parts: [Part], extent: Int, tiles: [(Int, Int)], id: UInt64? = 7
  ) throws -> (layer: VectorTileLayer, counts: TileLayerJoin.Counts) {
    var join = TileLayerJoin(name: "water", zoom: 3)
    for (column, row) in tiles {
      let own = parts.map { $0.map { ($0.0 - column * extent, $0.1 - row * extent) } }
      let bytes = VectorTileBytes.tile(
        extent: UInt64(extent), features: [VectorTileBytes.feature(id: id, type, own)])
      let tile = try VectorTile(bytes)
      try join.append(try #require(tile.layers.first), column: column, row: row)
    }
    join.joinMeetingPieces()
    let counts = join.counts
    return (join.layer(), counts)
  }

  private static let fourTiles = [(0, 0), (1, 0), (0, 1), (1, 1)]

  private static func area(_ layer: VectorTileLayer) -> Double {
    layer.geometries.filter { $0.kind == .polygon }.reduce(0) { sum, buffer in
      sum + buffer.partEnds.indices.reduce(0) { $0 + buffer.doubleArea(ofPart: $1) } / 2
    }
  }

  @Test("A square that four tiles cut is one ring again")
  func square() throws {
    let (layer, counts) = try Self.joined(
      3, [[(50, 50), (150, 50), (150, 150), (50, 150)]], extent: 100, tiles: Self.fourTiles)
    #expect((counts.pieces, counts.features, counts.outside) == (4, 1, 0))
    #expect(layer.rowCount == 1 && layer.ids == [7])
    let buffer = try #require(layer.geometries.first)
    #expect(buffer.partEnds == [9], "four corners, four crossings, and the first vertex again")
    #expect(Self.area(layer) == 10_000)
    #expect(layer.extent == 800)
  }

  @Test("8000 rings within each other, with runs along one side, keep their area", .timeLimit(.minutes(1)))
  func nestedRuns() throws {
    let count = 8000
    let rings: [Part] = (0..<count).map { [(0, $0), (20_000 - $0, count), (0, 2 * count - $0)] }
    let (layer, _) = try Self.joined(3, rings, extent: 1 << 15, tiles: [(0, 0)])
    let expected = (0..<count).reduce(0) { $0 + (20_000 - $1) * (count - $1) }
    #expect(Self.area(layer) == Double(expected))
  }

  @Test("A ring around a tile keeps its hole, and rings that touch stay rings")
  func hole() throws {
    let outer: Part = [(50, 50), (250, 50), (250, 250), (50, 250)]
    let inner: Part = [(100, 100), (100, 200), (200, 200), (200, 100)]
    let tiles = (0..<9).map { ($0 % 3, $0 / 3) }
    let (layer, counts) = try Self.joined(3, [outer, inner], extent: 100, tiles: tiles)
    // The tile in the middle has the hole alone.
    #expect(counts.pieces == 9 && counts.outside <= 1)
    #expect(Self.area(layer) == 30_000)
    #expect(layer.geometries[0].partEnds.count == 2)
  }

  @Test("Polygons with corners and sides on the sides of tiles keep their area", arguments: 0..<200)
  func rectilinear(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    // A histogram of columns between two profiles, on the grid of tiles of 4 by 4.
    let tops = (0..<12).map { _ in Int.random(in: 0...6, using: &generator) }
    let bottoms = (0..<12).map { _ in Int.random(in: 7...12, using: &generator) }
    var ring: Part = []
    for x in 0..<12 { ring += [(x, tops[x]), (x + 1, tops[x])] }
    for x in (0..<12).reversed() { ring += [(x + 1, bottoms[x]), (x, bottoms[x])] }
    let tiles = (0..<9).map { ($0 % 3, $0 / 3) }
    let (layer, _) = try Self.joined(3, [ring], extent: 4, tiles: tiles)
    let expected = zip(tops, bottoms).reduce(0) { $0 + $1.1 - $1.0 }
    #expect(Self.area(layer) == Double(expected))
    #expect(layer.rowCount == 1)
  }

  /// Returns the outline of a set of unit cells as closed rings, each clockwise around its cells as seen with y downwards.
  private static func outline(_ cells: Set<[Int]>) -> [Part] {
    var edges: [[Int]: [(Int, Int)]] = [:]
    for cell in cells.sorted(by: { ($0[1], $0[0]) < ($1[1], $1[0]) }) {
      let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map { (cell[0] + $0.0, cell[1] + $0.1) }
      for (side, step) in [(0, -1), (1, 0), (0, 1), (-1, 0)].enumerated()
      where !cells.contains([cell[0] + step.0, cell[1] + step.1]) {
        let (start, end) = (corners[side], corners[(side + 1) % 4])
        edges[[start.0, start.1], default: []].append(end)
      }
    }
    var rings: [Part] = []
    // The first corner is at the top, so that the first ring is an exterior one.
    for start in edges.keys.sorted(by: { ($0[1], $0[0]) < ($1[1], $1[0]) }) {
      while var next = edges[start]?.popLast() {
        var ring: Part = [(start[0], start[1])]
        while next != (start[0], start[1]) {
          ring.append(next)
          guard let following = edges[[next.0, next.1]]?.popLast() else { return [] }
          next = following
        }
        rings.append(ring)
      }
    }
    return rings
  }

  /// Returns how often the rings of a layer turn around a position; rings have whole coordinates, the position none.
  private static func windingNumber(_ layer: VectorTileLayer, _ x: Double, _ y: Double) -> Int {
    var number = 0
    for buffer in layer.geometries {
      for part in buffer.partEnds.indices {
        let vertices = Array(buffer.vertices(ofPart: part))
        for (a, b) in zip(vertices, vertices.dropFirst()) where buffer.x[a] == buffer.x[b] && buffer.x[a] > x
        {
          if (buffer.y[a] < y) != (buffer.y[b] < y) { number += buffer.y[a] < buffer.y[b] ? 1 : -1 }
        }
      }
    }
    return number
  }

  @Test(
    "Cells with holes and corners that touch are covered once again after nine tiles cut them",
    arguments: 0..<100)
  func cells(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let share = Int.random(in: 2...9, using: &generator)
    let all = (0..<144).map { [$0 % 12, $0 / 12] }
    let cells = Set(all.filter { _ in Int.random(in: 0..<10, using: &generator) < share })
    let tiles = (0..<9).map { ($0 % 3, $0 / 3) }
    let (layer, counts) = try Self.joined(3, Self.outline(cells), extent: 4, tiles: tiles)
    #expect(Self.area(layer) == Double(cells.count))
    #expect(counts.features == 1)
    for cell in all {
      let number = Self.windingNumber(layer, Double(cell[0]) + 0.5, Double(cell[1]) + 0.5)
      #expect(number == (cells.contains(cell) ? 1 : 0), "\(cell)")
    }
  }

  @Test("Polygons and lines with diagonal segments keep their area and vertices exactly", arguments: 0..<100)
  func diagonals(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    // Diagonals cross the sides of tiles at whole positions.
    func walk(_ range: ClosedRange<Int>, steps: [Int]) -> [Int] {
      (0..<12).reduce(into: [Int.random(in: range, using: &generator)]) { values, _ in
        let next = values[values.count - 1] + steps[Int.random(in: 0..<steps.count, using: &generator)]
        values.append(min(max(next, range.lowerBound), range.upperBound))
      }
    }
    let (tops, bottoms) = (walk(0...6, steps: [-1, 0, 1]), walk(7...12, steps: [-1, 0, 1]))
    let ring = tops.enumerated().map { ($0, $1) } + bottoms.enumerated().reversed().map { ($0, $1) }
    let tiles = (0..<9).map { ($0 % 3, $0 / 3) }
    let (polygon, _) = try Self.joined(3, [ring], extent: 4, tiles: tiles)
    let heights = zip(tops, bottoms).map { $1 - $0 }
    let twice = zip(heights, heights.dropFirst()).reduce(0) { $0 + $1.0 + $1.1 }
    #expect(Self.area(polygon) * 2 == Double(twice))
    #expect(polygon.geometries[0].partEnds.count == 1)
    let line = walk(1...11, steps: [-1, 1]).enumerated().map { ($0, $1) }
    let moving = zip(line, line.dropFirst()).prefix { $0.1 != $1.1 }.map(\.1)
    let path = line.prefix(1) + moving
    guard path.count > 1 else { return }
    let (joined, _) = try Self.joined(2, [Part(path)], extent: 4, tiles: tiles)
    let buffer = joined.geometries[0]
    #expect(buffer.partEnds.count == 1)
    let vertices = zip(buffer.x, buffer.y).map { [$0, $1] }
    #expect(path.allSatisfy { vertices.contains([Double($0.0), Double($0.1)]) })
    #expect(vertices.count == path.count, "crossings are at vertices of the line")
    #expect(buffer.x == buffer.x.sorted())
  }

  @Test("Random polygons keep their area within the rounding of their crossings", arguments: 0..<100)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 3...40, using: &generator)
    let ring: Part = (0..<count).map { index in
      let (angle, radius) = (
        Double(index) / Double(count) * 2 * .pi, Double.random(in: 100...1500, using: &generator)
      )
      // The quarter turn keeps sine and cosine out of the test.
      let steps = Int(angle / .pi * 2) % 4
      let share = angle / .pi * 2 - Double(Int(angle / .pi * 2))
      let (x, y) = [(1 - share, share), (-share, 1 - share), (share - 1, -share), (share, share - 1)][steps]
      return (1500 + Int(x * radius), 1500 + Int(y * radius))
    }
    let tiles = (0..<9).map { ($0 % 3, $0 / 3) }
    let (layer, counts) = try Self.joined(3, [ring], extent: 1000, tiles: tiles)
    var twice = 0
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) { twice += a.0 * b.1 - b.0 * a.1 }
    #expect(abs(Self.area(layer) - abs(Double(twice) / 2)) < 40)
    #expect(layer.geometries[0].partEnds.count == 1)
    #expect(counts.features == 1)
  }

  @Test("A line through three tiles is one line, and one that leaves a tile twice too")
  func lines() throws {
    let through: Part = [(50, 50), (250, 60)]
    let (one, _) = try Self.joined(2, [through], extent: 100, tiles: [(2, 0), (0, 0), (1, 0)])
    #expect(one.geometries[0].partEnds == [4])
    #expect(one.geometries[0].x == [50, 100, 200, 250])
    let twice: Part = [(50, 20), (150, 40), (50, 60), (150, 80)]
    let (two, counts) = try Self.joined(2, [twice], extent: 100, tiles: Self.fourTiles)
    #expect(two.geometries[0].partEnds == [7])
    #expect(counts.outside == 2, "the lower tiles have it in their buffer only")
    let closed: Part = [(50, 50), (150, 50), (150, 150), (50, 150), (50, 50)]
    let (ring, _) = try Self.joined(2, [closed], extent: 100, tiles: Self.fourTiles)
    #expect(ring.geometries[0].partEnds == [9])
  }

  @Test("A line along the side of two tiles is kept once")
  func alongSide() throws {
    let (layer, _) = try Self.joined(2, [[(100, 10), (100, 90)]], extent: 100, tiles: [(0, 0), (1, 0)])
    #expect(layer.geometries[0].partEnds == [2])
  }

  @Test("Points are kept once, with and without ids, and those of the buffer not at all")
  func points() throws {
    for id in [UInt64?.none, 7] {
      for (point, count) in [((50, 50), 1), ((100, 50), 1), ((100, 100), 1), ((250, 50), 0)] {
        let (layer, counts) = try Self.joined(1, [[point]], extent: 100, tiles: Self.fourTiles, id: id)
        #expect(layer.rowCount == count && counts.features == count, "\(point)")
        #expect(layer.geometries.first?.vertexCount ?? 0 == count)
        #expect(counts.pieces == 4)
      }
    }
  }

  @Test(
    "Polygons and lines without ids are joined where they meet at a side, and those that meet none are counted"
  )
  func withoutIDs() throws {
    let square: Part = [(50, 50), (150, 50), (150, 150), (50, 150)]
    let (layer, counts) = try Self.joined(3, [square], extent: 100, tiles: Self.fourTiles, id: nil)
    #expect((counts.pieces, counts.features, counts.cutWithoutID) == (4, 1, 0))
    #expect(layer.rowCount == 1 && Self.area(layer) == 10_000 && layer.geometries[0].partEnds == [9])
    #expect(layer.id(ofRow: 0) == nil)
    let (line, ends) = try Self.joined(
      2, [[(50, 50), (150, 60)]], extent: 100, tiles: Self.fourTiles, id: nil)
    #expect(line.geometries[0].partEnds == [3] && (ends.features, ends.cutWithoutID) == (1, 0))
    // The tile below is missing.
    let (half, cut) = try Self.joined(3, [square], extent: 100, tiles: [(0, 0), (1, 0)], id: nil)
    #expect(half.rowCount == 1 && Self.area(half) == 5_000)
    #expect((cut.features, cut.cutWithoutID, cut.cutPolygonsWithoutID) == (1, 2, 2))
    let (_, inside) = try Self.joined(
      3, [[(10, 10), (20, 10), (20, 20)]], extent: 100, tiles: Self.fourTiles, id: nil)
    #expect((inside.features, inside.cutWithoutID, inside.outside) == (1, 0, 3))
  }

  @Test("Pieces without ids that meet with other values, and neighbours along a side, stay apart")
  func apartWithoutIDs() throws {
    func counts(_ values: [UInt64], _ parts: [Part]) throws -> (TileLayerJoin.Counts, VectorTileLayer) {
      var join = TileLayerJoin(name: "water", zoom: 1)
      for (column, part) in parts.enumerated() {
        let bytes = VectorTileBytes.tile(
          extent: 100, keys: ["n"], values: [VectorTileBytes.number(5, values[column])],
          features: [
            VectorTileBytes.feature(id: nil, tags: [0, 0], 3, [part]),
            VectorTileBytes.feature(id: nil, tags: [0, 0], 3, [[(40, 80), (60, 80), (60, 90), (40, 90)]]),
          ])
        try join.append(try #require(try VectorTile(bytes).layers.first), column: column, row: 0)
      }
      join.joinMeetingPieces()
      return (join.counts, join.layer())
    }
    let (left, right): (Part, Part) = (
      [(50, 10), (100, 10), (100, 30), (50, 30)], [(0, 10), (50, 10), (50, 30), (0, 30)]
    )
    let (same, layer) = try counts([3, 3], [left, right])
    #expect((same.features, same.cutWithoutID) == (3, 0))
    // Other features keep their order and values.
    #expect(layer.ids.count == 3 && layer.tags.pairs.count == 3 && Self.area(layer) == 2_400)
    #expect(layer.geometries[0].rowEnds.count == 3)
    let (different, _) = try counts([3, 4], [left, right])
    #expect((different.features, different.cutWithoutID) == (4, 2))
    let lower: Part = [(0, 12), (50, 12), (50, 40), (0, 40)]
    #expect(try counts([3, 3], [left, lower]).0.features == 4)
  }

  @Test("Tiles of different extents join, and features of other values or kinds do not")
  func differences() throws {
    var join = TileLayerJoin(name: "water", zoom: 1)
    func append(_ column: Int, extent: Int, value: UInt64, _ type: UInt64, _ parts: [Part]) throws {
      let bytes = VectorTileBytes.tile(
        extent: UInt64(extent), keys: ["n"], values: [VectorTileBytes.number(5, value)],
        features: [VectorTileBytes.feature(id: 1, tags: [0, 0], type, parts)])
      try join.append(try #require(try VectorTile(bytes).layers.first), column: column, row: 0)
    }
    try append(0, extent: 100, value: 3, 2, [[(50, 50), (100, 50)]])
    try append(1, extent: 200, value: 3, 2, [[(0, 100), (100, 100)]])
    #expect(join.counts.features == 1)
    try append(1, extent: 100, value: 4, 2, [[(0, 50), (50, 50)]])
    try append(1, extent: 100, value: 3, 1, [[(50, 50)]])
    #expect(join.counts.features == 3 && join.counts.sharedIDs == 3)
    let layer = join.layer()
    #expect(layer.geometries.first { $0.kind == .polyline }?.partEnds == [3, 5])
    let table = try layer.table(in: .webMercatorTile(zoom: 0, column: 0, row: 0))
    #expect(table.objectIDs == nil, "the ids are not of one feature each")
    #expect(table.columns[0].value(at: 1) == .integer(4))
  }

  @Test("Whole numbers in one tile and decimals in another are decimals; texts make texts")
  func types() throws {
    for (second, type) in [
      ([UInt8](arrayLiteral: 0x19) + [0, 0, 0, 0, 0, 0, 0xF8, 0x3F], FieldType.float64),
      (VectorTileBytes.text(1, "a"), .text), (VectorTileBytes.number(7, 1), .text),
    ] {
      var join = TileLayerJoin(name: "water", zoom: 1)
      for (column, value) in [VectorTileBytes.number(4, 3), second].enumerated() {
        let bytes = VectorTileBytes.tile(
          keys: ["n"], values: [value],
          features: [VectorTileBytes.feature(tags: [0, 0], 1, [[(50, 50)]])])
        try join.append(try #require(try VectorTile(bytes).layers.first), column: column, row: 0)
      }
      let table = try join.layer().table(in: .webMercatorTile(zoom: 0, column: 0, row: 0))
      #expect(table.schema.fields.map(\.type) == [type])
      #expect(table.warnings.isEmpty == (type == .float64))
      let expected = [0, 1].map { WebMercator.halfWorld * (Double($0) + 50 / 4096 - 1) }
      #expect(zip(table.geometry?.x ?? [], expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("More features than the limit are refused")
  func limits() throws {
    var limits = VectorTileLimits.ofLevel
    limits.features = 3
    var join = TileLayerJoin(name: "water", zoom: 3, limits: limits)
    let tile = try VectorTile(
      VectorTileBytes.tile(features: [VectorTileBytes.feature(1, [[(50, 50)]])]))
    let layer = try #require(tile.layers.first)
    for column in 0..<3 { try join.append(layer, column: column, row: 0) }
    #expect(throws: VectorTileError.self) { try join.append(layer, column: 3, row: 0) }
  }
}
