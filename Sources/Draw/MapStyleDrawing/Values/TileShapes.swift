import MapGeometry

/// The geometries of one kind of a tile's layer, for all rows.
struct TileShapes: Sendable {
  /// The vertices in units of the tile.
  let units: CoordinateBuffer
  /// The vertices in pixels.
  let pixels: CoordinateBuffer
  /// The units along a side of the tile.
  let extent: Double
  /// Whether no geometry was cut at the west and the east side.
  private let isRound: Bool
  /// The box of each row in pixels.
  let boxes: [PixelBox]

  init(units: CoordinateBuffer, pixels: CoordinateBuffer, extent: Double, isRound: Bool) {
    (self.units, self.pixels, self.extent, self.isRound) = (units, pixels, extent, isRound)
    boxes = (0..<pixels.rowCount).map { PixelBox(pixels.envelope(ofRow: $0)) }
  }

  /// Creates geometries without rows.
  init(kind: GeometryKind) {
    (units, pixels) = (CoordinateBuffer(kind: kind), CoordinateBuffer(kind: kind))
    (extent, isRound, boxes) = (0, false, [])
  }
}

/// The bounding box of a row, which meets nothing when the row is empty.
struct PixelBox: Sendable {
  /// The least x and y, and the largest ones with the opposite sign.
  private let sides: SIMD4<Double>

  init(_ envelope: Envelope) {
    sides =
      envelope.isEmpty
      ? SIMD4(repeating: .infinity) : [envelope.xMin, envelope.yMin, -envelope.xMax, -envelope.yMax]
  }

  /// Returns whether the box and a window share a point.
  func meets(_ window: PixelBox) -> Bool {
    let far = SIMD4(-window.sides.z, -window.sides.w, -window.sides.x, -window.sides.y)
    return all(sides .<= far)
  }

  /// Returns whether the box is inside a window.
  func isInside(_ window: PixelBox) -> Bool { all(sides .>= window.sides) }
}

extension TileShapes {
  /// Appends the lines of a row, or the rings of an area as lines, as a row in pixels.
  ///
  /// Segments along a side of the tile, or along a line beyond it, are where the area was cut. They are left out, and
  /// the ring falls into lines between them.
  ///
  /// - Parameter joinsEnds: whether a whole ring repeats its first two vertices, so that they are joined.
  func appendChains(ofRow row: Int, joinsEnds: Bool, to chains: inout CoordinateBuffer) {
    guard pixels.kind == .polygon else { return chains.appendRow(row, of: pixels) }
    for part in pixels.parts(ofRow: row) {
      let range = pixels.vertices(ofPart: part)
      guard let firstCut = range.dropFirst().first(where: { isCut($0) }) else {
        chains.appendVertices(range, of: pixels)
        if joinsEnds, range.count > 3 {
          chains.appendVertices(range.lowerBound + 1..<range.lowerBound + 2, of: pixels)
        }
        chains.endPart()
        continue
      }
      // From the end of a cut once around, back to its start; the last vertex of a ring is its first.
      let count = range.count - 1
      var vertex = firstCut
      for _ in 0..<count {
        let next = vertex + 1 < range.upperBound ? vertex + 1 : range.lowerBound + 1
        if isCut(next) {
          chains.endPart()
        } else {
          if chains.vertexCount == (chains.partEnds.last ?? 0) {
            chains.appendVertex(x: pixels.x[vertex], y: pixels.y[vertex])
          }
          chains.appendVertex(x: pixels.x[next], y: pixels.y[next])
        }
        vertex = next
      }
      chains.endPart()
    }
    chains.endRow()
  }

  /// Returns whether the segment that ends at a vertex lies along or beyond a side of the tile.
  private func isCut(_ vertex: Int) -> Bool {
    let (x, y) = (units.x[vertex], units.y[vertex])
    if !isRound, x == units.x[vertex - 1], x <= 0 || x >= extent { return true }
    return y == units.y[vertex - 1] && (y <= 0 || y >= extent)
  }
}
