import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// The icons of a layer as markers.
struct IconBatch {
  private struct Key: Hashable {
    let icon: Int
    let angle: Double
  }

  private let pixelRatio: Double
  private var batch = MarkerBatch(styles: [])
  /// The style of each icon, and the pixels from its left and upper sides to whole pixels; nil for one without pixels.
  private var styles: [Key: (style: Int, corner: (x: Double, y: Double)?)?] = [:]
  private var pictures: [Int: (picture: SymbolPicture, box: SymbolBox, isExact: Bool)?] = [:]
  /// The pixels of all images so far, and the images that are left out because they are too many.
  private var pixelCount = 0
  private(set) var leftOut = 0

  /// The largest number of pixels of all images.
  ///
  /// - Source: design decision; a sprite has some hundred thousand.
  private static let limit = 1 << 24

  init(pixelRatio: Double) { self.pixelRatio = pixelRatio }

  /// The icons; none for a layer without icons in the image.
  var batches: [DisplayBatch] { batch.row.isEmpty ? [] : [.markers(batch)] }

  /// Adds an icon; returns false outside the image.
  mutating func add(
    _ shape: ShapedIcon, key index: Int, _ look: IconLook, at point: (x: Double, y: Double), angle: Double,
    row: Int32, canvas: SymbolBox
  ) -> Bool {
    let reach = [shape.box.left, shape.box.top, shape.box.right, shape.box.bottom].map(abs).max() ?? 0
    let radius = (reach * look.size + look.paint.haloWidth) * 1.5 * pixelRatio + 2
    guard look.opacity > 0, point.x + radius > canvas.left, point.x - radius < canvas.right,
      point.y + radius > canvas.top, point.y - radius < canvas.bottom,
      let (style, corner) = style(shape, index, look, angle: angle)
    else { return false }
    var (x, y) = point
    if let corner {
      // Pixels of the image are drawn as they are.
      x += Self.whole(x + corner.x) - (x + corner.x)
      y += Self.whole(y + corner.y) - (y + corner.y)
    }
    batch.x.append(x)
    batch.y.append(y)
    batch.style.append(UInt32(clamping: style))
    batch.row.append(row)
    return true
  }

  /// Returns the whole pixel nearest to a position.
  ///
  /// Positions in tiles are multiples of 1/8, so half pixels are frequent, and the image of another extent may have
  /// them a trifle smaller: these are rounded up.
  private static func whole(_ position: Double) -> Double { (position + 1.0 / 64).rounded() }

  private mutating func style(
    _ shape: ShapedIcon, _ index: Int, _ look: IconLook, angle: Double
  ) -> (style: Int, corner: (x: Double, y: Double)?)? {
    let key = Key(icon: index, angle: angle)
    if let known = styles[key] { return known }
    guard let picture = picture(shape, index, look) else {
      styles[key] = .some(nil)
      return nil
    }
    let box = picture.box
    let block = MarkerBlock(
      .picture(picture.picture, opacity: look.opacity),
      box: Envelope(xMin: box.left, yMin: box.top, xMax: box.right, yMax: box.bottom))
    let found = (
      style: batch.styles.count,
      corner: picture.isExact && angle.truncatingRemainder(dividingBy: 360) == 0 ? (box.left, box.top) : nil
    )
    batch.styles.append(MarkerStyle(block: block, angle: angle, ground: nil, frame: nil, classIndex: -1))
    styles[key] = .some(found)
    return found
  }

  /// Returns the pixels of an icon with their box in output pixels around the anchor point.
  private mutating func picture(
    _ shape: ShapedIcon, _ index: Int, _ look: IconLook
  ) -> (picture: SymbolPicture, box: SymbolBox, isExact: Bool)? {
    if let known = pictures[index] { return known }
    guard let pixels = shape.pixels(size: look.size, pixelRatio: pixelRatio, paint: look.paint) else {
      pictures[index] = .some(nil)
      return nil
    }
    guard pixelCount + pixels.bitmap.width * pixels.bitmap.height <= Self.limit else {
      pictures[index] = .some(nil)
      leftOut += 1
      return nil
    }
    pixelCount += pixels.bitmap.width * pixels.bitmap.height
    let box = pixels.box.scaled(by: pixelRatio)
    let isExact =
      abs(box.width - Double(pixels.bitmap.width)) < 1e-6
      && abs(box.height - Double(pixels.bitmap.height)) < 1e-6
    let found = (SymbolPicture(pixels.bitmap), box, isExact)
    pictures[index] = .some(found)
    return found
  }
}
