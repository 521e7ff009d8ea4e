import MapDrawing
import MapTestSupport
import Testing

/// The choice of positions, compared with the best possible one.
@Suite struct LabelArrangementTests {
  /// Labels in order of their levels, without positions that cover a point.
  private struct Instance {
    let levels: [Int]
    let positions: [[LabelBox]]

    /// Random points with four positions each, at their corners.
    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 8...10, using: &random)
      let (width, height) = (
        Double.random(in: 60...160, using: &random), Double.random(in: 20...70, using: &random)
      )
      let points = (0..<count).map { _ in
        (x: Double.random(in: 0...width, using: &random), y: Double.random(in: 0...height, using: &random))
      }
      levels = points.map { _ in Int.random(in: 0...2, using: &random) }.sorted()
      positions = points.map { point in
        let length = Double.random(in: 30...60, using: &random)
        return [(1.0, -1.0), (1, 1), (-1, -1), (-1, 1)].map { side in
          let (x, y) = (point.x + (side.0 > 0 ? 1 : -1 - length), point.y + (side.1 > 0 ? 1 : -13))
          return LabelBox(xMin: x, yMin: y, xMax: x + length, yMax: y + 12)
        }.filter { box in
          !points.contains { $0.x > box.xMin && $0.x < box.xMax && $0.y > box.yMin && $0.y < box.yMax }
        }
      }
    }

    static func overlap(_ a: LabelBox, _ b: LabelBox) -> Bool {
      a.xMin < b.xMax && a.xMax > b.xMin && a.yMin < b.yMax && a.yMax > b.yMin
    }

    /// The numbers of labels that the arrangement places, by level.
    func arranged() -> [Int] {
      var arrangement = LabelArrangement(width: 400, height: 300)
      for level in 0...2 {
        var waiting: [Int] = []
        for index in levels.indices where levels[index] == level {
          let boxes = positions[index].map { [$0] }
          let number = arrangement.add(LabelArrangement.Label(positions: boxes, level: level))
          if arrangement.chosen[number] == nil { waiting.append(number) }
        }
        arrangement.improve(waiting)
      }
      // No two placed labels overlap.
      let boxes = levels.indices.compactMap { index in arrangement.chosen[index].map { positions[index][$0] }
      }
      for (index, box) in boxes.enumerated() {
        #expect(!boxes[..<index].contains { Self.overlap($0, box) })
      }
      return (0...2).map { level in
        levels.indices.count { levels[$0] == level && arrangement.chosen[$0] != nil }
      }
    }

    /// The best numbers: as many as possible of the first level, then of the next.
    func optimum() -> [Int] {
      let weights = levels.map { [10_000, 100, 1][$0] }
      var best = -1
      func search(_ index: Int, _ placed: [LabelBox], _ sum: Int, _ rest: Int) {
        guard sum + rest > best else { return }
        guard index < levels.count else {
          best = sum
          return
        }
        for box in positions[index] where !placed.contains(where: { Self.overlap($0, box) }) {
          search(index + 1, placed + [box], sum + weights[index], rest - weights[index])
        }
        search(index + 1, placed, sum, rest - weights[index])
      }
      search(0, [], 0, weights.reduce(0, +))
      return [best / 10_000, best / 100 % 100, best % 100]
    }
  }

  @Test("Of 300 random clusters at least 97 % of the best possible number of labels are placed, by priority")
  func optimum() {
    var (instances, placed, best, firstPlaced, firstBest) = (0, 0, 0, 0, 0)
    for seed in 0..<3000 as Range<UInt64> where instances < 300 {
      let instance = Instance(seed: seed)
      let optimum = instance.optimum()
      let share = Double(optimum.reduce(0, +)) / Double(instance.levels.count)
      guard (0.5...0.8).contains(share) else { continue }
      let arranged = instance.arranged()
      instances += 1
      placed += arranged.reduce(0, +)
      best += optimum.reduce(0, +)
      firstPlaced += arranged[0]
      firstBest += optimum[0]
    }
    #expect(instances == 300)
    #expect(Double(placed) >= 0.97 * Double(best), "\(placed) of \(best)")
    #expect(Double(firstPlaced) >= 0.97 * Double(firstBest), "\(firstPlaced) of \(firstBest)")
  }

  @Test("A placed label moves to its other position when another label has no other room")
  func move() {
    func box(_ x: Double) -> LabelBox { LabelBox(xMin: x, yMin: 0, xMax: x + 10, yMax: 10) }
    var arrangement = LabelArrangement(width: 100, height: 100)
    arrangement.add(.init(positions: [[box(0)], [box(50)]]))
    let second = arrangement.add(.init(positions: [[box(5)]]))
    #expect(arrangement.chosen == [0, nil])
    arrangement.improve([second])
    #expect(arrangement.chosen == [1, 0])
    // A label that must keep its position does not move.
    arrangement = LabelArrangement(width: 100, height: 100)
    arrangement.add(.init(positions: [[box(0)], [box(50)]], isMovable: false))
    arrangement.add(.init(positions: [[box(5)]]))
    arrangement.improve([1])
    #expect(arrangement.chosen == [0, nil])
  }

  @Test("Two labels replace one of their level, and none of a more important one")
  func exchange() {
    func box(_ x: Double, _ width: Double = 10) -> LabelBox {
      LabelBox(xMin: x, yMin: 0, xMax: x + width, yMax: 10)
    }
    func chosen(_ level: Int) -> [Int?] {
      var arrangement = LabelArrangement(width: 100, height: 100)
      arrangement.add(.init(positions: [[box(0, 40)]], level: 0))
      arrangement.add(.init(positions: [[box(5)]], level: level))
      arrangement.add(.init(positions: [[box(25)]], level: level))
      arrangement.improve([1, 2])
      return arrangement.chosen
    }
    #expect(chosen(0) == [nil, 0, 0])
    #expect(chosen(1) == [0, nil, nil])
  }
}
