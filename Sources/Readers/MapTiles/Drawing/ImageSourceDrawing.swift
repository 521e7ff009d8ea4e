package import MapFeatures
import MapGeometry
package import MapImages
package import MapModel
import MapSystem

/// The drawing of an image whose corners have positions on the world.
///
/// - Source: MapLibre Style Specification, sources of the type `image`. An image between the corners of a convex
///   quadrilateral is seen in perspective in Web Mercator, as in MapLibre GL JS; between others it is stretched linearly.
package struct ImageSourceDrawing: Sendable {
  /// The pixels, row by row: premultiplied alpha, red, green and blue from the highest byte down.
  package let pixels: [UInt32]

  /// Draws an image in a view.
  ///
  /// - Parameters:
  ///   - corners: longitude and latitude in degrees of the image's corners: top left, top right, bottom right, bottom left.
  ///   - isNearest: whether each pixel has the colour of the nearest one of the image.
  /// - Throws: ``TileError`` for an unknown spatial reference.
  package init(
    _ image: Bitmap, corners: [(longitude: Double, latitude: Double)], in view: ViewState, width: Int,
    height: Int, isNearest: Bool = false, operations: SpatialOperations
  ) throws(TileError) {
    var pixels = [UInt32](repeating: 0, count: width * height)
    let limit = WebMercator.latitudeLimit
    let places = corners.map {
      SIMD2(
        $0.longitude / 180 * WebMercator.halfWorld,
        WebMercator.y(latitude: min(max($0.latitude, -limit), limit)))
    }
    guard let quad = ImageQuadrilateral(places) else {
      self.pixels = pixels
      return
    }
    let source = ImageSamples(image, isNearest: isNearest)
    // Some rows at a time, so that memory is limited by the width of the image.
    for top in stride(from: 0, to: height, by: 256) {
      let cells: [TileMapping.Cell]
      do {
        cells = try TileMapping(
          view, width: width, rows: top..<min(top + 256, height), to: .webMercator, operations: operations
        ).cells
      } catch { throw TileError("\(error)") }
      for cell in cells {
        for row in 0..<cell.height {
          for column in 0..<cell.width {
            let place = quad.place(of: cell.position(column, row))
            guard let place else { continue }
            let right = column + 1 < cell.width ? quad.place(of: cell.position(column + 1, row)) : nil
            let below = row + 1 < cell.height ? quad.place(of: cell.position(column, row + 1)) : nil
            pixels[(cell.y + row) * width + cell.x + column] = source.pixel(
              at: place, size: ImageSamples.size(of: place, right, below, source))
          }
        }
      }
    }
    self.pixels = pixels
  }
}

/// The map from a quadrilateral in Web Mercator to an image, whose corners are 0 and 1.
struct ImageQuadrilateral {
  private let corners: [SIMD2<Double>]
  /// The box around the corners.
  private let (low, high): (SIMD2<Double>, SIMD2<Double>)
  /// The projective map from Web Mercator, row by row; nil for a quadrilateral that is not convex.
  private let inverse: [Double]?

  /// Creates the map for the corners top left, top right, bottom right, bottom left; nil if they have no area.
  init?(_ corners: [SIMD2<Double>]) {
    guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    let low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    let high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    guard low.x < high.x, low.y < high.y else { return nil }
    (self.low, self.high) = (low, high)
    // Numbers near 1 keep the precision.
    self.corners = corners.map { ($0 - low) / (high - low) }
    inverse = Self.inverse(self.corners)
  }

  /// Returns the position in the image of a position in Web Mercator, from 0 to 1; nil outside.
  func place(of position: SIMD2<Double>) -> SIMD2<Double>? {
    guard position.x.isFinite, position.y.isFinite else { return nil }
    var position = position
    let world = 2 * WebMercator.halfWorld
    // The copy of the world in which the image may be.
    position.x -= ((position.x - high.x) / world).rounded(.up) * world
    guard position.x >= low.x, position.y >= low.y, position.y <= high.y else { return nil }
    let own = (position - low) / (high - low)
    let place = inverse.map { Self.projected(own, $0) } ?? Self.stretched(own, corners)
    guard let place, place.x >= 0, place.x <= 1, place.y >= 0, place.y <= 1 else { return nil }
    return place
  }

  /// Returns the inverse of the projective map of the unit square; nil for a quadrilateral that is not convex.
  ///
  /// - Source: Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), section 2.2.3.
  private static func inverse(_ corners: [SIMD2<Double>]) -> [Double]? {
    func turn(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
      (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    }
    let turns = (0..<4).map { turn(corners[$0], corners[($0 + 1) % 4], corners[($0 + 2) % 4]) }
    guard turns.allSatisfy({ $0 > 1e-9 }) || turns.allSatisfy({ $0 < -1e-9 }) else { return nil }
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (first, second, sum) = (b - c, d - c, a - b + c - d)
    let area = first.x * second.y - second.x * first.y
    guard area != 0 else { return nil }
    let g = (sum.x * second.y - second.x * sum.y) / area
    let h = (first.x * sum.y - sum.x * first.y) / area
    let m = [
      b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x, b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y, g, h, 1,
    ]
    // The adjoint is the inverse up to a factor.
    return [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
  }

  private static func projected(_ place: SIMD2<Double>, _ m: [Double]) -> SIMD2<Double>? {
    let weight = m[6] * place.x + m[7] * place.y + m[8]
    guard weight != 0 else { return nil }
    return SIMD2(m[0] * place.x + m[1] * place.y + m[2], m[3] * place.x + m[4] * place.y + m[5]) / weight
  }

  /// Returns the place in the unit square of a position between corners that are joined linearly; nil for none.
  private static func stretched(_ place: SIMD2<Double>, _ corners: [SIMD2<Double>]) -> SIMD2<Double>? {
    func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
    let (e, f) = (corners[1] - corners[0], corners[3] - corners[0])
    let (g, h) = (corners[0] - corners[1] + corners[2] - corners[3], place - corners[0])
    // cross(g, f) v² + (cross(e, f) + cross(h, g)) v + cross(h, e) = 0
    let (a, b, c) = (cross(g, f), cross(e, f) + cross(h, g), cross(h, e))
    var solutions: [Double] = []
    if abs(a) < 1e-12 {
      if b != 0 { solutions = [-c / b] }
    } else {
      let square = b * b - 4 * a * c
      guard square >= 0 else { return nil }
      solutions = [(-b - square.squareRoot()) / (2 * a), (-b + square.squareRoot()) / (2 * a)]
    }
    for v in solutions where v >= 0 && v <= 1 {
      let across = e + g * v
      let from = h - f * v
      let u = abs(across.x) > abs(across.y) ? from.x / across.x : from.y / across.y
      if u >= 0, u <= 1 { return SIMD2(u, v) }
    }
    return nil
  }
}

/// The colours of an image between its pixels.
private struct ImageSamples {
  let width: Int
  let height: Int
  private let isNearest: Bool
  private let pixels: [SIMD4<Float>]

  init(_ image: Bitmap, isNearest: Bool) {
    (width, height, self.isNearest) = (image.width, image.height, isNearest)
    let bytes = image.pixels.span
    pixels = (0..<image.width * image.height).map { index in
      let at = index * 4
      let alpha = Float(bytes[at + 3])
      let color = SIMD4(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), 255)
      return color * (alpha / 255)
    }
  }

  /// Returns the size of a pixel of the view in pixels of the image.
  static func size(
    of place: SIMD2<Double>, _ right: SIMD2<Double>?, _ below: SIMD2<Double>?, _ image: ImageSamples
  ) -> SIMD2<Double> {
    var size = SIMD2<Double>.zero
    for other in [right, below] {
      guard let other else { continue }
      let change = (other - place) * SIMD2(Double(image.width), Double(image.height))
      size = pointwiseMax(size, SIMD2(abs(change.x), abs(change.y)))
    }
    // Near a vanishing line, a pixel of the view covers a large part of the image.
    return pointwiseMin(pointwiseMax(size, .one), SIMD2(repeating: 256))
  }

  /// Returns the colour at a place from 0 to 1: the mean of the pixels that a pixel of the view covers.
  func pixel(at place: SIMD2<Double>, size: SIMD2<Double>) -> UInt32 {
    let (x, y) = (place.x * Double(width), place.y * Double(height))
    if isNearest {
      let (column, row) = (min(Int(clamping: x), width - 1), min(Int(clamping: y), height - 1))
      return Self.pixel(pixels[row * width + column])
    }
    // A triangle of weights; of the size of a pixel it interpolates linearly.
    var (sum, weights) = (SIMD4<Float>.zero, Float.zero)
    let (left, right) = (x - size.x, x + size.x)
    let (top, bottom) = (y - size.y, y + size.y)
    for row in Int(clamping: (top - 0.5).rounded(.up))...Int(clamping: (bottom - 0.5).rounded(.down)) {
      let down = Float(1 - abs(Double(row) + 0.5 - y) / size.y)
      for column in Int(clamping: (left - 0.5).rounded(.up))...Int(clamping: (right - 0.5).rounded(.down)) {
        let weight = down * Float(1 - abs(Double(column) + 0.5 - x) / size.x)
        guard weight > 0 else { continue }
        // Beyond a side, the pixels there continue.
        let place = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
        sum += pixels[place] * weight
        weights += weight
      }
    }
    return weights > 0 ? Self.pixel(sum / weights) : 0
  }

  private static func pixel(_ color: SIMD4<Float>) -> UInt32 {
    let alpha = min(UInt32(clamping: color.w + 0.5), 255)
    func byte(_ channel: Float) -> UInt32 { min(UInt32(clamping: channel + 0.5), alpha) }
    return alpha << 24 | byte(color.x) << 16 | byte(color.y) << 8 | byte(color.z)
  }
}
