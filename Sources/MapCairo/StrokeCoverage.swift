internal import MapGeometry

/// How much of each pixel of a band a stroke covers, gathered from its pieces: the greatest of theirs.
///
/// A class, because pieces are added while one of its surfaces is drawn on.
final class StrokeCoverage {
  /// What the pieces so far cover.
  let sum: CairoSurface
  /// Where the next piece is painted; clear between pieces.
  let piece: CairoSurface
  /// What went wrong first, if anything.
  private(set) var error: CairoError?
  private let window: BandWindow
  private let reach: Double
  /// Pixels before this one are covered whole; they stay so.
  private var firstOpen: Int

  /// Nothing covered; `reach` is how far paint may lie from a path.
  init(window: BandWindow, reach: Double) throws(CairoError) {
    (self.window, self.reach) = (window, reach)
    let (width, height) = (Int(clamping: window.width), Int(clamping: window.bottom - window.origin))
    sum = try CairoSurface(width: width, height: height, format: .alpha8)
    piece = try CairoSurface(width: width, height: height, format: .alpha8)
    // The row above the band is thrown away, whatever it has.
    firstOpen = Int(clamping: window.top - window.origin) * width
  }

  /// True when no further piece can change what is seen.
  var isFull: Bool { firstOpen == sum.width * sum.height || error != nil }

  /// True when a piece that lies within `sides`, and the reach beside them, can change what is seen.
  func wants(_ sides: PathSides) -> Bool {
    sides.isPaintable && !isFull
      && window.shows(
        left: sides.left, right: sides.right, top: sides.top, bottom: sides.bottom, reach: reach)
  }

  /// Takes what was painted on ``piece`` within `sides` and the reach beside them.
  func takePiece(_ sides: PathSides) {
    // Within the coordinate limit and the widest reach, so far inside Int.
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

/// Bytes of coverage.
extension CairoSurface {
  /// Keeps for each pixel the greater coverage of this surface and another of its size, and clears the other.
  borrowing func takeGreatest(
    clearing other: borrowing CairoSurface, columns: Range<Int>, rows: Range<Int>
  ) throws(CairoError) {
    try unsafe withCoverage { own throws(CairoError) in
      try unsafe other.withCoverage { others in
        for row in rows {
          let first = unsafe row * own.stride
          for place in first + columns.lowerBound..<first + columns.upperBound {
            // Both have the same size, so the rows lie alike; ranges are within the surface.
            unsafe own.bytes[place] = max(own.bytes[place], others.bytes[place])
            unsafe others.bytes[place] = 0
          }
        }
      }
    }
  }

  /// The number of the first pixel, row by row from `start`, that is not covered whole; that of all pixels when none is.
  borrowing func firstBelowFull(from start: Int) throws(CairoError) -> Int {
    var place = start
    let (width, count) = (width, width * height)
    try unsafe withCoverage { own in
      while place < count, unsafe own.bytes[place / width * own.stride + place % width] == 255 { place += 1 }
    }
    return place
  }
}
