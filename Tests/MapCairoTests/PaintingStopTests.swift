import Dispatch
import Glibc
import MapCairo
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import Testing

/// Painting that is stopped from another thread.
@Suite struct PaintingStopTests {
  static let side = 400

  static func layer(_ count: Int) -> DisplayLayer {
    var batch = PathBatch(
      styles: [PathStyle(fill: .red, stroke: Stroke(color: .black, width: 2), classIndex: 0)], kind: .polygon)
    for row in 0..<count {
      for step in 0...200 {
        let angle = Double(step % 200) * .pi / 100
        batch.geometry.appendVertex(
          x: 200 + cosine(angle) * Double(row % 190), y: 200 + cosine(angle - .pi / 2) * Double(row % 190))
      }
      batch.geometry.endPart()
      batch.geometry.endRow()
      batch.style.append(0)
      batch.row.append(Int32(row))
    }
    return DisplayLayer(index: 0, name: "circles", opacity: 1, batches: [.paths(batch)])
  }

  private static func cosine(_ angle: Double) -> Double {
    // A parabola, which is round enough for a test.
    let turn = (angle / (2 * .pi)) - (angle / (2 * .pi)).rounded(.down)
    let fold = abs(turn - 0.5) * 4 - 1
    return fold * (2 - abs(fold))
  }

  static func paint(_ layer: DisplayLayer, work: PaintingWork, stop: PaintingStop) throws -> Int {
    var painter = try CairoPainter(
      width: side, height: side, background: .white, threads: 1, bandRows: 2, work: work, stop: stop)
    try painter.paint(layer)
    return try painter.finish().pixels.count { $0 != 255 }
  }

  @Test("A painter that is stopped leaves the rest of a layer unpainted")
  func stops() throws {
    let layer = Self.layer(400)
    let whole = PaintingWork()
    #expect(try Self.paint(layer, work: whole, stop: PaintingStop()) > 100_000)
    let never = PaintingStop()
    never.give()
    let none = PaintingWork()
    #expect(try Self.paint(layer, work: none, stop: never) == 0)
    #expect(none.counts.edges == 0)
    // The first band that is done gives the request; 199 others would follow.
    let (some, later) = (PaintingWork(), PaintingStop())
    let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "watcher").async {
      started.signal()
      while some.counts.edges == 0 { usleep(20) }
      later.give()
      ended.signal()
    }
    started.wait()
    _ = try Self.paint(layer, work: some, stop: later)
    ended.wait()
    #expect(some.counts.edges > 0)
    #expect(some.counts.edges < whole.counts.edges / 2)
  }
}
