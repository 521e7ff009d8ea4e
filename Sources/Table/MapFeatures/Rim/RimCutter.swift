import Glibc
import MapGeometry

/// Cuts the lines and areas of a table at the rim of a projection, beyond which nothing can be shown.
///
/// An edge crosses the rim if its projected ends stay far apart however often it is halved, or cannot be projected.
/// Lines end there. Polygons are cut in degrees along the rim and projected again.
struct RimCutter {
  private let buffer: CoordinateBuffer
  private let path: RimPath
  private let antipode: (longitude: Double, latitude: Double)?
  private let area: ProjectedArea?
  private let operations: SpatialOperations
  /// The projected vertices.
  private let x: [Double]
  private let y: [Double]
  /// The vertices in degrees.
  private let longitude: [Double]
  private let latitude: [Double]
  private var result: CoordinateBuffer
  private var lostRows = 0
  private var cutRows = 0

  /// Creates a cutter for a table whose vertices have been projected to `x` and `y`.
  ///
  /// - Throws: ``SpatialOperationError``.
  init(
    _ buffer: CoordinateBuffer, from source: SpatialReference, to target: SpatialReference, x: [Double],
    y: [Double], _ operations: SpatialOperations
  ) throws(SpatialOperationError) {
    (self.buffer, self.x, self.y, self.operations) = (buffer, x, y, operations)
    var (longitude, latitude) = (buffer.x, buffer.y)
    try operations.project(x: &longitude, y: &latitude, from: source, to: .wgs84)
    if !source.isBuiltIn, buffer.kind != .multipoint {
      for part in buffer.partEnds.indices {
        for vertex in buffer.vertices(ofPart: part).dropFirst() {
          let step = longitude[vertex] - longitude[vertex - 1]
          if abs(step) > 180 { longitude[vertex] -= (step / 360).rounded() * 360 }
        }
      }
    }
    (self.longitude, self.latitude) = (longitude, latitude)
    let shape = operations.shape(of: target)
    path = RimPath(target, shape, operations)
    (antipode, area) = (shape?.antipode, shape?.area)
    result = CoordinateBuffer(kind: buffer.kind)
  }

  /// Returns all rows.
  ///
  /// - Throws: ``SpatialOperationError``.
  mutating func rows() throws(SpatialOperationError) -> PlacedRows {
    result.reserve(rows: buffer.rowCount, vertices: buffer.vertexCount)
    for row in 0..<buffer.rowCount {
      if buffer.isEmpty(row: row) {
        result.appendEmptyRow()
      } else if buffer.kind == .multipoint {
        appendPoints(row)
      } else if !holdsAntipode(row), buffer.parts(ofRow: row).allSatisfy({ isPlain($0) }) {
        for part in buffer.parts(ofRow: row) {
          for vertex in buffer.vertices(ofPart: part) { result.appendVertex(x: x[vertex], y: y[vertex]) }
          result.endPart()
        }
        result.endRow()
      } else {
        append(row)
      }
    }
    return PlacedRows(buffer: result, lostRows: lostRows, cutRows: cutRows)
  }

  private mutating func appendPoints(_ row: Int) {
    let vertices = buffer.vertices(ofRow: row)
    let shown = vertices.filter { x[$0].isFinite && y[$0].isFinite }
    for vertex in shown { result.appendVertex(x: x[vertex], y: y[vertex]) }
    result.endPart()
    result.endRow()
    count(isShown: !shown.isEmpty, isWhole: shown.count == vertices.count)
  }

  private mutating func append(_ row: Int) {
    let parts = buffer.parts(ofRow: row)
    let traces = parts.map { part in
      path.trace(buffer.vertices(ofPart: part).map { place($0) })
    }
    if buffer.kind == .polyline {
      for piece in traces.flatMap(\.pieces) where piece.count > 1 { append(piece) }
      let start = result.rowEnds.last ?? 0
      result.endRow()
      count(isShown: result.partEnds.count > start, isWhole: traces.allSatisfy { !$0.hasGap })
    } else if !holdsAntipode(row), traces.allSatisfy({ !$0.isCut }) {
      for trace in traces { for piece in trace.pieces { append(piece) } }
      result.endRow()
    } else {
      appendCut(row)
    }
  }

  private mutating func append(_ piece: [RimPath.Place]) {
    for place in piece { result.appendVertex(x: place.x, y: place.y) }
    result.endPart()
  }

  private mutating func count(isShown: Bool, isWhole: Bool) {
    if !isShown { lostRows += 1 } else if !isWhole { cutRows += 1 }
  }

  /// Whether each edge of a part is still nearly straight after projection.
  private func isPlain(_ part: Int) -> Bool {
    let vertices = buffer.vertices(ofPart: part)
    guard let first = vertices.first else { return true }
    guard place(first).hasImage else { return false }
    return vertices.dropFirst().allSatisfy { vertex in
      place(vertex).hasImage
        && path.isPlain(place(vertex - 1), place(vertex), longest: RimPath.longestEdge)
    }
  }

  private func place(_ vertex: Int) -> RimPath.Place {
    path.place(longitude[vertex], latitude[vertex], x[vertex], y[vertex])
  }

  /// Returns a row in degrees, as the only row of a buffer.
  private func degrees(_ row: Int) -> CoordinateBuffer {
    var degrees = CoordinateBuffer(kind: buffer.kind)
    for part in buffer.parts(ofRow: row) {
      for vertex in buffer.vertices(ofPart: part) {
        degrees.appendVertex(x: longitude[vertex], y: latitude[vertex])
      }
      degrees.endPart()
    }
    degrees.endRow()
    return degrees
  }

  /// Whether a polygon contains the point opposite the centre of the projection, which becomes the whole rim.
  private func holdsAntipode(_ row: Int) -> Bool {
    guard buffer.kind == .polygon, let antipode else { return false }
    var (west, south, east, north) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for vertex in buffer.vertices(ofRow: row) {
      (west, east) = (min(west, longitude[vertex]), max(east, longitude[vertex]))
      (south, north) = (min(south, latitude[vertex]), max(north, latitude[vertex]))
    }
    guard south <= antipode.latitude, antipode.latitude <= north else { return false }
    let first = antipode.longitude + ((west - antipode.longitude) / 360).rounded(.up) * 360
    guard first <= east else { return false }
    let locator = PointLocator(row: 0, of: degrees(row))
    return stride(from: first, through: min(east, first + 1080), by: 360).contains {
      locator.location(x: $0, y: antipode.latitude) != .outside
    }
  }

  /// Adds the parts of a polygon that can be projected.
  private mutating func appendCut(_ row: Int) {
    let polygon = degrees(row)
    let extent = polygon.envelope(ofRow: 0)
    guard let area, [extent.xMin, extent.yMin, extent.xMax, extent.yMax].allSatisfy(\.isFinite) else {
      result.appendEmptyRow()
      cutRows += 1
      return
    }
    var pieces: [[RimPath.Place]] = []
    var size = 0.0
    do throws(SpatialOperationError) {
      for shift in area.shifts(for: extent) {
        var moved = polygon
        moved.moveVertices { x, _ in for vertex in 0..<x.count { x[vertex] += shift } }
        guard let cut = try operations.cut(moved, to: area.polygon) else { continue }
        for row in 0..<cut.rowCount {
          size += cut.area(ofRow: row)
          for part in cut.parts(ofRow: row) {
            let ring = cut.vertices(ofPart: part).map { (cut.x[$0], cut.y[$0]) }
            let trace = path.trace(try path.places(ring, longest: 1))
            guard !trace.isCut else { throw SpatialOperationError("a ring crosses the rim after all") }
            pieces += trace.pieces
          }
        }
      }
    } catch {
      result.appendEmptyRow()
      cutRows += 1
      return
    }
    for piece in pieces { append(piece) }
    result.endRow()
    // A part that cannot be projected is missing from the area in degrees too.
    let whole = polygon.area(ofRow: 0)
    count(isShown: !pieces.isEmpty, isWhole: abs(size - whole) <= 1e-4 * whole)
  }
}

extension CoordinateBuffer {
  /// Returns the area of a row of polygons, in square units of the coordinates.
  fileprivate func area(ofRow row: Int) -> Double {
    polygons(ofRow: row).reduce(0) { sum, rings in
      let areas = rings.map { abs(ringArea(vertices(ofPart: $0))) }
      return sum + areas.dropFirst().reduce(areas.first ?? 0, -)
    }
  }

  private func ringArea(_ vertices: Range<Int>) -> Double {
    guard let first = vertices.first else { return 0 }
    return vertices.dropFirst().reduce(0) { sum, vertex in
      sum + (x[vertex - 1] - x[first]) * (y[vertex] - y[vertex - 1]) / 2
        - (y[vertex - 1] - y[first]) * (x[vertex] - x[vertex - 1]) / 2
    }
  }
}
