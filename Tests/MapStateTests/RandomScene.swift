import Glibc
import MapDrawing
import MapGeometry
import MapState
import MapTestSupport

/// A random view over features that do not overlap, one per cell of a grid around it; every seventh has no
/// symbol.
struct RandomScene: CustomStringConvertible {
  let description: String
  let kind: GeometryKind
  let rotation: Double
  let table: FeatureColumns
  let marker: SimpleMarkerSymbol
  let line: SimpleLineSymbol
  private let center: Point
  private let resolution: Double
  private let (width, height): (Double, Double)
  private let pixelRatio: Double

  /// Creates a scene; if uncut, its features continue past ±180°, each in any of the three world copies.
  init(_ kind: GeometryKind, seed: UInt64, isUncut: Bool = false) {
    var random = SeededGenerator(seed: seed)
    self.kind = kind
    description = "\(kind), seed \(seed)\(isUncut ? ", uncut" : "")"
    rotation = seed % 3 == 0 ? 0 : [0, 90, 30, Double.random(in: 0..<360, using: &random)][Int(seed % 4)]
    (width, height) = (
      Double(Int.random(in: 40...160, using: &random)), Double(Int.random(in: 40...160, using: &random))
    )
    pixelRatio = [1, 1, 2, 1.5][Int.random(in: 0..<4, using: &random)]
    resolution = exp2(Double.random(in: -2...10, using: &random))
    // Every fifth view crosses the antimeridian.
    let half = WebMercator.halfWorld
    center = Point(
      x: seed % 5 == 0 ? half : Double.random(in: -0.9 * half...0.9 * half, using: &random),
      y: Double.random(in: -1e7...1e7, using: &random), spatialReference: .webMercator)
    marker = SimpleMarkerSymbol(
      style: seed % 2 == 0 ? .circle : .square, size: Double.random(in: 1...9, using: &random),
      outline: seed % 4 == 1
        ? nil : SimpleLineSymbol(color: .black, width: Double.random(in: 0.5...3, using: &random)))
    line = SimpleLineSymbol(color: .black, width: Double.random(in: 1...4, using: &random))
    let cell = (kind == .point ? 15.0 : 44) * resolution
    let reference: SpatialReference = seed % 2 == 0 ? .wgs84 : .webMercator
    var geometry = CoordinateBuffer(kind: kind)
    var world = 0.0
    func append(_ x: Double, _ y: Double) {
      // Moved back into the world, as in tables.
      let cut = x > half ? x - 2 * half : x < -half ? x + 2 * half : x
      let wrapped = isUncut ? x + 2 * half * world : cut
      let degrees = reference == .wgs84
      let (east, north) = (
        degrees ? WebMercator.longitude(x: wrapped) : wrapped, degrees ? WebMercator.latitude(y: y) : y
      )
      if kind == .point {
        geometry.appendPoint(x: east, y: north)
      } else {
        geometry.appendVertex(x: east, y: north)
      }
    }
    let reach = Int((hypot(width, height) * 0.6 * resolution / cell).rounded(.up))
    for row in -reach...reach {
      for column in -reach...reach {
        let jitter = kind == .point ? 0.1 : 0.02
        let x = center.x + (Double(column) + Double.random(in: -jitter...jitter, using: &random)) * cell
        let y = center.y + (Double(row) + Double.random(in: -jitter...jitter, using: &random)) * cell
        if isUncut {
          // At most one and a half world widths away.
          world =
            [-1.0, 0, 1].filter { abs(x + 2 * half * $0) < 2.99 * half }
            .randomElement(using: &random) ?? 0
        }
        guard kind != .point else {
          append(x, y)
          continue
        }
        // A regular polygon: its angles are wide, so that miters stay in the cell and on one side of 180°.
        let corners = Int.random(in: 3...6, using: &random)
        let radius = Double.random(in: 2...14, using: &random) * resolution
        guard isUncut || abs(abs(x) - half) > 2 * radius else { continue }
        let turn = Double.random(in: 0..<2 * Double.pi, using: &random)
        for corner in 0...corners where kind == .polygon || corner < corners {
          let angle = turn + Double(corner % corners) * 2 * .pi / Double(corners)
          append(x + radius * cos(angle), y + radius * sin(angle))
        }
        geometry.endPart()
        geometry.endRow()
      }
    }
    let values = (0..<geometry.rowCount).map { Int64($0 % 7) }
    table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: kind, spatialReference: reference),
      columns: [Column(.integers(values))], geometry: geometry, rowCount: geometry.rowCount)
  }

  func view() throws -> MapView {
    let symbol: any Symbol =
      switch kind {
      case .point, .multipoint: marker
      case .polyline: line
      case .polygon: SimpleFillSymbol(color: .white, outline: line)
      }
    // The class of 0 is omitted, so that those rows have no symbol.
    let breaks = ClassBreaksRenderer.ClassBreak(minimum: 0, maximum: 6, label: "", symbol: symbol.form)
    let map = Map(spatialReference: .webMercator)
    map.addOperationalLayer(
      FeatureLayer(
        source: InMemorySource(table), renderer: ClassBreaksRenderer(fieldName: "n", classBreaks: [breaks])))
    return try MapView(
      map: map, width: width, height: height, pixelRatio: pixelRatio,
      viewpoint: Viewpoint(
        center: center, scale: resolution * ResolvedViewpoint.scalePerResolution, rotation: rotation))
  }

  /// The rows with a symbol.
  var symbolised: Set<Int> { Set((0..<table.rowCount).filter { $0 % 7 != 0 }) }
}

// MARK: Expected rows, computed independently

extension RandomScene {
  private typealias Place = (x: Double, y: Double)

  /// A row's vertices in image pixels, by the textbook formulas, in the world copy nearest to the view.
  private func pixels(_ row: Int, of state: ViewState) -> [Place] {
    let turn = rotation * .pi / 180
    let (width, height) = (Double(state.pictureWidth), Double(state.pictureHeight))
    let world = 2 * WebMercator.halfWorld
    guard let geometry = table.geometry else { return [] }
    return geometry.vertices(ofRow: row).map { vertex in
      var (x, y) = (geometry.x[vertex], geometry.y[vertex])
      if table.schema.spatialReference == .wgs84 {
        x = WebMercator.radius * x * .pi / 180
        y = WebMercator.radius * log(tan(.pi / 4 + y * .pi / 360))
      }
      let (dx, dy) = (remainder(x - center.x, world), y - center.y)
      return (
        width / 2 + (dx * cos(turn) - dy * sin(turn)) / resolution * pixelRatio,
        height / 2 - (dx * sin(turn) + dy * cos(turn)) / resolution * pixelRatio
      )
    }
  }

  /// The rows with a symbol that certainly covers the centre of a pixel of the image.
  func rowsCoveringPixels(of state: ViewState) -> Set<Int> {
    // Cairo's curves are exact within 1/40 px and its positions within 1/256.
    let slack = 0.04
    var found: Set<Int> = []
    for row in symbolised {
      let places = pixels(row, of: state)
      let reach =
        kind == .point
        ? (marker.size + (marker.outline?.width ?? 0)) / 2 * pixelRatio : line.width / 2 * pixelRatio
      func holds(_ x: Double, _ y: Double) -> Bool {
        switch kind {
        case .point, .multipoint:
          let (dx, dy) = (abs(x - places[0].x), abs(y - places[0].y))
          return (marker.style == .circle ? hypot(dx, dy) : max(dx, dy)) < reach - slack
        case .polyline, .polygon:
          var inside = false
          for (a, b) in zip(places, places.dropFirst()) {
            if Self.stroke(a, b, holds: (x, y), halfWidth: reach - slack, slack: slack) { return true }
            if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
          }
          return kind == .polygon && inside
        }
      }
      let margin = reach + 1
      let columns = Self.pixels(places.map(\.x), margin, limit: state.pictureWidth)
      let rows = Self.pixels(places.map(\.y), margin, limit: state.pictureHeight)
      if rows.contains(where: { y in columns.contains { holds(Double($0) + 0.5, Double(y) + 0.5) } }) {
        found.insert(row)
      }
    }
    return found
  }

  /// For points: rows with a symbol inside the canvas, and those that lie on its sides.
  func rowsMeetingCanvas(of state: ViewState) -> (sure: Set<Int>, perhaps: Set<Int>)? {
    guard kind == .point else { return nil }
    let (width, height) = (Double(state.pictureWidth), Double(state.pictureHeight))
    func rows(_ slack: Double) -> Set<Int> {
      symbolised.filter { row in
        let place = pixels(row, of: state)[0]
        return place.x > slack && place.x < width - slack && place.y > slack && place.y < height - slack
      }
    }
    return (rows(1e-6), rows(-1e-6))
  }

  private static func pixels(_ values: [Double], _ margin: Double, limit: Int) -> Range<Int> {
    let low = max(0, Int((values.min() ?? 0) - margin)),
      high = min(limit, Int((values.max() ?? 0) + margin) + 1)
    return low < high ? low..<high : 0..<0
  }

  /// Whether a segment's stroke with butt ends contains a point.
  private static func stroke(
    _ a: Place, _ b: Place, holds place: Place, halfWidth: Double, slack: Double
  ) -> Bool {
    let length = hypot(b.x - a.x, b.y - a.y)
    let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
    let along = (place.x - a.x) * ux + (place.y - a.y) * uy
    let off = (place.y - a.y) * ux - (place.x - a.x) * uy
    return along > slack && along < length - slack && abs(off) < halfWidth
  }
}
