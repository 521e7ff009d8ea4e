import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Labels along lines, in a font whose letters are boxes half an em wide.
@Suite struct LineLabelTests {
  private typealias Vertex = (x: Double, y: Double)

  private static func scene(
    _ lines: [(text: String, vertices: [Vertex])], width: Double = 100, height: Double = 80,
    _ change: (inout LabelDefinition) -> Void = { _ in }
  ) throws -> LabelScene {
    var definition = LabelScene.definition(.lineAboveAlong)
    change(&definition)
    var scene = LabelScene()
    (scene.scene.width, scene.scene.height) = (width, height)
    scene.scene.renderer = SimpleRenderer(symbol: SimpleLineSymbol(color: .black, width: 2))
    let table = try Scene.table(
      "Polyline", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"}]",
      lines.map { line in
        let path = line.vertices.map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
        return "{\"attributes\":{\"n\":\"\(line.text)\"},\"geometry\":{\"paths\":[[\(path)]]}}"
      })
    scene.layers = [(table, [definition])]
    return scene
  }

  // Letters reach from 7 pixels above to 2 below the baseline. The line is 2 wide, at 40.
  @Test(
    "A label lies above, on or below a line, along it, at its ends or beyond them",
    arguments: [
      (.lineAboveAlong, 40, 37), (.lineCenterAlong, 40, 42.68), (.lineBelowAlong, 40, 48),
      (.lineAboveStart, 30, 37), (.lineBelowEnd, 50, 48), (.lineAboveBefore, 9, 37),
      (.lineAboveAfter, 71, 37),
    ] as [(LabelingPlacement, Double, Double)])
  func placements(_ placement: LabelingPlacement, _ x: Double, _ y: Double) throws {
    // From pixel 30 to 70; the text is 20 pixels long.
    let scene = try Self.scene([("abcd", [(-20, 0), (20, 0)])]) { $0.placement = placement }
    let item = try #require(try scene.items().first)
    #expect(item.glyphs.allSatisfy { abs($0.y - y) < 1e-6 && $0.directionX == 1 && $0.directionY == 0 })
    #expect(zip(item.glyphs, 0...).allSatisfy { abs($0.x - x - 5 * Double($1)) < 1e-6 })
    // The line drawn in the other direction has the same text; its start is at the right.
    let reversed = try Self.scene([("abcd", [(20, 0), (-20, 0)])]) { $0.placement = placement }
    let other = try #require(try reversed.items().first)
    #expect(other.glyphs.map(\.directionX) == item.glyphs.map(\.directionX))
    if placement.rawValue.hasSuffix("Along") { #expect(abs(other.glyphs[0].x - x) < 1e-6) }
  }

  // Letters reach from 7 pixels above to 2 below the baseline. The line is 2 wide, at 40.
  @Test(
    "Above is a side of the page or of the line, and letters are upright or keep the direction of the line",
    arguments: [
      (.page, .page, true, 37, 1), (.page, .page, false, 37, 1), (.direction, .page, true, 37, 1),
      (.direction, .page, false, 48, 1), (.page, .direction, true, 37, 1), (.page, .direction, false, 32, -1),
      (.direction, .direction, true, 37, 1), (.direction, .direction, false, 43, -1),
    ] as [(LabelDefinition.LineOrientation, LabelDefinition.TextOrientation, Bool, Double, Double)])
  func orientations(
    _ line: LabelDefinition.LineOrientation, _ text: LabelDefinition.TextOrientation, _ runsRight: Bool,
    _ y: Double, _ direction: Double
  ) throws {
    let vertices = runsRight ? [(-20.0, 0.0), (20.0, 0.0)] : [(20.0, 0.0), (-20.0, 0.0)]
    let scene = try Self.scene([("abcd", vertices)]) {
      ($0.lineOrientation, $0.textOrientation) = (line, text)
    }
    let item = try #require(try scene.items().first)
    #expect(item.glyphs.count == 4)
    for glyph in item.glyphs {
      #expect(abs(glyph.y - y) < 1e-6 && glyph.directionX == direction, "\(glyph)")
    }
    // The letters follow each other in their direction.
    #expect(abs(item.glyphs[3].x - item.glyphs[0].x - 15 * direction) < 1e-6)
  }

  @Test("A label is where its own line does not run through its letters")
  func ownLine() throws {
    // Narrow tips on the left half of the line, which smoothing removes; the middle of the line is among them.
    var vertices: [Vertex] = [(-90, 0)]
    for tip in 0..<11 {
      let x = -85 + 10 * Double(tip)
      vertices += [(x, 0), (x + 1, 12), (x + 2, 0)]
    }
    vertices.append((90, 0))
    let items = try Self.scene([("abcdefgh", vertices)], width: 200) { _ in }.items()
    let box = try #require(items.first).box
    #expect(box.xMin > 116, "\(box)")
  }

  @Test(
    "Of 700 lines each has its name, but for one beside another of the same name", arguments: [false, true])
  func manyLines(isDynamic: Bool) throws {
    // The positions of 256 labels are found at once.
    let lines = (0..<700).map { index in
      let y = 14 * Double(index) - 4893
      let vertices: [Vertex] = [(-40, y), (40, y)]
      return (text: "m\(index == 256 ? 255 : index)", vertices: vertices)
    }
    for removes in [false, true] {
      let drawing = try Self.scene(lines, height: 9900) {
        if isDynamic { $0.deconflictionStrategy = .dynamic }
        if removes { ($0.duplicateRemoval, $0.duplicateRemovalDistance) = (.labelClass, 50) }
      }.drawing()
      let counts = drawing.report.classes[0].counts.filter { $0.count > 0 }
      #expect(
        counts.map { "\($0.name) \($0.count)" } == (removes ? ["placed 699", "duplicate 1"] : ["placed 700"]))
    }
  }

  @Test("A label without a side takes the free one")
  func unconstrained() throws {
    let twice = [("abcdef", [(-20.0, 0.0), (20.0, 0.0)]), ("ghijkl", [(-20.0, 0.0), (20.0, 0.0)])]
    let drawing = try Self.scene(twice) { $0.lineOrientation = .unconstrained }.drawing()
    #expect(drawing.report.classes[0].positions == ["aboveAlong": 1, "belowAlong": 1])
  }

  @Test(
    "Lines that branch are joined beyond the junction only where that is allowed, and keep their direction")
  func junctions() throws {
    /// The labels of a line with a branch at its middle; each half is shorter than the text.
    func count(
      branch: [Vertex], isReversed: Bool = false, _ change: @escaping (inout LabelDefinition) -> Void
    ) throws -> Int {
      let left: [Vertex] = isReversed ? [(0, 0), (-30, 0)] : [(-30, 0), (0, 0)]
      let parts = [("abcdefgh", left), ("abcdefgh", [(0, 0), (30, 0)]), ("abcdefgh", branch)]
      return try Self.scene(parts.filter { $0.1.count > 1 }) {
        $0.repeatsAlongLines = false
        change(&$0)
      }.items().count
    }
    let branch: [Vertex] = [(0, 0), (0, 10)]
    #expect(try count(branch: branch) { _ in } == 1)
    #expect(try count(branch: branch) { $0.joinsLinesAtJunctions = false } == 0)
    #expect(try count(branch: []) { $0.joinsLinesAtJunctions = false } == 1)
    for isReversed in [false, true] {
      #expect(try count(branch: [], isReversed: isReversed) { _ in } == 1)
      let kept = try count(branch: [], isReversed: isReversed) { $0.textOrientation = .direction }
      #expect(kept == (isReversed ? 0 : 1))
    }
  }

  @Test("A tiny distance between labels makes at most a thousand of them, also on an endless line")
  func boundedRepeats() throws {
    // A line of 40,000 pixels, up and down in the view.
    let vertices = (0..<1000).map { (x: Double($0 % 40) - 20, y: $0 % 2 == 0 ? -20.0 : 20.0) }
    for distance in [1e-300, 1e-9, 1] {
      let scene = try Self.scene([("ab", vertices)]) {
        ($0.repeatsAlongLines, $0.repeatDistance, $0.deconflictionStrategy) = (true, distance, .none)
      }
      let report = try scene.drawing().report.classes[0]
      let tried = report.counts.reduce(0) { $0 + $1.count }
      #expect(tried <= 1000, "\(distance)")
      #expect(tried > 100, "\(distance)")
    }
  }

  @Test("A label longer than its line is omitted unless it may overrun")
  func overrun() throws {
    let short = [("abcdefgh", [(-10.0, 0.0), (10.0, 0.0)])]
    #expect(try Self.scene(short).items().isEmpty)
    #expect(try Self.scene(short).drawing().report.classes[0].overrun == 1)
    #expect(try Self.scene(short) { $0.allowsOverrun = true }.items().count == 1)
  }

  @Test("Lines of equal text are joined at shared ends, and a long line is labelled by distance")
  func joining() throws {
    let pieces: [(text: String, vertices: [Vertex])] = [
      ("ab", [(-450, 0), (-150, 10)]), ("ab", [(150, 10), (-150, 10)]), ("ab", [(150, 10), (450, 0)]),
    ]
    func count(_ change: (inout LabelDefinition) -> Void) throws -> Int {
      try Self.scene(pieces, width: 1000, change).items().count
    }
    #expect(try count { $0.repeatsAlongLines = false } == 1)
    #expect(try count { ($0.repeatsAlongLines, $0.joinsLines) = (false, false) } == 3)
    #expect(try count { $0.repeatDistance = 300 } == 3)
    #expect(try count { $0.repeatDistance = 100 } == 9)
    // Lines of other texts and those that turn back are not joined.
    let others: [(text: String, vertices: [Vertex])] = [
      ("ab", [(-450, 0), (0, 0)]), ("cd", [(0, 0), (450, 0)]), ("ab", [(0, 0), (-450, 30)]),
    ]
    #expect(try Self.scene(others, width: 1000) { $0.repeatsAlongLines = false }.items().count == 3)
  }

  @Test("A dynamic label uses the other side of a line when a label is on its side")
  func sides() throws {
    let twice = [("abcdef", [(-20.0, 0.0), (20.0, 0.0)]), ("ghijkl", [(-20.0, 0.0), (20.0, 0.0)])]
    #expect(try Self.scene(twice).items().count == 1)
    let drawing = try Self.scene(twice) { $0.deconflictionStrategy = .dynamic }.drawing()
    #expect(drawing.items.count == 2)
    #expect(drawing.report.classes[0].positions == ["aboveAlong": 1, "belowAlong": 1])
  }

  @Test(
    "Along 1,000 random lines no glyphs overlap, none turns upside down or leaves its line, and bends are small",
    arguments: [0.0, 90, 180])
  func random(_ rotation: Double) throws {
    var (count, bent) = (0, 0)
    for seed in 0..<14 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let lines = (0..<24).map { index in
        (
          text: String(repeating: "m", count: Int.random(in: 3...14, using: &random)) + "\(index)",
          vertices: Self.walk(&random)
        )
      }
      var scene = try Self.scene(lines, width: 600, height: 600) { $0.deconflictionStrategy = .dynamic }
      scene.scene.rotation = rotation
      let items = try scene.items()
      #expect(try scene.items() == items)
      count += items.count
      let glyphs = items.flatMap { item in item.glyphs.map { (item: item, glyph: $0) } }
      for item in items {
        let line = lines[Int(item.row)].vertices
        for glyph in item.glyphs {
          #expect(glyph.directionX >= -1e-5)
          #expect(abs(glyph.directionX * glyph.directionX + glyph.directionY * glyph.directionY - 1) < 1e-9)
          // The middle of the letter on the baseline, in the map.
          let (x, y) = (glyph.x + 2.5 * glyph.directionX - 300, 300 - glyph.y - 2.5 * glyph.directionY)
          let turn = -rotation * Double.pi / 180
          let place = (x: x * cos(turn) - y * sin(turn), y: x * sin(turn) + y * cos(turn))
          #expect(Self.distance(place, line) < 14, "seed \(seed), row \(item.row)")
        }
        for (a, b) in zip(item.glyphs, item.glyphs.dropFirst()) {
          let cosine = a.directionX * b.directionX + a.directionY * b.directionY
          #expect(cosine >= 0.9063)
          if cosine < 0.9999 { bent += 1 }
        }
      }
      for index in glyphs.indices {
        for other in glyphs.indices[..<index] {
          #expect(!Self.overlap(glyphs[index].glyph, glyphs[other].glyph), "seed \(seed)")
        }
      }
    }
    #expect(count > 100)
    #expect(bent > 50)
  }

  @Test(
    "Labels at the ends of 500 random lines and on them keep their letters apart, upright and with small bends"
  )
  func randomPlacements() throws {
    let placements = LabelingPlacement.allCases.filter { $0.rawValue.hasPrefix("line") }
    #expect(placements.count == 15)
    for (seed, placement) in placements.enumerated() {
      var random = SeededGenerator(seed: UInt64(seed))
      let lines = (0..<34).map { index in
        (text: String(repeating: "m", count: index % 9 + 2), vertices: Self.walk(&random))
      }
      var scene = try Self.scene(lines, width: 600, height: 600) {
        ($0.deconflictionStrategy, $0.placement) = (.dynamic, placement)
      }
      scene.scene.rotation = Double(seed % 4) * 90
      let items = try scene.items()
      #expect(items.count > 5, "\(placement)")
      let glyphs = items.flatMap(\.glyphs)
      #expect(glyphs.allSatisfy { $0.directionX >= -1e-5 })
      for item in items {
        for (a, b) in zip(item.glyphs, item.glyphs.dropFirst()) {
          #expect(a.directionX * b.directionX + a.directionY * b.directionY >= 0.9063)
        }
      }
      for index in glyphs.indices {
        for other in glyphs.indices[..<index] {
          #expect(!Self.overlap(glyphs[index], glyphs[other]), "\(placement)")
        }
      }
    }
  }

  @Test("A horizontal or straight label does not follow the bends of its line")
  func layouts() throws {
    let bent: [(text: String, vertices: [Vertex])] = [("abcdef", [(-40, -20), (-10, -5), (10, 5), (20, 30)])]
    func directions(_ layout: LabelDefinition.TextLayout) throws -> Set<[Double]> {
      let scene = try Self.scene(bent) { ($0.textLayout, $0.deconflictionStrategy) = (layout, .dynamic) }
      let item = try #require(try scene.items().first)
      return Set(item.glyphs.map { [($0.directionX * 1e6).rounded(), ($0.directionY * 1e6).rounded()] })
    }
    #expect(try directions(.horizontal) == [[1e6, 0]])
    let straight = try directions(.straight)
    #expect(straight.count == 1)
    #expect(straight.first?[0] ?? 1e6 < 9.9e5)
    #expect(try directions(.standard).count > 1)
  }

  @Test("A perpendicular label crosses its line at a right angle, and reads to the right or upwards")
  func perpendicular() throws {
    func glyphs(_ vertices: [Vertex], _ placement: LabelingPlacement) throws -> [LabelItem.Glyph] {
      let scene = try Self.scene([("abcd", vertices)]) {
        ($0.textLayout, $0.placement) = (.perpendicular, placement)
      }
      return try #require(try scene.items().first).glyphs
    }
    // The line is at pixel 40, and the text is 20 long; its small letters are centred on pixel 50.
    for vertices in [[(-20, 0), (20, 0)], [(20, 0), (-20, 0)]] as [[Vertex]] {
      let center = try glyphs(vertices, .lineCenterAlong)
      #expect(center.allSatisfy { abs($0.directionX) < 1e-9 && abs($0.directionY + 1) < 1e-9 })
      #expect(abs(center[0].y - 50) < 1e-6)
      #expect(abs(center[0].x - 52.68) < 1e-6)
      // Above ends a pixel above the middle of the line, which is 2 wide.
      #expect(abs(try glyphs(vertices, .lineAboveAlong)[0].y - 39) < 1e-6)
      #expect(abs(try glyphs(vertices, .lineBelowAlong)[0].y - 61) < 1e-6)
    }
    // A line shorter than the text has room across it.
    #expect(try glyphs([(0, -4), (0, 4)], .lineCenterAlong).allSatisfy { abs($0.directionX - 1) < 1e-9 })
  }

  @Test("A label per segment is on each straight piece with room, and one per feature on the longest part")
  func segments() throws {
    let bent: [(text: String, vertices: [Vertex])] = [
      ("abc", [(-45, -30), (-5, -30), (0, -28), (0, 20), (40, 20)])
    ]
    func drawing(_ multipart: LabelDefinition.MultipartLabeling) throws -> LabelDrawing {
      try Self.scene(bent) { ($0.multipartLabeling, $0.placement) = (multipart, .lineCenterAlong) }.drawing()
    }
    let segments = try drawing(.labelPerSegment)
    #expect(segments.items.count == 3)
    // The short piece is no label that is left out.
    #expect(segments.report.classes[0].dropped.allSatisfy { $0.count == 0 })
    #expect(try drawing(.labelPerPart).items.count == 1)
    // Two pieces of one name that do not meet are one feature in the table below.
    var scene = try Self.scene([])
    let table = try Scene.table(
      "Polyline", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeString\"}]",
      ["{\"attributes\":{\"n\":\"ab\"},\"geometry\":{\"paths\":[[[-40,20],[-10,20]],[[-40,-20],[40,-20]]]}}"])
    for (multipart, count) in [(.labelPerPart, 2), (.labelLargest, 1), (.labelPerFeature, 1)]
      as [(LabelDefinition.MultipartLabeling, Int)]
    {
      var definition = LabelScene.definition(.lineCenterAlong)
      definition.multipartLabeling = multipart
      scene.layers = [(table, [definition])]
      let items = try scene.items()
      #expect(items.count == count, "\(multipart)")
      #expect(items.contains { $0.glyphs.allSatisfy { $0.y > 40 } })
    }
  }

  /// A line with random bends.
  private static func walk(_ random: inout SeededGenerator) -> [Vertex] {
    var (x, y) = (
      Double.random(in: -280...280, using: &random), Double.random(in: -280...280, using: &random)
    )
    var angle = Double.random(in: 0...(2 * Double.pi), using: &random)
    var vertices = [(x: x, y: y)]
    for _ in 0..<Int.random(in: 2...24, using: &random) {
      angle += Double.random(in: -0.8...0.8, using: &random)
      let step = Double.random(in: 4...36, using: &random)
      (x, y) = (x + step * cos(angle), y + step * sin(angle))
      vertices.append((x, y))
    }
    return vertices
  }

  private static func distance(_ point: Vertex, _ line: [Vertex]) -> Double {
    zip(line, line.dropFirst()).map { a, b in
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let share = min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy), 0), 1)
      return hypot(point.x - a.x - share * dx, point.y - a.y - share * dy)
    }.min() ?? .infinity
  }

  /// Returns whether two letters share more than a hundredth of an em.
  private static func overlap(_ a: LabelItem.Glyph, _ b: LabelItem.Glyph) -> Bool {
    // No two points of letters this far apart are the same.
    guard abs(a.x - b.x) < 18, abs(a.y - b.y) < 18 else { return false }
    func corners(_ glyph: LabelItem.Glyph) -> [Vertex] {
      [(0.15, 1.95), (4.85, 1.95), (4.85, -6.95), (0.15, -6.95)].map { along, down in
        (
          glyph.x + along * glyph.directionX - down * glyph.directionY,
          glyph.y + along * glyph.directionY + down * glyph.directionX
        )
      }
    }
    let (first, second) = (corners(a), corners(b))
    return [a, b].allSatisfy { axis in
      [(axis.directionX, axis.directionY), (-axis.directionY, axis.directionX)].allSatisfy { x, y in
        let (one, two) = (first.map { $0.x * x + $0.y * y }, second.map { $0.x * x + $0.y * y })
        guard let a = one.min(), let b = one.max(), let c = two.min(), let d = two.max() else { return false }
        return a < d && c < b
      }
    }
  }

  @Test("A label takes a level stretch of its line rather than a steep one")
  func level() throws {
    // Straight pieces of 60 pixels each: level, steep in the middle, level.
    let vertices: [Vertex] = [(-80, -25), (-20, -25), (20, 25), (80, 25)]
    let item = try #require(
      try Self.scene([("abcd", vertices)], width: 200) { $0.deconflictionStrategy = .dynamic }.items().first)
    #expect(item.glyphs.count == 4)
    #expect(item.glyphs.allSatisfy { abs($0.directionY) < 0.2 }, "\(item.glyphs)")
  }

  @Test("Of lines that leave room for one label, the longest has it, where a class removes duplicates")
  func longest() throws {
    // Two level lines 4 pixels apart, hardly longer than their texts; the shorter one comes first.
    let lines: [(text: String, vertices: [Vertex])] = [
      ("ab", [(-6, 2), (6, 2)]), ("cd", [(-7, -2), (7, -2)]),
    ]
    let scene = try Self.scene(lines) {
      ($0.placement, $0.duplicateRemoval) = (.lineCenterAlong, .labelClass)
      $0.repeatsAlongLines = false
    }
    #expect(try scene.texts() == ["cd"])
  }

  @Test("Labels with one text keep their distance, wherever they lie on their lines")
  func distance() throws {
    // Three pieces of one river that do not meet.
    let lines: [(text: String, vertices: [Vertex])] = [
      ("ab", [(-240, 0), (-90, 0)]), ("ab", [(-80, 0), (60, 0)]), ("ab", [(70, 0), (240, 0)]),
    ]
    for distance in [60.0, 120, 200, 300] {
      let scene = try Self.scene(lines, width: 500) {
        ($0.duplicateRemoval, $0.duplicateRemovalDistance) = (.labelClass, distance)
        $0.repeatDistance = distance
      }
      let centers = try scene.items().map { ($0.box.xMin + $0.box.xMax) / 2 }.sorted()
      #expect(centers.count > (distance < 200 ? 2 : 0))
      for (a, b) in zip(centers, centers.dropFirst()) { #expect(b - a > distance) }
    }
  }
}
