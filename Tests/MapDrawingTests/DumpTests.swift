import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import Testing

/// The display list of each kind of layer in pixels, as text.
@Suite struct DumpTests {
  private static let blue = Color(red: 0, green: 0, blue: 255)
  private static let line = SimpleLineSymbol(color: .black, width: 2)

  @Test("Points are drawn with their class or default symbol, including one that reaches in from outside")
  func points() throws {
    let table = try Scene.table(
      "Point",
      [(0, 0, "5"), (-50, 40, "10"), (10, -20, "null"), (52, 0, "15"), (70, 0, "5"), (20, 20, "99")].map {
        "{\"attributes\":{\"n\":\($0.2)},\"geometry\":{\"x\":\($0.0),\"y\":\($0.1)}}"
      })
    let breaks = [(0.0, 5.0), (5, 10), (10, 20)].enumerated().map { index, bounds in
      ClassBreaksRenderer.ClassBreak(
        minimum: bounds.0, maximum: bounds.1, label: "",
        symbol: SimpleMarkerSymbol(
          style: index == 1 ? .square : .circle, color: index == 0 ? nil : Self.blue, size: 6,
          outline: index == 2 ? nil : Self.line
        ).form)
    }
    var scene = Scene()
    scene.renderer = ClassBreaksRenderer(fieldName: "n", classBreaks: breaks)
    try GoldenDump.expect("points", scene.dump(of: table))
    scene.renderer = ClassBreaksRenderer(
      fieldName: "N", classBreaks: breaks, defaultSymbol: SimpleMarkerSymbol(size: 3).form)
    scene.pixelRatio = 2
    try GoldenDump.expect("points-ratio-2", scene.dump(of: table))
  }

  @Test("A multipoint is one row with an item for each visible point")
  func multipoints() throws {
    let table = try Scene.table(
      "Multipoint",
      [
        "{\"geometry\":{\"points\":[[0,0],[10,10],[500,0]]}}",
        "{\"geometry\":{\"points\":[[60,60],[-51,0]]}}",
      ])
    try GoldenDump.expect("multipoints", Scene().dump(of: table))
  }

  @Test("A line is clipped to the image with a margin, and one that returns has two parts")
  func lines() throws {
    let table = try Scene.table(
      "Polyline",
      [
        "{\"geometry\":{\"paths\":[[[-1000000,10],[1000000,10]]]}}",
        "{\"geometry\":{\"paths\":[[[0,0],[0,500],[20,500],[20,0]],[[30,0],[40,0]]]}}",
        "{\"geometry\":{\"paths\":[[[-60,-60],[60,-60]]]}}",
        "{\"geometry\":{\"paths\":[[[-60,-40.5],[60,-40.5]]]}}",
      ])
    var scene = Scene()
    scene.renderer = SimpleRenderer(symbol: Self.line)
    try GoldenDump.expect("lines", scene.dump(of: table))
  }

  @Test("A polygon keeps its holes, and one that covers the view becomes the window")
  func polygons() throws {
    let table = try Scene.table(
      "Polygon",
      [
        """
        {"geometry":{"rings":[[[-20,-20],[-20,20],[20,20],[20,-20],[-20,-20]],
          [[-10,-10],[10,-10],[10,10],[-10,10],[-10,-10]]]}}
        """, "{\"geometry\":{\"rings\":[[[-1e7,-1e7],[-1e7,1e7],[1e7,1e7],[1e7,-1e7],[-1e7,-1e7]]]}}",
        """
        {"geometry":{"rings":[[[-1e6,-1e6],[-1e6,1e6],[1e6,1e6],[1e6,-1e6],[-1e6,-1e6]],
          [[-300,-300],[300,-300],[300,300],[-300,300],[-300,-300]]]}}
        """,
      ])
    var scene = Scene()
    scene.renderer = SimpleRenderer(symbol: SimpleFillSymbol(color: Self.blue, outline: Self.line))
    try GoldenDump.expect("polygons", scene.dump(of: table))
  }

  @Test("A view across the antimeridian draws a row in each world copy that shows it")
  func worlds() throws {
    let edge = WebMercator.halfWorld
    let table = try Scene.table(
      "Point", [edge - 10, -edge + 10, edge, 0].map { "{\"geometry\":{\"x\":\($0),\"y\":0}}" })
    var scene = Scene()
    scene.center = Point(x: edge, y: 0, spatialReference: .webMercator)
    scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 4))
    try GoldenDump.expect("antimeridian", scene.dump(of: table))
    // Two world copies and a bit: everything is shown twice or three times.
    (scene.center, scene.resolution) = (Point(x: 0, y: 0, spatialReference: .webMercator), edge / 24)
    try GoldenDump.expect("worlds", scene.dump(of: table))
  }

  @Test("A rotation of 90 degrees puts east at the top, and features outside a rotated view are not drawn")
  func rotation() throws {
    let table = try Scene.table(
      "Point",
      [(0, 0), (30, 0), (0, 30), (48, 38), (-54, 0)].map { "{\"geometry\":{\"x\":\($0.0),\"y\":\($0.1)}}" })
    var scene = Scene()
    scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 4))
    scene.rotation = 90
    try GoldenDump.expect("rotation-90", scene.dump(of: table))
    scene.rotation = 30
    try GoldenDump.expect("rotation-30", scene.dump(of: table))
  }
}
