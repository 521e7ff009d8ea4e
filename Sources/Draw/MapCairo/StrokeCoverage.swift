internal import MapGeometry
internal import MapSystem

/// The coverage of each pixel of a band by a stroke: the greatest coverage of its pieces.
///
/// It is a class, because pieces are added while one of its surfaces is being drawn on.
final class StrokeCoverage {
  /// The coverage of the pieces so far.
  let sum: CairoSurface
  /// The surface for the next piece; it is clear between pieces.
  let piece: CairoSurface
  /// The first error; nil when there is none.
  private(set) var error: CairoError?
  private let window: BandWindow
  private let reach: Double
  /// The number of the first pixel that may not be fully covered; all pixels before it are.
  private var firstOpen: Int

  /// Creates an empty coverage; `reach` is the largest distance of paint from a path.
  init(window: BandWindow, reach: Double) throws(CairoError) {
    (self.window, self.reach) = (window, reach)
    let (width, height) = (Int(clamping: window.width), Int(clamping: window.bottom - window.origin))
    sum = try CairoSurface(width: width, height: height, format: .alpha8)
    piece = try CairoSurface(width: width, height: height, format: .alpha8)
    // The row above the band is discarded, so its coverage does not matter.
    firstOpen = Int(clamping: window.top - window.origin) * width
  }

  /// Whether no further piece can change the result.
  var isFull: Bool { firstOpen == sum.width * sum.height || error != nil }

  /// Returns whether a piece within `sides`, extended by the reach, can change the result.
  func wants(_ sides: PathSides) -> Bool {
    sides.isPaintable && !isFull
      && window.shows(
        left: sides.left, right: sides.right, top: sides.top, bottom: sides.bottom, reach: reach)
  }

  /// Takes the coverage painted on ``piece`` within `sides`, extended by the reach.
  func takePiece(_ sides: PathSides) {
    // Within the coordinate limit and the largest reach, so far inside the range of Int.
    let columns =
      Int(clamping: (sides.left - reach).rounded(.down))..<Int(clamping: (sides.right + reach).rounded(.up))
    let top = (sides.top - reach - window.origin).rounded(.down)
    let rows = Int(clamping: top)..<Int(clamping: (sides.bottom + reach - window.origin).rounded(.up))
    do throws(CairoError) {
      try sum.takeGreatest(
        clearing: piece, columns: columns.clamped(to: 0..<sum.width), rows: rows.clamped(to: 0..<sum.height))
      firstOpen = try sum.firstBelowFull(from: firstOpen)
    } catch {
      self.error = self.error ?? error
    }
  }
}

/// Operations on bytes of coverage.
extension CairoSurface {
  /// Keeps for each pixel the greater coverage of this surface and another of the same size, and clears the other.
  borrowing func takeGreatest(
    clearing other: borrowing CairoSurface, columns: Range<Int>, rows: Range<Int>
  ) throws(CairoError) {
    try unsafe withCoverage { own throws(CairoError) in
      try unsafe other.withCoverage { others in
        for row in rows {
          let first = unsafe row * own.stride
          for place in first + columns.lowerBound..<first + columns.upperBound {
            // Both have the same size, so their rows have the same layout; the ranges are within the surface.
            unsafe own.bytes[place] = max(own.bytes[place], others.bytes[place])
            unsafe others.bytes[place] = 0
          }
        }
      }
    }
  }

  /// Returns the number of the first pixel from `start` that is not fully covered; the number of all pixels if none.
  borrowing func firstBelowFull(from start: Int) throws(CairoError) -> Int {
    var place = start
    let (width, count) = (width, width * height)
    try unsafe withCoverage { own in
      while place < count, unsafe own.bytes[place / width * own.stride + place % width] == 255 { place += 1 }
    }
    return place
  }
}
