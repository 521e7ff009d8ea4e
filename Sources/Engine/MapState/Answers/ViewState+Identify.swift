import MapCairo
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapSystem

extension ViewState {
  /// Returns the rows of a layer whose drawn symbols intersect a circle, from top to bottom.
  ///
  /// A feature is hit if it would own a pixel of the circle in the id image, with nothing above it. A
  /// cluster has all its features, in the order of the table. Of a heat map, those features are hit whose kernels
  /// cover the circle, the nearest first.
  /// - Parameters:
  ///   - tolerance: the circle's radius in view pixels; 0 tests only the output pixel at the point.
  ///   - maximum: the maximum number of rows.
  /// - Cost: the features near the point are drawn, once more for each requested row that lies below others.
  /// - Throws: ``MapStateError``, or the error of painting.
  package func rows(
    of layer: LayerState, hitAt place: ScreenPoint, tolerance: Double, maximum: Int
  ) async throws -> [Int] {
    let pixels = pixels(around: place, tolerance: tolerance)
    guard !pixels.isEmpty, maximum > 0, layer.isShown(atScale: viewpoint.scale) else { return [] }
    if case .heatmap(let renderer) = layer.renderer, layer.cells == nil, aggregation(of: layer) == nil {
      return Array(try await rows(of: layer, renderer, hitAt: place, tolerance: tolerance).prefix(maximum))
    }
    let drawing = try await drawing(
      of: layer, index: 0, window: ground(around: place, tolerance: tolerance))
    var left = drawing.layer
    // Later items are above earlier ones; the topmost item of a row counts.
    var height: [Int: Int] = [:]
    for (item, row) in left.paintedRows.enumerated() { height[row] = item }
    var found: Set<Int> = []
    // Each round removes the topmost owners, so `maximum` rounds find the topmost `maximum` rows.
    for _ in 0..<min(maximum, height.count) {
      let owners = try IDPainter.owners(of: pixels, in: left, width: pictureWidth, height: pictureHeight)
      guard !owners.isEmpty else { break }
      found.formUnion(owners)
      left = left.removing(rows: owners)
    }
    let rows = found.sorted { height[$0, default: 0] > height[$1, default: 0] }
    return Array(rows.flatMap { drawing.clusters?.features[$0] ?? [$0] }.prefix(maximum))
  }

  /// Returns the rows of a heat map whose kernels cover a circle.
  private func rows(
    of layer: LayerState, _ renderer: HeatmapRenderer, hitAt place: ScreenPoint, tolerance: Double
  ) async throws -> [Int] {
    let symbolizer = symbolizer(of: layer)
    let features = try await layer.source.whole()
    var conditions = conditions(for: layer)
    conditions.viewArea = QueryArea(
      symbolizer.fetchEnvelopes(in: ground(around: place, tolerance: tolerance)))
    let rows = try features.rows(conditions.query(for: .drawing))
    return symbolizer.heatmapRows(
      renderer, coveringX: place.x * pixelRatio, y: place.y * pixelRatio, tolerance: tolerance * pixelRatio,
      among: rows, of: try features.shownColumns(on: spatialReference))
  }

  /// Returns the output pixels whose centres are in a circle, and the pixel at its centre.
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

  /// Returns the envelope of a circle on the ground, with a margin of one pixel.
  private func ground(around place: ScreenPoint, tolerance: Double) -> Envelope {
    let reach = (tolerance + 2 / pixelRatio) * viewpoint.resolution * 2.0.squareRoot()
    let middle = ViewPlace(viewpoint: viewpoint, width: width, height: height).location(of: place)
    return middle.extent.grown(by: reach)
  }
}
