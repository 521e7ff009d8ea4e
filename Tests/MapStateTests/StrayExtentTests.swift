import MapFeatures
import MapGeometry
import MapModel
import MapState
import MapTestSupport
import Testing

/// The extent without stray parts, beside a search through all gaps between sorted coordinates.
@Suite struct StrayExtentTests {
  private struct Part {
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>
    var weight: Double
  }

  /// Returns a crowd, with a few parts far away on some of its sides.
  private static func parts(_ kind: GeometryKind, _ random: inout SeededGenerator) -> [Part] {
    var centers = (0..<Int.random(in: 150...600, using: &random)).map { _ in
      (
        x: Double.random(in: -2e6...2e6, using: &random), y: Double.random(in: -1e6...1e6, using: &random)
      )
    }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let far = Double.random(in: -9e6...9e6, using: &random)
      let near = Double.random(in: -1e6...1e6, using: &random)
      centers.append(Bool.random(using: &random) ? (far, near) : (near, far))
    }
    return centers.map { center in
      let side = kind == .point ? 0 : Double.random(in: 1e3...1e5, using: &random)
      return Part(
        x: center.x...center.x + side, y: center.y...center.y + side,
        weight: kind == .point ? 1 : side * side)
    }
  }

  private static func extent(_ parts: [Part], _ kind: GeometryKind, inDegrees: Bool) -> Envelope? {
    var geometry = CoordinateBuffer(kind: kind)
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      inDegrees ? (WebMercator.longitude(x: x), WebMercator.latitude(y: y)) : (x, y)
    }
    for part in parts {
      guard kind == .polygon else {
        let (x, y) = place(part.x.lowerBound, part.y.lowerBound)
        geometry.appendPoint(x: x, y: y)
        continue
      }
      let (left, right, top, bottom) = (
        part.x.lowerBound, part.x.upperBound, part.y.upperBound, part.y.lowerBound
      )
      for (x, y) in [(left, bottom), (left, top), (right, top), (right, bottom), (left, bottom)] {
        let (x, y) = place(x, y)
        geometry.appendVertex(x: x, y: y)
      }
      geometry.endPart()
      geometry.endRow()
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [], geometryKind: kind, spatialReference: inDegrees ? .wgs84 : .webMercator), columns: [],
      geometry: geometry, rowCount: parts.count)
    let rows = RowSet(rowCount: parts.count, all: true)
    return GroundExtent(of: [.rows(rows, table)], on: .webMercator).extentWithoutStrays()
  }

  /// Returns the parts that are left after the widest gaps are cut, one after the other.
  private static func kept(_ parts: [Part]) -> [Part] {
    let total = parts.reduce(0) { $0 + $1.weight }
    var kept = parts
    for _ in 0...16 {
      var widest: (width: Double, rest: [Part])?
      for side in [\Part.x, \Part.y] {
        let sorted = kept.sorted { $0[keyPath: side].lowerBound < $1[keyPath: side].lowerBound }
        let (first, last) = (
          sorted[0][keyPath: side].lowerBound, sorted.map { $0[keyPath: side].upperBound }.max() ?? 0
        )
        var end = -Double.infinity
        for index in sorted.indices.dropLast() {
          end = max(end, sorted[index][keyPath: side].upperBound)
          let start = sorted[index + 1][keyPath: side].lowerBound
          for (rest, size) in [
            (sorted[(index + 1)...], last - start), (sorted[...index], end - first),
          ] {
            let width = size > 0 ? (start - end) / size : start > end ? .infinity : 0
            guard width >= 0.125, width > widest?.width ?? 0 else { continue }
            let share = (total - rest.reduce(0) { $0 + $1.weight }) / total
            if share <= 0.01 { widest = (width, Array(rest)) }
          }
        }
      }
      guard let widest else { break }
      kept = widest.rest
    }
    return kept
  }

  @Test(
    "Strays are those beyond the widest gaps, up to 1 % of the weight",
    arguments: [GeometryKind.point, .polygon], [false, true])
  func generated(_ kind: GeometryKind, inDegrees: Bool) throws {
    var random = SeededGenerator(seed: 64)
    var left = 0
    for number in 0..<150 {
      let parts = Self.parts(kind, &random)
      let kept = Self.kept(parts)
      let found = Self.extent(parts, kind, inDegrees: inDegrees)
      guard kept.count < parts.count else {
        #expect(found == nil, "\(number)")
        continue
      }
      left += 1
      let extent = try #require(found, "\(number)")
      // Sides are moved by the width of the world and back, which rounds them.
      for (side, kept) in [
        (extent.xMin, kept.map(\.x.lowerBound).min()), (extent.yMin, kept.map(\.y.lowerBound).min()),
        (extent.xMax, kept.map(\.x.upperBound).max()), (extent.yMax, kept.map(\.y.upperBound).max()),
      ] {
        #expect(abs(side - (try #require(kept))) < 1e-5, "\(number)")
      }
    }
    #expect(left >= 50 && left <= 140, "\(left)")
  }
}
