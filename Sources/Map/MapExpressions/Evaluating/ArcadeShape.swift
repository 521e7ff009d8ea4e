internal import Glibc
internal import MapGeometry

/// A geometry of a table as the map shows it: degrees become Web Mercator.
struct ArcadeShape {
  private let buffer: CoordinateBuffer
  private let row: Int
  private let inDegrees: Bool

  init(_ buffer: CoordinateBuffer, row: Int, inDegrees: Bool) {
    (self.buffer, self.row, self.inDegrees) = (buffer, row, inDegrees)
  }

  /// The coordinates of a vertex.
  ///
  /// - Source: EPSG guidance note 7-2, Popular Visualisation Pseudo Mercator.
  func place(_ vertex: Int) -> (x: Double, y: Double) {
    let (x, y) = (buffer.x[vertex], buffer.y[vertex])
    guard inDegrees else { return (x, y) }
    let radius = 6_378_137.0
    let latitude = min(max(y, -89.999), 89.999) * .pi / 180
    return (x * .pi / 180 * radius, radius * log(tan(.pi / 4 + latitude / 2)))
  }

  /// The number of vertices.
  var count: Int { buffer.vertices(ofRow: row).count }

  /// The planar area, without the sign of the rings' direction; 0 for points and lines.
  var area: Double {
    buffer.kind == .polygon ? abs(buffer.parts(ofRow: row).reduce(0) { $0 + ring($1).area }) : 0
  }

  /// The planar length of the parts; 0 for points.
  var length: Double {
    guard buffer.kind == .polyline || buffer.kind == .polygon else { return 0 }
    return buffer.parts(ofRow: row).reduce(0) { $0 + line($1).length }
  }

  /// The planar centroid of the area, of the lines or of the points; nil for an empty area or line.
  var centroid: (x: Double, y: Double)? {
    var (x, y, weight) = (0.0, 0.0, 0.0)
    func add(_ other: (x: Double, y: Double), _ amount: Double) {
      x += other.x * amount
      y += other.y * amount
      weight += amount
    }
    switch buffer.kind {
    case .point: add(place(row), 1)
    case .multipoint: for vertex in buffer.vertices(ofRow: row) { add(place(vertex), 1) }
    case .polyline:
      for part in buffer.parts(ofRow: row) {
        let (length, center) = line(part)
        add(center, length)
      }
    case .polygon:
      for part in buffer.parts(ofRow: row) {
        let (area, center) = ring(part)
        add(center, area)
      }
    }
    return weight == 0 || !weight.isFinite ? nil : (x / weight, y / weight)
  }

  /// Returns the signed area and the centroid of a ring, computed relative to its first vertex for exactness.
  private func ring(_ part: Int) -> (area: Double, center: (x: Double, y: Double)) {
    let range = buffer.vertices(ofPart: part)
    guard let first = range.first else { return (0, (0, 0)) }
    let origin = place(first)
    var (twice, sumX, sumY) = (0.0, 0.0, 0.0)
    var last = (x: 0.0, y: 0.0)
    for vertex in range {
      let found = place(vertex)
      let next = (x: found.x - origin.x, y: found.y - origin.y)
      let cross = last.x * next.y - next.x * last.y
      twice += cross
      sumX += (last.x + next.x) * cross
      sumY += (last.y + next.y) * cross
      last = next
    }
    guard twice != 0 else { return (0, origin) }
    return (twice / 2, (origin.x + sumX / (3 * twice), origin.y + sumY / (3 * twice)))
  }

  /// Returns the length of a part and the centre of its segments.
  private func line(_ part: Int) -> (length: Double, center: (x: Double, y: Double)) {
    var (total, sumX, sumY) = (0.0, 0.0, 0.0)
    var last: (x: Double, y: Double)?
    for vertex in buffer.vertices(ofPart: part) {
      let next = place(vertex)
      if let last {
        let (dX, dY) = (next.x - last.x, next.y - last.y)
        let length = (dX * dX + dY * dY).squareRoot()
        total += length
        sumX += (last.x + dX / 2) * length
        sumY += (last.y + dY / 2) * length
      }
      last = next
    }
    guard total > 0 else { return (0, (0, 0)) }
    return (total, (sumX / total, sumY / total))
  }
}
