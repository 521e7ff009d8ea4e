import MapFeatures
import MapGeometry
import MapModel

/// A box on the plane of a map.
struct PartBox: Hashable {
  var x0: Double
  var y0: Double
  var x1: Double
  var y1: Double

  static let everything = PartBox(x0: -.infinity, y0: -.infinity, x1: .infinity, y1: .infinity)
  static let nothing = PartBox(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)

  func contains(_ other: PartBox) -> Bool {
    other.x0 >= x0 && other.x1 <= x1 && other.y0 >= y0 && other.y1 <= y1
  }

  mutating func add(_ other: PartBox) {
    (x0, y0) = (min(x0, other.x0), min(y0, other.y0))
    (x1, y1) = (max(x1, other.x1), max(y1, other.y1))
  }
}

/// A ring, a line or a point of a feature on the plane of a map.
struct GroundPart {
  /// The index of the piece of the extent.
  let piece: Int
  /// The row of the feature; nil for a whole table.
  let row: Int?
  let box: PartBox
  /// The area, negative for holes or for all other rings; the length of a line; 1 for a point and for a whole table.
  let weight: Double
}

/// The parts of the features of an extent on the plane of a map, without a gap at the antimeridian where it is possible.
struct GroundParts {
  private let pieces: [(piece: GroundExtent.Piece, placing: Placing)]
  private let plane: MapPlane
  /// The width of the world, and the coordinate at which parts begin; nil on a plane without world copies, and without a gap.
  private let seam: (world: Double, start: Double)?

  /// The conversion from the coordinates of a table to those of the plane.
  private enum Placing {
    case none, toMercator, toDegrees

    init?(from source: SpatialReference?, to plane: SpatialReference) {
      switch (source ?? plane, plane) {
      case (.wgs84, .webMercator): self = .toMercator
      case (.webMercator, .wgs84): self = .toDegrees
      case (plane, _): self = .none
      default: return nil
      }
    }

    func x(_ x: Double) -> Double {
      switch self {
      case .none: x
      case .toMercator: WebMercator.x(longitude: x)
      case .toDegrees: WebMercator.longitude(x: x)
      }
    }

    func y(_ y: Double) -> Double {
      switch self {
      case .none: y
      case .toMercator:
        WebMercator.y(latitude: min(max(y, -WebMercator.latitudeLimit), WebMercator.latitudeLimit))
      case .toDegrees: WebMercator.latitude(y: y)
      }
    }
  }

  /// Nil for features in a spatial reference that is not shown on the plane as it is.
  init?(_ extent: GroundExtent) {
    var pieces: [(piece: GroundExtent.Piece, placing: Placing)] = []
    for piece in extent.pieces {
      if case .whole = piece {
        // Whole tables are placed as boxes.
        pieces.append((piece, .none))
      } else {
        guard let placing = Placing(from: piece.reference, to: extent.plane.reference) else { return nil }
        pieces.append((piece, placing))
      }
    }
    (self.pieces, plane) = (pieces, extent.plane)
    if let world = Envelope.worldWidth(of: extent.plane.reference), let found = extent.seam() {
      seam = (world, found.gap * world)
    } else {
      seam = nil
    }
  }

  /// Whether all parts are points, or whole tables, whose weights cost nothing.
  var havePlainWeights: Bool {
    pieces.allSatisfy {
      guard case .rows(_, let table) = $0.piece else { return true }
      return table.geometry?.kind.isPoints ?? true
    }
  }

  /// Returns the box around the parts inside another box; of infinite sides if there are none.
  func bounds(in kept: PartBox) -> PartBox {
    var bounds = PartBox.nothing
    guard kept == .everything else {
      forEach { part in if kept.contains(part.box) { bounds.add(part.box) } }
      return bounds
    }
    // The conversion keeps the order of y coordinates, so only those of the sides are converted.
    for (index, (_, placing)) in pieces.enumerated() {
      var box = PartBox.nothing
      forEach(of: index, isWeighed: false, placesY: false) { part in
        // Nothing is inside where a coordinate is not a number.
        if part.box.y0 <= part.box.y1, part.box.x0 <= part.box.x1 { box.add(part.box) }
      }
      guard box.x0 <= box.x1 else { continue }
      (box.y0, box.y1) = (placing.y(box.y0), placing.y(box.y1))
      bounds.add(box)
    }
    return bounds
  }

  /// Calls a closure with each part.
  ///
  /// - Parameter isWeighed: whether lines and rings have their weights; otherwise these are 0.
  func forEach(isWeighed: Bool = false, _ body: (GroundPart) -> Void) {
    for index in pieces.indices { forEach(of: index, isWeighed: isWeighed, placesY: true, body) }
  }

  /// Calls a closure with each part of a piece.
  ///
  /// - Parameter placesY: whether the y coordinates are those of the plane; otherwise they are those of the table.
  private func forEach(of index: Int, isWeighed: Bool, placesY: Bool, _ body: (GroundPart) -> Void) {
    let (piece, placing) = pieces[index]
    func report(_ box: PartBox, row: Int?, weight: Double) {
      body(GroundPart(piece: index, row: row, box: unrolled(box), weight: weight))
    }
    switch piece {
    case .whole(let envelope):
      guard let box = try? plane.box(of: envelope.withLatitudes, "the extent of the data") else { return }
      report(PartBox(x0: box.xMin, y0: box.yMin, x1: box.xMax, y1: box.yMax), row: nil, weight: 1)
    case .rows(let rows, let table):
      guard let geometry = table.geometry else { return }
      for row in rows {
        if geometry.kind.isPoints {
          for vertex in geometry.kind == .point ? row..<row + 1 : geometry.vertices(ofRow: row)
          where !geometry.x[vertex].isNaN {
            let (x, y) = (placing.x(geometry.x[vertex]), geometry.y[vertex])
            let placed = placesY ? placing.y(y) : y
            report(PartBox(x0: x, y0: placed, x1: x, y1: placed), row: row, weight: 1)
          }
          continue
        }
        for part in geometry.parts(ofRow: row) {
          let vertices = geometry.vertices(ofPart: part)
          var box = Self.box(of: vertices, geometry)
          (box.x0, box.x1) = (placing.x(box.x0), placing.x(box.x1))
          if placesY { (box.y0, box.y1) = (placing.y(box.y0), placing.y(box.y1)) }
          report(box, row: row, weight: isWeighed ? Self.weight(of: vertices, geometry, placing) : 0)
        }
      }
    }
  }

  private func unrolled(_ box: PartBox) -> PartBox {
    guard let seam else { return box }
    let shift = ((box.x0 - seam.start) / seam.world).rounded(.down) * seam.world
    guard shift != 0 else { return box }
    return PartBox(x0: box.x0 - shift, y0: box.y0, x1: box.x1 - shift, y1: box.y1)
  }

  /// Returns the box of a part in the coordinates of its table.
  private static func box(of vertices: Range<Int>, _ geometry: CoordinateBuffer) -> PartBox {
    var box = PartBox.nothing
    for vertex in vertices {
      let (x, y) = (geometry.x[vertex], geometry.y[vertex])
      (box.x0, box.y0, box.x1, box.y1) = (min(box.x0, x), min(box.y0, y), max(box.x1, x), max(box.y1, y))
    }
    return box
  }

  /// Returns the length of a line, or the area of a ring with its sign.
  private static func weight(
    of vertices: Range<Int>, _ geometry: CoordinateBuffer, _ placing: Placing
  ) -> Double {
    let isArea = geometry.kind == .polygon
    // Relative to the first vertex, so that large coordinates lose no precision.
    let (startX, startY) = (
      placing.x(geometry.x[vertices.lowerBound]), placing.y(geometry.y[vertices.lowerBound])
    )
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for vertex in vertices.dropFirst() {
      let (nextX, nextY) = (placing.x(geometry.x[vertex]) - startX, placing.y(geometry.y[vertex]) - startY)
      if isArea {
        sum += (x * nextY - nextX * y) / 2
      } else {
        let (dx, dy) = (nextX - x, nextY - y)
        sum += (dx * dx + dy * dy).squareRoot()
      }
      (x, y) = (nextX, nextY)
    }
    return sum
  }
}
