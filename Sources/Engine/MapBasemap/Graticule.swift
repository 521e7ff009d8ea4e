package import MapFeatures
import MapGeometry
import MapSystem

/// Meridians and parallels at regular distances, in Web Mercator.
package enum Graticule {
  static let schema = FeatureSchema(
    fields: [Field(name: "class", type: .int32)], geometryKind: .polyline, spatialReference: .webMercator)

  /// The possible distances of lines in degrees.
  private static let spacings: [Double] = [30, 20, 10, 5, 2, 1, 0.5, 0.25]
  /// The smallest distance between lines at the equator in view pixels.
  private static let fewestPixels = 110.0

  /// Returns the distance of lines in degrees at a scale denominator.
  ///
  /// - Source: design decision; lines at the equator are at least 110 view pixels apart.
  package static func spacing(atScale scale: Double) -> Double {
    let degree = 2 * WebMercator.halfWorld / 360
    // A view pixel is 1/96 inch.
    let wanted = fewestPixels * scale * 0.0254 / 96 / degree
    return spacings.last { $0 >= wanted } ?? spacings[0]
  }

  /// Returns the lines with a distance in degrees.
  ///
  /// - Cost: O(lines); at most 2,160 at a quarter of a degree.
  package static func table(spacing: Double) -> FeatureColumns {
    var lines = CoordinateBuffer(kind: .polyline)
    let side = WebMercator.halfWorld
    let meridians = Int(clamping: (180 / spacing).rounded())
    // Meridians would run together at the poles.
    let end = WebMercator.y(latitude: 88)
    for index in -meridians..<meridians {
      let x = WebMercator.x(longitude: Double(index) * spacing)
      lines.appendVertex(x: x, y: -end)
      lines.appendVertex(x: x, y: end)
      lines.endPart()
      lines.endRow()
    }
    let parallels = Int(clamping: (88 / spacing).rounded(.down))
    for index in -parallels...parallels {
      let y = WebMercator.y(latitude: Double(index) * spacing)
      lines.appendVertex(x: -side, y: y)
      lines.appendVertex(x: side, y: y)
      lines.endPart()
      lines.endRow()
    }
    let count = lines.rowCount
    return FeatureColumns(
      schema: schema, columns: [Column(.integers(Array(repeating: 0, count: count)))], geometry: lines,
      rowCount: count)
  }
}
