import Glibc
import MapDrawing
import MapImages
import MapModel
import MapStyles

/// An image that is repeated over areas.
struct PatternImage {
  /// The pixels.
  let bitmap: Bitmap
  private let picture: SymbolPicture
  /// The size in CSS pixels.
  let width: Double
  let height: Double

  init(_ image: SpriteImage) {
    (bitmap, picture) = (image.bitmap, SymbolPicture(image.bitmap))
    (width, height) = (image.width, image.height)
  }

  /// Returns the pattern over a tile; nil for an opacity of 0.
  ///
  /// Copies begin at the corner of the world, and grow with the zoom from their size at its whole part.
  ///
  /// - Parameter offset: the offset of the areas in output pixels, with which the pattern moves.
  /// - Source: MapLibre GL JS 5.
  func hatch(
    in tile: StyledTile, _ painter: StylePainter, opacity: Double, offset: (x: Double, y: Double) = (0, 0)
  ) -> Hatch? {
    // CSS pixels at the whole zoom along a side of the tile, and output pixels for each.
    let side = 512 * exp2(painter.context.zoom.rounded(.down) - Double(tile.index.zoom))
    let scale = 4096 / tile.unitsPerPixel / side
    func phase(_ number: Int, _ length: Double) -> Double {
      let rest = (Double(number) * side).truncatingRemainder(dividingBy: length)
      return -rest * scale
    }
    let (x, y) = (phase(tile.index.x, width), phase(tile.index.y, height))
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(tile.bearing)
    return hatch(
      scale: scale, angle: tile.bearing,
      origin: (
        tile.corner.x + offset.x + x * cosine - y * sine, tile.corner.y + offset.y + x * sine + y * cosine
      ), opacity: opacity)
  }

  /// Returns the pattern with copies of a scale, with a corner at a point; nil for an opacity of 0.
  ///
  /// - Parameter scale: output pixels per CSS pixel.
  func hatch(scale: Double, angle: Double, origin: (x: Double, y: Double), opacity: Double) -> Hatch? {
    guard opacity > 0, scale > 0, scale.isFinite else { return nil }
    let (wide, tall) = (width * scale, height * scale)
    // The corner of another copy, near the image's corner; that of a tile may be very far away.
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    let x = (origin.x * cosine + origin.y * sine).truncatingRemainder(dividingBy: wide)
    let y = (origin.y * cosine - origin.x * sine).truncatingRemainder(dividingBy: tall)
    let tile = Hatch.ImageTile(
      width: wide, height: tall, angle: angle,
      origin: (x * cosine - y * sine, x * sine + y * cosine), opacity: opacity)
    return Hatch(pattern: .image(picture, tile), color: .black, lineWidth: 1)
  }
}
