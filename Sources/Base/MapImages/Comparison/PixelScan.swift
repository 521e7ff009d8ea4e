/// The result of comparing one pixel.
enum PixelMark: UInt8, Hashable, Sendable {
  case same
  case differs
  /// The pixel differs, but anti-aliasing explains the difference.
  case antialiased
}

/// A comparison of two images of the same size that skips equal blocks quickly.
struct PixelScan {
  let width: Int
  let height: Int
  let metric: PixelMetric
  private(set) var differing = 0
  private(set) var antialiased = 0
  private(set) var largest = 0
  /// The result for each pixel; empty until the first pixel that is not the same.
  private(set) var marks: [PixelMark] = []
  /// The index of the first differing pixel of the current row; `Int.max` when there is none.
  private var rowStart = 0
  /// The index of the last differing pixel of the current row; -1 when there is none.
  private var rowEnd = 0
  private var left = Int.max
  private var right = -1
  private var top = Int.max
  private var bottom = -1

  /// The number of bytes compared at once: equal ones, nearly all, cost one pass of SIMD.
  private static let block = 256

  init(width: Int, height: Int, metric: PixelMetric) {
    (self.width, self.height, self.metric) = (width, height, metric)
  }

  /// The smallest rectangle around the differing pixels.
  var bounds: PixelRectangle? {
    differing == 0
      ? nil : PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Compares all pixels.
  mutating func run(_ expected: [UInt8], _ actual: [UInt8], allowed: [UInt8]?) {
    let (before, after) = (expected.span, actual.span)
    let mask = allowed ?? []
    for y in 0..<height {
      let start = y * width * 4
      let end = start + width * 4
      (rowStart, rowEnd) = (Int.max, -1)
      var at = start
      while at < end {
        let next = min(at + Self.block, end)
        if Self.differs(before, after, at..<next) {
          for pixel in at / 4..<next / 4 { compare(pixel, y: y, before, after, mask.span) }
        }
        at = next
      }
      guard rowEnd >= 0 else { continue }
      (left, right) = (min(left, rowStart - y * width), max(right, rowEnd - y * width))
      (top, bottom) = (min(top, y), y)
    }
  }

  /// Returns whether any byte differs; the loop has no branch, so that it compiles to SIMD.
  private static func differs(_ a: Span<UInt8>, _ b: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let (first, second) = (a.extracting(range), b.extracting(range))
    var bits: UInt8 = 0
    for index in 0..<min(first.count, second.count) { bits |= first[index] ^ second[index] }
    return bits != 0
  }

  @inline(__always)
  private mutating func compare(
    _ pixel: Int, y: Int, _ before: Span<UInt8>, _ after: Span<UInt8>, _ allowed: Span<UInt8>
  ) {
    let step = Self.channelDifference(before, after, pixel: pixel)
    if step == 0 { return }
    largest = max(largest, step)
    if !allowed.isEmpty, step <= Int(allowed[pixel]) { return }
    switch metric {
    case .channel(let tolerance):
      if step > Int(tolerance) { mark(pixel, .differs) }
    case .perceptual(let threshold, let countsAntialiasing):
      let limit = PerceivedDifference.largest * threshold * threshold
      // For opaque pixels, the largest channel difference alone shows that nearly all of them are below the limit.
      if before[pixel * 4 + 3] & after[pixel * 4 + 3] == 255,
        Double(step * step) * PerceivedDifference.boundOfSquare <= limit
      {
        return
      }
      guard PerceivedDifference(before, pixel, after, pixel).square > limit else { return }
      let isExplained =
        !countsAntialiasing
        && Antialiasing(width: width, height: height).explains(x: pixel - y * width, y: y, before, after)
      mark(pixel, isExplained ? .antialiased : .differs)
    }
  }

  @inline(__always)
  private mutating func mark(_ pixel: Int, _ mark: PixelMark) {
    if marks.isEmpty { marks = [PixelMark](repeating: .same, count: width * height) }
    marks[pixel] = mark
    guard mark == .differs else {
      antialiased += 1
      return
    }
    differing &+= 1
    if rowEnd < 0 { rowStart = pixel }
    rowEnd = pixel
  }

  /// Returns the largest channel difference of one pixel; 0 when both pixels are transparent.
  @inline(__always)
  private static func channelDifference(_ before: Span<UInt8>, _ after: Span<UInt8>, pixel: Int) -> Int {
    let at = pixel &* 4
    if before[at &+ 3] | after[at &+ 3] == 0 { return 0 }
    let red = Self.step(before[at], after[at])
    let green = Self.step(before[at &+ 1], after[at &+ 1])
    let blue = Self.step(before[at &+ 2], after[at &+ 2])
    let alpha = Self.step(before[at &+ 3], after[at &+ 3])
    return Int(max(max(red, green), max(blue, alpha)))
  }

  @inline(__always)
  private static func step(_ a: UInt8, _ b: UInt8) -> UInt8 { max(a, b) &- min(a, b) }
}
