package import MapFeatures
import MapGeometry
package import MapModel
import MapSystem

/// Heat maps.
extension LayerSymbolizer {
  /// The largest number of steps of a heat map, which take about a minute.
  private static let heatmapSteps = 1e11

  /// The radius of a heat map's kernel in output pixels.
  private func radius(of renderer: HeatmapRenderer) -> Double {
    renderer.radius * view.pixelRatio * view.symbolFactor(of: layer)
  }

  /// Returns the rows whose kernels cover a point of the image, the nearest first.
  ///
  /// - Parameter tolerance: a distance in output pixels that is added to the radius.
  package func heatmapRows(
    _ renderer: HeatmapRenderer, coveringX x: Double, y: Double, tolerance: Double, among rows: RowSet,
    of table: FeatureColumns
  ) -> [Int] {
    guard let geometry = table.geometry, renderer.radius > 0,
      renderer.radius <= HeatmapRenderer.radiusLimit
    else { return [] }
    let weights = renderer.fieldName.flatMap { name in
      table.schema.index(ofField: name).map { table.columns[$0].readingNumbers }
    }
    let reach = radius(of: renderer) + tolerance
    let worlds = worlds(reach: reach)
    let window = transform.canvas.grown(by: radius(of: renderer))
    var found: [(row: Int, distance: Double)] = []
    for row in rows {
      let weight = weights.map { $0.number(at: row) ?? 0 } ?? 1
      guard weight.isFinite, weight != 0 else { continue }
      var nearest = Double.infinity
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
          // Points beyond are not in the image.
          guard window.contains(x: pixel.x, y: pixel.y) else { continue }
          let (dx, dy) = (pixel.x - x, pixel.y - y)
          nearest = min(nearest, dx * dx + dy * dy)
        }
      }
      if nearest < reach * reach { found.append((row, nearest)) }
    }
    return found.sorted { ($0.distance, $0.row) < ($1.distance, $1.row) }.map(\.row)
  }

  /// Returns an image of the density of some rows, or the reason why there is none.
  ///
  /// - Parameters:
  ///   - painted: gets the rows in the view, and the other rows whose kernel reaches into it; a row without a weight
  ///     is invisible.
  func heatmap(
    _ renderer: HeatmapRenderer, _ rows: [Int], of table: FeatureColumns, _ geometry: CoordinateBuffer,
    visible: RowSet, painted: inout PaintedRows
  ) -> (batches: [DisplayBatch], failures: [String]) {
    guard renderer.radius > 0, renderer.radius <= HeatmapRenderer.radiusLimit else {
      return (
        [],
        [
          "nothing is drawn: the radius of the heat map is \(renderer.radius) pixels, not above 0 and up to \(Int(clamping: HeatmapRenderer.radiusLimit))"
        ]
      )
    }
    let weights = renderer.fieldName.flatMap { name in
      table.schema.index(ofField: name).map { table.columns[$0].readingNumbers }
    }
    let (canvas, radius) = (transform.canvas, radius(of: renderer))
    let worlds = worlds(reach: radius)
    let window = canvas.grown(by: radius)
    var points: [DensityGrid.Point] = []
    let hasInk = renderer.colorStops.contains { $0.color.alpha > 0 }
    for row in rows {
      let weight = weights.map { $0.number(at: row) ?? 0 } ?? 1
      let isWeighed = weight.isFinite && weight != 0
      let isDrawn = visible.contains(row)
      var isNear = false
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
          guard window.contains(x: pixel.x, y: pixel.y) else { continue }
          isNear = true
          guard isWeighed else { continue }
          points.append(DensityGrid.Point(x: pixel.x, y: pixel.y, weight: weight))
        }
      }
      painted.add(row, isInView: isDrawn, isNear && isWeighed && hasInk ? .certain : .none)
    }
    let (width, height) = (Int(clamping: canvas.xMax.rounded()), Int(clamping: canvas.yMax.rounded()))
    let steps = Double(points.count) * min(4 * radius * radius, Double(width) * Double(height))
    guard steps <= Self.heatmapSteps else {
      return (
        [],
        ["nothing is drawn: \(points.count) points are too many for a radius of \(renderer.radius) pixels"]
      )
    }
    let density = DensityGrid(width: width, height: height, radius: radius, points: points)
    let unit = 3 / (Double.pi * renderer.radius * renderer.radius)
    let colors = renderer.colors
    let empty = colors(0).premultiplied
    let pixels = density.values.map { $0 == 0 ? empty : colors($0 * unit).premultiplied }
    return ([.image(DisplayImage(width: width, pixels: pixels))], [])
  }
}

extension Color {
  /// The premultiplied colour: alpha, red, green and blue from the highest byte down.
  var premultiplied: UInt32 {
    let alpha = UInt32(alpha)
    func channel(_ value: UInt8) -> UInt32 { (UInt32(value) * alpha + 127) / 255 }
    return alpha << 24 | channel(red) << 16 | channel(green) << 8 | channel(blue)
  }
}
