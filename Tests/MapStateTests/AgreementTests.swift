import Foundation
import MapCairo
import MapDrawing
import MapState
import MapTestSupport
import Testing

/// Counts, funnels, ids and images over generated combinations of filters, rotations, references and kinds.
@Suite("Agreement of counts, funnels, ids and images") struct AgreementTests {
  /// A condition in SQL, and the same in Swift; nil is unknown.
  private struct Condition: Sendable {
    let text: String
    let holds: @Sendable (Row) -> Bool?
  }

  private struct Row {
    let n: Int
    var group: String? { ["a", "b", nil, "ä"][n % 4] }
    var value: Double? { n % 5 == 0 ? nil : Double(n * 37 % 101) / 100 }
  }

  private static let conditions = [
    Condition(text: "") { _ in true },
    Condition(text: "n < 60") { $0.n < 60 },
    Condition(text: "grp = 'a'") { row in row.group.map { $0 == "a" } },
    Condition(text: "NOT (grp = 'a')") { row in row.group.map { $0 != "a" } },
    Condition(text: "grp IS NULL") { $0.group == nil },
    Condition(text: "value >= 0.5 OR grp IN ('b', 'ä')") { row in
      let (first, second) = (row.value.map { $0 >= 0.5 }, row.group.map { ["b", "ä"].contains($0) })
      if first == true || second == true { return true }
      return first == nil || second == nil ? nil : false
    },
    Condition(text: "n BETWEEN 10 AND 90 AND value < 0.7") { row in
      let first = (10...90).contains(row.n)
      guard first else { return false }
      return row.value.map { $0 < 0.7 }
    },
    Condition(text: "MOD(n, 3) = 1") { $0.n % 3 == 1 },
    Condition(text: "UPPER(grp) LIKE 'B%'") { row in row.group.map { $0 == "b" } },
    Condition(text: "value IS NOT NULL AND NOT (value < 0.25)") { row in row.value.map { $0 >= 0.25 } ?? false
    },
    Condition(text: "COALESCE(value, 1) > 0.9") { ($0.value ?? 1) > 0.9 },
    Condition(text: "CASE WHEN grp = 'b' THEN n ELSE 0 END > 40") { $0.group == "b" && $0.n > 40 },
  ]

  private static let references = [3857, 4326, 54030, 3035, 32632]

  /// A view over features in a grid of its pixels, which do not overlap.
  private struct Scene {
    let view: MapView
    let definition: Condition
    let display: Condition
    let question: Condition
    /// The rows whose geometry surely meets the view, and those that may.
    let inside: (sure: Set<Int>, perhaps: Set<Int>)
    let rowCount: Int

    func rows(_ rows: Set<Int>, _ conditions: [Condition]) -> Set<Int> {
      rows.filter { row in conditions.allSatisfy { $0.holds(Row(n: row)) == true } }
    }
  }

  private static func scene(_ seed: Int) throws -> Scene {
    var random = SeededGenerator(seed: UInt64(seed))
    let map = SpatialReference(wkid: references[seed % references.count])
    let kind = [GeometryKind.point, .polyline, .polygon][seed / 5 % 3]
    let rotation = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 90 : Double.random(in: 0..<360, using: &random)
    let (width, height) = (
      Double(Int.random(in: 60...200, using: &random)), Double(Int.random(in: 60...200, using: &random))
    )
    let center = Point(
      x: Double.random(in: 6...12, using: &random), y: Double.random(in: 42...55, using: &random),
      spatialReference: .wgs84)
    let viewpoint = Viewpoint(
      center: center, scale: Double.random(in: 1e4...1e6, using: &random), rotation: rotation)
    // An empty map tells the resolution and the centre in its own reference.
    let place = try MapReferenceTests.view(map, [], viewpoint, width: width, height: height).viewpoint
    let turn = rotation * .pi / 180
    let cell = kind == .point ? 15.0 : 30
    let reach = Int(hypot(width, height) * 0.6 / cell) + 1
    // Vertices right of and above the middle of the view, in view pixels.
    var shapes: [[(right: Double, up: Double)]] = []
    for row in -reach...reach {
      for column in -reach...reach {
        let (x, y) = (
          (Double(column) + Double.random(in: -0.1...0.1, using: &random)) * cell,
          (Double(row) + Double.random(in: -0.1...0.1, using: &random)) * cell
        )
        guard kind != .point else {
          shapes.append([(x, y)])
          continue
        }
        let (radius, first) = (
          Double.random(in: 4...9, using: &random), Double.random(in: 0...6, using: &random)
        )
        let corners = (0..<(kind == .polygon ? 4 : 2)).map { corner in
          let angle = first + Double(corner) * .pi / (kind == .polygon ? 2 : 1)
          return (x + radius * cos(angle), y + radius * sin(angle))
        }
        shapes.append(corners + (kind == .polygon ? [corners[0]] : []))
      }
    }
    var (x, y) = ([Double](), [Double]())
    for vertex in shapes.joined() {
      x.append(place.center.x + (vertex.right * cos(turn) + vertex.up * sin(turn)) * place.resolution)
      y.append(place.center.y + (vertex.up * cos(turn) - vertex.right * sin(turn)) * place.resolution)
    }
    try SpatialOperations.installed.project(x: &x, y: &y, from: map, to: .wgs84)
    var geometry = CoordinateBuffer(kind: kind)
    var next = 0
    for shape in shapes {
      for _ in shape {
        if kind == .point {
          geometry.appendPoint(x: x[next], y: y[next])
        } else {
          geometry.appendVertex(x: x[next], y: y[next])
        }
        next += 1
      }
      if kind != .point {
        geometry.endPart()
        geometry.endRow()
      }
    }
    let rows = shapes.indices.map { Row(n: $0) }
    let fields = [
      Field(name: "n", type: .int64), Field(name: "grp", type: .text), Field(name: "value", type: .float64),
    ]
    let table = FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: kind, spatialReference: .wgs84),
      columns: [
        Column(.integers(rows.map { Int64($0.n) })),
        Column(
          .text(codes: rows.map { Int32($0.n % 4) }, dictionary: ["a", "b", "", "ä"]),
          validity: RowSet(rowCount: rows.count, rows: rows.indices.filter { rows[$0].group != nil })),
        Column(
          .reals(rows.map { $0.value ?? 0 }),
          validity: RowSet(rowCount: rows.count, rows: rows.indices.filter { rows[$0].value != nil })),
      ], geometry: geometry, rowCount: rows.count)
    let line = SimpleLineSymbol(color: .black, width: 2)
    let symbol: any Symbol =
      switch kind {
      case .point, .multipoint: SimpleMarkerSymbol(size: 6)
      case .polyline: line
      case .polygon: SimpleFillSymbol(color: .red, outline: line)
      }
    let layer = FeatureLayer(
      source: try InMemorySource(table, operations: .installed), renderer: SimpleRenderer(symbol: symbol))
    func pick() -> Condition { conditions[Int.random(in: conditions.indices, using: &random)] }
    let (definition, display, question) = (pick(), pick(), pick())
    layer.definitionExpression = definition.text
    if !display.text.isEmpty {
      let filter = DisplayFilter(name: "shown", whereClause: display.text)
      layer.displayFilterDefinition = ManualDisplayFilterDefinition(
        activeFilter: filter, availableFilters: [filter])
    }
    func meeting(_ margin: Double) -> Set<Int> {
      let (halfWidth, halfHeight) = (width / 2 + margin, height / 2 + margin)
      return Set(
        shapes.indices.filter { Self.meets(shapes[$0], halfWidth, halfHeight, isArea: kind == .polygon) })
    }
    return Scene(
      view: try MapReferenceTests.view(map, [layer], viewpoint, width: width, height: height),
      definition: definition, display: display, question: question,
      inside: (meeting(-0.05), meeting(0.05)), rowCount: shapes.count)
  }

  /// Returns whether a shape, smaller than the rectangle about the origin, meets it.
  private static func meets(
    _ shape: [(right: Double, up: Double)], _ halfWidth: Double, _ halfHeight: Double, isArea: Bool
  ) -> Bool {
    if shape.contains(where: { abs($0.right) <= halfWidth && abs($0.up) <= halfHeight }) { return true }
    for (a, b) in zip(shape, shape.dropFirst()) {
      var (start, end) = (0.0, 1.0)
      for (from, delta, half) in [
        (a.right, b.right - a.right, halfWidth), (a.up, b.up - a.up, halfHeight),
      ] {
        let (first, second) = ((-half - from) / delta, (half - from) / delta)
        (start, end) = (max(start, min(first, second)), min(end, max(first, second)))
      }
      if start <= end { return true }
    }
    guard isArea else { return false }
    // A corner of the rectangle inside the shape, which is convex.
    return [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)].contains { corner in
      zip(shape, shape.dropFirst()).allSatisfy { a, b in
        (b.right - a.right) * (corner.1 * halfHeight - a.up)
          - (b.up - a.up) * (corner.0 * halfWidth - a.right) > 0
      }
    }
  }

  private static func check(_ scene: Scene, _ seed: Int) async throws -> (counted: Int, painted: Int) {
    let state = scene.view.freeze()
    let layer = state.layers[0]
    var question = FeatureQuestion()
    question.whereClause = scene.question.text
    // Counts and ids follow the definition and the question, not the display filter.
    let asked = [scene.definition, scene.question]
    let (sure, perhaps) = (scene.rows(scene.inside.sure, asked), scene.rows(scene.inside.perhaps, asked))
    let ids = Set(try await state.features(of: layer, question).rows)
    #expect(sure.isSubset(of: ids) && ids.isSubset(of: perhaps), "seed \(seed)")
    #expect(try await state.count(of: layer, question) == ids.count, "seed \(seed)")
    var options = CountOptions()
    options.funnel = true
    options.question = question
    let asking = try #require(try await state.counts(options).layers[0].funnel)
    #expect(asking.total == scene.rowCount && asking.extent == ids.count, "seed \(seed)")
    #expect(asking.display == scene.rows(ids, [scene.display]).count, "seed \(seed)")

    // The image follows the definition and the display filter.
    let drawing = try await state.drawing(of: layer, index: 0)
    let all = Set(try await state.features(of: layer, FeatureQuestion()).rows)
    let drawn = Set(drawing.drawn)
    #expect(drawn == scene.rows(all, [scene.display]), "seed \(seed)")
    let painted = Set(try IDPainter.image(of: await state.displayList()).rows(ofLayer: 0))
    #expect(painted.isSubset(of: drawn.union(drawing.edge)), "seed \(seed)")
    // Symbols of drawn features do not overlap; near the side of the image they may cover no pixel's centre.
    #expect(
      scene.rows(scene.inside.sure, [scene.definition, scene.display]).subtracting(painted).count <= 2,
      "seed \(seed)")
    options.question = FeatureQuestion()
    let funnel = try #require(try await state.counts(options).layers[0].funnel)
    #expect(funnel.drawn == drawn.count && funnel.edge == drawing.edge.count, "seed \(seed)")
    return (ids.count, painted.count)
  }

  @Test("In 300 combinations of filters, rotations, references and kinds, all answers agree")
  func combinations() async throws {
    var found = (counted: 0, painted: 0)
    for seed in 0..<300 {
      let own = try await Self.check(Self.scene(seed), seed)
      found = (found.counted + own.counted, found.painted + own.painted)
    }
    #expect(found.counted > 2000 && found.painted > 2000, "\(found)")
  }
}
