import MapSystem

/// The density of weighted points at the centres of an image's pixels.
///
/// - Source: the quartic kernel of Silverman, "Density Estimation", equation 4.5, without its constant: a point adds
///   `weight · (1 − d² / r²)²` to each pixel at a distance d below the radius r.
struct DensityGrid {
  /// A point in pixels.
  struct Point: Sendable {
    let x: Double
    let y: Double
    let weight: Double
  }

  /// The rows of pixels that are computed together.
  private static let bandRows = 32

  /// The sums, row by row.
  let values: [Double]

  /// Adds the points, in their order at every pixel, so that the sums are the same for every number of threads.
  ///
  /// - Cost: one step for each point and pixel within its radius, on all cores.
  init(width: Int, height: Int, radius: Double, points: [Point]) {
    let bands = (0..<height).pieces(of: Self.bandRows)
    var members: [[Int32]] = Array(repeating: [], count: bands.count)
    for (index, point) in points.enumerated() {
      guard let rows = Self.pixels(around: point.y, radius, limit: height) else { continue }
      for band in rows.lowerBound / Self.bandRows...(rows.upperBound - 1) / Self.bandRows {
        members[band].append(Int32(index))
      }
    }
    let parts = concurrentMap(bands.count) { [members] band in
      var sums = [Double](repeating: 0, count: bands[band].count * width)
      for member in members[band] {
        Self.add(points[Int(member)], radius: radius, to: &sums, width: width, rows: bands[band])
      }
      return sums
    }
    values = parts.flatMap { $0 }
  }

  private static func add(
    _ point: Point, radius: Double, to sums: inout [Double], width: Int, rows: Range<Int>
  ) {
    guard let near = pixels(around: point.y, radius, limit: rows.upperBound),
      near.upperBound > rows.lowerBound
    else { return }
    let (square, scale) = (radius * radius, 1 / (radius * radius))
    for row in max(near.lowerBound, rows.lowerBound)..<near.upperBound {
      let dy = Double(row) + 0.5 - point.y
      let half = square - dy * dy
      guard half > 0, let columns = pixels(around: point.x, half.squareRoot(), limit: width) else { continue }
      let start = (row - rows.lowerBound) * width
      for column in columns {
        let dx = Double(column) + 0.5 - point.x
        let rest = (half - dx * dx) * scale
        if rest > 0 { sums[start + column] += point.weight * rest * rest }
      }
    }
  }

  /// Returns the pixels from 0 to a limit whose centres are within a distance of a coordinate; nil for none.
  private static func pixels(around place: Double, _ distance: Double, limit: Int) -> Range<Int>? {
    let first = max(0, (place - distance - 0.5).rounded(.up))
    let last = min(Double(limit) - 1, (place + distance - 0.5).rounded(.down))
    guard first <= last else { return nil }
    return Int(clamping: first)..<Int(clamping: last) + 1
  }
}
