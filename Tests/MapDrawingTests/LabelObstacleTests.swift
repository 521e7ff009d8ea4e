import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Labels beside the markers of their own and other features.
@Suite struct LabelObstacleTests {
  private static func scene(
    _ layers: [([(x: Double, y: Double, text: String)], [LabelDefinition])], size: Double = 6
  ) throws -> LabelScene {
    var scene = LabelScene()
    scene.hasObstacles = true
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: size))
    scene.layers = try layers.map { (try LabelScene.points($0.0), $0.1) }
    return scene
  }

  private static func definition(_ strategy: LabelDefinition.DeconflictionStrategy) -> LabelDefinition {
    var definition = LabelScene.definition(nil)
    definition.deconflictionStrategy = strategy
    definition.offsetDistance = 1
    return definition
  }

  @Test("A static label is omitted where its preferred position covers a marker, and a dynamic one moves")
  func strategies() throws {
    let places = [(x: 0.0, y: 0.0, text: "abcd"), (10, 8, "e")]
    func drawing(_ strategy: LabelDefinition.DeconflictionStrategy) throws -> LabelDrawing {
      try Self.scene([(places, [Self.definition(strategy)])]).drawing()
    }
    #expect(try drawing(.static).items.map(\.text) == ["e"])
    #expect(try drawing(.static).report.classes[0].atMarker == 1)
    #expect(try drawing(.none).items.count == 2)
    let moved = try drawing(.dynamic)
    #expect(moved.items.map(\.text).sorted() == ["abcd", "e"])
    #expect(moved.report.classes[0].positions == ["aboveRight": 1, "belowRight": 1])
    #expect(try drawing(.dynamicNeverRemove).items.count == 2)
  }

  @Test("A label that must be drawn covers a marker only when it has no free position")
  func neverRemoved() throws {
    var places = [(x: 0.0, y: 0.0, text: "ab")]
    for x in stride(from: -40.0, through: 40, by: 8) {
      for y in stride(from: -32.0, through: 32, by: 8) where x != 0 || y != 0 { places.append((x, y, "")) }
    }
    #expect(try Self.scene([(places, [Self.definition(.dynamic)])]).items().isEmpty)
    let drawing = try Self.scene([(places, [Self.definition(.dynamicNeverRemove)])]).drawing()
    #expect(drawing.items.map(\.text) == ["ab"])
    #expect(drawing.report.classes[0].placed == 1)
  }

  @Test("A label without another position covers some markers of lower priority")
  func lowerPriority() throws {
    /// A point among others on a grid, so that every position of its label covers some.
    func drawing(_ spacing: Double, _ priority: Int, text: String = "a") throws -> LabelDrawing {
      var others: [(x: Double, y: Double, text: String)] = []
      for x in stride(from: -48.0, through: 48, by: spacing) {
        for y in stride(from: -36.0, through: 36, by: spacing) where abs(x) > 1 || abs(y) > 1 {
          others.append((x, y, ""))
        }
      }
      var (low, high) = (Self.definition(.dynamic), Self.definition(.dynamic))
      (low.priority, high.priority) = (5, priority)
      return try Self.scene([(others, [low]), ([(x: 0, y: 0, text: text)], [high])], size: 3).drawing()
    }
    #expect(try drawing(6, 1).items.map(\.text) == ["a"])
    // Not over markers of the same or a higher priority, and not over many.
    for priority in [5, 6] { #expect(try drawing(6, priority).report.classes[1].atMarker == 1) }
    #expect(try drawing(4, 1, text: "abcdefgh").report.classes[1].atMarker == 1)
  }

  @Test("Labels avoid markers of layers without labels when they can")
  func unlabelled() throws {
    let place = [(x: 0.0, y: 0.0, text: "abcd")]
    let free = try #require(try Self.scene([(place, [Self.definition(.dynamic)]), ([], [])]).items().first)
    let scene = try Self.scene([([(x: 12, y: 8, text: "")], []), (place, [Self.definition(.dynamic)])])
    let moved = try #require(try scene.items().first)
    #expect(moved.box != free.box)
    // A preferred position is kept when it is the only one.
    let fixed = try Self.scene([([(x: 12, y: 8, text: "")], []), (place, [Self.definition(.static)])])
    #expect(try fixed.items().first?.box == free.box)
  }

  @Test("Of several free positions, a label takes one that is clearly nearer to its own marker")
  func clearlyNearer() throws {
    // A label above its marker on the right ends 2 pixels from another one, or far from it.
    func top(_ x: Double) throws -> Double {
      let places = [(x: 0.0, y: 0.0, text: "abcd"), (x: x, y: 9, text: "")]
      return try #require(try Self.scene([(places, [Self.definition(.dynamic)])]).items().first).box.yMin
    }
    #expect(try top(29) > 40)
    #expect(try top(40) < 30)
  }

  @Test("Random labels cover no marker and are nearer to their own than to any other")
  func invariants() throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let places = (0..<60).map { index in
        (
          x: Double.random(in: -190...190, using: &random), y: Double.random(in: -140...140, using: &random),
          text: String(repeating: "m", count: index % 9 + 1)
        )
      }
      var definition = Self.definition(seed % 2 == 0 ? .dynamic : .static)
      definition.placement = LabelingPlacement.allCases.prefix(9).filter { $0 != .pointCenterCenter }
        .randomElement(using: &random)
      definition.offsetDistance = Double.random(in: 0...6, using: &random)
      var scene = try Self.scene([(places, [definition])])
      (scene.scene.width, scene.scene.height) = (400, 300)
      let items = try scene.items()
      #expect(items.count > 15)
      for item in items {
        let box = item.box
        let distances = places.map { place in
          let (x, y) = (200 + place.x, 150 - place.y)
          let (dx, dy) = (
            max(x - 3 - box.xMax, box.xMin - x - 3, 0), max(y - 3 - box.yMax, box.yMin - y - 3, 0)
          )
          return (dx * dx + dy * dy).squareRoot()
        }
        let own = distances[Int(item.row)]
        if definition.deconflictionStrategy == .dynamic {
          #expect(own <= definition.offsetDistance * 1.5 + 4)
        }
        for (row, distance) in distances.enumerated() where row != Int(item.row) {
          #expect(distance > own, "seed \(seed): \(row) beside \(item.row)")
        }
      }
    }
  }

  @Test(
    "Of a class that ranks its features, the most important ones have labels, and no visible marker is nearer"
  )
  func ranks() throws {
    var (placed, hidden) = (0, 0)
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let places = (0..<220).map { index in
        (
          x: Double.random(in: -170...170, using: &random), y: Double.random(in: -130...130, using: &random),
          text: "\(100 + index)"
        )
      }
      var definition = Self.definition(.dynamic)
      definition.featurePriority = FeaturePriority(fieldName: "n", largestFirst: seed % 2 == 0)
      var scene = try Self.scene([(places, [definition])])
      scene.layers[0].table = try Scene.table(
        "Point", fields: "[{\"name\":\"n\",\"type\":\"esriFieldTypeInteger\"}]",
        places.map { "{\"attributes\":{\"n\":\($0.text)},\"geometry\":{\"x\":\($0.x),\"y\":\($0.y)}}" })
      (scene.scene.width, scene.scene.height) = (400, 300)
      let items = try scene.items()
      let rows = Set(items.map { Int($0.row) })
      let first = seed % 2 == 0 ? Array((200..<220).reversed()) : Array(0..<20)
      #expect(first.count { rows.contains($0) } >= 18, "seed \(seed): \(first.filter { !rows.contains($0) })")
      placed += items.count
      for item in items {
        let box = item.box
        func distance(_ row: Int) -> Double {
          let (x, y) = (200 + places[row].x, 150 - places[row].y)
          let (dx, dy) = (
            max(x - 3 - box.xMax, box.xMin - x - 3, 0), max(y - 3 - box.yMax, box.yMin - y - 3, 0)
          )
          return (dx * dx + dy * dy).squareRoot()
        }
        // A line joins a name that is farther away to its marker.
        if item.leader != nil { continue }
        let own = distance(Int(item.row))
        let center = places[Int(item.row)]
        for row in places.indices where row != Int(item.row) {
          // Markers that overlap look like one.
          if abs(places[row].x - center.x) < 6, abs(places[row].y - center.y) < 6 { continue }
          // Markers under a label are less important.
          if distance(row) == 0 {
            hidden += 1
            #expect(seed % 2 == 0 ? row < Int(item.row) : row > Int(item.row))
          } else {
            #expect(distance(row) > own, "seed \(seed): \(row) beside \(item.row)")
          }
        }
      }
    }
    #expect(placed > 500 && hidden > 0 && hidden < 300, "\(placed) \(hidden)")
  }

  @Test("Of two markers that lie nearly on each other, a label names each, nearer to its own")
  func nearlyTogether() throws {
    for distance in [0.5, 0.8, 1.2, 1.9, 3] {
      for step in 0..<12 {
        let angle = Double(step) * .pi / 6
        let (x, y) = (distance * cos(angle), distance * sin(angle))
        let places = [(x: 0.0, y: 0.0, text: "abc"), (x: x, y: y, text: "def")]
        let drawing = try Self.scene([(places, [Self.definition(.dynamic)])], size: 4).drawing()
        #expect(drawing.items.count == 2, "\(distance) \(step)")
        for item in drawing.items {
          let distances = places.map { place in
            let (x, y) = (50 + place.x, 40 - place.y)
            let (dx, dy) = (
              max(x - 2 - item.box.xMax, item.box.xMin - x - 2, 0),
              max(y - 2 - item.box.yMax, item.box.yMin - y - 2, 0)
            )
            return (dx * dx + dy * dy).squareRoot()
          }
          #expect(distances[Int(item.row)] < distances[1 - Int(item.row)], "\(distance) \(step)")
        }
      }
    }
  }

  @Test("Among thousands of markers, exactly the labels with a marker too close are left out")
  func crowd() throws {
    for seed in [5, 6] as [UInt64] {
      var random = SeededGenerator(seed: seed)
      let places = (0..<1500).map { _ in
        (
          x: Double.random(in: -150...150, using: &random), y: Double.random(in: -100...100, using: &random),
          text: "m"
        )
      }
      func drawing(_ strategy: LabelDefinition.DeconflictionStrategy) throws -> LabelDrawing {
        var definition = Self.definition(strategy)
        // Otherwise some are left out because of other labels.
        definition.labelOverlapStrategy = .allow
        var scene = try Self.scene([(places, [definition])], size: 3)
        (scene.scene.width, scene.scene.height) = (400, 300)
        return try scene.drawing()
      }
      func gap(_ a: Envelope, _ x: Double, _ y: Double) -> Double {
        let dx = max(x - 1.5 - a.xMax, a.xMin - x - 1.5, 0)
        let dy = max(y - 1.5 - a.yMax, a.yMin - y - 1.5, 0)
        return (dx * dx + dy * dy).squareRoot()
      }
      let all = try drawing(.none).items
      #expect(all.count == 1500)
      let blocked = all.count { item in
        let (x, y) = (200 + places[Int(item.row)].x, 150 - places[Int(item.row)].y)
        let own = gap(item.box, x, y)
        return places.contains { place in
          let (otherX, otherY) = (200 + place.x, 150 - place.y)
          guard abs(otherX - x) > 0.3 || abs(otherY - y) > 0.3 else { return false }
          let apart = ((otherX - x) * (otherX - x) + (otherY - y) * (otherY - y)).squareRoot()
          return gap(item.box, otherX, otherY) < own + min(1, apart / 2)
        }
      }
      #expect(blocked > 1000 && blocked < 1490, "\(blocked)")
      let found = try drawing(.static).report.classes[0].atMarker
      #expect(found == blocked)
    }
  }

  @Test("The work per label does not grow with the number of labels")
  func comparisons() throws {
    /// Comparisons per label in an image of some pixels each way.
    func perLabel(_ count: Int, side: Double, spread: Double = 0.5) throws -> Double {
      var random = SeededGenerator(seed: 3)
      let places = (0..<count).map { _ in
        (
          x: side * Double.random(in: -spread...spread, using: &random),
          y: side * Double.random(in: -spread...spread, using: &random), text: "mmm"
        )
      }
      var scene = try Self.scene([(places, [Self.definition(.dynamic)])], size: 4)
      (scene.scene.width, scene.scene.height) = (side, side)
      return Double(try scene.drawing().comparisons) / Double(count)
    }
    let few = try perLabel(1000, side: 500)
    #expect(try perLabel(4000, side: 1000) < 1.5 * few)
    // More labels in the same image, and all in one place.
    #expect(try perLabel(4000, side: 500) < few)
    // One answer serves the labels of a cell, except near the edge of the image.
    #expect(try perLabel(20_000, side: 300) < 8)
    let crowded = try perLabel(4000, side: 500, spread: 0.002)
    let twice = try perLabel(8000, side: 500, spread: 0.002)
    #expect(crowded < 320 && twice < 1.01 * crowded, "\(few) \(crowded) \(twice)")
  }

  @Test("Much smaller and less important markers at the edge of a symbol do not keep its label away")
  func suburbs() throws {
    var (large, small) = (Self.definition(.dynamic), Self.definition(.dynamic))
    (large.priority, small.priority) = (1, 2)
    // Markers of 4 pixels all around one of 12, each over its edge.
    let around = (0..<16).map { step in
      let angle = Double(step) * .pi / 8
      return (x: 7 * cos(angle), y: 7 * sin(angle), text: "")
    }
    var scene = try Self.scene([(around, [small]), ([(x: 0, y: 0, text: "city")], [large])], size: 12)
    scene.smallLayers = [0]
    #expect(try scene.texts() == ["city"])
    // The name keeps off those that are as important, and is not over a small one.
    scene.layers[0].labels[0].priority = 1
    #expect(try scene.texts().isEmpty)
  }

  @Test("A marker inside a larger one has no label, because it would name the larger one")
  func insideLarger() throws {
    var scene = LabelScene()
    scene.hasObstacles = true
    scene.scene.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 20))
    var definition = Self.definition(.dynamic)
    definition.priority = 1
    let large = try LabelScene.points([(x: 0, y: 0, text: "large")])
    scene.layers = [(large, [definition])]
    #expect(try scene.texts() == ["large"])
    // Both have markers of 20 pixels; then the second one has a small one beside the middle.
    scene.layers.append((try LabelScene.points([(x: 25, y: 0, text: "small")]), [definition]))
    #expect(try scene.texts() == ["large", "small"])
    scene.smallLayers = [1]
    scene.layers[1].table = try LabelScene.points([(x: 4, y: 0, text: "small")])
    let drawing = try scene.drawing()
    #expect(drawing.items.map(\.text) == ["large"])
    #expect(drawing.report.classes[1].atMarker == 1)
  }

  @Test("Only a marker under the letters may be nearer to a label than its own, also one of a lower class")
  func lowerClasses() throws {
    var count = 0
    for seed in 0..<10 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      func places(_ count: Int) -> [(x: Double, y: Double, text: String)] {
        (0..<count).map { index in
          (
            x: Double.random(in: -190...190, using: &random),
            y: Double.random(in: -140...140, using: &random),
            text: String(repeating: "m", count: index % 6 + 2)
          )
        }
      }
      let layers = [places(150), places(60)]
      var (low, high) = (Self.definition(.dynamic), Self.definition(.dynamic))
      (low.priority, high.priority) = (5, 1)
      var scene = try Self.scene([(layers[0], [low]), (layers[1], [high])])
      (scene.scene.width, scene.scene.height) = (400, 300)
      let drawing = try scene.drawing()
      for (index, layer) in drawing.layers.enumerated() {
        for case .labels(let batch) in layer.batches {
          for item in batch.items {
            func distance(_ place: (x: Double, y: Double, text: String)) -> Double {
              let (x, y) = (200 + place.x, 150 - place.y)
              let (dx, dy) = (
                max(x - 3 - item.box.xMax, item.box.xMin - x - 3, 0),
                max(y - 3 - item.box.yMax, item.box.yMin - y - 3, 0)
              )
              return (dx * dx + dy * dy).squareRoot()
            }
            let own = layers[layer.index][Int(item.row)]
            let others = layers.joined().filter { $0.x != own.x || $0.y != own.y }
            count += 1
            for other in others where distance(other) > 0 {
              #expect(distance(other) > distance(own), "seed \(seed), layer \(index), row \(item.row)")
            }
          }
        }
      }
    }
    #expect(count > 700, "\(count)")
  }
}
