internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// Painting that changes only the pixels of a region: the pixels outside it are restored.
///
/// Clips of Cairo would change where its scan begins, and with it single pixels inside the region.
extension CairoContext {
  /// Calls `body`, after which the pixels outside a region are as before; does nothing if the band has none of the region.
  ///
  /// - Parameters:
  ///   - region: the region; nil for all pixels.
  ///   - sides: the bounding sides of what is painted.
  ///   - reach: the largest distance of paint from these sides.
  /// - Cost: 4 bytes for each pixel outside the region within the sides.
  func inside(
    _ region: PixelRegion?, _ sides: @autoclosure () -> PathSides, reach: Double, window: BandWindow,
    _ body: () throws(CairoError) -> Void
  ) throws(CairoError) {
    guard let region else { return try body() }
    guard !window.within(region).isEmpty else { return }
    let sides = sides()
    guard sides.left <= sides.right, sides.top <= sides.bottom else { return try body() }
    let top = Int(clamping: window.origin)
    func range(_ start: Double, _ end: Double) -> Range<Int> {
      let first = Int(clamping: (start - reach).rounded(.down))
      return first..<max(first, Int(clamping: (end + reach).rounded(.up)))
    }
    let rows = range(sides.top - window.origin, sides.bottom - window.origin)
    let columns = range(sides.left, sides.right)
    let (width, height) = try unsafe withPixels { pixels in unsafe (pixels.width, pixels.height) }
    let runs = rows.clamped(to: 0..<height).flatMap { row in
      region.gaps(inRow: row + top, within: columns.clamped(to: 0..<width)).map {
        row * width + $0.lowerBound..<row * width + $0.upperBound
      }
    }
    // The runs are within the surface, whose size does not change.
    var before: [UInt32] = []
    before.reserveCapacity(runs.reduce(0) { $0 + $1.count })
    try unsafe withPixels { pixels in
      for place in runs.joined() { unsafe before.append(pixels.pixels[place]) }
    }
    try body()
    try unsafe withPixels { pixels in
      for (place, pixel) in zip(runs.joined(), before) { unsafe pixels.pixels[place] = pixel }
    }
  }
}

extension PixelRegion {
  /// Returns the columns of a row that the region lacks, as runs.
  fileprivate func gaps(inRow row: Int, within columns: Range<Int>) -> [Range<Int>] {
    var (gaps, start) = ([Range<Int>](), columns.lowerBound)
    for run in runs(inRow: row) {
      let run = run.clamped(to: columns)
      if start < run.lowerBound { gaps.append(start..<run.lowerBound) }
      start = max(start, run.upperBound)
    }
    if start < columns.upperBound { gaps.append(start..<columns.upperBound) }
    return gaps
  }
}
