import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Areas that share borders: nothing below them shows there, and all other pixels are those of areas painted alone.
@Suite struct AreaUnionTests {
  typealias Ring = [(Double, Double)]
  static let side = 96
  /// The pixels that the cells of a mesh cover wholly.
  static let inner = 12..<84
  static let red = Color(red: 220, green: 30, blue: 40)

  /// Quadrilaterals and triangles that cover the middle of the image without gaps, in random order and direction.
  ///
  /// - Parameters:
  ///   - cells: the number of cells on a side.
  ///   - isRounded: whether vertices are rounded to 1/16 pixel, as those of maps are.
  static func mesh(_ random: inout SeededGenerator, cells: Int, isRounded: Bool) -> [Ring] {
    let step = 80 / Double(cells)
    func moved(_ place: Int, _ random: inout SeededGenerator) -> Double {
      // Less than a quarter, so that each cell stays convex.
      let shift = Double.random(in: -0.15...0.15, using: &random) * step
      // The outer vertices stay outside the inner pixels.
      let value = 8 + Double(place) * step + (place == 0 ? -abs(shift) : place == cells ? abs(shift) : shift)
      return isRounded ? (value * 16).rounded() / 16 : value
    }
    let places = (0...cells).map { row in
      (0...cells).map { column in (moved(column, &random), moved(row, &random)) }
    }
    var rings: [Ring] = []
    for row in 0..<cells {
      for column in 0..<cells {
        let corners = [
          places[row][column], places[row][column + 1], places[row + 1][column + 1], places[row + 1][column],
        ]
        if Bool.random(using: &random) {
          rings.append(corners)
        } else {
          rings += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
        }
      }
    }
    return rings.map { Bool.random(using: &random) ? $0 : $0.reversed() }.shuffled(using: &random)
  }

  static func batch(_ rings: [Ring], _ styles: [PathStyle]) -> PathBatch {
    var batch = PathBatch(styles: styles, kind: .polygon)
    for (row, ring) in rings.enumerated() {
      for (x, y) in ring + ring.prefix(1) { batch.geometry.appendVertex(x: x, y: y) }
      batch.geometry.endPart()
      batch.geometry.endRow()
      batch.style.append(UInt32(row % styles.count))
      batch.row.append(Int32(row))
    }
    return batch
  }

  static func style(_ color: Color, _ stroke: Stroke? = nil) -> PathStyle {
    PathStyle(fill: color, stroke: stroke, classIndex: 0)
  }

  static func image(_ batches: [PathBatch], _ background: Color?, bandRows: Int = 192) throws -> Bitmap {
    var painter = try CairoPainter(
      width: side, height: side, background: background, threads: 2, bandRows: bandRows)
    for batch in batches {
      try painter.paint(DisplayLayer(index: 0, name: "areas", opacity: 1, batches: [.paths(batch)]))
    }
    return try painter.finish()
  }

  /// The largest difference of a channel at each inner pixel.
  static func differences(_ a: Bitmap, _ b: Bitmap) -> [Int] {
    inner.flatMap { y in
      inner.map { x in
        let (p, q) = (a[x, y], b[x, y])
        let channels = [(p.red, q.red), (p.green, q.green), (p.blue, q.blue), (p.alpha, q.alpha)]
        return channels.map { abs(Int($0) - Int($1)) }.max() ?? 0
      }
    }
  }

  static func difference(_ a: Bitmap, _ b: Bitmap) -> Int { differences(a, b).max() ?? 0 }

  @Test(
    "Areas of one colour that cover the plane give that colour at every inner pixel",
    arguments: [3, 8, 20, 60, 160], [255, 120] as [UInt8])
  func oneColor(cells: Int, alpha: UInt8) throws {
    let color = Color(red: 220, green: 30, blue: 40, alpha: alpha)
    let whole: Ring = [(0, 0), (96, 0), (96, 96), (0, 96)]
    var (off, pixels) = (0, 0)
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let rings = Self.mesh(&random, cells: cells, isRounded: seed.isMultiple(of: 2))
      for background in [Color(red: 0, green: 255, blue: 200), .white, nil] {
        let own = try Self.image([Self.batch(rings, [Self.style(color)])], background)
        let expected = try Self.image([Self.batch([whole], [Self.style(color)])], background)
        let differences = Self.differences(own, expected)
        // The first area of a pixel is rounded as if it were alone, in alpha and in colour. Without a background one
        // stored step of alpha is two steps of colour.
        let limit = alpha == 255 ? 1 : background == nil ? 6 : 4
        off += differences.count { $0 > limit }
        pixels += differences.count
        // The tip of an area that covers less than 1/32 of each pixel in its first row may be lost to sample lines.
        #expect(differences.allSatisfy { $0 <= 8 }, "\(cells) cells, seed \(seed)")
      }
    }
    #expect(pixels == 62_208)
    #expect(off * 1000 <= pixels, "\(off) of \(pixels)")
  }

  @Test("Nothing below shows along borders, with several colours and with outlines", arguments: 0..<4)
  func colors(sort: Int) throws {
    let pen = Stroke(color: Color(red: 90, green: 90, blue: 90), width: 0.5)
    let clearPen = Stroke(color: Color(red: 0, green: 0, blue: 0, alpha: 100), width: 1)
    let styles = [Self.red, Color(red: 20, green: 200, blue: 90), Color(red: 240, green: 240, blue: 10)].map {
      Self.style($0, [nil, pen, clearPen, pen][sort])
    }
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let batch = Self.batch(Self.mesh(&random, cells: sort == 3 ? 60 : 9, isRounded: true), styles)
      let (white, black) = try (Self.image([batch], .white), Self.image([batch], .black))
      #expect(Self.difference(white, black) <= 3, "seed \(seed)")
    }
  }

  /// Pairs of areas, one with rounded vertices on the border that the other lacks.
  @Test("Nothing below shows where only one of two neighbours has a vertex")
  func additionalVertices() throws {
    var random = SeededGenerator(seed: 5)
    var largest = 0
    for _ in 0..<40 {
      func rounded(_ value: Double) -> Double { (value * 16).rounded() / 16 }
      let (from, to) = (
        rounded(.random(in: 20...70, using: &random)), rounded(.random(in: 20...70, using: &random))
      )
      let shares = (0..<4).map { _ in Double.random(in: 0...1, using: &random) }.sorted()
      let border = shares.map { (rounded(from + (to - from) * $0), rounded(96 * $0)) }
      let left: Ring = [(0, 0), (from, 0), (to, 96), (0, 96)]
      let right: Ring = [(from, 0), (96, 0), (96, 96), (to, 96)] + border.reversed()
      let batch = Self.batch([left, right], [Self.style(Self.red)])
      let (white, black) = try (Self.image([batch], .white), Self.image([batch], .black))
      largest = max(largest, Self.difference(white, black))
    }
    // Without the rule, 64.
    #expect(largest <= 8)
  }

  /// Stars in a coarse grid; they do not touch each other.
  @Test("Areas apart from each other are the same pixels as areas painted alone")
  func isolated() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<20 {
      let rings = (0..<9).map { index in
        FillCoverageTests.star(
          &random, x: 16 + 32 * Double(index % 3), y: 16 + 32 * Double(index / 3), radius: 14)
      }
      let color = Color(red: 3, green: 100, blue: 220, alpha: .random(in: 50...255, using: &random))
      let styles = [
        Self.style(color), Self.style(Self.red, Stroke(color: color, width: 0.7)),
      ]
      let together = try Self.image([Self.batch(rings, styles)], .white)
      let alone = rings.enumerated().map { Self.batch([$1], [styles[$0 % 2]]) }
      #expect(try Self.image(alone, .white) == together)
    }
  }

  @Test("Areas over each other are the same pixels as areas painted alone", arguments: 0..<3)
  func over(sort: Int) throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let star = FillCoverageTests.star(&random, x: 48, y: 48, radius: 40)
      let small = FillCoverageTests.star(&random, x: 48, y: 48, radius: 12)
      let rings: [Ring] =
        switch sort {
        // Twice the same, one in another, and a half with a border on that of the whole, on the same side.
        case 0: [star, star]
        case 1: [star, small]
        default: [star, [(48, 48)] + star.prefix(star.count / 2 + 1)]
        }
      let styles = [Self.style(Self.red), Self.style(Color(red: 0, green: 90, blue: 255, alpha: 180))]
      let together = try Self.image([Self.batch(rings, styles)], .white)
      let alone = rings.enumerated().map { Self.batch([$1], [styles[$0 % 2]]) }
      let apart = try Self.image(alone, .white)
      let differing = (0..<Self.side * Self.side).count {
        apart.pixels[$0 * 4..<$0 * 4 + 4] != together.pixels[$0 * 4..<$0 * 4 + 4]
      }
      // At a tip that is thinner than a pixel, no pixel shows that the areas overlap.
      #expect(differing <= 10, "\(differing)")
    }
  }

  @Test("Areas in bands are the same bytes as in one", arguments: [1, 5, 30])
  func bands(rows: Int) throws {
    let styles = [
      Self.style(Self.red), Self.style(Color(red: 0, green: 90, blue: 255, alpha: 180)),
      Self.style(Self.red, Stroke(color: .black, width: 0.6)),
    ]
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let rings =
        Self.mesh(&random, cells: 12, isRounded: false)
        + (0..<10).map { _ in
          FillCoverageTests.star(
            &random, x: .random(in: 0...96, using: &random), y: .random(in: 0...96, using: &random),
            radius: 20)
        }
      let batch = Self.batch(rings.shuffled(using: &random), styles)
      #expect(try Self.image([batch], .white, bandRows: rows) == Self.image([batch], .white, bandRows: 96))
    }
  }

  /// The rule in real numbers, pixel by pixel, on the coverage of each area painted alone.
  @Test("Areas are painted as the plain form of the rule says")
  func plainForm() throws {
    let ground = [250.0, 240, 20]
    var (joined, largest) = (0, 0.0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rings = Self.mesh(&random, cells: 10, isRounded: true)
      rings += (0..<6).map { _ in
        FillCoverageTests.star(
          &random, x: .random(in: 0...96, using: &random), y: .random(in: 0...96, using: &random), radius: 15)
      }
      rings.shuffle(using: &random)
      let colors = rings.map { _ in
        Color(
          red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
          blue: .random(in: 0...255, using: &random),
          alpha: [255, 255, 90][Int.random(in: 0..<3, using: &random)])
      }
      var batch = Self.batch(rings, colors.map { Self.style($0) })
      batch.style = rings.indices.map { UInt32($0) }
      let image = try Self.image([batch], Color(red: 250, green: 240, blue: 20))

      let count = Self.side * Self.side
      var sums = Array(repeating: 0, count: count)
      var values = Array(repeating: ground, count: count)
      for (ring, color) in zip(rings, colors) {
        let alone = try Self.image([Self.batch([ring], [Self.style(.black)])], nil)
        let own = (0..<count).map { Int(alone.pixels[$0 * 4 + 3]) }
        func isOpen(_ x: Int, _ y: Int) -> Bool {
          guard (0..<Self.side).contains(x), (0..<Self.side).contains(y) else { return true }
          return sums[y * Self.side + x] + own[y * Self.side + x] <= 255 + 32
        }
        let channels = [color.red, color.green, color.blue].map { Double($0) }
        let alpha = Double(color.alpha) / 255
        let decided = (0..<count).map { place in
          let (x, y) = (place % Self.side, place / Self.side)
          return sums[place] > 0 && sums[place] < 255 && own[place] > 0 && own[place] < 255
            && [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].allSatisfy { isOpen(x + $0.0, y + $0.1) }
        }
        for place in 0..<count where own[place] > 0 {
          let sum = sums[place] + own[place]
          if decided[place] {
            joined += 1
            let part = Double((sum + 12 >= 255 ? 255 : sum) - sums[place]) / 255
            for channel in 0..<3 {
              values[place][channel] += part * alpha * (channels[channel] - ground[channel])
            }
          } else {
            let part = Double(own[place]) / 255 * alpha
            for channel in 0..<3 {
              values[place][channel] += part * (channels[channel] - values[place][channel])
            }
          }
          sums[place] = sums[place] > 0 && sum + 12 >= 255 ? 255 : sum
        }
      }
      for place in 0..<count {
        for channel in 0..<3 {
          largest = max(largest, abs(Double(image.pixels[place * 4 + channel]) - values[place][channel]))
        }
      }
    }
    #expect(joined > 10_000)
    // Every step rounds to 8 bits.
    #expect(largest <= 4, "\(largest)")
  }
}
