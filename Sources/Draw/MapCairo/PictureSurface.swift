import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// The image of a marker as a surface, for files that contain each surface once.
final class PictureSurface {
  let surface: CairoSurface
  let width: Int
  let height: Int
  /// The rectangle that the image fills, relative to the marker's point.
  let box: Envelope

  /// Decodes an image, and reduces it to output pixels if it has more.
  init(_ picture: SymbolPicture, of block: MarkerBlock) throws(CairoError) {
    let reduced = block.reduced { try? $0.bitmap() }
    guard let bitmap = reduced?.bitmap ?? (try? picture.bitmap()) else { throw .noMemory }
    (width, height, box) = (bitmap.width, bitmap.height, reduced?.box ?? block.box)
    surface = try CairoSurface(width: bitmap.width, height: bitmap.height, format: .argb32)
    try surface.withMutablePixels { bitmap.copy(rows: 0..<bitmap.height, to: &$0) }
  }
}
