import Foundation
import MapGeometry
import MapState
import MapTestSupport
import Testing

/// Compares the union of polygons that overlap with that of GEOS.
@Suite struct PolygonUnionAreaTests {
  /// A star around a point, whose rays have random lengths, and maybe the same star as a hole, half as large.
  private static func star(_ random: inout SeededGenerator) -> [[Point]] {
    let (x, y) = (Double.random(in: 0...20, using: &random), Double.random(in: 0...20, using: &random))
    let count = Int.random(in: 3...24, using: &random)
    let rays = (0..<count).map { index -> (x: Double, y: Double) in
      let angle = Double(index) * 2 * .pi / Double(count)
      let length = Double.random(in: 2...9, using: &random)
      return (length * cos(angle), length * sin(angle))
    }
    let factors = Bool.random(using: &random) ? [1, 0.5] : [1]
    return factors.map { factor in
      (rays + [rays[0]]).map { Point(x: x + $0.x * factor, y: y + $0.y * factor) }
    }
  }

  @Test("The union of 2,000 generated features has the area and the points of GEOS's union")
  func areas() throws {
    var random = SeededGenerator(seed: 44)
    var joined = 0
    for index in 0..<2000 {
      let polygons = (0..<Int.random(in: 2...6, using: &random)).map { _ in Self.star(&random) }
      var builder = CoordinateBuilder()
      try builder.beginRow(.polygon)
      for polygon in polygons {
        for ring in polygon {
          for point in ring { try builder.addVertex(x: point.x, y: point.y) }
          try builder.endPart()
        }
        builder.endPolygon()
      }
      builder.endRow()
      #expect(builder.overlappingRows == 0, "feature \(index)")
      joined += builder.joinedRows
      let own = try #require(builder.result?.geometry(ofRow: 0, spatialReference: .webMercator) as? Polygon)
      let union = try #require(
        GeometryEngine.union(of: polygons.map { Polygon(parts: $0, spatialReference: .webMercator) })
          as? Polygon)
      let (area, expected) = (GeometryEngine.area(of: own), GeometryEngine.area(of: union))
      #expect(abs(area - expected) <= 1e-9 * expected, "feature \(index): \(area), GEOS \(expected)")
    }
    #expect(joined > 1500)
  }
}
