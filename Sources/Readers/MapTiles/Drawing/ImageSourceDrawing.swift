package import MapFeatures
import MapGeometry
package import MapImages
package import MapModel
import MapSystem

/// The drawing of an image whose corners have positions on the world.
///
/// - Source: MapLibre Style Specification, sources of the type `image`. Where the corners are not those of a
///   parallelogram in Web Mercator, MapLibre GL JS 5 and MapLibre Native draw the image as two triangles.
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
///
/// The image is cut along the diagonal from its top right to its bottom left corner, and each half is sheared.
struct ImageQuadrilateral {
  /// A half of the image as a triangle.
  private struct Half {
    /// The corner that is on no diagonal.
    let corner: SIMD2<Double>
    /// The sides from this corner, across the image and along its height.
    let (across, along): (SIMD2<Double>, SIMD2<Double>)

    /// Returns the shares of both sides at a position; nil outside the triangle and without area.
    func shares(of position: SIMD2<Double>) -> SIMD2<Double>? {
      let (area, from) = (Self.cross(across, along), position - corner)
      let shares = SIMD2(Self.cross(from, along), Self.cross(across, from)) / area
      guard area != 0, shares.x >= 0, shares.y >= 0, shares.x + shares.y <= 1 else { return nil }
      return shares
    }

    private static func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
  }

  private let halves: (first: Half, second: Half)
  /// The box around the corners.
  private let (low, high): (SIMD2<Double>, SIMD2<Double>)

  /// Creates the map for the corners top left, top right, bottom right, bottom left; nil if they have no area.
  init?(_ corners: [SIMD2<Double>]) {
    guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    guard low.x < high.x, low.y < high.y else { return nil }
    halves = (
      Half(corner: corners[0], across: corners[1] - corners[0], along: corners[3] - corners[0]),
      Half(corner: corners[2], across: corners[3] - corners[2], along: corners[1] - corners[2])
    )
  }

  /// Returns the position in the image of a position in Web Mercator, from 0 to 1; nil outside.
  func place(of position: SIMD2<Double>) -> SIMD2<Double>? {
    guard position.x.isFinite, position.y.isFinite else { return nil }
    var position = position
    let world = 2 * WebMercator.halfWorld
    // The copy of the world in which the image may be.
    position.x -= ((position.x - high.x) / world).rounded(.up) * world
    guard position.x >= low.x, position.y >= low.y, position.y <= high.y else { return nil }
    // Where the halves overlap, the second is above the first.
    if let shares = halves.second.shares(of: position) { return 1 - shares }
    return halves.first.shares(of: position)
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
