package import MapGeometry
package import MapImages
package import MapModel

extension MarkerBlock {
  /// Returns the image reduced to the output pixels of its rectangle, and the rectangle that the reduced image fills.
  ///
  /// Nil for text, and for an image with no more pixels than its rectangle. Programs that show vectors reduce images in
  /// other ways, often by single pixels.
  ///
  /// - Parameter decode: returns the pixels of the image; nil if they cannot be had.
  /// - Cost: about twice the pixels of the image.
  package func reduced(
    _ decode: (SymbolPicture) -> Bitmap?
  ) -> (bitmap: Bitmap, box: Envelope)? {
    guard case .picture(let picture, _) = content else { return nil }
    let (isNarrower, isLower) = (
      box.width <= Double(picture.width) - 1, box.height <= Double(picture.height) - 1
    )
    guard isNarrower || isLower, let bitmap = decode(picture) else { return nil }
    let stamp = PictureStamp(
      bitmap, width: isNarrower ? box.width : Double(picture.width),
      height: isLower ? box.height : Double(picture.height))
    guard var reduced = try? Bitmap(width: stamp.width, height: stamp.height) else { return nil }
    reduced.replaceRows(from: 0, premultiplied: stamp.pixels.span)
    // A stamp has whole pixels around the centre of the rectangle.
    let (wide, tall) = (
      isNarrower ? Double(stamp.width) : box.width, isLower ? Double(stamp.height) : box.height
    )
    let center = box.center
    return (
      reduced,
      Envelope(
        xMin: center.x - wide / 2, yMin: center.y - tall / 2, xMax: center.x + wide / 2,
        yMax: center.y + tall / 2)
    )
  }
}
