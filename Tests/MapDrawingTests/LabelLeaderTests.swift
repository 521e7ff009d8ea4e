import MapDrawing
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Lines from names to markers that have no room beside them.
@Suite struct LabelLeaderTests {
  /// The labels of a marker with a rank in the middle of a crowd of less important ones, in a class that ranks them.
  private static func items(ranked: Bool, ring: Double) throws -> [LabelItem] {
    var places = [(x: 0.0, y: 0.0, text: "999999")]
    for x in stride(from: -ring, through: ring, by: 7) {
      // To the right, there is room for a line and not for a text.
      for y in stride(from: -ring, through: ring, by: 7) where y != 0 || x < 0 { places.append((x, y, "1")) }
    }
    var definition = LabelScene.definition(nil)
    definition.deconflictionStrategy = .dynamic
    definition.offsetDistance = 1
    if ranked { definition.featurePriority = FeaturePriority(fieldName: "n", largestFirst: true) }
    var scene = LabelScene()
    scene.hasObstacles = true
    (scene.scene.width, scene.scene.height) = (200, 120)
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .circle, size: 5))
    scene.layers = [
      (
        try Scene.table(
          "Point", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeInteger\"}]",
          places.map { "{\"attributes\":{\"n\":\($0.text)},\"geometry\":{\"x\":\($0.x),\"y\":\($0.y)}}" }),
        [definition]
      )
    ]
    return try scene.items()
  }

  @Test("A name without room beside its marker has a line to it, in a class with an order alone")
  func line() throws {
    let ranked = try Self.items(ranked: true, ring: 21).filter { $0.row == 0 }
    let item = try #require(ranked.first)
    let leader = try #require(item.leader)
    // The line starts at the marker, in the middle of the image, and ends at the text.
    #expect(leader.box.grown(by: 3).contains(x: 100, y: 60), "\(leader)")
    #expect(leader.box.meets(item.box))
    #expect(leader.steps.count == 5)
    #expect(try Self.items(ranked: false, ring: 21).allSatisfy { $0.leader == nil })
    // Where the crowd is too large for a line, there is none.
    #expect(try Self.items(ranked: true, ring: 56).allSatisfy { $0.leader == nil })
  }
}
