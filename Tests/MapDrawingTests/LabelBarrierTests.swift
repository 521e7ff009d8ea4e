import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Labels that keep off features, and labels of points at an angle.
@Suite struct LabelBarrierTests {
  private static let fields =
    "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"},{\"name\":\"a\",\"type\":\"esriFieldTypeDouble\"}]"

  /// A square from pixel 30 to 70 and 20 to 60, with a point at the middle of the view, at 50, 40.
  private static func scene(
    _ interior: LabelDefinition.OverlapStrategy, _ boundary: LabelDefinition.OverlapStrategy,
    at x: Double = 0, text: String = "ab", _ strategy: LabelDefinition.DeconflictionStrategy = .dynamic
  ) throws -> LabelScene {
    var scene = LabelScene()
    scene.hasObstacles = true
    var area = LabelScene.definition(nil)
    (area.featureInteriorOverlapStrategy, area.featureBoundaryOverlapStrategy) = (interior, boundary)
    var point = LabelScene.definition(.pointAboveRight)
    point.deconflictionStrategy = strategy
    let square = try Scene.table(
      "Polygon", fields: fields,
      [
        "{\"attributes\":{\"n\":\"own\"},\"geometry\":{\"rings\":[[[-20,-20],[-20,20],[20,20],[20,-20],[-20,-20]]]}}"
      ])
    scene.layers = [(square, [area]), (try LabelScene.points([(x: x, y: 0, text: text)]), [point])]
    return scene
  }

  @Test("Labels of other features keep off the inside or the edges of an area that excludes them")
  func exclusion() throws {
    let none = LabelDefinition.OverlapStrategy.allow
    func isPlaced(
      _ interior: LabelDefinition.OverlapStrategy, _ boundary: LabelDefinition.OverlapStrategy, at x: Double,
      text: String = "ab", _ strategy: LabelDefinition.DeconflictionStrategy = .dynamic
    ) throws -> Bool {
      try Self.scene(interior, boundary, at: x, text: text, strategy).texts().contains(text)
    }
    let inside = try (isPlaced(none, none, at: -5), isPlaced(.exclude, none, at: -5))
    #expect(inside == (true, false))
    let overEdges = try isPlaced(none, .exclude, at: -5)
    #expect(overEdges)
    // So long that it crosses the edges on both sides of its point.
    let long = String(repeating: "m", count: 14)
    let crossing = try (
      isPlaced(none, none, at: 0, text: long), isPlaced(none, .exclude, at: 0, text: long)
    )
    #expect(crossing == (true, false))
    // Labels that do not avoid anything stay.
    let careless = try isPlaced(.exclude, .exclude, at: -5, .none)
    #expect(careless)
    // The label of the area itself is no label of another feature.
    var own = try Self.scene(.exclude, .exclude)
    own.layers.removeLast()
    #expect(try own.texts() == ["own"])
    // Beside the area, the label moves to the side that is free.
    let beside = try Self.scene(.exclude, none, at: -24).drawing()
    let item = try #require(beside.items.first { $0.text == "ab" })
    #expect(item.box.xMax <= 30.5)
  }

  @Test("A label moves off an area that it should avoid, and stays when it cannot")
  func avoidance() throws {
    func box(_ strategy: LabelDefinition.DeconflictionStrategy) throws -> Envelope? {
      let scene = try Self.scene(.avoid, .allow, at: -24, strategy)
      return try scene.items().first { $0.text == "ab" }?.box
    }
    #expect(try #require(try box(.dynamic)).xMax <= 32)
    #expect(try #require(try box(.static)).xMax > 35)
  }

  @Test(
    "A point label has the direction of its angle, in both ways of measuring, on the map and never upside down",
    arguments: [
      (.arithmetic, 0, 0, 1, 0), (.arithmetic, 30, 0, 0.866, -0.5), (.arithmetic, 210, 0, 0.866, -0.5),
      (.arithmetic, -30, 0, 0.866, 0.5), (.arithmetic, 90, 0, 0, -1), (.arithmetic, 270, 0, 0, -1),
      (.geographic, 0, 0, 0, -1), (.geographic, 90, 0, 1, 0), (.geographic, 60, 0, 0.866, -0.5),
      (.geographic, 90, 30, 0.866, -0.5), (.arithmetic, 3600, 0, 1, 0),
    ] as [(LabelAngle.RotationType, Double, Double, Double, Double)])
  func angles(_ type: LabelAngle.RotationType, _ angle: Double, _ rotation: Double, _ x: Double, _ y: Double)
    throws
  {
    var scene = LabelScene()
    (scene.hasObstacles, scene.scene.rotation) = (true, rotation)
    var definition = LabelScene.definition(.pointCenterRight)
    definition.angle = LabelAngle(
      angleExpression: ArcadeLabelExpression(arcadeString: "$feature.a"), rotationType: type)
    let table = try Scene.table(
      "Point", fields: Self.fields,
      ["{\"attributes\":{\"n\":\"abcd\",\"a\":\(angle)},\"geometry\":{\"x\":0,\"y\":0}}"])
    scene.layers = [(table, [definition])]
    let item = try #require(try scene.items().first)
    #expect(item.glyphs.count == 4)
    for glyph in item.glyphs {
      #expect(abs(glyph.directionX - x) < 1e-3 && abs(glyph.directionY - y) < 1e-3, "\(glyph)")
    }
    // The letters follow each other in that direction, and stay beside the point at 50, 40.
    let (first, last) = (item.glyphs[0], item.glyphs[3])
    #expect(abs(last.x - first.x - 15 * first.directionX) < 1e-9)
    #expect(abs(last.y - first.y - 15 * first.directionY) < 1e-9)
    #expect(abs((first.x - 50) * x + (first.y - 40) * y) < 8)
    // Letters that keep the direction may be upside down.
    scene.layers[0].labels[0].textOrientation = .direction
    let heading = type == .geographic ? 90 - angle + rotation : angle + rotation
    let kept = try #require(try scene.items().first).glyphs[0]
    #expect(abs(kept.directionX - cos(heading * .pi / 180)) < 1e-9)
    #expect(abs(kept.directionY + sin(heading * .pi / 180)) < 1e-9)
    scene.layers[0].labels[0].textOrientation = .page
    // A quarter turn from the angle.
    scene.layers[0].labels[0].textLayout = .perpendicular
    let turned = try #require(try scene.items().first).glyphs[0]
    #expect(abs(turned.directionX * x + turned.directionY * y) < 1e-3)
    scene.layers[0].labels[0].textLayout = .horizontal
    #expect(try scene.items().first?.glyphs[0].directionX == 1)
  }

  @Test("Labels at an angle cover no marker and no other label")
  func angledInvariants() throws {
    var random = SeededGenerator(seed: 11)
    var scene = LabelScene()
    (scene.hasObstacles, scene.scene.width, scene.scene.height) = (true, 400, 300)
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 6))
    var definition = LabelScene.definition(.pointCenterRight)
    (definition.deconflictionStrategy, definition.offsetDistance) = (.dynamic, 1)
    definition.angle = LabelAngle(angleExpression: ArcadeLabelExpression(arcadeString: "$feature.a"))
    let places = (0..<80).map { _ in
      (Double.random(in: -190...190, using: &random), Double.random(in: -140...140, using: &random))
    }
    let table = try Scene.table(
      "Point", fields: Self.fields,
      places.enumerated().map { index, place in
        "{\"attributes\":{\"n\":\"mmmm\",\"a\":\(index * 17)},\"geometry\":{\"x\":\(place.0),\"y\":\(place.1)}}"
      })
    scene.layers = [(table, [definition])]
    let items = try scene.items()
    #expect(items.count > 25)
    for item in items {
      for glyph in item.glyphs {
        // The middle of the letter is outside all markers.
        let (x, y) = (
          glyph.x + 2.5 * glyph.directionX + 2.5 * glyph.directionY,
          glyph.y + 2.5 * glyph.directionY - 2.5 * glyph.directionX
        )
        #expect(!places.contains { abs(200 + $0.0 - x) < 3 && abs(150 - $0.1 - y) < 3 })
        for other in items where other.row != item.row {
          #expect(!other.glyphs.contains { abs($0.x - glyph.x) < 1 && abs($0.y - glyph.y) < 1 })
        }
      }
    }
  }
}
