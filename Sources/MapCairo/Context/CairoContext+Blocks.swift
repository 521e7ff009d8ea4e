internal import MapSystem
internal import MapDrawing
internal import MapGeometry
internal import MapImages

/// Painting of marker blocks: images pixel by pixel, text by its outlines.
extension CairoContext {
  /// Paints an image or text about a point.
  ///
  /// For numbers it paints nothing, because the marker's rectangle is painted already.
  func paint(
    _ block: MarkerBlock, angle: Double, x: Double, y: Double, ink: Ink, window: BandWindow
  ) throws(CairoError) {
    guard case .colors = ink else { return }
    switch block.content {
    case .picture(let picture, let opacity):
      let form = StampForm(
        picture: picture, width: block.box.width, height: block.box.height, angle: angle, opacity: opacity)
      try lay(try StampStore.shared.stamp(of: form), x: x, y: y, window: window)
    case .text(let text):
      useNonZeroRule()
      newPath()
      add(text.steps, x: { px, _ in x + px }, y: { y + $0 })
      paintLetters(text.style, ink: ink)
      useEvenOddRule()
    }
  }

  /// Composites a stamp over the surface, with its centre as near to the point as whole pixels allow.
  private func lay(_ stamp: PictureStamp, x: Double, y: Double, window: BandWindow) throws(CairoError) {
    // The visible part of the stamp is far inside the range of Int.
    let left = Int(clamping: (x - Double(stamp.width) / 2).rounded())
    let top = Int(clamping: (y - Double(stamp.height) / 2 - window.origin).rounded())
    let source = stamp.pixels.span
    try unsafe withPixels { rows in
      let columns = unsafe max(left, 0)..<max(min(left + stamp.width, rows.width), max(left, 0))
      for row in unsafe max(top, 0)..<max(min(top + stamp.height, rows.height), max(top, 0)) {
        let start = (row - top) * stamp.width - left
        for column in columns {
          let value = source[start + column]
          guard value > 0 else { continue }
          // The index is clamped to the surface above.
          let at = unsafe row * rows.width + column
          unsafe rows.pixels[at] = value.over(rows.pixels[at])
        }
      }
    }
  }
}

extension UInt32 {
  /// Returns a premultiplied pixel composited over another.
  fileprivate func over(_ below: UInt32) -> UInt32 {
    let rest = 255 - self >> 24
    guard rest > 0 else { return self }
    var result: UInt32 = 0
    for shift in [UInt32(0), 8, 16, 24] {
      let channel = (self >> shift & 255) + ((below >> shift & 255) * rest + 127) / 255
      result |= Swift.min(channel, 255) << shift
    }
    return result
  }
}
