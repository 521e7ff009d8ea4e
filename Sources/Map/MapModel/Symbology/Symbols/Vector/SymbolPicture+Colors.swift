import MapImages
import MapSystem

extension SymbolPicture {
  /// Returns the image with some colours replaced, and then all its channels multiplied by a tint.
  ///
  /// A pixel is replaced if its red, green and blue are those of an old colour; its alpha is multiplied by that of the
  /// new one, so that smooth edges stay smooth.
  ///
  /// - Source: Esri CIM specification, `colorSubstitutions` and `tintColor`; multiplication as in the ArcGIS Maps SDK for
  ///   JavaScript.
  /// - Throws: ``PNGError`` or ``MapStateError``.
  package func recolored(replacing colors: [Color: Color], tint: Color?) throws -> SymbolPicture {
    let bitmap = try bitmap()
    var pixels = bitmap.pixels
    func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
      UInt8(clamping: (Int(first) * Int(second) + 127) / 255)
    }
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      let old = Color(red: pixels[index], green: pixels[index + 1], blue: pixels[index + 2])
      if let new = colors[old] {
        (pixels[index], pixels[index + 1], pixels[index + 2]) = (new.red, new.green, new.blue)
        pixels[index + 3] = product(pixels[index + 3], new.alpha)
      }
      guard let tint else { continue }
      pixels[index] = product(pixels[index], tint.red)
      pixels[index + 1] = product(pixels[index + 1], tint.green)
      pixels[index + 2] = product(pixels[index + 2], tint.blue)
      pixels[index + 3] = product(pixels[index + 3], tint.alpha)
    }
    return SymbolPicture(
      try Bitmap(width: bitmap.width, height: bitmap.height, pixels: pixels), density: density)
  }
}
