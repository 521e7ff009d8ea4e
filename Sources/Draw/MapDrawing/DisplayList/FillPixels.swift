package import MapGeometry
package import MapImages
import MapModel
import MapSystem

/// The pixels of a rectangle of an image that a gradient or copies of an image would fill.
///
/// The painters fill the inside of areas with them. The pixels are premultiplied: alpha, red, green and blue from the
/// highest byte down.
///
/// - Source: design decision: the same pixels on every machine, and in every format.
package struct FillPixels {
  /// The column of the first pixel.
  package let x: Int
  /// The row of the first pixel.
  package let y: Int
  /// The number of pixels in a row.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The pixels row by row.
  package private(set) var pixels: [UInt32]

  /// Creates the pixels of the hatch of an item within a box; nil for a hatch of lines or shapes.
  ///
  /// - Parameters:
  ///   - batch: the batch of the item.
  ///   - box: the part of the image that is needed, in pixels; at most 32,768 pixels long.
  /// - Throws: ``PNGError`` when there is not enough memory for an image.
  /// - Cost: O(pixels); for gradients from the edge, times the number of segments near each pixel.
  package init?(
    _ hatch: Hatch, of batch: PathBatch, item: Int, in box: Envelope
  ) throws(PNGError) {
    let (left, top) = (box.xMin.rounded(.down), box.yMin.rounded(.down))
    let (columns, rows) = (box.xMax.rounded(.up) - left, box.yMax.rounded(.up) - top)
    guard let x = Int(exactly: left), let y = Int(exactly: top), let width = Int(exactly: columns),
      let height = Int(exactly: rows), width > 0, height > 0, width <= 1 << 15, height <= 1 << 15
    else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    pixels = []
    switch hatch.pattern {
    case .image(let picture, let tile): fill(try ImageTiles(picture, tile))
    case .gradient(let gradient):
      let extent =
        batch.extent(ofItem: item) ?? PathExtent(box: batch.geometry.envelope(ofRow: item))
      if gradient.form == .buffered {
        fill(gradient, depth: extent.depth, EdgeDistances(batch.geometry, row: item))
      } else {
        fill(gradient, GradientPlaces(gradient, over: extent.box))
      }
    case nil, .lines, .shapes: return nil
    }
  }

  private mutating func fill(_ tiles: ImageTiles) {
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        pixels.append(tiles.pixel(x: Double(x + column) + 0.5, y: Double(y + row) + 0.5))
      }
    }
  }

  private mutating func fill(_ gradient: ColorGradient, _ places: GradientPlaces) {
    let colors = GradientColors(gradient)
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        pixels.append(colors.pixel(at: places.place(x: Double(x + column) + 0.5, y: Double(y + row) + 0.5)))
      }
    }
  }

  private mutating func fill(_ gradient: ColorGradient, depth: Double, _ edges: EdgeDistances) {
    let length =
      switch gradient.size {
      case .relative(let part): part * depth
      case .absolute(let pixels): pixels
      }
    let colors = GradientColors(gradient)
    let distances = edges.distances(x: x, y: y, width: width, height: height, reach: length)
    pixels = distances.map { colors.pixel(at: length > 0 ? Double($0) / length : 1) }
  }
}

/// The colours of a gradient as pixels.
private struct GradientColors {
  private let pixels: [UInt32]
  /// The number of colours; more than twice as many as a channel has values.
  private static let count = 1024

  init(_ gradient: ColorGradient) {
    pixels = (0...Self.count).map { Self.pixel(gradient.color(at: Double($0) / Double(Self.count))) }
  }

  func pixel(at place: Double) -> UInt32 {
    // This comparison is false for NaN.
    pixels[place > 0 ? min(Int(clamping: min(place, 1) * Double(Self.count) + 0.5), Self.count) : 0]
  }

  private static func pixel(_ color: Color) -> UInt32 {
    let alpha = UInt32(color.alpha)
    func channel(_ value: UInt8) -> UInt32 { (UInt32(value) * alpha + 127) / 255 }
    return alpha << 24 | channel(color.red) << 16 | channel(color.green) << 8 | channel(color.blue)
  }
}

/// The places of pixels in a gradient over an extent, from 0 at the first colour to 1 at the last.
private struct GradientPlaces {
  private let form: ColorGradient.Form
  private let center: (x: Double, y: Double)
  /// The direction of the gradient; y points down.
  private let cosine: Double
  private let sine: Double
  /// Half the extent along the direction and across it.
  private let half: (along: Double, across: Double)
  /// The share of these lengths over which the colours change.
  private let share: (along: Double, across: Double)

  init(_ gradient: ColorGradient, over box: Envelope) {
    form = gradient.form
    center = (box.center.x, box.center.y)
    let turn = ResolvedViewpoint.cosineAndSine(form == .circular ? 0 : gradient.angle)
    (cosine, sine) = (turn.0, -turn.1)
    let (width, height) = (box.width / 2, box.height / 2)
    if form == .circular {
      let radius = (width * width + height * height).squareRoot()
      half = (radius, radius)
    } else {
      half = (
        abs(width * cosine) + abs(height * sine), abs(width * sine) + abs(height * cosine)
      )
    }
    // A linear gradient changes over the whole extent, the others from a side to the centre.
    let whole = form == .linear ? (half.along * 2, half.across * 2) : (half.along, half.across)
    share =
      switch gradient.size {
      case .relative(let part): (part, part)
      case .absolute(let pixels): (pixels / max(whole.0, 1e-9), pixels / max(whole.1, 1e-9))
      }
  }

  func place(x: Double, y: Double) -> Double {
    let (dx, dy) = (x - center.x, y - center.y)
    func scaled(_ place: Double, _ share: Double) -> Double { share > 0 ? place / share : 1 }
    switch form {
    case .linear:
      let along = (dx * cosine + dy * sine) / max(half.along, 1e-9)
      return scaled((1 - along) / 2, share.along)
    case .circular:
      return scaled(1 - (dx * dx + dy * dy).squareRoot() / max(half.along, 1e-9), share.along)
    case .rectangular, .buffered:
      let along = abs(dx * cosine + dy * sine) / max(half.along, 1e-9)
      let across = abs(dy * cosine - dx * sine) / max(half.across, 1e-9)
      return min(scaled(1 - along, share.along), scaled(1 - across, share.across))
    }
  }
}

/// The distances of pixels from the edge of an area.
private struct EdgeDistances {
  private let geometry: CoordinateBuffer
  private let row: Int
  /// The largest number of steps, each for one pixel and one segment.
  ///
  /// - Source: design decision: about a second. Beyond it the distances of some pixels only are computed.
  private static let largestCost = 200_000_000.0

  init(_ geometry: CoordinateBuffer, row: Int) { (self.geometry, self.row) = (geometry, row) }

  /// Returns the distance of each pixel's centre from the nearest segment, at most `reach`.
  func distances(x: Int, y: Int, width: Int, height: Int, reach: Double) -> [Float] {
    let reach = min(max(reach, 0), 1e6) + 1
    var cost = 0.0
    forEachSegment { ax, ay, bx, by in
      cost += min(abs(bx - ax) + 2 * reach, Double(width)) * min(abs(by - ay) + 2 * reach, Double(height))
    }
    var step = 1
    while cost / Double(step * step) > Self.largestCost, step < 64 { step *= 2 }
    let (columns, rows) = ((width + step - 1) / step, (height + step - 1) / step)
    var squares = Array(repeating: Float(reach * reach), count: columns * rows)
    let side = Double(step)
    let (left, top) = (Double(x) + side / 2, Double(y) + side / 2)
    forEachSegment { ax, ay, bx, by in
      let (dx, dy) = (bx - ax, by - ay)
      let length = dx * dx + dy * dy
      func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
        let first = max((low / side).rounded(.down), 0)
        let last = min((high / side).rounded(.up), Double(count - 1))
        guard first <= last, let first = Int(exactly: first), let last = Int(exactly: last) else {
          return 0..<0
        }
        return first..<last + 1
      }
      let across = range(min(ax, bx) - reach - left, max(ax, bx) + reach - left, columns)
      guard !across.isEmpty else { return }
      for row in range(min(ay, by) - reach - top, max(ay, by) + reach - top, rows) {
        let py = top + Double(row) * side
        for column in across {
          let px = left + Double(column) * side
          let share = length > 0 ? min(max(((px - ax) * dx + (py - ay) * dy) / length, 0), 1) : 0
          let (ex, ey) = (px - ax - share * dx, py - ay - share * dy)
          let square = Float(ex * ex + ey * ey)
          if square < squares[row * columns + column] { squares[row * columns + column] = square }
        }
      }
    }
    guard step > 1 else { return squares.map { $0.squareRoot() } }
    return (0..<width * height).map { index in
      squares[index / width / step * columns + index % width / step].squareRoot()
    }
  }

  private func forEachSegment(_ body: (Double, Double, Double, Double) -> Void) {
    for part in geometry.parts(ofRow: row) {
      let range = geometry.vertices(ofPart: part)
      for index in range.dropFirst() {
        body(geometry.x[index - 1], geometry.y[index - 1], geometry.x[index], geometry.y[index])
      }
    }
  }
}

/// Copies of an image side by side, in whole pixels.
private struct ImageTiles {
  private let columns: Int
  private let rows: Int
  private let pixels: [UInt32]
  private let tile: Hatch.ImageTile
  private let cosine: Double
  private let sine: Double

  /// The pixels of the scaled image per pixel of the tile.
  private let density: (x: Double, y: Double)

  /// The largest number of pixels of a scaled image, unless the image itself has more; larger tiles are enlarged from it.
  ///
  /// - Source: design decision: at most 64 MB, and temporarily 256 MB.
  private static let pixelLimit = 1 << 24

  /// Scales an image to whole pixels, so that tiles have no visible seams.
  init(_ picture: SymbolPicture, _ tile: Hatch.ImageTile) throws(PNGError) {
    let (width, height) = (max(tile.width.rounded(), 1), max(tile.height.rounded(), 1))
    let bitmap = try picture.bitmap()
    let limit = Double(max(Self.pixelLimit, bitmap.width * bitmap.height))
    let scale = min(1, (limit / (width * height)).squareRoot())
    let stamp = PictureStamp(
      bitmap, width: max((width * scale).rounded(), 1), height: max((height * scale).rounded(), 1),
      opacity: tile.opacity)
    (columns, rows, pixels) = (stamp.width, stamp.height, stamp.pixels)
    self.tile = tile
    density = (
      Double(columns) / (tile.isExact ? tile.width : width),
      Double(rows) / (tile.isExact ? tile.height : height)
    )
    (cosine, sine) = ResolvedViewpoint.cosineAndSine(tile.angle)
  }

  /// Returns the pixel at a point of the image; between the pixels of a rotated tile the nearest four are mixed.
  func pixel(x: Double, y: Double) -> UInt32 {
    let (x, y) = (x - tile.offsetX, y - tile.offsetY)
    let (u, v) = (
      (x * cosine + y * sine) * density.x - 0.5, (y * cosine - x * sine) * density.y - 0.5
    )
    func split(_ place: Double, _ count: Int) -> (first: Int, second: Int, part: Double) {
      let rest = place.truncatingRemainder(dividingBy: Double(count))
      let whole = rest.rounded(.down)
      guard let index = Int(exactly: whole) else { return (0, 0, 0) }
      let first = index < 0 ? index + count : index
      return (first % count, (first + 1) % count, rest - whole)
    }
    let (a, b) = (split(u, columns), split(v, rows))
    let corner = pixels[b.first * columns + a.first]
    guard a.part > 1e-6 || b.part > 1e-6 else { return corner }
    var mixed: UInt32 = 0
    for shift in [UInt32(24), 16, 8, 0] {
      func channel(_ column: Int, _ row: Int) -> Double {
        Double(pixels[row * columns + column] >> shift & 255)
      }
      let top = channel(a.first, b.first) * (1 - a.part) + channel(a.second, b.first) * a.part
      let bottom = channel(a.first, b.second) * (1 - a.part) + channel(a.second, b.second) * a.part
      let value = (top * (1 - b.part) + bottom * b.part).rounded()
      mixed |= (UInt32(exactly: min(max(value, 0), 255)) ?? 0) << shift
    }
    return mixed
  }
}
