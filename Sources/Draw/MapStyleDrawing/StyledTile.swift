package import MapDrawing
package import MapGeometry
package import MapStyles

/// The features of one layer of a tile, in units of the tile and in pixels of the image.
package struct StyledTileLayer: Sendable {
  /// The features, for filters and values.
  package let features: StyleFeatures
  /// The geometries as decoded: a buffer for each of polygons, lines and points, each with all rows.
  package let geometries: [CoordinateBuffer]
  /// The units along a side of the tile.
  package let extent: Double
  /// Whether geometries continue beyond the west and the east side, because the tile is a world that is in no tiles.
  let isRound: Bool
  /// The same buffers in output pixels.
  package let pixels: [CoordinateBuffer]
  /// For each row the number of its feature in the source layer, which pieces of one feature share; for id images.
  package let ids: [Int32]
  /// The geometries of each kind with the boxes of their rows.
  private let shapes: [TileShapes]

  /// Creates the features of a layer.
  ///
  /// - Parameter isRound: whether the tile is a world whose features are in no tiles.
  ///
  /// All arrays and buffers must have a row for each feature, and the buffers of `pixels` the kinds of `geometries`.
  package init(
    features: StyleFeatures, geometries: [CoordinateBuffer], extent: Double, pixels: [CoordinateBuffer],
    ids: [Int32], isRound: Bool = false
  ) {
    precondition(
      geometries.count == pixels.count && ids.count == features.count
        && (geometries + pixels).allSatisfy { $0.rowCount == features.count }
        && zip(geometries, pixels).allSatisfy { $0.kind == $1.kind && $0.vertexCount == $1.vertexCount },
      "a row for each feature")
    (self.features, self.geometries, self.extent) = (features, geometries, extent)
    (self.pixels, self.ids, self.isRound) = (pixels, ids, isRound)
    shapes = zip(geometries, pixels).map {
      TileShapes(units: $0, pixels: $1, extent: extent, isRound: isRound)
    }
  }

  /// Returns the geometries of a kind; nil when no feature has it.
  func shapes(of kind: GeometryKind) -> TileShapes? { shapes.first { $0.pixels.kind == kind } }
}

/// A tile in a view.
package struct StyledTile: Sendable {
  /// The position in the scheme, which decides where patterns begin.
  package let index: StyleTile
  /// The pixel of the tile's upper left corner.
  package let corner: (x: Double, y: Double)
  /// The pixels that the tile owns.
  package let region: PixelRegion
  /// The units of an extent of 4096 per output pixel at the tile's centre.
  package let unitsPerPixel: Double
  /// The direction of the tile's up in the image, in clockwise degrees.
  package let bearing: Double
  /// The layers by their names; that of a source without layers has an empty name.
  package let layers: [String: StyledTileLayer]

  /// Creates a tile.
  package init(
    index: StyleTile, corner: (x: Double, y: Double), region: PixelRegion, unitsPerPixel: Double,
    bearing: Double, layers: [String: StyledTileLayer]
  ) {
    (self.index, self.corner) = (index, corner)
    (self.region, self.unitsPerPixel, self.bearing) = (region, unitsPerPixel, bearing)
    self.layers = layers
  }
}
