import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Points, whose markers are placed by a fast path, against multipoints of one point, which are placed one by one.
@Suite struct PointPlacingTests {
  @Test("Points have the markers, drawn rows and rows at the edge that multipoints of one point have")
  func pointsAndMultipoints() throws {
    var random = SeededGenerator(seed: 7)
    var (drawn, edge, scenes) = (0, 0, 0)
    for number in 0..<80 {
      var scene = Scene()
      scene.resolution = [0.5, 1, 3][number % 3]
      scene.pixelRatio = number % 5 == 0 ? 2 : 1
      func marker() -> SimpleMarkerSymbol {
        SimpleMarkerSymbol(
          color: Int.random(in: 0..<5, using: &random) == 0 ? nil : .red,
          size: Double.random(in: 0...20, using: &random),
          outline: Bool.random(using: &random) ? SimpleLineSymbol(color: .black, width: 3) : nil,
          offsetX: Double.random(in: -15...15, using: &random))
      }
      scene.renderer = UniqueValueRenderer(
        fieldNames: ["c"],
        uniqueValues: (0..<4).map { .init(values: [String($0)], label: "", symbol: marker().form) },
        defaultSymbol: number % 2 == 0 ? marker().form : nil)
      var (points, multipoints): ([String], [String]) = ([], [])
      for row in 0..<120 {
        let (x, y) = (
          Double.random(in: -90...90, using: &random), Double.random(in: -70...70, using: &random)
        )
        let values = "\"attributes\":{\"c\":\(row % 7)}"
        points.append("{\(values),\"geometry\":{\"x\":\(x),\"y\":\(y)}}")
        multipoints.append("{\(values),\"geometry\":{\"points\":[[\(x),\(y)]]}}")
      }
      let fields = "[{\"name\":\"c\",\"type\":\"esriFieldTypeInteger\"}]"
      let point = try scene.drawing(of: Scene.table("Point", fields: fields, points)).drawing
      let multipoint = try scene.drawing(of: Scene.table("Multipoint", fields: fields, multipoints)).drawing
      #expect(point.drawn == multipoint.drawn)
      #expect(point.edge == multipoint.edge)
      #expect(point.layer == multipoint.layer)
      drawn += point.drawn.count
      edge += point.edge.count
      scenes += point.layer.batches.isEmpty ? 0 : 1
    }
    #expect(drawn > 1_000 && edge > 100 && scenes > 60)
  }
}
