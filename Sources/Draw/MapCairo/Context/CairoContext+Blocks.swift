internal import MapDrawing
internal import MapGeometry
internal import MapImages
internal import MapModel
internal import MapSystem

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
      let (center, (cosine, sine)) = (block.box.center, ResolvedViewpoint.cosineAndSine(angle))
      try lay(
        form, x: x + center.x * cosine - center.y * sine, y: y + center.x * sine + center.y * cosine,
        window: window)
    case .text(let text):
      useNonZeroRule()
      newPath()
      add(text.steps, x: { px, _ in x + px }, y: { _, py in y + py })
      paintLetters(text.style, ink: ink)
      useEvenOddRule()
    }
  }

  /// Composites a stamp over the surface, with its centre as near to the point as whole pixels allow.
  private func lay(_ form: StampForm, x: Double, y: Double, window: BandWindow) throws(CairoError) {
    let size = form.size
    // The visible part of the stamp is far inside the range of Int.
    let left = Int(clamping: (x - Double(size.width) / 2).rounded())
    let top = Int(clamping: (y - Double(size.height) / 2 - window.origin).rounded())
    let columns = max(left, 0)..<max(min(left + size.width, Int(clamping: window.width)), max(left, 0))
    let rows =
      max(top, 0)..<max(min(top + size.height, Int(clamping: window.bottom - window.origin)), max(top, 0))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let stamp = try StampStore.shared.stamp(
      of: form, columns: columns.lowerBound - left..<columns.upperBound - left,
      rows: rows.lowerBound - top..<rows.upperBound - top)
    let source = stamp.pixels.span
    let width = stamp.columns.count
    try unsafe withPixels { surface in
      guard unsafe columns.upperBound <= surface.width, unsafe rows.upperBound <= surface.height else {
        return
      }
      for row in rows {
        let start = (row - top - stamp.rows.lowerBound) * width - left - stamp.columns.lowerBound
        for column in columns {
          let value = source[start + column]
          guard value > 0 else { continue }
          // The index is checked above.
          let at = unsafe row * surface.width + column
          unsafe surface.pixels[at] = value.over(surface.pixels[at])
        }
      }
    }
  }
}

extension CairoContext {
  /// Composites an image as large as that of the display list over the surface; numbers leave it out.
  func paint(_ image: DisplayImage, ink: Ink, window: BandWindow) throws(CairoError) {
    guard case .colors = ink else { return }
    let source = image.pixels.span
    let origin = Int(clamping: window.origin)
    try unsafe withPixels { surface in
      let rows = unsafe min(surface.height, source.count / max(1, image.width) - origin)
      guard unsafe surface.width == image.width, rows > 0 else { return }
      for row in 0..<rows {
        for column in 0..<image.width {
          let value = source[(row + origin) * image.width + column]
          guard value > 0 else { continue }
          // The index is checked above.
          let at = row * image.width + column
          unsafe surface.pixels[at] = value.over(surface.pixels[at])
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
