import MapGeometry
import MapTestSupport
import Testing

/// Compares rows of overlapping polygons with their union, computed independently.
@Suite("Unions of the polygons of a feature")
struct PolygonUnionTests {
  typealias Ring = [(x: Double, y: Double)]

  /// Reads polygons as one row, as the readers do.
  static func row(_ polygons: [[Ring]]) throws -> (builder: CoordinateBuilder, buffer: CoordinateBuffer) {
    var builder = CoordinateBuilder()
    try builder.beginRow(.polygon)
    for polygon in polygons {
      for ring in polygon {
        for vertex in ring { try builder.addVertex(x: vertex.x, y: vertex.y) }
        _ = builder.endPartIfSound()
      }
      builder.endPolygon()
    }
    builder.endRow()
    return (builder, try #require(builder.result))
  }

  static func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> Ring {
    [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
  }

  /// The area by the directions of the rings, whose interior is on the left.
  static func area(_ buffer: CoordinateBuffer) -> Double {
    buffer.parts(ofRow: 0).reduce(0) { $0 + buffer.doubleArea(ofPart: $1) } / 2
  }

  /// Whether a point is inside a ring by the even-odd rule.
  static func isInside(_ ring: Ring, _ x: Double, _ y: Double) -> Bool {
    var inside = false
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where (a.y > y) != (b.y > y) {
      if a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) > x { inside.toggle() }
    }
    return inside
  }

  static func isInside(_ polygon: [Ring], _ x: Double, _ y: Double) -> Bool {
    polygon.reduce(false) { $0 != isInside($1, x, y) }
  }

  @Test("Two polygons with a common area are read as their union")
  func twoBoxes() throws {
    let (builder, buffer) = try Self.row([[Self.box(0, 0, 6, 4)], [Self.box(4, 1, 10, 5)]])
    #expect(builder.joinedRows == 1)
    #expect(Self.area(buffer) == 24 + 24 - 6)
    #expect(buffer.row(0, meets: Envelope(xMin: 4.9, yMin: 1.9, xMax: 5.1, yMax: 2.1)))
    #expect(buffer.parts(ofRow: 0).count == 1)
  }

  @Test(
    "Polygons without a common area keep their vertices",
    arguments: [
      [[box(0, 0, 1, 1)], [box(1, 0, 2, 1)]],
      [[box(0, 0, 1, 1)], [box(1, 1, 2, 2)]],
      [[box(0, 0, 9, 9), box(1, 1, 8, 8)], [box(2, 2, 3, 3)]],
      [[box(0, 0, 9, 9), box(1, 1, 8, 8)], [box(1, 1, 8, 8)]],
      [[box(0, 0, 9, 1), box(3, 0.25, 4, 0.75)], [box(0, 5, 9, 6)]],
      [[[(0, 0), (9, 0), (9, 9)]], [[(0, 1), (8, 9), (0, 9)]]],
    ] as [[[Ring]]])
  func apart(_ polygons: [[Ring]]) throws {
    let (builder, buffer) = try Self.row(polygons)
    #expect(builder.joinedRows == 0 && builder.overlappingRows == 0)
    #expect(buffer.vertexCount == polygons.joined().reduce(0) { $0 + $1.count + 1 })
  }

  @Test(
    "Polygons that contain, repeat or cross each other have the area of their union",
    arguments: [
      ([[box(0, 0, 9, 9)], [box(2, 2, 3, 3)]], 81),
      ([[box(0, 0, 9, 9)], [box(0, 0, 9, 9)]], 81),
      ([[box(0, 0, 9, 9)], [box(0, 0, 9, 9)], [box(0, 0, 9, 9)]], 81),
      ([[box(0, 0, 9, 9)], [box(0, 0, 5, 9)]], 81),
      ([[box(0, 0, 9, 9), box(1, 1, 8, 8)], [box(2, 2, 3, 3)], [box(0, 4, 9, 5)]], 81 - 49 + 1 + 7),
      ([[box(0, 3, 9, 6)], [box(3, 0, 6, 9)]], 45),
      ([[box(0, 0, 4, 4)], [box(1, 1, 5, 5)], [box(2, 2, 6, 6)], [box(20, 0, 21, 1)]], 16 + 7 + 7 + 1),
    ] as [([[Ring]], Double)])
  func joined(_ polygons: [[Ring]], area: Double) throws {
    let (builder, buffer) = try Self.row(polygons)
    #expect(builder.joinedRows == 1)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      let (x, y) = (Double.random(in: -1...22, using: &random), Double.random(in: -1...10, using: &random))
      let place = Envelope(xMin: x, yMin: y, xMax: x, yMax: y)
      #expect(buffer.row(0, meets: place) == polygons.contains { Self.isInside($0, x, y) })
    }
    #expect(Self.area(buffer) == area)
  }

  @Test("Rings of one polygon that cross each other are filled by the even-odd rule")
  func evenOddInside() throws {
    let (builder, buffer) = try Self.row([
      [Self.box(0, 0, 6, 4), Self.box(4, 1, 10, 5)], [Self.box(0, 3, 1, 9)],
    ])
    #expect(builder.joinedRows == 1)
    #expect(!buffer.row(0, meets: Envelope(xMin: 4.9, yMin: 1.9, xMax: 5.1, yMax: 2.1)))
    #expect(Self.area(buffer) == 24 + 24 - 12 + 6 - 1)
  }

  @Test("2,000 generated rows of polygons fill exactly the points that are inside one of their polygons")
  func generated() throws {
    var random = SeededGenerator(seed: 20)
    var (joined, points) = (0, 0)
    for index in 0..<2000 {
      let isOnGrid = index % 3 == 0
      func coordinate(_ middle: Double, _ reach: Double) -> Double {
        let value = middle + Double.random(in: -reach...reach, using: &random)
        return isOnGrid ? value.rounded() : value
      }
      let polygons = (0..<Int.random(in: 2...5, using: &random)).map { _ -> [Ring] in
        let (x, y) = (Double.random(in: 0...30, using: &random), Double.random(in: 0...30, using: &random))
        let reach = Double.random(in: 2...12, using: &random)
        return (0..<Int.random(in: 1...2, using: &random)).map { _ in
          (0..<Int.random(in: 3...7, using: &random)).map { _ in (coordinate(x, reach), coordinate(y, reach))
          }
        }.filter { ring in Set(ring.map { "\($0)" }).count > 2 }
      }
      let (builder, buffer) = try Self.row(polygons)
      #expect(builder.overlappingRows == 0, "row \(index)")
      joined += builder.joinedRows
      for _ in 0..<60 {
        let (x, y) = (
          Double.random(in: -10...40, using: &random), Double.random(in: -10...40, using: &random)
        )
        let place = Envelope(xMin: x, yMin: y, xMax: x, yMax: y)
        let expected = polygons.contains { Self.isInside($0, x, y) }
        #expect(buffer.row(0, meets: place) == expected, "row \(index) at \(x), \(y)")
        points += expected ? 1 : 0
      }
    }
    // Most rows overlap, and many points are inside.
    #expect(joined > 1000 && points > 4000)
  }

  @Test("Many polygons that overlap each other are joined, and an island world is left as it is")
  func large() throws {
    func circle(_ x: Double, _ y: Double, _ radius: Double, _ count: Int) -> Ring {
      (0..<count).map { index in
        let angle = Double(index) * 2 * .pi / Double(count)
        return (x + radius * angle.cosine, y + radius * (angle - .pi / 2).cosine)
      }
    }
    let buffers = (0..<200).map { [circle(Double($0 % 20) * 1.5, Double($0 / 20) * 1.5, 1, 32)] }
    let (builder, buffer) = try Self.row(buffers)
    #expect(builder.joinedRows == 1 && builder.overlappingRows == 0)
    #expect(Self.area(buffer) < 30.5 * 15.5 && Self.area(buffer) > 28.5 * 13.5)
    let land = circle(50, 50, 40, 5000)
    let islands = (0..<400).compactMap { index -> [Ring]? in
      let (x, y) = (Double(index % 20) * 5, Double(index / 20) * 5)
      let isOutside = (x - 50) * (x - 50) + (y - 50) * (y - 50) > 41 * 41
      return isOutside ? [circle(x, y, 0.3, 12)] : nil
    }
    let world = try Self.row([[land]] + islands)
    #expect(world.builder.joinedRows == 0 && islands.count > 50)
  }
}

extension Double {
  /// The cosine, by its series.
  fileprivate var cosine: Double {
    let turned = truncatingRemainder(dividingBy: 2 * .pi)
    var (term, sum) = (1.0, 1.0)
    for step in 1...20 {
      term *= -turned * turned / Double((2 * step - 1) * 2 * step)
      sum += term
    }
    return sum
  }
}
