import MapImages

/// The images of a failed case as parts that a page puts over the reference image, which keeps the page small.
struct ImagePatch {
  /// The pixels of the new image that differ from the reference image; the others are transparent.
  let actual: [UInt8]
  /// The marks of the difference image; the others are transparent.
  let difference: [UInt8]

  /// Creates the parts; nil for images of different sizes, and for images with transparent pixels.
  init?(_ shown: SnapshotPictures) throws {
    guard let expected = shown.expected, let difference = shown.difference else { return nil }
    let old = try Bitmap(pngData: expected)
    var (new, marks) = (try Bitmap(pngData: shown.actual), try Bitmap(pngData: difference))
    let size = ImageSize(old)
    guard ImageSize(new) == size, ImageSize(marks) == size, old.isOpaque, new.isOpaque else { return nil }
    let clear = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)
    for y in 0..<old.height {
      for x in 0..<old.width {
        if new[x, y] == old[x, y] { new[x, y] = clear }
        // All marks have a hue, and everything else is grey.
        let mark = marks[x, y]
        if mark.red == mark.green, mark.green == mark.blue { marks[x, y] = clear }
      }
    }
    (actual, self.difference) = (try new.pngData(), try marks.pngData())
  }
}

extension Bitmap {
  fileprivate var isOpaque: Bool {
    let pixels = pixels
    return stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
  }
}
