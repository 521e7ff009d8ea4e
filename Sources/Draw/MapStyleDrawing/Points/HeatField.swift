import Glibc
import MapSystem

/// The sum of Gaussian kernels over the pixels of an image.
struct HeatField {
  /// The kernel of a point.
  struct Kernel {
    private(set) var x = 0.0
    private(set) var y = 0.0
    /// The distance that the style gives as radius: three standard deviations.
    let radius: Double
    /// The value at the point.
    let peak: Double
    /// Half the side of the square beyond which the kernel is 0.
    let reach: Double

    /// The value at the point of a kernel of height 1: that of the normal distribution.
    private static let peakOfOne = 0.3989422804014327
    /// The value from which on a kernel is drawn.
    private static let least = 1.0 / 255 / 16

    /// Creates a kernel.
    ///
    /// - Source: MapLibre GL JS 5.
    init(radius: Double, height: Double) {
      self.radius = radius
      // More is saturated everywhere.
      peak = min(height, 1e6) * Self.peakOfOne
      // This comparison is false for NaN.
      reach = peak > Self.least ? radius * (-2 * log(Self.least / peak)).squareRoot() / 3 : 0
    }

    /// Returns the kernel at a point.
    func at(x: Double, y: Double) -> Kernel {
      var kernel = self
      (kernel.x, kernel.y) = (x, y)
      return kernel
    }
  }

  private let width: Int
  private let height: Int
  /// The pixels from one value to the next; the first is at the centre of the first pixel.
  private let side: Int
  private let columns: Int
  private let values: [Float]

  /// The largest number of values that are added, which takes about ten seconds.
  private static let stepLimit = 1e10

  /// Adds kernels; nil when they take too long.
  ///
  /// - Error: between values they are interpolated, which changes them by at most 2 % of the peak.
  init?(_ kernels: [Kernel], width: Int, height: Int) {
    let least = kernels.reduce(Double.infinity) { min($0, $1.radius) }
    // An eighth of a kernel's radius.
    let side = min(max(Int(clamping: (least / 8).rounded(.down)), 1), 4)
    let columns = (width + side - 1) / side + 1
    let rows = (height + side - 1) / side + 1
    let steps = kernels.reduce(0.0) { sum, kernel in
      let length = 2 * kernel.reach / Double(side) + 1
      return sum + min(length, Double(columns)) * min(length, Double(rows))
    }
    guard steps <= Self.stepLimit else { return nil }
    var values = [Float](repeating: 0, count: columns * rows)
    var across: [Float] = []
    for kernel in kernels {
      func range(_ center: Double, _ count: Int) -> ClosedRange<Int>? {
        let first = max(Int(clamping: ((center - 0.5 - kernel.reach) / Double(side)).rounded(.up)), 0)
        let last = min(
          Int(clamping: ((center - 0.5 + kernel.reach) / Double(side)).rounded(.down)), count - 1)
        return first <= last ? first...last : nil
      }
      guard let wide = range(kernel.x, columns), let tall = range(kernel.y, rows) else { continue }
      func share(_ index: Int, _ center: Double) -> Float {
        let distance = (Double(index * side) + 0.5 - center) / kernel.radius
        return Float(exp(-4.5 * distance * distance))
      }
      // The kernel is a product of one along each axis.
      across.removeAll(keepingCapacity: true)
      for column in wide { across.append(share(column, kernel.x) * Float(kernel.peak)) }
      for row in tall {
        let down = share(row, kernel.y)
        let start = row * columns + wide.lowerBound
        for index in across.indices { values[start + index] += across[index] * down }
      }
    }
    (self.width, self.height, self.side, self.columns) = (width, height, side, columns)
    self.values = values
  }

  /// Returns the pixels with the colours of a ramp from 0 to 1.
  func pixels(_ ramp: [UInt32]) -> [UInt32] {
    let last = Float(ramp.count - 1)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    let step = 1 / Float(side)
    for row in 0..<height {
      let (top, down) = Self.cell(row, side, step)
      let (upper, lower) = (top * columns, (top + 1) * columns)
      for column in 0..<width {
        let (left, right) = Self.cell(column, side, step)
        let above = values[upper + left] * (1 - right) + values[upper + left + 1] * right
        let below = values[lower + left] * (1 - right) + values[lower + left + 1] * right
        let value = min(above * (1 - down) + below * down, 1)
        pixels.append(ramp[Int(clamping: Double(value * last + 0.5))])
      }
    }
    return pixels
  }

  /// Returns the value before the centre of a pixel, and the part of the way to the next one.
  private static func cell(_ pixel: Int, _ side: Int, _ step: Float) -> (index: Int, part: Float) {
    let index = pixel / side
    return (index, Float(pixel - index * side) * step)
  }
}
