import MapExpressions
package import MapFeatures
import MapFilter
import MapGeometry
package import MapModel
import MapSystem

/// Dot density.
extension LayerSymbolizer {
  /// The largest number of dots of a layer.
  ///
  /// - Source: design decision: more than any image has pixels to show.
  private static let largestDotCount = 10_000_000.0

  /// Returns the dots of some rows, in their order, and the reasons for those that are left out.
  func dots(
    _ renderer: DotDensityRenderer, _ rows: [Int], of table: FeatureColumns, _ geometry: CoordinateBuffer
  ) -> (batches: [DisplayBatch], failures: [String]) {
    guard renderer.dotValue > 0 else {
      return ([], ["no dots are drawn: their value is \(renderer.dotValue), not above 0"])
    }
    var failures: [String] = []
    let values = renderer.attributes.map { attribute in
      numbers(of: attribute, rows, table, &failures)
    }
    let counts = rows.indices.map { index in
      values.map { ($0[index] ?? 0) / renderer.dotValue }.map { $0 > 0 ? $0.rounded() : 0 }
    }
    let total = counts.reduce(0) { $0 + $1.reduce(0, +) }
    guard total <= Self.largestDotCount else {
      let limit = Int(clamping: Self.largestDotCount)
      return (
        [],
        failures + [
          "no dots are drawn: there are \(total) of them, and \(limit) can be drawn; raise dotValue from \(renderer.dotValue)"
        ]
      )
    }
    let styles = SymbolStyles(
      dots: renderer, pixelRatio: view.pixelRatio * view.symbolFactor(of: layer))
    let ids = ObjectIDs(table)
    let worlds = worlds(reach: styles.reach)
    let window = transform.canvas.grown(by: styles.reach)
    let pieces = (0..<rows.count).pieces(of: 64)
    let parts = concurrentMap(pieces.count) { piece in
      var part = (batch: MarkerBatch(styles: []), left: 0)
      for index in pieces[piece] where counts[index].contains(where: { $0 > 0 }) {
        let row = rows[index]
        let area = sampler(of: row, geometry)
        var placed: [(order: Double, style: Int, x: Double, y: Double)] = []
        for (style, count) in counts[index].enumerated() where count > 0 {
          var random = SplitMix64(
            seed: UInt64(bitPattern: Int64(renderer.seed)) ^ UInt64(bitPattern: ids.id(ofRow: row))
              &* 0x1_0000
              &+ UInt64(style))
          // The first numbers of near seeds are alike.
          for _ in 0..<4 { _ = random.next() }
          for dot in 0..<Int(clamping: count) {
            guard let point = area?.point(&random) else {
              part.left += Int(clamping: count) - dot
              break
            }
            placed.append(((Double(dot) + 0.5) / count, style, point.x, point.y))
          }
        }
        // No colour lies on top of the others.
        for dot in placed.sorted(by: { ($0.order, $0.style) < ($1.order, $1.style) }) {
          for world in worlds {
            let pixel = transform.pixel(mapX: dot.x, mapY: dot.y, world: world)
            guard window.contains(x: pixel.x, y: pixel.y) else { continue }
            part.batch.x.append(pixel.x)
            part.batch.y.append(pixel.y)
            part.batch.style.append(UInt32(dot.style))
            part.batch.row.append(Int32(row))
          }
        }
      }
      return part
    }
    var batch = MarkerBatch(styles: styles.markers)
    batch.reserve(parts.reduce(0) { $0 + $1.batch.row.count })
    for part in parts { batch.append(part.batch) }
    let left = parts.reduce(0) { $0 + $1.left }
    if left > 0 { failures.append("\(left) dots are not drawn: their areas are too thin") }
    return ([.markers(batch)], failures)
  }

  /// Returns for each attribute the number of dots per square view pixel around a typical dot: half of the dots of some
  /// rows lie in areas that are as dense, or denser.
  ///
  /// The mean of all areas would be lower than where most dots are.
  ///
  /// - Cost: one pass over the vertices of the rows.
  package func dotDensities(
    _ renderer: DotDensityRenderer, _ rows: RowSet, of table: FeatureColumns
  ) -> [Double] {
    guard renderer.dotValue > 0, let geometry = table.geometry else { return [] }
    let rows = Array(rows)
    let areas = rows.map { row in
      var twice = 0.0
      for part in geometry.parts(ofRow: row) {
        let points = geometry.vertices(ofPart: part).map {
          transform.mapPoint(x: geometry.x[$0], y: geometry.y[$0])
        }
        for (start, end) in zip(points, points.dropFirst()) { twice += start.x * end.y - end.x * start.y }
      }
      return twice.isFinite ? twice.magnitude / 2 : 0
    }
    let pixel = view.viewpoint.resolution * view.viewpoint.resolution
    guard pixel > 0, areas.contains(where: { $0 > 0 }) else { return [] }
    return renderer.attributes.map { attribute in
      var failures: [String] = []
      let found = zip(numbers(of: attribute, rows, table, &failures), areas).compactMap { number, area in
        let dots = ((number ?? 0) / renderer.dotValue).rounded()
        return dots > 0 && area > 0 ? (dots: dots, density: dots / (area / pixel)) : nil
      }.sorted { $0.density > $1.density }
      var left = found.reduce(0) { $0 + $1.dots } / 2
      for item in found {
        left -= item.dots
        if left <= 0 { return item.density }
      }
      return 0
    }
  }

  /// Returns the number of an attribute for each of some rows; nil for null and text.
  private func numbers(
    of attribute: RendererAttribute, _ rows: [Int], _ table: FeatureColumns, _ failures: inout [String]
  ) -> [Double?] {
    let (numbers, failure) = attribute.numbers(of: rows, in: table, view: view)
    if let failure { failures.append("an expression of the renderer fails for some features: \(failure)") }
    return numbers
  }

  /// Returns the area of a row in the spatial reference of the map; nil for one without an inside.
  private func sampler(of row: Int, _ geometry: CoordinateBuffer) -> AreaSampler? {
    var area = AreaSampler()
    for part in geometry.parts(ofRow: row) {
      let points = geometry.vertices(ofPart: part).map {
        transform.mapPoint(x: geometry.x[$0], y: geometry.y[$0])
      }
      for (start, end) in zip(points, points.dropFirst()) { area.addEdge(from: start, to: end) }
      if let first = points.first, let last = points.last, first != last {
        area.addEdge(from: last, to: first)
      }
    }
    return area.prepare() ? area : nil
  }
}
