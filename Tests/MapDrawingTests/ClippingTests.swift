import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

@Suite struct ClippingTests {
  @Test("Geometry handed to the painter stays near the image, however far the source extends")
  func staysNear() throws {
    var random = SeededGenerator(seed: 8)
    let line = SimpleLineSymbol(color: .black, width: 6)
    for kind in ["Polyline", "Polygon"] {
      var scene = Scene()
      scene.renderer =
        kind == "Polygon"
        ? SimpleRenderer(symbol: SimpleFillSymbol(outline: line)) : SimpleRenderer(symbol: line)
      let features = (0..<200).map { _ in
        let reach = Double([1e2, 1e4, 1e7, 1e11][Int.random(in: 0..<4, using: &random)])
        var places = (0..<6).map { _ in
          "[\(Double.random(in: -reach...reach, using: &random)),\(Double.random(in: -reach...reach, using: &random))]"
        }
        if kind == "Polygon" { places.append(places[0]) }
        return
          "{\"geometry\":{\"\(kind == "Polygon" ? "rings" : "paths")\":[[\(places.joined(separator: ","))]]}}"
      }
      let table = try Scene.table(kind, features)
      for rotation in [0.0, 77] {
        scene.rotation = rotation
        let (_, drawing) = try scene.drawing(of: table)
        guard case .paths(let batch) = drawing.layer.batches.first else {
          Issue.record("no paths")
          continue
        }
        #expect(batch.row.count > 50)
        // Miters of 6 px reach 30 px, plus a margin of 8.
        let window = Envelope(xMin: -38, yMin: -38, xMax: 138, yMax: 118)
        for item in batch.row.indices { #expect(window.contains(batch.geometry.envelope(ofRow: item))) }
      }
    }
  }

  @Test("A symbol wider than the limit is drawn at the limit and counted accordingly")
  func widestStroke() throws {
    var scene = Scene()
    scene.pixelRatio = 4
    scene.renderer = SimpleRenderer(symbol: SimpleLineSymbol(color: .black, width: 100_000))
    let table = try Scene.table(
      "Polyline", [2000, 2100].map { "{\"geometry\":{\"paths\":[[[-90,\($0)],[90,\($0)]]]}}" })
    // 4096 px of the image are 1024 of the view: half of them reach 512 m.
    let (_, far) = try scene.drawing(of: table)
    #expect(far.edge.isEmpty)
    let near = try Scene.table(
      "Polyline", [550, 554].map { "{\"geometry\":{\"paths\":[[[-90,\($0)],[90,\($0)]]]}}" })
    #expect(try Array(scene.drawing(of: near).drawing.edge) == [0])
  }

  @Test("A transparent symbol does not reach into the view from outside")
  func clearSymbols() throws {
    let table = try Scene.table(
      "Point", ["{\"geometry\":{\"x\":52,\"y\":0}}", "{\"geometry\":{\"x\":0,\"y\":0}}"])
    let clear = Color(red: 1, green: 2, blue: 3, alpha: 0)
    for symbol in [
      SimpleMarkerSymbol(color: clear, size: 10), SimpleMarkerSymbol(color: nil, size: 10),
      SimpleMarkerSymbol(size: 0, outline: SimpleLineSymbol(width: 9)),
      SimpleMarkerSymbol(color: nil, size: 10, outline: SimpleLineSymbol(color: clear, width: 9)),
    ] {
      var scene = Scene()
      scene.renderer = SimpleRenderer(symbol: symbol)
      let (_, drawing) = try scene.drawing(of: table)
      #expect(drawing.edge.isEmpty)
      #expect(drawing.drawn.isEmpty)
      #expect(Array(drawing.invisible) == [1])
    }
    var scene = Scene()
    scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 10))
    #expect(try Array(scene.drawing(of: table).drawing.edge) == [0])
  }

  @Test("A symbol that does not suit the geometry is replaced by the default one")
  func unsuitedSymbols() throws {
    let table = try Scene.table("Point", ["{\"geometry\":{\"x\":0,\"y\":0}}"])
    var scene = Scene()
    scene.renderer = SimpleRenderer(symbol: SimpleFillSymbol())
    let standing = try scene.dump(of: table)
    scene.renderer = nil
    #expect(try scene.dump(of: table) == standing)
  }
}
