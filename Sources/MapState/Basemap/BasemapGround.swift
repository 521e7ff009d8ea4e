import MapFeatures
import MapGeometry
import MapModel

/// The part of the basemap that a view of a map in a reference of its own may show, and the way there.
///
/// Cut first, for no projection has an image of the whole world that leaves every area whole.
struct BasemapGround: Hashable {
  /// The map's reference.
  let reference: SpatialReference
  /// What to cut out, in Web Mercator: none, one or two.
  private let windows: [Envelope]
  /// The longest edge, in metres: longer ones are bent as the projection bends them.
  private let longestEdge: Double
  /// Beyond the basemap's land, which ends 1 km from the pole.
  private static let lastLatitude = 89.999

  /// What a view shows; nil for one in Web Mercator or degrees, where the basemap is drawn as it is.
  ///
  /// - Cost: a projection of 1,089 places.
  init?(of view: Envelope) {
    guard let reference = view.spatialReference, !reference.isBuiltIn else { return nil }
    self.reference = reference
    let world = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    let ground = SpatialOperations.installed.ground(of: view) ?? world
    // Where the world goes on past 180° both sides overlap, so that nothing shines through.
    let isWhole = Self.goesOn(pastAntimeridianAt: (ground.yMin + ground.yMax) / 2, in: reference)
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

  /// True where both sides of 180° lie beside each other on the map.
  private static func goesOn(pastAntimeridianAt latitude: Double, in reference: SpatialReference) -> Bool {
    var (x, y) = ([179.98, 179.99, -179.99], [latitude, latitude, latitude])
    do {
      try SpatialOperations.installed.project(x: &x, y: &y, from: .wgs84, to: reference)
    } catch {
      return false
    }
    func distance(_ a: Int, _ b: Int) -> Double {
      let (dx, dy) = (x[a] - x[b], y[a] - y[b])
      return (dx * dx + dy * dy).squareRoot()
    }
    return distance(1, 2) < 4 * distance(0, 1)
  }

  /// What of a layer of the basemap lies in the windows, in the map's reference.
  ///
  /// Cut again where the rim of its projection goes through it.
  func cut(_ table: FeatureColumns) throws(SpatialOperationError) -> FeatureColumns {
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
    let placed = try SpatialOperations.installed.placed(dense, from: .webMercator, to: reference)
    let cut = table.rows(rows)
    return FeatureColumns(
      schema: FeatureSchema(
        fields: table.schema.fields, geometryKind: dense.kind, spatialReference: reference),
      columns: cut.columns, geometry: placed.buffer, rowCount: rows.count)
  }
}

extension CoordinateBuffer {
  /// The same lines or areas with places between the ends of long edges.
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
