import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// An image of lines whose colour depends on the position along and across them.
struct LinePixels {
  /// A line as it is painted.
  struct Pen {
    /// Half the width, and the length over which the edge fades inwards besides one pixel.
    let halfWidth: Double
    let blur: Double
    let cap: SimpleLineSymbol.Cap
    let opacity: Double
  }

  /// A position on a line.
  struct Position {
    /// The distance along the line in pixels, and the length of the line.
    let along: Double
    let length: Double
    /// The distance to the right of the line in half widths, from -1 to 1.
    let across: Double
  }

  private let width: Int
  private let height: Int
  /// The premultiplied pixels.
  private(set) var pixels: [UInt32]
  /// For each pixel the distance from the current line, positive to its right, and that along it.
  private var across: [Float]
  private var along: [Float]
  /// The pixels that the current line may paint.
  private var touched: [Int32] = []
  /// The number of pixels that may still be compared with segments.
  private var stepsLeft = LinePixels.stepLimit

  /// The largest number of pixels that are compared with segments, which takes about ten seconds.
  ///
  /// - Source: design decision.
  private static let stepLimit = 2_000_000_000

  /// Whether no more lines are painted, because they take too long.
  var isExhausted: Bool { stepsLeft <= 0 }

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: 0, count: width * height)
    across = Array(repeating: .infinity, count: width * height)
    along = Array(repeating: 0, count: width * height)
  }

  /// Paints a chain of vertices over the image; returns false when it paints no pixel.
  ///
  /// Corners are round: each pixel has the colour of the nearest position.
  ///
  /// - Parameters:
  ///   - color: returns the premultiplied colour at a position.
  ///   - region: the pixels that may change.
  mutating func paint(
    x: ArraySlice<Double>, y: ArraySlice<Double>, _ pen: Pen, region: PixelRegion,
    color: (Position) -> UInt32
  ) -> Bool {
    var length = 0.0
    for vertex in x.indices.dropFirst() {
      let own = hypot(x[vertex] - x[vertex - 1], y[vertex] - y[vertex - 1])
      guard own > 0, own.isFinite, stepsLeft > 0 else { continue }
      visit(
        (x[vertex - 1], y[vertex - 1]), (x[vertex], y[vertex]), own, from: length, pen,
        isFirst: length == 0, isLast: vertex == x.indices.last, region)
      length += own
    }
    var isPainted = false
    for pixel in touched {
      let pixel = Int(pixel)
      let distance = Double(abs(across[pixel]))
      let coverage = min(max((pen.halfWidth + 0.5 - distance) / (pen.blur + 1), 0), 1)
      let share = coverage * pen.opacity
      let position = Position(
        along: Double(along[pixel]), length: length,
        across: min(max(Double(across[pixel]) / pen.halfWidth, -1), 1))
      across[pixel] = .infinity
      let color = share > 0 ? color(position) : 0
      guard color >> 24 > 0 else { continue }
      pixels[pixel] = Self.over(color, share, pixels[pixel])
      isPainted = true
    }
    touched.removeAll(keepingCapacity: true)
    return isPainted
  }

  /// Notes the pixels to which a segment is nearer than those before.
  private mutating func visit(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ length: Double, from start: Double,
    _ pen: Pen,
    isFirst: Bool, isLast: Bool, _ region: PixelRegion
  ) {
    let reach = pen.halfWidth + 0.5
    let (dx, dy) = ((b.x - a.x) / length, (b.y - a.y) / length)
    let ends = pen.cap == .round ? reach : pen.cap == .square ? pen.halfWidth : 0
    let (low, high) = (isFirst ? -ends : -reach, length + (isLast ? ends : reach))
    let rows = Self.centers(min(a.y, b.y) - reach, max(a.y, b.y) + reach, height)
    for row in rows.clamped(to: region.rows) {
      let py = Double(row) + 0.5 - a.y
      var (left, right) = (min(a.x, b.x) - reach, max(a.x, b.x) + reach)
      if abs(dy) > 1e-6 {
        let center = a.x + py * dx / dy
        left = max(left, center - reach / abs(dy))
        right = min(right, center + reach / abs(dy))
      }
      let columns = Self.centers(left, right, width)
      stepsLeft -= columns.count + 1
      for run in region.runs(inRow: row) {
        for column in run.clamped(to: columns) {
          let px = Double(column) + 0.5 - a.x
          let place = px * dx + py * dy
          guard place >= low, place <= high else { continue }
          let nearest = min(max(place, pen.cap == .square ? low : 0), pen.cap == .square ? high : length)
          let (ax, ay) = (px - nearest * dx, py - nearest * dy)
          let distance = (ax * ax + ay * ay).squareRoot()
          let pixel = row * width + column
          guard distance <= reach, Float(distance) < abs(across[pixel]) else { continue }
          if across[pixel] == .infinity { touched.append(Int32(truncatingIfNeeded: pixel)) }
          across[pixel] = Float(py * dx - px * dy < 0 ? -distance : distance)
          along[pixel] = Float(start + min(max(place, 0), length))
        }
      }
    }
  }

  /// Returns the pixels of a row or column whose centres lie between two coordinates.
  private static func centers(_ first: Double, _ last: Double, _ count: Int) -> Range<Int> {
    let first = min(max(Int(clamping: (first - 0.5).rounded(.up)), 0), count)
    return first..<min(max(Int(clamping: (last - 0.5).rounded(.down)) + 1, first), max(count, first))
  }

  /// Returns a premultiplied colour times a share over another one.
  private static func over(_ color: UInt32, _ share: Double, _ ground: UInt32) -> UInt32 {
    let own = SIMD4<Float>(pixel: color) * Float(share)
    return (own + SIMD4(pixel: ground) * (1 - own.x / 255)).pixel
  }
}

extension SIMD4<Float> {
  /// The parts of a pixel, the highest byte first.
  init(pixel: UInt32) {
    self.init(
      Float(pixel >> 24), Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255))
  }

  /// The pixel with these parts, rounded; they must be numbers from 0 to 255.
  var pixel: UInt32 {
    let parts = self + 0.5
    func byte(_ part: Float) -> UInt32 { UInt32(truncatingIfNeeded: Int(clamping: Double(part))) & 255 }
    return byte(parts.x) << 24 | byte(parts.y) << 16 | byte(parts.z) << 8 | byte(parts.w)
  }
}
