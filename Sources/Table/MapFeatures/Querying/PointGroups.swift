package import MapGeometry

/// Groups of points, which a database can form instead of sending all points: the points of a group are in the same cells
/// of an image, and have the same class of a renderer.
///
/// A database may compute the last digits of a position otherwise. So points that it finds near an edge of a cell or of the
/// image are groups of their own.
package struct PointGroups: Hashable, Sendable {
  /// The hexagons of an image, in pixels.
  package struct Hexagons: Hashable, Sendable {
    /// The distance of opposite sides.
    package let side: Double
    /// The centre of a hexagon.
    package let (originX, originY): (Double, Double)

    package init(side: Double, originX: Double, originY: Double) {
      (self.side, self.originX, self.originY) = (side, originX, originY)
    }
  }

  /// The cells of an image.
  package enum Cells: Hashable, Sendable {
    /// Squares with this side in pixels, from the top left corner.
    case squares(Double)
    case hexagons(Hexagons)
  }

  /// A field that decides the class.
  package struct ClassField: Hashable, Sendable {
    package let name: String
    /// The numbers with which values are compared; nil if each value is a group.
    package let bounds: [Double]?

    package init(name: String, bounds: [Double]? = nil) { (self.name, self.bounds) = (name, bounds) }
  }

  /// The projection to the map.
  package let projection: BuiltInProjection
  /// The centre of the view in the map's coordinates.
  package let (centerX, centerY): (Double, Double)
  /// The distances by which the world copies in view are moved east.
  package let copies: [Double]
  /// The rotation of the view.
  package let (cosine, sine): (Double, Double)
  package let pixelsPerUnit: Double
  /// The size of the image in pixels.
  package let (width, height): (Double, Double)
  package let cells: Cells
  /// The distance in pixels within which a point is near an edge.
  package let margin: Double
  /// The fields that decide the class.
  package let classFields: [ClassField]

  package init(
    _ projection: BuiltInProjection, center: (x: Double, y: Double), copies: [Double],
    direction: (cosine: Double, sine: Double), pixelsPerUnit: Double, size: (width: Double, height: Double),
    cells: Cells, margin: Double, classFields: [ClassField]
  ) {
    (self.projection, centerX, centerY, self.copies) = (projection, center.x, center.y, copies)
    (cosine, sine, self.pixelsPerUnit) = (direction.cosine, direction.sine, pixelsPerUnit)
    (width, height, self.cells, self.margin) = (size.width, size.height, cells, margin)
    self.classFields = classFields
  }
}

/// Points that stand for the groups of a table: one of each group, with the number of its points.
package struct GroupedPoints: Sendable {
  /// The points, with the fields that decide the class.
  package let points: FeatureColumns
  /// The number of points in the group of each point.
  package let counts: [Int]

  package init(_ points: FeatureColumns, counts: [Int]) { (self.points, self.counts) = (points, counts) }
}
