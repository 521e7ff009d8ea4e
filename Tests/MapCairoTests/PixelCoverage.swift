/// The exact coverage of pixels by convex polygons, from clipping each polygon to each pixel.
struct PixelCoverage {
  typealias Corner = SIMD2<Double>

  let width: Int
  let height: Int
  /// The coverage of each pixel, row by row, from 0 to 1.
  private(set) var values: [Double]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = Array(repeating: 0, count: width * height)
  }

  /// Adds the coverage of a convex polygon, `factor` times; -1 takes it away.
  mutating func add(_ polygon: [Corner], factor: Double = 1) {
    guard let top = polygon.map(\.y).min(), let bottom = polygon.map(\.y).max() else { return }
    for row in max(0, Int(top))..<max(max(0, Int(top)), min(height, Int(bottom) + 1)) {
      let above = Self.clip(polygon, axis: 1, at: Double(row), keepsGreater: true)
      let strip = Self.clip(above, axis: 1, at: Double(row + 1), keepsGreater: false)
      guard let left = strip.map(\.x).min(), let right = strip.map(\.x).max() else { continue }
      for column in max(0, Int(left))..<max(max(0, Int(left)), min(width, Int(right) + 1)) {
        let after = Self.clip(strip, axis: 0, at: Double(column), keepsGreater: true)
        let inside = Self.clip(after, axis: 0, at: Double(column + 1), keepsGreater: false)
        values[row * width + column] += factor * Self.area(inside)
      }
    }
  }

  /// Returns the part of a convex polygon on one side of a line across an axis.
  static func clip(_ polygon: [Corner], axis: Int, at bound: Double, keepsGreater: Bool) -> [Corner] {
    guard var last = polygon.last else { return [] }
    var kept: [Corner] = []
    let sign = keepsGreater ? 1.0 : -1.0
    for corner in polygon {
      let (a, b) = ((last[axis] - bound) * sign, (corner[axis] - bound) * sign)
      if (a > 0) != (b > 0) { kept.append(last + (corner - last) * (a / (a - b))) }
      if b > 0 { kept.append(corner) }
      last = corner
    }
    return kept
  }

  /// Returns the area of a polygon.
  static func area(_ polygon: [Corner]) -> Double {
    guard let origin = polygon.first, var last = polygon.last else { return 0 }
    var twice = 0.0
    for corner in polygon {
      let (a, b) = (last - origin, corner - origin)
      twice += a.x * b.y - a.y * b.x
      last = corner
    }
    return abs(twice) / 2
  }
}
