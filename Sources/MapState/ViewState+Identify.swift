import MapCairo
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel

extension ViewState {
  /// The rows of a layer whose painting meets a circle, from top to bottom.
  ///
  /// What is hit is what the id picture shows: a pixel of the circle that the feature would own were nothing above it.
  /// - Parameters:
  ///   - tolerance: the circle's radius in view pixels; 0 is the picture's pixel under the place alone.
  ///   - maximum: the most rows.
  /// - Cost: the features near the place are drawn, once for each row asked for that lies under others.
  /// - Throws: ``LayerError``, or what painting throws.
  func rows(
    of layer: LayerState, hitAt place: ScreenPoint, tolerance: Double, maximum: Int
  ) async throws -> [Int] {
    let pixels = pixels(around: place, tolerance: tolerance)
    guard !pixels.isEmpty, maximum > 0, layer.isShown(atScale: viewpoint.scale) else { return [] }
    var left = try await drawing(of: layer, index: 0, window: ground(around: place, tolerance: tolerance))
      .layer
    // Later items lie above; of a row its topmost counts.
    var height: [Int: Int] = [:]
    for (item, row) in left.paintedRows.enumerated() { height[row] = item }
    var found: Set<Int> = []
    // The topmost so many are uncovered by so many peels.
    for _ in 0..<min(maximum, height.count) {
      let owners = try IDPainter.owners(of: pixels, in: left, width: pictureWidth, height: pictureHeight)
      guard !owners.isEmpty else { break }
      found.formUnion(owners)
      left = left.removing(rows: owners)
    }
    return Array(found.sorted { height[$0, default: 0] > height[$1, default: 0] }.prefix(maximum))
  }

  /// The pixels of the picture whose centres lie in a circle, and the one under its centre.
  private func pixels(around place: ScreenPoint, tolerance: Double) -> [(x: Int, y: Int)] {
    let (x, y, radius) = (place.x * pixelRatio, place.y * pixelRatio, tolerance * pixelRatio)
    guard x.isFinite, y.isFinite, radius.isFinite else { return [] }
    func range(_ middle: Double, _ limit: Int) -> Range<Int> {
      let first = min(max((middle - radius).rounded(.down), 0), Double(limit))
      let last = min(max((middle + radius).rounded(.down) + 1, first), Double(limit))
      return Int(clamping: first)..<Int(clamping: last)
    }
    let columns = range(x, pictureWidth)
    return range(y, pictureHeight).flatMap { row in
      columns.compactMap { column in
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let isUnder = Double(column) == x.rounded(.down) && Double(row) == y.rounded(.down)
        return isUnder || dx * dx + dy * dy <= radius * radius ? (column, row) : nil
      }
    }
  }

  /// The upright box on the ground around a circle, with a pixel to spare.
  private func ground(around place: ScreenPoint, tolerance: Double) -> Envelope {
    let reach = (tolerance + 2 / pixelRatio) * viewpoint.resolution * 2.0.squareRoot()
    let middle = ViewPlace(viewpoint: viewpoint, width: width, height: height).location(of: place)
    return middle.extent.grown(by: reach)
  }
}
