import MapFeatures
import MapGeometry
import MapModel

/// The part of the basemap that a view may show when its spatial reference is not built in.
///
/// The basemap is cut to this part before it is projected, because no projection keeps every area of the world
/// whole.
struct BasemapGround: Hashable {
  /// The map's spatial reference.
  let reference: SpatialReference
  /// The rectangles to cut out, in Web Mercator: none, one or two.
  private let windows: [Envelope]
  /// The longest edge, in metres.
  ///
  /// Longer edges get additional vertices, so that they follow the projection's curves.
  private let longestEdge: Double
  /// The latitude limit.
  ///
  /// The basemap's land ends 1 km from the pole.
  private static let lastLatitude = 89.999

  /// Creates the ground of a view; nil in Web Mercator or degrees, where the basemap is drawn without projection.
  ///
  /// - Cost: a projection of 1,089 points.
  init?(of view: Envelope, operations: SpatialOperations) {
    guard let reference = view.spatialReference, !reference.isBuiltIn else { return nil }
    self.reference = reference
    let world = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    let ground = operations.ground(of: view) ?? world
    // Both sides overlap where the map continues past 180°; otherwise a gap would show.
    let isWhole = Self.goesOn(
      pastAntimeridianAt: (ground.yMin + ground.yMax) / 2, in: reference, operations)
    let edge = isWhole ? 180.05 : 180 - 1e-6
    let turns = ground.width >= 360 ? 0...0 : -1...1
    windows = turns.compactMap { turn in
      let shift = Double(turn) * 360
      let (west, east) = turns.count == 1 ? (-edge, edge) : (ground.xMin - shift, ground.xMax - shift)
      let window = Envelope(
        xMin: max(west, -edge), yMin: max(ground.yMin, -Self.lastLatitude), xMax: min(east, edge),
        yMax: min(ground.yMax, Self.lastLatitude), spatialReference: .wgs84)
      guard window.xMin < window.xMax, window.yMin < window.yMax else { return nil }
      return window.projected(to: .webMercator)
    }
    let size = windows.map { max($0.width, $0.height) }.max() ?? 0
    longestEdge = max(size / 128, 1)
  }

  /// Whether both sides of 180° lie next to each other on the map.
  private static func goesOn(
    pastAntimeridianAt latitude: Double, in reference: SpatialReference, _ operations: SpatialOperations
  ) -> Bool {
    var (x, y) = ([179.98, 179.99, -179.99], [latitude, latitude, latitude])
    do {
      try operations.project(x: &x, y: &y, from: .wgs84, to: reference)
    } catch {
      return false
    }
    func distance(_ a: Int, _ b: Int) -> Double {
      let (dx, dy) = (x[a] - x[b], y[a] - y[b])
      return (dx * dx + dy * dy).squareRoot()
    }
    return distance(1, 2) < 4 * distance(0, 1)
  }

  /// Returns the parts of a basemap layer inside the windows, in the map's spatial reference.
  ///
  /// The projection cuts geometries again at the boundary of its domain.
  func cut(
    _ table: FeatureColumns, operations: SpatialOperations
  ) throws(SpatialOperationError) -> FeatureColumns {
    guard let whole = table.geometry else { return table }
    var pieces = CoordinateBuffer(kind: whole.kind)
    var rows: [Int] = []
    for window in windows {
      for row in 0..<whole.rowCount where whole.envelope(ofRow: row).meets(window) {
        pieces.appendRow(row, of: whole, clippedTo: window)
        rows.append(row)
      }
    }
    let dense = pieces.densified(longestEdge)
    let placed = try operations.placed(dense, from: .webMercator, to: reference)
    let cut = table.rows(rows)
    return FeatureColumns(
      schema: FeatureSchema(
        fields: table.schema.fields, geometryKind: dense.kind, spatialReference: reference),
      columns: cut.columns, geometry: placed.buffer, rowCount: rows.count)
  }
}

extension CoordinateBuffer {
  /// Returns the same lines or areas, with additional vertices on long edges.
  fileprivate func densified(_ longest: Double) -> CoordinateBuffer {
    var result = CoordinateBuffer(kind: kind)
    for row in 0..<rowCount {
      for part in parts(ofRow: row) {
        let vertices = vertices(ofPart: part)
        for vertex in vertices {
          if vertex > vertices.lowerBound {
            let (dx, dy) = (x[vertex] - x[vertex - 1], y[vertex] - y[vertex - 1])
            let pieces = (max(abs(dx), abs(dy)) / longest).rounded(.up)
            for piece in stride(from: 1, to: pieces, by: 1) {
              result.appendVertex(
                x: x[vertex - 1] + dx * piece / pieces, y: y[vertex - 1] + dy * piece / pieces)
            }
          }
          result.appendVertex(x: x[vertex], y: y[vertex])
        }
        result.endPart()
      }
      result.endRow()
    }
    return result
  }
}
