import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Shapes from 0.001 to 4 pixels: their ink is their area, and each pixel has its exact coverage.
///
/// The areas come from formulas, and the coverage from clipping polygons to pixels.
@Suite struct SmallShapeTests {
  typealias Corner = PixelCoverage.Corner

  /// A shape in a cell of its own, with the convex polygons whose coverage it has.
  struct Shape {
    let vertices: [Corner]
    let isRing: Bool
    let fills: Bool
    let stroke: Stroke?
    /// The inside that is filled; empty for none.
    let filled: [Corner]
    /// The outer side of the stroke, and the inside that it leaves open; empty for none.
    let outer: [Corner]
    let inner: [Corner]
    /// The area of the inside and of the stroke, by formulas.
    let fillArea: Double
    let strokeArea: Double
  }

  /// The kinds of shapes, and the number of shapes of each kind.
  enum Kind: CaseIterable {
    case rectangle, outline, filledOutline, strip, stripOutline, circle, circleOutline, line

    var count: Int { 2500 }
    /// The side of a cell in pixels.
    var cell: Int { self == .strip || self == .stripOutline ? 48 : 16 }
    var hasFill: Bool { [.rectangle, .filledOutline, .strip, .circle].contains(self) }
    var hasStroke: Bool { ![.rectangle, .strip, .circle].contains(self) }
  }

  /// Returns a random length, as often within each power of ten.
  static func length(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Double {
    exp(.random(in: log(range.lowerBound)...log(range.upperBound), using: &random))
  }

  static func shape(_ kind: Kind, _ random: inout SeededGenerator) -> Shape {
    let angle =
      Int.random(in: 0..<4, using: &random) == 0 ? 0 : Double.random(in: 0..<2 * .pi, using: &random)
    let middle = Double(kind.cell) / 2
    let center = Corner(
      middle + .random(in: -1...1, using: &random), middle + .random(in: -1...1, using: &random))
    func placed(_ corners: [Corner]) -> [Corner] {
      corners.map {
        center + Corner($0.x * cos(angle) - $0.y * sin(angle), $0.x * sin(angle) + $0.y * cos(angle))
      }
    }
    let (cap, join) = (
      [SimpleLineSymbol.Cap.butt, .round, .square][Int.random(in: 0..<3, using: &random)],
      [SimpleLineSymbol.Join.miter, .round, .bevel][Int.random(in: 0..<3, using: &random)]
    )
    let width = length(0.25...4, &random), half = width / 2
    let stroke = kind.hasStroke ? Stroke(color: .black, width: width, cap: cap, join: join) : nil
    switch kind {
    case .rectangle, .outline, .filledOutline, .strip, .stripOutline:
      let isStrip = kind == .strip || kind == .stripOutline
      let a = isStrip ? length(4...30, &random) : length(0.001...4, &random),
        b = length(0.001...(isStrip ? 2 : 4), &random)
      let ring = box(a, b)
      let left = (max(a - width, 0), max(b - width, 0))
      let corners =
        switch join {
        case .miter: width * width
        case .round: Double.pi * half * half
        case .bevel: width * width / 2
        }
      return Shape(
        vertices: placed(Bool.random(using: &random) ? ring : ring.reversed()), isRing: true,
        fills: kind.hasFill, stroke: stroke, filled: kind.hasFill ? placed(ring) : [],
        outer: stroke == nil ? [] : placed(around(ring, half, join)),
        inner: stroke == nil || left.0 * left.1 == 0 ? [] : placed(box(left.0, left.1)),
        fillArea: kind.hasFill ? a * b : 0,
        strokeArea: stroke == nil ? 0 : a * b + width * (a + b) + corners - left.0 * left.1)
    case .circle, .circleOutline:
      let radius = length(0.0005...2, &random)
      let count = Int.random(in: 8...60, using: &random)
      func ring(_ radius: Double) -> [Corner] {
        (0..<count).map { index in
          let angle = 2 * .pi * Double(index) / Double(count)
          return Corner(cos(angle), sin(angle)) * radius
        }
      }
      // Of a polygon with equal sides, miters keep the shape, and move its sides by half the width.
      let (apothem, slope) = (cos(.pi / Double(count)), Double(count) * tan(.pi / Double(count)))
      let inner = max(0, radius - half / apothem)
      func area(_ radius: Double) -> Double { slope * radius * radius * apothem * apothem }
      return Shape(
        vertices: placed(ring(radius)), isRing: true, fills: kind.hasFill,
        stroke: stroke.map { Stroke(color: .black, width: $0.width, join: .miter) },
        filled: kind.hasFill ? placed(ring(radius)) : [],
        outer: stroke == nil ? [] : placed(ring(radius + half / apothem)),
        inner: stroke == nil || inner == 0 ? [] : placed(ring(inner)),
        fillArea: kind.hasFill ? area(radius) : 0,
        strokeArea: stroke == nil ? 0 : area(radius + half / apothem) - area(inner))
    case .line:
      let long = length(0.001...4, &random)
      let ends = [Corner(-long / 2, 0), Corner(long / 2, 0)]
      let more =
        switch cap {
        case .butt: 0.0
        case .square: width * width
        case .round: Double.pi * half * half
        }
      let corners =
        cap == .round ? around(ends, half, .round) : box(long + (cap == .square ? width : 0), width)
      return Shape(
        vertices: placed(ends), isRing: false, fills: false, stroke: stroke, filled: [],
        outer: placed(corners), inner: [], fillArea: 0, strokeArea: long * width + more)
    }
  }

  /// Returns a rectangle around the origin.
  static func box(_ a: Double, _ b: Double) -> [Corner] {
    [Corner(-a, -b) / 2, Corner(a, -b) / 2, Corner(a, b) / 2, Corner(-a, b) / 2]
  }

  /// Returns the outer side of the stroke of a rectangle, or of a line there and back.
  static func around(_ ring: [Corner], _ half: Double, _ join: SimpleLineSymbol.Join) -> [Corner] {
    let turn = 2 * .pi / Double(ring.count), chords = 64 / ring.count
    var corners: [Corner] = []
    for index in ring.indices {
      let place = ring[index]
      let way = place - ring[(index + ring.count - 1) % ring.count]
      // The normal of the side before the corner, to the outside.
      let first = atan2(-way.x, way.y)
      switch join {
      case .miter:
        corners.append(place + Corner(cos(first + turn / 2), sin(first + turn / 2)) * half * 2.0.squareRoot())
      case .bevel:
        for angle in [first, first + turn] { corners.append(place + Corner(cos(angle), sin(angle)) * half) }
      case .round:
        for chord in 0...chords {
          let angle = first + turn * Double(chord) / Double(chords)
          corners.append(place + Corner(cos(angle), sin(angle)) * half)
        }
      }
    }
    return corners
  }

  /// The shapes of an image, and the list that draws them with the vertices that a map gives its painter.
  static func list(_ shapes: [Shape], cell: Int, columns: Int) -> DisplayList {
    let kind: GeometryKind = shapes.first?.isRing ?? true ? .polygon : .polyline
    var batch = PathBatch(styles: [], kind: kind)
    var own = CoordinateBuffer(kind: kind)
    for (row, shape) in shapes.enumerated() {
      let corner = Corner(Double(row % columns * cell), Double(row / columns * cell))
      own.removeAll()
      for vertex in shape.vertices + (shape.isRing ? Array(shape.vertices.prefix(1)) : []) {
        own.appendVertex(x: corner.x + vertex.x, y: corner.y + vertex.y)
      }
      own.endPart()
      own.endRow()
      if shape.isRing {
        batch.geometry.appendRow(0, of: own, thinnedTo: PathBatch.gridSteps)
      } else {
        batch.geometry.append(own)
      }
      batch.styles.append(PathStyle(fill: shape.fills ? .black : nil, stroke: shape.stroke, classIndex: 0))
      batch.style.append(UInt32(row))
      batch.row.append(Int32(row))
    }
    return oneLayer(
      [.paths(batch)], width: columns * cell, height: (shapes.count + columns - 1) / columns * cell)
  }

  @Test(
    "Small shapes have the ink of their area and the exact coverage of each pixel", arguments: Kind.allCases)
  func sweep(kind: Kind) throws {
    var random = SeededGenerator(seed: 2_026)
    let (cell, columns) = (kind.cell, 50)
    var (count, largest) = (0, 0.0)
    var (ink, area) = (0.0, 0.0)
    while count < kind.count {
      let shapes = (0..<500).map { _ in Self.shape(kind, &random) }
      let bitmap = try CairoPainter.bitmap(of: Self.list(shapes, cell: cell, columns: columns))
      for (index, shape) in shapes.enumerated() {
        var (fill, stroke) = (
          PixelCoverage(width: cell, height: cell), PixelCoverage(width: cell, height: cell)
        )
        fill.add(shape.filled)
        stroke.add(shape.outer)
        stroke.add(shape.inner, factor: -1)
        let fillSum = fill.values.reduce(0, +), strokeSum = stroke.values.reduce(0, +)
        // The polygons of the test have the areas of the formulas; 64 chords of a circle lose 0.2 %.
        #expect(abs(fillSum - shape.fillArea) <= 1e-9 + 1e-6 * shape.fillArea)
        #expect(abs(strokeSum - shape.strokeArea) <= 1e-9 + 0.002 * shape.strokeArea, "\(shape)")
        var (own, rounding) = (0.0, 0.0)
        for row in 0..<cell {
          let first = ((index / columns * cell + row) * columns * cell + index % columns * cell) * 4
          for column in 0..<cell {
            let place = row * cell + column
            let covered = 1 - (1 - fill.values[place]) * (1 - stroke.values[place])
            let painted = Double(bitmap.pixels[first + column * 4 + 3])
            own += painted / 255
            largest = max(largest, abs(painted - covered * 255))
            if covered > 0 { rounding += 1.0 / 255 }
          }
        }
        ink += own
        // Where both cover a pixel, the outline lies over the inside.
        let both = zip(fill.values, stroke.values).reduce(0) { $0 + $1.0 * $1.1 }
        let expected = shape.fillArea + shape.strokeArea - both
        area += expected
        // The inside and the outline are rounded to 8 bits each.
        #expect(abs(own - expected) <= 0.02 * expected + rounding, "\(index): \(shape)")
      }
      count += shapes.count
    }
    #expect(count == 2500)
    #expect(largest <= 4, "\(kind): \(largest)")
    #expect(abs(ink / area - 1) < 0.01, "\(kind): ink \(ink), area \(area)")
  }

  @Test("The kinds of small shapes are 20,000 shapes")
  func count() { #expect(Kind.allCases.reduce(0) { $0 + $1.count } == 20_000) }
}
