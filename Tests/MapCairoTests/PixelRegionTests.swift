import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

/// Batches that change only the pixels of a region: the pixels inside are those of the batch without a region.
@Suite struct PixelRegionTests {
  static let side = 96
  static let veil = Color(red: 220, green: 30, blue: 40, alpha: 128)

  /// Tiles over an image, as a view shows them.
  enum Grid: CaseIterable {
    case unrotated, onCentres, rotated, projected

    /// Returns the place of a point of the plane of tiles, whose tiles have a side of 24.
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      switch self {
      case .unrotated: (x, y)
      case .onCentres: (x + 0.5, y + 0.5)
      case .rotated: (x * 0.8 - y * 0.6 + 20, x * 0.6 + y * 0.8 - 30)
      case .projected: (x + y * y / 400 - 10, y - x * x / 500 + x / 9)
      }
    }

    /// The outlines of tiles that cover the image.
    var rings: [(x: [Double], y: [Double])] {
      (-6..<10).flatMap { row in (-6..<10).map { outline(column: $0, row: row) } }
    }

    /// Returns the outline of a tile, with vertices along its sides.
    private func outline(column: Int, row: Int) -> (x: [Double], y: [Double]) {
      let corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
      var (x, y): ([Double], [Double]) = ([], [])
      for (start, end) in zip(corners, corners.dropFirst()) {
        for step in 0..<8 {
          func along(_ start: Int, _ end: Int, _ first: Int) -> Double {
            Double((first + start) * 8 + (end - start) * step) * 3
          }
          let place = place(along(start.0, end.0, column), along(start.1, end.1, row))
          x.append(place.x)
          y.append(place.y)
        }
      }
      return (x, y)
    }

    var regions: [PixelRegion] {
      rings.map { PixelRegion(ring: $0.x, y: $0.y, width: side, height: side) }.filter { !$0.isEmpty }
    }
  }

  static func list(_ batches: [PathBatch], _ background: Color? = .white) -> DisplayList {
    DisplayList(
      width: side, height: side, background: background,
      layers: [DisplayLayer(index: 0, name: "tiles", opacity: 1, batches: batches.map { .paths($0) })])
  }

  static func image(
    _ batches: [PathBatch], _ method: PaintingMethod = .fast, _ background: Color? = .white
  ) throws -> Bitmap {
    try CairoPainter.bitmap(of: list(batches, background), method: method)
  }

  /// Lines or areas with fills, strokes and hatches, some over each other.
  static func paths(_ kind: GeometryKind, seed: UInt64) -> PathBatch {
    var lists = RandomLists(seed: seed, width: side, height: side)
    var batch = lists.paths(kind, count: 30)
    let style = batch.styles[2]
    if kind == .polygon {
      batch.styles[2] = PathStyle(
        fill: nil, hatch: Hatch(style: .diagonalCross, color: veil, pixelRatio: 1), stroke: style.stroke,
        classIndex: 2)
    }
    return batch
  }

  /// A star with several runs in a row, a rectangle, and a tile of each grid.
  static func regions(seed: UInt64) -> [PixelRegion] {
    var random = SeededGenerator(seed: seed)
    let star = FillCoverageTests.star(&random, x: 50, y: 45, radius: 45)
    var comb: [(Double, Double)] = [(96, 90), (96, 96), (0, 96)]
    for tooth in 0..<9 {
      let left = Double(tooth) * 11
      comb += [(left, 90), (left + 5, 3)]
    }
    var regions: [PixelRegion] = [star, comb].map { ring in
      PixelRegion(ring: ring.map { $0.0 }, y: ring.map { $0.1 }, width: side, height: side)
    }
    regions += [PixelRegion(columns: 10..<70, rows: 31..<64), PixelRegion(columns: 0..<0, rows: 3..<9)]
    for grid in Grid.allCases { regions.append(grid.regions[grid.regions.count / 2]) }
    return regions
  }

  @Test("Every pixel belongs to exactly one of the regions of neighbouring tiles", arguments: Grid.allCases)
  func partition(grid: Grid) {
    var counts = Array(repeating: 0, count: Self.side * Self.side)
    for region in grid.regions {
      var pixels = 0
      for row in region.rows {
        for run in region.runs(inRow: row) {
          for column in run {
            counts[row * Self.side + column] += 1
            if region.contains(column: column, row: row), region.columns.contains(column) { pixels += 1 }
          }
        }
      }
      #expect(pixels == region.pixelCount)
    }
    #expect(grid.regions.count >= 16)
    #expect(counts.allSatisfy { $0 == 1 })
  }

  @Test("A region has a rectangle if it has each of its pixels", arguments: 1...8 as ClosedRange<UInt64>)
  func rectangles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (inside, outside) = (0, 0)
    for region in Self.regions(seed: seed) + Grid.rotated.regions {
      for _ in 0..<20 {
        let (column, row) = (
          Int.random(in: -3..<Self.side, using: &random), Int.random(in: -3..<Self.side, using: &random)
        )
        let columns = column..<column + Int.random(in: 0..<9, using: &random)
        let rows = row..<row + Int.random(in: 0..<9, using: &random)
        let expected = rows.allSatisfy { row in columns.allSatisfy { region.contains(column: $0, row: row) } }
        #expect(region.contains(columns: columns, rows: rows) == expected)
        if expected { inside += 1 } else { outside += 1 }
      }
    }
    #expect(inside > 30 && outside > 30)
  }

  @Test("Only paths that are not inside their region need a mask", arguments: [false, true])
  func masks(isRotated: Bool) throws {
    let ring: [(Double, Double)] =
      isRotated ? [(48, 0), (96, 48), (48, 96), (0, 48)] : [(10, 10), (90, 10), (90, 90), (10, 90)]
    // Squares of 4 pixels at 40 places around the middle, and 3 that cross the ring.
    let squares = (0..<43).map { index -> [(Double, Double)] in
      let (x, y) = index < 40 ? (Double(40 + index % 8 * 2), Double(40 + index / 8 * 2)) : (46, 7)
      let crossing = index < 40 || !isRotated ? (x, y) : (20, 20)
      return [(0, 0), (4, 0), (4, 4), (0, 4)].map { (crossing.0 + $0.0, crossing.1 + $0.1) }
    }
    let work = PaintingWork()
    var batch = AreaUnionTests.batch(
      squares, [AreaUnionTests.style(Self.veil, Stroke(color: .black, width: 1))])
    batch.region = PixelRegion(
      ring: ring.map { $0.0 }, y: ring.map { $0.1 }, width: Self.side, height: Self.side)
    _ = try CairoPainter.bitmap(of: Self.list([batch]), work: work)
    #expect(work.counts.maskedPaths == 3)
  }

  @Test("A centre on an edge belongs to the side right of it or below it")
  func centresOnEdges() {
    let region = PixelRegion(ring: [1.5, 4.5, 4.5, 1.5], y: [2.5, 2.5, 5.5, 5.5], width: 9, height: 9)
    #expect(region == PixelRegion(columns: 1..<4, rows: 2..<5))
    #expect(region.isRectangle && region.pixelCount == 9)
  }

  @Test("Rings outside the image, without area and with other than finite numbers have no pixels")
  func emptyRegions() {
    for (x, y) in [
      ([], []), ([1], [1]), ([-9, -1, -9], [0, 9, 9]), ([20, 30, 20], [0, 9, 9]), ([0, 9, 0], [.nan, 9, 9]),
      ([0, .infinity, 0], [0, 9, 9]), ([0, 9, 0], [-9, -9, -1]), ([0, 9], [0, 9, 9]),
    ] as [([Double], [Double])] {
      let region = PixelRegion(ring: x, y: y, width: 10, height: 10)
      #expect(region.isEmpty && region.rows.isEmpty && region.columns.isEmpty && region.runs(inRow: 0) == [])
    }
    let all = PixelRegion(
      ring: [-1e300, 1e300, 1e300, -1e300], y: [-1e9, -1e9, 1e9, 1e9], width: 10, height: 10)
    #expect(all == PixelRegion(columns: 0..<10, rows: 0..<10))
  }

  @Test(
    "Pixels inside a region are those of the batch alone, and others are as before",
    arguments: [GeometryKind.polygon, .polyline], [PaintingMethod.fast, .reference])
  func masked(kind: GeometryKind, method: PaintingMethod) throws {
    let ground = Color(red: 20, green: 200, blue: 90, alpha: 200)
    for seed in 1...6 as ClosedRange<UInt64> {
      var batch = Self.paths(kind, seed: seed)
      let whole = try Self.image([batch], method, ground)
      let below = try Self.image([], method, ground)
      for region in Self.regions(seed: seed) {
        batch.region = region
        let own = try Self.image([batch], method, ground)
        var wrong = 0
        for y in 0..<Self.side {
          for x in 0..<Self.side {
            let expected = region.contains(column: x, row: y) ? whole[x, y] : below[x, y]
            if own[x, y] != expected { wrong += 1 }
          }
        }
        #expect(wrong == 0, "\(kind), seed \(seed), \(region.columns) \(region.rows)")
      }
    }
  }

  @Test("Regions side by side give the bytes of the batch without a region", arguments: Grid.allCases)
  func tiled(grid: Grid) throws {
    for method in [PaintingMethod.fast, .reference] {
      for kind in [GeometryKind.polygon, .polyline] {
        let batch = Self.paths(kind, seed: 9)
        let pieces = grid.regions.map { region in
          var piece = batch
          piece.region = region
          return piece
        }
        #expect(try Self.image(pieces, method) == Self.image([batch], method))
      }
    }
  }

  @Test(
    "Two half-transparent pieces of an area over a common side of tiles show no seam",
    arguments: Grid.allCases)
  func seam(grid: Grid) throws {
    for method in [PaintingMethod.fast, .reference] {
      // Each tile has its piece of one area over all tiles, with a buffer around it.
      let style = AreaUnionTests.style(Self.veil)
      let pieces = grid.rings.map { ring in
        let count = Double(ring.x.count)
        let (x, y) = (ring.x.reduce(0, +) / count, ring.y.reduce(0, +) / count)
        let grown: [(Double, Double)] = zip(ring.x, ring.y).map { (x + ($0 - x) * 1.2, y + ($1 - y) * 1.2) }
        var piece = AreaUnionTests.batch([grown], [style])
        piece.region = PixelRegion(ring: ring.x, y: ring.y, width: Self.side, height: Self.side)
        return piece
      }
      let image = try Self.image(pieces, method)
      let whole = try Self.image(
        [AreaUnionTests.batch([[(-9, -9), (105, -9), (105, 105), (-9, 105)]], [style])], method)
      #expect(image == whole)
    }
  }

  @Test("Id images of regions side by side are those of the batch without a region", arguments: Grid.allCases)
  func ids(grid: Grid) throws {
    for kind in [GeometryKind.polygon, .polyline] {
      var batch = Self.paths(kind, seed: 11)
      let whole = try IDPainter.image(of: Self.list([batch]))
      let regions = grid.regions
      let pieces = regions.map { region in
        batch.region = region
        return batch
      }
      #expect(try IDPainter.image(of: Self.list(pieces)) == whole)
      batch.region = regions[5]
      let own = try IDPainter.image(of: Self.list([batch]))
      var right = 0
      for y in 0..<Self.side {
        for x in 0..<Self.side {
          let expected = regions[5].contains(column: x, row: y) ? whole[x, y] : nil
          if own[x, y] == expected { right += 1 }
        }
      }
      #expect(right == Self.side * Self.side)
    }
  }

  @Test("Bands and threads give the same bytes", arguments: [1, 7, 30])
  func bands(rows: Int) throws {
    let styles = [
      AreaUnionTests.style(Self.veil), AreaUnionTests.style(Self.veil, Stroke(color: .black, width: 0.6)),
      AreaUnionTests.style(Color(red: 0, green: 90, blue: 255), Stroke(color: Self.veil, width: 5)),
    ]
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let batches = Self.regions(seed: seed).map { region in
        let stars = (0..<5).map { _ in
          FillCoverageTests.star(
            &random, x: .random(in: 0...96, using: &random), y: .random(in: 0...96, using: &random),
            radius: 20)
        }
        var batch = AreaUnionTests.batch(
          AreaUnionTests.mesh(&random, cells: 8, isRounded: false) + stars, styles)
        batch.region = region
        return batch
      }
      func image(bandRows: Int, threads: Int) throws -> Bitmap {
        var painter = try CairoPainter(
          width: Self.side, height: Self.side, background: .white, threads: threads, bandRows: bandRows)
        try painter.paint(Self.list(batches).layers[0])
        return try painter.finish()
      }
      let whole = try image(bandRows: Self.side, threads: 1)
      for threads in [1, 2, 5] { #expect(try image(bandRows: rows, threads: threads) == whole) }
    }
  }

  @Test("Labels and batches after one with a region are not cut")
  func batchesAfter() throws {
    var lists = RandomLists(seed: 3, width: Self.side, height: Self.side)
    let labels = DisplayBatch.labels(lists.labels(count: 12))
    let (areas, lines) = (Self.paths(.polygon, seed: 4), Self.paths(.polyline, seed: 4))
    var cut = areas
    cut.region = PixelRegion(columns: 0..<0, rows: 0..<0)
    func image(_ batches: [DisplayBatch]) throws -> Bitmap {
      try CairoPainter.bitmap(
        of: DisplayList(
          width: Self.side, height: Self.side, background: .white,
          layers: [DisplayLayer(index: 0, name: "", opacity: 1, batches: batches)]))
    }
    #expect(try image([.paths(cut), labels, .paths(lines)]) == image([labels, .paths(lines)]))
    cut.region = PixelRegion(columns: 0..<Self.side, rows: 0..<Self.side)
    #expect(
      try image([.paths(cut), labels, .paths(lines)]) == image([.paths(areas), labels, .paths(lines)]))
  }

  @Test("A layer without some rows keeps its regions, and dumps name them")
  func kept() {
    var batch = Self.paths(.polygon, seed: 5)
    batch.region = PixelRegion(columns: 3..<40, rows: 7..<9)
    let list = Self.list([batch])
    let layer = list.layers[0].removing(rows: [0, 1, 2])
    guard case .paths(let left) = layer.batches[0] else { return #expect(Bool(false)) }
    #expect(left.region == batch.region && left.row.count == 27)
    #expect(list.dump().contains("\n  region columns 3 to 40 rows 7 to 9\n"))
    batch.region = PixelRegion(ring: [0, 9, 0], y: [0, 0, 9], width: 20, height: 20)
    let dump = Self.list([batch]).dump()
    #expect(dump.contains("\n  region columns 0 to 8 rows 0 to 8 36 pixels "))
    batch.region = nil
    #expect(!Self.list([batch]).dump().contains("region"))
  }
}
