import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Heat maps beside a direct sum over all points, and dots beside their areas.
@Suite struct DensityTests {
  // MARK: Heat maps

  private static let ramp = [
    HeatmapRenderer.ColorStop(ratio: 0, color: Color(red: 0, green: 0, blue: 0, alpha: 0)),
    HeatmapRenderer.ColorStop(ratio: 0.5, color: Color(red: 255, green: 0, blue: 80)),
    HeatmapRenderer.ColorStop(ratio: 1, color: Color(red: 255, green: 255, blue: 0)),
  ]

  private struct Weighted {
    let x: Double
    let y: Double
    let weight: Double?
  }

  private static func points(_ count: Int, seed: UInt64) -> [Weighted] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Weighted(
        x: .random(in: -90...90, using: &random), y: .random(in: -80...80, using: &random),
        weight: Int.random(in: 0..<8, using: &random) == 0 ? nil : .random(in: 0...3, using: &random))
    }
  }

  private static func table(_ points: [Weighted]) throws -> FeatureColumns {
    try Scene.table(
      "Point", fields: "[{\"name\":\"w\",\"type\":\"esriFieldTypeDouble\"}]",
      points.map { point in
        let weight = point.weight.map { "\($0)" } ?? "null"
        return "{\"attributes\":{\"w\":\(weight)},\"geometry\":{\"x\":\(point.x),\"y\":\(point.y)}}"
      })
  }

  private static func image(_ drawing: LayerDrawing) throws -> DisplayImage {
    guard case .image(let image) = try #require(drawing.layer.batches.first) else {
      throw DensityTests.Unexpected()
    }
    return image
  }

  private struct Unexpected: Error {}

  @Test(
    "A heat map has the colours of the sum over all points at every pixel",
    arguments: [(1, 0.0, false), (2, 0.0, true), (1, 30.0, true)])
  func convolution(_ ratio: Int, _ rotation: Double, _ isWeighted: Bool) throws {
    let points = Self.points(300, seed: 7)
    let renderer = HeatmapRenderer(
      fieldName: isWeighted ? "w" : nil, radius: 14, minDensity: 0.002, maxDensity: 0.03,
      colorStops: Self.ramp)
    var scene = Scene()
    (scene.pixelRatio, scene.rotation, scene.renderer) = (Double(ratio), rotation, renderer)
    let (view, drawing) = try scene.drawing(of: Self.table(points))
    let image = try Self.image(drawing)
    let (width, height) = (Int(view.width) * ratio, Int(view.height) * ratio)
    #expect(image.width == width)
    #expect(image.pixels.count == width * height)
    let angle = rotation * Double.pi / 180
    var (largest, compared, painted) = (0, 0, 0)
    for row in 0..<height {
      for column in 0..<width {
        // The ground in pixels of 1/96 inch, for a resolution of 1.
        let right = (Double(column) + 0.5) / Double(ratio) - view.width / 2
        let up = view.height / 2 - (Double(row) + 0.5) / Double(ratio)
        var sum = 0.0
        for point in points {
          let (x, y) = (
            point.x * cos(angle) - point.y * sin(angle), point.x * sin(angle) + point.y * cos(angle)
          )
          let square = ((x - right) * (x - right) + (y - up) * (y - up)) / (14 * 14)
          guard square < 1 else { continue }
          sum +=
            (isWeighted ? point.weight ?? 0 : 1) * 3 / (Double.pi * 14 * 14) * (1 - square) * (1 - square)
        }
        let place = min(max((sum - 0.002) / 0.028, 0), 1)
        let expected: [Double] =
          place < 0.5
          ? [255, 0, 80, 255].map { $0 * place * 2 } : [255, (place - 0.5) * 510, (1 - place) * 160, 255]
        let alpha = expected[3]
        let pixel = image.pixels[row * width + column]
        let found = [16, 8, 0, 24].map { Double(pixel >> UInt32($0) & 255) }
        for part in 0..<4 {
          let channel = part < 3 ? expected[part] * alpha / 255 : alpha
          largest = max(largest, Int(abs(found[part] - channel).rounded()))
        }
        compared += 1
        if pixel > 0 { painted += 1 }
      }
    }
    #expect(largest <= 1)
    #expect(compared == 8000 * ratio * ratio)
    #expect(painted > compared / 4)
  }

  @Test("Points outside the view whose kernel reaches into it are at the edge, and add to its density")
  func edge() throws {
    let points = [
      Weighted(x: 0, y: 0, weight: 1), Weighted(x: 55, y: 0, weight: 1), Weighted(x: 70, y: 0, weight: 1),
    ]
    var scene = Scene()
    scene.renderer = HeatmapRenderer(radius: 10, maxDensity: 0.001, colorStops: Self.ramp)
    let drawing = try scene.drawing(of: Self.table(points)).drawing
    #expect(Array(drawing.drawn) == [0])
    #expect(Array(drawing.edge) == [1])
    #expect(try Self.image(drawing).pixels[40 * 100 + 99] > 0)
  }

  @Test("A reference scale keeps the colours and scales the radius")
  func referenceScale() throws {
    var scene = Scene()
    let table = try Self.table([Weighted(x: 0, y: 0, weight: 1)])
    func painted(_ scale: Double, _ resolution: Double) throws -> (count: Int, middle: UInt32) {
      scene.resolution = resolution
      scene.renderer = HeatmapRenderer(
        radius: 10, maxDensity: 0.02, colorStops: Self.ramp, referenceScale: scale)
      let pixels = try Self.image(scene.drawing(of: table).drawing).pixels
      return (pixels.count { $0 > 0 }, pixels[40 * 100 + 50])
    }
    let scale = ResolvedViewpoint.scalePerResolution
    let (same, half) = (try painted(scale, 1), try painted(scale, 0.5))
    #expect(half.middle >> 16 & 255 >= same.middle >> 16 & 255)
    #expect(abs(half.count - 4 * same.count) < same.count / 2)
    #expect(same.count == (try painted(0, 1)).count)
  }

  @Test("A heat map of areas, and one without a radius, draw nothing and say why")
  func refused() throws {
    var scene = Scene()
    scene.renderer = HeatmapRenderer(radius: 0, maxDensity: 1, colorStops: Self.ramp)
    let none = try scene.drawing(of: Self.table([Weighted(x: 0, y: 0, weight: 1)])).drawing
    #expect(none.layer.batches.isEmpty)
    #expect(none.failures.first?.hasPrefix("nothing is drawn: the radius of the heat map is 0.0") == true)
    scene.renderer = HeatmapRenderer(maxDensity: 1, colorStops: Self.ramp)
    let areas = try scene.drawing(of: Self.areas([(4, 0)])).drawing
    #expect(areas.failures == ["nothing is drawn: a heat map needs points, not polygon features"])
  }

  // MARK: Dots

  /// Two squares with a hole in the second.
  private static func areas(_ values: [(a: Double, b: Double)]) throws -> FeatureColumns {
    let rings = [
      "[[-40,-30],[-40,30],[-5,30],[-5,-30],[-40,-30]]",
      "[[5,-30],[5,30],[40,30],[40,-30],[5,-30]],[[15,-10],[30,-10],[30,10],[15,10],[15,-10]]",
    ]
    return try Scene.table(
      "Polygon",
      fields:
        "[{\"name\":\"a\",\"type\":\"esriFieldTypeDouble\"},{\"name\":\"b\",\"type\":\"esriFieldTypeDouble\"}]",
      zip(values, rings).map { value, rings in
        "{\"attributes\":{\"a\":\(value.a),\"b\":\(value.b)},\"geometry\":{\"rings\":[\(rings)]}}"
      })
  }

  private static func dots(_ scene: Scene, _ table: FeatureColumns) throws -> MarkerBatch {
    let batches = try scene.drawing(of: table).drawing.layer.batches
    guard batches.count == 2, case .markers(let batch) = batches[1] else { throw Unexpected() }
    return batch
  }

  private static let dotted = DotDensityRenderer(
    attributes: [
      RendererAttribute(fieldName: "a", color: .red), RendererAttribute(fieldName: "b", color: .blue),
    ], dotValue: 10, outline: SimpleLineSymbol(color: .black, width: 1), backgroundColor: .white)

  @Test("Every area has a dot for each multiple of the dot value, inside it")
  func dotCounts() throws {
    var scene = Scene()
    scene.renderer = Self.dotted
    let batch = try Self.dots(scene, Self.areas([(1004, 996), (2005, -50)]))
    var counts = [[0, 0], [0, 0]]
    for index in batch.row.indices {
      counts[Int(batch.row[index])][Int(batch.style[index])] += 1
      let (x, y) = (batch.x[index] - 50, 40 - batch.y[index])
      #expect(abs(y) <= 30)
      let isFirst = batch.row[index] == 0
      #expect(isFirst ? (-40...(-5)).contains(x) : (5...40).contains(x))
      #expect(isFirst || !((15...30).contains(x) && abs(y) < 10))
    }
    #expect(counts == [[100, 100], [201, 0]])
    #expect(batch.styles.map(\.fill) == [.red, .blue])
  }

  @Test("Dots keep their places when the view moves, and more are added for a larger value")
  func stableDots() throws {
    var scene = Scene()
    scene.renderer = Self.dotted
    let table = try Self.areas([(500, 300), (700, 0)])
    let first = try Self.dots(scene, table)
    #expect(first == (try Self.dots(scene, table)))
    scene.center = Point(x: 3, y: 2, spatialReference: .webMercator)
    let moved = try Self.dots(scene, table)
    #expect(moved.row == first.row)
    #expect(zip(moved.x, first.x).allSatisfy { abs($0 + 3 - $1) < 1e-9 })
    scene.center = Point(x: 0, y: 0, spatialReference: .webMercator)
    let more = try Self.dots(scene, Self.areas([(600, 300), (700, 0)]))
    let places = Set(zip(more.x, more.y).map { "\($0) \($1)" })
    #expect(zip(first.x, first.y).allSatisfy { places.contains("\($0) \($1)") })
    var other = Self.dotted
    other.seed = 2
    scene.renderer = other
    #expect(try Self.dots(scene, table).x != first.x)
  }

  @Test("Dots are spread evenly over an area")
  func even() throws {
    var scene = Scene()
    scene.renderer = Self.dotted
    let batch = try Self.dots(scene, Self.areas([(100_000, 0)]))
    var cells = [Int](repeating: 0, count: 6)
    for (x, y) in zip(batch.x, batch.y) where x >= 10 && x < 45 && y >= 10 && y < 70 {
      cells[Int((y - 10) / 20) * 2 + Int((x - 10) / 17.5)] += 1
    }
    #expect(cells.reduce(0, +) == 10_000)
    // Six standard deviations of a sixth of 10,000.
    #expect(cells.allSatisfy { abs($0 - 1667) < 224 }, "\(cells)")
  }

  @Test("Too many dots and a dot value of 0 draw no dots and say why")
  func tooMany() throws {
    var scene = Scene()
    var renderer = Self.dotted
    renderer.dotValue = 1e-9
    scene.renderer = renderer
    let drawing = try scene.drawing(of: Self.areas([(1000, 0)])).drawing
    #expect(drawing.failures.first?.hasPrefix("no dots are drawn: there are 1000000000000.0 of them") == true)
    renderer.dotValue = 0
    scene.renderer = renderer
    #expect(
      try scene.drawing(of: Self.areas([(1000, 0)])).drawing.failures
        == ["no dots are drawn: their value is 0.0, not above 0"])
  }
}
