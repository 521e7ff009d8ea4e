import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Label positions of areas.
@Suite struct AreaLabelTests {
  private static func scene(_ rings: [String], _ change: (inout LabelDefinition) -> Void = { _ in }) throws
    -> LabelScene
  {
    var definition = LabelScene.definition(nil)
    change(&definition)
    var scene = LabelScene()
    let table = try Scene.table(
      "Polygon", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"}]",
      rings.enumerated().map { "{\"attributes\":{\"n\":\"ab\"},\"geometry\":{\"rings\":\($0.element)}}" })
    scene.layers = [(table, [definition])]
    return scene
  }

  /// The centre of each label's block: two letters of 10 pixels.
  private static func middles(_ scene: LabelScene) throws -> [[Double]] {
    try scene.items().map { [$0.box.center.x, $0.box.center.y] }
  }

  private static func expect(_ rings: String, _ x: Double, _ y: Double, within: Double = 1) throws {
    let found = try middles(scene([rings]))
    #expect(found.count == 1)
    let place = try #require(found.first)
    // Baselines are rounded to whole pixels.
    #expect(abs(place[0] - x) <= within, "\(place)")
    #expect(abs(place[1] - y) <= within + 0.5, "\(place)")
  }

  @Test("An area label is at the widest part of a rectangle, an L shape or a ring")
  func shapes() throws {
    try Self.expect("[[[-40,-20],[-40,20],[40,20],[40,-20],[-40,-20]]]", 50, 40)
    try Self.expect("[[[-40,-30],[-40,30],[-10,30],[-10,0],[40,0],[40,-30],[-40,-30]]]", 27.6, 52.4)
    // The hole takes the middle; the widest part is the right one.
    try Self.expect(
      "[[[-40,-20],[-40,20],[40,20],[40,-20],[-40,-20]],[[-30,-15],[5,-15],[5,15],[-30,15],[-30,-15]]]", 72.5,
      40,
      within: 3)
  }

  @Test("An area label is in the roomiest visible part, and in each other part with room for it")
  func parts() throws {
    let two = "[[[-40,-10],[-40,10],[-20,10],[-20,-10],[-40,-10]],[[0,-15],[0,15],[30,15],[30,-15],[0,-15]]]"
    #expect(try Self.middles(Self.scene([two])).map { $0[0].rounded() }.sorted() == [20, 65])
    for single in [LabelDefinition.MultipartLabeling.labelPerFeature, .labelLargest] {
      let found = try Self.middles(Self.scene([two]) { $0.multipartLabeling = single })
      #expect(found.map { $0[0].rounded() } == [65])
    }
    // A part without room is not a label that is left out; a hole is no part.
    let small =
      "[[[-40,-10],[-40,10],[-31,10],[-31,-10],[-40,-10]],[[0,-15],[0,15],[30,15],[30,-15],[0,-15]]]"
    let report = try Self.scene([small]).drawing().report.classes[0]
    #expect(report.placed == 1)
    #expect(report.dropped.allSatisfy { $0.count == 0 })
    let ring =
      "[[[-48,-38],[-48,38],[48,38],[48,-38],[-48,-38]],[[-20,-15],[20,-15],[20,15],[-20,15],[-20,-15]]]"
    #expect(try Self.scene([ring]).items().count == 1)
    // The larger part is outside the view.
    try Self.expect(
      "[[[-40,-10],[-40,10],[-20,10],[-20,-10],[-40,-10]],[[100,-150],[100,150],[300,150],[300,-150],[100,-150]]]",
      20, 40)
    // Only the left 20 pixels of a wide area are visible.
    try Self.expect("[[[-500,-20],[-500,20],[-30,20],[-30,-20],[-500,-20]]]", 10, 40)
  }

  @Test("An area that its label would cover as a whole has none, and a sliver is labelled at its position")
  func tiny() throws {
    let covered = try Self.scene(["[[[0,0],[0,0.1],[0.1,0.1],[0.1,0],[0,0]]]"])
    #expect(try covered.items().isEmpty)
    #expect(try covered.drawing().report.classes[0].coversArea == 1)
    try Self.expect("[[[-20,0],[20,0.001],[20,0],[-20,0]]]", 50, 40, within: 22)
  }

  @Test("A dynamic label lies beside an area that it would cover, over no other area")
  func beside() throws {
    let tiny = "[[[0,0],[0,4],[4,4],[4,0],[0,0]]]"
    let sea = try Self.scene([tiny]) { $0.deconflictionStrategy = .dynamic }
    let item = try #require(try sea.items().first)
    // The area is at pixels 50 to 54 and 36 to 40; the preferred side is the right one.
    #expect(item.box.xMin >= 54 && item.box.yMin < 38 && item.box.yMax > 38)
    #expect(try sea.drawing().report.classes[0].positions == ["centerRight": 1])
    // Another area on the right is too near for a name beside the area, so that it has a line, and one around it leaves none.
    let right = "[[[6,-38],[6,38],[48,38],[48,-38],[6,-38]]]"
    let left = try #require(
      try Self.scene([tiny, right]) { $0.deconflictionStrategy = .dynamic }.items().first { $0.row == 0 })
    #expect(left.box.xMax <= 56 && left.leader != nil)
    let around = "[[[-48,-38],[-48,38],[48,38],[48,-38],[-48,-38]],[[0,0],[4,0],[4,4],[0,4],[0,0]]]"
    let enclosed = try Self.scene([tiny, around]) { $0.deconflictionStrategy = .dynamic }
    let inside = try enclosed.items()
    #expect(inside.map(\.row).sorted() == [0, 1])
    // The area around it has room for the name of the enclave, which a line joins.
    let leader = try #require(inside.first { $0.row == 0 }?.leader)
    #expect(leader.box.xMin < 54 && leader.box.xMax > 50 && leader.box.yMin < 40 && leader.box.yMax > 36)
    // Without room there, it has none.
    let narrow = "[[[-3,-3],[-3,7],[7,7],[7,-3],[-3,-3]],[[0,0],[4,0],[4,4],[0,4],[0,0]]]"
    let outer =
      "[[[-48,-38],[-48,38],[-4,38],[-4,-38],[-48,-38]],[[8,-38],[8,38],[48,38],[48,-38],[8,-38]]]"
    let crowded = try Self.scene([tiny, narrow, outer]) { $0.deconflictionStrategy = .dynamic }
    let kept = try crowded.items()
    #expect(kept.contains { $0.row == 2 } && kept.allSatisfy { $0.leader != nil || $0.row == 2 })
  }

  @Test("A line leads to the end of an area whose middle other areas enclose, and crosses none of them")
  func ends() throws {
    // An L whose widest part is at its foot; areas on both sides, and open ground beyond the end of its arm.
    let bent = "[[[-40,-30],[-40,30],[20,30],[20,27],[-37,27],[-37,-24],[-34,-24],[-34,-30],[-40,-30]]]"
    let left = "[[[-49,-39],[-49,39],[-40,39],[-40,-39],[-49,-39]]]"
    let right =
      "[[[-37,-24],[-37,27],[18,27],[18,-39],[-40,-39],[-40,-30],[-34,-30],[-34,-24],[-37,-24]]]"
    let scene = try Self.scene([bent, left, right]) {
      ($0.deconflictionStrategy, $0.followsGround) = (.dynamic, true)
    }
    let item = try #require(try scene.items().first { $0.row == 0 })
    let leader = try #require(item.leader)
    // Open ground is right of pixel 68 and above pixel 10; the arm is at pixels 10 to 90 and 10 to 13.
    #expect(item.box.xMin >= 68 || item.box.yMax <= 12, "\(item.box)")
    #expect(leader.box.yMin <= 14 && leader.box.yMax >= 9 && leader.box.xMax >= 40, "\(leader.box)")
  }

  @Test("An area whose room the name of a point has taken has its name outside")
  func taken() throws {
    // The halo has no room there, so that the name may be elsewhere.
    var scene = try Self.scene(["[[[-8,-8],[-8,8],[8,8],[8,-8],[-8,-8]]]"]) {
      $0.deconflictionStrategy = .dynamic
      ($0.textSymbol.haloColor, $0.textSymbol.haloWidth) = (.white, 4)
    }
    #expect(try scene.items().map { $0.leader == nil } == [true])
    // The name of the point covers the pixels 44 to 54 and 34 to 44, those of the square are 42 to 58 and 32 to 48.
    scene.layers.append((try LabelScene.points([(x: -6, y: -4, text: "cd")]), [LabelScene.definition()]))
    let items = try scene.items()
    #expect(items.map(\.text).sorted() == ["ab", "cd"])
    #expect(items.first { $0.text == "ab" }?.leader != nil)
  }

  @Test("A name does not continue another one on its line where it has another position")
  func lineGap() throws {
    var scene = try Self.scene(["[[[0,0],[0,4],[4,4],[4,0],[0,0]]]"]) { $0.deconflictionStrategy = .dynamic }
    // The name of the point is at the pixels 66 to 76, 2 pixels right of the preferred position, and at the same height.
    scene.layers.append((try LabelScene.points([(x: 16, y: -3, text: "cd")]), [LabelScene.definition()]))
    let items = try scene.items()
    let (area, point) = (items.first { $0.text == "ab" }, items.first { $0.text == "cd" })
    let (own, other) = (try #require(area?.box), try #require(point?.box))
    #expect(abs(own.center.y - other.center.y) > 3 || own.xMax < other.xMin - 6, "\(own)")
  }

  @Test("The name of an enclave lies over a light area around it and not over a dark one")
  func darkNeighbor() throws {
    let tiny = "[[[0,0],[0,4],[4,4],[4,0],[0,0]]]"
    let around = "[[[-48,-38],[-48,38],[48,38],[48,-38],[-48,-38]],[[0,0],[4,0],[4,4],[0,4],[0,0]]]"
    for (color, rows) in [(Color.yellow, [Int32(0), 1]), (.black, [1])] {
      var scene = try Self.scene([tiny, around]) {
        ($0.deconflictionStrategy, $0.followsGround) = (.dynamic, true)
      }
      scene.scene.renderer = SimpleRenderer(symbol: SimpleFillSymbol(color: color, outline: nil))
      #expect(try scene.items().map(\.row).sorted() == rows, "\(color)")
    }
  }

  @Test("Letters on both sides of a narrow area are not along it, and a name beside an area is near to it")
  func apart() throws {
    // Both borders are in the blank between the words.
    let narrow = "[[[-4,-20],[-4,20],[4,20],[4,-20],[-4,-20]]]"
    let words = try Self.scene([narrow]) {
      $0.deconflictionStrategy = .dynamic
      ($0.expression, $0.stacking) = (.simple("[n] CONCAT 'c     def'"), nil)
    }
    #expect(try words.drawing().report.classes[0].positions["axis"] == nil)
    // A thin diagonal: the corners of the box around it are far from it.
    let diagonal = "[[[-9,-9],[9,9],[9,8],[-8,-9],[-9,-9]]]"
    let scene = try Self.scene([diagonal]) {
      $0.deconflictionStrategy = .dynamic
      $0.expression = .simple("[n] CONCAT 'cdef'")
    }
    let item = try #require(try scene.items().first)
    let isNear = (-90...90).contains { step in
      let place = Point(x: 50 + Double(step) / 10, y: 40 - Double(step) / 10)
      return item.box.grown(by: 6).contains(x: place.x, y: place.y)
    }
    #expect(item.leader != nil || isNear, "\(item.box)")
  }

  @Test("A text is placed wherever its area has room for it, as far from the edges as it can be")
  func room() throws {
    // A narrow stem with a wide foot that is not at the widest part; the text is 60 pixels wide.
    let boot = "[[[-30,-20],[-30,36],[0,36],[0,-8],[40,-8],[40,-20],[-30,-20]]]"
    let scene = try Self.scene([boot]) {
      $0.deconflictionStrategy = .dynamic
      $0.expression = .simple("[n] CONCAT 'cd efghijk'")
    }
    let item = try #require(try scene.items().first)
    // The foot is at pixels 20 to 90 and 48 to 60.
    #expect(item.box.xMin >= 20 && item.box.xMax <= 90 && item.box.yMin >= 47 && item.box.yMax <= 60)
    #expect(item.text == "abcd efghijk" && item.leader == nil)
  }

  @Test("A label in the colours of its area covers no other area, and keeps its area's colours inside")
  func ownColors() throws {
    let stripes = (-5..<5).map { index in
      let x = 8 * index
      return "[[[\(x),-15],[\(x),15],[\(x + 8),15],[\(x + 8),-15],[\(x),-15]]]"
    }
    let scene = try Self.scene(stripes) {
      $0.deconflictionStrategy = .dynamic
      $0.followsGround = true
    }
    // A text of 10 pixels is over two stripes, so all lie outside with a line.
    let items = try scene.items()
    #expect(items.count >= 4 && items.allSatisfy { $0.leader != nil })
  }

  @Test("A dynamic label does not lie over other areas more than over its own, unless it may overrun")
  func elsewhere() throws {
    // Stripes 8 pixels wide, for a text of 10.
    let stripes = (-5..<5).map { index in
      let x = 8 * index
      return "[[[\(x),-30],[\(x),30],[\(x + 8),30],[\(x + 8),-30],[\(x),-30]]]"
    }
    #expect(try Self.scene(stripes) { $0.deconflictionStrategy = .dynamic }.items().count >= 4)
    // 4 pixels wide: the text is mostly over the neighbours.
    let narrow = (-5..<5).map { index in
      let x = 4 * index
      return "[[[\(x),-30],[\(x),30],[\(x + 4),30],[\(x + 4),-30],[\(x),-30]]]"
    }
    let few = try Self.scene(narrow) { $0.deconflictionStrategy = .dynamic }
    #expect(try few.items().filter { $0.leader == nil }.count <= 2)
    let free = try Self.scene(narrow) { ($0.deconflictionStrategy, $0.allowsOverrun) = (.dynamic, true) }
    #expect(try free.items().count > 2)
  }

  /// The texts of the labels of a square with a side in pixels, whose whole text is 55 pixels wide.
  private static func texts(_ side: Double, _ change: (inout LabelDefinition) -> Void = { _ in }) throws
    -> (texts: [String], positions: [String: Int])
  {
    var definition = LabelScene.definition(nil)
    (definition.deconflictionStrategy, definition.shortField) = (.dynamic, "s")
    change(&definition)
    var scene = LabelScene()
    let half = side / 2
    let ring =
      "[[\(-half),\(-half)],[\(-half),\(half)],[\(half),\(half)],[\(half),\(-half)],[\(-half),\(-half)]]"
    let table = try Scene.table(
      "Polygon",
      fields:
        "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"},{\"name\":\"s\",\"type\":\"esriFieldTypeString\"}]",
      ["{\"attributes\":{\"n\":\"abcd fghijk\",\"s\":\"af\"},\"geometry\":{\"rings\":[\(ring)]}}"])
    scene.layers = [(table, [definition])]
    return (try scene.items().map(\.text), try scene.drawing().report.classes[0].positions)
  }

  @Test(
    "A dynamic label without room in its area has the short text, else several lines, else a line to the area"
  )
  func shorter() throws {
    #expect(try Self.texts(60).texts == ["abcd fghijk"])
    let short = try Self.texts(40)
    #expect(short.texts == ["af"] && short.positions == ["short": 1])
    let wrapped = try Self.texts(40) { $0.shortField = nil }
    #expect(wrapped.texts == ["abcd\nfghijk"] && wrapped.positions == ["wrapped": 1])
    let single = try Self.texts(40) { ($0.shortField, $0.stacking) = (nil, nil) }
    #expect(single.texts == ["abcd fghijk"] && single.positions.keys.allSatisfy { $0 != "wrapped" })
    // Labels that keep their position are as they were.
    #expect(try Self.texts(40) { $0.deconflictionStrategy = .static }.texts == ["abcd fghijk"])
  }

  @Test("A text is wrapped at its blanks into lines that are as narrow as possible")
  func wrapping() {
    #expect(LabelPlacement.wrapped("Massachusetts").isEmpty)
    #expect(LabelPlacement.wrapped("New Hampshire") == [["New", "Hampshire"]])
    #expect(
      LabelPlacement.wrapped("District of Columbia") == [
        ["District of", "Columbia"], ["District", "of", "Columbia"],
      ])
  }

  @Test("A dynamic label of an area that is too narrow for it is along the area, if it lies inside there")
  func narrow() throws {
    // The text is 30 pixels long, and its letters are 9 high.
    func glyph(_ width: Double, _ lean: Double) throws -> LabelItem.Glyph? {
      let ring = "[[[0,-30],[\(lean),30],[\(lean + width),30],[\(width),-30],[0,-30]]]"
      let scene = try Self.scene([ring]) {
        $0.deconflictionStrategy = .dynamic
        $0.expression = .simple("[n] CONCAT 'cdef'")
      }
      return try #require(try scene.items().first).glyphs.first
    }
    // Text reads upwards, whatever side the area leans to.
    for lean in [-3.0, 0, 3] {
      let glyph = try #require(try glyph(16, lean))
      #expect(glyph.directionY < -0.99, "\(glyph)")
    }
    // With room for horizontal text, and without room for any.
    #expect(try glyph(36, 0)?.directionX == 1)
    #expect(try glyph(7, 0)?.directionX == 1)
  }

  @Test("A label that must not overrun its area is omitted when it would")
  func overrun() throws {
    let wide = "[[[-40,-20],[-40,20],[0,20],[0,-20],[-40,-20]]]"
    let narrow = "[[[10,-20],[10,20],[19,20],[19,-20],[10,-20]]]"
    #expect(try Self.scene([wide, narrow]).items().map(\.row).sorted() == [0, 1])
    let scene = try Self.scene([wide, narrow]) { $0.allowsOverrun = false }
    #expect(try scene.items().map(\.row) == [0])
    #expect(try scene.drawing().report.classes[0].overrun == 1)
  }

  @Test("A dynamic area label moves to another position inside its area when a label is at the widest part")
  func interior() throws {
    let wide = "[[[-48,-12],[-48,12],[48,12],[48,-12],[-48,-12]]]"
    #expect(try Self.scene([wide, wide]).items().count == 1)
    let scene = try Self.scene([wide, wide]) { $0.deconflictionStrategy = .dynamic }
    let items = try scene.items()
    #expect(items.map(\.row).sorted() == [0, 1])
    for item in items {
      #expect(item.box.yMin >= 28)
      #expect(item.box.yMax <= 52)
    }
    #expect(try scene.drawing().report.classes[0].positions == ["interior": 1, "widest": 1])
  }

  @Test("Dynamic labels name a large area before the small ones beside it, static ones in drawing order")
  func largestFirst() throws {
    // A label is 20 pixels wide and 10 high.
    func strip(_ x: Double, _ half: Double) -> String {
      "[[[\(x - half),-12],[\(x - half),12],[\(x + half),12],[\(x + half),-12],[\(x - half),-12]]]"
    }
    // At the widest part, the label of the large one in the middle overlaps both others, so one small area has none.
    let areas = [strip(-9, 1), strip(9, 1), strip(0, 6)]
    #expect(try Self.scene(areas).items().map(\.row).sorted() == [0, 1])
    let wide = [strip(-14, 1), strip(14, 1), strip(0, 12)]
    let dynamic = try Self.scene(wide) { $0.deconflictionStrategy = .dynamic }
    let large = try #require(try dynamic.items().first { $0.row == 2 })
    #expect(abs(large.box.center.x - 50) < 1 && large.leader == nil)
    // The small ones have their labels elsewhere.
    #expect(try dynamic.items().allSatisfy { $0.row == 2 || $0.leader != nil })
  }

  @Test("The label position in a random star has nearly the most room of any position")
  func stars() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<15 {
      let corners = Int.random(in: 3...14, using: &random)
      let ring = (0..<corners).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(corners)
        let radius = Double.random(in: 6...36, using: &random)
        return (x: radius * cos(angle), y: -radius * sin(angle))
      }
      let text = (ring + [ring[0]]).map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
      let place = try #require(try Self.middles(Self.scene(["[[\(text)]]"])).first)
      // Half a pixel is allowed for the baseline.
      let room = Self.room(place[0] - 50, 40 - place[1], ring)
      var most = 0.0
      for x in stride(from: -36, through: 36, by: 3) {
        for y in stride(from: -36, through: 36, by: 3) {
          most = max(most, Self.room(Double(x), Double(y), ring))
        }
      }
      #expect(room >= 0.8 * most - 2.5, "\(room) of \(most): \(text)")
    }
  }

  /// The distance of a point from the edge of a ring; negative outside.
  private static func room(_ x: Double, _ y: Double, _ ring: [(x: Double, y: Double)]) -> Double {
    var inside = false
    var nearest = Double.infinity
    for (a, b) in zip(ring, ring.dropFirst() + [ring[0]]) {
      if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
      for step in 0...100 {
        let t = Double(step) / 100
        nearest = min(nearest, hypot(a.x + t * (b.x - a.x) - x, a.y + t * (b.y - a.y) - y))
      }
    }
    return inside ? nearest : -nearest
  }

  @Test("A straight label follows the longest axis of its area, and lies inside it where it fits")
  func axis() throws {
    // A band from the lower left to the upper right, of 45 degrees.
    let band = "[[[-45,-30],[15,30],[45,30],[-15,-30],[-45,-30]]]"
    for layout in [LabelDefinition.TextLayout.straight, .followFeature] {
      let scene = try Self.scene([band]) { ($0.textLayout, $0.allowsOverrun) = (layout, false) }
      let item = try #require(try scene.items().first)
      let (x, y) = (item.glyphs[0].directionX, item.glyphs[0].directionY)
      #expect(x > 0.6 && x < 0.8 && y < -0.6 && y > -0.8)
      #expect(try scene.drawing().report.classes[0].positions == ["axis": 1])
    }
    // A square has no longest axis, so its label is horizontal.
    let square = try Self.scene(["[[[-20,-20],[-20,20],[20,20],[20,-20],[-20,-20]]]"]) {
      $0.textLayout = .straight
    }
    #expect(try square.items().first?.glyphs[0].directionX == 1)
  }
}
