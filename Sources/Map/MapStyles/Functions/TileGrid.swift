internal import Glibc

/// A tile of Web Mercator, whose side has ``extent`` units.
package struct StyleTile: Hashable, Sendable {
  /// The level.
  package var zoom: Int
  /// The column, from the antimeridian.
  package var x: Int
  /// The row, from the north.
  package var y: Int

  /// The units along a side.
  package static let extent = 8192.0

  /// Creates a tile.
  package init(zoom: Int, x: Int, y: Int) { (self.zoom, self.x, self.y) = (zoom, x, y) }

  /// The units around the world at the level.
  var worldSize: Double { exp2(Double(min(30, max(0, zoom)))) * Self.extent }

  /// The corner of the tile in units of the world.
  var corner: StylePoint { StylePoint(Double(x), Double(y)) * Self.extent }

  /// Returns a place in units of the world, rounded.
  func world(_ place: StylePoint) -> StylePoint {
    let y = 0.5 - log(tan(.pi / 4 + place.y * .pi / 360)) / (2 * .pi)
    return Self.onGrid(StylePoint(place.x / 360 + 0.5, y) * worldSize)
  }

  /// Returns a point with whole numbers, rounded as in ECMAScript: halves up.
  static func onGrid(_ point: StylePoint) -> StylePoint {
    StylePoint((point.x + 0.5).rounded(.down), (point.y + 0.5).rounded(.down))
  }

  /// Returns a place in units of the tile, rounded.
  package func local(_ place: StylePoint) -> StylePoint { world(place) - corner }

  /// Returns the longitude and latitude of a place in units of the tile.
  func degrees(_ point: StylePoint) -> StylePoint {
    let place = (point + corner) / worldSize
    let latitude = 2 * atan(exp((0.5 - place.y) * 2 * .pi)) * 180 / .pi - 90
    return StylePoint(place.x * 360 - 180, latitude)
  }
}
