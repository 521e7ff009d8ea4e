import MapBasemap
import MapFeatures
import MapGeometry
import MapState
import MapTestSupport
import Testing

@Suite struct BasemapFileTests {
  /// A file of one layer in the format of `Scripts/make/basemap`.
  static func file(
    content: UInt8 = 1, geometry: UInt8 = 2, steps: Int = 1 << 16, rows: [(kind: Int, parts: [[(Int, Int)]])]
  ) -> [UInt8] {
    var (data, x, y): ([UInt8], Int, Int) = ([], 0, 0)
    func put(_ value: Int) {
      var value = value
      while value > 127 {
        data.append(UInt8(value & 127 | 128))
        value >>= 7
      }
      data.append(UInt8(value))
    }
    func put(step: Int) { put(step >= 0 ? 2 * step : -2 * step - 1) }
    for row in rows {
      put(row.kind)
      put(row.parts.count)
      for part in row.parts {
        put(part.count)
        for (px, py) in part {
          put(step: px - x)
          put(step: py - y)
          (x, y) = (px, py)
        }
      }
    }
    func bytes(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let vertices = rows.flatMap(\.parts).map(\.count).reduce(0, +)
    return Array("NEBM".utf8) + bytes(3, 2) + bytes(1, 2) + bytes(steps, 4) + bytes(33_000, 4)
      + bytes(98_304, 4)
      + [content, geometry, 0, 0] + bytes(rows.count, 4) + bytes(rows.map(\.parts.count).reduce(0, +), 4)
      + bytes(vertices, 4) + bytes(data.count, 4) + data
  }

  static let rows: [(kind: Int, parts: [[(Int, Int)]])] = [
    (1, [[(-33_000, 20), (300, 20), (300, -98_304)], [(1, 1), (2, 1), (2, 2), (1, 2)]]),
    (0, [[(0, 0), (63, -64), (64, 70_000)]]), (300, []),
  ]

  @Test("Rows of a basemap file survive a round trip in metres")
  func roundTrip() throws {
    let bytes = Self.file(rows: Self.rows)
    let file = try BasemapFile(bytes.span)
    let table = try file.table(.land, of: bytes.span)
    let step = 2 * WebMercator.halfWorld / 65_536
    #expect(file.window.xMin == -33_000 * step)
    #expect(file.window.yMin == -98_304 * step)
    #expect(table.columns[0].storage == .integers([1, 0, 300]))
    let geometry = try #require(table.geometry)
    #expect(geometry.rowCount == 3)
    #expect(geometry.isEmpty(row: 2))
    #expect(geometry.partEnds == [4, 9, 13])
    let places = Self.rows.flatMap(\.parts).flatMap { $0 + [$0[0]] }
    #expect(geometry.x == places.map { Double($0.0) * step })
    #expect(geometry.y == places.map { Double($0.1) * step })
    #expect(try file.table(.borders, of: bytes.span).rowCount == 0)
    let lines = Self.file(content: 3, geometry: 1, rows: Self.rows)
    #expect(try BasemapFile(lines.span).table(.borders, of: lines.span).geometry?.partEnds == [3, 7, 10])
  }

  @Test("A malformed basemap file is refused and never traps")
  func malformed() throws {
    let bytes = Self.file(rows: Self.rows)
    func read(_ bytes: [UInt8]) throws {
      let file = try BasemapFile(bytes.span)
      for content in BasemapFile.Content.allCases { _ = try file.table(content, of: bytes.span) }
    }
    try read(bytes)
    for count in 0..<bytes.count {
      #expect(throws: BasemapFile.Fault.self) { try read(Array(bytes.prefix(count))) }
    }
    #expect(throws: BasemapFile.Fault.header) { try read(Self.file(geometry: 1, rows: Self.rows)) }
    #expect(throws: BasemapFile.Fault.header) { try read(Self.file(steps: 0, rows: Self.rows)) }
    var generator = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      do { try read(damaged) } catch { refused += 1 }
    }
    #expect(refused > 5000)
  }

  @Test("A shoreline omits the edges along the cut and keeps all others")
  func shores() throws {
    let square = [(-33_000, 0), (-33_000, 50), (10, 50), (10, 0)]
    let bytes = Self.file(rows: [
      (0, [square, [(1, 1), (2, 1), (2, 2)]]), (1, [[(5, -98_304), (9, -98_304), (7, 3)]]),
    ])
    let file = try BasemapFile(bytes.span)
    let shores = try file.table(.land, of: bytes.span).shores(cutTo: file.window)
    let lines = try #require(shores.geometry)
    #expect(lines.kind == .polyline)
    #expect(shores.schema.geometryKind == .polyline)
    // The square without its west side, the closed triangle, and the other without its bottom.
    #expect(lines.partEnds == [4, 8, 11])
    #expect(lines.rowEnds == [2, 3])
    let step = 2 * WebMercator.halfWorld / 65_536
    #expect(lines.x[0..<4].map { $0 / step } == [-33_000, 10, 10, -33_000])
    #expect(lines.y[0..<4].map { $0 / step } == [50, 50, 0, 0])
  }
}
