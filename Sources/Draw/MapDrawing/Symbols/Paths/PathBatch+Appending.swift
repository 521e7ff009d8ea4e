import MapGeometry
import MapModel

extension PathBatch {
  /// The grid steps per pixel to which vertices of areas are rounded, after dashes are cut.
  ///
  /// - Source: design decision; a vertical or horizontal edge moves by at most 1/32 pixel, which is 8 of 255.
  ///   Measured over 4,556 states and provinces: no pixel inside them differs by more than 14 of 255; with half as
  ///   many steps, 29.
  package static let gridSteps = 16.0

  /// The number of vertices of the shapes or dashes along some lines after which no feature with such ones is drawn: 320 MB.
  ///
  /// - Source: design decision. The last feature may have as many more.
  package static let largestShapes = 20_000_000

  /// Appends the only row of a buffer as an item, unless it is empty.
  mutating func append(
    _ path: CoordinateBuffer, style: Int, row: Int, _ extent: PathExtent?
  ) {
    guard !path.isEmpty(row: 0) else { return }
    geometry.appendRow(0, of: path)
    end(style, row, extent)
  }

  /// Appends a ring as an item.
  mutating func append(
    _ ring: [(x: Double, y: Double)], style: Int, row: Int, _ extent: PathExtent?
  ) {
    for place in ring { geometry.appendVertex(x: place.x, y: place.y) }
    geometry.endPart()
    geometry.endRow()
    end(style, row, extent)
  }

  /// Appends a shape at a place as an item, if it may be visible.
  mutating func append(
    _ shape: PatternShape, at spot: MarkerPlaces.Spot, style: Int, row: Int, _ extent: PathExtent?,
    on canvas: Envelope
  ) {
    guard shape.fill != nil || shape.stroke != nil, geometry.vertexCount < 2 * Self.largestShapes
    else { return }
    let x = shape.x.indices.map { spot.x + shape.x[$0] * spot.cosine - shape.y[$0] * spot.sine }
    let y = shape.x.indices.map { spot.y + shape.x[$0] * spot.sine + shape.y[$0] * spot.cosine }
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else { return }
    let reach = shape.stroke?.reach ?? 0
    guard right + reach > canvas.xMin, left - reach < canvas.xMax, bottom + reach > canvas.yMin,
      top - reach < canvas.yMax
    else { return }
    for part in shape.parts where part.count > 1 {
      for index in part { geometry.appendVertex(x: x[index], y: y[index]) }
      if shape.isClosed, geometry.kind == .polyline, shape.stroke != nil {
        // Polylines are open: the second vertex again joins the corner at the first.
        let isRepeated =
          x[part.lowerBound] == x[part.upperBound - 1] && y[part.lowerBound] == y[part.upperBound - 1]
        for index in isRepeated ? part.dropFirst().prefix(1) : part.prefix(2) {
          geometry.appendVertex(x: x[index], y: y[index])
        }
      }
      geometry.endPart()
    }
    geometry.endRow()
    end(style, row, extent)
  }

  /// Adds the style, the row and the extent of an item whose geometry is complete.
  private mutating func end(_ style: Int, _ row: Int, _ extent: PathExtent?) {
    self.style.append(UInt32(style))
    self.row.append(Int32(row))
    if let extent { extents.append(extent) }
  }
}

extension MarkerBatch {
  mutating func append(x: Double, y: Double, style: Int, row: Int) {
    self.x.append(x)
    self.y.append(y)
    self.style.append(UInt32(style))
    self.row.append(Int32(row))
  }
}

extension PathStyle {
  /// Whether the style paints anything.
  var paints: Bool { fill != nil || hatch != nil || stroke != nil }
}
