import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapSystem
import MapTestSupport
import Testing

/// Counts of points in cells of an image, beside counts of features and an own search for the nearest centre.
@Suite struct CellCountTests {
  private struct Place {
    let x: Double
    let y: Double
  }

  /// Crowds and scattered points in Web Mercator.
  private static func places(_ count: Int, seed: UInt64) -> [Place] {
    var random = SeededGenerator(seed: seed)
    let crowds = (0..<9).map { _ in
      Place(x: .random(in: -9e6...9e6, using: &random), y: .random(in: -7e6...7e6, using: &random))
    }
    return (0..<count).map { index in
      let crowd = crowds[index % crowds.count]
      let spread = index.isMultiple(of: 3) ? 8e6 : 3e5
      return Place(
        x: crowd.x + .random(in: -spread...spread, using: &random),
        y: crowd.y + .random(in: -spread...spread, using: &random))
    }
  }

  private static func map(_ places: [Place], classes: Bool = false) async throws -> MapDocument {
    let features = places.enumerated().map { index, place in
      "{\"attributes\":{\"OBJECTID\":\(index + 1),\"v\":\(index % 5)},\"geometry\":{\"x\":\(place.x),\"y\":\(place.y)}}"
    }
    func symbol(_ color: String) -> String {
      "{\"type\":\"esriSMS\",\"style\":\"esriSMSCircle\",\"size\":6,\"color\":[\(color),255]}"
    }
    // The value 4 has no symbol.
    let renderer =
      classes
      ? """
      {"type":"uniqueValue","field1":"v","uniqueValueInfos":[
      {"value":"0","label":"none","symbol":\(symbol("200,40,40"))},{"value":"1","symbol":\(symbol("40,200,40"))},
      {"value":"2","symbol":\(symbol("40,40,200"))},{"value":"3","symbol":\(symbol("0,0,0"))}]}
      """ : "{\"type\":\"simple\",\"symbol\":\(symbol("200,40,40"))}"
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"drawingInfo":{"renderer":\(renderer)},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  private static func view(
    _ document: MapDocument, x: Double, y: Double, scale: Double, width: Double = 300, height: Double = 200,
    rotation: Double = 0, pixelRatio: Double = 1
  ) -> ViewState {
    document.view(
      width: width, height: height, pixelRatio: pixelRatio, x: x, y: y,
      resolution: scale / ResolvedViewpoint.scalePerResolution, rotation: rotation)
  }

  private static func cells(
    _ view: ViewState, _ shape: CountingCells.Shape, _ size: Double
  ) async throws -> (cells: CellCounts, drawing: LayerDrawing) {
    let counting = try view.counting(in: CountingCells(shape, size: size))
    let drawing = try await counting.drawing(of: counting.layers[0], index: 0)
    return (try #require(drawing.cells), drawing)
  }

  @Test("The sum of the cells is the count of the view, in 600 views")
  func sums() async throws {
    let places = Self.places(2500, seed: 5)
    let document = try await Self.map(places)
    var random = SeededGenerator(seed: 17)
    var (compared, counted, rotated) = (0, 0, 0)
    for number in 0..<600 {
      let scale = exp(Double.random(in: log(4e6)...log(1.4e8), using: &random))
      let view = Self.view(
        document, x: .random(in: -8e6...8e6, using: &random), y: .random(in: -6e6...6e6, using: &random),
        scale: scale, rotation: number % 4 == 3 ? .random(in: -180...180, using: &random) : 0,
        pixelRatio: number % 5 == 4 ? 1.5 : 1)
      // A world copy shows a point again.
      guard view.extent.xMin > -2e7, view.extent.xMax < 2e7 else { continue }
      let shape: CountingCells.Shape = number % 2 == 0 ? .hexagon : .pixel
      let size = number % 2 == 0 ? Double.random(in: 4...60, using: &random) : Double(1 + number % 7)
      let (cells, drawing) = try await Self.cells(view, shape, size)
      let plain = try await view.drawing(of: view.layers[0], index: 0)
      #expect(cells.sum == plain.drawn.count)
      #expect(drawing.drawn == plain.drawn && drawing.edge.isEmpty)
      if view.viewpoint.rotation == 0 {
        #expect(try await view.count(of: view.layers[0], FeatureQuestion()) == cells.sum)
      } else {
        rotated += 1
      }
      compared += 1
      counted += cells.sum
    }
    #expect(compared > 450 && rotated > 80 && counted > 20_000, "\(compared) \(rotated) \(counted)")
  }

  @Test("A point is counted in the hexagon with the nearest centre, as fixed to the map")
  func hexagons() async throws {
    let places = Self.places(3000, seed: 6)
    let document = try await Self.map(places)
    var random = SeededGenerator(seed: 23)
    var (compared, crowded) = (0, 0)
    for number in 0..<40 {
      let scale = exp(Double.random(in: log(3e7)...log(1.2e8), using: &random))
      let view = Self.view(
        document, x: .random(in: -6e6...6e6, using: &random), y: .random(in: -5e6...5e6, using: &random),
        scale: scale, rotation: number % 3 == 2 ? .random(in: -180...180, using: &random) : 0)
      let size = Double.random(in: 6...50, using: &random)
      let (cells, drawing) = try await Self.cells(view, .hexagon, size)
      // The centres are at whole multiples of the size and in the middle between them, in map units.
      let width = size * view.viewpoint.resolution
      var expected: [[Int]: Int] = [:]
      for row in drawing.drawn {
        let place = places[row]
        var best: (distance: Double, key: [Int])?
        let (column, line) = (Int((place.x / width).rounded()), Int((place.y / (width * sqrt(3))).rounded()))
        for i in column - 2...column + 2 {
          for j in line - 2...line + 2 {
            for half in [0, 1] {
              let x = (Double(i) + Double(half) / 2) * width
              let y = (Double(j) + Double(half) / 2) * width * sqrt(3)
              let distance = hypot(place.x - x, place.y - y)
              if distance < best?.distance ?? .infinity { best = (distance, [2 * i + half, 2 * j + half]) }
            }
          }
        }
        expected[try #require(best).key, default: 0] += 1
      }
      // The cells of the drawing are numbered from another hexagon.
      var found: [[Int]: Int] = [:]
      cells.forEachCell { cell, classes in
        found[[cell.column, cell.row]] = classes.reduce(0) { $0 + $1.count }
      }
      let (first, other) = (
        expected.keys.min { $0[1] == $1[1] ? $0[0] < $1[0] : $0[1] < $1[1] },
        found.keys.min { $0[1] == $1[1] ? $0[0] < $1[0] : $0[1] < $1[1] }
      )
      guard let first, let other else {
        #expect(first == nil && other == nil)
        continue
      }
      let moved = Dictionary(
        uniqueKeysWithValues: found.map {
          ([$0.key[0] + first[0] - other[0], $0.key[1] + first[1] - other[1]], $0.value)
        })
      #expect(moved == expected)
      #expect((first[0] - other[0]).isMultiple(of: 2) && (first[1] - other[1]).isMultiple(of: 2))
      compared += expected.count
      crowded += expected.values.count { $0 > 1 }
    }
    #expect(compared > 1000 && crowded > 200, "\(compared) \(crowded)")
  }

  @Test("Hexagons are around their points, and squares have the pixels of their points")
  func positions() async throws {
    let places = Self.places(1500, seed: 7)
    let document = try await Self.map(places)
    for rotation in [0.0, 25] {
      let view = Self.view(document, x: 0, y: 0, scale: 1.2e8, rotation: rotation, pixelRatio: 2)
      let transform = ViewTransform(view, from: .webMercator)
      let (hexagons, drawing) = try await Self.cells(view, .hexagon, 20)
      #expect(hexagons.sum > 50)
      guard case .paths(let paths)? = drawing.layer.batches.first else {
        Issue.record("no hexagons")
        continue
      }
      #expect(paths.row.count == hexagons.cellCount)
      // The corner is a side's length from the centre: two thirds of the height of 20 view pixels, here 40 pixels.
      let centers = paths.row.indices.map { item -> (x: Double, y: Double) in
        let vertices = paths.geometry.vertices(ofRow: item).dropLast()
        return (
          vertices.reduce(0) { $0 + paths.geometry.x[$1] } / 6,
          vertices.reduce(0) { $0 + paths.geometry.y[$1] } / 6
        )
      }
      for row in drawing.drawn {
        let pixel = transform.pixel(x: places[row].x, y: places[row].y, world: 0)
        let nearest = centers.map { hypot($0.x - pixel.x, $0.y - pixel.y) }.min() ?? .infinity
        #expect(nearest <= 40 / sqrt(3) + 1e-6)
      }
      let (squares, image) = try await Self.cells(view, .pixel, 1)
      guard case .image(let picture)? = image.layer.batches.first else {
        Issue.record("no squares")
        continue
      }
      var painted: Set<[Int]> = []
      for index in picture.pixels.indices where picture.pixels[index] != 0 {
        painted.insert([index % picture.width / 2, index / picture.width / 2])
      }
      let expected = Set(
        image.drawn.map { row -> [Int] in
          let pixel = transform.pixel(x: places[row].x, y: places[row].y, world: 0)
          return [Int(pixel.x / 2), Int(pixel.y / 2)]
        })
      #expect(painted == expected && squares.cellCount == expected.count)
    }
  }

  @Test("Counts by class leave out features without a symbol, and take the colours of the others")
  func classes() async throws {
    let places = Self.places(500, seed: 8)
    let document = try await Self.map(places, classes: true)
    let view = Self.view(document, x: 0, y: 0, scale: 9e7)
    let (cells, drawing) = try await Self.cells(view, .hexagon, 30)
    let plain = try await view.drawing(of: view.layers[0], index: 0)
    #expect(drawing.drawn == plain.drawn && cells.sum == plain.drawn.count)
    var sums: [Int: Int] = [:]
    for row in plain.drawn { sums[row % 5, default: 0] += 1 }
    #expect(cells.countsByClass == sums && sums[4] == nil && sums.count == 4)
    let counting = try view.counting(in: CountingCells(.hexagon, size: 30))
    let legend = try await counting.legend(counts: true)
    let entries = try #require(legend.layers.first).entries
    #expect(entries.prefix(4).map(\.count) == [sums[0], sums[1], sums[2], sums[3]])
    #expect(entries.map(\.label) == ["none", "1", "2", "3", "Points per hexagon", ""])
  }

  @Test("The ramp of a legend starts with 1 and ends with the greatest count")
  func legend() async throws {
    let places = Self.places(8000, seed: 9)
    let document = try await Self.map(places)
    // The second point is in a crowd.
    let view = try Self.view(document, x: places[1].x, y: places[1].y, scale: 1e8).counting(
      in: CountingCells(.hexagon, size: 40))
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    let greatest = try #require(drawing.cells).greatest
    let layer = try #require(try await view.legend().layers.first)
    #expect(layer.title == "A" && layer.subtitle == "Points per hexagon")
    guard case .ramp(let stops)? = layer.entries.first?.graphic else {
      Issue.record("no ramp")
      return
    }
    let labels = stops.filter { !$0.label.isEmpty }
    #expect(labels.first?.label == "1" && labels.last?.label == "\(greatest)" && greatest > 100)
    for stop in labels {
      let count = try #require(Int(stop.label.replacing(",", with: "")))
      #expect(abs(stop.place - log(Double(count)) / log(Double(greatest))) < 1e-12)
    }
    #expect(labels.contains { $0.label == "10" })
    let report = try await view.render().report
    let aggregate = report.json["layers"]?.array?.first?["aggregate"]
    #expect(aggregate?["cell"] == "hexagon" && aggregate?["greatest"] == .number(greatest))
    #expect(aggregate?["sum"] == report.json["layers"]?.array?.first?["funnel"]?["drawn"])
  }

  @Test("Counts of parts add up to those of the whole table, also through their bytes")
  func parts() async throws {
    let places = Self.places(1000, seed: 10)
    let whole = Self.view(try await Self.map(places, classes: true), x: 0, y: 0, scale: 1.4e8)
    for (shape, size) in [(CountingCells.Shape.pixel, 3.0), (.hexagon, 18)] {
      let expected = try await Self.cells(whole, shape, size).cells
      var joined: CellCounts?
      // Classes go by the values of the rows, which repeat every five rows.
      for start in stride(from: 0, to: 1000, by: 250) {
        let part = Self.view(
          try await Self.map(Array(places[start..<start + 250]), classes: true), x: 0, y: 0, scale: 1.4e8)
        var writer = StateWriter()
        try await Self.cells(part, shape, size).cells.write(to: &writer)
        var reader = StateReader(writer.bytes[...])
        let read = try CellCounts(from: &reader)
        joined = joined?.adding(read) ?? read
      }
      #expect(joined == expected && expected.sum > 100)
    }
  }

  @Test("Bytes of counts that are damaged are an error and no trap")
  func damagedBytes() async throws {
    let view = Self.view(try await Self.map(Self.places(60, seed: 11), classes: true), x: 0, y: 0, scale: 8e7)
    var writer = StateWriter()
    try await Self.cells(view, .hexagon, 18).cells.write(to: &writer)
    var (read, failed) = (0, 0)
    for place in writer.bytes.indices {
      for bit in [UInt8(1), 128] {
        var bytes = writer.bytes
        bytes[place] ^= bit
        var reader = StateReader(bytes[...])
        do {
          let cells = try CellCounts(from: &reader)
          _ = cells.batches(width: 300, height: 200)
          read += 1
        } catch {
          failed += 1
        }
      }
    }
    #expect(read > 100 && failed > 100)
  }

  @Test("Images of counts have the same bytes with every number of threads")
  func threads() async throws {
    let places = Self.places(9000, seed: 12)
    let document = try await Self.map(places)
    for (shape, size) in [(CountingCells.Shape.pixel, 1.0), (.hexagon, 12)] {
      let view = try Self.view(document, x: places[1].x, y: places[1].y, scale: 1e8).counting(
        in: CountingCells(shape, size: size))
      let first = try await view.render(threads: 1).bitmap
      #expect(Set(first.pixels).count > 5)
      for threads in [2, 3, 8] { #expect(try await view.render(threads: threads).bitmap == first) }
    }
  }

  @Test("A layer of lines or areas cannot be counted in cells, unless it is hidden")
  func otherGeometries() async throws {
    let json = """
      {"operationalLayers":[{"id":"l","title":"Roads","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPolyline","fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[{"attributes":{"OBJECTID":1},
      "geometry":{"paths":[[[0,0],[9,9]]]}}]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    let view = Self.view(document, x: 0, y: 0, scale: 1e6)
    let error = #expect(throws: MapStateError.self) { try view.counting(in: CountingCells(.pixel)) }
    #expect(
      error?.description
        == "layer \"Roads\": has polyline features, and only points can be counted in cells; hide it with --hide"
    )
    (document.map.operationalLayers.first as? FeatureLayer)?.isVisible = false
    let hidden = Self.view(document, x: 0, y: 0, scale: 1e6)
    #expect(try hidden.counting(in: CountingCells(.pixel)).layers.count == 1)
  }
}
