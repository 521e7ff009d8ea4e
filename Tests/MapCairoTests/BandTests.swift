import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapTestSupport
import Testing

@Suite struct BandTests {
  @Test("The image is the same for any number of threads", arguments: 1...10 as ClosedRange<UInt64>)
  func sameBytes(seed: UInt64) throws {
    var lists = RandomLists(seed: seed, width: 157, height: 800)
    let list = lists.list(layers: 4, itemsPerBatch: 100)
    let whole = try CairoPainter.bitmap(of: list, threads: 1)
    let owners = try IDPainter.image(of: list, threads: 1)
    #expect(!whole.pixels.allSatisfy { $0 == whole.pixels[0] })
    for threads in [-1, 2, 3, 7, 1000] {
      #expect(try CairoPainter.bitmap(of: list, threads: threads) == whole)
      #expect(try IDPainter.image(of: list, threads: threads) == owners)
    }
  }

  @Test(
    "Layers that are painted together give the bytes of those painted one by one",
    arguments: 1...6 as ClosedRange<UInt64>)
  func together(seed: UInt64) throws {
    var lists = RandomLists(seed: seed, width: 157, height: 800)
    let layers = (0..<12).flatMap { _ in lists.list(layers: 2, itemsPerBatch: 20).layers }
    func image(threads: Int, at count: Int) throws -> Bitmap {
      var painter = try CairoPainter(width: 157, height: 800, background: .white, threads: threads)
      for start in stride(from: 0, to: layers.count, by: count) {
        try painter.paint(Array(layers[start..<min(start + count, layers.count)]))
      }
      return try painter.finish()
    }
    let single = try image(threads: 1, at: 1)
    #expect(layers.contains { $0.isGroup } && layers.contains { !$0.isGroup })
    for threads in [1, 2, 3, 9] {
      #expect(try image(threads: threads, at: 7) == single)
      #expect(try image(threads: threads, at: layers.count) == single)
    }
  }

  @Test("Of layers that are painted together, a faulty one is named")
  func faultyLayer() throws {
    var lists = RandomLists(seed: 3, width: 40, height: 40)
    let right = lists.list(layers: 1, itemsPerBatch: 5).layers
    var paths = lists.paths(.polygon, count: 3)
    paths.style.append(0)
    let wrong = DisplayLayer(index: 1, name: "wrong", opacity: 1, batches: [.paths(paths)])
    var painter = try CairoPainter(width: 40, height: 40, background: .white, threads: 2)
    var found: PaintError?
    do throws(PaintError) { try painter.paint(right + [wrong]) } catch { found = error }
    #expect(found?.reason == .inconsistentBatch && found?.layer == "wrong")
  }

  /// Rasters are used again for the next shape, layer and band.
  ///
  /// An area that hides all makes what was painted before irrelevant.
  @Test(
    "An image does not depend on what was painted before below an area",
    arguments: 1...20 as ClosedRange<UInt64>)
  func sameAfterOthers(seed: UInt64) throws {
    var lists = RandomLists(seed: seed, width: 157, height: 800)
    let (before, after) = (lists.list(layers: 2, itemsPerBatch: 60), lists.list(layers: 1, itemsPerBatch: 60))
    let cover = DisplayBatch.square(.white, Envelope(xMin: -9, yMin: -9, xMax: 166, yMax: 809))
    let hidden = DisplayLayer(index: 0, name: "", opacity: 1, batches: [cover])
    let alone = DisplayList(width: 157, height: 800, background: .white, layers: after.layers)
    let expected = try CairoPainter.bitmap(of: alone)
    #expect(!expected.pixels.allSatisfy { $0 == expected.pixels[0] })
    var joined = alone
    joined.layers = before.layers + [hidden] + after.layers
    for threads in [1, 3] { #expect(try CairoPainter.bitmap(of: joined, threads: threads) == expected) }
    // The same within one layer; groups have pixels of their own.
    guard !after.layers[0].isGroup else { return }
    joined.layers = [
      DisplayLayer(
        index: 0, name: "", opacity: 1,
        batches: before.layers.flatMap(\.batches) + [cover] + after.layers[0].batches)
    ]
    #expect(try CairoPainter.bitmap(of: joined) == expected)
  }

  /// The background fills memory without Cairo.
  @Test("A background equals an area that Cairo paints over the whole image")
  func background() throws {
    var random = SeededGenerator(seed: 12)
    for number in 0..<200 {
      let color = Color(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random),
        alpha: number < 20 ? [0, 1, 254, 255][number % 4] : .random(in: 0...255, using: &random))
      let list = DisplayList(width: 7, height: 5, background: color, layers: [])
      let box = Envelope(xMin: -1, yMin: -1, xMax: 8, yMax: 6)
      let painted = DisplayList(
        width: 7, height: 5, background: nil,
        layers: [DisplayLayer(index: 0, name: "", opacity: 1, batches: [.square(color, box)])])
      #expect(
        try CairoPainter.bitmap(of: list) == CairoPainter.bitmap(of: painted, method: .reference))
    }
  }

  /// Bands as small as one row, so that every item crosses an edge.
  ///
  /// A culling or offset error of one pixel would be visible everywhere; Cairo's own differences (see
  /// `PictureBand`) affect single pixels.
  @Test("An image painted in bands equals the whole one except in single pixels", arguments: [1, 2, 7, 50])
  func cuts(rows: Int) throws {
    var (differing, pixels) = (0, 0)
    for seed in 1...20 as ClosedRange<UInt64> {
      var lists = RandomLists(seed: seed, width: 157, height: 113)
      let list = lists.list(layers: 3, itemsPerBatch: 30)
      let (whole, cut) = try (paint(list, bandRows: 113), paint(list, bandRows: rows))
      pixels += whole.width * whole.height
      let largest = premultipliedDifferences(whole, cut)
      differing += largest.count { $0 > 2 }
      #expect(largest.max() ?? 0 <= 40)
    }
    // Measured: 3 of 354,820 when cut into single rows, 0 at 50 rows (Cairo 1.16); strokes are off by rounding.
    #expect(differing <= 10, "\(differing) of \(pixels)")
    #expect(pixels == 354_820, "\(differing) of \(pixels)")
  }

  /// The largest channel difference of each pixel in premultiplied colours, since nearly transparent colours
  /// are inexact.
  private func premultipliedDifferences(_ a: Bitmap, _ b: Bitmap) -> [Int] {
    stride(from: 0, to: a.pixels.count, by: 4).map { pixel in
      if a.pixels[pixel..<pixel + 4] == b.pixels[pixel..<pixel + 4] { return 0 }
      let (alphaA, alphaB) = (Int(a.pixels[pixel + 3]), Int(b.pixels[pixel + 3]))
      let colors = (pixel..<pixel + 3).map {
        abs(Int(a.pixels[$0]) * alphaA - Int(b.pixels[$0]) * alphaB) / 255
      }
      return max(abs(alphaA - alphaB), colors.max() ?? 0)
    }
  }

  func paint(_ list: DisplayList, bandRows: Int) throws -> Bitmap {
    var painter = try CairoPainter(
      width: list.width, height: list.height, background: list.background, threads: 2, bandRows: bandRows)
    for layer in list.layers { try painter.paint(layer) }
    return try painter.finish()
  }
}
