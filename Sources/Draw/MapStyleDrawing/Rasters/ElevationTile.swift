import Glibc
package import MapImages
import MapSystem

/// The meaning of the colours of tiles that hold heights.
///
/// - Source: MapLibre Style Specification, sources of the type `raster-dem`.
package struct ElevationEncoding: Hashable, Sendable {
  /// The metres for a step of red, green and blue.
  package let (red, green, blue): (Double, Double, Double)
  /// The metres that are subtracted.
  package let base: Double

  /// Creates an encoding of its own factors.
  package init(red: Double, green: Double, blue: Double, base: Double) {
    (self.red, self.green, self.blue, self.base) = (red, green, blue, base)
  }

  /// Mapbox Terrain RGB.
  package static let mapbox = ElevationEncoding(red: 6553.6, green: 25.6, blue: 0.1, base: 10_000)
  /// Mapzen Terrarium.
  package static let terrarium = ElevationEncoding(red: 256, green: 1, blue: 1.0 / 256, base: 32_768)
}

/// The heights of the pixels of a tile.
package struct ElevationTile: Sendable {
  /// The number of pixels along a side.
  package let side: Int
  /// The heights in metres, row by row; NaN for none.
  package let heights: [Float]

  /// Creates the heights of an image, whose transparent pixels have none; nil for an image that is not square.
  package init?(_ bitmap: Bitmap, _ encoding: ElevationEncoding) {
    guard bitmap.width == bitmap.height else { return nil }
    side = bitmap.width
    let bytes = bitmap.pixels.span
    var heights = [Float](repeating: .nan, count: side * side)
    for index in heights.indices where bytes[index * 4 + 3] > 0 {
      let height =
        Double(bytes[index * 4]) * encoding.red + Double(bytes[index * 4 + 1]) * encoding.green
        + Double(bytes[index * 4 + 2]) * encoding.blue - encoding.base
      heights[index] = Float(height)
    }
    self.heights = heights
  }

  /// Creates the heights of a tile from numbers, row by row; NaN for none.
  package init(side: Int, heights: [Float]) {
    precondition(heights.count == side * side, "a height for each pixel")
    (self.side, self.heights) = (side, heights)
  }
}

/// A tile of heights with the eight tiles around it.
package struct ElevationSquare: Sendable {
  /// The tile.
  package let tile: ElevationTile
  /// The nine tiles row by row, the tile itself in the middle; nil for one that is missing or of another size.
  private let tiles: [ElevationTile?]

  /// Creates a square.
  ///
  /// - Parameter around: returns the tile so many columns to the right and rows down; nil for none.
  package init(_ tile: ElevationTile, around: (_ right: Int, _ down: Int) -> ElevationTile?) {
    self.tile = tile
    tiles = (0..<9).map { place in
      let own = place == 4 ? tile : around(place % 3 - 1, place / 3 - 1)
      return own?.side == tile.side ? own : nil
    }
  }

  /// Returns the height of a pixel of the tile or beside it; NaN for none.
  ///
  /// Without the tile beside it, that is the height of the nearest pixel of the tile.
  private func height(_ column: Int, _ row: Int) -> Float {
    let side = tile.side
    func part(_ place: Int) -> Int { place < 0 ? 0 : place < side ? 1 : 2 }
    guard let own = tiles[part(row) * 3 + part(column)] else {
      return tile.heights[min(max(row, 0), side - 1) * side + min(max(column, 0), side - 1)]
    }
    return own.heights[(row + side) % side * side + (column + side) % side]
  }

  /// Returns the height at a position in pixels of the tile, between the four nearest pixels; NaN for none.
  package func height(x: Double, y: Double) -> Float {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (column, row) = (Int(clamping: left), Int(clamping: top))
    guard (-1..<tile.side).contains(column), (-1..<tile.side).contains(row) else { return .nan }
    let (right, down) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
    let nearest = height(column + (right < 0.5 ? 0 : 1), row + (down < 0.5 ? 0 : 1))
    // Beside a pixel without a height, that of the nearest pixel goes on.
    func known(_ column: Int, _ row: Int) -> Float {
      let height = self.height(column, row)
      return height.isNaN ? nearest : height
    }
    let above = known(column, row) * (1 - right) + known(column + 1, row) * right
    let below = known(column, row + 1) * (1 - right) + known(column + 1, row + 1) * right
    return above * (1 - down) + below * down
  }

  /// Returns the slopes of the tile as an image, which ``Hillshade`` shades.
  ///
  /// Red and green are the slopes to the east and to the south, from -4 to 4 and 0 at 128; blue is the cosine of the
  /// latitude. Such an image can be resampled. Pixels without a height are transparent.
  ///
  /// - Parameters:
  ///   - zoom: the level of the tile.
  ///   - row: the row of the tile.
  /// - Source: MapLibre GL JS 5, the shader that prepares hillshades: Horn's slopes, exaggerated at small zooms.
  /// - Throws: ``MapStateError`` when memory runs out.
  package func slopes(zoom: Int, row: Int) throws -> Bitmap {
    let side = tile.side
    let factor = zoom < 2 ? 0.4 : zoom < 5 ? 0.35 : 0.3
    let exaggeration = zoom < 15 ? Double(zoom - 15) * factor : 0
    // Eight times the circumference of the world is 2^28.2562 metres.
    let scale = Float(Double(side) / exp2(exaggeration + 28.2562 - Double(zoom)))
    let (north, south) = (Self.latitude(row, zoom), Self.latitude(row + 1, zoom))
    var pixels = [UInt8](repeating: 0, count: side * side * 4)
    for y in 0..<side {
      let latitude = north + (south - north) * (Double(y) + 0.5) / Double(side)
      let cosine = UInt8(clamping: Int(clamping: (cos(latitude) * 255).rounded()))
      for x in 0..<side {
        let middle = tile.heights[y * side + x]
        guard !middle.isNaN else { continue }
        func height(_ right: Int, _ down: Int) -> Float {
          let height = self.height(x + right, y + down)
          return height.isNaN ? middle : height
        }
        let (a, c, g, i) = (height(-1, -1), height(1, -1), height(-1, 1), height(1, 1))
        let east = c + 2 * height(1, 0) + i - (a + 2 * height(-1, 0) + g)
        let down = g + 2 * height(0, 1) + i - (a + 2 * height(0, -1) + c)
        let at = (y * side + x) * 4
        pixels[at] = UInt8(clamping: Int(clamping: (Double(east * scale) * 255 / 8 + 128).rounded()))
        pixels[at + 1] = UInt8(clamping: Int(clamping: (Double(down * scale) * 255 / 8 + 128).rounded()))
        (pixels[at + 2], pixels[at + 3]) = (cosine, 255)
      }
    }
    return try Bitmap(width: side, height: side, pixels: pixels)
  }

  /// Returns the latitude of the upper side of a row of tiles, in radians.
  private static func latitude(_ row: Int, _ zoom: Int) -> Double {
    atan(sinh(.pi * (1 - 2 * Double(row) / exp2(Double(zoom)))))
  }
}
