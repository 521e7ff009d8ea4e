import Glibc
import MapGeometry
import MapScript
import MapState
import MapSystem

/// A tile of the scheme of web maps, in Web Mercator.
package struct TileAddress: Hashable {
  let zoom: Int
  let column: Int
  let row: Int

  /// The number of view pixels along a side.
  static let side = 256.0
  /// The largest zoom level.
  static let largestZoom = 24

  /// Returns the scale denominator of a zoom level.
  ///
  /// - Source: Esri's world basemaps, level 0, at 96 pixels per inch.
  static func scale(zoom: Double) -> Double {
    var scale = 591_657_527.591555
    for _ in 0..<Int(clamping: zoom) { scale /= 2 }
    let part = zoom - zoom.rounded(.down)
    return part == 0 ? scale : scale / exp2(part)
  }

  /// Reads the segments of a path, such as `3`, `4` and `2.png`; the last may have `@2x` before its ending.
  ///
  /// - Throws: ``HTTPFault`` with 404 for a tile that does not exist.
  package static func read(
    _ zoom: String, _ column: String, _ file: String
  ) throws(HTTPFault) -> (tile: TileAddress, ratio: Double) {
    guard file.hasSuffix(".png") else { throw HTTPFault(404, "tiles are {z}/{x}/{y}.png") }
    var row = file.dropLast(4)
    let ratio = row.hasSuffix("@2x") ? 2.0 : 1
    if ratio == 2 { row = row.dropLast(3) }
    func number(_ text: Substring) -> Int? {
      text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
    guard let z = number(zoom[...]), let x = number(column[...]), let y = number(row), z <= largestZoom,
      x < 1 << z, y < 1 << z
    else {
      throw HTTPFault(404, "there is no tile \(zoom)/\(column)/\(file); zoom levels are 0 to \(largestZoom)")
    }
    return (TileAddress(zoom: z, column: x, row: y), ratio)
  }

  /// The area of the tile.
  var envelope: Envelope {
    let size = 2 * WebMercator.halfWorld / Double(1 << zoom)
    func metres(_ number: Int) -> Double { Double(number) * size - WebMercator.halfWorld }
    return Envelope(
      xMin: metres(column), yMin: -metres(row + 1), xMax: metres(column + 1), yMax: -metres(row),
      spatialReference: .webMercator)
  }
}
