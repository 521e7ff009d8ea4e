import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import Testing

/// The effect of visual variables on the display list.
@Suite struct VisualVariableDrawingTests {
  private static func points(_ rows: [(value: String, x: Double)]) throws -> FeatureColumns {
    try Scene.table(
      "Point",
      fields:
        "[{\"name\":\"v\",\"type\":\"esriFieldTypeDouble\"},{\"name\":\"n\",\"type\":\"esriFieldTypeDouble\"}]",
      rows.map { "{\"attributes\":{\"v\":\($0.value),\"n\":2},\"geometry\":{\"x\":\($0.x),\"y\":0}}" })
  }

  private static func scene(_ symbol: any Symbol, _ set: (inout VisualVariables) -> Void) -> Scene {
    var variables = VisualVariables()
    set(&variables)
    var renderer = SimpleRenderer(symbol: symbol)
    renderer.visualVariables = variables
    var scene = Scene()
    scene.renderer = renderer
    return scene
  }

  private static func markers(_ drawing: LayerDrawing) throws -> [(row: Int32, style: MarkerStyle)] {
    guard case .markers(let batch) = try #require(drawing.layer.batches.first) else { return [] }
    return batch.row.indices.map { (batch.row[$0], batch.styles[Int(batch.style[$0])]) }
  }

  private static let outlined = SimpleMarkerSymbol(
    style: .triangle, color: .black, size: 4, outline: SimpleLineSymbol(color: .white, width: 2), angle: 15)

  @Test("Visual variables set the size, outline, colour, transparency and rotation of each marker")
  func all() throws {
    var scene = Self.scene(Self.outlined) {
      let input = VariableInput.field("v", normalizedBy: "n")
      $0.size = SizeVariable(input: input, rule: .stops([.init(0, 4), .init(10, 24)]))
      $0.outlineWidth = SizeVariable(input: input, rule: .stops([.init(0, 0), .init(10, 5)]))
      $0.color = ColorVariable(input: input, stops: [.init(0, .black), .init(10, .white)])
      $0.transparency = TransparencyVariable(input: input, stops: [.init(0, 0), .init(10, 100)])
      $0.rotation = RotationVariable(input: input)
    }
    (scene.pixelRatio, scene.rotation) = (2, 30)
    let (_, drawing) = try scene.drawing(of: Self.points([("4", 0), ("null", 5), ("8", 9)]))
    let found = try Self.markers(drawing)
    #expect(found.map(\.row) == [0, 2])
    // 4 / 2 is a fifth of the way.
    let first = found[0].style
    #expect(first.size == 16)
    #expect(first.outline?.width == 2)
    #expect(first.angle == 2 - 30)
    #expect(first.fill == Color(red: 51, green: 51, blue: 51, alpha: 204))
    #expect(first.outline?.color == Color(red: 255, green: 255, blue: 255, alpha: 204))
    #expect(found[1].style.size == 24)
    #expect(found[1].style.angle == 4 - 30)
    // A marker without a size is neither drawn nor counted as drawn.
    #expect(Array(drawing.drawn) == [0, 2])
    #expect(drawing.edge.isEmpty)
  }

  @Test("A marker without a value has the symbol's own colour, no outline and no rotation")
  func null() throws {
    var scene = Self.scene(Self.outlined) {
      $0.outlineWidth = SizeVariable(input: .field("v"), rule: .stops([.init(0, 1)]))
      $0.color = ColorVariable(input: .field("v"), stops: [.init(0, .white)])
      $0.transparency = TransparencyVariable(input: .field("v"), stops: [.init(0, 50)])
      $0.rotation = RotationVariable(input: .field("v"), kind: .arithmetic)
    }
    scene.rotation = 90
    let found = try Self.markers(scene.drawing(of: Self.points([("null", 0)])).drawing)
    #expect(found.count == 1)
    #expect(found.first?.style.fill == .black)
    #expect(found.first?.style.outline == nil)
    #expect(found.first?.style.angle == -90)
    #expect(found.first?.style.size == 4)
  }

  @Test("A symbol that its size variable enlarges into the view is an edge feature")
  func edge() throws {
    // The view shows x from -50 to 50.
    let table = try Self.points([("10", 60), ("12", 61), ("30", 64), ("30", 66)])
    for rule in [
      SizeVariable.Rule.stops([.init(0, 0), .init(30, 30)]),
      .proportional(minimum: 1, smallest: .fixed(1), largest: nil),
      .ground(GroundMeasure(unit: .meters, part: .diameter)),
    ] {
      // Sized by length: a cross of v pixels.
      let symbol = SimpleMarkerSymbol(style: .cross, size: 1, outline: SimpleLineSymbol(width: 0.01))
      let scene = Self.scene(symbol) { $0.size = SizeVariable(input: .field("v"), rule: rule) }
      let (_, drawing) = try scene.drawing(of: table)
      #expect(drawing.drawn.isEmpty, "\(rule)")
      #expect(Array(drawing.edge) == [2], "\(rule)")
    }
  }

  @Test("Size variables vary line widths and area outlines")
  func paths() throws {
    let table = try Scene.table(
      "Polyline",
      (1...3).map { "{\"attributes\":{\"v\":\($0)},\"geometry\":{\"paths\":[[[-40,\($0)],[40,\($0)]]]}}" })
    let rule = SizeVariable.Rule.stops([.init(1, 1), .init(3, 3)])
    for style in [SimpleLineSymbol.Style.solid, .dash] {
      var line = SimpleLineSymbol(color: .black, width: 9)
      line.style = style
      let scene = Self.scene(line) { $0.size = SizeVariable(input: .field("v"), rule: rule) }
      let (_, drawing) = try scene.drawing(of: table)
      guard case .paths(let batch) = try #require(drawing.layer.batches.first) else {
        Issue.record("no paths are drawn")
        return
      }
      let widths = batch.style.map { batch.styles[Int($0)].stroke?.width }
      #expect(widths == [1, 2, 3])
      #expect(batch.row == [0, 1, 2])
    }
    let areas = try Scene.table(
      "Polygon",
      ["2", "null"].map {
        "{\"attributes\":{\"v\":\($0)},\"geometry\":{\"rings\":[[[0,0],[0,9],[9,9],[0,0]]]}}"
      })
    let fill = SimpleFillSymbol(color: .white, outline: SimpleLineSymbol(width: 7))
    let scene = Self.scene(fill) {
      $0.size = SizeVariable(input: .field("v"), rule: rule)
      $0.outlineWidth = SizeVariable(input: .scale, rule: .stops([.init(1000, 1), .init(9000, 9)]))
    }
    let (view, drawing) = try scene.drawing(of: areas)
    guard case .paths(let batch) = try #require(drawing.layer.batches.first) else {
      Issue.record("no paths are drawn")
      return
    }
    #expect(drawing.drawn.count == 2)
    let width = 1 + (view.viewpoint.scale - 1000) / 1000
    #expect(batch.style.allSatisfy { abs((batch.styles[Int($0)].stroke?.width ?? 0) - width) < 1e-9 })
  }

  @Test("Equal values share a style, and the number of styles can exceed 16 bits")
  func looks() throws {
    let count = 70_000
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<count { geometry.appendPoint(x: 0, y: 0) }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "v", type: .int64)], geometryKind: .point, spatialReference: .webMercator),
      columns: [Column(.integers(Array(0..<Int64(count))))], geometry: geometry, rowCount: count)
    let sizes = SizeVariable(input: .field("v"), rule: .stops([.init(0, 1), .init(Double(count), 8)]))
    let found = try Self.markers(Self.scene(Self.outlined) { $0.size = sizes }.drawing(of: table).drawing)
    #expect(found.count == count)
    #expect(found.allSatisfy { abs($0.style.size - 1 - 7 * Double($0.row) / Double(count)) < 1e-9 })
    let colors = ColorVariable(input: .field("v"), stops: [.init(0, .black), .init(Double(count), .white)])
    guard
      case .markers(let batch) = try Self.scene(Self.outlined, { $0.color = colors }).drawing(of: table)
        .drawing
        .layer.batches.first
    else {
      Issue.record("no markers are drawn")
      return
    }
    // One style of the class itself and one per grey.
    #expect(batch.styles.count == 257)
  }

  @Test("A visual variable with an unknown field is an error")
  func missing() throws {
    let scene = Self.scene(Self.outlined) { $0.rotation = RotationVariable(input: .field("zz")) }
    #expect(throws: RendererFieldError.self) { try scene.drawing(of: Self.points([("1", 0)])) }
  }
}
