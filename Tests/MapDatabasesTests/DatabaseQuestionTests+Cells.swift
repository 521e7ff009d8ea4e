import Foundation
import MapDatabases
import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapModel
import MapServices
import MapState
import MapTestSupport
import Testing

/// Counts of points in cells that the database groups.
extension DatabaseQuestionTests {
  /// A view of the generated points: the centre in a spatial reference, and the units of a view pixel.
  private struct Place {
    let reference: SpatialReference
    let x: Double
    let y: Double
    let resolution: Double
  }

  private static let places = [
    Place(reference: .webMercator, x: 0, y: 0, resolution: 40_000),
    Place(reference: .webMercator, x: 1_113_194.907932735, y: 6_446_275.841017, resolution: 1000),
    Place(reference: .webMercator, x: -13_600_000.25, y: 4_500_000.75, resolution: 152.874),
    Place(reference: .webMercator, x: 20_037_508.342789244, y: -1e6, resolution: 20_000),
    Place(reference: .webMercator, x: 1_113_194.907932735, y: 6_446_275.841017, resolution: 0.3),
    Place(reference: .wgs84, x: 10, y: 50, resolution: 0.01),
    Place(reference: .wgs84, x: 0, y: 0, resolution: 1.3),
    Place(reference: .wgs84, x: 179.5, y: -8.25, resolution: 0.125),
  ]

  /// Creates a table in degrees and one in metres: crowds, points on the edges of cells, repeated points, and values that
  /// are null, not a number, or exactly a bound of a class.
  private func makeTables() throws {
    var random = SeededGenerator(seed: 411)
    var rows: [(x: Double, y: Double)] = []
    for number in 0..<4000 {
      let place = Self.places[number % Self.places.count]
      let (dx, dy): (Double, Double)
      switch number % 5 {
      // Corners and sides of squares and hexagons.
      case 0:
        (dx, dy) = (
          Double(Int.random(in: -320...320, using: &random)) / 2,
          Double(Int.random(in: -220...220, using: &random)) / 2
        )
      case 1:
        let (column, row) = (
          Int.random(in: -20...20, using: &random), Int.random(in: -20...20, using: &random)
        )
        (dx, dy) = (Double(column) * 8, Double(row) * 8 / 3.0.squareRoot())
      case 2: (dx, dy) = (.random(in: -30 ... -28, using: &random), .random(in: 10...12, using: &random))
      default: (dx, dy) = (.random(in: -160...160, using: &random), .random(in: -110...110, using: &random))
      }
      var (x, y) = (place.x + dx * place.resolution, place.y + dy * place.resolution)
      if place.reference == .webMercator {
        (x, y) = (WebMercator.longitude(x: x), WebMercator.latitude(y: y))
      }
      if x > 180 { x -= 360 }
      if x < -180 { x += 360 }
      rows.append((x, min(max(y, -90), 90)))
      if number % 11 == 0 { rows.append((x, y.magnitude < 85 ? y : 0)) }
    }
    rows += [(180, 0), (-180, 0), (180, 90), (0, -90), (0, 85.06), (-180, -85.06)]
    let values = [
      "NULL", "0", "'-0'", "1", "2.5", "2.5000000000000004", "'NaN'", "'Infinity'", "-7", "1e300",
    ]
    let kinds = ["'a'", "'b'", "NULL", "'A'", "''", "'a '"]
    for (name, id) in [("z_cells_degrees", 4326), ("z_cells_metres", 3857)] {
      try database.rows(
        """
        DROP TABLE IF EXISTS \(name);
        CREATE TABLE \(name) (id int4 PRIMARY KEY, kind text, n int8, value float8, geom geometry(Point, \(id)))
        """)
      // Points in metres are those that MapState would compute, so that they lie on edges too.
      let usable = id == 4326 ? rows : rows.filter { abs($0.y) < 85.05 }
      for start in stride(from: 0, to: usable.count, by: 700) {
        let list = usable.indices[start..<min(start + 700, usable.count)].map { index -> String in
          var (x, y) = usable[index]
          if id == 3857 { (x, y) = (WebMercator.x(longitude: x), WebMercator.y(latitude: y)) }
          return "(\(index + 1), \(kinds[index / 3 % 6]), \(index % 7 == 0 ? "NULL" : "\(index % 9)"), "
            + "\(values[index / 2 % 10]), ST_SetSRID(ST_MakePoint('\(x)', '\(y)'), \(id)))"
        }
        try database.rows("INSERT INTO \(name) VALUES \(list.joined(separator: ","))")
      }
      try database.rows("INSERT INTO \(name) VALUES (900001, 'a', 1, 1, NULL)")
    }
  }

  private static func marker(_ red: UInt8) -> SymbolForm {
    SimpleMarkerSymbol(color: Color(red: red, green: 100, blue: 40)).form
  }

  /// Renderers with the names of their rules; the database cannot group the last.
  private static var renderers: [(name: String, renderer: RendererForm)] {
    func values(_ fields: [String], _ values: [[String]], hasDefault: Bool) -> RendererForm {
      var renderer = UniqueValueRenderer(
        fieldNames: fields, delimiter: ",",
        uniqueValues: values.enumerated().map { index, values in
          UniqueValueRenderer.UniqueValue(
            values: [values.joined(separator: ",")], label: "\(index)", symbol: marker(UInt8(index * 60)))
        })
      renderer.defaultSymbol = hasDefault ? marker(250) : nil
      return .uniqueValue(renderer)
    }
    func breaks(_ field: String) -> RendererForm {
      .classBreaks(
        ClassBreaksRenderer(
          fieldName: field,
          classBreaks: [(-7, 0), (0, 1), (1, 2.5), (2.5, 6)].enumerated().map { index, range in
            ClassBreaksRenderer.ClassBreak(
              minimum: range.0, maximum: range.1, label: "\(index)", symbol: marker(UInt8(index * 60)))
          }, includesLowestMinimum: true))
    }
    return [
      ("simple", .simple(SimpleRenderer(form: marker(10)))),
      ("kind", values(["kind"], [["a"], ["<Null>"], ["a "]], hasDefault: false)),
      ("kind and n", values(["kind", "n"], [["a", "1"], ["b", "4"], ["A", "<Null>"]], hasDefault: true)),
      ("breaks of value", breaks("value")), ("breaks of n", breaks("n")),
      ("value", values(["value"], [["0"], ["-0"], ["1"]], hasDefault: true)),
    ]
  }

  @Test(
    "Points counted in the database give the same cells as the points themselves", .timeLimit(.minutes(10)))
  func cells() async throws {
    try makeTables()
    var random = SeededGenerator(seed: 97)
    var (compared, upright, pushed, counted, groups, several, images) = (0, 0, 0, 0, 0, 0, 0)
    for table in ["z_cells_degrees", "z_cells_metres"] {
      var pair = try await pair(table, keeps: true)
      for number in 0..<240 {
        // Points that were fetched before are not asked again.
        if number % 8 == 0 { pair = try await self.pair(table, keeps: true) }
        let place = Self.places[number % Self.places.count]
        let (name, renderer) = Self.renderers[number / 8 % 6]
        let shape: CountingCells.Shape = number % 16 < 8 ? .pixel : .hexagon
        let sizes: [Double] = shape == .pixel ? [1, 1, 4, 7.5] : [16, 16, 4, 23.7]
        let isMoved = number % 3 == 2
        let rotation = number % 5 == 4 ? Double.random(in: -180...180, using: &random) : 0
        let view = ViewState(
          width: 320, height: 220, pixelRatio: number % 7 == 6 ? 1.5 : 1,
          viewpoint: ResolvedViewpoint(
            center: Point(
              x: place.x + (isMoved ? place.resolution * .random(in: -9...9, using: &random) : 0),
              y: place.y + (isMoved ? place.resolution * .random(in: -9...9, using: &random) : 0),
              spatialReference: place.reference),
            resolution: place.resolution * (isMoved ? .random(in: 0.5...1.5, using: &random) : 1),
            rotation: rotation),
          background: .white, timeExtent: nil, layers: [])
        var definition = LayerDefinition(id: "a", title: "A")
        if number % 4 == 1 { definition.definitionExpression = "n > 2 OR kind IS NULL" }
        let size = sizes[number / 2 % 4]
        func state(_ source: any FeatureSource) throws -> ViewState {
          try view.with(layers: [LayerState(definition, source: source, renderer: renderer)])
            .counting(in: CountingCells(shape, size: size))
        }
        let text = "\(table) \(number): \(name) \(shape) \(size) \(place) \(rotation)"
        let (whole, asked) = (try state(pair.whole), try state(pair.asked))
        _ = pair.statements.taken()
        let layer = try await asked.fetched(asked.layers[0])
        let found = try await asked.drawing(of: layer, index: 0)
        let statements = pair.statements.taken()
        let isPushed = statements.contains { $0.contains("mapstate first") }
        let expected = try await whole.drawing(of: whole.layers[0], index: 0)
        #expect(found.cells == expected.cells, "\(text)")
        let funnels = (
          try await asked.funnel(of: layer, drawing: found),
          try await whole.funnel(of: whole.layers[0], drawing: expected)
        )
        #expect(funnels.0 == funnels.1, "\(text)")
        // Rotated views are read as rows, and earlier fetches answer later views.
        if rotation == 0 { upright += 1 }
        if isPushed {
          #expect(rotation == 0, "\(text)")
          pushed += 1
          #expect(statements.count == 1 && name != "value", "\(text)")
          groups += found.drawn.count
          if expected.cells?.sum ?? 0 > expected.drawn.count { several += 1 }
        }
        if number % 24 == 0 {
          #expect(try await asked.render().bitmap == whole.render().bitmap, "\(text)")
          let legends = (try await asked.legend(counts: true), try await whole.legend(counts: true))
          #expect("\(legends.0)" == "\(legends.1)", "\(text)")
          images += 1
        }
        compared += 1
        counted += expected.cells?.sum ?? 0
      }
    }
    print(
      "cells that the database grouped: \(pushed) of \(upright); \(groups) groups of \(counted) points; \(several) views "
        + "with several world copies")
    #expect(compared == 480 && counted > 50_000 && images == 20)
    #expect(upright == 384 && pushed * 4 > upright * 3 && several > 20, "\(pushed) of \(upright), \(several)")
  }
}
