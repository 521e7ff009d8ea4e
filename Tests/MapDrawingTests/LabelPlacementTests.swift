import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Positions of labels, the choice of labels and the reasons for omitting the others.
@Suite struct LabelPlacementTests {
  /// An image of 100 by 80 pixels with the point at 50, 40 in its middle.
  private static func scene(_ definition: LabelDefinition, text: String = "abcd") throws -> LabelScene {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 8))
    scene.layers = [(try LabelScene.points([(0, 0, text)]), [definition])]
    return scene
  }

  // A text of 4 letters is 20 by 10 pixels. Its ink reaches from 0.7 em above to 0.2 em below the baseline,
  // which is 7.6 below the block's top and is rounded to a whole pixel. The symbol covers 46 to 54 and 36 to
  // 44.
  @Test(
    "Each of the nine point placements puts the label at the expected pixel",
    arguments: [
      (.pointAboveLeft, 26, 26), (.pointAboveCenter, 40, 26), (.pointAboveRight, 54, 26),
      (.pointCenterLeft, 26, 35), (.pointCenterCenter, 40, 35), (.pointCenterRight, 54, 35),
      (.pointBelowLeft, 26, 44), (.pointBelowCenter, 40, 44), (.pointBelowRight, 54, 44),
    ] as [(LabelingPlacement, Double, Double)])
  func nine(_ placement: LabelingPlacement, _ left: Double, _ top: Double) throws {
    let item = try #require(try Self.scene(LabelScene.definition(placement)).items().first)
    let baseline = (top + 7.6).rounded()
    #expect(item.glyphs.map(\.x) == [left, left + 5, left + 10, left + 15])
    #expect(item.glyphs.allSatisfy { $0.y == baseline })
    #expect(abs(item.box.xMin - left) < 1e-9)
    #expect(abs(item.box.xMax - left - 20) < 1e-9)
    #expect(abs(item.box.yMin - (baseline - 7.6)) < 1e-9)
    #expect(abs(item.box.yMax - (baseline + 2.4)) < 1e-9)

    // A distance moves the label away on the named sides only; a pixel ratio scales everything.
    var far = LabelScene.definition(placement)
    far.offsetDistance = 3
    let side = try #require(placement.side)
    let moved = try #require(try Self.scene(far).items().first)
    #expect(moved.glyphs[0].x == left + 3 * side.x)
    #expect(moved.glyphs[0].y == baseline + 3 * side.y)
    var double = try Self.scene(far)
    double.scene.pixelRatio = 2
    let large = try #require(try double.items().first)
    #expect(abs(large.glyphs[0].x - 2 * (left + 3 * side.x)) < 1e-9)
    #expect(abs(large.glyphs[0].y - 2 * (top + 7.6 + 3 * side.y)) <= 0.5)
    #expect(large.box.width == 40)
  }

  @Test("A label touches the symbol's box including size, outline, offset and rotation")
  func symbolBox() throws {
    func left(_ marker: SimpleMarkerSymbol) throws -> Double {
      var scene = try Self.scene(LabelScene.definition(.pointCenterRight))
      scene.scene.renderer = SimpleRenderer(symbol: marker)
      return try #require(try scene.items().first).glyphs[0].x
    }
    let line = SimpleLineSymbol(color: .black, width: 2)
    #expect(try left(SimpleMarkerSymbol(style: .circle, size: 8)) == 54)
    #expect(try left(SimpleMarkerSymbol(style: .circle, size: 8, outline: line)) == 55)
    #expect(try left(SimpleMarkerSymbol(style: .square, size: 8, offsetX: 5)) == 59)
    let turned = try left(SimpleMarkerSymbol(style: .square, size: 8, angle: 45))
    #expect(abs(turned - (50 + 4 * 2.0.squareRoot())) < 1e-9)
    // A point without a visible symbol is labelled like any other.
    #expect(try left(SimpleMarkerSymbol(style: .circle, color: nil, size: 8)) == 54)
  }

  @Test("A label at the corner of a large circle is as near to it as one at its side")
  func largeCircle() throws {
    func box(_ placement: LabelingPlacement, _ style: SimpleMarkerSymbol.Style, _ size: Double) throws
      -> Envelope
    {
      var scene = try Self.scene(LabelScene.definition(placement))
      scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: style, size: size))
      return try #require(try scene.items().first).box
    }
    let corner = 20 / 2.0.squareRoot()
    for (placement, x) in [(LabelingPlacement.pointAboveRight, corner), (.pointBelowLeft, -corner - 20)] {
      #expect(abs(try box(placement, .circle, 40).xMin - (50 + x)) < 1e-9)
    }
    #expect(try box(.pointCenterRight, .circle, 40).xMin == 70)
    // The corner of a square is where it seems; that of a small circle is hardly farther away.
    #expect(try box(.pointAboveRight, .square, 40).xMin == 70)
    #expect(try box(.pointAboveRight, .circle, 12).xMin == 56)
  }

  @Test("A dynamic label keeps off the edge of the image where another position is free")
  func edgeCost() throws {
    func top(_ y: Double) throws -> Double {
      var scene = LabelScene()
      scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 4))
      var definition = LabelScene.definition(nil)
      definition.deconflictionStrategy = .dynamic
      scene.layers = [(try LabelScene.points([(0, y, "ab")]), [definition])]
      return try #require(try scene.items().first).box.yMin
    }
    // Above the marker, the label would be at the edge; in the middle of the image, it is there.
    #expect(try top(27.6) > 4)
    #expect(try top(0) < 30)
  }

  @Test("In a rotated view the label's position rotates and its text stays upright")
  func rotation() throws {
    var scene = try Self.scene(LabelScene.definition(.pointCenterRight))
    scene.layers = [(try LabelScene.points([(0, 30, "abcd")]), [LabelScene.definition(.pointCenterRight)])]
    // North is left: rotation is the heading of the top edge.
    scene.scene.rotation = 90
    let item = try #require(try scene.items().first)
    #expect(item.glyphs.map(\.x) == [24, 29, 34, 39])
    #expect(item.glyphs.allSatisfy { $0.y == 43 })
  }

  @Test("Label text is split into lines, trimmed and aligned")
  func lines() throws {
    var definition = LabelScene.definition(.pointBelowCenter)
    definition.stacking = LabelStacking(rowLength: 3)
    func item(_ text: String) throws -> LabelItem {
      try #require(try Self.scene(definition, text: text).items().first)
    }
    #expect(try item("abc de").text == "abc\nde")
    #expect(try item("a\\r\\n\\n b \\u2028c\\u0000").text == "a\nb\nc")
    let centered = try item("abcd ef")
    #expect(centered.box.width == 20)
    #expect(abs(centered.box.height - 22) < 1e-9)
    #expect(centered.glyphs.map(\.x) == [40, 45, 50, 55, 45, 50])
    #expect(Set(centered.glyphs.map(\.y)) == [52, 64])
    definition.textSymbol.horizontalAlignment = .left
    #expect(try item("abcd ef").glyphs.map(\.x) == [40, 45, 50, 55, 40, 45])
    definition.textSymbol.horizontalAlignment = .right
    #expect(try item("abcd ef").glyphs.map(\.x) == [40, 45, 50, 55, 50, 55])
  }

  @Test("A halo or slant widens the label box, and an invisible text style gives no label")
  func looks() throws {
    var definition = LabelScene.definition(.pointCenterCenter)
    definition.textSymbol.haloColor = .white
    definition.textSymbol.haloWidth = 2
    var item = try #require(try Self.scene(definition).items().first)
    #expect(item.box.width == 24)
    #expect(abs(item.box.height - 14) < 1e-9)
    definition.textSymbol.haloColor = nil
    definition.textSymbol.fontStyle = .oblique
    item = try #require(try Self.scene(definition).items().first)
    // 0.7 em above the baseline the letters lean 0.14 em to the right, 0.2 below 0.04 to the left.
    #expect(abs(item.box.width - (20 + 1.4 + 0.4)) < 1e-9)
    for change in [{ $0.color = nil }, { $0.size = 0 }, { $0.size = .nan }, { $0.size = .infinity }]
      as [(inout TextSymbol) -> Void]
    {
      var nothing = LabelScene.definition()
      change(&nothing.textSymbol)
      #expect(try Self.scene(nothing).items().isEmpty)
    }
  }

  @Test("Labels are placed by priority, upper layer, upper class and drawing order")
  func order() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    func layers(_ labels: [LabelDefinition], _ upper: [LabelDefinition]) throws {
      scene.layers = [
        (try LabelScene.points([(0, 0, "low1"), (1, 0, "low2")]), labels),
        (try LabelScene.points([(0, 1, "upp1"), (1, 1, "upp2")]), upper),
      ]
    }
    let usual = LabelScene.definition()
    var first = usual
    first.priority = 2
    try layers([usual], [usual])
    #expect(try scene.texts() == ["upp1"])
    try layers([first], [usual])
    #expect(try scene.texts() == ["low1"])
    var longer = usual
    longer.expression = .simple("[n] CONCAT 'x'")
    try layers([usual], [longer, usual])
    #expect(try scene.texts() == ["upp1x"])
    scene.scene.drawingOrder = [DrawingOrder(fieldName: "OBJECTID")]
    #expect(throws: RendererFieldError.self) { try scene.texts() }
    // Omitted labels are counted by reason.
    scene.scene.drawingOrder = []
    let report = try scene.drawing().report
    #expect(report.classes.map(\.placed) == [0, 1, 0])
    #expect(report.classes.map(\.collided) == [2, 1, 2])
  }

  @Test("A label that the image edge would cut is omitted, and one that touches it is kept")
  func edge() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    scene.layers = [
      (
        try LabelScene.points([(30, 0, "abcd"), (30.25, -20, "abcd"), (-50, 30, "abcd")]),
        [LabelScene.definition()]
      )
    ]
    let drawing = try scene.drawing()
    #expect(drawing.items.map(\.row).sorted() == [0, 2])
    #expect(drawing.report.classes[0].atEdge == 1)
    // A point outside the view has no label, even if part of the label would be visible.
    scene.layers = [(try LabelScene.points([(-50.5, 0, "abcd")]), [LabelScene.definition()])]
    #expect(try scene.items().isEmpty)
    // The halo may not leave the image either.
    var haloed = LabelScene.definition()
    haloed.textSymbol.haloColor = .white
    haloed.textSymbol.haloWidth = 1
    scene.layers = [(try LabelScene.points([(30, 0, "abcd")]), [haloed])]
    #expect(try scene.items().isEmpty)
  }

  @Test("Labels overlap only where their classes allow it")
  func overlap() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    let table = try LabelScene.points([(0, 0, "a"), (1, 0, "b"), (2, 0, "c")])
    for change in [
      { $0.labelOverlapStrategy = .allow }, { $0.deconflictionStrategy = .none },
      { $0.deconflictionStrategy = .dynamicNeverRemove },
    ] as [(inout LabelDefinition) -> Void] {
      var definition = LabelScene.definition()
      change(&definition)
      scene.layers = [(table, [definition])]
      // The label placed first is painted last.
      #expect(try scene.items().map(\.text) == ["c", "b", "a"])
      scene.layers = [(table, [LabelScene.definition()]), (table, [definition])]
      #expect(try scene.items().count == 3)
    }
    scene.layers = [(table, [LabelScene.definition()])]
    #expect(try scene.texts() == ["a"])
  }

  @Test("Duplicate labels are removed by class, geometry kind, map or distance")
  func duplicates() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    let table = try LabelScene.points([(-40, 0, "a"), (-40, 30, "a"), (40, 0, "a"), (0, 0, "b")])
    var definition = LabelScene.definition()
    func count(_ removal: LabelDefinition.DuplicateRemoval, _ distance: Double, layers: Int = 1) throws -> Int
    {
      (definition.duplicateRemoval, definition.duplicateRemovalDistance) = (removal, distance)
      // The second layer's labels are below their points, and no label covers another.
      var below = definition
      below.placement = .pointBelowRight
      scene.layers = [(table, [definition]), (table, [below])].suffix(layers)
      return try scene.items().count
    }
    #expect(try count(.none, 0) == 4)
    #expect(try count(.labelClass, 0) == 2)
    #expect(try count(.labelClass, 50) == 3)
    #expect(try count(.labelClass, 29) == 4)
    #expect(try count(.labelClass, 0, layers: 2) == 4)
    #expect(try count(.featureType, 0, layers: 2) == 2)
    #expect(try count(.all, 0, layers: 2) == 2)
    #expect(try scene.drawing().report.classes.map(\.duplicate) == [4, 2])
  }

  @Test("A label class applies its own condition, and features without text are reported")
  func conditions() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    let table = try LabelScene.points([(-40, 0, "a"), (-10, 0, " \\n"), (10, 0, "c?"), (20, 20, "d")])
    var definition = LabelScene.definition()
    definition.whereClause = "n <> 'd'"
    scene.layers = [(table, [definition])]
    let drawing = try scene.drawing()
    #expect(drawing.items.map(\.text).sorted() == ["a", "c?"])
    #expect(drawing.report.classes[0].empty == 1)
    #expect(drawing.report.missingGlyphs == ["?"])
    definition.expression = .simple("[nowhere]")
    scene.layers = [(table, [definition])]
    #expect(throws: RendererFieldError.self) { try scene.items() }
    definition.expression = .arcade("Uper($feature.n)")
    scene.layers = [(table, [definition])]
    #expect(throws: LabelExpressionError.self) { try scene.items() }
  }

  @Test("The display list contains the text, glyphs, box and style of each label")
  func dump() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 6))
    var haloed = LabelScene.definition(.pointBelowCenter)
    haloed.textSymbol.haloColor = .white
    haloed.textSymbol.haloWidth = 1.5
    haloed.textSymbol.fontStyle = .oblique
    haloed.whereClause = "n LIKE 'c%'"
    haloed.priority = 1
    scene.layers = [
      (
        try LabelScene.points([(0, 0, "ab"), (-20, 10, "cd \\\"\\\\e"), (20, -20, "x\\ny")]),
        [LabelScene.definition(), haloed]
      ),
      (try LabelScene.points([(-30, -30, "top")]), [LabelScene.definition(.pointCenterLeft)]),
      (try LabelScene.points([(30, 30, "upper")]), [LabelScene.definition(.pointBelowLeft)]),
    ]
    var list = DisplayList(width: 100, height: 80, background: nil)
    list.labels = try scene.drawing().layers
    try GoldenDump.expect("labels", list.dump())
  }

  @Test("A view that shows two world copies labels features in both")
  func worlds() throws {
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 0))
    scene.scene.resolution = WebMercator.halfWorld / 24
    scene.layers = [(try LabelScene.points([(0, 0, "a")]), [LabelScene.definition()])]
    let items = try scene.items()
    #expect(items.map { $0.glyphs[0].x }.sorted() == [2, 50, 98].filter { $0 < 95 })
    #expect(Set(items.map(\.row)) == [0])
  }

  @Test("Random labels do not overlap or leave the image, and each omitted one has a reason")
  func invariants() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var scene = LabelScene()
      (scene.scene.width, scene.scene.height) = (400, 300)
      scene.scene.rotation = seed % 3 == 0 ? Double.random(in: 0..<360, using: &random) : 0
      scene.scene.pixelRatio = [1, 1.5, 2][Int.random(in: 0..<3, using: &random)]
      var expected = 0
      for _ in 0..<3 {
        let places = (0..<350).map { _ in
          (
            x: Double.random(in: -220...220, using: &random),
            y: Double.random(in: -170...170, using: &random),
            text: String(repeating: "m", count: Int.random(in: 1...14, using: &random))
          )
        }
        var definition = LabelScene.definition(
          LabelingPlacement.allCases.prefix(9).randomElement(using: &random))
        definition.textSymbol.size = Double.random(in: 1...20, using: &random)
        definition.priority = Int.random(in: 0...1, using: &random)
        definition.offsetDistance = Double.random(in: 0...5, using: &random)
        if Bool.random(using: &random) {
          definition.textSymbol.haloColor = .white
          definition.textSymbol.haloWidth = Double.random(in: 0...3, using: &random)
        }
        scene.layers.append((try LabelScene.points(places), [definition]))
        expected += places.count
      }
      let drawing = try scene.drawing()
      let items = drawing.items
      let ratio = scene.scene.pixelRatio
      #expect(items.count > 20)
      #expect(items.count == drawing.report.classes.reduce(0) { $0 + $1.placed })
      for (index, item) in items.enumerated() {
        #expect(item.box.xMin >= 0)
        #expect(item.box.yMin >= 0)
        #expect(item.box.xMax <= 400 * ratio)
        #expect(item.box.yMax <= 300 * ratio)
        for other in items[..<index] {
          let apart =
            item.box.xMin >= other.box.xMax || item.box.xMax <= other.box.xMin
            || item.box.yMin >= other.box.yMax
            || item.box.yMax <= other.box.yMin
          #expect(apart, "seed \(seed): \(item.text) and \(other.text)")
        }
      }
      let told = drawing.report.classes.reduce(0) { $0 + $1.counts.reduce(0) { $0 + $1.count } }
      #expect(told <= expected)
      #expect(told > expected / 3)
      #expect(try scene.drawing().items == items)
    }
  }

  @Test("Every label omitted for a collision overlaps a label placed before it")
  func greedy() throws {
    // Without other labels, each omitted label would have been placed; the quick test before shaping may not
    // omit more than the full box does.
    var random = SeededGenerator(seed: 77)
    var scene = LabelScene()
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 4))
    let places = (0..<120).map { index in
      (
        x: Double.random(in: -45...25, using: &random), y: Double.random(in: -35...35, using: &random),
        text: String(repeating: "m", count: index % 5 + 1)
      )
    }
    scene.layers = [(try LabelScene.points(places), [LabelScene.definition()])]
    var all = LabelScene.definition()
    all.deconflictionStrategy = .none
    var free = scene
    free.layers = [(scene.layers[0].table, [all])]
    // In order of placement, first to last.
    var kept: [LabelItem] = []
    for item in try free.items().reversed() {
      let apart = kept.allSatisfy {
        item.box.xMin >= $0.box.xMax || item.box.xMax <= $0.box.xMin || item.box.yMin >= $0.box.yMax
          || item.box.yMax <= $0.box.yMin
      }
      if apart { kept.append(item) }
    }
    #expect(try scene.items().reversed().map(\.row) == kept.map(\.row))
    #expect(kept.count > 10)
    #expect(kept.count < 100)
  }
}
