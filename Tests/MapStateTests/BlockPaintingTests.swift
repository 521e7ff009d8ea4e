import MapCairo
import MapState
import MapTestSupport
import Testing

/// Image and composite symbols among others, over random views: painted, hit and reported features agree.
@Suite struct BlockPaintingTests {
  /// A layer of random points with classes of all kinds, and a view over it.
  private static func view(seed: UInt64, height: Double = 120) throws -> MapView {
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<60 { geometry.appendPoint(x: number(-80...80), y: number(-height * 0.7...height * 0.7)) }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: .point, spatialReference: .webMercator),
      columns: [Column(.integers((0..<60).map { Int64($0 % 6) }))], geometry: geometry, rowCount: 60)
    let bytes = (0..<12 * 9 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    var upright = PictureMarkerSymbol(image: try Bitmap(width: 12, height: 9, pixels: bytes))
    upright.height = number(3...30)
    var turned = upright
    (turned.angle, turned.offsetX, turned.offsetY) = (number(-400...400), number(-20...20), number(-20...20))
    turned.opacity = 0.5
    var shifted = SimpleMarkerSymbol(style: .triangle, color: .blue, size: number(4...12))
    shifted.offsetX = number(-20...20)
    let symbols: [any Symbol] = [
      upright, turned, SimpleMarkerSymbol(color: .green, size: 9),
      CompositeSymbol(symbols: [shifted, turned]),
      CompositeSymbol(symbols: [
        SimpleMarkerSymbol(style: .cross, color: .black, size: 14), SimpleMarkerSymbol(color: .red, size: 5),
      ]),
    ]
    // The class 5 has no symbol.
    let classes = symbols.enumerated().map { index, symbol in
      UniqueValueRenderer.UniqueValue(values: ["\(index)"], label: "", symbol: symbol.form)
    }
    let map = Map()
    map.addOperationalLayer(
      FeatureLayer(
        source: InMemorySource(table), renderer: UniqueValueRenderer(fieldNames: ["n"], uniqueValues: classes)
      ))
    return try MapView(
      map: map, width: 140, height: height, pixelRatio: [1, 1.5, 2][Int(seed % 3)],
      viewpoint: Viewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator),
        scale: ResolvedViewpoint.scalePerResolution, rotation: seed % 2 == 0 ? 0 : number(0...360)))
  }

  @Test("Identify finds the topmost feature of the id image")
  func hits() async throws {
    var (hit, missed) = (0, 0)
    for seed in 0..<6 as Range<UInt64> {
      var random = SeededGenerator(seed: 100 + seed)
      let view = try Self.view(seed: seed)
      let state = view.freeze()
      let image = try IDPainter.image(of: await state.displayList())
      for _ in 0..<60 {
        let (column, row) = (
          Int.random(in: 0..<image.width, using: &random), Int.random(in: 0..<image.height, using: &random)
        )
        let found = try await view.identify(
          on: view.map.featureLayers[0],
          screenPoint: ScreenPoint(
            x: (Double(column) + 0.5) / state.pixelRatio, y: (Double(row) + 0.5) / state.pixelRatio),
          tolerance: 0)
        let owner = image[column, row].map { Int($0.row) + 1 }
        #expect(found.geoElements.first?.objectID == owner, "\(column), \(row) of \(seed)")
        if owner == nil { missed += 1 } else { hit += 1 }
      }
    }
    #expect(hit > 60)
    #expect(missed > 60)
  }

  @Test("Every painted row is a drawn or an edge row, and edge rows are visible when drawn alone")
  func reach() async throws {
    var edges = 0
    for seed in 0..<40 as Range<UInt64> {
      let state = try Self.view(seed: seed).freeze()
      let drawing = try await state.drawing(of: state.layers[0], index: 0)
      var list = try await state.displayList()
      let painted = Set(try IDPainter.image(of: list).rows(ofLayer: 0))
      let (drawn, edge) = (Set(drawing.drawn), Set(drawing.edge))
      #expect(painted.isSubset(of: drawn.union(edge)))
      // Drawn alone, so that nothing covers it; less than half a pixel may be invisible.
      for row in edge {
        let own = drawing.layer.removing(rows: Set(0..<60).subtracting([row]))
        list.layers = [own]
        let image = try CairoPainter.bitmap(of: list)
        let clear = try CairoPainter.bitmap(
          of: DisplayList(width: list.width, height: list.height, background: list.background))
        if image != clear { edges += 1 }
      }
    }
    #expect(edges > 40, "\(edges)")
  }

  @Test("Both painters give the same bytes with any number of threads and bands")
  func samePicture() async throws {
    for seed in 0..<4 as Range<UInt64> {
      let state = try Self.view(seed: seed, height: 700).freeze()
      let whole = try await state.render().bitmap
      for threads in [2, 5] { #expect(try await state.render(threads: threads).bitmap == whole) }
      #expect(try await state.render(method: .reference).bitmap == whole)
      // Image symbols alone have the same bytes in bands of any height.
      let layer = try await state.drawing(of: state.layers[0], index: 0).layer
      let pictures = layer.removing(rows: Set((0..<60).filter { $0 % 6 > 1 }))
      var cuts: [Bitmap] = []
      for rows in [1, 7, 10_000] {
        var painter = try CairoPainter(
          width: state.pictureWidth, height: state.pictureHeight, background: .white, threads: 2,
          bandRows: rows)
        try painter.paint(pictures)
        cuts.append(try painter.finish())
      }
      #expect(cuts[0] == cuts[1])
      #expect(cuts[1] == cuts[2])
    }
  }
}
